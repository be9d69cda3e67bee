"""Rounds of sessions in co-operative events: opening, changes of tables by hand, closing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec.structs import replace

from services.pairing import guards
from services.pairing.guards import seed_of
from services.pairing.plans import ExpectedRound
from shared.coop.entries import coop_of
from shared.coop.ruleset import TableSize
from shared.coop.seating import SEATING, SeatedTable, SessionRoundClosed, SessionRoundOpened, TableReseated, TableSeated
from shared.coop.sessions import SESSIONS, SeatingPlan, draw_seating, open_sessions, operator_data, table_size
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects, one_of
from shared.rules.model import NotEnoughTables, TooFewPlayers
from shared.rules.parts import or_option
from shared.shapes import Command, Id, Name, OptionalReason, Reason, Shape, Size
from shared.tournament.guards import Context, require_running
from shared.tournament.state import Tournament

MAX_TABLES = 2000
"""Maximum tables in a round of sessions."""

MAX_SEATS = 100
"""Maximum survivors at a table."""

Survivors = Annotated[list[Id], Size(MAX_SEATS)]


class TableByHand(Shape, frozen=True, kw_only=True):
    """A table entered by hand."""

    survivors: Survivors
    host: Annotated[Id, "The person who confirms the table's report. Default: the first survivor."] = ""
    scenario: Annotated[Id, "Default: the scenario of the round."] = ""
    loyal_faction: Annotated[str, Name(), "Default: the loyal faction of the round."] = ""


class OpenSessionRound(Command, frozen=True, kw_only=True):
    """Seat the next round of sessions.

    All members are optional. Without `tables` all players are seated: parties stay together, and other players meet
    new company where possible.
    """

    round: ExpectedRound = None
    tables: Annotated[list[TableByHand] | None, Size(MAX_TABLES, 1), "The whole round, entered by hand."] = None
    scenario: Annotated[Id, "Assigned to every table. Default: each table chooses."] = ""
    loyal_faction: Annotated[str, Name(), "Assigned to every table. Default: each table chooses."] = ""
    reason: Annotated[OptionalReason, "The reason for seating by hand. It is public."] = ""


class ReseatTable(Command, frozen=True, kw_only=True):
    """Change the survivors or the host of a table that has not been set up."""

    session: Id
    survivors: Annotated[Survivors, "All survivors at the table from now on; empty: the table is not played."]
    reason: Reason
    host: Annotated[Id, "Default: the current host if still at the table, otherwise the first survivor."] = ""


class CloseSessionRound(Command, frozen=True, kw_only=True):
    """Close a round of sessions."""

    round: int


def open_round(state: Tournament, command: OpenSessionRound, context: Context) -> Sequence[Event]:
    """Seat the next round: by the draw (parties together, new company where possible), or by hand (AB-SVC-2)."""
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
        seed = seed_of(state, number, context, [player.id for player in state.entries.active()])
    places = draw_seating(state, number, seed)
    if command.tables is None:
        faults = [*_assignment_faults(state, command.scenario, command.loyal_faction, "")]
    else:
        faults = [
            fault
            for index, table in enumerate(_with_round_defaults(command))
            for fault in (
                *_assignment_faults(state, table.scenario, table.loyal_faction, f"/tables/{index}"),
                *_host_faults(state, table, f"/tables/{index}/host"),
            )
        ]
        places, seat_faults = _read_tables(places, command.tables, table_size(state))
        faults += seat_faults
    if faults:
        raise SeatingRefused("This seating is not possible.", faults)
    if not places.tables:
        size = table_size(state)
        raise TooFewPlayers("No table would have players.", players=len(places.waiting), minimum=size.survivors_min)
    return _events(state, command, number, places, seed)


def _events(state: Tournament, command: OpenSessionRound, number: int, places: SeatingPlan, seed: str) -> list[Event]:
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
    requested = _with_round_defaults(command) or [drawn] * len(places.tables)
    free = {venue.id: sorted(venue.tables) for venue in state.entries.venues.values() if venue.open and venue.tables}
    tables: list[Event] = []
    for index, ((venue, survivors), table) in enumerate(zip(places.tables, requested, strict=True), start=1):
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


def _with_round_defaults(command: OpenSessionRound) -> list[TableByHand]:
    """Return the tables by hand; a table without a scenario gets that of the round."""
    return [
        table
        if table.scenario
        else replace(table, scenario=command.scenario, loyal_faction=table.loyal_faction or command.loyal_faction)
        for table in command.tables or ()
    ]


def _host_faults(state: Tournament, table: TableByHand, where: str) -> Iterator[Fault]:
    """Yield a fault if the host is neither a survivor of the table nor staff (AB-REP-3)."""
    if table.host and table.host not in table.survivors and table.host not in state.entries.staff:
        yield Fault(where, table.host, expects("survivor-or-staff"), "AB-REP-3")


def _assignment_faults(state: Tournament, scenario: str, loyal: str, where: str) -> Iterator[Fault]:
    """Yield the faults of an assigned scenario and loyal faction.

    Both must be known, and both are required if the organiser chooses (AB-AMB-19).
    """
    data, rules = operator_data(state), coop_of(state.entries)
    if rules.play.loyal_choice == "organiser" and not (scenario and loyal):
        both = expects("scenario-and-faction")
        expected = or_option(both, rules, "/play/loyal_choice", lambda chooser: chooser == "table")
        yield Fault(f"{where}/loyal_faction", loyal or "nothing", expected, "AB-AMB-19")
    elif loyal and not scenario:
        yield Fault(f"{where}/scenario", "nothing", expects("scenario-of-faction"), "AB-SET-2")
    if not scenario:
        return
    sheets = {sheet.scenario_id: sheet for sheet in data.scenarios} if data else {}
    if scenario not in sheets:
        yield Fault(f"{where}/scenario", scenario, one_of(list(sheets)), "AB-OPS-1")
    elif loyal and data and data.side(scenario, loyal) is None:
        factions = [side.loyal_faction for side in sheets[scenario].sides if side.loyal_faction]
        yield Fault(f"{where}/loyal_faction", loyal, one_of(factions), "AB-SET-2")


def _read_tables(
    places: SeatingPlan, tables: Sequence[TableByHand], size: TableSize
) -> tuple[SeatingPlan, list[Fault]]:
    """Return the tables by hand, with all other players waiting, and every fault."""
    playing = {survivor for _, survivors in places.tables for survivor in survivors} | set(places.waiting)
    venues = {survivor: venue for venue, survivors in places.tables for survivor in survivors}
    seated: list[str] = []
    faults = []
    for index, table in enumerate(tables):
        faults += _size_faults(table.survivors, size, f"/tables/{index}/survivors")
        for place, survivor in enumerate(table.survivors):
            where = f"/tables/{index}/survivors/{place}"
            if survivor not in playing:
                faults.append(Fault(where, survivor, expects("player-of-this-round")))
            elif survivor in seated:
                faults.append(Fault(where, survivor, expects("everybody-once")))
            seated.append(survivor)
    rows = [(venues.get(table.survivors[0], "") if table.survivors else "", table.survivors) for table in tables]
    return SeatingPlan(rows, sorted(playing - set(seated)), places.not_there), faults


def _size_faults(survivors: Sequence[str], size: TableSize, where: str) -> list[Fault]:
    if size.survivors_min <= len(survivors) <= size.survivors_max:
        return []
    expected = expects("survivors-of-table", least=size.survivors_min, most=size.survivors_max)
    return [Fault(where, f"{len(survivors)}", expected, "AB-SET-8")]


def reseat(state: Tournament, command: ReseatTable, context: Context) -> Sequence[Event]:
    """Set the survivors of a table that has not been set up (AB-SVC-1).

    Survivors who leave the table wait; new ones leave their former table. A table without survivors is not played.
    """
    require_running(state)
    table = _table(state, command.session)
    round = SEATING.of(state).rounds[table.round]
    if round.closed:
        raise guards.RoundClosed(f"Round {round.number} of sessions is closed.", round=round.number)
    table_of = {survivor: seated for seated in round.tables.values() for survivor in seated.survivors}
    size = table_size(state)
    faults = _size_faults(command.survivors, size, "/survivors") if command.survivors else []
    active = {player.id for player in state.entries.active()}
    for index, survivor in enumerate(command.survivors):
        if survivor not in active:
            faults.append(Fault(f"/survivors/{index}", survivor, expects("player-taking-part")))
        elif survivor in command.survivors[:index]:
            faults.append(Fault(f"/survivors/{index}", survivor, expects("everybody-once")))
    losing = {table_of[survivor].session for survivor in command.survivors if survivor in table_of} - {table.session}
    begun = sorted(session for session in {*losing, table.session} if session in SESSIONS.of(state).sessions)
    if begun:
        raise SessionHasBegun(f"{', '.join(begun)} is set up; nobody can change places there any more.", sessions=begun)
    events = []
    for session in sorted(losing):
        rest = [survivor for survivor in round.tables[session].survivors if survivor not in command.survivors]
        faults += _size_faults(rest, size, "/survivors") if rest else []
        host = round.tables[session].host
        kept = host if host in rest or host in state.entries.staff else (rest[0] if rest else "")
        events.append(TableReseated(session=session, survivors=rest, host=kept, reason=command.reason))
    if faults:
        raise SeatingRefused("The table cannot be changed like this.", faults)
    host = command.host or (table.host if table.host in command.survivors else "")
    host = host or next(iter(command.survivors), "")
    if (command.survivors, host) == (table.survivors, table.host):
        return []
    faults = [*_host_faults(state, TableByHand(survivors=command.survivors, host=host), "/host")]
    if faults:
        raise SeatingRefused("The host must be a survivor of the table or a member of the staff.", faults)
    own = TableReseated(session=table.session, survivors=list(command.survivors), host=host, reason=command.reason)
    return [*events, own]


def close_round(state: Tournament, command: CloseSessionRound, context: Context) -> Sequence[Event]:
    """Close a round after every one of its sessions has a binding result (AB-SVC-1)."""
    require_running(state)
    round = SEATING.of(state).rounds.get(command.round)
    if round is None:
        raise guards.RoundUnknown(f"Round {command.round} of sessions is not open.", round=command.round)
    if round.closed:
        return []
    sessions = open_sessions(state, round.number)
    if sessions:
        raise guards.RoundNotClosed(f"Sessions still open: {len(sessions)}.", round=round.number, games=sessions)
    return [SessionRoundClosed(round=round.number)]


def _table(state: Tournament, session: str) -> SeatedTable:
    table = SEATING.of(state).table(session)
    if table is None:
        fault = Fault("/session", session, expects("table-of-sessions"))
        raise SessionUnknown(f"No session has the id {session}.", [fault])
    return table


class SessionUnknown(Refusal):
    """No table is seated for a session with this id."""

    code = "session-unknown"


class SessionHasBegun(Refusal):
    """A table that would change has been set up. data: `sessions`."""

    code = "session-has-begun"


class SeatingRefused(Refusal):
    """The tables cannot be seated like this; `errors` lists every fault."""

    code = "seating-refused"
