"""The JSON Schema of every version of every event, checked against golden samples; AsyncAPI, against its own schema."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator

from deploy.asyncapi_document import document
from shared.formats.event_schemas import asyncapi, event_schema, versions_of
from shared.formats.fold import CATALOGUE, UnknownEvent
from shared.log.cloudevents import is_own_schema
from shared.messaging.envelope import add_cause, feed_line
from shared.tracing import Cause
from tests.events.test_golden import EVERY, OF_ALL, VENUE, sample

ROOT = Path(__file__).parents[2]
OLDER = [(name, version) for name, version in EVERY if version < CATALOGUE[name].version]


def test_a_schema_describes_the_samples_of_its_version_completely() -> None:
    for name, version in EVERY:
        check_schema_of_samples(name, version)


def check_schema_of_samples(name: str, version: int) -> None:
    """Check that samples fit the schema of a version, and that it requires the members of the minimal one."""
    schema = event_schema(name, version)
    Draft202012Validator.check_schema(schema)
    full, minimal = sample(name, version)["full"], sample(name, version)["minimal"]
    validator = Draft202012Validator(schema)
    for data in (full, minimal, {**full, "colour": "red"}):
        assert [error.message for error in validator.iter_errors(data)] == [], (name, version)
    gained = (
        set(schema["properties"]) - set(full) - OF_ALL
    )  # by the newest version without a step: optional, and never there
    assert set(full) <= set(schema["properties"])
    assert not gained or (version < CATALOGUE[name].version and not gained & set(schema.get("required", ())))
    assert set(minimal) == set(schema.get("required", ())), (name, version)
    for member in minimal:
        assert not validator.is_valid({key: value for key, value in minimal.items() if key != member})


def test_an_older_version_is_not_the_newer_one() -> None:
    older = Draft202012Validator(event_schema("VenueOpened", 1))
    assert not older.is_valid(sample("VenueOpened", 2)["full"])


@pytest.mark.parametrize(("name", "version"), [("VenueOpened", 0), ("VenueOpened", 3), ("VenueBurnt", 1)])
def test_unknown_events_have_no_schema(name: str, version: int) -> None:
    with pytest.raises(UnknownEvent):
        event_schema(name, version)


@pytest.mark.parametrize(
    ("uri", "right"),
    [
        ("urn:muster:event:VenueOpened:2", True),
        ("https://muster.example/scoring/schemas/events/VenueOpened/2", True),
        ("http://127.0.0.1:8001/schemas/events/VenueOpened/2", True),
        ("urn:muster:event:VenueOpened:1", False),
        ("https://muster.example/schemas/events/VenueOpened/12", False),
        ("ftp://muster.example/schemas/events/VenueOpened/2", False),
        ("/schemas/events/VenueOpened/2", False),
        (None, False),
    ],
)
def test_a_schema_has_an_address_or_a_name(uri: object, right: bool) -> None:
    assert is_own_schema(uri, VENUE) is right


@cache
def described() -> dict[str, Any]:
    return asyncapi("1.2.3", "muster.events")


def test_the_document_is_asyncapi() -> None:
    judge = json.loads((ROOT / "tests/messaging/data/asyncapi-3.0.0.json").read_text())
    assert [f"{error.json_path}: {error.message}" for error in Draft7Validator(judge).iter_errors(described())] == []


def test_the_committed_document_is_up_to_date() -> None:
    assert (ROOT / "docs/reference/asyncapi.json").read_text() == document(), "run `make docs`"


def test_every_event_has_a_channel_for_each_owner_and_every_version_a_message() -> None:
    channels = {key: channel for key, channel in described()["channels"].items() if key != "results"}
    assert set(channels) == {f"{owner}.{event.name}" for event in CATALOGUE.values() for owner in event.owners}
    for key, channel in channels.items():
        type = key.partition(".")[2]
        assert channel["address"] == f"{key}.{{tournament}}"
        assert set(channel["messages"]) == {f"{type}.{version}" for version in versions_of(type)}
    led = {one["channel"]["$ref"] for one in described()["operations"].values()}
    assert led == {f"#/channels/{key}" for key in channels}


def test_messages_on_the_wire_match_the_document() -> None:
    body = feed_line(7, VENUE, "0" * 64, "k:s", "https://muster.example/registration")
    message = json.loads(add_cause(body, Cause("a1b2c3d4e5f60718", "00-" + "1" * 32 + "-" + "2" * 16 + "-01")))
    whole = {**described(), "$ref": "#/components/messages/VenueOpened.2/payload"}
    assert [error.message for error in Draft7Validator(whole).iter_errors(message)] == []
    assert set(message) <= set(described()["components"]["schemas"]["CloudEvent"]["properties"])
    for wrong in ({**message, "type": "VenueClosed"}, {**message, "data": {}}, {**message, "position": 0}):
        assert not Draft7Validator(whole).is_valid(wrong)
