"""Decisions about coins: staff flipped one for players whom nothing but a draw separates."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from services.scoring.swiss.rounds import standings_recorded
from services.scoring.tournament.commands import EnterCoin
from services.scoring.tournament.refusals import CoinNotOffered, LaterRoundPaired, NotTied, RoundNotClosed
from services.scoring.tournament.state import round_of, running
from shared.events.base import Event
from shared.formats.swiss.places import standings_of_round
from shared.formats.swiss.ruleset import ruleset_of
from shared.refusals import Fault
from shared.tournament.context import Context
from shared.tournament.events.scoring import CoinEntered
from shared.tournament.results import with_coin
from shared.tournament.state import Tournament


def enter(state: Tournament, command: EnterCoin, context: Context) -> Sequence[Event]:
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
    entered = CoinEntered(round=round.number, order=command.order, reason=command.reason)
    after = replace(state, results=replace(state.results, coins=with_coin(state.results.coins, entered)))
    return [entered, *standings_recorded(standings_of_round(after, round.number, context.seed), context.seed)]
