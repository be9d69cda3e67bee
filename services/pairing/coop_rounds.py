"""Rounds of sessions: opened, tables changed by hand, closed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec.structs import replace

from services.pairing import guards
from services.pairing.guards import seed_of
from services.pairing.plans import Meant
from shared.coop.entries import coop_of
from shared.coop.ruleset import TableSize
from shared.coop.seating import SEATING, SeatedTable, SessionRoundClosed, SessionRoundOpened, TableReseated, TableSeated
from shared.coop.sessions import SESSIONS, Places, data_of, open_sessions, seats_of, table_size
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects, one_of
from shared.rules.model import NotEnoughTables, TooFewPlayers
from shared.rules.parts import or_option
from shared.shapes import Command, Id, Name, OptionalReason, Reason, Shape, Size
from shared.tournament.guards import Context, require_running
from shared.tournament.state import Tournament

MOST_TABLES = 2000
"""Of a round of sessions."""

MOST_SEATS = 100
"""At one of them."""

Survivors = Annotated[list[Id], Size(MOST_SEATS)]


class TableByHand(Shape, frozen=True, kw_only=True):
    """A table by hand. host: who confirms what it reports; left out, the first survivor.

    scenario, loyal_faction: assigned to this table; left out, those of the round.
    """

    survivors: Survivors
    host: Id = ""
    scenario: Id = ""
    loyal_faction: Annotated[str, Name()] = ""


class OpenSessionRound(Command, frozen=True, kw_only=True):
    """All members may be left out: then everybody is seated, parties together and company new where it can be.

    round: the one that is meant, so that a request that comes twice seats once. scenario, loyal_faction: assigned to
    every table; left out, each table chooses.
    """

    round: Meant = None
    tables: Annotated[list[TableByHand] | None, Size(MOST_TABLES, 1)] = None
    scenario: Id = ""
    loyal_faction: Annotated[str, Name()] = ""
    reason: Annotated[OptionalReason, "Why it is seated by hand; the log keeps it."] = ""


class ReseatTable(Command, frozen=True, kw_only=True):
    """survivors: all who sit there from now on; none where the table is not played. host: left out, who it was, where
    they are still there."""

    session: Id
    survivors: Survivors
    reason: Reason
    host: Id = ""


class CloseSessionRound(Command, frozen=True, kw_only=True):
    """A round of sessions is over."""

    round: int


def open_round(state: Tournament, command: OpenSessionRound, context: Context) -> Sequence[Event]:
    """Seat everybody who plays: parties together, company new where it can be; or as somebody wrote it. AB-SVC-2."""
    require_running(state)
    latest = SEATING.of(state).latest()
    number = latest.number + 1 if latest else 1
    if command.round not in (None, number):
        fault = Fault("/round", str(command.round), one_of([number]))
        raise guards.RoundAlreadyPaired(
            f"Round {command.round} is not the next one; round {number} is.", [fault], next=number
        )
    if latest is not None and not latest.closed:
        waiting = open_sessions(state, latest.number)
        raise guards.RoundNotClosed(f"Round {latest.number} is not closed.", round=latest.number, games=waiting)
    seed = ""
    if command.tables is None:
        seed = seed_of(state, number, context, [one.id for one in state.entries.active()])
    places = seats_of(state, number, seed)
    if command.tables is None:
        faults = [*_assigned(state, command.scenario, command.loyal_faction, "")]
    else:
        faults = [
            fault
            for index, table in enumerate(_with_round(command))
            for fault in (
                *_assigned(state, table.scenario, table.loyal_faction, f"/tables/{index}"),
                *_host(state, table, f"/tables/{index}/host"),
            )
        ]
        places, found = _by_hand(places, command.tables, table_size(state))
        faults += found
    if faults:
        raise SeatingRefused("This seating is not possible.", faults)
    if not places.tables:
        size = table_size(state)
        raise TooFewPlayers("No table would have players.", players=len(places.waiting), minimum=size.survivors_min)
    return _events(state, command, number, places, seed)


def _events(state: Tournament, command: OpenSessionRound, number: int, places: Places, seed: str) -> list[Event]:
    opened = SessionRoundOpened(
        round=number,
        tables=len(places.tables),
        method="drawn" if command.tables is None else "manual",
        seed=seed,
        waiting=places.waiting,
        not_there=places.not_there,
        reason=command.reason,
    )
    drawn = TableByHand(survivors=[], scenario=command.scenario, loyal_faction=command.loyal_faction)
    asked = _with_round(command) or [drawn] * len(places.tables)
    free = _tables_at(state)
    tables: list[Event] = []
    for index, ((venue, survivors), table) in enumerate(zip(places.tables, asked, strict=True), start=1):
        if venue in free and not free[venue]:
            raise NotEnoughTables(f"{venue} has too few tables.", venue=venue)
        tables.append(
            TableSeated(
                round=number,
                session=f"r{number}t{index}",
                survivors=survivors,
                host=table.host or survivors[0],
                venue=venue,
                table=free[venue].pop(0) if venue in free else 0,
                scenario=table.scenario,
                loyal_faction=table.loyal_faction,
            )
        )
    return [opened, *tables]


def _tables_at(state: Tournament) -> dict[str, list[int]]:
    """Open venues that have tables -> their numbers."""
    return {venue.id: sorted(venue.tables) for venue in state.entries.venues.values() if venue.open and venue.tables}


def _with_round(command: OpenSessionRound) -> list[TableByHand]:
    """The tables by hand; one without a scenario of its own plays what is assigned to the round."""
    return [
        table
        if table.scenario
        else replace(table, scenario=command.scenario, loyal_faction=table.loyal_faction or command.loyal_faction)
        for table in command.tables or ()
    ]


def _host(state: Tournament, table: TableByHand, where: str) -> Iterator[Fault]:
    """Who confirms what a table reports sits there, or is of the staff. AB-REP-3."""
    if table.host and table.host not in table.survivors and table.host not in state.entries.staff:
        yield Fault(where, table.host, expects("survivor-or-staff"), "AB-REP-3")


def _assigned(state: Tournament, scenario: str, loyal: str, where: str) -> Iterator[Fault]:
    """What the organiser assigns is something that was entered, and whole where the ruleset asks for it. AB-AMB-19."""
    data = data_of(state)
    if coop_of(state.entries).play.loyal_choice == "organiser" and not (scenario and loyal):
        rules, whole = coop_of(state.entries), expects("scenario-and-faction")
        right = or_option(whole, rules, "/play/loyal_choice", lambda chooser: chooser == "table")
        yield Fault(f"{where}/loyal_faction", loyal or "nothing", right, "AB-AMB-19")
    elif loyal and not scenario:
        yield Fault(f"{where}/scenario", "nothing", expects("scenario-of-faction"), "AB-SET-2")
    if not scenario:
        return
    known = {sheet.scenario_id: sheet for sheet in data.scenarios} if data else {}
    if scenario not in known:
        yield Fault(f"{where}/scenario", scenario, one_of(list(known)), "AB-OPS-1")
    elif loyal and data and data.side(scenario, loyal) is None:
        factions = [side.loyal_faction for side in known[scenario].sides if side.loyal_faction]
        yield Fault(f"{where}/loyal_faction", loyal, one_of(factions), "AB-SET-2")


def _by_hand(places: Places, tables: Sequence[TableByHand], size: TableSize) -> tuple[Places, list[Fault]]:
    """Tables as somebody wrote them, everybody else waiting, and every fault."""
    playing = {survivor for _, survivors in places.tables for survivor in survivors} | set(places.waiting)
    venues = {survivor: venue for venue, survivors in places.tables for survivor in survivors}
    seated: list[str] = []
    faults = []
    for index, table in enumerate(tables):
        faults += _sizes(table.survivors, size, f"/tables/{index}/survivors")
        for place, survivor in enumerate(table.survivors):
            where = f"/tables/{index}/survivors/{place}"
            if survivor not in playing:
                faults.append(Fault(where, survivor, expects("player-of-this-round")))
            elif survivor in seated:
                faults.append(Fault(where, survivor, expects("everybody-once")))
            seated.append(survivor)
    rows = [(venues.get(table.survivors[0], "") if table.survivors else "", table.survivors) for table in tables]
    return Places(rows, sorted(playing - set(seated)), places.not_there), faults


def _sizes(survivors: Sequence[str], size: TableSize, where: str) -> list[Fault]:
    if size.survivors_min <= len(survivors) <= size.survivors_max:
        return []
    right = expects("survivors-of-table", least=size.survivors_min, most=size.survivors_max)
    return [Fault(where, f"{len(survivors)}", right, "AB-SET-8")]


def reseat(state: Tournament, command: ReseatTable, context: Context) -> Sequence[Event]:
    """Say who sits at a table that is not set up; who leaves it waits, who comes leaves where they were. AB-SVC-1.

    A table of nobody is not played.
    """
    require_running(state)
    table = _table(state, command.session)
    round = SEATING.of(state).rounds[table.round]
    if round.closed:
        raise guards.RoundClosed(f"Round {round.number} of sessions is closed.", round=round.number)
    at = {survivor: other for other in round.tables.values() for survivor in other.survivors}
    size = table_size(state)
    faults = _sizes(command.survivors, size, "/survivors") if command.survivors else []
    active = {player.id for player in state.entries.active()}
    for index, survivor in enumerate(command.survivors):
        if survivor not in active:
            faults.append(Fault(f"/survivors/{index}", survivor, expects("player-taking-part")))
        elif survivor in command.survivors[:index]:
            faults.append(Fault(f"/survivors/{index}", survivor, expects("everybody-once")))
    losing = {at[survivor].session for survivor in command.survivors if survivor in at} - {table.session}
    begun = sorted(session for session in {*losing, table.session} if session in SESSIONS.of(state).sessions)
    if begun:
        raise SessionHasBegun(f"{', '.join(begun)} is set up; nobody can change places there any more.", sessions=begun)
    events = []
    for session in sorted(losing):
        rest = [survivor for survivor in round.tables[session].survivors if survivor not in command.survivors]
        faults += _sizes(rest, size, "/survivors") if rest else []
        host = round.tables[session].host
        kept = host if host in rest or host in state.entries.staff else (rest[0] if rest else "")
        events.append(TableReseated(session=session, survivors=rest, host=kept, reason=command.reason))
    if faults:
        raise SeatingRefused("The table cannot be changed like this.", faults)
    host = command.host or (table.host if table.host in command.survivors else "")
    host = host or next(iter(command.survivors), "")
    if (command.survivors, host) == (table.survivors, table.host):
        return []
    wrong = [*_host(state, TableByHand(survivors=command.survivors, host=host), "/host")]
    if wrong:
        raise SeatingRefused("The host must be a survivor of the table or a member of the staff.", wrong)
    own = TableReseated(session=table.session, survivors=list(command.survivors), host=host, reason=command.reason)
    return [*events, own]


def close_round(state: Tournament, command: CloseSessionRound, context: Context) -> Sequence[Event]:
    """Once every session of it has a result that binds. AB-SVC-1."""
    require_running(state)
    round = SEATING.of(state).rounds.get(command.round)
    if round is None:
        raise guards.RoundUnknown(f"Round {command.round} of sessions is not open.", round=command.round)
    if round.closed:
        return []
    waiting = open_sessions(state, round.number)
    if waiting:
        raise guards.RoundNotClosed(f"Sessions still open: {len(waiting)}.", round=round.number, games=waiting)
    return [SessionRoundClosed(round=round.number)]


def _table(state: Tournament, session: str) -> SeatedTable:
    found = SEATING.of(state).table(session)
    if found is None:
        fault = Fault("/session", session, expects("table-of-sessions"))
        raise SessionUnknown(f"No session has the id {session}.", [fault])
    return found


class SessionUnknown(Refusal):
    """No table is seated for a session of this id."""

    code = "session-unknown"


class SessionHasBegun(Refusal):
    """A table that would change is set up; data: `sessions`."""

    code = "session-has-begun"


class SeatingRefused(Refusal):
    """Tables that cannot be seated like this; faults name every one."""

    code = "seating-refused"
