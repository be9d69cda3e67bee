"""Decisions about when a round that was drafted is shown to everybody."""

from __future__ import annotations

from collections.abc import Sequence

from services.pairing.tournament.commands import PublishRound
from services.pairing.tournament.refusals import RoundAlreadyPublished, RoundNotClosed, RoundNotPublished
from services.pairing.tournament.state import current_round
from shared.events.base import Event
from shared.tournament.context import Context
from shared.tournament.events.pairing import RoundPublished
from shared.tournament.publication import ROUNDS
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament


def drafts_rounds(state: Tournament) -> bool:
    """Whether a round that is paired now is a draft at first."""
    return ROUNDS in state.entries.on_purpose


def publish(state: Tournament, command: PublishRound, context: Context) -> Sequence[Event]:
    """Show a draft to everybody, as it stands.

    Raises as `current_round`, RoundAlreadyPublished, and RoundNotClosed where the round before was opened again.
    """
    round = current_round(state, command.round)
    if not round.draft:
        raise RoundAlreadyPublished(f"Round {round.number} is published.", round=round.number)
    before = round.number - 1
    if before and before not in state.results.closed:
        raise RoundNotClosed(
            f"Round {before} was opened again since round {round.number} was drafted.",
            round=before,
            games=state.open_games(before),
        )
    return [RoundPublished(round=round.number)]


def refuse_draft(round: Round) -> None:
    """Raises RoundNotPublished for a round that is still a draft."""
    if round.draft:
        raise RoundNotPublished(f"Round {round.number} is a draft; publish it first.", round=round.number)
