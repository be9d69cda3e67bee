"""Ranks after each round as a picture: where its points and words stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

WIDTH, HEIGHT = 380, 130
LEFT, RIGHT, TOP, BOTTOM = 66, 330, 15, 105


@dataclass(frozen=True, slots=True)
class Point:
    """A rank after a round, and its place in the picture."""

    round: int
    rank: int
    x: int
    y: int


def points_of(ranks: Mapping[int, int], players: int) -> list[Point]:
    """ranks: round -> rank. The first place is on top, the last of so many players at the bottom."""
    rounds = sorted(ranks)
    across = (RIGHT - LEFT) / max(1, len(rounds) - 1)
    down = (BOTTOM - TOP) / max(1, players - 1)
    return [
        Point(number, ranks[number], round(LEFT + place * across), round(TOP + (ranks[number] - 1) * down))
        for place, number in enumerate(rounds)
    ]
