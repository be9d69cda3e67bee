"""Pairing with paper sheets in the order of the standings: DW-PAIR-3, DW-PAIR-4, DW-AMB-8."""

from __future__ import annotations

from shared.rules.brackets import pair_in_groups
from shared.rules.matching import Groups, Met, Pair

PLACES = 2
"""How far down a sheet moves."""


def pair_moving_lower(groups: Groups, met: Met) -> list[Pair]:
    """The two sheets on top play; of two who have met, the lower sheet moves down, once for each opponent."""
    return _pair(groups, met, lower=True)


def pair_moving_higher(groups: Groups, met: Met) -> list[Pair]:
    """The two sheets on top play; of two who have met, the higher sheet moves down, once."""
    return _pair(groups, met, lower=False)


def _pair(groups: Groups, met: Met, *, lower: bool) -> list[Pair]:
    sheets = [player for group in groups for player in group]
    pairs: list[Pair] = []
    moved: set[str] = set()
    while sheets:
        first = sheets.pop(0)
        known = met.get(first, frozenset())
        if all(other in known for other in sheets):
            return pair_in_groups([[player for group in groups for player in group]], met)
        if not lower and sheets[0] in known and first not in moved:
            moved.add(first)
            sheets.insert(PLACES, first)
            continue
        passed: set[str] = set()
        while lower and sheets[0] in known and sheets[0] not in passed:
            passed.add(sheets[0])
            sheets.insert(PLACES, sheets.pop(0))
        second = next(other for other in sheets if other not in known)
        sheets.remove(second)
        pairs.append((first, second))
    return pairs
