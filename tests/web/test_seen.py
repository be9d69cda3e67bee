"""Muster-Seen: nobody is answered from the past."""

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


def test_an_answer_says_how_far_it_had_read(client):
    answer = asked(client, "")
    assert answer.headers["Muster-Seen"] == "registration=12, pairing=4, scoring=31"
    assert asked(client, answer.headers["Muster-Seen"]).status_code == 200


def test_a_service_that_is_behind_says_so_and_when_to_come_again(client):
    answer = asked(client, "pairing=5, registration=3")
    body = answer.get_json()
    assert (answer.status_code, body["code"]) == (503, "not-yet-seen")
    assert answer.headers["Retry-After"] == "2"
    assert body["data"]["wanted"] == {"pairing": 5, "registration": 3}
    assert [fault["said"] for fault in body["errors"]] == ["pairing=5"]


def test_a_log_that_was_never_heard_of_is_behind(client):
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
def test_a_header_that_cannot_be_read(client, text):
    answer = asked(client, text.encode().decode("latin-1"))
    assert (answer.status_code, answer.get_json()["code"]) == (400, "malformed-seen")


@given(SEEN)
def test_what_is_written_is_read_back(seen):
    assert parse_seen(render_seen(seen)) == seen
    assert list(parse_seen(render_seen(seen))) == list(seen)
    assert parse_seen(render_seen(seen).replace(" ", "")) == seen


@given(st.text(max_size=100))
def test_no_text_makes_the_reader_stumble(text):
    try:
        seen = parse_seen(text)
    except MalformedSeen:
        return
    assert parse_seen(render_seen(seen)) == seen


@given(SEEN, SEEN)
def test_behind_is_where_less_was_read(wanted, have):
    missing = missing_positions(wanted, have)
    assert all(have.get(source, 0) < position for source, position in missing.items())
    assert missing_positions(missing, wanted) == {}
    assert missing_positions(wanted, wanted) == {}


def test_the_refusal_says_what_is_missing():
    refusal = not_yet_seen({"pairing": 9}, HAVE)
    assert refusal.data["retry_after"] == 1
    assert refusal.faults[0].expected == expects("read-so-far", log="pairing", most=4)
