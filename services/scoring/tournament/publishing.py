"""Standings that are published on purpose: whether they are kept back, and the decision that shows them."""

from __future__ import annotations

from collections.abc import Sequence

from services.scoring.tournament.commands import PublishStandings
from services.scoring.tournament.refusals import RoundNotClosed, StandingsAlreadyPublished
from services.scoring.tournament.state import running
from shared.events.base import Event
from shared.tournament.context import Context
from shared.tournament.events.scoring import StandingsPublished
from shared.tournament.publication import STANDINGS
from shared.tournament.state import Tournament


def drafts_standings(state: Tournament, round: int) -> bool:
    """Whether standings of a round that are recorded now are drafts; what everybody has seen is recorded openly."""
    results = state.results
    if STANDINGS not in state.entries.on_purpose or results.concluded:
        return False
    known = results.recorded.get(round)
    return known is None or known.draft


def publish(state: Tournament, command: PublishStandings, context: Context) -> Sequence[Event]:
    """Show the standings of every closed round to everybody. Raises RoundNotClosed, StandingsAlreadyPublished."""
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
