"""What one run of the benchmarks has at hand: engines, places, and how long it may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from rich.console import Console

from bench.disk import Probe
from bench.engines import Places
from bench.machine import Machine

LABELS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}

Size = TypeVar("Size", int, float)


@dataclass(frozen=True, slots=True)
class Plan:
    """quick: a short pass that shows that everything works, and little about speed. console: for progress.

    players: of the largest tournament that `large` plays.
    """

    quick: bool
    machine: Machine
    places: Places
    console: Console
    players: int = 10_000

    @property
    def engines(self) -> list[str]:
        """The databases that are there."""
        return ["sqlite", *(["postgresql"] if self.machine.postgresql else [])]

    @property
    def rabbitmq(self) -> bool:
        """Whether there is a RabbitMQ."""
        return bool(self.machine.rabbitmq)

    def size(self, full: Size, quick: Size) -> Size:
        """How many, or how long: the one or the other."""
        return quick if self.quick else full

    def probe(self) -> Probe:
        """A new probe of the disk on which everything is."""
        return Probe(self.places.folder)

    def say(self, line: str) -> None:
        """A line of progress."""
        self.console.print(f"[dim]{line}[/]")
