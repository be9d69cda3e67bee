"""Rows of results.csv that say who was left over: a bye, or a game against the spare player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping

from services.console.csv_input import Row
from services.console.extra_column import against_spare
from shared.refusals import Fault
from shared.rules.model import Entrant
from shared.rules.ruleset import Ruleset


def faults_of_left_over(
    row: Row, round: int, known: Mapping[str, Entrant], ruleset: Ruleset, first: MutableMapping[tuple[int, str], int]
) -> Iterator[Fault]:
    """A second player left over in a round, of all or of a venue that is paired apart; a spare player who is paired.

    first: the row of the player left over, by round and venue; filled here.
    Source: FF-PAIR-4, FF-PAIR-5, FF-SPARE-1; the ruleset's `bye.one_a_round`.
    """
    kind, spare, bye = "spare" if against_spare(row) else row["kind"], row["player_2"], ruleset.bye
    if kind not in ("bye", "spare") or kind not in ruleset.result.kinds:
        return
    if kind == "spare" and ruleset.spare and spare in known and known[spare].status == "active":
        yield row.fault("player_2", f"{spare!r}, who is paired", "nobody of the players file", ruleset.spare.clause)
    venue = known[row["player_1"]].venue if row["player_1"] in known else ""
    if bye.one_a_round and (before := first.setdefault((round, venue), row.line)) != row.line:
        said = f"a second {'bye' if kind == 'bye' else 'player left over'} in round {round}"
        yield row.fault("kind", said, f"one for the odd player; the first is in row {before}", bye.cites("one_a_round"))
