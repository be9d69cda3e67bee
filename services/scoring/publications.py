"""Standings that are kept back and published at a time set."""

from __future__ import annotations

from services.scoring.tournament.commands import PublishDueStandings
from shared.application.publications import Publications, Waiting
from shared.tournament.events.scoring import StandingsPublicationScheduled
from shared.tournament.state import Tournament


def _waiting(state: Tournament) -> Waiting:
    results = state.results
    return Waiting(results.scheduled_after, results.publish_at, results.scheduled)


PUBLICATIONS = Publications(
    "scoring",
    {StandingsPublicationScheduled: lambda said: said.round},
    frozenset({"StandingsPublished"}),
    _waiting,
    lambda round: PublishDueStandings(),
)
