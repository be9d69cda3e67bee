"""The values that standings are made of. None of them calls standings: the records and the group are handed in.

| name             | value                                             | clauses            | done |
|------------------|---------------------------------------------------|--------------------|------|
| `total`          | sum of a value over all rounds                    | AR-TB-1, AR-TB-2   | yes  |
| `wins`           | rounds won, byes included                         | FF-TB-3            | yes  |
| `schedule_sum`   | sum of what the opponents have in all             | AR-TB-3            | yes  |
| `schedule_mean`  | mean over rounds of the opponents' own means      | AR-TB-4, AR-AMB-4  | yes  |
| `head_to_head`   | wins against the others of the tied group         | no shipped ruleset | yes  |
| recorded draw    | order of the tied group; made by `standings`      | AR-AMB-15          | yes  |
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction

from shared.rules.model import Value
from shared.rules.records import Records, totals

Tiebreaker = Callable[[Records, Collection[str], str], Mapping[str, Value]]
"""(records of all, the group to value, the name of the value to make it of) -> value of each in the group."""


def total(records: Records, group: Collection[str], of: str) -> dict[str, Value]:
    """The sum of one value over all rounds."""
    return {player: sum(played.values.get(of, 0) for played in records[player]) for player in group}


def wins(records: Records, group: Collection[str], of: str) -> dict[str, Value]:
    """The number of rounds won; a bye that is a win counts."""
    return {player: sum(played.outcome == "win" for played in records[player]) for player in group}


def schedule_sum(records: Records, group: Collection[str], of: str) -> dict[str, Value]:
    """The sum of the totals of every opponent a player has met; 0 for a player who has met nobody."""
    whole = totals(records, of)
    return {
        player: sum(whole[played.opponent] for played in records[player] if played.opponent is not None)
        for player in group
    }


def schedule_mean(records: Records, group: Collection[str], of: str) -> dict[str, Value]:
    """The sum of every opponent's total per round played, per round the player has played; exact fractions.

    A bye is a round played in both counts; the rounds of a dropped player stop at the drop. No rounds: 0.
    """
    whole = totals(records, of)

    def mean(player: str) -> Value:
        rounds = records[player]
        met = [played.opponent for played in rounds if played.opponent is not None]
        return sum((Fraction(whole[other], len(records[other])) for other in met), Fraction()) / (len(rounds) or 1)

    return {player: mean(player) for player in group}


def head_to_head(records: Records, group: Collection[str], of: str) -> dict[str, Value]:
    """The number of games won against the other players of the group."""
    return {
        player: sum(played.outcome == "win" and played.opponent in group for played in records[player])
        for player in group
    }
