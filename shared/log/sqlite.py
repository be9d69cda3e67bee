"""SQLite: a file beside the service. One writes at a time, so an append is a few statements in one transaction."""

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
"""FULL: an acknowledged event survives a power cut, not only a crash. The timeout is in milliseconds."""
CHECKPOINT_TIMEOUT_MS = 200
"""Milliseconds that writers may wait for a journal to be emptied; one that is in use empties itself later."""

_EVENT = f"INSERT INTO events ({EVENT_COLUMNS}) VALUES ({', '.join('?' * len(Recorded.__struct_fields__))})"
_OUTBOX = "INSERT INTO outbox (tournament, position, cause) VALUES (?, ?, ?)"
_IN_RANGE = f"""SELECT command_id, position FROM events
    WHERE command_id LIKE '{KEYED_PATTERN}' AND {ID_IN_LOG} >= :begin{{0}} AND {ID_IN_LOG} < :end{{0}}"""
_WAITING_AT_ONCE = 100
"""Outbox rows of one statement: that takes half the time of as many statements."""
_SEQUENCE = """INSERT INTO feed (feed, tournament, position)
    SELECT (SELECT coalesce(max(feed), 0) FROM feed) + row_number() OVER (ORDER BY id), tournament, position
    FROM outbox WHERE id <= :last"""


class SqliteConnection(Connection):
    """A connection to a file. The driver takes parameters as `:name`."""

    now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    octets = "length(CAST({} AS BLOB))"
    for_update = ""  # there is one writer anyway
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
            waiting = zip(events, causes or [""] * len(events), strict=True)
            rows = [(event.tournament, event.position, cause) for event, cause in waiting]
            for start in range(0, len(rows), _WAITING_AT_ONCE):
                together = rows[start : start + _WAITING_AT_ONCE]
                cursor.execute(_waiting(len(together)), list(chain.from_iterable(together)))
        return True

    def find_keys_in(self, ranges: Sequence[tuple[str, str]]) -> Iterable[tuple[str, int]]:
        values: dict[str, str] = {}
        for index, (begin, end) in enumerate(ranges):
            values |= {f"begin{index}": begin, f"end{index}": end}
        found: Iterable[tuple[str, int]] = self._run(_in_ranges(len(ranges)), values)
        return found

    def sequence(self, limit: int) -> int:
        last = self.value("SELECT max(id) FROM (SELECT id FROM outbox ORDER BY id LIMIT :limit)", limit=limit)
        if last is None:
            return 0
        self.run(_SEQUENCE, last=last)
        return self.run("DELETE FROM outbox WHERE id <= :last", last=last)

    def delete_securely(self, sql: str, /, **values: Any) -> int:
        self.rows("PRAGMA secure_delete = ON")  # zeros in the file, not only a free page
        return super().delete_securely(sql, **values)


class SqliteDatabase(Database):
    """A file. A writing block takes the lock at once (BEGIN IMMEDIATE), since a lock taken late can only fail."""

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
        """Past SQLAlchemy, whose statements would cost as much as the disk."""
        # One writes at a time in any case: threads that wait here are woken at once, SQLite would have them poll.
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

    def bell(self) -> PipeChannel:
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
    """A named pipe next to the database file: ringing is one byte after the commit, waiting is `select`."""

    failures: tuple[type[Exception], ...] = (OSError,)

    def __init__(self, file: Path) -> None:
        # A hidden name: `cp base.sqlite3* elsewhere` would wait for ever for the end of a pipe.
        self._pipe = file.with_name(f".{file.name}.bell")
        self._reader: int | None = None

    def ring(self) -> None:
        """Wake the relay if it is waiting; do nothing otherwise."""
        try:
            writer = os.open(self._pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody waits (ENXIO, ENOENT); whoever comes looks before it waits
            return
        try:
            os.write(writer, b"!")
        except (BlockingIOError, BrokenPipeError):
            pass  # thousands of rings that nobody has heard yet, or the one who waited left just now
        finally:
            os.close(writer)

    def open(self) -> bool:
        if self._reader is None:
            with suppress(FileExistsError):
                os.mkfifo(self._pipe, 0o600)
            # Open for both, so that the pipe never reads as ended when the last one who rang is gone.
            reader = os.open(self._pipe, os.O_RDWR | os.O_NONBLOCK)
            if not stat.S_ISFIFO(os.fstat(reader).st_mode):
                os.close(reader)
                raise OSError(f"{self._pipe} is no pipe; it can be deleted")
            self._reader = reader
        return True

    def wait(self, seconds: float) -> bool:
        assert self._reader is not None
        rang, _, _ = select.select([self._reader], [], [], seconds)
        if rang:
            os.read(self._reader, 65536)
        return bool(rang)

    def close(self) -> None:
        if self._reader is not None:
            os.close(self._reader)
            self._reader = None


@cache
def _in_ranges(ranges: int) -> str:
    # A UNION of ranges, each of them found by the index of commands with a key; an OR would read the whole log.
    return " UNION ".join(map(_IN_RANGE.format, range(ranges)))


@cache
def _waiting(rows: int) -> str:
    return _OUTBOX + ", (?, ?, ?)" * (rows - 1)


def _prepare(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in SQLITE_PRAGMAS:
        cursor.execute(pragma)
    cursor.close()
