"""Drafts of pairing that are published at a time set: a round, or the cut. They never wait at the same time."""

from __future__ import annotations

from services.pairing.tournament.commands import PublishDueCut, PublishDueRound
from shared.application.publications import Publications, Waiting
from shared.shapes import Command
from shared.tournament.events.pairing import CutPublicationScheduled, PublicationScheduled
from shared.tournament.state import Tournament

THE_CUT = 0
"""In place of a round."""


def _waiting(state: Tournament) -> Waiting | None:
    rounds = state.rounds
    if rounds.cut_publish_at:
        return Waiting(THE_CUT, rounds.cut_publish_at, rounds.cut_scheduled)
    latest = rounds.latest()
    return Waiting(latest.number, latest.publish_at, latest.scheduled) if latest else None


def _command(round: int) -> Command:
    return PublishDueCut() if round == THE_CUT else PublishDueRound(round=round)


PUBLICATIONS = Publications(
    "pairing",
    {PublicationScheduled: lambda said: said.round, CutPublicationScheduled: lambda said: THE_CUT},
    frozenset({"RoundPublished", "RoundWithdrawn", "CutMade", "CutPublished"}),
    _waiting,
    _command,
)
