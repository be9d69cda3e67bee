"""Standings that are published on purpose: the decisions that record and show those that are held back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.scoring.tournament.commands import CancelStandingsPublication, PublishDueStandings, PublishStandings
from services.scoring.tournament.refusals import RoundNotClosed, StandingsAlreadyPublished
from services.scoring.tournament.rounds import pages_of
from services.scoring.tournament.state import running
from shared.events.base import Event
from shared.formats.swiss.places import standings_held_back
from shared.tournament.context import Context
from shared.tournament.events.scoring import StandingsPublicationScheduled, StandingsPublished
from shared.tournament.publication import STANDINGS
from shared.tournament.results import Recorded
from shared.tournament.state import Tournament
from shared.tournament.times import PublicationNotDue, is_due, time_to_come


def holds_back(state: Tournament) -> bool:
    """Return True if the standings of a round that is closed now are held back."""
    return STANDINGS in state.entries.on_purpose and not state.results.concluded


def publish(state: Tournament, command: PublishStandings, context: Context) -> Sequence[Event]:
    """Record and show the standings of every closed round; or set the time at which that happens.

    Raises RoundNotClosed, StandingsAlreadyPublished, PublicationPast.
    """
    _need_held_back(state)
    if command.at is None:
        return _published(state)
    at = time_to_come(command.at, context.now)
    if at == state.results.publish_at:
        return []
    return [StandingsPublicationScheduled(round=state.results.rounds_closed(), at=at, draft=True)]


def cancel(state: Tournament, command: CancelStandingsPublication, context: Context) -> Sequence[Event]:
    """Set no time any more. Raises RoundNotClosed, StandingsAlreadyPublished."""
    _need_held_back(state)
    results = state.results
    return [StandingsPublicationScheduled(round=results.rounds_closed(), draft=True)] if results.publish_at else []


def publish_due(state: Tournament, command: PublishDueStandings, context: Context) -> Sequence[Event]:
    """Record and show standings whose time has come, by the event that set it.

    Raises RoundNotClosed, StandingsAlreadyPublished, PublicationNotDue.
    """
    _need_held_back(state)
    results = state.results
    if not is_due(results.publish_at, results.scheduled, context.by.cause, context.now):
        raise PublicationNotDue("The standings are not due to be published.")
    return _published(state)


def _need_held_back(state: Tournament) -> None:
    """Raises RoundNotClosed, StandingsAlreadyPublished where no standings are held back."""
    running(state)
    last = state.results.rounds_closed()
    if not last:
        raise RoundNotClosed("No round is closed yet.", round=1)
    if not state.results.held_back:
        raise StandingsAlreadyPublished(f"The standings after round {last} are published.", round=last)


def _published(state: Tournament) -> list[Event]:
    return recorded(standings_held_back(state))


def recorded(held_back: Mapping[int, Recorded]) -> list[Event]:
    """Return the events that record and show standings that were held back; none where none were."""
    pages = [page for standings in held_back.values() for page in pages_of(standings)]
    return [*pages, StandingsPublished(round=max(held_back))] if held_back else []
