"""Venues and their tables: opening, amending, closing; who uses a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from services.registration.guards import NameTaken, StillInUse, venue_of
from shared.log.event import Event
from shared.names import is_same_name, normalize_name
from shared.refusals import Expected, Fault, expects
from shared.shapes import Check, Command, Id, Name, Reason, Shape, Size, TableNumber, Text, Whole
from shared.time_zones import time_zone_fault
from shared.tournament.guards import Context, require_running
from shared.tournament.people import Entries
from shared.tournament.registration import Table as RecordedTable
from shared.tournament.registration import TablesChanged, VenueAmended, VenueClosed, VenueOpened
from shared.tournament.state import Tournament

MAX_TABLES = 10_000
"""Maximum tables of a venue."""

MAX_LABEL = 20
"""Maximum characters of the label of a table."""


def _tables_fault(tables: Sequence[Mapping[str, Any]]) -> Expected | None:
    """Return the expectation that the tables of a venue violate together, or None: numbers and labels are unique."""
    count = Counter(table["table"] for table in tables)
    if twice := sorted(number for number, times in count.items() if times > 1):
        return expects("each-table-once", tables=twice)
    labels = [(table["table"], normalize_name(table["label"])) for table in tables if table.get("label")]
    times = Counter(label for _, label in labels)
    # The label of a table must not be the number of another one: people may type either.
    taken = [number for number, label in labels if times[label] > 1 or _is_other_number(label, number, count)]
    return expects("each-label-once", tables=sorted(taken)) if taken else None


def _is_other_number(label: str, number: int, numbers: Mapping[int, int]) -> bool:
    return label.isascii() and label.isdecimal() and int(label) != number and int(label) in numbers


class Table(Shape, frozen=True, kw_only=True):
    """A table of a venue."""

    table: TableNumber
    accessible: bool = False
    label: Annotated[
        str, Name(MAX_LABEL), "The text printed on the table, such as `A12` or `Hall 2 / 7`. Empty: its number."
    ] = ""


Tables = (
    Annotated[int, Whole(0, MAX_TABLES), "The number of tables, numbered from 1."]
    | Annotated[
        list[Table],
        Size(MAX_TABLES),
        Check(_tables_fault),
        "The tables, one by one: numbers and labels are unique in the venue.",
    ]
)
"""All tables of a venue."""

TimeZone = Annotated[
    str, Check(time_zone_fault), "The time zone by its IANA name, such as `Europe/Berlin`. Empty: not set."
]
Address = Annotated[str, Text(300), "The postal address, for people. Public."]
Note = Annotated[str, Text(500), "A note for people, such as the way to the entrance. Public."]


class OpenVenue(Command, frozen=True, kw_only=True):
    """Open a venue."""

    name: Annotated[str, Name()]
    tables: Tables = 0
    time_zone: TimeZone = ""
    address: Address = ""
    note: Note = ""


class AmendVenue(Command, frozen=True, kw_only=True):
    """Change name, time zone, address or note of a venue. Members that you leave out do not change."""

    venue: Id
    name: Annotated[str | UnsetType, Name()] = UNSET
    time_zone: TimeZone | UnsetType = UNSET
    address: Address | UnsetType = UNSET
    note: Note | UnsetType = UNSET


class ChangeTables(Command, frozen=True, kw_only=True):
    """Replace the tables of a venue."""

    venue: Id
    tables: Tables


class CloseVenue(Command, frozen=True, kw_only=True):
    """Close a venue."""

    venue: Id
    reason: Annotated[Reason, "Public."]


def open_venue(state: Tournament, command: OpenVenue, context: Context) -> Sequence[Event]:
    """Open a venue with the next id: v1, v2, …"""
    entries = require_running(state)
    _require_new_name(entries, command.name)
    opened = VenueOpened(
        venue=f"v{len(entries.venues) + 1}",
        name=command.name,
        tables=_as_recorded(command.tables),
        time_zone=command.time_zone,
        address=command.address,
        note=command.note,
    )
    return [opened]


def amend_venue(state: Tournament, command: AmendVenue, context: Context) -> Sequence[Event]:
    """Change name, time zone, address or note of a venue, also while it is in use or after it was closed."""
    entries = require_running(state)
    venue = venue_of(entries, command.venue)
    given = {"name": command.name, "time_zone": command.time_zone, "address": command.address, "note": command.note}
    changed = {
        name: value
        for name, value in given.items()
        if not isinstance(value, UnsetType) and value != getattr(venue, name)
    }
    if not changed:
        return []
    if "name" in changed:
        _require_new_name(entries, changed["name"], venue.id)
    amended = VenueAmended(
        venue=venue.id,
        name=changed.get("name"),
        time_zone=changed.get("time_zone"),
        address=changed.get("address"),
        note=changed.get("note"),
    )
    return [amended]


def change_tables(state: Tournament, command: ChangeTables, context: Context) -> Sequence[Event]:
    """Replace the tables of a venue. Tables with a game or a pinned player cannot be removed."""
    venue = venue_of(require_running(state), command.venue)
    tables = _as_recorded(command.tables)
    new_tables = {table.table: table.accessible for table in tables}
    new_labels = {table.table: table.label for table in tables if table.label}
    if (new_tables, new_labels) == (venue.tables, venue.labels):
        return []
    removed = set(venue.tables) - set(new_tables)
    remaining = ", ".join(map(str, sorted(new_tables)))
    faults = [
        Fault("/tables", remaining or "nothing", expects("table-kept", table=table, otherwise=remedy))
        for table, remedy in _uses(state, venue.id)
        if table in removed
    ]
    if faults:
        raise StillInUse("Tables are in use.", faults)
    return [TablesChanged(venue=command.venue, tables=tables)]


def close_venue(state: Tournament, command: CloseVenue, context: Context) -> Sequence[Event]:
    """Close a venue to further games. Its players can be checked in elsewhere."""
    venue = venue_of(require_running(state), command.venue)
    if not venue.open:
        return []
    faults = [
        Fault("/venue", venue.id, expects("at-table", first=remedy, table=table) if table else remedy)
        for table, remedy in _uses(state, venue.id)
    ]
    if faults:
        raise StillInUse(f"{venue.name} is in use.", faults)
    return [VenueClosed(venue=command.venue, reason=command.reason)]


def _require_new_name(entries: Entries, name: str, own: str = "") -> None:
    """Raise NameTaken if another venue has this name. own: id of the venue that gets it; empty for a new one."""
    for venue in entries.venues.values():
        if venue.id != own and is_same_name(venue.name, name):
            fault = Fault("/name", name, expects("unused-venue-name"))
            raise NameTaken(f"There is already a venue named {name}.", [fault], venue=venue.id)


def _as_recorded(tables: int | Sequence[Table]) -> list[RecordedTable]:
    if isinstance(tables, int):
        return [RecordedTable(table=number) for number in range(1, tables + 1)]
    return [RecordedTable(table=table.table, accessible=table.accessible, label=table.label) for table in tables]


def _uses(state: Tournament, venue: str) -> list[tuple[int, Expected]]:
    """Return the current uses of a venue as (table, remedy), sorted; table 0 for a use without a table."""
    latest = state.rounds.latest()
    uses: list[tuple[int, Expected]] = []
    if latest is not None and latest.number not in state.results.closed:
        uses = [
            (seat.table, expects("game-moved", game=seat.game, round=latest.number))
            for seat in latest.seats.values()
            if seat.venue == venue and seat.kind != "bye"
        ]
    for part in state.formats.values():
        uses += part.uses_of(venue)
    pinned = [
        (player.pinned[1], expects("player-unpinned", player=player.name, id=player.id))
        for player in state.entries.active()
        if player.pinned and player.pinned[0] == venue
    ]
    return sorted(uses + pinned, key=lambda use: (use[0], str(use[1])))
