"""Who gets the bye when the number of players is odd."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct


class Candidate(Struct, frozen=True):
    """A player who may get the bye.

    fewest: the values that decide, in order. rank: in the standings; players who share one have been put in an order,
    and place is where the player is in it.
    """

    player: str
    fewest: tuple[int, ...]
    rank: int
    place: int
    byes: int


ByePolicy = Callable[[Sequence[Candidate]], list[list[str]]]
"""Candidates -> groups in the order in which the bye goes to them; a draw decides inside a group."""


def fewest_values(candidates: Sequence[Candidate]) -> list[list[str]]:
    """The bye goes to the fewest points, then to the lowest of the other values. AR-PAIR-7, DW-PAIR-5.

    Of equals, those with the fewest byes so far are drawn from.
    """
    groups: dict[tuple[tuple[int, ...], int], list[str]] = {}
    for candidate in sorted(candidates, key=lambda candidate: (candidate.fewest, candidate.byes, candidate.player)):
        groups.setdefault((candidate.fewest, candidate.byes), []).append(candidate.player)
    return list(groups.values())


def last_ranked(candidates: Sequence[Candidate]) -> list[list[str]]:
    """The bye goes to the last in the standings, of those who share a rank to one with the fewest byes. FF-PAIR-4."""

    def last_first(candidate: Candidate) -> tuple[int, int, int]:
        return -candidate.rank, candidate.byes, -candidate.place

    return [[candidate.player] for candidate in sorted(candidates, key=last_first)]


def with_fewest_byes(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Only those who had the fewest byes so far, for tournaments that avoid repeated byes."""
    fewest = min(candidate.byes for candidate in candidates)
    return [candidate for candidate in candidates if candidate.byes == fewest]
