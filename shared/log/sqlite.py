"""SQLite: a file next to the service. There is one writer at a time; an append is a few statements in a transaction."""

from __future__ import annotations

import os
import select
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any

from msgspec.structs import astuple
from sqlalchemy import PoolProxiedConnection, event

from shared.log.database import EVENT_COLUMNS, ID_IN_LOG, KEYED_PATTERN, Connection, Database, move_head_statement
from shared.log.event import Head, Recorded

SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA busy_timeout=15000",
    "PRAGMA foreign_keys=ON",
)
"""synchronous=FULL: an acknowledged event survives a power cut, not only a crash. The timeout is in milliseconds."""
CHECKPOINT_TIMEOUT_MS = 200
"""Milliseconds that writers may have to wait for a checkpoint; a journal in use is truncated later."""

_EVENT = f"INSERT INTO events ({EVENT_COLUMNS}) VALUES ({', '.join('?' * len(Recorded.__struct_fields__))})"
_OUTBOX = "INSERT INTO outbox (tournament, position, cause) VALUES (?, ?, ?)"
_IN_RANGE = f"""SELECT command_id, position FROM events
    WHERE command_id LIKE '{KEYED_PATTERN}' AND {ID_IN_LOG} >= :begin{{0}} AND {ID_IN_LOG} < :end{{0}}"""
_OUTBOX_ROWS = 100
"""Outbox rows of one INSERT; separate statements take twice as long."""
_SEQUENCE = """INSERT INTO feed (feed, tournament, position)
    SELECT (SELECT coalesce(max(feed), 0) FROM feed) + row_number() OVER (ORDER BY id), tournament, position
    FROM outbox WHERE id <= :last"""


class SqliteConnection(Connection):
    """A connection to an SQLite file. The driver takes parameters as `:name`."""

    now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    octets = "length(CAST({} AS BLOB))"
    for_update = ""  # there is only one writer
    one_by_one = "{many} JOIN {one} ON {where}"
    has_revisions = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'alembic_version'"

    def extend(
        self,
        expected: Head,
        events: Sequence[Recorded],
        *,
        own: bool,
        causes: Sequence[str] = (),
        last: bool = False,
    ) -> bool:
        parameters, move = move_head_statement(expected, events)
        if self.run(move, **parameters) != 1:
            return False
        cursor = self._driver.cursor()
        cursor.executemany(_EVENT, [astuple(event) for event in events])
        if own:
            with_causes = zip(events, causes or [""] * len(events), strict=True)
            rows = [(event.tournament, event.position, cause) for event, cause in with_causes]
            for start in range(0, len(rows), _OUTBOX_ROWS):
                batch = rows[start : start + _OUTBOX_ROWS]
                cursor.execute(_insert_into_outbox(len(batch)), list(chain.from_iterable(batch)))
        return True

    def find_keys_in(self, ranges: Sequence[tuple[str, str]]) -> Iterable[tuple[str, int]]:
        values: dict[str, str] = {}
        for index, (begin, end) in enumerate(ranges):
            values |= {f"begin{index}": begin, f"end{index}": end}
        rows: Iterable[tuple[str, int]] = self._run(_in_ranges(len(ranges)), values)
        return rows

    def assign_feed_positions(self, limit: int) -> int:
        last = self.value("SELECT max(id) FROM (SELECT id FROM outbox ORDER BY id LIMIT :limit)", limit=limit)
        if last is None:
            return 0
        self.run(_SEQUENCE, last=last)
        return self.run("DELETE FROM outbox WHERE id <= :last", last=last)

    def delete_securely(self, sql: str, /, **values: Any) -> int:
        self.rows("PRAGMA secure_delete = ON")  # overwrite with zeros instead of only freeing the page
        return super().delete_securely(sql, **values)


class SqliteDatabase(Database):
    """An SQLite file. Writing blocks lock it at once (BEGIN IMMEDIATE), since upgrading a read lock may fail."""

    name = "sqlite"
    connection = SqliteConnection
    begin = "BEGIN IMMEDIATE"

    def __init__(self, url: str, pool_size: int = 8) -> None:
        super().__init__(url, pool_size, connect_args={"check_same_thread": False, "timeout": 15})
        event.listen(self.engine, "connect", _prepare)
        self._appender: PoolProxiedConnection | None = None
        self._appender_lock = Lock()

    @contextmanager
    def appending(self) -> Iterator[SqliteConnection]:
        """Like `writing()`, for a single `extend()`; bypasses SQLAlchemy, whose overhead would equal the disk's."""
        # There is one writer at a time anyway. This lock wakes the next thread at once; SQLite's would have it poll.
        with self._appender_lock:
            if self._appender is None:
                self._appender = self.engine.raw_connection()
            try:
                cursor = self._appender.cursor()
                cursor.execute(self.begin)
                try:
                    yield SqliteConnection(self._appender)
                    cursor.execute("COMMIT")
                except BaseException:
                    self._appender.rollback()
                    raise
            except self.engine.dialect.loaded_dbapi.Error as error:
                raise self.translate_error(error, self._appender) from error

    def wakeup_channel(self) -> PipeChannel:
        return PipeChannel(Path(str(self.url.database)))

    def truncate_journal(self) -> None:
        with self.reading() as connection:
            patience = connection.value("PRAGMA busy_timeout")
            for pragma in (
                f"busy_timeout = {CHECKPOINT_TIMEOUT_MS}",
                "wal_checkpoint(TRUNCATE)",
                f"busy_timeout = {patience}",
            ):
                connection.rows(f"PRAGMA {pragma}")

    def close(self) -> None:
        with self._appender_lock:
            if self._appender is not None:
                self._appender.close()
                self._appender = None
        super().close()


class PipeChannel:
    """A named pipe next to the database file: a notification is one byte, and waiting is `select`."""

    failures: tuple[type[Exception], ...] = (OSError,)

    def __init__(self, file: Path) -> None:
        # The name is hidden, because `cp base.sqlite3* elsewhere` would wait forever for the end of the pipe.
        self._pipe = file.with_name(f".{file.name}.bell")
        self._reader: int | None = None

    def notify(self) -> None:
        """Wake the relay if it is waiting; do nothing otherwise."""
        try:
            writer = os.open(self._pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # no relay is waiting (ENXIO, ENOENT); the next one looks for events before it waits
            return
        try:
            os.write(writer, b"!")
        except (BlockingIOError, BrokenPipeError):
            pass  # the pipe is full of unread notifications, or the reader left just now
        finally:
            os.close(writer)

    def open(self) -> bool:
        if self._reader is None:
            with suppress(FileExistsError):
                os.mkfifo(self._pipe, 0o600)
            # Open for reading and writing, so that the pipe does not end when its last writer closes it.
            reader = os.open(self._pipe, os.O_RDWR | os.O_NONBLOCK)
            if not stat.S_ISFIFO(os.fstat(reader).st_mode):
                os.close(reader)
                raise OSError(f"{self._pipe} is no pipe; it can be deleted")
            self._reader = reader
        return True

    def wait(self, seconds: float) -> bool:
        assert self._reader is not None
        readable, _, _ = select.select([self._reader], [], [], seconds)
        if readable:
            os.read(self._reader, 65536)
        return bool(readable)

    def close(self) -> None:
        if self._reader is not None:
            os.close(self._reader)
            self._reader = None


@cache
def _in_ranges(ranges: int) -> str:
    # A UNION lets the key index find each range; an OR would read the whole log.
    return " UNION ".join(map(_IN_RANGE.format, range(ranges)))


@cache
def _insert_into_outbox(rows: int) -> str:
    return _OUTBOX + ", (?, ?, ?)" * (rows - 1)


def _prepare(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in SQLITE_PRAGMAS:
        cursor.execute(pragma)
    cursor.close()
