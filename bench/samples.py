"""Samples of what was measured, taken in turns, and the few numbers that are said of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import TypeVar

from msgspec import Struct

from bench.disk import Probe
from bench.figures import quantile, rounded

Contender = TypeVar("Contender")


def in_turns(contenders: Sequence[Contender], rounds: int, probe: Probe) -> Iterator[Contender]:
    """Every contender once a round, A B C A B C …, so that whatever else the machine does meets all of them.

    The disk is probed before each round.
    """
    for _ in range(rounds):
        probe.take()
        yield from contenders


class Row(Struct, frozen=True, omit_defaults=True):
    """One measured thing: how many samples, their median and spread, in `unit`. p99: where the tail matters."""

    name: str
    unit: str
    samples: int
    median: float
    low: float
    high: float
    p99: float | None = None


def ratio_of(name: str, ours: Sequence[float], theirs: Sequence[float]) -> Row:
    """Ours over theirs, round by round, so that a round in which the machine was slow for both counts as any other."""
    return row_of(name, "×", [one / other for one, other in zip(ours, theirs, strict=True)])


def row_of(name: str, unit: str, values: Sequence[float], *, tail: bool = False) -> Row:
    """What is said of the samples. tail: say the 99th percentile too."""
    p99 = rounded(quantile(values, 0.99)) if tail else None
    return Row(name, unit, len(values), rounded(median(values)), rounded(min(values)), rounded(max(values)), p99)
