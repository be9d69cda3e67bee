"""PostgreSQL. An append is one statement, and so one round trip: head, events, outbox and the notification.

A log that is read from its beginning comes in pages of one row. With a row for each event, the driver would spend half
the time of folding a long log on messages, tuples and column values. The server joins each column of a page to one text
instead, which is split at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from itertools import chain, repeat
from typing import Any

from sqlalchemy import event

from shared.log.database import (
    EVENT_COLUMNS,
    ID_IN_LOG,
    KEYED_PATTERN,
    Connection,
    Database,
    LockedLog,
    key_range,
    match_keys,
    move_head_statement,
    news_parameters,
    split_news,
    to_pyformat,
)
from shared.log.event import Head, Recorded
from shared.log.grants import grant, owns_its_tables, peer_database_names, pin_search_path, reachable_databases

PAGE_EVENTS = 500
"""Events of one row; at most 125 MB."""
SEPARATOR = "\x1e"
"""Separates the values of a column; canonical JSON cannot contain it."""
_PLACE = ("source", "tournament", "position")
_JOINED_COLUMNS = tuple(name for name in Recorded.__struct_fields__ if name not in _PLACE)
_VERSION = _JOINED_COLUMNS.index("version")
_TEXTS = tuple("version::text" if name == "version" else name for name in _JOINED_COLUMNS)
_OF = "source = :source{0} AND tournament = :tournament"
# The primary key gives the order of the pages and of the events in each page.
_PAGES = f"""SELECT * FROM (SELECT :source{{0}}::text, :tournament::text, page.*
    FROM generate_series(:after{{0}}::int, (SELECT max(position) FROM events WHERE {_OF}) - 1, {PAGE_EVENTS}) AS below
    CROSS JOIN LATERAL (
        SELECT min(position), max(position) AS last, count(*),
            {", ".join(f"string_agg({text}, chr(30))" for text in _TEXTS)}
        FROM (SELECT position, {", ".join(_JOINED_COLUMNS)} FROM events
            WHERE {_OF} AND position > below AND position <= below + {PAGE_EVENTS} ORDER BY position) AS event) AS page
    ) AS log{{0}}"""
_RECOPIED = f"""SELECT '', '', id, 0, 0{", ''" * len(_TEXTS)} FROM recopies
    WHERE tournament = :tournament AND id > :recopied"""


@cache
def pages_query(logs: int) -> str:
    """Return the query for a number of whole logs in pages, and for recopies. Parameters: see `news_parameters`."""
    return " UNION ALL ".join([*map(_PAGES.format, range(logs)), _RECOPIED])


def unpack_pages(rows: Iterable[tuple[Any, ...]], heads: Mapping[str, Head]) -> Iterator[tuple[Any, ...]] | None:
    """Return an iterator over the event rows in pages after `heads`.

    Return None if a log has a gap or a value contains the separator; then the events must be read row by row.
    """
    events: list[Iterable[tuple[Any, ...]]] = []
    ends = {source: head.position for source, head in heads.items()}
    for source, tournament, first, last, count, *texts in rows:
        if first != ends[source] + 1 or last != ends[source] + count:
            return None
        split = [text.split(SEPARATOR) for text in texts]
        if any(len(column) != count for column in split):
            return None
        columns: list[Iterable[Any]] = [*split]
        columns[_VERSION] = map(int, split[_VERSION])
        events.append(zip(repeat(source), repeat(tournament), range(first, last + 1), *columns))
        ends[source] = last
    return chain.from_iterable(events)


NOTIFY_CHANNEL = "muster_outbox"
"""The NOTIFY channel that wakes the relay after an append."""
COLUMN_TYPES = {
    "position": "int",
    "id": "text",
    "type": "text",
    "version": "int",
    "time": "text",
    "actor": "text",
    "command_id": "text",
    "seen": "text",
    "prev_hash": "text",
    "hash": "text",
    "data": "text",
    "command": "text",
}
"""The columns that differ between the events of one log, in the order of Recorded, with their types."""
# Most commands have one event, which is sent as plain values: arrays with unnest would double the time.
_ONE = f"(SELECT {', '.join(f':{name}::{kind}' for name, kind in COLUMN_TYPES.items())})"
# Several events are sent as one text for each column, which the server splits: escaping arrays value by value in the
# driver took four fifths of such an append. If a value contains the separator, arrays are sent.
_JOINED = f"unnest({', '.join(f'string_to_array(:{name}, chr(30))::{kind}[]' for name, kind in COLUMN_TYPES.items())})"
_LISTED = f"unnest({', '.join(f':{name}::{kind}[]' for name, kind in COLUMN_TYPES.items())})"
_EXTEND = f"""WITH moved AS ({{move}} RETURNING 1), added AS (
    INSERT INTO events ({EVENT_COLUMNS})
    SELECT :source, :tournament, row.* FROM moved, {{rows}} AS row){{outbox}}
    SELECT {{answer}} FROM moved"""
_OUTBOX = """, out AS (INSERT INTO outbox (tournament, position, cause)
    SELECT :tournament, row.* FROM moved, {rows} AS row)"""
_WAITS_ONE = "(SELECT :position::int, :cause::text)"
_WAITS_JOINED = "unnest(string_to_array(:position, chr(30))::int[], string_to_array(:cause, chr(30)))"
_WAITS_LISTED = "unnest(:position::int[], :cause::text[])"
_ROWS = {"one": (_ONE, _WAITS_ONE), "joined": (_JOINED, _WAITS_JOINED), "listed": (_LISTED, _WAITS_LISTED)}
"""Encoding -> SQL of the event rows and of the outbox rows."""
# NOTIFY holds a lock over the whole cluster while the commit is flushed, so notifying commits wait for each other. A
# busy relay looks for events anyway and needs no notification.
_NOTIFY = f"""CASE WHEN (SELECT busy FROM relay WHERE name = 'relay') = 0
    THEN pg_notify('{NOTIFY_CHANNEL}', '')::text END"""


def encode_rows(columns: Mapping[str, list[Any]]) -> tuple[str, dict[str, Any]]:
    """Return the encoding of rows (a key of `_ROWS`) and the encoded value of each column."""
    number = len(columns["position"])
    if number == 1:
        return "one", {name: values[0] for name, values in columns.items()}
    joined = {name: SEPARATOR.join(map(str, values)) for name, values in columns.items()}
    if any(text.count(SEPARATOR) != number - 1 for text in joined.values()):
        return "listed", dict(columns)
    return "joined", joined


@cache
def append_statement(move: str, encoding: str, own: bool) -> str:
    """Return the statement of an append; rows are written only if `move` moves the head. encoding: of `encode_rows`."""
    events, outbox = _ROWS[encoding]
    return _EXTEND.format(
        move=move,
        rows=events,
        outbox=_OUTBOX.format(rows=outbox) if own else "",
        answer=_NOTIFY if own else "1",
    )


POSTGRESQL_SETTINGS = (
    "SET idle_in_transaction_session_timeout = '10s'",
    "SET lock_timeout = '15s'",
    "SET plan_cache_mode = force_generic_plan",
    "SET jit = off",
    "SET enable_seqscan = off",
    "SET enable_bitmapscan = off",
)
"""Settings of each session.

The idle timeout ends sessions that stall inside a transaction (a paused machine, a pulled cable) and would block all
others with their locks. The lock timeout bounds the wait for a lock, as on SQLite; it is longer than the idle timeout,
so that a waiter gets the lock of a stalled session.

Statements find rows by keys, so planning or compiling them for each set of values would take longer than running them.
A generic plan is made once, possibly while tables are empty, and must still be good when they are large: it must use
indexes.
"""
LOST_SESSION_STATES = frozenset({"25P03", "25P04", "25006"})
"""SQLSTATEs of lost sessions that the driver reports as internal errors: ended by the idle or transaction timeout, or
read-only because another server has taken over. (57P01 to 57P05 and 08xxx are operational errors already.)
"""
MIGRATION_LOCK = 0x6D757374
"""Advisory lock of the process that migrates."""

# One statement for any number of keys; a separate text for each number would be planned again and again.
_IN_RANGES = f"""SELECT found.* FROM unnest(:begins::text[], :ends::text[]) AS k(begin, behind), LATERAL (
    SELECT command_id, position FROM events WHERE command_id LIKE '{KEYED_PATTERN}'
      AND {ID_IN_LOG} >= k.begin AND {ID_IN_LOG} < k.behind OFFSET 0) AS found"""
_COMMIT = "COMMIT"
_HOLD = "SELECT position FROM heads WHERE source = :source AND tournament = :tournament FOR UPDATE"
_SEQUENCE = """WITH taken AS (
    DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT :limit) RETURNING id, tournament, position)
    INSERT INTO feed (feed, tournament, position)
    SELECT (SELECT coalesce(max(feed), 0) FROM feed) + row_number() OVER (ORDER BY id), tournament, position
    FROM taken"""


class PostgresqlConnection(Connection):
    """A connection to a PostgreSQL server."""

    now = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
    octets = "octet_length({})"
    for_update = " FOR UPDATE"
    # OFFSET 0 keeps the planner from joining both tables whole, which looks cheaper while they are empty.
    one_by_one = "{many} CROSS JOIN LATERAL (SELECT * FROM {one} WHERE {where} OFFSET 0) e"
    # A role without privileges has not been granted them by a migration yet, so an unreadable table counts as missing.
    has_revisions = """SELECT 1 FROM pg_class WHERE oid = to_regclass('alembic_version')
        AND has_table_privilege(oid, 'SELECT')"""

    holds = False
    """True while a transaction is open that `lock_log` began."""

    def translate(self, sql: str) -> str:
        return to_pyformat(sql)

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
        columns: dict[str, list[Any]] = {name: [getattr(event, name) for event in events] for name in COLUMN_TYPES}
        if own:
            columns["cause"] = list(causes or [""] * len(events))
        encoding, rows = encode_rows(columns)
        statement, values = append_statement(move, encoding, own), {**parameters, **rows}
        if not (last and self.holds):
            return self._run(statement, values).fetchone() is not None
        with self.pipeline():
            moved = self._run(statement, values)
            self._run(_COMMIT, {})
        self.holds = False
        return moved.fetchone() is not None

    def find_keys_in(self, ranges: Sequence[tuple[str, str]]) -> Iterable[tuple[str, int]]:
        lower, upper = (list(bounds) for bounds in zip(*ranges, strict=True))
        rows: Iterable[tuple[str, int]] = self._run(_IN_RANGES, {"begins": lower, "ends": upper})
        return rows

    def new_rows(
        self, tournament: str, heads: Mapping[str, Head], recopied: int
    ) -> tuple[int, Iterable[tuple[Any, ...]]]:
        if any(head.position for head in heads.values()):
            return super().new_rows(tournament, heads, recopied)
        rows = list(self._run(pages_query(len(heads)), news_parameters(tournament, heads, recopied)))
        events = unpack_pages([row for row in rows if row[0]], heads)
        if events is None:
            return super().new_rows(tournament, heads, recopied)
        return max((row[2] for row in rows if not row[0]), default=recopied), events

    def lock_log(
        self, source: str, tournament: str, heads: Mapping[str, Head], recopied: int, keys: Sequence[str]
    ) -> LockedLog:
        """Begin a transaction, lock the head of a log and read its new events.

        The statements are sent together. Each sees what was committed when it began, so the statements after the lock
        see everything that the previous holder committed.
        """
        known = any(head.position for head in heads.values())
        with self.pipeline():
            self._run(PostgresqlDatabase.begin, {})
            self._run(_HOLD, {"source": source, "tournament": tournament})
            found = self.find_keys_in([key_range(source, tournament, key) for key in keys]) if keys else ()
            rows = self.query_news(tournament, heads, recopied) if known else ()
        self.holds = True
        last, news = split_news(rows, recopied) if known else self.new_rows(tournament, heads, recopied)
        return LockedLog(self, last, news, match_keys(found, keys))

    def pipeline(self) -> AbstractContextManager[object]:
        """Send the statements of a block together at its end; their results can be read afterwards.

        If a statement fails, the following ones are not run and its error is raised.
        """
        driver = self._driver.driver_connection
        assert driver is not None
        pipeline: AbstractContextManager[object] = driver.pipeline()
        return pipeline

    def assign_feed_positions(self, limit: int) -> int:
        self.lock_rows("SELECT published FROM relay WHERE name = 'relay'")
        return self.run(_SEQUENCE, limit=limit)

    def lock_table(self, name: str) -> None:
        self.run(f"LOCK TABLE {name} IN SHARE ROW EXCLUSIVE MODE")


class PostgresqlDatabase(Database):
    """A PostgreSQL database."""

    name = "postgresql"
    connection = PostgresqlConnection
    begin = "BEGIN"
    lost = LOST_SESSION_STATES

    def __init__(self, url: str, pool_size: int = 8) -> None:
        super().__init__(url, pool_size)
        event.listen(self.engine, "connect", _prepare)

    @contextmanager
    def appending(self) -> Iterator[PostgresqlConnection]:
        """Yield a connection in autocommit mode: an append is one statement."""
        with self.raw_connection() as driver:
            yield PostgresqlConnection(driver)

    @contextmanager
    def locking_log(
        self, source: str, tournament: str, heads: Mapping[str, Head], recopied: int, keys: Sequence[str]
    ) -> Iterator[LockedLog]:
        """Lock a log in one round trip; bypasses SQLAlchemy, whose overhead would equal the server's work."""
        with self.raw_connection() as driver:
            connection = PostgresqlConnection(driver)
            try:
                yield connection.lock_log(source, tournament, heads, recopied, keys)
                if connection.holds:
                    driver.cursor().execute(_COMMIT)
            except BaseException:
                self.roll_back(driver)
                raise

    def wakeup_channel(self) -> NotifyChannel:
        return NotifyChannel(self)

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """Like `writing()`, under an advisory lock that waits for another migration without a time limit."""
        with self.writing() as connection:
            connection.run("SET LOCAL lock_timeout = 0")
            connection.rows(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
            connection.run("SET LOCAL idle_in_transaction_session_timeout = 0")  # a migration may compute
            yield connection

    def protect(self, connection: Connection, user: str) -> None:
        pin_search_path(connection.session)
        if user:
            grant(connection.session, user)

    def owns_its_tables(self) -> bool:
        with self.reading() as connection:
            return owns_its_tables(connection.session)

    def reachable_databases(self, service: str, peers: Collection[str]) -> list[str]:
        names = peer_database_names(self.engine.url.database or "", service, peers)
        with self.reading() as connection:
            return reachable_databases(connection.session, names)


class NotifyChannel:
    """LISTEN on a separate connection; appends notify in their own statement."""

    def __init__(self, database: PostgresqlDatabase) -> None:
        self._engine = database.engine
        self._listener: Any = None
        # The error class is the engine's, so that SQLite installations need not import psycopg, which is slow.
        self.failures: tuple[type[Exception], ...] = (OSError, self._engine.dialect.loaded_dbapi.Error)

    def notify(self) -> None:
        """Do nothing: the append has notified already."""

    def open(self) -> bool:
        if self._listener is None:
            positional, named = self._engine.dialect.create_connect_args(self._engine.url)
            self._listener = self._engine.dialect.loaded_dbapi.connect(*positional, **named, autocommit=True)
            self._listener.execute(f"LISTEN {NOTIFY_CHANNEL}")
        return True

    def wait(self, seconds: float) -> bool:
        notified = False
        for _ in self._listener.notifies(timeout=seconds, stop_after=1):
            notified = True
        for _ in self._listener.notifies(timeout=0):
            notified = True
        return notified

    def close(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None


def _prepare(connection: Any, _record: Any) -> None:
    connection.execute("; ".join(POSTGRESQL_SETTINGS))
