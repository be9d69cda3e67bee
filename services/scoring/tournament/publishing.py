"""Standings that are published on purpose: whether they are kept back, and the decisions that show them."""

from __future__ import annotations

from collections.abc import Sequence

from services.scoring.tournament.commands import CancelStandingsPublication, PublishDueStandings, PublishStandings
from services.scoring.tournament.refusals import RoundNotClosed, StandingsAlreadyPublished
from services.scoring.tournament.state import running
from shared.events.base import Event
from shared.tournament.context import Context
from shared.tournament.events.scoring import StandingsPublicationScheduled, StandingsPublished
from shared.tournament.publication import STANDINGS
from shared.tournament.state import Tournament
from shared.tournament.times import PublicationNotDue, is_due, time_to_come


def drafts_standings(state: Tournament, round: int) -> bool:
    """Whether standings of a round that are recorded now are drafts; what everybody has seen is recorded openly."""
    results = state.results
    if STANDINGS not in state.entries.on_purpose or results.concluded:
        return False
    known = results.recorded.get(round)
    return known is None or known.draft


def publish(state: Tournament, command: PublishStandings, context: Context) -> Sequence[Event]:
    """Show the standings of every closed round to everybody; or set the time at which that happens.

    Raises RoundNotClosed, StandingsAlreadyPublished, PublicationPast.
    """
    published = _drafts(state)
    if command.at is None:
        return published
    at = time_to_come(command.at, context.now)
    if at == state.results.publish_at:
        return []
    return [StandingsPublicationScheduled(round=state.results.rounds_closed(), at=at, draft=True)]


def cancel(state: Tournament, command: CancelStandingsPublication, context: Context) -> Sequence[Event]:
    """Set no time any more. Raises RoundNotClosed, StandingsAlreadyPublished."""
    _drafts(state)
    results = state.results
    return [StandingsPublicationScheduled(round=results.rounds_closed(), draft=True)] if results.publish_at else []


def publish_due(state: Tournament, command: PublishDueStandings, context: Context) -> Sequence[Event]:
    """Show standings to everybody whose time has come, by the event that set it.

    Raises RoundNotClosed, StandingsAlreadyPublished, PublicationNotDue.
    """
    published, results = _drafts(state), state.results
    if not is_due(results.publish_at, results.scheduled, context.by.cause, context.now):
        raise PublicationNotDue("The standings are not due to be published.")
    return published


def _drafts(state: Tournament) -> list[Event]:
    """What shows standings that are kept back. Raises RoundNotClosed, StandingsAlreadyPublished."""
    running(state)
    last = state.results.rounds_closed()
    if not last:
        raise RoundNotClosed("No round is closed yet.", round=1)
    published = published_at_last(state)
    if not published:
        raise StandingsAlreadyPublished(f"The standings after round {last} are published.", round=last)
    return published


def published_at_last(state: Tournament) -> list[Event]:
    """What shows all standings that are kept back; nothing where none are."""
    if not any(recorded.draft for recorded in state.results.recorded.values()):
        return []
    return [StandingsPublished(round=state.results.rounds_closed())]
