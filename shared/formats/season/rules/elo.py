"""Elo ratings: what a game is expected to end like, and what is learnt where it does not.

Source: Arpad E. Elo, The Rating of Chessplayers, Past and Present (1978); 400 points are odds of ten to one.

Source: SEA-RATE-2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from shared.rules.model import Outcome

_SCORES: Mapping[Outcome, Decimal] = {"win": Decimal(1), "draw": Decimal("0.5"), "loss": Decimal(0)}

_TEN = Decimal("2.302585092994045684017991454684364208")
"""The natural logarithm of ten."""


def expected(rating: Decimal, opponent: Decimal) -> Decimal:
    """The share of a point that a game brings on average, from 0 to 1."""
    return 1 / (1 + ((opponent - rating) * _TEN / 400).exp())


def after(rating: Decimal, games: Iterable[tuple[Decimal, Outcome]], k: int) -> Decimal:
    """The rating after games of one period. games: the opponent's rating before it, and the outcome."""
    return rating + k * sum((_SCORES[outcome] - expected(rating, other) for other, outcome in games), Decimal(0))
