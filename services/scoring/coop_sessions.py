"""Decisions about how sessions ended: ended by the organiser, reported as a whole, confirmed, corrected, ranked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import structs

from services.scoring.coop import commands
from services.scoring.coop.table import SessionBuilder, of_table, refuse_ended, seated
from services.scoring.tournament import refusals
from services.scoring.tournament.commands import Conclude
from services.scoring.tournament.state import running
from shared.coop import events
from shared.coop.seating import SEATING
from shared.coop.sessions import SESSIONS, open_sessions, ranking_after, ranking_pages, told_of
from shared.coop.table import Summary, agreed, faults_of_summary
from shared.log.event import Event
from shared.refusals import Fault, expects
from shared.roles import HEAD_REFEREE_UP
from shared.tournament.guards import By, Context
from shared.tournament.results import TournamentConcluded
from shared.tournament.state import Tournament


def end(state: Tournament, command: commands.EndSession, context: Context) -> Sequence[Event]:
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


def report(state: Tournament, command: commands.ReportSession, context: Context) -> Sequence[Event]:
    """A whole session at once, where the event takes no moves; whoever reports agrees. AB-REP-1, AB-REP-2."""
    builder = _set_up(state, command.session, context)
    survivor = of_table(context.by, seated(state, command.session))
    if builder.ruleset.play.detail != "summary":
        detail = (
            "This event takes every move as it happens, and no reports without the option ab.report.detail=summary."
        )
        raise refusals.OtherDetail(detail, clause="AB-REP-1")
    if builder.session.binds:
        raise refusals.SessionSettled(
            f"The result of {command.session} counts already.", outcome=told_of(builder.session).outcome
        )
    told = _told(builder, command.told)
    if told.outcome in ("unfinished", "abandoned") and context.by.role not in HEAD_REFEREE_UP:
        fault = Fault("/told/outcome", told.outcome, expects("played-outcome"), "AB-END-4")
        raise refusals.MoveImpossible("Only the organiser ends a session before its end.", [fault])
    builder.say(events.SessionReported(session=command.session, told=told, survivor=survivor))
    _agree(builder, survivor, context.by)
    return builder.events


def confirm(state: Tournament, command: commands.ConfirmSession, context: Context) -> Sequence[Event]:
    """Somebody of the table agrees with how it ended, or the organiser rules that it did. AB-REP-3."""
    builder = _set_up(state, command.session, context)
    table = seated(state, command.session)
    survivor = of_table(context.by, table)
    session = builder.session
    if session.ended is None:
        raise refusals.SessionNotEnded(f"{command.session} is still being played.", part=session.table.part)
    if not survivor and context.by.role not in HEAD_REFEREE_UP and context.by.actor != session.host:
        raise refusals.NotYourTable(
            f"Only the organiser, the host {session.host} and the survivors can confirm {command.session}."
        )
    if session.binds or (survivor and survivor in session.confirmed):
        return []
    _agree(builder, survivor, context.by)
    return builder.events


def correct(state: Tournament, command: commands.CorrectSession, context: Context) -> Sequence[Event]:
    """The organiser replaces a result, at any time; published rankings follow, the seating of later rounds stands."""
    builder = _set_up(state, command.session, context)
    session = builder.session
    if session.ended is None:
        raise refusals.SessionNotEnded(f"{command.session} is still being played.", part=session.table.part)
    told = _told(builder, command.told)
    if session.binds and told == told_of(session):
        return []
    builder.say(events.SessionCorrected(session=command.session, told=told, reason=command.reason))
    table = seated(state, command.session)
    later = [number for number in sorted(SESSIONS.of(state).published) if number >= table.round]
    made_anew = (ranking_pages(ranking_after(state, number, [builder.session])) for number in later)
    return [*builder.events, *(page for pages in made_anew for page in pages)]


def publish(state: Tournament, command: commands.PublishRanking, context: Context) -> Sequence[Event]:
    """The ranking after a round of sessions, once every one of them binds. AB-RNK-1 to AB-RNK-8."""
    running(state)
    if command.round not in SEATING.of(state).rounds:
        raise refusals.RoundUnknown(f"Round {command.round} of sessions is not open.", round=command.round)
    waiting = open_sessions(state, command.round)
    if waiting:
        raise refusals.SessionsOpen(
            f"Round {command.round} is not over; open sessions: {len(waiting)}.", sessions=waiting
        )
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
        raise refusals.RoundNotClosed(f"Round {number} of sessions is not closed.", round=number)
    planned = state.entries.rounds
    early = planned is None or latest.number < planned
    if planned is not None and early and not command.reason:
        raise refusals.RoundsRemain(
            f"{latest.number} of {planned} rounds are closed; say in `reason` why it ends here.",
            planned=planned,
            closed=latest.number,
        )
    published = publish(state, commands.PublishRanking(round=latest.number), context)
    return [
        *published,
        TournamentConcluded(winner="", rounds=latest.number, reason=command.reason if early else ""),
    ]


def _set_up(state: Tournament, session: str, context: Context) -> SessionBuilder:
    """A session whose table is set up. Raises SessionUnknown, SessionNotBegun."""
    running(state, concluded_too=True)
    seated(state, session)
    if session not in SESSIONS.of(state).sessions:
        raise refusals.SessionNotBegun(f"{session} is not set up.", clause="AB-SET-8")
    return SessionBuilder(state, session, context)


def _agree(builder: SessionBuilder, survivor: str, by: By) -> None:
    """One more word for the result; with the last that is needed it binds."""
    session = builder.session
    ruling = by.role in HEAD_REFEREE_UP
    host = session.host in (survivor, by.actor) and not ruling
    voices = {*session.confirmed, *([survivor] if survivor else [])}
    enough = agreed(len(voices), len(session.table.survivors), host or session.host_agreed)
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
    raise refusals.MoveImpossible("The session cannot have gone like this.", placed)


def _refuse_early(builder: SessionBuilder) -> None:
    """Raises TimeRemains before the time of a session is over, where it has one."""
    limit = builder.ruleset.play.time_limit_minutes
    began, now = (datetime.fromisoformat(time) for time in (builder.session.started_at, builder.context.now))
    minutes = int((now - began).total_seconds() // 60)
    if limit and minutes < limit:
        raise refusals.TimeRemains(
            f"{builder.id} has {limit - minutes} of {limit} minutes left.",
            minutes_played=minutes,
            limit=limit,
            clause="AB-AMB-15",
        )
