"""Decisions about how sessions ended: ended by the organiser, reported as a whole, confirmed, corrected, ranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from services.scoring.domain import commands as ask
from services.scoring.domain.coop_table import ORGANISERS, Telling, of_table, refuse_ended, seated
from services.scoring.domain.refusals import (
    MoveImpossible,
    NotYourTable,
    OtherDetail,
    RoundNotClosed,
    RoundsRemain,
    RoundUnknown,
    SessionNotBegun,
    SessionNotEnded,
    SessionSettled,
    SessionsOpen,
    TimeRemains,
)
from services.scoring.domain.state import running
from shared.events import coop_scoring as said
from shared.events.base import Event
from shared.events.scoring import TournamentConcluded
from shared.handling.context import By, Context
from shared.refusals import Fault
from shared.rules.coop.summary import Summary, agreed, faults_of_summary
from shared.rules.shape import faults_of_shape
from shared.state.coop import open_sessions, ranking_after, ranking_pages, told_of
from shared.state.tournament import Tournament


def end(state: Tournament, command: ask.EndSession, context: Context) -> Sequence[Event]:
    """The organiser ends a session: time ran out, or the table left; their word binds. AB-END-4, AB-AMB-15."""
    telling = _set_up(state, command.session, context)
    refuse_ended(telling.session)
    if command.outcome == "unfinished":
        _refuse_early(telling)
        telling.say(said.SessionLeftUnfinished(session=command.session, reason=command.reason))
    else:
        telling.say(said.SessionAbandoned(session=command.session, reason=command.reason))
    telling.say(said.SessionConfirmed(session=command.session, ruling=True, binds=True))
    return telling.events


def report(state: Tournament, command: ask.ReportSession, context: Context) -> Sequence[Event]:
    """A whole session at once, where the event takes no moves; whoever reports agrees. AB-REP-1, AB-REP-2."""
    telling = _set_up(state, command.session, context)
    survivor = of_table(context.by, seated(state, command.session))
    if telling.ruleset.play.detail != "summary":
        detail = (
            "This event takes every move as it happens, and no reports without the option ab.report.detail=summary."
        )
        raise OtherDetail(detail, clause="AB-REP-1")
    if telling.session.binds:
        raise SessionSettled(f"The result of {command.session} binds.", outcome=told_of(telling.session).outcome)
    told = _told(telling, command.told)
    if told.outcome in ("unfinished", "abandoned") and context.by.role not in ORGANISERS:
        fault = Fault("/told/outcome", told.outcome, "victory or defeat; the organiser ends it otherwise", "AB-END-4")
        raise MoveImpossible("Only the organiser ends a session before its end.", [fault])
    telling.say(said.SessionReported(session=command.session, told=told, survivor=survivor))
    _agree(telling, survivor, context.by)
    return telling.events


def confirm(state: Tournament, command: ask.ConfirmSession, context: Context) -> Sequence[Event]:
    """Somebody of the table agrees with how it ended, or the organiser rules that it did. AB-REP-3."""
    telling = _set_up(state, command.session, context)
    table = seated(state, command.session)
    survivor = of_table(context.by, table)
    session = telling.session
    if session.ended is None:
        raise SessionNotEnded(f"{command.session} is being played.", part=session.table.part)
    if not survivor and context.by.role not in ORGANISERS and context.by.actor != session.host:
        raise NotYourTable(f"The organiser, the host {session.host} and the survivors confirm {command.session}.")
    if session.binds or (survivor and survivor in session.confirmed):
        return []
    _agree(telling, survivor, context.by)
    return telling.events


def correct(state: Tournament, command: ask.CorrectSession, context: Context) -> Sequence[Event]:
    """The organiser replaces a result, at any time; published rankings follow, the seating of later rounds stands."""
    telling = _set_up(state, command.session, context)
    session = telling.session
    if session.ended is None:
        raise SessionNotEnded(f"{command.session} is being played.", part=session.table.part)
    told = _told(telling, command.told)
    if session.binds and told == told_of(session):
        return []
    telling.say(said.SessionCorrected(session=command.session, told=told, reason=command.reason))
    table = seated(state, command.session)
    later = [number for number in sorted(state.sessions.published) if number >= table.round]
    made_anew = (ranking_pages(ranking_after(state, number, [telling.session])) for number in later)
    return [*telling.events, *(page for pages in made_anew for page in pages)]


def publish(state: Tournament, command: ask.PublishRanking, context: Context) -> Sequence[Event]:
    """The ranking after a round of sessions, once every one of them binds. AB-RNK-1 to AB-RNK-8."""
    running(state)
    if command.round not in state.seating.rounds:
        raise RoundUnknown(f"Round {command.round} of sessions is not open.", round=command.round)
    waiting = open_sessions(state, command.round)
    if waiting:
        raise SessionsOpen(f"{len(waiting)} sessions of round {command.round} are open.", sessions=waiting)
    ranking = ranking_after(state, command.round)
    known = state.sessions.published.get(command.round)
    if known is not None and (known.tables, known.survivors) == (ranking.tables, ranking.survivors):
        return []
    return ranking_pages(ranking)


def conclude(state: Tournament, command: ask.Conclude, context: Context) -> Sequence[Event]:
    """The end of a co-operative event: nobody alone has won, the last ranking stands."""
    if state.results.concluded:
        return []
    running(state)
    latest = state.seating.latest()
    if latest is None or not latest.closed:
        number = latest.number if latest else 1
        raise RoundNotClosed(f"Round {number} of sessions is not closed.", round=number)
    planned = state.entries.rounds
    early = planned is None or latest.number < planned
    if planned is not None and early and not command.early:
        raise RoundsRemain(
            f"{latest.number} of {planned} rounds are closed; say in `early` why it ends here.",
            planned=planned,
            closed=latest.number,
        )
    published = publish(state, ask.PublishRanking(round=latest.number), context)
    return [
        *published,
        TournamentConcluded(winner="", rounds=latest.number, early=command.early if early else ""),
    ]


def _set_up(state: Tournament, session: str, context: Context) -> Telling:
    """A session whose table is set up. Raises SessionUnknown, SessionNotBegun."""
    running(state, concluded_too=True)
    seated(state, session)
    if session not in state.sessions.sessions:
        raise SessionNotBegun(f"{session} is not set up.", clause="AB-SET-8")
    return Telling(state, session, context)


def _agree(telling: Telling, survivor: str, by: By) -> None:
    """One more word for the result; with the last that is needed it binds."""
    session = telling.session
    ruling = by.role in ORGANISERS
    host = session.host in (survivor, by.actor) and not ruling
    voices = {*session.confirmed, *([survivor] if survivor else [])}
    enough = agreed(len(voices), len(session.table.survivors), host or session.host_agreed)
    telling.say(
        said.SessionConfirmed(session=telling.id, survivor=survivor, host=host, ruling=ruling, binds=ruling or enough)
    )


def _told(telling: Telling, told: Mapping[str, Any]) -> said.SessionTold:
    """A report that can be. Raises MoveImpossible with every fault and its clause."""
    faults = faults_of_shape(dict(told), Summary)
    if not faults:
        summary = msgspec.convert(dict(told), Summary)
        faults = faults_of_summary(summary, telling.table, telling.ruleset)
        if not faults:
            return msgspec.convert(msgspec.to_builtins(summary), said.SessionTold)
    placed = [msgspec.structs.replace(fault, where=f"/told{fault.where}") for fault in faults]
    raise MoveImpossible("The session cannot have gone like this.", placed)


def _refuse_early(telling: Telling) -> None:
    """Raises TimeRemains before the time of a session is over, where it has one."""
    limit = telling.ruleset.play.time_limit_minutes
    began, now = (datetime.fromisoformat(time) for time in (telling.session.started_at, telling.context.now))
    minutes = int((now - began).total_seconds() // 60)
    if limit and minutes < limit:
        raise TimeRemains(
            f"{telling.id} has {limit - minutes} of {limit} minutes left.",
            minutes_played=minutes,
            limit=limit,
            clause="AB-AMB-15",
        )
