"""Folded states, kept in memory and brought up to date at every use; snapshots make a cold start short."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any, TypeVar

from shared import metrics
from shared.events.recorded import EMPTY, Head, Recorded
from shared.handling.snapshots import Snapshots
from shared.log.database import Database
from shared.log.read import Told, news
from shared.state.tournament import Tournament, fold

Derived = TypeVar("Derived")


class Gap(Exception):
    """A database that gave a log out of order or with a hole: a state folded from it would be wrong."""


class Folded:
    """A tournament's state with the heads that it was folded up to. Valid inside the block that handed it out.

    taken: events folded in since the last snapshot. broken: folding failed half-way, the state is worth nothing.
    unsure: handed out without looking whether the logs have moved on.
    """

    def __init__(self, state: Tournament, heads: dict[str, Head]) -> None:
        self.state = state
        self.heads = heads
        self.taken = 0
        self.broken = False
        self.unsure = False
        self._derived: dict[object, Any] = {}

    @property
    def seen(self) -> dict[str, int]:
        """Source -> position, for `Muster-Seen` and for the `seen` of events."""
        return {source: head.position for source, head in self.heads.items()}

    def derived(self, key: object, make: Callable[[], Derived]) -> Derived:
        """A value computed from this state, made once until the state moves on."""
        if key not in self._derived:
            self._derived[key] = make()
        return self._derived[key]  # type: ignore[no-any-return]

    def take(self, told: Sequence[Told | Recorded]) -> None:
        """Fold news in. Raises Gap, with nothing folded, when an event of a log does not follow the one before."""
        ends = {source: head.position for source, head in self.heads.items()}
        last: dict[str, Told | Recorded] = {}
        for event in told:
            source = event.source
            if event.position != ends[source] + 1:
                raise Gap(f"{source} position {event.position} was read behind position {ends[source]}")
            ends[source], last[source] = event.position, event
        self.broken = True
        fold(self.state, told)
        self.broken = False
        self.taken += len(told)
        self.heads.update((source, Head(event.position, event.hash)) for source, event in last.items())
        self._derived.clear()


class _Slot:
    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.folded: Folded | None = None
        self.quiet = False


class Folds:
    """The states of a service's tournaments.

    sources: the logs folded, the service's own and those it copies. keep: tournaments held in memory.
    snapshot_every: events folded before a snapshot is written.
    """

    def __init__(
        self, database: Database, sources: tuple[str, ...], *, keep: int = 256, snapshot_every: int = 2000
    ) -> None:
        self._database = database
        self._sources = sources
        self._keep = keep
        self._snapshot_every = snapshot_every
        self._snapshots = Snapshots(database)
        self._slots: OrderedDict[str, _Slot] = OrderedDict()
        self._lock = threading.Lock()

    @contextmanager
    def now(self, tournament: str) -> Iterator[Folded]:
        """The state with everything that is committed at this moment; nobody else touches it inside the block."""
        slot = self._slot(tournament)
        with slot.lock:
            yield self._catch_up(slot, tournament)

    @contextmanager
    def presumably(self, tournament: str) -> Iterator[Folded]:
        """The state as this process knows it, where its last look found nothing that others did; else as `now`.

        It may be `unsure`: good for an append that is made only where nothing has moved, and for nothing else.
        """
        slot = self._slot(tournament)
        with slot.lock:
            known = slot.folded
            if known is None or known.broken or not slot.quiet or not known.heads[self._sources[0]].position:
                yield self._catch_up(slot, tournament)
                return
            self._save_now_and_then(tournament, known)
            known.unsure = True
            try:
                yield known
            finally:
                known.unsure = False

    def cold(self, tournament: str) -> Folded:
        """The state folded from the first event on, past every cache."""
        folded = self._empty()
        with self._database.reading() as connection:
            folded.take(news(connection, tournament, folded.heads))
        return folded

    def forget(self, tournament: str) -> None:
        """Drop what is cached of a tournament, in memory and in the database."""
        with self._lock:
            self._slots.pop(tournament, None)
        self._snapshots.delete(tournament)

    def _slot(self, tournament: str) -> _Slot:
        with self._lock:
            slot = self._slots.get(tournament)
            if slot is None:
                slot = self._slots[tournament] = _Slot()
                while len(self._slots) > self._keep:
                    self._slots.popitem(last=False)
            else:
                self._slots.move_to_end(tournament)
            return slot

    def _catch_up(self, slot: _Slot, tournament: str) -> Folded:
        started = perf_counter()
        if slot.folded is None or slot.folded.broken:
            saved = self._snapshots.load(tournament)
            slot.folded = Folded(saved[0], {**self._empty().heads, **saved[1]}) if saved else self._empty()
        folded = slot.folded
        with self._database.reading() as connection:
            told = news(connection, tournament, folded.heads)
        slot.quiet = not told
        if told:
            folded.take(told)
        self._save_now_and_then(tournament, folded)
        metrics.FOLD_SECONDS.labels(self._sources[0]).observe(perf_counter() - started)
        return folded

    def _save_now_and_then(self, tournament: str, folded: Folded) -> None:
        if folded.taken >= self._snapshot_every:
            self._snapshots.save(tournament, folded.state, folded.heads)
            folded.taken = 0

    def _empty(self) -> Folded:
        return Folded(Tournament(), dict.fromkeys(self._sources, EMPTY))
