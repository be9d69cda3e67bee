"""Every split of points that a game can end with, for the formulas of `board_facts`. FF-RES-1."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product

from shared.formats.swiss.rules.game_parts import BoardFormula

Points = tuple[int, int]


def any_split(board: BoardFormula) -> None:
    """Nothing is known of what a game can end with."""


def _sums(rounds: Iterable[frozenset[Points]]) -> frozenset[Points]:
    """Every sum of one split out of each round."""
    sums = {(0, 0)}
    for splits in rounds:
        sums = {(a + c, b + d) for (a, b), (c, d) in product(sums, splits)}
    return frozenset(sums)


@cache
def _of_most(worth: int, tokens: tuple[int, ...]) -> frozenset[Points]:
    def split(one: int, two: int) -> Points:
        return worth * ((one > 0) + (one > two)), worth * ((two > 0) + (two > one))

    return _sums(
        frozenset(split(one, two) for one in range(most + 1) for two in range(most + 1 - one)) for most in tokens
    )


def splits_of_most_claims(board: BoardFormula) -> frozenset[Points]:
    """What games end with where the more claims of a game round count. Source: FF-AMB-27."""
    return _of_most(board.worth, tuple(board.tokens_in(number) for number in board.scoring_rounds))


@cache
def _of_each(worth: int, tokens: int) -> frozenset[Points]:
    return frozenset((worth * one, worth * two) for one in range(tokens + 1) for two in range(tokens + 1 - one))


def splits_of_tokens_held(board: BoardFormula) -> frozenset[Points]:
    """What games end with where tokens held at the end count. Source: FF-RES-1."""
    return _of_each(board.worth, board.tokens[0])


def splits_of_each_claim(board: BoardFormula) -> frozenset[Points]:
    """What games end with where each claim counts. Source: FF-SCN-4."""
    return _of_each(board.worth, sum(board.tokens_in(number) for number in board.scoring_rounds))


@cache
def _of_race(worth: int, tie: int, zero_tie: int, scoring: int) -> frozenset[Points]:
    """A game may end after any game round; only the winner of the last one may take all tokens left."""
    ordinary = frozenset({(worth, 0), (0, worth), (tie, tie), (zero_tie, zero_tie)})
    last = ordinary | {(2 * worth, 0), (0, 2 * worth)}
    early = [_sums([ordinary] * begun) for begun in range(scoring)]
    return _sums([*[ordinary] * (scoring - 1), last]).union(*early)


def splits_of_claims_race(board: BoardFormula) -> frozenset[Points]:
    """What games end with where the more claims count, and all at the end again. Source: FF-AMB-17."""
    return _of_race(board.worth, board.tie, board.zero_tie, len(board.scoring_rounds))
