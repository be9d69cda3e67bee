"""Games of a Swiss tournament as rows of results.csv, as `muster standings` takes it."""

from __future__ import annotations

from typing import cast

from msgspec import structs

from shared.rules.model import Facts, FactsKind, Game, PairingKind, Score
from shared.swiss.games import facts_of, results_row
from shared.tournament.games import is_settled
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament

UNSCORED = Score("draw")
"""A row says nothing of the score: the ruleset makes it of the facts, again."""


def results_file_row(state: Tournament, round: int, seat: Seat) -> dict[str, object]:
    """The row of a game; one without a binding result has no points: it is still being played."""
    result = state.results.results.get(seat.game)
    facts = Facts(kind=cast(FactsKind, seat.kind))
    if seat.kind != "bye" and result is not None and is_settled(state, seat):
        facts = facts_of(result.facts)
    if not facts.scenario:
        facts = structs.replace(facts, scenario=state.rounds.rounds[round].scenario)
    kind, two = cast(PairingKind, seat.kind), seat.player_2 or None
    row = results_row(Game(round, seat.table or None, kind, seat.player_1, two, facts, UNSCORED))
    for side, player in ((1, seat.player_1), (2, seat.player_2)):
        for coin in state.results.coins.get(round, ()):
            if player in coin.order:
                row[f"coins_{side}"] = len(coin.order) - 1 - coin.order.index(player)
    return row
