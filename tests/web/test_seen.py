"""Muster-Seen: no answer is older than what the caller has seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.refusals import expects
from shared.web.refusals import MalformedSeen
from shared.web.versions import missing_positions, not_yet_seen, parse_seen, render_seen
from tests.web.fake import HAVE, bearer

STANDINGS = "/tournaments/spring-open/standings"
SEEN = st.dictionaries(
    st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}", fullmatch=True), st.integers(0, 10**16 - 1), max_size=64
).filter(lambda seen: len(render_seen(seen)) <= 8192)


def asked(client, text):
    return client.get(STANDINGS, headers={"Muster-Seen": text, **bearer()})


def test_answer_has_muster_seen(client):
    answer = asked(client, "")
    assert answer.headers["Muster-Seen"] == "registration=12, pairing=4, scoring=31"
    assert asked(client, answer.headers["Muster-Seen"]).status_code == 200


def test_service_that_is_behind_returns_retry_after(client):
    answer = asked(client, "pairing=5, registration=3")
    body = answer.get_json()
    assert (answer.status_code, body["code"]) == (503, "not-yet-seen")
    assert answer.headers["Retry-After"] == "2"
    assert body["data"]["wanted"] == {"pairing": 5, "registration": 3}
    assert [fault["said"] for fault in body["errors"]] == ["pairing=5"]


def test_unknown_log_is_behind(client):
    assert asked(client, "venue.hall-1=1").status_code == 503


@pytest.mark.parametrize(
    "text",
    [
        "pairing",
        "pairing=",
        "=1",
        "pairing=-1",
        "pairing=01",
        "pairing=1.0",
        "pairing=1,",
        ",",
        "pairing=1 scoring=2",
        "pairing=1, pairing=2",
        "pairing=1;scoring=2",
        "pai ring=1",
        "pairing=99999999999999999",
        "é=1",
        ", ".join(f"s{n}=1" for n in range(65)),
    ],
)
def test_malformed_header(client, text):
    answer = asked(client, text.encode().decode("latin-1"))
    assert (answer.status_code, answer.get_json()["code"]) == (400, "malformed-seen")


@given(SEEN)
def test_header_round_trip(seen):
    assert parse_seen(render_seen(seen)) == seen
    assert list(parse_seen(render_seen(seen))) == list(seen)
    assert parse_seen(render_seen(seen).replace(" ", "")) == seen


@given(st.text(max_size=100))
def test_reader_accepts_any_text(text):
    try:
        seen = parse_seen(text)
    except MalformedSeen:
        return
    assert parse_seen(render_seen(seen)) == seen


@given(SEEN, SEEN)
def test_missing_positions(wanted, have):
    missing = missing_positions(wanted, have)
    assert all(have.get(source, 0) < position for source, position in missing.items())
    assert missing_positions(missing, wanted) == {}
    assert missing_positions(wanted, wanted) == {}


def test_refusal_lists_missing_positions():
    refusal = not_yet_seen({"pairing": 9}, HAVE)
    assert refusal.data["retry_after"] == 1
    assert refusal.faults[0].expected == expects("read-so-far", log="pairing", most=4)
