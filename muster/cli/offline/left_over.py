"""Rows of results.csv that say who was left over: a bye, or a game against the spare player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from muster.cli.offline.csv_input import Row
from muster.cli.offline.extra_column import against_spare
from shared.formats.swiss.rules.given_byes import fault_of_number
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.refusals import Fault
from shared.rules.model import KINDS, Entrant


class LeftOver:
    """Who was left over in the rows of a file that were looked at so far."""

    def __init__(self, ruleset: Ruleset, known: Mapping[str, Entrant]) -> None:
        self._ruleset = ruleset
        self._known = known
        self._first: dict[tuple[int, str], int] = {}
        self._given: Counter[tuple[str, str]] = Counter()

    def faults(self, row: Row, round: int) -> Iterator[Fault]:
        """A second player left over in a round, a spare player who is paired, more byes than a player may have.

        Source: FF-PAIR-4, FF-PAIR-5, FF-SPARE-1; the ruleset's `bye.one_a_round` and `most` of its other byes.
        """
        if row["kind"] in KINDS:
            yield from self._one_too_many(row)
        kind = "spare" if against_spare(row) else row["kind"]
        if kind in ("bye", "spare") and kind in self._ruleset.result.kinds:
            yield from self._second(row, round, kind)

    def _second(self, row: Row, round: int, kind: str) -> Iterator[Fault]:
        """Of all, or of a venue that is paired apart."""
        ruleset, known, spare = self._ruleset, self._known, row["player_2"]
        if kind == "spare" and ruleset.spare and spare in known and known[spare].status == "active":
            yield row.fault("player_2", f"{spare!r}, who is paired", "nobody of the players file", ruleset.spare.clause)
        venue = known[row["player_1"]].venue if row["player_1"] in known else ""
        before = self._first.setdefault((round, venue), row.line)
        if ruleset.bye.one_a_round and before != row.line:
            said = f"a second {'bye' if kind == 'bye' else 'player left over'} in round {round}"
            expected = f"one for the odd player; the first is in row {before}"
            yield row.fault("kind", said, expected, ruleset.bye.cites("one_a_round"))

    def _one_too_many(self, row: Row) -> Iterator[Fault]:
        player, kind = row["player_1"], row["kind"]
        had = self._given[player, kind]
        if wrong := fault_of_number(self._ruleset, KINDS[kind], had, f"{kind} of {player!r}", "kind"):
            yield row.fault("kind", wrong.said, wrong.expected, wrong.clause)
        self._given[player, kind] += 1
