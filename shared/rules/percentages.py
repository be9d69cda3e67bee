"""Percentages of what was possible, of a player and of those the player met: the tiebreakers of collectible cards.

Source: Magic: The Gathering Tournament Rules, appendix C. All are exact fractions, 1/2 and not 50.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from shared.rules.criteria import Criterion
from shared.rules.model import Value
from shared.rules.records import Played, Records, Shares


def match_win(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Points of the value `of`, divided by `full` (the most a round can bring) for every round played, byes too.

    Never less than `floor` in all.
    """
    return lambda player: _raised(
        [Fraction(played.values.get(rule.of, 0), rule.full * len(records[player])) for played in records[player]], rule
    )


def game_win(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """Game points, divided by `full` for every game played inside the rounds.

    of: the value that counts the games won; the other side's says how many were lost. drawn: the value that counts
    drawn games, worth 1 each (empty: there are none). A bye's games count as the ruleset's bye says. Never less than
    `floor` in all.
    """

    def shares(player: str) -> list[Value]:
        possible = rule.full * sum(_games(played, rule) for played in records[player]) or 1
        return _raised([Fraction(_game_points(played, rule), possible) for played in records[player]], rule)

    return shares


def opponents_match_win(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The mean of the opponents' `match_win`, none below `floor`; byes have no opponent and are left out."""
    return _of_opponents(records, rule, match_win(records, group, rule))


def opponents_game_win(records: Records, group: Collection[str], rule: Criterion) -> Shares:
    """The mean of the opponents' `game_win`, none below `floor`; byes have no opponent and are left out."""
    return _of_opponents(records, rule, game_win(records, group, rule))


def _of_opponents(records: Records, rule: Criterion, own: Shares) -> Shares:
    floor = Fraction(rule.floor)
    whole = {player: max(floor, Fraction(sum(own(player)))) for player in records}

    def shares(player: str) -> list[Value]:
        count = sum(played.opponent is not None for played in records[player])
        return [0 if played.opponent is None else Fraction(whole[played.opponent], count) for played in records[player]]

    return shares


def _raised(shares: list[Value], rule: Criterion) -> list[Value]:
    """The shares of a player who has less than `floor` in all, each raised by as much, so that they add up to it."""
    missing = Fraction(rule.floor) - sum(shares)
    return [share + Fraction(missing, len(shares)) for share in shares] if shares and missing > 0 else shares


def _games(played: Played, rule: Criterion) -> int:
    return played.values.get(rule.of, 0) + played.against.get(rule.of, 0) + played.values.get(rule.drawn, 0)


def _game_points(played: Played, rule: Criterion) -> int:
    return rule.full * played.values.get(rule.of, 0) + played.values.get(rule.drawn, 0)
