"""Request id and trace: accepted if well formed, replaced otherwise, logged, and sent to peers."""

from __future__ import annotations

import re

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared import logs, tracing
from shared.messaging.peers import UpstreamFeed
from shared.tracing import REQUEST_ID, TRACEPARENT

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
GIVEN = f"00-{TRACE}-{SPAN}-01"

HOSTILE = [
    "",
    "nonsense",
    f"00-{'0' * 32}-{SPAN}-01",
    f"00-{TRACE}-{'0' * 16}-01",
    f"ff-{TRACE}-{SPAN}-01",
    f"00-{TRACE.upper()}-{SPAN}-01",
    f"{GIVEN}-more",
    f"{GIVEN}\n",
    f"{GIVEN},{GIVEN}",
    f"01-{TRACE}-{SPAN}-01-{'x' * 5000}",
    f"00-{TRACE.replace('4', '٤')}-{SPAN}-01",
]


def asked_of_a_peer():
    """Return the headers of a request to a peer."""
    seen = []

    def peer(request):
        seen.append(request.headers)
        return httpx.Response(200, content=b"")

    own = {"Authorization": "Bearer x"}
    upstream = UpstreamFeed({"pairing": "http://peer"}, lambda: own, transport=httpx.MockTransport(peer))
    upstream.lines("pairing", "/log", {"after": 0})
    return seen[0]


def test_peer_requests_carry_id_and_trace():
    with tracing.caused_by(tracing.cause_of_request("r-1", GIVEN)):
        headers, others = asked_of_a_peer(), asked_of_a_peer()
    assert (headers[REQUEST_ID], headers["Authorization"]) == ("r-1", "Bearer x")
    version, trace, span, flags = headers[TRACEPARENT].split("-")
    assert (version, trace, flags) == ("00", TRACE, "01")
    assert span != SPAN  # each step is a span of its own
    assert headers[TRACEPARENT] != others[TRACEPARENT]


def test_background_request_has_its_own_trace():
    with tracing.caused_by(None):
        one, other = asked_of_a_peer(), asked_of_a_peer()
    assert re.fullmatch("[0-9a-f]{16}", one[REQUEST_ID])
    assert one[REQUEST_ID] != other[REQUEST_ID]


@pytest.mark.attack("hostile traceparent")
@pytest.mark.parametrize("given", HOSTILE)
def test_malformed_trace_is_replaced(given):
    cause = tracing.cause_of_request("r-1", given)
    assert re.fullmatch("[0-9a-f]{32}", cause.trace_id)
    assert cause.trace_id != TRACE
    assert not cause.sampled
    assert tracing.cause_of_message({REQUEST_ID: "r-1", TRACEPARENT: given}) is None


def test_trace_of_a_later_version_is_read():
    assert tracing.cause_of_request("r-1", f"01-{TRACE}-{SPAN}-03-more").trace_id == TRACE
    assert tracing.cause_of_request("r-1", f"01-{TRACE}-{SPAN}-01").sampled


@given(st.one_of(st.text(), st.binary(), st.integers(), st.none()), st.one_of(st.text(), st.lists(st.integers())))
def test_outgoing_headers_are_always_well_formed(request_id, traceparent):
    cause = tracing.cause_of_request(request_id, traceparent)
    assert tracing.cause_of_message(cause.headers()) == cause


def test_outbox_trace_round_trip():
    cause = tracing.cause_of_request("a" * 64, GIVEN)
    with tracing.caused_by(cause):
        assert len(tracing.serialize()) <= 128
        assert tracing.deserialize(tracing.serialize()) == cause
        assert logs.current_context() == {"request_id": "a" * 64, "trace_id": TRACE}
    with tracing.caused_by(None):
        assert tracing.serialize() == ""
    assert tracing.deserialize("") is None


def test_answer_has_request_id_and_log_has_trace(client, said):
    answer = client.get("/games", headers={REQUEST_ID: "r-1", TRACEPARENT: GIVEN})
    assert answer.headers[REQUEST_ID] == "r-1"
    assert logs.current_context()["trace_id"] == TRACE
    assert tracing.serialize() == ""  # it is over
