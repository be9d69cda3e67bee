"""Tournaments: announced, amended, cancelled; their venues; registration closed and reopened.

The ids of new things are not members of commands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Annotated, Any, Literal, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from services.registration import withdrawals
from services.registration.guards import CapacityTooSmall, NameTaken, StandInRound, TooLateToChange, venue_of
from shared.formats.options import apply_options, from_json
from shared.log.event import Event
from shared.names import is_same_name
from shared.refusals import Expected, Fault, Refusal, display_text, expects, one_of
from shared.rules.model import OptionsRefused
from shared.rules.parts import AnyRuleset, to_json
from shared.shapes import Check, Command, Id, Name, Reason, Shape, Size, TableNumber, Whole
from shared.tournament.format import tier_of
from shared.tournament.guards import Context, require_running
from shared.tournament.registration import (
    RegistrationClosed,
    RegistrationReopened,
    TablesChanged,
    TournamentAmended,
    TournamentAnnounced,
    TournamentCancelled,
    VenueClosed,
    VenueOpened,
)
from shared.tournament.registration import Table as RecordedTable
from shared.tournament.state import Tournament

MOST_TABLES = 10_000
"""Of a venue."""

SignUpBy = Annotated[
    Literal["open", "invite_only"],
    "open: anybody signs up for themselves while registration is open; invite_only: staff and integrations do.",
]

OnPurpose = Annotated[
    list[Literal["rounds", "cut", "standings"]],
    Size(3),
    "What staff alone see until they publish it; empty: everything is shown at once.",
]


def _each_once(tables: Sequence[Mapping[str, Any]]) -> Expected | None:
    again = sorted(number for number, times in Counter(table["table"] for table in tables).items() if times > 1)
    return expects("each-table-once", tables=again) if again else None


class Plan(Shape, frozen=True, kw_only=True):
    """What is said of a tournament when it is announced, beside its ruleset.

    operator_data: of a co-operative game, as far as it is known yet.
    """

    name: Annotated[str, Name()]
    options: Annotated[dict[str, Any], "What the ruleset lets an organiser set."] = {}
    tier: Annotated[str, "One of the ruleset's tiers; empty: its first."] = ""
    starts_on: date | None = None
    ends_on: date | None = None
    capacity: Annotated[int, Whole(2, 100_000)] | None = None
    rounds: Annotated[int, Whole(1, 64)] | None = None
    pairing_scope: Literal["event", "venue"] = "event"
    visibility: Literal["public", "private"] = "public"
    check_in: Annotated[bool, "Whether round 1 pairs only players who are checked in."] = False
    sign_up: SignUpBy = "invite_only"
    rehearsal: Annotated[bool, "Nothing counts, and made-up operator's data are accepted."] = False
    on_purpose: OnPurpose = []
    operator_data: Annotated[
        dict[str, Any] | None, "Co-operative games: what the sheets and cards say (docs/reference/packs.md)."
    ] = None


class AnnounceTournament(Plan, Command, frozen=True, kw_only=True):
    """ruleset: the whole pack as JSON with the organiser's options in force. format: empty for that of the ruleset."""

    format: str = ""
    ruleset: dict[str, Any]


class AmendTournament(Command, frozen=True, kw_only=True):
    """What changes; the rest stays. The number of rounds, and options, only until round 1 is paired and published."""

    name: Annotated[str | UnsetType, Name()] = UNSET
    starts_on: date | UnsetType = UNSET
    ends_on: date | UnsetType = UNSET
    capacity: Annotated[int | UnsetType, Whole(2, 100_000)] = UNSET
    rounds: Annotated[int | UnsetType, Whole(1, 64)] = UNSET
    sign_up: SignUpBy | UnsetType = UNSET
    on_purpose: OnPurpose | UnsetType = UNSET
    options: Annotated[
        dict[str, Any] | UnsetType, "Options of the ruleset that may change until round 1 (`until` of each)."
    ] = UNSET


class CancelTournament(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    reason: Reason


class Table(Shape, frozen=True, kw_only=True):
    """A table of a venue."""

    table: TableNumber
    accessible: bool = False


Tables = (
    Annotated[int, Whole(0, MOST_TABLES), "The number of tables, numbered from 1."]
    | Annotated[list[Table], Size(MOST_TABLES), Check(_each_once), "One by one."]
)
"""All tables of a venue."""


class OpenVenue(Command, frozen=True, kw_only=True):
    """A venue with its tables: how many, or one by one."""

    name: Annotated[str, Name()]
    tables: Tables = 0


class ChangeTables(Command, frozen=True, kw_only=True):
    """All tables of the venue from now on: how many, or one by one."""

    venue: Id
    tables: Tables


class CloseVenue(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    venue: Id
    reason: Reason


class CloseRegistration(Command, frozen=True, kw_only=True):
    """Nobody joins any more."""


class ReopenRegistration(Command, frozen=True, kw_only=True):
    """Players may join again."""


class RegistrationFormat(Protocol):
    """A module about a format."""

    @property
    def LINKS(self) -> Mapping[str, tuple[str, str]]:
        """What concerns a player -> the service and the path in the tournament, besides what every format has."""

    @property
    def ON_PURPOSE(self) -> Collection[str]:
        """What may be kept back until staff publish it."""


def announce(
    formats: Mapping[str, RegistrationFormat], state: Tournament, command: AnnounceTournament, context: Context
) -> Sequence[Event]:
    """The first event of every tournament."""
    if state.entries.status:
        raise TournamentExists("This id is taken by another tournament.")
    played = str(command.ruleset["format"])
    if command.format not in ("", played):
        raise FormatNotPlayed(
            f"{command.ruleset['id']} is a ruleset of the format {played}.",
            [Fault("/format", command.format, one_of([played]))],
        )
    starts_on = command.starts_on.isoformat() if command.starts_on else ""
    ends_on = command.ends_on.isoformat() if command.ends_on else ""
    _refuse_dates(starts_on, ends_on)
    _refuse_rounds(from_json(command.ruleset), command.rounds)
    _refuse_to_keep_back(formats[played], played, command.on_purpose)
    announced = TournamentAnnounced(
        name=command.name,
        format=played,
        ruleset=command.ruleset,
        options=command.options,
        tier=command.tier,
        starts_on=starts_on,
        ends_on=ends_on,
        capacity=command.capacity,
        rounds=command.rounds,
        pairing_scope=command.pairing_scope,
        visibility=command.visibility,
        check_in=command.check_in,
        organiser=context.by.actor,
        sign_up=command.sign_up,
        rehearsal=command.rehearsal,
        on_purpose=[*command.on_purpose],
    )
    return [announced]


def amend(format: RegistrationFormat, state: Tournament, command: AmendTournament, context: Context) -> Sequence[Event]:
    """Name, dates, seats, who signs up and what is published on purpose at any time; the number of rounds, and options
    that say so, until round 1 is paired (AR-SET-4). A draft of it counts for nothing here."""
    entries = require_running(state)
    said = msgspec.to_builtins(command)
    options = _options(state, said.pop("options", {}), said.get("rounds", entries.rounds))
    changed = {name: value for name, value in said.items() if value != getattr(entries, name)}
    if "rounds" in changed:
        _refuse_rounds(from_json(entries.ruleset), changed["rounds"])
    if "rounds" in changed and state.has_begun:
        right = expects("rounds-as-paired", rounds=entries.rounds or expects("nothing"))
        raise TooLateToChange(
            "Round 1 is paired; the number of rounds can no longer change.",
            [Fault("/rounds", display_text(changed["rounds"]), right)],
            clause=tier_of(entries).cites("rounds"),
        )
    _refuse_to_keep_back(format, entries.format, changed.get("on_purpose", ()))
    seats = changed.get("capacity")
    if seats is not None and seats < entries.seated():
        raise CapacityTooSmall(
            f"{entries.seated()} players hold seats.",
            [Fault("/capacity", str(seats), expects("at-least", least=entries.seated()))],
        )
    _refuse_dates(changed.get("starts_on", entries.starts_on), changed.get("ends_on", entries.ends_on))
    if not changed and not options:
        return []
    promoted = (
        withdrawals.promotions(entries, seats - entries.seated()) if seats is not None and not state.has_begun else []
    )
    amended = TournamentAmended(
        name=changed.get("name"),
        starts_on=changed.get("starts_on"),
        ends_on=changed.get("ends_on"),
        capacity=changed.get("capacity"),
        rounds=changed.get("rounds"),
        sign_up=changed.get("sign_up"),
        on_purpose=changed.get("on_purpose"),
        options=options.get("options"),
        ruleset=options.get("ruleset"),
    )
    return [amended, *promoted]


def _refuse_rounds(ruleset: AnyRuleset, rounds: int | None) -> None:
    """Raises RoundsByOption for another number of rounds than an option of the ruleset has. FS-LGE-3."""
    option = ruleset.rounds_option
    if option is not None and rounds not in (None, option.rounds):
        raise RoundsByOption(
            f"The option {option.key} sets {option.rounds} rounds.",
            [Fault("/rounds", str(rounds), expects("value-or-nothing", value=option.rounds), option.clause)],
        )


def _refuse_to_keep_back(format: RegistrationFormat, name: str, wanted: Sequence[str]) -> None:
    """Raises NotOnPurpose for what a format shows at once, or does not have."""
    known = one_of(list(format.ON_PURPOSE)) if format.ON_PURPOSE else expects("nothing")
    faults = [
        Fault(f"/on_purpose/{index}", one, expects("of-format", right=known, format=name))
        for index, one in enumerate(wanted)
        if one not in format.ON_PURPOSE
    ]
    if faults:
        raise NotOnPurpose(f"The format {name} has no such thing to publish on purpose.", faults)


def _options(state: Tournament, chosen: Mapping[str, Any], rounds: int | None) -> dict[str, Any]:
    """The options that change, and the whole ruleset with them; empty where none does.

    Raises TooLateToChange, and OptionsRefused as `apply_options`.
    """
    if not chosen:
        return {}
    ruleset = from_json(state.entries.ruleset)
    fixed = {option.key for option in ruleset.options if option.until == "announcement"}
    late = [key for key in chosen if state.has_begun or state.entries.moves or key in fixed]
    if late:
        why = "Round 1 is paired" if state.has_begun else "They were fixed when the tournament was announced"
        faults = [Fault(f"/options/{key}", display_text(chosen[key]), expects("changeable-option")) for key in late]
        raise TooLateToChange(f"{why}; these options stand: {', '.join(late)}.", faults)
    try:
        changed = apply_options(ruleset, chosen)
    except OptionsRefused as refused:
        faults = [msgspec.structs.replace(fault, where=f"/options{fault.where}") for fault in refused.faults]
        raise OptionsRefused(refused.detail, faults, **refused.data) from refused
    _refuse_rounds(changed, rounds)
    pack = to_json(changed)
    return {} if pack == state.entries.ruleset else {"options": dict(chosen), "ruleset": pack}


def _refuse_dates(starts_on: str, ends_on: str) -> None:
    if starts_on and ends_on and ends_on < starts_on:
        raise DatesOutOfOrder(
            f"It would start on {starts_on} and end on {ends_on}.",
            [Fault("/ends_on", ends_on, expects("day-or-later", day=starts_on))],
        )


def cancel(state: Tournament, command: CancelTournament, context: Context) -> Sequence[Event]:
    """The end without a winner."""
    require_running(state)
    return [TournamentCancelled(reason=command.reason)]


def open_venue(state: Tournament, command: OpenVenue, context: Context) -> Sequence[Event]:
    """A new venue; its id is v1, v2 …"""
    entries = require_running(state)
    if any(is_same_name(venue.name, command.name) for venue in entries.venues.values()):
        fault = Fault("/name", command.name, expects("unused-venue-name"))
        raise NameTaken(f"There is already a venue named {command.name}.", [fault])
    venue = f"v{len(entries.venues) + 1}"
    return [VenueOpened(venue=venue, name=command.name, tables=_as_recorded(command.tables))]


def change_tables(state: Tournament, command: ChangeTables, context: Context) -> Sequence[Event]:
    """The tables from now on; a table with a game on it, or with a player pinned to it, stays."""
    venue = venue_of(require_running(state), command.venue)
    tables = _as_recorded(command.tables)
    wanted = {table.table: table.accessible for table in tables}
    if wanted == venue.tables:
        return []
    gone = set(venue.tables) - set(wanted)
    left = ", ".join(map(str, sorted(wanted)))
    faults = [
        Fault("/tables", left or "nothing", expects("table-kept", table=table, otherwise=otherwise))
        for table, otherwise in _uses(state, venue.id)
        if table in gone
    ]
    if faults:
        raise StandInRound("Tables are in use.", faults)
    return [TablesChanged(venue=command.venue, tables=tables)]


def close_venue(state: Tournament, command: CloseVenue, context: Context) -> Sequence[Event]:
    """No further games there; its players may be checked in elsewhere."""
    venue = venue_of(require_running(state), command.venue)
    if not venue.open:
        return []
    faults = [
        Fault("/venue", venue.id, expects("at-table", first=first, table=table) if table else first)
        for table, first in _uses(state, venue.id)
    ]
    if faults:
        raise StandInRound(f"{venue.name} is in use.", faults)
    return [VenueClosed(venue=command.venue, reason=command.reason)]


def close_registration(state: Tournament, command: CloseRegistration, context: Context) -> Sequence[Event]:
    """Nobody joins any more."""
    return [RegistrationClosed()] if require_running(state).registration_open else []


def reopen_registration(state: Tournament, command: ReopenRegistration, context: Context) -> Sequence[Event]:
    """Players may join again, until round 1 is paired."""
    entries = require_running(state)
    if state.has_begun:
        raise TooLateToChange("Round 1 is paired; registration stays closed.", status="registration")
    return [] if entries.registration_open else [RegistrationReopened()]


def _as_recorded(tables: int | Sequence[Table]) -> list[RecordedTable]:
    if isinstance(tables, int):
        return [RecordedTable(table=number) for number in range(1, tables + 1)]
    return [RecordedTable(table=table.table, accessible=table.accessible) for table in tables]


def _uses(state: Tournament, venue: str) -> list[tuple[int, Expected]]:
    """What goes on at a venue, table by table (0: at no table), and what would have to happen first."""
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
        (p.pinned[1], expects("player-unpinned", player=p.name, id=p.id))
        for p in state.entries.active()
        if p.pinned and p.pinned[0] == venue
    ]
    return sorted(uses + pinned, key=lambda use: (use[0], str(use[1])))


class TournamentExists(Refusal):
    """The id is taken by another tournament."""

    code = "tournament-exists"


class FormatNotPlayed(Refusal):
    """The ruleset is of another format."""

    code = "format-not-played"


class DatesOutOfOrder(Refusal):
    """A tournament ends on the day it starts, or later."""

    code = "dates-out-of-order"


class NotOnPurpose(Refusal):
    """The format has no such thing that could be kept back until it is published."""

    code = "not-on-purpose"


class RoundsByOption(Refusal):
    """A campaign has its number of rounds among its options."""

    code = "rounds-by-option"
