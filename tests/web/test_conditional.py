"""ETags: an unchanged resource is not sent again, and a command cannot overwrite an unseen change."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.web.refusals import PreconditionFailed
from shared.web.versions import etag, etag_of, is_unchanged, parse_if_match
from tests.web.fake import bearer

STANDINGS = "/tournaments/spring-open/standings"
CLOCK = "/tournaments/spring-open/clock"


def test_answer_has_an_etag(client):
    answer = client.get(STANDINGS, headers=bearer())
    assert answer.headers["ETag"] == '"scoring-31"'
    assert answer.headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("tags", ['"scoring-31"', 'W/"scoring-31"', '"x", "scoring-31"', "*"])
def test_current_version_gives_304(client, tags):
    answer = client.get(STANDINGS, headers={"If-None-Match": tags, **bearer()})
    assert (answer.status_code, answer.data) == (304, b"")
    assert answer.headers["ETag"] == '"scoring-31"'
    assert answer.headers["Muster-Seen"]


@pytest.mark.parametrize("tags", ['"scoring-30"', "", '"scoring-311"', "nonsense"])
def test_other_version_gives_the_whole_answer(client, tags):
    assert client.get(STANDINGS, headers={"If-None-Match": tags, **bearer()}).status_code == 200


@pytest.mark.parametrize("tags", ['"scoring-31"', '"scoring-30", "scoring-31"'])
def test_if_match_with_current_version_passes(client, tags):
    answer = client.put(CLOCK, headers={"If-Match": tags, **bearer("organiser")})
    assert answer.status_code == 200, answer.text


def test_if_match_star_passes(client):
    answer = client.put(CLOCK, headers={"If-Match": "*", **bearer("organiser")})
    assert answer.get_json() == {"meant": None}


@pytest.mark.parametrize("tags", ['W/"scoring-31"', '"pairing-31"', "", "junk"])
def test_if_match_with_foreign_etag_is_refused(client, tags):
    answer = client.put(CLOCK, headers={"If-Match": tags, **bearer("organiser")})
    assert (answer.status_code, answer.get_json()["code"]) == (412, "precondition-failed")


def test_failed_if_match_returns_the_current_etag(client):
    answer = client.put(CLOCK, headers={"If-Match": '"scoring-30"', **bearer("organiser")})
    assert (answer.status_code, answer.get_json()["code"]) == (412, "precondition-failed")
    assert answer.headers["ETag"] == '"scoring-31"'
    assert answer.get_json()["data"] == {"etag": '"scoring-31"'}


@given(st.from_regex(r"[a-z][a-z-]{0,20}", fullmatch=True), st.integers(0, 2**53))
def test_if_match_round_trip(source, position):
    tag = etag(source, position)
    assert parse_if_match(tag, source).position == position
    assert is_unchanged(tag, tag)


@pytest.mark.parametrize(
    "tags", ['""', '"pairing-1"', '"scoring-x"', '"scoring-"', '"scoring-٣"', '"scoring-99999999999999999"']
)
def test_etag_of_something_else_has_no_position(tags):
    with pytest.raises(PreconditionFailed):
        parse_if_match(tags, "scoring")
    assert parse_if_match(None, "scoring").position is None


def test_latest_of_several_versions_counts():
    assert parse_if_match('"scoring-9", "scoring-31", "pairing-99", W/"scoring-40"', "scoring").position == 31


def test_etag_of_several_logs_has_a_position_for_each():
    tag = etag_of({"scoring": 31, "registration": 12, "pairing": 4}, "registration")
    assert tag == '"pairing-4/scoring-31/registration-12"'
    assert parse_if_match(tag, "registration").position == 12
    assert is_unchanged(tag, tag)
    assert not is_unchanged(tag, etag_of({"scoring": 32, "registration": 12, "pairing": 4}, "registration"))
    with pytest.raises(PreconditionFailed):
        parse_if_match(tag, "scoring")


@given(st.text(max_size=60))
def test_conditions_accept_any_header(text):
    is_unchanged(text, etag("scoring", 1))
    with contextlib.suppress(PreconditionFailed):
        parse_if_match(text, "scoring")
