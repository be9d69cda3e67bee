"""Sessions of a co-operative event: set up, end, report, confirm, correct, rank."""

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
from shared.log.event import Event, actor_json
from shared.refusals import Fault, Refusal, expects, one_of
from shared.roles import HEAD_REFEREE_UP
from shared.rules.parts import or_option
from shared.shapes import Command, Id, Name, Reason, Size
from shared.tournament.guards import By, Context, recorded_actor
from shared.tournament.results import TournamentConcluded
from shared.tournament.state import Tournament


class SetUpSession(Command, frozen=True, kw_only=True):
    """Set up a session.

    scenario, loyal_faction: empty if the organiser assigned them. goals: the revealed goals; null: the service draws
    them. again: replace a set-up; possible while nothing but the set-up is recorded.
    """

    session: Id
    first_player: Id
    scenario: Id = ""
    loyal_faction: Annotated[str, Name()] = ""
    goals: Annotated[list[Id] | None, Size(MOST_GOALS)] = None
    again: bool = False


class EndSession(Command, frozen=True, kw_only=True):
    """End a session. outcome: `unfinished` if time ran out, `abandoned` if the players left."""

    session: Id
    outcome: Literal["unfinished", "abandoned"]
    reason: Reason


class ReportSession(Command, frozen=True, kw_only=True):
    """Report a complete session. told: the session in numbers."""

    session: Id
    told: Summary


class ConfirmSession(Command, frozen=True, kw_only=True):
    """Confirm the result of a session."""

    session: Id


class CorrectSession(Command, frozen=True, kw_only=True):
    """Correct the result of a session. told: the correct numbers. reason: public."""

    session: Id
    told: Summary
    reason: Reason


class PublishRanking(Command, frozen=True, kw_only=True):
    """Publish the ranking of a round of sessions."""

    round: int


class Row(NamedTuple):
    """Position, time and actor for folding an event that is not yet appended."""

    position: int
    time: str
    actor: str
    command_id: str = ""
    command: str = ""


class SessionBuilder:
    """The events of a decision about a session, and the resulting session.

    sequence: check for the end after each event.
    """

    def __init__(self, state: Tournament, session: str, context: Context) -> None:
        self.events: list[SessionEvent] = []
        self.id = session
        self.context = context
        self._actor = actor_json(recorded_actor(state, context.by))
        self.ruleset: CoopRuleset = coop_of(state.entries)
        self.sequence = self.ruleset.play.tie == "sequence"
        self._sessions = Sessions()
        self.state = state
        current = SESSIONS.of(state).sessions.get(session)
        if current is not None:
            self._sessions.sessions[session] = msgspec.msgpack.decode(msgspec.msgpack.encode(current), type=Session)

    def fork(self, context: Context) -> SessionBuilder:
        """Return a builder without events for the session as it is so far."""
        copy = SessionBuilder(self.state, self.id, context)
        copy._sessions.sessions[self.id] = msgspec.msgpack.decode(msgspec.msgpack.encode(self.session), type=Session)
        return copy

    @property
    def session(self) -> Session:
        return self._sessions.sessions[self.id]

    @property
    def table(self) -> Table:
        return self.session.table

    @property
    def side(self) -> Side:
        return side_of(self.state, self.session)

    @property
    def data(self) -> OperatorData:
        data = operator_data(self.state, self.session.data_version)
        assert data is not None  # nothing is set up without data
        return data

    @property
    def has_ended(self) -> bool:
        return self.session.ended is not None

    def record(self, event: SessionEvent) -> None:
        """Add an event. If the ruleset checks after each event, this may also end the session (AB-SVC-3)."""
        self.apply(event)
        if self.sequence and self.session.status == PLAYING and not self.has_ended:
            self.end_if_due(event)

    def apply(self, event: SessionEvent) -> None:
        """Add an event without checking for the end."""
        position = self.context.heads[self.context.source].position + len(self.events) + 1
        row = Row(position, self.context.now, self._actor)
        EVOLVE[type(event)](self._sessions, event, row)
        self.events.append(event)

    def end_if_due(self, cause: SessionEvent, *, round_ends: bool = False) -> None:
        """Add the end of the session if it is due (AB-END-1 to AB-END-3)."""
        if self.has_ended:
            return
        table, reason = self.table, getattr(cause, "reason", "") or type(cause).__name__
        match moves.ending(table, self.ruleset.play, round_ends=round_ends):
            case moves.VICTORY:
                self.record(SessionWon(session=self.id, round=table.round, cause=reason))
            case moves.DEFEAT:
                self.record(SessionLost(session=self.id, round=table.round, cause=reason))

    def advance(self, by: int, reason: str, cause: str) -> None:
        """Move the power token forward (AB-PWR-1, AB-PWR-3)."""
        step = moves.advance(self.table, by)
        self.record(
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
        """Move the power token back as far as possible (AB-PWR-1, AB-GOAL-3, AB-GOAL-5, AB-AMB-3)."""
        step = moves.retreat(self.table, by, self.ruleset.play)
        if step is None:
            step = moves.TokenMove(self.table.position, self.table.position)
        self.record(
            PowerTokenRetreated(
                session=self.id,
                round=self.table.round,
                from_space=step.start,
                to_space=step.end,
                reason=reason,
                cause=cause,
            )
        )


def table_of_session(state: Tournament, session: str) -> SeatedTable:
    """Return the table of a session. Raises SessionUnknown."""
    table = SEATING.of(state).table(session)
    if table is None or not table.survivors:
        fault = Fault("/session", session, expects("table-of-sessions"))
        raise SessionUnknown(f"No session has the id {session}.", [fault])
    return table


def running_session(state: Tournament, session: str, context: Context) -> SessionBuilder:
    """Return a builder for a running session, for its players or staff.

    Raises SessionUnknown, NotYourTable, SessionNotBegun, SessionEnded.
    """
    running(state)
    require_own_table(context.by, table_of_session(state, session))
    builder = SessionBuilder(state, session, context)
    if session not in SESSIONS.of(state).sessions:
        raise SessionNotBegun(f"{session} is not set up; nothing can have happened.", clause="AB-SET-8")
    refuse_ended_session(builder.session)
    return builder


def require_own_table(by: By, table: SeatedTable) -> str:
    """Return the calling survivor, or an empty string for staff. Raises NotYourTable."""
    if by.staff:
        return ""
    if by.player and by.player in table.survivors:
        return by.player
    raise NotYourTable(f"{table.session} is the table of {', '.join(table.survivors)}.")


def refuse_ended_session(session: Session) -> None:
    """Raise SessionEnded if the session has ended (AB-END-3, AB-PWR-4)."""
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


def require_survivor(table: Table, survivor: str, where: str, clause: str) -> str:
    """Return a survivor of the table. Raises MoveImpossible."""
    if survivor not in table.survivors:
        fault = Fault(where, survivor, one_of(list(table.survivors)), clause)
        raise MoveImpossible(f"{survivor} does not sit at this table.", [fault])
    return survivor


def set_up(state: Tournament, command: SetUpSession, context: Context) -> Sequence[Event]:
    """Decide SetUpSession (AB-SET-1 to AB-SET-8, AB-OPS-1, AB-AMB-19).

    Raises SessionUnknown, NotYourTable, SessionEnded, SessionAlreadySetUp, and SetUpRefused with every fault.
    """
    running(state)
    seat = table_of_session(state, command.session)
    require_own_table(context.by, seat)
    current = SESSIONS.of(state).sessions.get(command.session)
    if current is not None:
        refuse_ended_session(current)
        if not command.again:
            raise SessionAlreadySetUp(f"{command.session} is set up already.", status=current.status)
        if len(current.said.statements) > 1:
            detail = f"{command.session} is being played; take back its moves before you set it up anew."
            raise SessionAlreadySetUp(detail, status=current.status)
    ruleset, data = coop_of(state.entries), operator_data(state)
    if data is None:
        fault = Fault("/scenario", command.scenario or "nothing", expects("data-of-game"), "AB-OPS-1")
        raise SetUpRefused("The operator has not entered the data of the game.", [fault])
    scenario = command.scenario or seat.scenario
    loyal = command.loyal_faction or seat.loyal_faction
    side = data.side(scenario, loyal)
    faults = [
        *_faults_of_faction(command, seat, ruleset, data, scenario, loyal),
        *_faults_of_players(command, seat, ruleset, data),
    ]
    faults += [*_faults_of_side(side, loyal), *_faults_of_goals(command.goals, ruleset, data)]
    if faults or side is None:
        raise SetUpRefused("The table cannot be set up like this.", faults)
    builder = SessionBuilder(state, command.session, context)
    id = command.session
    builder.record(
        events.SessionSetUpStarted(
            session=id,
            scenario=scenario,
            survivors=list(seat.survivors),
            host=seat.host,
            data_version=len(COOP.of(state).data),
        )
    )
    _record_side(builder, side)
    goals = command.goals
    if goals is None:
        goals = draw_goals(context.draws, id, builder.table, list(data.goals), ruleset.kit.goals_revealed)
    builder.record(events.GoalsRevealed(session=id, goals=goals))
    for _ in range(ruleset.kit.camp_tokens_at_start):
        builder.record(events.CampTokenPlaced(session=id, space=ruleset.kit.camp_start_space, from_supply=True))
    builder.record(events.MutationsDealt(session=id, cards=len(seat.survivors)))
    builder.record(events.FirstPlayerChosen(session=id, player=command.first_player))
    builder.record(events.SessionStarted(session=id))
    builder.record(events.RoundBegan(session=id, round=1))
    return builder.events


def _record_side(builder: SessionBuilder, side: Side) -> None:
    """Record the side of the scenario sheet, and the power token on the topmost space (AB-SET-2, AB-SET-3)."""
    builder.record(
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
    builder.record(
        events.PowerTokenPlaced(
            session=builder.id, faction=side.opposing_faction or "", spaces=side.power_track_spaces or 0
        )
    )


def _faults_of_faction(
    command: SetUpSession,
    seat: SeatedTable,
    ruleset: CoopRuleset,
    data: OperatorData,
    scenario: str,
    loyal: str,
) -> Iterator[Fault]:
    """Yield faults of scenario and loyal faction: assigned by the organiser, or chosen by the table (AB-SET-2)."""
    if seat.scenario and command.scenario not in ("", seat.scenario):
        yield Fault("/scenario", command.scenario, expects("assigned-or-nothing", value=seat.scenario), "AB-SVC-1")
    if seat.loyal_faction and command.loyal_faction not in ("", seat.loyal_faction):
        expected = expects("assigned-or-nothing", value=seat.loyal_faction)
        yield Fault("/loyal_faction", command.loyal_faction, expected, "AB-AMB-19")
    elif ruleset.play.loyal_choice == "organiser" and not seat.loyal_faction:
        assigned = expects("assigned-faction")
        expected = or_option(assigned, ruleset, "/play/loyal_choice", lambda chooser: chooser == "table")
        yield Fault("/loyal_faction", command.loyal_faction or "nothing", expected, "AB-AMB-19")
    sheet = next((candidate for candidate in data.scenarios if candidate.scenario_id == scenario), None)
    if sheet is None:
        expected = one_of([candidate.scenario_id for candidate in data.scenarios])
        yield Fault("/scenario", scenario or "nothing", expected, "AB-SET-8")
    elif data.side(scenario, loyal) is None:
        factions = [side.loyal_faction for side in sheet.sides if side.loyal_faction]
        expected = one_of(factions) if factions else expects("side-with-faction")
        yield Fault("/loyal_faction", loyal or "nothing", expected, "AB-SET-2")


def _faults_of_players(
    command: SetUpSession, seat: SeatedTable, ruleset: CoopRuleset, data: OperatorData
) -> Iterator[Fault]:
    if command.first_player not in seat.survivors:
        yield Fault("/first_player", command.first_player, one_of(list(seat.survivors)), "AB-SET-8")
    size = data.table
    if not size.survivors_min <= len(seat.survivors) <= size.survivors_max:
        expected = expects("survivors-of-table", least=size.survivors_min, most=size.survivors_max)
        yield Fault("/session", f"{len(seat.survivors)}", expected, "AB-SET-8")
    cards = ruleset.kit.mutation_cards
    if cards and len(seat.survivors) > cards:
        expected = expects("survivors-with-mutations", most=cards)
        yield Fault("/session", f"{len(seat.survivors)}", expected, "AB-SET-7")


def _faults_of_side(side: Side | None, loyal: str) -> Iterator[Fault]:
    for name in missing_values(side) if side else ():
        yield Fault("/loyal_faction", loyal or "nothing", expects("side-with-data", name=name), "AB-OPS-1")


def _faults_of_goals(goals: Sequence[str] | None, ruleset: CoopRuleset, data: OperatorData) -> Iterator[Fault]:
    """Yield faults unless these are the right number of different goals of the deck (AB-SET-5)."""
    if goals is None:
        return
    if len(goals) != ruleset.kit.goals_revealed:
        expected = expects("goals-revealed", count=ruleset.kit.goals_revealed)
        yield Fault("/goals", f"{len(goals)}", expected, "AB-SET-5")
    for index, goal in enumerate(goals):
        if goal not in data.goals:
            yield Fault(f"/goals/{index}", goal, one_of(list(data.goals)), "AB-SET-5")
        elif goal in goals[:index]:
            yield Fault(f"/goals/{index}", goal, expects("each-card-once"), "AB-SET-5")


def end(state: Tournament, command: EndSession, context: Context) -> Sequence[Event]:
    """Decide EndSession; the result binds immediately (AB-END-4, AB-AMB-15).

    Raises SessionUnknown, SessionNotBegun, SessionEnded, TimeRemains.
    """
    return end_session(begun_session(state, command.session, context), command)


def end_session(builder: SessionBuilder, command: EndSession) -> list[SessionEvent]:
    """Return the events that end a session. Raises SessionEnded, TimeRemains."""
    refuse_ended_session(builder.session)
    if command.outcome == "unfinished":
        _require_time_over(builder)
        builder.record(events.SessionLeftUnfinished(session=command.session, reason=command.reason))
    else:
        builder.record(events.SessionAbandoned(session=command.session, reason=command.reason))
    builder.record(events.SessionConfirmed(session=command.session, ruling=True, binds=True))
    return builder.events


def report(state: Tournament, command: ReportSession, context: Context) -> Sequence[Event]:
    """Decide ReportSession, which also confirms on behalf of the reporter (AB-REP-1, AB-REP-2).

    Raises SessionUnknown, NotYourTable, SessionNotBegun, OtherDetail, SessionSettled, MoveImpossible.
    """
    builder = begun_session(state, command.session, context)
    survivor = require_own_table(context.by, table_of_session(state, command.session))
    if builder.ruleset.play.detail != "summary":
        detail = (
            "This event takes every move as it happens, and no reports without the option ab.report.detail=summary."
        )
        raise OtherDetail(detail, clause="AB-REP-1")
    if builder.session.binds:
        raise SessionSettled(
            f"The result of {command.session} counts already.", outcome=session_totals(builder.session).outcome
        )
    summary = _validated_report(builder, command.told)
    if summary.outcome in ("unfinished", "abandoned") and context.by.role not in HEAD_REFEREE_UP:
        fault = Fault("/told/outcome", summary.outcome, expects("played-outcome"), "AB-END-4")
        raise MoveImpossible("Only the organiser ends a session before its end.", [fault])
    builder.record(events.SessionReported(session=command.session, told=summary, survivor=survivor))
    _add_confirmation(builder, survivor, context.by)
    return builder.events


def confirm(state: Tournament, command: ConfirmSession, context: Context) -> Sequence[Event]:
    """Decide ConfirmSession (AB-REP-3).

    Raises SessionUnknown, NotYourTable, SessionNotBegun, SessionNotEnded.
    """
    return confirm_session(begun_session(state, command.session, context), command)


def confirm_session(builder: SessionBuilder, command: ConfirmSession) -> list[SessionEvent]:
    """Return the confirmation of a session. Raises NotYourTable, SessionNotEnded."""
    context = builder.context
    survivor = require_own_table(context.by, table_of_session(builder.state, command.session))
    session = builder.session
    if session.ended is None:
        raise SessionNotEnded(f"{command.session} is still being played.", part=session.table.part)
    if not survivor and context.by.role not in HEAD_REFEREE_UP and context.by.actor != session.host:
        raise NotYourTable(
            f"Only the organiser, the host {session.host} and the survivors can confirm {command.session}."
        )
    if session.binds or (survivor and survivor in session.confirmed):
        return []
    _add_confirmation(builder, survivor, context.by)
    return builder.events


def correct(state: Tournament, command: CorrectSession, context: Context) -> Sequence[Event]:
    """Decide CorrectSession. Published rankings are published again; the seating of later rounds stays.

    Raises SessionUnknown, SessionNotBegun, SessionNotEnded, MoveImpossible.
    """
    builder = begun_session(state, command.session, context)
    session = builder.session
    if session.ended is None:
        raise SessionNotEnded(f"{command.session} is still being played.", part=session.table.part)
    summary = _validated_report(builder, command.told)
    if session.binds and summary == session_totals(session):
        return []
    builder.record(events.SessionCorrected(session=command.session, told=summary, reason=command.reason))
    table = table_of_session(state, command.session)
    later = [number for number in sorted(SESSIONS.of(state).published) if number >= table.round]
    rankings = (ranking_pages(ranking_after(state, number, [builder.session])) for number in later)
    return [*builder.events, *(page for pages in rankings for page in pages)]


def publish(state: Tournament, command: PublishRanking, context: Context) -> Sequence[Event]:
    """Decide PublishRanking (AB-RNK-1 to AB-RNK-8). Raises RoundUnknown, SessionsOpen."""
    running(state)
    if command.round not in SEATING.of(state).rounds:
        raise guards.RoundUnknown(f"Round {command.round} of sessions is not open.", round=command.round)
    waiting = open_sessions(state, command.round)
    if waiting:
        raise SessionsOpen(f"Round {command.round} is not over; open sessions: {len(waiting)}.", sessions=waiting)
    ranking = ranking_after(state, command.round)
    published = SESSIONS.of(state).published.get(command.round)
    if published is not None and (published.tables, published.survivors) == (ranking.tables, ranking.survivors):
        return []
    return ranking_pages(ranking)


def conclude(state: Tournament, command: Conclude, context: Context) -> Sequence[Event]:
    """Decide Conclude. A co-operative event has no winner; the last ranking is final.

    Raises RoundNotClosed, RoundsRemain, SessionsOpen.
    """
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


def begun_session(state: Tournament, session: str, context: Context) -> SessionBuilder:
    """Return a builder for a session that is set up. Raises SessionUnknown, SessionNotBegun."""
    running(state, concluded_too=True)
    table_of_session(state, session)
    if session not in SESSIONS.of(state).sessions:
        raise SessionNotBegun(f"{session} is not set up.", clause="AB-SET-8")
    return SessionBuilder(state, session, context)


def _add_confirmation(builder: SessionBuilder, survivor: str, by: By) -> None:
    """Add a confirmation. The result binds with the last one that is required."""
    session = builder.session
    ruling = by.role in HEAD_REFEREE_UP
    host = session.host in (survivor, by.actor) and not ruling
    confirmers = {*session.confirmed, *([survivor] if survivor else [])}
    is_agreed = has_agreement(len(confirmers), len(session.table.survivors), host or session.host_agreed)
    builder.record(
        events.SessionConfirmed(
            session=builder.id, survivor=survivor, host=host, ruling=ruling, binds=ruling or is_agreed
        )
    )


def _validated_report(builder: SessionBuilder, summary: Summary) -> events.SessionTold:
    """Return a validated report. Raises MoveImpossible with every fault and its clause."""
    faults = faults_of_summary(summary, builder.table, builder.ruleset)
    if not faults:
        return events.SessionTold(
            outcome=summary.outcome,
            rounds=summary.rounds,
            completed=summary.completed,
            kills=summary.kills,
            cards=summary.cards,
            others=summary.others,
            position=summary.position,
            back=summary.back,
        )
    placed = [structs.replace(fault, where=f"/told{fault.where}") for fault in faults]
    raise MoveImpossible("The session cannot have gone like this.", placed)


def _require_time_over(builder: SessionBuilder) -> None:
    """Raise TimeRemains if the session has a time limit that is not over."""
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
    """No session with players has this id."""

    code = "session-unknown"


class NotYourTable(Refusal):
    """The caller does not play in this session."""

    code = "not-your-table"


class SetUpRefused(Refusal):
    """The session cannot be set up like this; the faults name every reason."""

    code = "set-up-refused"


class SessionAlreadySetUp(Refusal):
    """The session is already set up; data: `status`."""

    code = "session-set-up"


class SessionNotBegun(Refusal):
    """The session is not set up."""

    code = "session-not-begun"


class SessionEnded(Refusal):
    """The session has ended; data: `outcome`, `event`, `position`, `time`, `cause`."""

    code = "session-ended"


class SessionNotEnded(Refusal):
    """The session has not ended; data: `part`."""

    code = "session-not-ended"


class SessionSettled(Refusal):
    """The result of the session binds. Correct it instead; data: `outcome`."""

    code = "session-settled"


class MoveImpossible(Refusal):
    """The move or report is impossible; the faults name the clauses."""

    code = "impossible-move"


class OtherDetail(Refusal):
    """The event tracks sessions in the other way: by moves, or by reports."""

    code = "other-detail"


class TimeRemains(Refusal):
    """The session has time left; data: `minutes_played`, `limit`."""

    code = "time-remains"


class SessionsOpen(Refusal):
    """Sessions of the round have no binding result; data: `sessions`."""

    code = "sessions-open"
