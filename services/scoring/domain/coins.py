"""Decisions about coins: staff flipped one for players whom nothing but a draw separates."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from services.scoring.domain import commands as ask
from services.scoring.domain.refusals import CoinNotOffered, LaterRoundPaired, NotTied, RoundNotClosed
from services.scoring.domain.rounds import standings_recorded
from services.scoring.domain.state import round_of, running
from shared.events import scoring as said
from shared.events.base import Event
from shared.handling.context import Context
from shared.refusals import Fault
from shared.state.places import standings_of_round
from shared.state.results import with_coin
from shared.state.ruleset import ruleset_of
from shared.state.tournament import Tournament


def enter(state: Tournament, command: ask.EnterCoin, context: Context) -> Sequence[Event]:
    """The order that a coin gave, while nothing was paired from the standings; they are recorded anew (FF-AMB-3)."""
    round = round_of(running(state), command.round)
    if not ruleset_of(state.entries).standings.by_hand:
        raise CoinNotOffered("This ruleset draws every tie; nobody flips a coin.")
    if round.number not in state.results.closed:
        raise RoundNotClosed(f"Round {round.number} is not closed; who is tied may change.", round=round.number)
    latest = state.rounds.latest()
    if latest is not None and latest.number > round.number:
        raise LaterRoundPaired(f"Round {latest.number} was paired from these standings.")
    recorded = state.results.recorded[round.number]
    groups = [draw.group for draw in standings_of_round(state, round.number, recorded.seed).draws]
    if tuple(sorted(command.order)) not in groups:
        tied = "; ".join(", ".join(group) for group in groups) or "nobody is tied"
        fault = Fault("/order", ", ".join(command.order), f"all players of a tied group, each once: {tied}", "FF-AMB-3")
        raise NotTied(f"These are not the players of a tie after round {round.number}.", [fault])
    entered = said.CoinEntered(round=round.number, order=command.order, reason=command.reason)
    after = replace(state, results=replace(state.results, coins=with_coin(state.results.coins, entered)))
    return [entered, *standings_recorded(standings_of_round(after, round.number, context.seed), context.seed)]
