"""A version is named by its ETag: what did not change is not sent again, and nobody overwrites what they never saw."""

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


def test_an_answer_carries_its_version(client):
    answer = client.get(STANDINGS, headers=bearer())
    assert answer.headers["ETag"] == '"scoring-31"'
    assert answer.headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("tags", ['"scoring-31"', 'W/"scoring-31"', '"x", "scoring-31"', "*"])
def test_who_has_the_version_gets_an_empty_answer(client, tags):
    answer = client.get(STANDINGS, headers={"If-None-Match": tags, **bearer()})
    assert (answer.status_code, answer.data) == (304, b"")
    assert answer.headers["ETag"] == '"scoring-31"'
    assert answer.headers["Muster-Seen"]


@pytest.mark.parametrize("tags", ['"scoring-30"', "", '"scoring-311"', "nonsense"])
def test_who_has_another_version_gets_this_one(client, tags):
    assert client.get(STANDINGS, headers={"If-None-Match": tags, **bearer()}).status_code == 200


@pytest.mark.parametrize("tags", ['"scoring-31"', '"scoring-30", "scoring-31"'])
def test_a_command_that_means_this_version_passes(client, tags):
    answer = client.put(CLOCK, headers={"If-Match": tags, **bearer("organiser")})
    assert answer.status_code == 200, answer.text


def test_a_command_may_mean_whatever_is_there(client):
    answer = client.put(CLOCK, headers={"If-Match": "*", **bearer("organiser")})
    assert answer.get_json() == {"meant": None}


@pytest.mark.parametrize("tags", ['W/"scoring-31"', '"pairing-31"', "", "junk"])
def test_a_command_that_means_no_version_of_this_is_refused(client, tags):
    answer = client.put(CLOCK, headers={"If-Match": tags, **bearer("organiser")})
    assert (answer.status_code, answer.get_json()["code"]) == (412, "precondition-failed")


def test_a_command_that_means_another_version_is_told_the_current_one(client):
    answer = client.put(CLOCK, headers={"If-Match": '"scoring-30"', **bearer("organiser")})
    assert (answer.status_code, answer.get_json()["code"]) == (412, "precondition-failed")
    assert answer.headers["ETag"] == '"scoring-31"'
    assert answer.get_json()["data"] == {"etag": '"scoring-31"'}


@given(st.from_regex(r"[a-z][a-z-]{0,20}", fullmatch=True), st.integers(0, 2**53))
def test_the_position_that_is_meant_is_read_back(source, position):
    tag = etag(source, position)
    assert parse_if_match(tag, source).position == position
    assert is_unchanged(tag, tag)


@pytest.mark.parametrize(
    "tags", ['""', '"pairing-1"', '"scoring-x"', '"scoring-"', '"scoring-٣"', '"scoring-99999999999999999"']
)
def test_a_version_of_something_else_is_no_position(tags):
    with pytest.raises(PreconditionFailed):
        parse_if_match(tags, "scoring")
    assert parse_if_match(None, "scoring").position is None


def test_of_several_versions_the_latest_is_meant():
    assert parse_if_match('"scoring-9", "scoring-31", "pairing-99", W/"scoring-40"', "scoring").position == 31


def test_a_version_of_several_logs_means_a_position_in_one():
    tag = etag_of({"scoring": 31, "registration": 12, "pairing": 4}, "registration")
    assert tag == '"pairing-4/scoring-31/registration-12"'
    assert parse_if_match(tag, "registration").position == 12
    assert is_unchanged(tag, tag)
    assert not is_unchanged(tag, etag_of({"scoring": 32, "registration": 12, "pairing": 4}, "registration"))
    with pytest.raises(PreconditionFailed):
        parse_if_match(tag, "scoring")


@given(st.text(max_size=60))
def test_no_header_makes_the_conditions_stumble(text):
    is_unchanged(text, etag("scoring", 1))
    with contextlib.suppress(PreconditionFailed):
        parse_if_match(text, "scoring")
