"""Memory: dictionaries and one lock. For tests, and for tools that keep nothing; no setting starts a service on it.

It follows the contract of the other engines, and refuses what their triggers refuse: an event is never changed, and
leaves a copy only while that copy is made anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from threading import Event, RLock, get_ident
from typing import Any

from msgspec.structs import astuple

from shared.eventlog.database import EVERY, NO_COPIES, Connection, Database, Held, Row, Table
from shared.eventlog.engines.rows import Rows, Values, changed, in_order, picked
from shared.eventlog.tables import EVENTS, FEED, HEADS, OUTBOX, OWN_COPIES, OWNER, RECOPIES, RELAY, REPLACED
from shared.events.recorded import EMPTY, Head, Recorded

_COMMAND_ID, _POSITION = EVENTS.columns.index("command_id"), EVENTS.columns.index("position")
_ENDED = {"under_way": 0}


class NeverChanged(Exception):
    """Events are never changed or removed, and what stands about that is not either."""

    def __init__(self, table: Table) -> None:
        super().__init__(f"events are never changed or removed, nor is what stands in {table.name}")


class BusyWithItself(Exception):
    """A thread that is writing asked for another connection: on the other engines it would wait for itself."""


class MemoryConnection(Connection):
    """The verbs over dictionaries."""

    def __init__(self, rows: Rows, lock: AbstractContextManager[object]) -> None:
        self._rows = rows
        self._lock = lock

    def find(
        self,
        table: Table,
        where: Row = EVERY,
        *,
        columns: Sequence[str] = (),
        order: Sequence[str] = (),
        limit: int | None = None,
        lock: bool = False,
    ) -> list[Values]:
        with self._lock:
            rows = in_order(table, self._rows.matching(table, where), order)
        return [picked(table, row, columns) for row in rows[:limit]]

    def total(self, table: Table, where: Row = EVERY, of: str = "") -> int:
        rows = self.find(table, where, columns=(of,) if of else ())
        return sum(row[0] for row in rows) if of else len(rows)

    def add(self, table: Table, rows: Sequence[Row]) -> int:
        added = 0
        for row in rows:
            _refuse(EVENTS, table is RECOPIES and not self._may_recopy(row["source"]))
            added += self._add(table, row)
        return added

    def put(self, table: Table, row: Row) -> None:
        _refuse(table, table in (EVENTS, REPLACED, OWNER, RECOPIES))
        self._rows.set(table, tuple([row[name] for name in table.columns]))

    def change(self, table: Table, where: Row, to: Row) -> int:
        rows = self._rows.matching(table, where)
        _refuse(table, bool(rows) and (table in (EVENTS, REPLACED, OWNER) or (table is RECOPIES and to != _ENDED)))
        for row in rows:
            self._rows.set(table, changed(table, row, to))
        return len(rows)

    def remove(self, table: Table, where: Row = EVERY, *, shred: bool = False) -> int:
        rows = self._rows.matching(table, where)
        _refuse(table, bool(rows) and table in (REPLACED, OWNER, RECOPIES))
        for row in rows:
            _refuse(table, table is EVENTS and not self._is_set_aside(row))
            self._rows.unset(table, row)
        return len(rows)

    def lock(self, table: Table) -> None:
        """Nothing to do: there is one writer."""

    def extend(
        self,
        expected: Head,
        events: Sequence[Recorded],
        *,
        own: bool,
        copies: Mapping[str, Head] = NO_COPIES,
        causes: Sequence[str] = (),
        last: bool = False,
    ) -> bool:
        first, end = events[0], Head(events[-1].position, events[-1].hash)
        log = (first.source, first.tournament)
        heads = {row[0]: Head(*row[2:]) for row in self.find(HEADS, {"tournament": first.tournament})}
        if heads.get(first.source, EMPTY) != expected or (own and expected.position and self._is_done(first)):
            return False
        if any(heads.get(source, EMPTY).hash != copied.hash for source, copied in copies.items()):
            return False
        self._rows.set(HEADS, (*log, end.position, end.hash))
        for event in events:
            self._rows.set(EVENTS, astuple(event))
        if own:
            causes = causes or [""] * len(events)
            waiting = zip(events, causes, strict=True)
            self.add(OUTBOX, [{"tournament": e.tournament, "position": e.position, "cause": c} for e, c in waiting])
        return True

    def done(self, source: str, tournament: str, keys: Sequence[str]) -> list[tuple[str, int]]:
        with self._lock:
            found = [(row[_COMMAND_ID], row[_POSITION]) for row in self._rows.part(EVENTS, source, tournament).values()]
        return [(id, position) for id, position in found if "~" in id and id.rpartition("~")[0] in keys]

    def news(self, tournament: str, heads: Mapping[str, Head], recopied: int) -> tuple[int, list[Values]]:
        found: list[Values] = []
        with self._lock:
            recopies = self._rows.matching(RECOPIES, {"tournament": tournament})
            last: int = max([row[0] for row in recopies], default=0)
            for source, head in heads.items():
                log, position = self._rows.part(EVENTS, source, tournament), head.position + 1
                while row := log.get((source, tournament, position)):
                    found.append(row)
                    position += 1
        return max(last, recopied), found

    def placed(
        self,
        feed: Table,
        source: str,
        columns: Sequence[str],
        *,
        after: int,
        limit: int,
        last: bool = False,
        tournament: str = "",
    ) -> list[Values]:
        named = "source" in feed.columns
        where: dict[str, Any] = {"feed >": after} | ({"source": source} if named and source else {})
        where |= {"tournament": tournament} if tournament else {}
        found: list[Values] = []
        with self._lock:
            wanted = ("feed", "tournament", "position", *(("source",) if named else ()))
            for feed_position, *place in self.find(feed, where, columns=wanted, order=("-feed" if last else "feed",)):
                of, position, whose = place if named else (*place, source)
                event = self._rows.part(EVENTS, whose, of).get((whose, of, position))
                if event is not None and len(found) < limit:
                    found.append((feed_position, *picked(EVENTS, event, columns)))
        return found

    def unplaced(self, logs: Table) -> list[tuple[str, str, int]]:
        wanted = ("source", "tournament", "position")
        with self._lock:
            known = {(row[0], row[1]): row[2] for row in self.find(logs, columns=wanted)}
            ends = self.find(HEADS, columns=wanted, order=("tournament", "source"))
        places = ((source, tournament, known.get((source, tournament), 0), end) for source, tournament, end in ends)
        return [(source, tournament, position) for source, tournament, position, end in places if position < end]

    def sequence(self, limit: int) -> int:
        oldest = self.find(OUTBOX, order=("id",), limit=limit)
        end = max((feed for (feed,) in self.find(FEED, columns=("feed",))), default=0)
        for feed, (id, tournament, position, _) in enumerate(oldest, start=end + 1):
            self._rows.set(FEED, (feed, tournament, position))
            self.remove(OUTBOX, {"id": id})
        return len(oldest)

    def revisions(self) -> None:
        """It has no schema."""

    def _add(self, table: Table, row: Row) -> bool:
        number = {"id": self._rows.number(table)} if table.numbered else {}
        values = tuple([{**number, **row}[name] for name in table.columns])
        if self._rows.has(table, values):
            return False
        self._rows.set(table, values)
        return True

    def _is_done(self, event: Recorded) -> bool:
        """Whether the log holds events of a command with the same idempotency key."""
        key, keyed, _ = event.command_id.rpartition("~")
        log = self._rows.part(EVENTS, event.source, event.tournament)
        ids = {row[_COMMAND_ID] for row in log.values()} if keyed else ()
        return any(id.startswith(f"{key}~") and len(id) == len(event.command_id) for id in ids)

    def _may_recopy(self, source: str) -> bool:
        """Return True for a copy, and for the own log while the service takes back what it lost."""
        if self.total(OWNER, {"source <>": source}):
            return True
        return bool(self.total(OWNER) and self.total(OWN_COPIES, {"peer": source, "trouble <>": ""}))

    def _is_set_aside(self, event: Values) -> bool:
        under_way = {"source": event[0], "tournament": event[1], "under_way": 1}
        recopies = [id for (id,) in self.find(RECOPIES, under_way, columns=("id",))]
        return event in self.find(REPLACED, {"recopy in": recopies, "position": event[2]}, columns=EVENTS.columns)


class MemoryDatabase(Database):
    """A database that ends with its process. owner: whose own log it holds."""

    name = "memory"

    def __init__(self, owner: str = "") -> None:
        self._rows = Rows()
        for leads in ("relay", "webhooks"):
            self._rows.set(RELAY, (leads, 0, "", 0, 0, 0))
        if owner:
            self._rows.set(OWNER, (1, owner))
        self._lock = RLock()
        self._writer = 0
        self._rung = Event()

    @contextmanager
    def reading(self) -> Iterator[MemoryConnection]:
        self._not_within_itself()
        yield MemoryConnection(self._rows, self._lock)

    @contextmanager
    def writing(self) -> Iterator[MemoryConnection]:
        self._not_within_itself()
        with self._lock:
            self._writer = get_ident()
            self._rows.begin()
            try:
                yield MemoryConnection(self._rows, self._lock)
            except BaseException:
                self._rows.undo()
                raise
            finally:
                self._writer = 0

    def appending(self) -> AbstractContextManager[MemoryConnection]:
        return self.writing()

    @contextmanager
    def holding(
        self, source: str, tournament: str, heads: Mapping[str, Head], recopied: int, keys: Sequence[str]
    ) -> Iterator[Held]:
        with self.writing() as connection:  # there is one writer
            last, news = connection.news(tournament, heads, recopied)
            yield Held(connection, last, news, connection.done(source, tournament, keys))

    def bell(self) -> MemoryBell:
        return MemoryBell(self._rung)

    def owns_its_tables(self) -> None:
        """Nobody else could own them."""

    def reachable_databases(self, service: str, peers: Collection[str]) -> list[str]:
        return []

    def forget_removed(self) -> None:
        """Nothing to do: what is removed is gone."""

    def close(self) -> None:
        """Nothing to do."""

    def _not_within_itself(self) -> None:
        if self._writer == get_ident():
            raise BusyWithItself("this thread is writing already")


class MemoryBell:
    """Rings within its process. Whoever opens it hears what rang since it last waited."""

    failures: tuple[type[Exception], ...] = ()

    def __init__(self, rung: Event) -> None:
        self._rung = rung

    def ring(self) -> None:
        self._rung.set()

    def open(self) -> bool:
        return True

    def wait(self, seconds: float) -> bool:
        rang = self._rung.wait(seconds)
        self._rung.clear()
        return rang

    def close(self) -> None:
        """Nothing to do."""


def _refuse(table: Table, never: bool) -> None:
    if never:
        raise NeverChanged(table)
