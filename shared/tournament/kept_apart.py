"""Who should not meet in a round, from the wishes that registration recorded."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

from shared.tournament.entries import Entries


def kept_apart(entries: Entries, round: int, playing: Collection[str]) -> list[tuple[str, str]]:
    """Pairs among the players of a round who asked not to meet: in round 1 alone. Source: AR-PAIR-2."""
    if round > 1:
        return []
    groups = ([player for player in group if player in playing] for group in entries.kept_apart)
    return sorted({(min(pair), max(pair)) for group in groups for pair in combinations(group, 2)})
