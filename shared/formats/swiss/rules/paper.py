"""Pairing with paper sheets in the order of the standings: DW-PAIR-3, DW-PAIR-4, DW-AMB-8."""

from __future__ import annotations

from shared.rules.brackets import pair_in_groups
from shared.rules.matching import Groups, Pair
from shared.rules.meetings import Met

PLACES = 2
"""How far down a sheet moves."""


def pair_moving_lower(groups: Groups, met: Met) -> list[Pair]:
    """The two sheets on top play; of two who have met, the lower sheet moves down, once for each opponent."""
    return _pair(groups, met, mover=1)[0]


def pair_moving_higher(groups: Groups, met: Met) -> list[Pair]:
    """The two sheets on top play; of two who have met, the higher sheet moves down, once for each opponent."""
    return _pair(groups, met, mover=0)[0]


def moves_of_lower(groups: Groups, met: Met) -> dict[str, str]:
    """Whose sheet `pair_moving_lower` moved down -> the opponent met before, above it, for whom it moved last."""
    return _pair(groups, met, mover=1)[1]


def moves_of_higher(groups: Groups, met: Met) -> dict[str, str]:
    """The same of `pair_moving_higher`, with the opponent who lay below."""
    return _pair(groups, met, mover=0)[1]


def _pair(groups: Groups, met: Met, *, mover: int) -> tuple[list[Pair], dict[str, str]]:
    """mover: 0 or 1, which of the two sheets on top moves."""
    sheets = [
        player for group in reversed(groups) for player in reversed(group)
    ]  # the top is the end, where it is cheap
    pairs: list[Pair] = []
    moved: set[Pair] = set()
    moves: dict[str, str] = {}
    while sheets:
        first, place = sheets[-1], 2
        known = met.get(first, {})
        if sheets[-2] in known:
            place = next((place for place in range(3, len(sheets) + 1) if sheets[-place] not in known), 0)
            if not place:
                return pair_in_groups([[player for group in groups for player in group]], met), {}
            if (first, sheets[-2]) not in moved:
                moved.add((first, sheets[-2]))
                sheet = sheets.pop(-1 - mover)
                moves[sheet] = sheets[-1]
                sheets.insert(max(0, len(sheets) - mover - PLACES), sheet)
                continue
        pairs.append((first, sheets.pop(-place)))
        sheets.pop()
    return pairs, moves
