"""Decisions about when a round that was drafted is shown to everybody."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from services.pairing.tournament.commands import PublishRound
from services.pairing.tournament.refusals import OwnGame, RoundAlreadyPublished, RoundNotClosed, RoundNotPublished
from services.pairing.tournament.state import current_round
from shared.events.base import Event
from shared.rules.staff import SILENT
from shared.tournament.context import By, Context
from shared.tournament.events.pairing import RoundPublished
from shared.tournament.publication import ROUNDS
from shared.tournament.rounds import Round
from shared.tournament.ruleset import rules_of
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


def refuse_own_game(state: Tournament, by: By, round: Round, players: Collection[str]) -> None:
    """Staff who play change no draft of their own game where the ruleset leaves their games to others (AR-AMB-20).

    players: who sits in what changes, before or after. Raises OwnGame.
    """
    rules, member = rules_of(state.entries).staff or SILENT, state.entries.staff.get(by.actor)
    if not round.draft or rules.own_games or member is None or member.player not in players:
        return
    clause = rules.cites("own_games")
    raise OwnGame(f"{member.name} plays in what would change; another one of the staff changes it.", clause=clause)


def refuse_draft(round: Round) -> None:
    """Raises RoundNotPublished for a round that is still a draft."""
    if round.draft:
        raise RoundNotPublished(f"Round {round.number} is a draft; publish it first.", round=round.number)
