"""Pairing with paper sheets in the order of the standings: DW-PAIR-3, DW-PAIR-4, DW-AMB-8."""

from __future__ import annotations

from shared.rules.brackets import pair_in_groups
from shared.rules.matching import Groups, Met, Pair

PLACES = 2
"""How far down a sheet moves."""


def pair_moving_lower(groups: Groups, met: Met) -> list[Pair]:
    """The two sheets on top play; of two who have met, the lower sheet moves down, once for each opponent."""
    return _pair(groups, met, mover=1)


def pair_moving_higher(groups: Groups, met: Met) -> list[Pair]:
    """The two sheets on top play; of two who have met, the higher sheet moves down, once for each opponent."""
    return _pair(groups, met, mover=0)


def _pair(groups: Groups, met: Met, *, mover: int) -> list[Pair]:
    """mover: 0 or 1, which of the two sheets on top moves."""
    sheets = [player for group in groups for player in group]
    pairs: list[Pair] = []
    moved: set[Pair] = set()
    while sheets:
        first, second = sheets[:2]
        known = met.get(first, frozenset())
        if second in known:
            unknown = next((other for other in sheets[2:] if other not in known), None)
            if unknown is None:
                return pair_in_groups([[player for group in groups for player in group]], met)
            if (first, second) not in moved:
                moved.add((first, second))
                sheets.insert(mover + PLACES, sheets.pop(mover))
                continue
            second = unknown
        sheets.remove(first)
        sheets.remove(second)
        pairs.append((first, second))
    return pairs
