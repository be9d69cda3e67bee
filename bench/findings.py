"""What a benchmark finds: tables of rows, with goals beside the figures that have one."""

from __future__ import annotations

from msgspec import Struct

from bench.disk import Disk
from bench.figures import rounded
from bench.machine import Machine
from bench.samples import Row


class Goal(Struct, frozen=True):
    """A figure beside what was hoped for. at_least: more is better; otherwise less is.

    margin: by what share of the goal it was met (positive) or missed (negative).
    """

    what: str
    figure: float
    goal: float
    unit: str
    at_least: bool
    met: bool
    margin: float


def goal_of(what: str, figure: float, goal: float, unit: str, *, at_least: bool = True) -> Goal:
    """Hold a figure against its goal. unit: empty for a ratio (shown as `×`)."""
    margin = (figure - goal) / goal if at_least else (goal - figure) / goal
    return Goal(what, rounded(figure), goal, unit, at_least, margin >= 0, rounded(margin))


class Table(Struct, frozen=True, omit_defaults=True):
    """Rows that were measured in turns, with what one has to know to read them. disk: the disk between samples."""

    title: str
    rows: list[Row]
    goals: list[Goal] = []
    notes: list[str] = []
    disk: Disk | None = None


class Found(Struct, frozen=True):
    """One benchmark's tables. date: RFC 3339, UTC. seconds: how long it took. load: before it, over one minute."""

    benchmark: str
    date: str
    seconds: float
    quick: bool
    load: float
    machine: Machine
    tables: list[Table]
