"""Faults: a request gets all its faults at once, with place, value and expected value."""

from __future__ import annotations

import pytest
from marshmallow import ValidationError, fields, validate

from shared.refusals import Fault, expects, to_short_json
from shared.web.body import expected_of, load, with_written_value
from shared.web.refusals import InvalidRequest
from shared.web.schema import Identifier, Schema, Text, WholeNumber
from tests.web.fake import GOOD, RESULTS, bearer, faults


def test_all_faults_of_a_report_are_returned(client):
    found = faults(
        client,
        {
            "round": 1.0,
            "sides": [{"player": "p 1", "points": 21, "extra": 1}, {"points": True}],
            "winner": "3",
            "day": "2026-02-30",
            "unheard": [1],
        },
    )
    assert found["/round"] == ("1.0", "a whole number from 1 to 99")
    assert found["/sides/0/player"][0] == '"p 1"'
    assert found["/sides/0/points"] == ("21", "a whole number from 0 to 20")
    assert found["/sides/0/extra"] == ("1", "one of the known members: player, points")
    assert found["/sides/1/player"][0] == "nothing"
    assert found["/sides/1/points"][0] == "true"
    assert found["/winner"] == ('"3"', "one of 1, 2, draw, or null")
    assert found["/day"][0] == '"2026-02-30"'
    assert found["/unheard"][0] == "[1]"
    assert "round, sides, winner" in found["/unheard"][1]
    assert len(found) == 9


@pytest.mark.parametrize(
    ("member", "value", "where", "expected"),
    [
        ("sides", "x", "/sides", "a list, each an object with player, points, 2 long"),
        ("sides", [], "/sides", "a list, each an object with player, points, 2 long"),
        ("sides", [3, 4], "/sides/0", "an object with player, points"),
        ("scenario", "zz", "/scenario", "text, one of assault, retrieval"),
        ("scenario", 4, "/scenario", "text, one of assault, retrieval"),
        ("tables", {"a b": 1}, "/tables/a b", "an id of 1 to 64 letters a-z, digits, - and _"),
        ("tables", {"a": 10}, "/tables/a", "a whole number from 1 to 9"),
        ("tables", [], "/tables", "an object"),
        ("code", "x", "/code", "text, matching ^[A-Z]{3}$"),
        ("ratio", 0, "/ratio", "a whole number, 1 or more"),
        ("a/b~c", "", "/a~1b~0c", "a name of 1 to 100 characters on one line; it is empty"),
        ("round", None, "/round", "a whole number from 1 to 99"),
        ("final", "yes", "/final", "true or false"),
    ],
)
def test_each_kind_of_fault(client, member, value, where, expected):
    assert faults(client, {**GOOD, member: value})[where][1] == expected


def test_check_across_members_has_its_own_expectation(client):
    same = {"player": "p1", "points": 1}
    assert faults(client, {"round": 1, "sides": [same, same]})["/sides"][1] == "everybody once"


def test_fault_has_code_data_and_sentence(client):
    answer = client.post(RESULTS, json={**GOOD, "round": 0, "winner": "3", "name": "a\nb"}, headers=bearer())
    found = {error["where"]: error for error in answer.get_json()["errors"]}
    assert found["/round"] == {
        "where": "/round",
        "said": "0",
        "code": "whole-number-range",
        "data": {"least": 1, "most": 99},
        "expected": "a whole number from 1 to 99",
        "clause": "",
    }
    winner = {"code": "one-of", "data": {"values": ["1", "2", "draw"]}}
    assert (found["/winner"]["code"], found["/winner"]["data"]) == ("value-or-null", {"value": winner})
    assert found["/name"]["data"] == {
        "text": {"code": "name-length", "data": {"most": 100}},
        "fault": {"code": "line-break"},
    }
    assert found["/name"]["expected"] == "a name of 1 to 100 characters on one line; it has a line break"


def test_each_unmet_expectation_is_a_fault():
    class Twice(Schema):
        one = Text(9, validate=[lambda _: wrong("call"), lambda _: wrong("season"), lambda _: wrong("call")])

    def wrong(code):
        raise ValidationError([expects(code)])

    with pytest.raises(InvalidRequest) as caught:
        load(Twice(), {"one": "x"})
    assert [(fault.where, fault.code) for fault in caught.value.faults] == [("/one", "call"), ("/one", "season")]


def test_values_are_shown_shortened_and_escaped(client):
    said = faults(client, {**GOOD, "name": "\u202e" + "x" * 500})["/name"][0]
    assert len(said) <= 120
    assert said.startswith('"\\u202e')


def test_query_is_validated_like_a_body(client):
    answer = client.get("/games?limit=0&limit=2&colour=red")
    assert answer.status_code == 422
    assert {e["where"] for e in answer.get_json()["errors"]} == {"/limit", "/colour"}


def test_caller_is_checked_before_the_body(client):
    assert client.post(RESULTS, json={}).status_code == 401
    assert client.post(RESULTS, json={}, headers=bearer("organiser")).status_code == 403


def test_body_may_be_a_list_of_objects():
    class Row(Schema):
        id = Identifier(required=True)

    with pytest.raises(InvalidRequest) as caught:
        load(Row(many=True), [{"id": "a"}, {"id": "-"}, 7])
    assert [fault.where for fault in caught.value.faults] == ["/1/id", "/2"]


@pytest.mark.parametrize(
    ("field", "words"),
    [
        (fields.List(WholeNumber(1, 3)), "a list, each a whole number from 1 to 3"),
        (fields.String(validate=validate.Length(min=2)), "text, at least 2 long"),
        (fields.String(validate=validate.Length(max=4)), "text, at most 4 long"),
        (fields.Integer(validate=[validate.Range(1, 9), validate.Equal(5)]), "a whole number, 1 to 9, equal to 5"),
        (fields.UUID(allow_none=True), "a UUID, or null"),
        (fields.Raw(), "a value"),
        (fields.Nested(Schema.from_dict({}), many=True), "a list, each an empty object"),
    ],
)
def test_expected_value_as_sentence(field, words):
    assert str(expected_of(field)) == words


def test_values_without_json_form_are_shown():
    assert to_short_json({"a": object}).startswith('{"a":')


@pytest.mark.parametrize(
    ("where", "said", "written"),
    [
        ("/goods/0", "laser_pistol", "Laser Pistol"),
        ("/a~1b/~0", "3", "3.0"),
        ("/number", "7", "7"),
        ("/flag", "1", "true"),
        ("/none", "0", "nothing"),
        ("/goods", "1 of 2", "1 of 2"),
        ("/goods/9", "absent", "absent"),
        ("/goods/x", "absent", "absent"),
        ("/number/0", "absent", "absent"),
        ("", "the whole", "the whole"),
        ("Content-Type", "text/csv", "text/csv"),
    ],
)
def test_fault_of_a_decision_shows_the_written_value(where, said, written):
    body = {"goods": ["Laser Pistol"], "a/b": {"~": 3.0}, "number": 7, "flag": True, "none": None}
    assert with_written_value(Fault(where, said, expects("value-or-nothing", value=1)), body).said == written
    assert with_written_value(Fault(where, said, expects("value-or-nothing", value=1)), None).said == said
