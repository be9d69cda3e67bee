"""Old logs stay readable: a golden sample of every version of every event, and of their recorded form.

Samples are never changed. A new version of an event gets its own sample next to the old ones.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from shared.formats.fold import CATALOGUE, EVOLVE, UnknownEvent, evolve, read_event
from shared.log.cloudevents import from_wire, routing_key, to_wire
from shared.log.event import GENESIS, Event, Recorded, canonical_json, compute_hash
from shared.tournament import registration, results, rounds
from shared.tournament.registration import Table, VenueOpened
from shared.tournament.state import Tournament

GOLDEN = Path(__file__).parent / "golden"
KINDS = ("minimal", "full")
EVERY = [(name, version) for name, event in CATALOGUE.items() for version in range(1, event.version + 1)]

VENUE = Recorded(
    source="registration",
    tournament="t-1",
    position=1,
    id="t-1.registration.1",
    type="VenueOpened",
    version=2,
    time="2026-03-01T10:00:00.000Z",
    actor='{"actor":"Zoë \\"Z\\"","role":"player","via":{"by":"s2","how":"link"}}',
    command_id="k~0123456789abcdef",
    seen='{"pairing":0,"scoring":0}',
    data='{"name":"Halle \u2011 Süd","tables":[{"table":1}],"venue":"v1"}',
    prev_hash=GENESIS,
    hash="06b2efd958778a81e4610ca4f0f86be9ec45af13f5a4fb9d4b46a5d69c827b9a",
    command='{"by":{"token":"t-1.s2.1"},"data":{"tables":1},"decision":1,"type":"OpenVenue","version":1}',
)


OF_ALL = set(Event.__struct_fields__)
"""Members that every event may have: the samples of `PairingsDrawn` have them."""


def sample(name: str, version: int) -> dict[str, Any]:
    """Return a golden sample with `minimal` and `full` data."""
    loaded: dict[str, Any] = json.loads((GOLDEN / f"{name}.v{version}.json").read_text())
    return loaded


def test_every_version_of_every_event_has_a_sample_and_no_sample_is_without_its_event():
    assert {path.name for path in GOLDEN.iterdir()} == {f"{name}.v{version}.json" for name, version in EVERY}


def test_every_version_is_read_as_the_current_event():
    for name, version in EVERY:
        for kind in KINDS:
            event = read_event(name, version, json.dumps(sample(name, version)[kind]))
            assert type(event) is CATALOGUE[name].schema, (name, version, kind)


def test_the_newest_version_is_written_as_its_sample_byte_for_byte():
    for name, event in CATALOGUE.items():
        for kind in KINDS:
            data = sample(name, event.version)[kind]
            assert canonical_json(read_event(name, event.version, json.dumps(data))) == canonical_json(data), (
                name,
                kind,
            )


def test_a_full_sample_has_every_member():
    for name, event in CATALOGUE.items():
        full = set(sample(name, event.version)["full"])
        assert full | OF_ALL == set(event.schema.__struct_fields__), name
    assert set(sample("PairingsDrawn", 1)["full"]) >= OF_ALL


def test_every_event_of_all_formats_is_in_the_catalogue():
    written = {
        thing
        for module in (registration, rounds, registration, results)
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Event) and thing.__module__ == module.__name__
    }
    assert written <= {event.schema for event in CATALOGUE.values()}


def test_every_event_is_folded_by_the_slice_of_its_owner():
    for owner, table in EVOLVE.items():
        assert set(table) == {event.schema for event in CATALOGUE.values() if owner in event.owners}


def test_a_count_of_tables_becomes_numbered_tables():
    old = read_event("VenueOpened", 1, '{"name":"Hall","tables":3,"venue":"v1"}')
    assert old == VenueOpened(venue="v1", name="Hall", tables=[Table(table=1), Table(table=2), Table(table=3)])


def test_an_old_log_folds_to_the_current_state():
    old = msgspec.structs.replace(VENUE, version=1, data='{"name":"Hall","tables":2,"venue":"v1"}')
    state = Tournament()
    evolve(state, old)
    assert state.entries.venues["v1"].tables == {1: False, 2: False}


def test_events_of_newer_code_are_refused_by_name():
    with pytest.raises(UnknownEvent):
        read_event("VenueOpened", 3, "{}")
    with pytest.raises(UnknownEvent):
        read_event("VenueBurnt", 1, "{}")


def test_the_hash_of_a_recorded_event_never_changes():
    assert compute_hash(VENUE) == VENUE.hash


def test_the_bytes_on_the_wire_never_change():
    wire = (GOLDEN.parent / "wire.json").read_bytes().rstrip(b"\n")
    assert to_wire(VENUE) == wire
    assert from_wire(wire) == VENUE
    assert routing_key(VENUE) == "registration.VenueOpened.t-1"
