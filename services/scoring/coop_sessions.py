"""Sessions of a co-operative event: set up, ended, reported, confirmed, corrected, ranked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import structs

from services.scoring import guards
from services.scoring.guards import running
from services.scoring.rounds import Conclude
from shared.coop import events, moves
from shared.coop.entries import COOP, coop_of
from shared.coop.events import PowerTokenAdvanced, PowerTokenRetreated, SessionEvent, SessionLost, SessionWon
from shared.coop.moves import draw_goals
from shared.coop.ruleset import CoopRuleset, OperatorData, Side, missing_values
from shared.coop.seating import SEATING, SeatedTable
from shared.coop.sessions import (
    EVOLVE,
    PLAYING,
    SESSIONS,
    Session,
    Sessions,
    open_sessions,
    operator_data,
    ranking_after,
    ranking_pages,
    session_totals,
    side_of,
)
from shared.coop.table import MOST_GOALS, Summary, Table, faults_of_summary, has_agreement
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects, one_of
from shared.roles import HEAD_REFEREE_UP
from shared.rules.parts import or_option
from shared.shapes import Command, Id, Name, Reason, Size
from shared.tournament.guards import By, Context
from shared.tournament.results import TournamentConcluded
from shared.tournament.state import Tournament


class SetUpSession(Command, frozen=True, kw_only=True):
    """How a table is laid out. scenario, loyal_faction: left out where the organiser assigned them.

    goals: the four that were revealed; left out, the service draws them.
    """

    session: Id
    first_player: Id
    scenario: Id = ""
    loyal_faction: Annotated[str, Name()] = ""
    goals: Annotated[list[Id] | None, Size(MOST_GOALS)] = None


class EndSession(Command, frozen=True, kw_only=True):
    """outcome: unfinished where time ran out, abandoned where the table left."""

    session: Id
    outcome: Literal["unfinished", "abandoned"]
    reason: Reason


class ReportSession(Command, frozen=True, kw_only=True):
    """A session as its table saw it."""

    session: Id
    told: Summary


class ConfirmSession(Command, frozen=True, kw_only=True):
    """Somebody of the table, or the organiser, agrees with how it ended."""

    session: Id


class CorrectSession(Command, frozen=True, kw_only=True):
    """The right numbers, and why the recorded ones were wrong."""

    session: Id
    told: Summary
    reason: Reason


class PublishRanking(Command, frozen=True, kw_only=True):
    """The ranking of a round of sessions, once every one of them binds."""

    round: int


"""Roles whose word ends a session and settles its result."""


class Row(NamedTuple):
    """What folding asks of the row that an event will come in."""

    position: int
    time: str


class SessionBuilder:
    """One session while a decision is made. events: said so far. sequence: an ending is looked for after each."""

    def __init__(self, state: Tournament, session: str, context: Context) -> None:
        self.events: list[SessionEvent] = []
        self.id = session
        self.context = context
        self.ruleset: CoopRuleset = coop_of(state.entries)
        self.sequence = self.ruleset.play.tie == "sequence"
        self._sessions = Sessions()
        self._state = state
        known = SESSIONS.of(state).sessions.get(session)
        if known is not None:
            self._sessions.sessions[session] = msgspec.msgpack.decode(msgspec.msgpack.encode(known), type=Session)

    @property
    def session(self) -> Session:
        return self._sessions.sessions[self.id]

    @property
    def table(self) -> Table:
        return self.session.table

    @property
    def side(self) -> Side:
        return side_of(self._state, self.session)

    @property
    def data(self) -> OperatorData:
        found = operator_data(self._state, self.session.data_version)
        assert found is not None  # nothing is set up without data
        return found

    @property
    def over(self) -> bool:
        return self.session.ended is not None

    def say(self, event: SessionEvent) -> None:
        """One more event; the session ends with it where the ruleset looks after each (AB-SVC-3)."""
        row = Row(self.context.heads[self.context.source].position + len(self.events) + 1, self.context.now)
        EVOLVE[type(event)](self._sessions, event, row)
        self.events.append(event)
        if self.sequence and self.session.status == PLAYING and not self.over:
            self.end_if_due(event)

    def end_if_due(self, cause: SessionEvent, *, round_ends: bool = False) -> None:
        """Say how the session ends, if it does at this moment. AB-END-1 to AB-END-3."""
        if self.over:
            return
        table, reason = self.table, getattr(cause, "reason", "") or type(cause).__name__
        match moves.ending(table, self.ruleset.play, round_ends=round_ends):
            case moves.VICTORY:
                self.say(SessionWon(session=self.id, round=table.round, cause=reason))
            case moves.DEFEAT:
                self.say(SessionLost(session=self.id, round=table.round, cause=reason))

    def advance(self, by: int, reason: str, cause: str) -> None:
        """The opposing faction's token moves forward. AB-PWR-1, AB-PWR-3."""
        step = moves.advance(self.table, by)
        self.say(
            PowerTokenAdvanced(
                session=self.id,
                round=self.table.round,
                from_space=step.start,
                to_space=step.end,
                reason=reason,
                cause=cause,
            )
        )

    def retreat(self, by: int, cause: str, reason: str = "extra_goal") -> None:
        """The token moves back as far as there is room. AB-PWR-1, AB-GOAL-3, AB-GOAL-5, AB-AMB-3."""
        step = moves.retreat(self.table, by, self.ruleset.play)
        if step is None:
            step = moves.TokenMove(self.table.position, self.table.position)
        self.say(
            PowerTokenRetreated(
                session=self.id,
                round=self.table.round,
                from_space=step.start,
                to_space=step.end,
                reason=reason,
                cause=cause,
            )
        )


def seated(state: Tournament, session: str) -> SeatedTable:
    """A table that pairing seated. Raises SessionUnknown."""
    found = SEATING.of(state).table(session)
    if found is None or not found.survivors:
        fault = Fault("/session", session, expects("table-of-sessions"))
        raise SessionUnknown(f"No session has the id {session}.", [fault])
    return found


def playing(state: Tournament, session: str, context: Context) -> SessionBuilder:
    """A session that is being played, for somebody of the table or the staff.

    Raises SessionUnknown, NotYourTable, SessionNotBegun, SessionEnded.
    """
    running(state)
    of_table(context.by, seated(state, session))
    builder = SessionBuilder(state, session, context)
    if session not in SESSIONS.of(state).sessions:
        raise SessionNotBegun(f"{session} is not set up; nothing can have happened.", clause="AB-SET-8")
    refuse_ended(builder.session)
    return builder


def of_table(by: By, table: SeatedTable) -> str:
    """The survivor who speaks, empty for staff. Raises NotYourTable."""
    if by.staff:
        return ""
    if by.player and by.player in table.survivors:
        return by.player
    raise NotYourTable(f"{table.session} is the table of {', '.join(table.survivors)}.")


def refuse_ended(session: Session) -> None:
    """Raises SessionEnded with what ended it. AB-END-3, AB-PWR-4."""
    ended = session.ended
    if ended is None:
        return
    raise SessionEnded(
        f"{session.session} ended in {ended.outcome} ({ended.cause}); only a correction is accepted.",
        outcome=ended.outcome,
        event=ended.type,
        position=ended.position,
        time=ended.time,
        cause=ended.cause,
        clause="AB-END-3",
    )


def survivor_at(table: Table, survivor: str, where: str, clause: str) -> str:
    """A survivor of the table. Raises MoveImpossible."""
    if survivor not in table.survivors:
        fault = Fault(where, survivor, one_of(list(table.survivors)), clause)
        raise MoveImpossible(f"{survivor} does not sit at this table.", [fault])
    return survivor


def set_up(state: Tournament, command: SetUpSession, context: Context) -> Sequence[Event]:
    """Lay a table out, whole or not at all. AB-SET-1 to AB-SET-8, AB-OPS-1, AB-AMB-19."""
    running(state)
    seat = seated(state, command.session)
    of_table(context.by, seat)
    known = SESSIONS.of(state).sessions.get(command.session)
    if known is not None:
        refuse_ended(known)
        raise SessionAlreadySetUp(f"{command.session} is set up already.", status=known.status)
    ruleset, data = coop_of(state.entries), operator_data(state)
    if data is None:
        fault = Fault("/scenario", command.scenario or "nothing", expects("data-of-game"), "AB-OPS-1")
        raise SetUpRefused("The operator has not entered the data of the game.", [fault])
    scenario = command.scenario or seat.scenario
    loyal = command.loyal_faction or seat.loyal_faction
    side = data.side(scenario, loyal)
    faults = [*_faction(command, seat, ruleset, data, scenario, loyal), *_people(command, seat, ruleset, data)]
    faults += [*_side(side, loyal), *_goals(command.goals, ruleset, data)]
    if faults or side is None:
        raise SetUpRefused("The table cannot be set up like this.", faults)
    builder = SessionBuilder(state, command.session, context)
    id = command.session
    builder.say(
        events.SessionSetUpStarted(
            session=id,
            scenario=scenario,
            survivors=list(seat.survivors),
            host=seat.host,
            data_version=len(COOP.of(state).data),
        )
    )
    _lay_side(builder, side)
    goals = command.goals
    if goals is None:
        goals = draw_goals(context.draws, id, builder.table, list(data.goals), ruleset.kit.goals_revealed)
    builder.say(events.GoalsRevealed(session=id, goals=goals))
    for _ in range(ruleset.kit.camp_tokens_at_start):
        builder.say(events.CampTokenPlaced(session=id, space=ruleset.kit.camp_start_space, from_supply=True))
    builder.say(events.MutationsDealt(session=id, cards=len(seat.survivors)))
    builder.say(events.FirstPlayerChosen(session=id, player=command.first_player))
    builder.say(events.SessionStarted(session=id))
    builder.say(events.RoundBegan(session=id, round=1))
    return builder.events


def _lay_side(builder: SessionBuilder, side: Side) -> None:
    """The sheet, loyal side up, and the token of the opposing faction on the topmost space. AB-SET-2, AB-SET-3."""
    builder.say(
        events.LoyalFactionChosen(
            session=builder.id,
            loyal=side.loyal_faction or "",
            opposing=side.opposing_faction or "",
            loyal_icon=side.loyal_icon or "",
            opposing_icon=side.opposing_icon or "",
            required_goals=side.required_goals or 0,
            conditions=list(side.further_victory_conditions),
        )
    )
    builder.say(
        events.PowerTokenPlaced(
            session=builder.id, faction=side.opposing_faction or "", spaces=side.power_track_spaces or 0
        )
    )


def _faction(
    command: SetUpSession,
    seat: SeatedTable,
    ruleset: CoopRuleset,
    data: OperatorData,
    scenario: str,
    loyal: str,
) -> Iterator[Fault]:
    """The scenario and the loyal faction: as the organiser assigned them, else as the table chooses. AB-SET-2."""
    if seat.scenario and command.scenario not in ("", seat.scenario):
        yield Fault("/scenario", command.scenario, expects("assigned-or-nothing", value=seat.scenario), "AB-SVC-1")
    if seat.loyal_faction and command.loyal_faction not in ("", seat.loyal_faction):
        right = expects("assigned-or-nothing", value=seat.loyal_faction)
        yield Fault("/loyal_faction", command.loyal_faction, right, "AB-AMB-19")
    elif ruleset.play.loyal_choice == "organiser" and not seat.loyal_faction:
        assigned = expects("assigned-faction")
        right = or_option(assigned, ruleset, "/play/loyal_choice", lambda chooser: chooser == "table")
        yield Fault("/loyal_faction", command.loyal_faction or "nothing", right, "AB-AMB-19")
    sheet = next((one for one in data.scenarios if one.scenario_id == scenario), None)
    if sheet is None:
        right = one_of([one.scenario_id for one in data.scenarios])
        yield Fault("/scenario", scenario or "nothing", right, "AB-SET-8")
    elif data.side(scenario, loyal) is None:
        factions = [side.loyal_faction for side in sheet.sides if side.loyal_faction]
        right = one_of(factions) if factions else expects("side-with-faction")
        yield Fault("/loyal_faction", loyal or "nothing", right, "AB-SET-2")


def _people(command: SetUpSession, seat: SeatedTable, ruleset: CoopRuleset, data: OperatorData) -> Iterator[Fault]:
    if command.first_player not in seat.survivors:
        yield Fault("/first_player", command.first_player, one_of(list(seat.survivors)), "AB-SET-8")
    size = data.table
    if not size.survivors_min <= len(seat.survivors) <= size.survivors_max:
        right = expects("survivors-of-table", least=size.survivors_min, most=size.survivors_max)
        yield Fault("/session", f"{len(seat.survivors)}", right, "AB-SET-8")
    cards = ruleset.kit.mutation_cards
    if cards and len(seat.survivors) > cards:
        right = expects("survivors-with-mutations", most=cards)
        yield Fault("/session", f"{len(seat.survivors)}", right, "AB-SET-7")


def _side(side: Side | None, loyal: str) -> Iterator[Fault]:
    for name in missing_values(side) if side else ():
        yield Fault("/loyal_faction", loyal or "nothing", expects("side-with-data", name=name), "AB-OPS-1")


def _goals(goals: Sequence[str] | None, ruleset: CoopRuleset, data: OperatorData) -> Iterator[Fault]:
    """Exactly four different goals of the deck. AB-SET-5."""
    if goals is None:
        return
    if len(goals) != ruleset.kit.goals_revealed:
        right = expects("goals-revealed", count=ruleset.kit.goals_revealed)
        yield Fault("/goals", f"{len(goals)}", right, "AB-SET-5")
    for index, goal in enumerate(goals):
        if goal not in data.goals:
            yield Fault(f"/goals/{index}", goal, one_of(list(data.goals)), "AB-SET-5")
        elif goal in goals[:index]:
            yield Fault(f"/goals/{index}", goal, expects("each-card-once"), "AB-SET-5")


def end(state: Tournament, command: EndSession, context: Context) -> Sequence[Event]:
    """The organiser ends a session: time ran out, or the table left; their word binds. AB-END-4, AB-AMB-15."""
    builder = _set_up(state, command.session, context)
    refuse_ended(builder.session)
    if command.outcome == "unfinished":
        _refuse_early(builder)
        builder.say(events.SessionLeftUnfinished(session=command.session, reason=command.reason))
    else:
        builder.say(events.SessionAbandoned(session=command.session, reason=command.reason))
    builder.say(events.SessionConfirmed(session=command.session, ruling=True, binds=True))
    return builder.events


def report(state: Tournament, command: ReportSession, context: Context) -> Sequence[Event]:
    """A whole session at once, where the event takes no moves; whoever reports agrees. AB-REP-1, AB-REP-2."""
    builder = _set_up(state, command.session, context)
    survivor = of_table(context.by, seated(state, command.session))
    if builder.ruleset.play.detail != "summary":
        detail = (
            "This event takes every move as it happens, and no reports without the option ab.report.detail=summary."
        )
        raise OtherDetail(detail, clause="AB-REP-1")
    if builder.session.binds:
        raise SessionSettled(
            f"The result of {command.session} counts already.", outcome=session_totals(builder.session).outcome
        )
    told = _told(builder, command.told)
    if told.outcome in ("unfinished", "abandoned") and context.by.role not in HEAD_REFEREE_UP:
        fault = Fault("/told/outcome", told.outcome, expects("played-outcome"), "AB-END-4")
        raise MoveImpossible("Only the organiser ends a session before its end.", [fault])
    builder.say(events.SessionReported(session=command.session, told=told, survivor=survivor))
    _agree(builder, survivor, context.by)
    return builder.events


def confirm(state: Tournament, command: ConfirmSession, context: Context) -> Sequence[Event]:
    """Somebody of the table agrees with how it ended, or the organiser rules that it did. AB-REP-3."""
    builder = _set_up(state, command.session, context)
    table = seated(state, command.session)
    survivor = of_table(context.by, table)
    session = builder.session
    if session.ended is None:
        raise SessionNotEnded(f"{command.session} is still being played.", part=session.table.part)
    if not survivor and context.by.role not in HEAD_REFEREE_UP and context.by.actor != session.host:
        raise NotYourTable(
            f"Only the organiser, the host {session.host} and the survivors can confirm {command.session}."
        )
    if session.binds or (survivor and survivor in session.confirmed):
        return []
    _agree(builder, survivor, context.by)
    return builder.events


def correct(state: Tournament, command: CorrectSession, context: Context) -> Sequence[Event]:
    """The organiser replaces a result, at any time; published rankings follow, the seating of later rounds stands."""
    builder = _set_up(state, command.session, context)
    session = builder.session
    if session.ended is None:
        raise SessionNotEnded(f"{command.session} is still being played.", part=session.table.part)
    told = _told(builder, command.told)
    if session.binds and told == session_totals(session):
        return []
    builder.say(events.SessionCorrected(session=command.session, told=told, reason=command.reason))
    table = seated(state, command.session)
    later = [number for number in sorted(SESSIONS.of(state).published) if number >= table.round]
    made_anew = (ranking_pages(ranking_after(state, number, [builder.session])) for number in later)
    return [*builder.events, *(page for pages in made_anew for page in pages)]


def publish(state: Tournament, command: PublishRanking, context: Context) -> Sequence[Event]:
    """The ranking after a round of sessions, once every one of them binds. AB-RNK-1 to AB-RNK-8."""
    running(state)
    if command.round not in SEATING.of(state).rounds:
        raise guards.RoundUnknown(f"Round {command.round} of sessions is not open.", round=command.round)
    waiting = open_sessions(state, command.round)
    if waiting:
        raise SessionsOpen(f"Round {command.round} is not over; open sessions: {len(waiting)}.", sessions=waiting)
    ranking = ranking_after(state, command.round)
    known = SESSIONS.of(state).published.get(command.round)
    if known is not None and (known.tables, known.survivors) == (ranking.tables, ranking.survivors):
        return []
    return ranking_pages(ranking)


def conclude(state: Tournament, command: Conclude, context: Context) -> Sequence[Event]:
    """The end of a co-operative event: nobody alone has won, the last ranking stands."""
    if state.results.concluded:
        return []
    running(state)
    latest = SEATING.of(state).latest()
    if latest is None or not latest.closed:
        number = latest.number if latest else 1
        raise guards.RoundNotClosed(f"Round {number} of sessions is not closed.", round=number)
    planned = state.entries.rounds
    early = planned is None or latest.number < planned
    if planned is not None and early and not command.reason:
        raise guards.RoundsRemain(
            f"{latest.number} of {planned} rounds are closed; say in `reason` why it ends here.",
            planned=planned,
            closed=latest.number,
        )
    published = publish(state, PublishRanking(round=latest.number), context)
    return [
        *published,
        TournamentConcluded(winner="", rounds=latest.number, reason=command.reason if early else ""),
    ]


def _set_up(state: Tournament, session: str, context: Context) -> SessionBuilder:
    """A session whose table is set up. Raises SessionUnknown, SessionNotBegun."""
    running(state, concluded_too=True)
    seated(state, session)
    if session not in SESSIONS.of(state).sessions:
        raise SessionNotBegun(f"{session} is not set up.", clause="AB-SET-8")
    return SessionBuilder(state, session, context)


def _agree(builder: SessionBuilder, survivor: str, by: By) -> None:
    """One more word for the result; with the last that is needed it binds."""
    session = builder.session
    ruling = by.role in HEAD_REFEREE_UP
    host = session.host in (survivor, by.actor) and not ruling
    voices = {*session.confirmed, *([survivor] if survivor else [])}
    enough = has_agreement(len(voices), len(session.table.survivors), host or session.host_agreed)
    builder.say(
        events.SessionConfirmed(session=builder.id, survivor=survivor, host=host, ruling=ruling, binds=ruling or enough)
    )


def _told(builder: SessionBuilder, told: Summary) -> events.SessionTold:
    """A report that can be. Raises MoveImpossible with every fault and its clause."""
    faults = faults_of_summary(told, builder.table, builder.ruleset)
    if not faults:
        return events.SessionTold(
            outcome=told.outcome,
            rounds=told.rounds,
            completed=told.completed,
            kills=told.kills,
            cards=told.cards,
            others=told.others,
            position=told.position,
            back=told.back,
        )
    placed = [structs.replace(fault, where=f"/told{fault.where}") for fault in faults]
    raise MoveImpossible("The session cannot have gone like this.", placed)


def _refuse_early(builder: SessionBuilder) -> None:
    """Raises TimeRemains before the time of a session is over, where it has one."""
    limit = builder.ruleset.play.time_limit_minutes
    began, now = (datetime.fromisoformat(time) for time in (builder.session.started_at, builder.context.now))
    minutes = int((now - began).total_seconds() // 60)
    if limit and minutes < limit:
        raise TimeRemains(
            f"{builder.id} has {limit - minutes} of {limit} minutes left.",
            minutes_played=minutes,
            limit=limit,
            clause="AB-AMB-15",
        )


class SessionUnknown(Refusal):
    """No table is seated for a session of this id."""

    code = "session-unknown"


class NotYourTable(Refusal):
    """Survivors speak of their own table only."""

    code = "not-your-table"


class SetUpRefused(Refusal):
    """The table cannot be laid out like this; faults name every one."""

    code = "set-up-refused"


class SessionAlreadySetUp(Refusal):
    """The table lies already; data: `status`."""

    code = "session-set-up"


class SessionNotBegun(Refusal):
    """The table is not set up, and nothing can have happened at it."""

    code = "session-not-begun"


class SessionEnded(Refusal):
    """The session is over, and only corrected; data: `outcome`, `event`, `position`, `time`, `cause`."""

    code = "session-ended"


class SessionNotEnded(Refusal):
    """The session goes on, and this comes after its end."""

    code = "session-not-ended"


class SessionSettled(Refusal):
    """The result of the session binds; it is corrected, not reported."""

    code = "session-settled"


class MoveImpossible(Refusal):
    """What is said cannot have happened at this table; faults name the clause."""

    code = "impossible-move"


class OtherDetail(Refusal):
    """The event takes moves, or reports of whole sessions, and this is the other."""

    code = "other-detail"


class TimeRemains(Refusal):
    """The session has time left; data: `minutes_played`, `limit`."""

    code = "time-remains"


class SessionsOpen(Refusal):
    """Sessions of the round lack a result that binds; data: `sessions`."""

    code = "sessions-open"
