"""The columns `coins_1` and `coins_2` of results.csv: how often a coin fell for a player whom nothing else separates.

A value stands in the row of the round after which the coin was flipped. Of the players of a tie the one with most comes
first: 1 and 0 of two, 2, 1 and 0 of three.
"""

from __future__ import annotations

from collections.abc import Sequence

from muster.cli.offline.extra_column import against_spare
from muster.cli.offline.input_files import Row, whole
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.rules.standings import PURPOSE, rank
from shared.refusals import Fault
from shared.rules.model import Draw, Entrant, Game

SIDES = (1, 2)


class CoinColumns:
    """What the two columns told, by round and player, and where each value stands."""

    def __init__(self) -> None:
        self._told: dict[int, dict[str, tuple[int, Row, str]]] = {}

    def read(self, row: Row, round: int, faults: list[Fault]) -> None:
        """Take the values of a row; what is no whole number is added to `faults`."""
        for side in SIDES:
            column = f"coins_{side}"
            value = whole(row, column, 0, faults)
            player = row[f"player_{side}"]
            if value is None:
                continue
            if not player or (side == 2 and against_spare(row)):
                faults.append(row.fault(column, f"{value}", "nothing: nobody of the standings is on this side"))
            else:
                self._told.setdefault(round, {})[player] = (value, row, column)

    def draws(
        self,
        ruleset: Ruleset,
        entrants: Sequence[Entrant],
        games: Sequence[Game],
        being_played: int,
        faults: list[Fault],
    ) -> list[Draw]:
        """The orders that the coins gave, one for each tie; what does not fit a tie is added to `faults`.

        being_played: the round that is still being played, 0 for none. Source: FF-AMB-3; the ruleset's
        `standings.by_hand`.
        """
        draws: list[Draw] = []
        for round in sorted(self._told):
            told = self._told[round]
            _, first_row, first_column = next(iter(told.values()))
            if not ruleset.standings.by_hand:
                clause = ruleset.standings.cites("unresolved")
                faults.append(first_row.fault(first_column, "a coin", f"nothing: {ruleset.id} draws every tie", clause))
                continue
            if round == being_played:
                expected = "no coin while the round is being played: who is tied may change"
                faults.append(first_row.fault(first_column, "a coin", expected, ruleset.standings.cites("by_hand")))
                continue
            tied = rank(ruleset, entrants, games, round=round, seed="", coins=draws).draws
            draws += self._of_round(ruleset, round, [draw.group for draw in tied], faults)
        return draws

    def _of_round(
        self, ruleset: Ruleset, round: int, groups: Sequence[tuple[str, ...]], faults: list[Fault]
    ) -> list[Draw]:
        told, clause = self._told[round], ruleset.standings.cites("by_hand")
        group_of = {player: group for group in groups for player in group}
        draws: list[Draw] = []
        for player, (value, row, column) in told.items():
            group = group_of.get(player, ())
            values = [told[other][0] for other in group if other in told]
            if not group:
                said = f"a coin of {player}, whom nobody is tied with after round {round}"
                faults.append(row.fault(column, said, "a value for each player of a tie", clause))
            elif len(values) < len(group) or len(set(values)) < len(values):
                expected = f"another number for each of {', '.join(group)}, who are tied"
                faults.append(row.fault(column, f"{value} for {player}", expected, clause))
            elif player == group[0]:
                order = sorted(group, key=lambda other: -told[other][0])
                draws.append(Draw(PURPOSE, round, "", group, tuple(order)))
        return draws
