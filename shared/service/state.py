"""Tournament states: folded from the logs, cached in memory, updated at every use. With private rows and snapshots.

Private rows belong to a state but not to a log. They are written in the transaction of a command, by compare and set:
`private_heads` holds the revision of each tournament, `private_rows` the rows, and `private_commands` the idempotency
keys and answers of commands that wrote rows.

Snapshots cache folded states in the database, keyed by a hash of the code that folded them. They shorten a cold start.
"""

from __future__ import annotations

import gc
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from shared import metrics
from shared.formats.fold import decode, encode, evolve
from shared.log.copies import DAMAGED, FOLD, close_cases, last_recopy, quarantine_unreadable
from shared.log.database import Connection, Database, LockedLog
from shared.log.event import EMPTY_HEAD, Head, Recorded, event_id
from shared.log.log import BrokenLog, HeadMoved, head_mismatch, verify
from shared.log.reading import contains_head, heads_of, new_events, new_events_and_last_recopy, to_events
from shared.logs import get_logger
from shared.tournament.draws import BEACON_ROW
from shared.tournament.state import Private, PrivateRow, Tournament
from shared.web.refusals import LogUnreadable
from shared.web.versions import preview_tag

_gc_lock = Lock()
_gc_pauses = 0
_gc_was_enabled = False


@contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """Pause cyclic garbage collection in this process while a state is built: everything allocated there survives.

    Blocks of several threads may overlap; collection resumes after the last one.
    """
    global _gc_pauses, _gc_was_enabled
    with _gc_lock:
        if not _gc_pauses:
            _gc_was_enabled = gc.isenabled()
            gc.disable()
        _gc_pauses += 1
    try:
        yield
    finally:
        with _gc_lock:
            _gc_pauses -= 1
            if not _gc_pauses and _gc_was_enabled:
                gc.enable()


_log = get_logger("muster.handling")
_BEGIN_ROWS = "INSERT INTO private_heads (tournament, revision) VALUES (:tournament, 1) ON CONFLICT DO NOTHING"
_NEXT_REVISION = (
    "UPDATE private_heads SET revision = revision + 1 WHERE tournament = :tournament AND revision = :revision"
)
_PUT_ROW = """INSERT INTO private_rows (tournament, kind, id, revision, due_at, body)
    VALUES (:tournament, :kind, :id, :revision, :due_at, :body)
    ON CONFLICT (tournament, kind, id)
    DO UPDATE SET revision = excluded.revision, due_at = excluded.due_at, body = excluded.body"""
_NEWS_OF_ROWS = """SELECT kind, id, revision, due_at, body FROM private_rows
    WHERE tournament = :tournament AND revision > :revision ORDER BY revision, id"""
_NOTE_COMMAND = """INSERT INTO private_commands (tournament, idempotency_key, command_id, answer)
    VALUES (:tournament, :key, :command_id, :answer) ON CONFLICT DO NOTHING"""
_DUE_ROWS = """SELECT tournament, kind, id FROM private_rows
    WHERE due_at <> '' AND due_at <= :now AND (kind = :beacon) = :beacons ORDER BY due_at, tournament LIMIT :limit"""


def without_drafts(state: Tournament) -> Tournament:
    """Return the state unchanged: for a service without drafts."""
    return state


class PrivateRows(Struct, frozen=True):
    """The private rows of one service. kinds: kind of a row -> the type of its content.

    with_drafts: returns the state as it will be once the drafts in its rows are published.
    """

    kinds: Mapping[str, type[Struct]] = {}
    with_drafts: Callable[[Tournament], Tournament] = without_drafts

    def read(self, connection: Connection, tournament: str, known: Private) -> Private:
        """Return the current rows of a tournament, `known` itself if nothing was written since."""
        if not self.kinds:
            return known
        sql = "SELECT revision FROM private_heads WHERE tournament = :tournament"
        revision = connection.value(sql, tournament=tournament) or 0
        if revision == known.revision:
            return known
        base = known if revision > known.revision else Private()  # older after a restore of the database
        rows = connection.rows(_NEWS_OF_ROWS, tournament=tournament, revision=base.revision)
        read = [PrivateRow(kind, id, self._body(kind, body), due, {}, at) for kind, id, at, due, body in rows]
        return base.written(max([revision, *(row.revision for row in read)]), read)

    def write(
        self,
        connection: Connection,
        tournament: str,
        known: Private,
        rows: Sequence[PrivateRow],
        command: tuple[str, str] | None = None,
    ) -> None:
        """Write rows as the next revision after `known`, inside the caller's transaction.

        command: idempotency key and id of the command; None without a key.
        Raises HeadMoved if another command wrote rows since, or if this command was run before.
        """
        values = {"tournament": tournament, "revision": known.revision}
        if not connection.run(_NEXT_REVISION if known.revision else _BEGIN_ROWS, **values):
            raise HeadMoved
        if command is not None:
            key, command_id = command
            answer = msgspec.json.encode(merged_answer(rows)).decode()
            if not connection.run(_NOTE_COMMAND, tournament=tournament, key=key, command_id=command_id, answer=answer):
                raise HeadMoved
        for row in rows:
            body = "" if row.body is None else msgspec.json.encode(row.body).decode()
            due = row.due_at if body else ""
            place = {"tournament": tournament, "kind": row.kind, "id": row.id}
            connection.run(_PUT_ROW, **place, revision=known.revision + 1, due_at=due, body=body)

    def earlier(
        self, connection: Connection, tournament: str, keys: Sequence[str]
    ) -> tuple[str, Mapping[str, Any]] | None:
        """Return id and answer of the command that wrote rows with one of these idempotency keys, or None."""
        if not self.kinds:
            return None
        sql = """SELECT command_id, answer FROM private_commands
            WHERE tournament = :tournament AND idempotency_key IN (:keys)"""
        row = connection.first(sql, tournament=tournament, keys=list(keys))
        return (row[0], msgspec.json.decode(row[1])) if row else None

    def due(self, connection: Connection, now: str, limit: int, *, beacons: bool = False) -> list[tuple[str, str, str]]:
        """Return tournament, kind and id of the rows that are due, the oldest first.

        beacons: rows that wait for the public beacon, instead of all others. Neither kind holds up the other.
        """
        rows = connection.rows(_DUE_ROWS, now=now, limit=limit, beacon=BEACON_ROW, beacons=beacons)
        return [(tournament, kind, id) for tournament, kind, id in rows]

    def forget_time(self, connection: Connection, tournament: str, kind: str, id: str) -> None:
        """Clear the due time of a row."""
        sql = "UPDATE private_rows SET due_at = '' WHERE tournament = :tournament AND kind = :kind AND id = :id"
        connection.run(sql, tournament=tournament, kind=kind, id=id)

    def _body(self, kind: str, body: str) -> Struct | None:
        """Return the content of a row; None if it is removed or damaged."""
        if not body:
            return None
        try:
            return msgspec.json.decode(body, type=self.kinds[kind])
        except (msgspec.MsgspecError, KeyError, UnicodeError) as error:
            _log.error("a private row is damaged", kind=kind, error=str(error))
            return None


def merged_answer(rows: Sequence[PrivateRow]) -> dict[str, Any]:
    return {name: value for row in rows for name, value in row.answer.items()}


_PUT_SNAPSHOT = """INSERT INTO snapshots (tournament, code, heads, state, hash)
    VALUES (:tournament, :code, :heads, :state, :hash)
    ON CONFLICT (tournament, code) DO UPDATE SET heads = excluded.heads, state = excluded.state, hash = excluded.hash"""
read_heads = msgspec.json.Decoder(dict[str, Head]).decode
SHARED = Path(__file__).parents[1]
FOLDING = (
    "campaign",
    "coop",
    "fault_texts.py",
    "formats",
    "log/cloudevents.py",
    "log/command_record.py",
    "log/event.py",
    "refusals.py",
    "roles.py",
    "rules",
    "season",
    "shapes.py",
    "swiss",
    "tournament",
)
"""The modules in `shared/` that determine the result of a fold. A change in any of them invalidates all snapshots."""


class SnapshotDamaged(Exception):
    """A snapshot whose hash does not match, or that cannot be decoded."""


@cache
def code_version() -> str:
    """Return a SHA-256 hash of the source of all modules in FOLDING."""
    return code_version_of(SHARED)


def code_version_of(shared: Path) -> str:
    """Return the same hash for the code in another folder."""
    digest = sha256()
    for name in FOLDING:
        place = shared / name
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            text = path.read_bytes()
            digest.update(f"{path.relative_to(shared)} {len(text)}\n".encode())
            digest.update(text)
    return digest.hexdigest()


class Snapshots:
    """The snapshots table of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, tournament: str) -> tuple[Tournament, dict[str, Head]] | None:
        """Return a snapshot as `read` does, or None if it is damaged: the log is then folded instead."""
        try:
            return self.read(tournament)
        except SnapshotDamaged as error:
            _log.warning("a snapshot cannot be read", tournament=tournament, error=str(error))
            return None

    def read(self, tournament: str) -> tuple[Tournament, dict[str, Head]] | None:
        """Return the state last saved by this version of the code, with its heads; None if there is none.

        Raises SnapshotDamaged.
        """
        with self._database.reading() as connection:
            row = connection.first(
                "SELECT heads, state, hash FROM snapshots WHERE tournament = :tournament AND code = :code",
                tournament=tournament,
                code=code_version(),
            )
        if row is None:
            return None
        heads, state, hash = row
        if hash != _hash_of_snapshot(heads, state):
            raise SnapshotDamaged("it does not hash to what was saved")
        try:
            return decode(state), read_heads(heads)
        except msgspec.MsgspecError as error:
            raise SnapshotDamaged(str(error)) from error

    def save(self, tournament: str, state: Tournament, heads: Mapping[str, Head]) -> None:
        """Save a state and delete the older snapshots of the tournament. Of two concurrent saves the last one stays."""
        encoded_heads, encoded = msgspec.json.encode(heads).decode(), encode(state)
        key = {"tournament": tournament, "code": code_version()}
        with self._database.writing() as connection:
            connection.run("DELETE FROM snapshots WHERE tournament = :tournament AND code <> :code", **key)
            connection.run(
                _PUT_SNAPSHOT, **key, heads=encoded_heads, state=encoded, hash=_hash_of_snapshot(encoded_heads, encoded)
            )

    def delete(self, tournament: str) -> None:
        """Delete the snapshots of a tournament."""
        with self._database.writing() as connection:
            connection.run("DELETE FROM snapshots WHERE tournament = :tournament", tournament=tournament)


def _hash_of_snapshot(heads: str, state: bytes) -> str:
    return sha256(b"%b\n%b" % (heads.encode(), state)).hexdigest()


Derived = TypeVar("Derived")
NO_PRIVATE_ROWS = PrivateRows()


class Gap(Exception):
    """An event that does not follow the event before it in its log."""


class Unfoldable(Exception):
    """An event that cannot be folded, and the reason. origin: FOLD or DAMAGED, the origin of its quarantine case."""

    origin = FOLD

    def __init__(self, event: Any, reason: str) -> None:
        super().__init__(f"{event.source} position {event.position}: {reason}")
        self.place = (event.source, event.position)
        self.reason = reason[:400]


class Damaged(Unfoldable):
    """An event that differs from the recorded one: its hash, its link or its position is wrong."""

    origin = DAMAGED

    def __init__(self, broken: BrokenLog) -> None:
        super().__init__(broken.event, broken.reason)


class LoadedAggregate:
    """A tournament's state with the heads of the logs it was folded from. Valid only inside the block that yielded it.

    recopied: the last recopy of one of its logs that the state includes.
    public: a reduced state for callers who may not see drafts. drafts: the state includes drafts.
    foreseen: the state includes events that no log holds, as in a preview.
    taken: events folded since the last snapshot. broken: folding failed half-way, so the state must be discarded.
    """

    def __init__(self, state: Tournament, heads: dict[str, Head], recopied: int = 0) -> None:
        self.state = state
        self.heads = heads
        self.recopied = recopied
        self.taken = 0
        self.broken = False
        self.public = False
        self.drafts = False
        self.foreseen = False
        self._derived: dict[object, Any] = {}
        self._kept: dict[object, Any] = {}

    @property
    def seen(self) -> dict[str, int]:
        """Position per source, for `Muster-Seen` and for the `seen` of events."""
        return {source: head.position for source, head in self.heads.items()}

    @property
    def preview_tag(self) -> str:
        """The tag of previews of this state, without quotation marks."""
        revision = self.state.private.revision
        return preview_tag({**self.seen, "private": revision} if revision else self.seen)

    def derived(self, key: object, make: Callable[[], Derived]) -> Derived:
        """Return a value computed from this state; it is cached until the state changes."""
        if key not in self._derived:
            with garbage_collection_paused():
                self._derived[key] = make()
        return self._derived[key]  # type: ignore[no-any-return]

    def kept(self, key: object, make: Callable[[], Derived]) -> Derived:
        """Return a cached value that survives changes of the state; its owner updates it."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]  # type: ignore[no-any-return]

    def take_stored(self, events: Sequence[Recorded]) -> None:
        """Verify and fold events from a database. Raises Damaged, with nothing folded, if a hash chain is broken."""
        try:
            for source, log in groupby(events, attrgetter("source")):
                verify(log, self.heads[source])
        except BrokenLog as broken:
            raise Damaged(broken) from broken
        self.take(events)

    def take(self, events: Sequence[Recorded]) -> None:
        """Fold events in. Raises Gap, with nothing folded, if an event does not follow the one before in its log."""
        if not events:
            return
        ends = {source: head.position for source, head in self.heads.items()}
        last: dict[str, Recorded] = {}
        for event in events:
            source = event.source
            if event.position != ends[source] + 1:
                raise Gap(f"{source} position {event.position} was read after position {ends[source]}")
            ends[source], last[source] = event.position, event
        self.broken = True
        for event in events:
            try:
                evolve(self.state, event)
            except Exception as error:  # written by newer code, damaged, or impossible
                reason = f"{event.type}, version {event.version}, cannot be folded: {type(error).__name__}: {error}"
                raise Unfoldable(event, reason) from error
        self.broken = False
        self.taken += len(events)
        self.heads.update((source, Head(event.position, event.hash)) for source, event in last.items())
        self._derived.clear()

    def take_rows(self, rows: Sequence[PrivateRow]) -> None:
        """Add private rows that a command has written, or would write in a preview."""
        if rows:
            self.take_private(self.state.private.written(self.state.private.revision + 1, rows))

    def take_private(self, private: Private) -> None:
        """Use these private rows from now on."""
        if private is not self.state.private:
            self.state.private = private
            self._derived.clear()


class Slot:
    """A tournament in memory. lock: held while its state is used. queue: commands for the next batch."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.queue: deque[Any] = deque()
        self.loaded: LoadedAggregate | None = None


class Repository:
    """The states of the tournaments of a service.

    sources: the logs to fold, the service's own first. keep: most tournaments in memory.
    snapshot_every: events folded before a snapshot is written. private: reads and writes the private rows.
    """

    def __init__(
        self,
        database: Database,
        sources: tuple[str, ...],
        *,
        keep: int = 256,
        snapshot_every: int = 2000,
        private: PrivateRows = NO_PRIVATE_ROWS,
    ) -> None:
        self._database = database
        self.private = private
        self._sources = sources
        self._keep = keep
        self._snapshot_every = snapshot_every
        self._snapshots = Snapshots(database)
        self._slots: OrderedDict[str, Slot] = OrderedDict()
        self._unreadable: dict[str, tuple[str, int]] = {}
        self._lock = threading.Lock()

    @contextmanager
    def now(self, tournament: str) -> Iterator[LoadedAggregate]:
        """Yield the state with every event committed so far. No other thread uses it inside the block."""
        slot = self.slot(tournament)
        with slot.lock:
            yield self._catch_up(slot, tournament)

    @contextmanager
    def writing(self, tournament: str, keys: Sequence[str], rows: bool) -> Iterator[tuple[LoadedAggregate, LockedLog]]:
        """Yield the current state, and a transaction that locks the head of the service's own log.

        keys: idempotency keys to look up, as for `Database.locking_log`. rows: read the private rows even if no log has
        news. If the block raises or the commit fails, the state is discarded, with everything folded in the block.
        Raises the exceptions of `now`, and Unfoldable or HeadMoved if the caller has to call `now` first.
        """
        slot = self.slot(tournament)
        with slot.lock:
            loaded = slot.loaded
            if loaded is None or loaded.broken or loaded.taken >= self._snapshot_every:
                loaded = self._catch_up(slot, tournament)
            committed, is_committed = (loaded.seen, loaded.state.private), False
            try:
                source, heads, recopied = self._sources[0], loaded.heads, loaded.recopied
                with self._database.locking_log(source, tournament, heads, recopied, keys) as held:
                    if held.last_recopy != recopied:
                        raise HeadMoved
                    new_events = to_events(held.new_rows)
                    loaded.take_stored(new_events)
                    if new_events or rows:
                        loaded.take_private(self.private.read(held.connection, tournament, loaded.state.private))
                    committed = (loaded.seen, loaded.state.private)
                    yield loaded, held
                is_committed = True
            finally:
                current = (loaded.seen, loaded.state.private)
                loaded.broken = loaded.broken or (not is_committed and current != committed)

    def cold(self, tournament: str) -> LoadedAggregate:
        """Return the state folded from the first event, without any cache."""
        loaded = self._empty_state()
        with self._database.reading() as connection:
            events = new_events(connection, tournament, loaded.heads)
        self._fold(tournament, loaded, events)
        return loaded

    def is_readable(self, tournament: str) -> bool:
        """Return True if the logs of a tournament can be folded now."""
        try:
            with self.now(tournament):
                return True
        except LogUnreadable:
            return False

    def forget(self, tournament: str) -> None:
        """Drop the cached state of a tournament, in memory and in the database."""
        with self._lock:
            self._slots.pop(tournament, None)
        self._snapshots.delete(tournament)

    def slot(self, tournament: str) -> Slot:
        """Return the slot of a tournament. A new slot replaces the least recently used one."""
        with self._lock:
            slot = self._slots.get(tournament)
            if slot is None:
                slot = self._slots[tournament] = Slot()
                while len(self._slots) > self._keep:
                    self._slots.popitem(last=False)
                metrics.CACHED_TOURNAMENTS.labels(self._sources[0]).set(len(self._slots))
            else:
                self._slots.move_to_end(tournament)
            return slot

    def _catch_up(self, slot: Slot, tournament: str) -> LoadedAggregate:
        started = perf_counter()
        fresh = slot.loaded is None or slot.loaded.broken
        if fresh:
            saved = self._load_snapshot(tournament)
            metrics.STATES_BEGUN.labels(self._sources[0], "snapshot" if saved else "log").inc()
            slot.loaded = saved or self._empty_state()
        events, missing = self._news(tournament, slot, fresh)
        loaded = slot.loaded
        assert loaded is not None
        if events:
            self._fold(tournament, loaded, events)
        if missing is not None:
            loaded.broken = True
            raise self._unreadable_log(tournament, Damaged(missing)) from missing
        if tournament in self._unreadable:
            self._close_case(tournament)
        if loaded.taken >= self._snapshot_every:
            self._save(tournament, loaded)
        metrics.FOLD_SECONDS.labels(self._sources[0]).observe(perf_counter() - started)
        return loaded

    def _news(self, tournament: str, slot: Slot, fresh: bool) -> tuple[list[Recorded], BrokenLog | None]:
        """Return the events that the state has not folded, and the place of an event missing after them.

        If a copy was replaced since, the state is discarded first. fresh: the state was not in memory, so the ends of
        the logs are compared with their heads; nothing else shows that the last events of a log are lost.
        """
        assert slot.loaded is not None
        while True:
            loaded = slot.loaded
            with self._database.reading() as connection:
                heads = heads_of(connection, tournament) if fresh else {}
                last, events = new_events_and_last_recopy(connection, tournament, loaded.heads, loaded.recopied)
                begun = any(head.position for head in loaded.heads.values())
                if last == loaded.recopied or not begun:
                    loaded.recopied = last
                    loaded.take_private(self.private.read(connection, tournament, loaded.state.private))
                    return events, self._end_fault(connection, tournament, loaded, events, heads) if fresh else None
            slot.loaded, fresh = self._empty_state(), True

    def _end_fault(
        self,
        connection: Connection,
        tournament: str,
        loaded: LoadedAggregate,
        events: Sequence[Recorded],
        before: Mapping[str, Head],
    ) -> BrokenLog | None:
        """Return the fault at the end of a log, if any. before: the heads of the logs before the events were read."""
        ends = {**loaded.heads, **{event.source: Head(event.position, event.hash) for event in events}}
        if all(before.get(source, EMPTY_HEAD) == end for source, end in ends.items()):
            return None
        after = heads_of(connection, tournament)  # another process may have appended meanwhile
        for source, end in ends.items():
            first, last = before.get(source, EMPTY_HEAD), after.get(source, EMPTY_HEAD)
            if end not in (first, last) and not first.position < end.position < last.position:
                return head_mismatch(source, tournament, end, last)
        return None

    def _load_snapshot(self, tournament: str) -> LoadedAggregate | None:
        """Return the state of a snapshot, or None if the logs no longer hold its last events."""
        with self._database.reading() as connection:
            recopied = last_recopy(connection, tournament)
        with garbage_collection_paused():
            saved = self._snapshots.load(tournament)
        if saved is None:
            return None
        state, heads = saved
        with self._database.reading() as connection:
            if not all(contains_head(connection, source, tournament, head) for source, head in heads.items()):
                return None
        return LoadedAggregate(state, {**self._empty_state().heads, **heads}, recopied)

    def _fold(self, tournament: str, loaded: LoadedAggregate, events: Sequence[Recorded]) -> None:
        """Fold events in. Raises LogUnreadable for a damaged or unfoldable event, and opens a case for /readyz."""
        try:
            with garbage_collection_paused():
                loaded.take_stored(events)
        except Unfoldable as error:
            raise self._unreadable_log(tournament, error) from error
        metrics.FOLDED.labels(self._sources[0]).inc(len(events))

    def _unreadable_log(self, tournament: str, error: Unfoldable) -> LogUnreadable:
        """Open a quarantine case, and return the refusal."""
        source, position = error.place
        if self._unreadable.get(tournament) != (source, position):
            _log.error("a log cannot be folded", tournament=tournament, source=source, exc_info=error)
            quarantine_unreadable(self._database, source, tournament, position, error.reason, error.origin)
            self._unreadable[tournament] = (source, position)
        id = event_id(source, tournament, position)
        if isinstance(error, Damaged):
            return LogUnreadable(f"The event {id} is damaged in this database.", event=id)
        return LogUnreadable(f"This version cannot read the event {id}.", event=id)

    def _close_case(self, tournament: str) -> None:
        """Close the quarantine case of a tournament that can be folded again."""
        source, _ = self._unreadable.pop(tournament)
        with self._database.writing() as connection:
            close_cases(connection, source, tournament, [FOLD])

    def _save(self, tournament: str, loaded: LoadedAggregate) -> None:
        self._snapshots.save(tournament, loaded.state, loaded.heads)
        loaded.taken = 0

    def _empty_state(self) -> LoadedAggregate:
        return LoadedAggregate(Tournament(), dict.fromkeys(self._sources, EMPTY_HEAD))
