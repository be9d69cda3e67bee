"""Who gets the bye when the number of players is odd."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct


class Candidate(Struct, frozen=True):
    """A player who may get the bye. fewest: the values that decide, in order; rank: the place in the standings."""

    player: str
    fewest: tuple[int, ...]
    rank: int
    byes: int


ByePolicy = Callable[[Sequence[Candidate]], list[list[str]]]
"""Candidates -> groups in the order in which the bye goes to them; a draw decides inside a group."""


def fewest_values(candidates: Sequence[Candidate]) -> list[list[str]]:
    """The bye goes to the fewest points, then to the lowest of the other values. AR-PAIR-7, DW-PAIR-5."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for candidate in sorted(candidates, key=lambda candidate: (candidate.fewest, candidate.player)):
        groups.setdefault(candidate.fewest, []).append(candidate.player)
    return list(groups.values())


def last_ranked(candidates: Sequence[Candidate]) -> list[list[str]]:
    """The bye goes to the last in the standings; nothing is left to draw. FF-PAIR-4."""
    return [[candidate.player] for candidate in sorted(candidates, key=lambda candidate: -candidate.rank)]


def with_fewest_byes(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Only those who had the fewest byes so far, for tournaments that avoid repeated byes."""
    fewest = min(candidate.byes for candidate in candidates)
    return [candidate for candidate in candidates if candidate.byes == fewest]
