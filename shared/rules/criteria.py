"""The steps of a ranking as packs write them."""

from __future__ import annotations

from shared.rules.parts import Part


class Criterion(Part, frozen=True):
    """One step of the ranking, higher first. column: its name in standings; of: the value it is made of.

    lowest_first: the lower value is ahead. divisor: the value is shown and compared divided by this (points kept as
    halves: 2). cut_lowest, cut_highest: how many opponents are left out. full: the most points that one round, or one
    game of a match, can bring. drawn: the value that counts drawn games. floor: the least that a percentage
    counts for, a player's own or an opponent's, as a fraction (`1/3`).
    """

    column: str
    piece: str
    of: str = ""
    shown: bool = True
    active: bool = True
    lowest_first: bool = False
    divisor: int = 1
    cut_lowest: int = 0
    cut_highest: int = 0
    full: int = 0
    drawn: str = ""
    floor: str = "0"
