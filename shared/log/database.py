"""The database of a service: SQL with named parameters, and the statements of the log in the form of each engine.

    with database.writing() as connection:      one transaction
        connection.extend(head, events, own=True)
        connection.run("UPDATE relay SET published = :feed WHERE name = 'relay'", feed=7)

SQL is what SQLite and PostgreSQL both understand; `sqlite.py` and `postgresql.py` have the rest, and nothing else knows
which one is at work.
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
"""The columns of an event."""
KEYED_PATTERN = "%~%"
"""Ids of commands that came with an idempotency key, for LIKE; the others are never looked up."""
ID_IN_LOG = "tournament || '/' || source || '/' || command_id"
"""The expression of the index of commands with a key; a query has to repeat it exactly."""
OWN_FEED = "feed"
"""The one feed whose rows name no source: all of its events are the service's own."""


def expand_lists(sql: str, values: Mapping[str, Any], lists: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Give each value of a list a parameter of its own: `IN (:ids)` becomes `IN (:ids0, :ids1)`."""
    expand_lists = {name: value for name, value in values.items() if name not in lists}
    for name in lists:
        of_list = {f"{name}{index}": value for index, value in enumerate(values[name])}
        expand_lists |= of_list
        sql = sql.replace(f"(:{name})", f"({', '.join(f':{one}' for one in of_list) or 'NULL'})")
    return sql, expand_lists


@lru_cache(2000)
def to_pyformat(sql: str) -> str:
    """A statement with `%(name)s` for `:name`; `::type` stays as it is."""
    return re.sub(r"(?<!:):([a-z]\w*)", r"%(\1)s", sql.replace("%", "%%"))


@cache
def feed_query(
    feed: str, columns: tuple[str, ...], of_source: bool, of_tournament: bool, last: bool, one_by_one: str
) -> str:
    """Reads events by their place in a feed; parameters: source, tournament, after, limit."""
    selected = ", ".join(f"e.{name}" if name.isidentifier() else name for name in columns)
    source = ":source" if feed == OWN_FEED else "f.source"
    mine = "f.source = :source AND " if feed != OWN_FEED and of_source else ""
    mine += "f.tournament = :tournament AND " if of_tournament else ""
    event = f"e.source = {source} AND e.tournament = f.tournament AND e.position = f.position"
    rows = one_by_one.format(many=f"{feed} f", one="events e", where=event)
    return f"""SELECT f.feed, {selected} FROM {rows}
        WHERE {mine}f.feed > :after ORDER BY f.feed{" DESC" if last else ""} LIMIT :limit"""


_OPEN_HEAD = """INSERT INTO heads (source, tournament, position, hash)
    VALUES (:source, :tournament, :last, :last_hash) ON CONFLICT DO NOTHING"""
_MOVE_HEAD = """UPDATE heads SET position = :last, hash = :last_hash
    WHERE source = :source AND tournament = :tournament AND position = :expected AND hash = :expected_hash"""


def move_head_statement(expected: Head, events: Sequence[Recorded]) -> tuple[dict[str, object], str]:
    """Return parameters and statement that move the head of a log from `expected` to the last of these events."""
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
    """Where the index of commands with a key may hold this one: a tilde is the last sign but one of ASCII.

    A key may hold a tilde itself, so other keys may lie there, too.
    """
    begin = f"{tournament}/{source}/{key}"
    return f"{begin}~", f"{begin}\x7f"


def match_keys(found: Iterable[tuple[str, int]], keys: Sequence[str]) -> list[tuple[str, int]]:
    """Of what lies in the ranges of keys that which came with one of them; each once."""
    return [(id, position) for id, position in dict.fromkeys(found) if id.rpartition("~")[0] in keys]


def news_parameters(tournament: str, heads: Mapping[str, Head], recopied: int) -> dict[str, object]:
    """What says which news are meant."""
    parameters: dict[str, object] = {"tournament": tournament, "recopied": recopied}
    for index, (source, head) in enumerate(heads.items()):
        parameters |= {f"source{index}": source, f"after{index}": head.position}
    return parameters


@cache
def news_query(logs: int) -> str:
    """A statement that asks so many logs, and for the last recopy."""
    # Each part in its own order, one behind the other: sorting the whole would cost a large log a fifth of its reading.
    part = f"""SELECT * FROM (SELECT {EVENT_COLUMNS} FROM events
        WHERE source = :source{{0}} AND tournament = :tournament AND position > :after{{0}}
        ORDER BY position) AS log{{0}}"""
    numbered = ", ".join({"position": "id", "version": "0"}.get(name, "''") for name in Recorded.__struct_fields__)
    recopied = f"SELECT {numbered} FROM recopies WHERE tournament = :tournament AND id > :recopied"
    return " UNION ALL ".join([*map(part.format, range(logs)), recopied])


def split_news(asked: Iterable[tuple[Any, ...]], recopied: int) -> tuple[int, list[tuple[Any, ...]]]:
    """What the rows that were asked for say: the number of the last recopy, and events."""
    rows = list(asked)
    last: int = max((row[2] for row in rows if not row[0]), default=recopied)
    return last, rows if last == recopied else [row for row in rows if row[0]]


EXTRA_CONNECTIONS = 8
"""Connections beyond those that are kept: for threads that are nobody's request. They close when they are done."""

Values = Mapping[str, Any]
"""Parameters of a statement by their names."""


class LockedLog(Struct, frozen=True):
    """A log whose head no one else can move, and what was there when it was locked.

    recopied, news: as of `Connection.news`. done: as of `Connection.done`.
    """

    connection: Connection
    recopied: int
    news: Iterable[tuple[Any, ...]]
    done: Sequence[tuple[str, int]]


class Connection:
    """A connection of the driver: SQLAlchemy's rows would double the time that a long log takes to read.

    Statements have their parameters as `:name`. A list stands for all of its values: `id IN (:ids)`, which is true for
    no row if the list is empty.
    """

    now: ClassVar[str]
    """SQL for the engine's own clock, Unix ms."""
    octets: ClassVar[str]
    """SQL for the number of bytes of a text."""
    for_update: ClassVar[str]
    """Follows a SELECT whose rows no one else may change."""
    one_by_one: ClassVar[str]
    """SQL for rows of one table, each with the one row of another that a key finds."""
    has_revisions: ClassVar[str]
    """SQL that finds a row if the table of migrations can be read."""

    def __init__(self, driver: PoolProxiedConnection, session: Callable[[], Session] | None = None) -> None:
        """session: makes SQLAlchemy's own connection, if it is needed."""
        self._driver = driver
        self._session = session

    @cached_property
    def session(self) -> Session:
        """SQLAlchemy's own connection, for migrations; there is none in `appending`."""
        assert self._session is not None
        session = self._session()
        session.begin()  # the one that is open: Alembic would commit one of its own
        return session

    def rows(self, sql: str, /, **values: Any) -> list[tuple[Any, ...]]:
        """Return the rows that a statement finds."""
        return list(self._execute(sql, values))

    def one(self, sql: str, /, **values: Any) -> tuple[Any, ...] | None:
        """Return the first row, or None if there is none."""
        rows = self.rows(sql, **values)  # all of them: SQLite commits nothing while a statement is unfinished
        return rows[0] if rows else None

    def value(self, sql: str, /, **values: Any) -> Any:
        """Return the first column of the first row, or None if there is none."""
        row = self.one(sql, **values)
        return None if row is None else row[0]

    def run(self, sql: str, /, **values: Any) -> int:
        """Run a statement that writes; returns the number of rows that it wrote."""
        return int(self._execute(sql, values).rowcount)

    def run_many(self, sql: str, rows: Sequence[Values]) -> int:
        """Run a statement once for each row of values; returns the number of rows that it wrote."""
        if not rows:
            return 0
        cursor = self._driver.cursor()
        cursor.executemany(self.translate(sql), rows)
        return cursor.rowcount

    def lock_rows(self, sql: str, /, **values: Any) -> list[tuple[Any, ...]]:
        """As `rows`; no one else changes these rows until the end of the transaction."""
        return self.rows(sql + self.for_update, **values)

    def delete_securely(self, sql: str, /, **values: Any) -> int:
        """As `run`, for a DELETE: overwrite the content where the engine would leave it in its file."""
        return self.run(sql, **values)

    def lock_table(self, name: str) -> None:
        """Let no one else write to a table until the end of the transaction. An engine with one writer does nothing."""

    def extend(
        self,
        expected: Head,
        events: Sequence[Recorded],
        *,
        own: bool,
        causes: Sequence[str] = (),
        last: bool = False,
    ) -> bool:
        """Add consecutive events of one log after `expected`, and outbox rows too if the log is the service's own.

        This is the one way into `events`, for own appends and for copies. causes: kept in the outbox, one for each
        event, or none. last: the block writes nothing afterwards; so an engine may commit along with it.
        Returns False, with nothing written, if the head is not where it should be.
        """
        raise NotImplementedError

    def done(self, source: str, tournament: str, keys: Sequence[str]) -> list[tuple[str, int]]:
        """The events in a log whose command came with one of these idempotency keys: its id, and their positions."""
        if not keys:
            return []
        return match_keys(self.find_keys_in([key_range(source, tournament, key) for key in keys]), keys)

    def find_keys_in(self, ranges: Sequence[tuple[str, str]]) -> Iterable[tuple[str, int]]:
        """Ids of commands with a key in one of these ranges, and positions of their events; some come twice."""
        raise NotImplementedError

    def news(self, tournament: str, heads: Mapping[str, Head], recopied: int) -> tuple[int, Iterable[tuple[Any, ...]]]:
        """Whole events of a tournament after `heads` in the logs named there, each log in order.

        Also the number of the last recopy of one of its logs, if it is beyond `recopied`; all as of one moment.
        """
        return split_news(self.ask_for_news(tournament, heads, recopied), recopied)

    def ask_for_news(self, tournament: str, heads: Mapping[str, Head], recopied: int) -> Iterable[tuple[Any, ...]]:
        """Rows that `news_of` reads."""
        sql, values = news_query(len(heads)), news_parameters(tournament, heads, recopied)
        asked: Iterable[tuple[Any, ...]] = self._run(sql, values)
        return asked

    def placed(
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
        """Feed position and columns of the events in a feed after position `after`, in its order.

        feed: table; `feed` is the own one, any other names the source of each event. columns: of events, as SQL.
        source, tournament: whose events, and of which one; empty: those of every source, of all. last: backwards, from
        its end.
        """
        sql = feed_query(feed, tuple(columns), bool(source), bool(tournament), last, self.one_by_one)
        return self.rows(sql, source=source, tournament=tournament, after=after, limit=limit)

    def sequence(self, limit: int) -> int:
        """Give the oldest `limit` outbox rows the next feed positions; returns how many it gave.

        Rows of one tournament keep their order, whatever committed when.
        """
        raise NotImplementedError

    def revisions(self) -> list[str]:
        """The ends of the migrations that were run."""
        if self.one(self.has_revisions) is None:
            return []
        return [name for (name,) in self.rows("SELECT version_num FROM alembic_version")]

    def translate(self, sql: str) -> str:
        """A statement with its `:names` as the driver writes them."""
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
    """Wakes what waits for a commit. failures: raised by `open` and `wait` if nothing can be heard."""

    failures: tuple[type[Exception], ...]

    def ring(self) -> None:
        """Say that something was committed, if the append itself has not said it."""

    def open(self) -> bool:
        """Hear every ring from now on; False if there is no bell."""

    def wait(self, seconds: float) -> bool:
        """Wait for a ring, `seconds` at most; True if it rang."""

    def close(self) -> None:
        """Stop listening."""


class Database:
    """An engine of SQLAlchemy's in autocommit; transactions are begun and ended by statements."""

    name: ClassVar[str]
    """Of the engine, as /readyz shows it."""
    connection: ClassVar[type[Connection]]
    begin: ClassVar[str]
    lost: ClassVar[frozenset[str]] = frozenset()
    """States of a session that is of no use any more, though the driver calls it an internal error."""

    def __init__(self, url: str, pool_size: int = 8, **options: object) -> None:
        options |= {"isolation_level": "AUTOCOMMIT", "pool_reset_on_return": None}
        options["hide_parameters"] = True  # a failed statement is told in log lines, and not what it would have kept
        self.url = make_url(url)
        self.engine: Engine = create_engine(url, pool_size=pool_size, max_overflow=EXTRA_CONNECTIONS, **options)
        _measure(self.engine, pool_size + EXTRA_CONNECTIONS)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection on which every statement stands alone, and sees what is committed at that moment."""
        with self.raw_connection() as driver:
            yield self.connection(driver, partial(Session, self.engine, driver))

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection inside one transaction: committed at the end of the block, rolled back if it raises."""
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
        """As `writing`, for one `extend` and nothing else."""
        raise NotImplementedError

    @contextmanager
    def locking_log(
        self, source: str, tournament: str, heads: Mapping[str, Head], recopied: int, keys: Sequence[str]
    ) -> Iterator[LockedLog]:
        """As `writing`, and no one else moves the head of that log until the end of the block.

        heads, recopied: after which news are looked for, as of `Connection.news`. keys: of commands, as of `done`.
        A log that has no event yet has no head to lock: `extend` says if another append was faster.
        """
        with self.appending() as connection:
            last, news = connection.news(tournament, heads, recopied)
            yield LockedLog(connection, last, news, connection.done(source, tournament, keys))

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """As `writing`, for one process at a time, however long it takes."""
        with self.writing() as connection:
            yield connection

    def protect(self, connection: Connection, user: str) -> None:
        """After a migration: let the role that runs the service do what it needs, and nothing else."""

    def bell(self) -> WakeupChannel:
        """What wakes the relay."""
        raise NotImplementedError

    def owns_its_tables(self) -> bool | None:
        """Return True if this very user could take away what guards the events; None for an engine without users."""
        return None

    def reachable_databases(self, service: str, peers: Collection[str]) -> list[str]:
        """Return the databases of other services that this user may connect to; empty for an engine without users."""
        return []

    def truncate_journal(self) -> None:
        """Have the engine's own journal forget what was shredded, as far as nobody reads it at this moment."""

    def close(self) -> None:
        """Let go of everything that is open."""
        self.engine.dispose()

    @contextmanager
    def raw_connection(self) -> Iterator[PoolProxiedConnection]:
        """The driver's connection, of the pool: SQLAlchemy's own around it costs as much as a short statement."""
        fairy: PoolProxiedConnection | None = None
        try:
            fairy = self.engine.raw_connection()
            yield fairy
        except self.engine.dialect.loaded_dbapi.Error as error:
            raise self.translate_error(error, fairy) from error
        finally:
            if fairy is not None:
                fairy.close()

    def translate_error(self, error: Any, fairy: PoolProxiedConnection | None) -> Exception:
        """What SQLAlchemy would raise for an error of the driver; no dead connection stays in the pool.

        fairy: where it happened; None where none came about.
        """
        lost, dialect = self.is_lost(error), self.engine.dialect
        alive = fairy if fairy is not None and fairy.is_valid else None
        if alive is not None and (lost or dialect.is_disconnect(error, alive.driver_connection, None)):
            alive.invalidate(error)
            self.engine.dispose()  # the others too: a server that restarted has cut them all
        if lost:
            return OperationalError(None, None, error, connection_invalidated=True)
        said: Exception = DBAPIError.instance(None, None, error, dialect.loaded_dbapi.Error)
        return said

    def roll_back(self, driver: PoolProxiedConnection) -> None:
        """End what may be open, so that the pool gets a clean connection; one that cannot do it is thrown away."""
        if driver.is_valid:
            try:
                driver.rollback()
            except self.engine.dialect.loaded_dbapi.Error:
                driver.invalidate()

    def is_lost(self, error: BaseException | None) -> bool:
        """Return True if a session is of no use any more."""
        return getattr(error, "sqlstate", None) in self.lost


def _measure(engine: Engine, most: int) -> None:
    """Count the connections of a pool as they are opened and closed, lent and given back. most: that it may open."""
    metrics.CONNECTIONS_LIMIT.inc(most)
    opened, in_use = metrics.CONNECTIONS.labels("open"), metrics.CONNECTIONS.labels("in_use")
    counted = {"connect": opened.inc, "close": opened.dec, "checkout": in_use.inc, "checkin": in_use.dec}
    for name, count in counted.items():
        event.listen(engine, name, lambda *_, count=count: count())
