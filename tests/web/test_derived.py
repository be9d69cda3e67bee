"""Derived schemas: a struct validates requests, and OpenAPI documents the same."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal

import pytest
from marshmallow import ValidationError
from msgspec import UNSET, Struct, UnsetType

from shared.refusals import Expected, expects
from shared.shapes import (
    Check,
    Command,
    Email,
    Id,
    Name,
    OneOf,
    Open,
    Pattern,
    Personal,
    Query,
    Shape,
    Size,
    TableNumber,
    Text,
    View,
    Whole,
)
from shared.web.blueprint import Blueprint
from shared.web.openapi import document_of
from shared.web.schema import NamedVariants, schema_of
from tests.web.fake import fake_app


def _even(number: int) -> Expected | None:
    return None if number % 2 == 0 else expects("equal-to", value=2)


class Step(Shape, frozen=True, kw_only=True, tag_field="does", tag="step"):
    """A step."""

    far: Annotated[int, Whole(1, 6)]


class Rest(Shape, frozen=True, kw_only=True, tag_field="does", tag="rest"):
    """A rest."""

    why: Annotated[str, Text(20)] = ""


class Walk(Command, frozen=True, kw_only=True):
    """A walk."""

    walker: Id
    name: Annotated[str, Name(10), "What it is called."]
    number: Annotated[int, Check(_even)] = 2
    colour: Literal["red", "green"] | None = None
    day: date | UnsetType = UNSET
    parts: Annotated[list[Step | Rest], Size(3, 1)]
    mail: Annotated[str, Email(), Personal()] | UnsetType = UNSET
    code: Annotated[str, Pattern("[a-z]{2}", expects("length", count=2))] | UnsetType = UNSET
    either: int | str | UnsetType = UNSET
    sure: bool = False
    open: Annotated[dict[str, Any], Open("rest")] | UnsetType = UNSET


class Ride(Command, frozen=True, kw_only=True):
    """A ride."""

    rider: Id
    by: Annotated[Id, "What is ridden."]
    of: Annotated[dict[str, Any], Open("of")] = {}
    rests: list[Rest] = []


class Horse(Struct, frozen=True):
    """A horse, by name."""

    name: str
    legs: tuple[int, ...] = ()


class Nothing(Struct, frozen=True):
    """Nothing to say."""


RIDES = NamedVariants("by", {"horse": Horse, "night_bus": Nothing})


class Page(Query, frozen=True, kw_only=True):
    """A page."""

    limit: Annotated[int, Whole(1, 9)] = 5


class Walked(View, frozen=True, kw_only=True):
    """The outcome."""

    id: str
    by: Annotated[str | None, "Nobody: null."]
    late: bool | UnsetType = UNSET
    points: int | str


GOOD: dict[str, Any] = {"name": "Abc", "parts": [{"does": "step", "far": 3}]}


def load(**more: Any) -> Any:
    return schema_of(Walk, ("walker",), {"rest": Rest})().load({**GOOD, **more})


def wrong(**more: Any) -> Any:
    with pytest.raises(ValidationError) as found:
        load(**more)
    return sentences(found.value.messages)


def sentences(messages: Any) -> Any:
    """Return marshmallow's messages with each expectation as a sentence."""
    if isinstance(messages, dict):
        return {name: sentences(below) for name, below in messages.items()}
    return [str(message) for message in messages]


def test_valid_body_loads_with_defaults():
    assert load() == {**GOOD, "number": 2, "colour": None, "sure": False}


@pytest.mark.parametrize(
    ("member", "value", "said"),
    [
        ("name", "x" * 11, "a name of 1 to 10 characters on one line; it has 11 characters"),
        ("name", None, "Field may not be null."),
        ("number", 3, "equal to 2"),
        ("number", True, "a whole number"),
        ("colour", "blue", "one of red, green"),
        ("day", "2026-02-30", "a day as YYYY-MM-DD, from 1900 to 2999, for example 2026-03-31"),
        ("day", None, "Field may not be null."),
        ("mail", "nobody", "Not a valid email address."),
        ("code", "abc", "2 long"),
        ("code", "ab\n", "2 long"),
        ("either", True, "a whole number or text"),
        ("either", 1.0, "a whole number or text"),
        ("sure", "yes", "true or false"),
        ("unknown", 1, "Unknown field."),
        ("walker", "p1", "Unknown field."),
    ],
)
def test_fault_names_its_member(member, value, said):
    assert wrong(**{member: value}) == {member: [said]}


def test_tag_selects_the_struct():
    assert wrong(parts=[{"does": "step"}, {"does": "rest", "far": 1}, {"does": "run"}]) == {
        "parts": {
            0: {"far": ["Missing data for required field."]},
            1: {"far": ["Unknown field."]},
            2: {"does": ["one of step, rest"]},
        }
    }
    assert wrong(parts=[7]) == {"parts": {0: ["an object whose does is one of step, rest"]}}


def test_open_object_uses_the_type_of_the_operation():
    assert load(open={"does": "rest"})["open"] == {"does": "rest", "why": ""}
    assert wrong(open={"does": "rest", "why": 1}) == {"open": {"why": ["text of 0 to 20 characters"]}}


def test_named_variant_is_not_converted():
    ride = schema_of(Ride, ("rider",), {"of": RIDES})()
    assert ride.load({"by": "horse", "of": {"saddle": 1}}) == {"by": "horse", "of": {"saddle": 1}, "rests": []}
    assert ride.load({"by": "broom"})["of"] == {}
    with pytest.raises(ValidationError) as found:
        ride.load({"by": "a broom"})
    assert found.value.messages["by"] == [expects("id")]


def test_struct_without_open_objects_has_one_schema():
    rests = [schema_of(Ride, opened={"of": opened})().fields["rests"] for opened in (RIDES, Horse)]
    assert type(rests[0].inner.schema) is type(rests[1].inner.schema) is schema_of(Rest)


class Leg(Shape, frozen=True, kw_only=True):
    """A part of a walk."""

    start: int
    end: int

    @staticmethod
    def wrong(said: Mapping[str, Any]) -> Mapping[str, Expected]:
        """It leads somewhere."""
        return {} if said["start"] < said["end"] else {"end": expects("at-least", least=said["start"] + 1)}


class Tour(Command, frozen=True, kw_only=True):
    """Legs between two towns."""

    towns: Annotated[tuple[Id, Id], Size(2, 2)]
    legs: list[Leg] = []
    by: Annotated[str, Open("means")] = "foot"


def test_check_across_members_names_the_member():
    tour = schema_of(Tour, opened={"means": Annotated[str, OneOf(("foot", "boat"))]})()
    assert tour.load({"towns": ["a", "b"], "legs": [{"start": 1, "end": 2}]})["by"] == "foot"
    with pytest.raises(ValidationError) as found:
        tour.load({"towns": ["a"], "legs": [{"start": 1, "end": 2}, {"start": 3, "end": 3}], "by": "car"})
    assert found.value.messages == {
        "towns": ["Length must be 2."],
        "legs": {1: {"end": [expects("at-least", least=4)]}},
        "by": ["Must be one of: foot, boat."],
    }


def test_unsupported_type_is_refused_when_the_schema_is_created():
    class Odd(Shape, frozen=True, kw_only=True):
        pair: complex

    with pytest.raises(TypeError, match="Odd"):
        schema_of(Odd)


@pytest.fixture(scope="module")
def app():
    blueprint = Blueprint("walks", description="Walks.", any_query=True)

    @blueprint.post("/walks")
    @blueprint.arguments(Page, location="query")
    @blueprint.arguments(schema_of(Walk, opened={"rest": Rest}))
    @blueprint.response(201, Walked)
    def walk(query: Page, body: Walk) -> Walked:
        """Walk."""
        first = body.parts[0]
        assert isinstance(first, Step)
        return Walked(id=body.walker, by=None, points=first.far * query.limit)

    @blueprint.post("/riders/<id:rider>/rides")
    @blueprint.arguments(schema_of(Ride, ("rider",), {"of": RIDES}))
    @blueprint.response(201, Walked)
    def ride(body: dict[str, Any], rider: str) -> Walked:
        """Ride."""
        return Walked(id=rider, by=body["by"], points=0)

    return fake_app(blueprints=[blueprint])


def test_view_takes_and_returns_structs(app):
    answer = app.test_client().post("/walks?limit=3", json={**GOOD, "walker": "p1"})
    assert (answer.status_code, answer.json) == (201, {"id": "p1", "by": None, "points": 9})


def test_every_fault_has_pointer_and_value(app):
    said = {"walker": "p 1", "name": "Abc", "parts": [{"does": "run"}, {"does": "step", "far": 7}], "more": 1}
    problem = app.test_client().post("/walks", json=said).json
    assert {(fault["where"], fault["said"], fault["expected"]) for fault in problem["errors"]} == {
        ("/walker", '"p 1"', "an id of 1 to 64 letters a-z, digits, - and _"),
        ("/parts/0/does", '"run"', "one of step, rest"),
        ("/parts/1/far", "7", "a whole number from 1 to 6"),
        ("/more", "1", f"one of the known members: {', '.join(Walk.__struct_fields__)}"),
    }


def test_openapi_matches_the_struct(app):
    document = document_of(app)
    shapes = document["components"]["schemas"]
    members = shapes["Walk"]["properties"]
    assert members["parts"]["items"] == {
        "oneOf": [{"$ref": "#/components/schemas/Step"}, {"$ref": "#/components/schemas/Rest"}],
        "discriminator": {
            "propertyName": "does",
            "mapping": {"step": "#/components/schemas/Step", "rest": "#/components/schemas/Rest"},
        },
        "description": "An object whose does is one of step, rest",
    }
    assert shapes["Step"]["required"] == ["does", "far"]
    assert shapes["Step"]["properties"]["does"]["enum"] == ["step"]
    assert members["name"]["description"] == "What it is called."
    assert members["number"]["default"] == 2
    assert members["mail"]["x-personal"] is True
    assert members["either"]["type"] == ["integer", "string"]
    assert sorted(shapes["Walk"]["required"]) == ["name", "parts", "walker"]
    assert shapes["Walk"]["description"] == "A walk."
    assert sorted(shapes["Walked"]["required"]) == ["by", "id", "points"]
    limit = document["paths"]["/walks"]["post"]["parameters"]
    assert {"name": "limit", "in": "query"}.items() <= next(one for one in limit if one.get("name") == "limit").items()


def test_openapi_shows_named_variants(app):
    shapes = document_of(app)["components"]["schemas"]
    assert shapes["RideBody"] == {
        "oneOf": [{"$ref": "#/components/schemas/RideHorse"}, {"$ref": "#/components/schemas/RideNightBus"}],
        "discriminator": {
            "propertyName": "by",
            "mapping": {
                "horse": "#/components/schemas/RideHorse",
                "night_bus": "#/components/schemas/RideNightBus",
            },
        },
        "description": "A ride.",
    }
    horse, bus = shapes["RideHorse"], shapes["RideNightBus"]
    assert (horse["properties"]["by"]["enum"], sorted(horse["required"])) == (["horse"], ["by", "of"])
    assert horse["properties"]["of"] == {"$ref": "#/components/schemas/Horse"}
    assert horse["properties"].keys() == {"by", "of", "rests"}
    assert bus["required"] == ["by"]
    assert shapes["Horse"]["required"] == ["name"]
    assert shapes["Horse"]["properties"]["legs"]["items"]["type"] == "integer"


class Hall(Command, frozen=True, kw_only=True):
    """A hall."""

    table: TableNumber = 1
    spare: TableNumber | None = None
    tables: Annotated[int, Whole(0, 9)] | Annotated[list[Step], Size(2)] = 0


def hall(**members: Any) -> Any:
    return schema_of(Hall)().load(members)


def test_number_as_text_is_accepted_if_declared():
    assert [hall(table=said)["table"] for said in (12, "12")] == [12, 12]
    for said in ("012", "1.0", "-1", "", "²", 0, True, None):
        with pytest.raises(ValidationError):
            hall(table=said)


def test_number_may_abbreviate_a_list():
    assert (hall(tables=3)["tables"], hall()["tables"]) == (3, 0)
    assert [step["far"] for step in hall(tables=[{"does": "step", "far": 2}])["tables"]] == [2]
    for said in (10, "3", True, {}, [{"does": "step", "far": 2}] * 3, [{"does": "step", "far": 7}]):
        with pytest.raises(ValidationError):
            hall(tables=said)


def test_openapi_documents_numbers_as_text_and_numbers_or_lists():
    blueprint = Blueprint("halls")

    @blueprint.post("/halls")
    @blueprint.arguments(Hall)
    @blueprint.response(204)
    def open_hall(command: Hall) -> None:
        """Open a hall."""

    shape = document_of(fake_app(blueprints=[blueprint]))["components"]["schemas"]["Hall"]["properties"]
    assert shape["table"]["type"] == ["integer", "string"]
    assert (shape["table"]["minimum"], shape["table"]["pattern"]) == (1, "^[1-9][0-9]{0,15}$")
    assert shape["spare"]["type"] == ["integer", "string", "null"]
    number, several = shape["tables"]["oneOf"]
    assert (number["type"], number["maximum"]) == ("integer", 9)
    assert (several["type"], several["maxItems"]) == ("array", 2)
