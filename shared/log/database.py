"""The database of a service: SQL with named parameters, and the log's statements for each engine.

    with database.writing() as connection:      one transaction
        connection.extend(head, events, own=True)
        connection.run("UPDATE relay SET published = :feed WHERE name = 'relay'", feed=7)

SQL is limited to what both SQLite and PostgreSQL understand. The differences are in `sqlite.py` and `postgresql.py`; no
other code depends on the engine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache, cached_property, lru_cache, partial
from typing import Any, ClassVar, Protocol

from msgspec import Struct
from sqlalchemy import Connection as Session
from sqlalchemy import Engine, PoolProxiedConnection, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, OperationalError

from shared import metrics
from shared.log.event import Head, Recorded

EVENT_COLUMNS = ", ".join(Recorded.__struct_fields__)
"""The columns of an event, for SELECT and INSERT."""
KEYED_PATTERN = "%~%"
"""LIKE pattern of command ids that carry an idempotency key; others are never looked up."""
ID_IN_LOG = "tournament || '/' || source || '/' || command_id"
"""Expression of the idempotency-key index. Queries must repeat it exactly to use that index."""
OWN_FEED = "feed"
"""The service's own feed; unlike other feeds, its rows have no source."""


def expand_lists(sql: str, values: Mapping[str, Any], lists: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Give each value of a list its own parameter: `IN (:ids)` becomes `IN (:ids0, :ids1)`."""
    expanded = {name: value for name, value in values.items() if name not in lists}
    for name in lists:
        items = {f"{name}{index}": value for index, value in enumerate(values[name])}
        expanded |= items
        sql = sql.replace(f"(:{name})", f"({', '.join(f':{item}' for item in items) or 'NULL'})")
    return sql, expanded


@lru_cache(2000)
def to_pyformat(sql: str) -> str:
    """Return a statement with `%(name)s` instead of `:name`; `::type` stays as it is."""
    return re.sub(r"(?<!:):([a-z]\w*)", r"%(\1)s", sql.replace("%", "%%"))


@cache
def feed_query(
    feed: str, columns: tuple[str, ...], of_source: bool, of_tournament: bool, last: bool, one_by_one: str
) -> str:
    """Return the query for events by feed position. Its parameters: source, tournament, after, limit."""
    selected = ", ".join(f"e.{name}" if name.isidentifier() else name for name in columns)
    source = ":source" if feed == OWN_FEED else "f.source"
    condition = "f.source = :source AND " if feed != OWN_FEED and of_source else ""
    condition += "f.tournament = :tournament AND " if of_tournament else ""
    event = f"e.source = {source} AND e.tournament = f.tournament AND e.position = f.position"
    rows = one_by_one.format(many=f"{feed} f", one="events e", where=event)
    return f"""SELECT f.feed, {selected} FROM {rows}
        WHERE {condition}f.feed > :after ORDER BY f.feed{" DESC" if last else ""} LIMIT :limit"""


_OPEN_HEAD = """INSERT INTO heads (source, tournament, position, hash)
    VALUES (:source, :tournament, :last, :last_hash) ON CONFLICT DO NOTHING"""
_MOVE_HEAD = """UPDATE heads SET position = :last, hash = :last_hash
    WHERE source = :source AND tournament = :tournament AND position = :expected AND hash = :expected_hash"""


def move_head_statement(expected: Head, events: Sequence[Recorded]) -> tuple[dict[str, object], str]:
    """Return the parameters and the statement that move the head of a log from `expected` to the last event."""
    first, last = events[0], events[-1]
    parameters: dict[str, object] = {
        "source": first.source,
        "tournament": first.tournament,
        "expected": expected.position,
        "expected_hash": expected.hash,
        "first": first.position,
        "last": last.position,
        "last_hash": last.hash,
    }
    return parameters, _MOVE_HEAD if expected.position else _OPEN_HEAD


def key_range(source: str, tournament: str, key: str) -> tuple[str, str]:
    """Return the range of the idempotency-key index that holds a key: `~` and DEL are the last characters of ASCII.

    Keys may contain a tilde, so the range may hold other keys too (see `match_keys`).
    """
    begin = f"{tournament}/{source}/{key}"
    return f"{begin}~", f"{begin}\x7f"


def match_keys(rows: Iterable[tuple[str, int]], keys: Sequence[str]) -> list[tuple[str, int]]:
    """Return the distinct rows (command id, position) whose command has one of the keys."""
    return [(id, position) for id, position in dict.fromkeys(rows) if id.rpartition("~")[0] in keys]


def news_parameters(tournament: str, heads: Mapping[str, Head], recopied: int) -> dict[str, object]:
    """Return the parameters of `news_query`."""
    parameters: dict[str, object] = {"tournament": tournament, "recopied": recopied}
    for index, (source, head) in enumerate(heads.items()):
        parameters |= {f"source{index}": source, f"after{index}": head.position}
    return parameters


@cache
def news_query(logs: int) -> str:
    """Return the query for new events of a number of logs, and for the last recopy."""
    # Each log is sorted separately: sorting the whole would take a fifth of the time of reading a large log.
    part = f"""SELECT * FROM (SELECT {EVENT_COLUMNS} FROM events
        WHERE source = :source{{0}} AND tournament = :tournament AND position > :after{{0}}
        ORDER BY position) AS log{{0}}"""
    numbered = ", ".join({"position": "id", "version": "0"}.get(name, "''") for name in Recorded.__struct_fields__)
    recopied = f"SELECT {numbered} FROM recopies WHERE tournament = :tournament AND id > :recopied"
    return " UNION ALL ".join([*map(part.format, range(logs)), recopied])


def split_news(result: Iterable[tuple[Any, ...]], recopied: int) -> tuple[int, list[tuple[Any, ...]]]:
    """Return the number of the last recopy and the event rows from the result of `news_query`."""
    rows = list(result)
    last: int = max((row[2] for row in rows if not row[0]), default=recopied)
    return last, rows if last == recopied else [row for row in rows if row[0]]


EXTRA_CONNECTIONS = 8
"""Connections above the pool size, for threads that serve no request; they close after use."""

Values = Mapping[str, Any]
"""Parameters of a statement by name."""


class LockedLog(Struct, frozen=True):
    """A log whose head is locked, and its contents when it was locked.

    last_recopy, new_rows: see `Connection.new_rows`. repeated: see `Connection.events_of_keys`.
    """

    connection: Connection
    last_recopy: int
    new_rows: Iterable[tuple[Any, ...]]
    repeated: Sequence[tuple[str, int]]


class Connection:
    """A driver connection. (SQLAlchemy's row objects would double the time to read a long log.)

    Statements take parameters as `:name`. A list expands to all of its values, as in `id IN (:ids)`; an empty list
    matches no row.
    """

    now: ClassVar[str]
    """SQL for the engine's clock in Unix ms."""
    octets: ClassVar[str]
    """SQL for the number of bytes of a text."""
    for_update: ClassVar[str]
    """Suffix of a SELECT that locks its rows."""
    one_by_one: ClassVar[str]
    """SQL that joins each row of one table with the row of another that a key finds."""
    has_revisions: ClassVar[str]
    """Query that finds a row if the table of migrations exists and can be read."""

    def __init__(self, driver: PoolProxiedConnection, session: Callable[[], Session] | None = None) -> None:
        """session: opens the SQLAlchemy connection when it is needed."""
        self._driver = driver
        self._session = session

    @cached_property
    def session(self) -> Session:
        """The SQLAlchemy connection, for migrations; not available in `appending`."""
        assert self._session is not None
        session = self._session()
        session.begin()  # join the open transaction: Alembic would otherwise begin and commit its own
        return session

    def rows(self, sql: str, /, **values: Any) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        return list(self._execute(sql, values))

    def first(self, sql: str, /, **values: Any) -> tuple[Any, ...] | None:
        """Return the first row, or None if there is none."""
        rows = self.rows(sql, **values)  # read all: SQLite cannot commit while a statement is unfinished
        return rows[0] if rows else None

    def value(self, sql: str, /, **values: Any) -> Any:
        """Return the first column of the first row, or None if there is none."""
        row = self.first(sql, **values)
        return None if row is None else row[0]

    def run(self, sql: str, /, **values: Any) -> int:
        """Run a statement that writes. Return the number of rows it wrote."""
        return int(self._execute(sql, values).rowcount)

    def run_many(self, sql: str, rows: Sequence[Values]) -> int:
        """Run a statement once for each mapping of values. Return the number of rows it wrote."""
        if not rows:
            return 0
        cursor = self._driver.cursor()
        cursor.executemany(self.translate(sql), rows)
        return cursor.rowcount

    def lock_rows(self, sql: str, /, **values: Any) -> list[tuple[Any, ...]]:
        """Return all rows of a query and lock them until the transaction ends."""
        return self.rows(sql + self.for_update, **values)

    def delete_securely(self, sql: str, /, **values: Any) -> int:
        """Run a DELETE and overwrite the content that the engine would leave in its file. Return the number of rows."""
        return self.run(sql, **values)

    def lock_table(self, name: str) -> None:
        """Lock a table against writes until the transaction ends. An engine with a single writer does nothing."""

    def extend(
        self,
        expected: Head,
        events: Sequence[Recorded],
        *,
        own: bool,
        causes: Sequence[str] = (),
        last: bool = False,
    ) -> bool:
        """Append consecutive events of one log after `expected`, with outbox rows if the log is the service's own.

        All events enter the table through this method, own ones and copies.
        causes: the request of each event, for the outbox; empty for none. last: nothing follows in this block, so the
        engine may commit in the same round trip.
        Return False and write nothing if the head has moved.
        """
        raise NotImplementedError

    def events_of_keys(self, source: str, tournament: str, keys: Sequence[str]) -> list[tuple[str, int]]:
        """Return command id and position of the events whose commands have one of these idempotency keys."""
        if not keys:
            return []
        return match_keys(self.find_keys_in([key_range(source, tournament, key) for key in keys]), keys)

    def find_keys_in(self, ranges: Sequence[tuple[str, str]]) -> Iterable[tuple[str, int]]:
        """Return command id and position of events in these ranges of the key index, possibly with duplicates."""
        raise NotImplementedError

    def new_rows(
        self, tournament: str, heads: Mapping[str, Head], recopied: int
    ) -> tuple[int, Iterable[tuple[Any, ...]]]:
        """Return the number of the last recopy and the event rows after `heads`, each log in order.

        The number is `recopied` if no recopy followed. Everything is read at one moment.
        """
        return split_news(self.query_news(tournament, heads, recopied), recopied)

    def query_news(self, tournament: str, heads: Mapping[str, Head], recopied: int) -> Iterable[tuple[Any, ...]]:
        """Return the rows of `news_query`, for `split_news`."""
        sql, values = news_query(len(heads)), news_parameters(tournament, heads, recopied)
        rows: Iterable[tuple[Any, ...]] = self._run(sql, values)
        return rows

    def feed_rows(
        self,
        feed: str,
        source: str,
        columns: Sequence[str],
        *,
        after: int,
        limit: int,
        last: bool = False,
        tournament: str = "",
    ) -> list[tuple[Any, ...]]:
        """Return feed position and columns of the events of a feed after position `after`, in feed order.

        feed: a table; `feed` is the own feed, all others have a column `source`. columns: SQL over `events`.
        source, tournament: filters; empty for all. last: in reverse order, from the end of the feed.
        """
        sql = feed_query(feed, tuple(columns), bool(source), bool(tournament), last, self.one_by_one)
        return self.rows(sql, source=source, tournament=tournament, after=after, limit=limit)

    def assign_feed_positions(self, limit: int) -> int:
        """Move the oldest `limit` outbox rows to the next feed positions. Return the number of rows.

        Rows of one tournament keep their order, whichever transaction committed first.
        """
        raise NotImplementedError

    def revisions(self) -> list[str]:
        """Return the current revision of each migration chain."""
        if self.first(self.has_revisions) is None:
            return []
        return [name for (name,) in self.rows("SELECT version_num FROM alembic_version")]

    def translate(self, sql: str) -> str:
        """Return a statement in the parameter style of the driver."""
        return sql

    def _execute(self, sql: str, values: Values) -> Any:
        if lists := [name for name, value in values.items() if isinstance(value, list)]:
            sql, values = expand_lists(sql, values, lists)
        return self._run(sql, values)

    def _run(self, sql: str, values: Values) -> Any:
        cursor = self._driver.cursor()
        cursor.execute(self.translate(sql), values)
        return cursor


class WakeupChannel(Protocol):
    """Wakes the process that waits for commits.

    failures: exceptions of `open` and `wait` that mean that the channel does not work.
    """

    failures: tuple[type[Exception], ...]

    def notify(self) -> None:
        """Announce a commit, unless the append itself has done so."""

    def open(self) -> bool:
        """Receive every notification from now on. Return False if there is no channel."""

    def wait(self, seconds: float) -> bool:
        """Wait for a notification, at most `seconds`. Return True if there was one."""

    def close(self) -> None:
        """Stop listening."""


class Database:
    """An SQLAlchemy engine in autocommit mode; statements begin and end transactions."""

    name: ClassVar[str]
    """Name of the engine, as in /readyz."""
    connection: ClassVar[type[Connection]]
    begin: ClassVar[str]
    lost: ClassVar[frozenset[str]] = frozenset()
    """SQLSTATEs of sessions that are lost, although the driver reports an internal error."""

    def __init__(self, url: str, pool_size: int = 8, **options: object) -> None:
        options |= {"isolation_level": "AUTOCOMMIT", "pool_reset_on_return": None}
        options["hide_parameters"] = True  # log lines show failed statements, but not their values
        self.url = make_url(url)
        self.engine: Engine = create_engine(url, pool_size=pool_size, max_overflow=EXTRA_CONNECTIONS, **options)
        _measure(self.engine, pool_size + EXTRA_CONNECTIONS)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection without a transaction: each statement sees what is committed at that moment."""
        with self.raw_connection() as driver:
            yield self.connection(driver, partial(Session, self.engine, driver))

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield a connection inside one transaction: committed at the end of the block, rolled back if it raises."""
        with self.raw_connection() as driver:
            connection = self.connection(driver, partial(Session, self.engine, driver))
            connection.run(self.begin)
            try:
                yield connection
                connection.run("COMMIT")
            except BaseException:
                self.roll_back(driver)
                raise

    def appending(self) -> AbstractContextManager[Connection]:
        """Like `writing()`, for a single `extend()`."""
        raise NotImplementedError

    @contextmanager
    def locking_log(
        self, source: str, tournament: str, heads: Mapping[str, Head], recopied: int, keys: Sequence[str]
    ) -> Iterator[LockedLog]:
        """Like `writing()`, but also lock the head of a log until the block ends.

        heads, recopied: as for `Connection.new_rows`. keys: idempotency keys, as for `Connection.events_of_keys`.
        An empty log has no head to lock; there `extend()` returns False if another append was faster.
        """
        with self.appending() as connection:
            last_recopy, rows = connection.new_rows(tournament, heads, recopied)
            yield LockedLog(connection, last_recopy, rows, connection.events_of_keys(source, tournament, keys))

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """Like `writing()`, for one process at a time and without a time limit."""
        with self.writing() as connection:
            yield connection

    def protect(self, connection: Connection, user: str) -> None:
        """Give the role that runs the service exactly the privileges it needs, after a migration."""

    def wakeup_channel(self) -> WakeupChannel:
        """Return the channel that wakes the relay."""
        raise NotImplementedError

    def owns_its_tables(self) -> bool | None:
        """Return True if the current user could drop the triggers on events; None for an engine without users."""
        return None

    def reachable_databases(self, service: str, peers: Collection[str]) -> list[str]:
        """Return other services' databases that the current user may connect to; empty for an engine without users."""
        return []

    def truncate_journal(self) -> None:
        """Remove securely deleted rows from the engine's journal too, unless it is being read at this moment."""

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def raw_connection(self) -> Iterator[PoolProxiedConnection]:
        """Yield a driver connection from the pool: SQLAlchemy's wrapper costs as much as a short statement."""
        connection: PoolProxiedConnection | None = None
        try:
            connection = self.engine.raw_connection()
            yield connection
        except self.engine.dialect.loaded_dbapi.Error as error:
            raise self.translate_error(error, connection) from error
        finally:
            if connection is not None:
                connection.close()

    def translate_error(self, error: Any, connection: PoolProxiedConnection | None) -> Exception:
        """Return the SQLAlchemy exception of a driver error, and remove dead connections from the pool.

        connection: None if connecting failed.
        """
        lost, dialect = self.is_lost(error), self.engine.dialect
        alive = connection if connection is not None and connection.is_valid else None
        if alive is not None and (lost or dialect.is_disconnect(error, alive.driver_connection, None)):
            alive.invalidate(error)
            self.engine.dispose()  # a server that restarted has cut all other connections too
        if lost:
            return OperationalError(None, None, error, connection_invalidated=True)
        translated: Exception = DBAPIError.instance(None, None, error, dialect.loaded_dbapi.Error)
        return translated

    def roll_back(self, driver: PoolProxiedConnection) -> None:
        """Roll back an open transaction, so that the pool gets a clean connection; discard one that cannot."""
        if driver.is_valid:
            try:
                driver.rollback()
            except self.engine.dialect.loaded_dbapi.Error:
                driver.invalidate()

    def is_lost(self, error: BaseException | None) -> bool:
        """Return True if an error means that the session is lost."""
        return getattr(error, "sqlstate", None) in self.lost


def _measure(engine: Engine, limit: int) -> None:
    """Count the open connections of a pool and those in use. limit: the maximum number of connections."""
    metrics.CONNECTIONS_LIMIT.inc(limit)
    opened, in_use = metrics.CONNECTIONS.labels("open"), metrics.CONNECTIONS.labels("in_use")
    counted = {"connect": opened.inc, "close": opened.dec, "checkout": in_use.inc, "checkin": in_use.dec}
    for name, count in counted.items():
        event.listen(engine, name, lambda *_, count=count: count())
