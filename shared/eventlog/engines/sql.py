"""What SQLite and PostgreSQL have in common: a pool in autocommit, transactions said out loud, the verbs in SQL."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from typing import Any, ClassVar

from sqlalchemy import Connection as Session
from sqlalchemy import CursorResult, Engine, Executable, PoolProxiedConnection, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, OperationalError

from shared import metrics
from shared.eventlog.database import EVERY, Connection, Database, Held, Row, Table
from shared.eventlog.engines import statements
from shared.eventlog.engines.statements import (
    Words,
    asks_for_news,
    news_of,
    of_keys,
    parameters_of_news,
    range_of,
    shape_and_values,
)
from shared.events.recorded import Head

SPARE = 8
"""Connections beyond those that are kept: for threads that are nobody's request. They close when they are done."""


class SqlConnection(Connection):
    """The verbs by the driver's own cursor: SQLAlchemy's rows would double the time that a long log takes to read."""

    words: ClassVar[Words]
    has_revisions: ClassVar[str]
    """Finds a row where the table of migrations can be read."""

    def __init__(self, driver: PoolProxiedConnection, session: Callable[[], Session] | None = None) -> None:
        """session: what makes SQLAlchemy's own connection, where somebody asks for it."""
        self._driver = driver
        self._session = session

    def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any]:
        """Run a statement of SQLAlchemy's: for migrations, and for what only SQL has."""
        return self.session.execute(statement, parameters)

    def exec_driver_sql(self, statement: str, parameters: Any = None) -> CursorResult[Any]:
        """Run a statement in the words of the driver."""
        return self.session.exec_driver_sql(statement, parameters)

    @cached_property
    def session(self) -> Session:
        """SQLAlchemy's own connection; there is none in `appending`."""
        assert self._session is not None
        return self._session()

    @property
    def now(self) -> str:
        return self.words.now

    def octets(self, text: str) -> str:
        return self.words.octets.format(text)

    def rows(self, sql: str, /, **values: Any) -> list[tuple[Any, ...]]:
        return list(self._execute(sql, values))

    def one(self, sql: str, /, **values: Any) -> tuple[Any, ...] | None:
        rows = self.rows(sql, **values)  # all of them: SQLite commits nothing while a statement is unfinished
        return rows[0] if rows else None

    def value(self, sql: str, /, **values: Any) -> Any:
        row = self.one(sql, **values)
        return None if row is None else row[0]

    def run(self, sql: str, /, **values: Any) -> int:
        return int(self._execute(sql, values).rowcount)

    def run_many(self, sql: str, rows: Sequence[Row]) -> int:
        if not rows:
            return 0
        cursor = self._driver.cursor()
        cursor.executemany(statements.named(sql, self.words), rows)
        return cursor.rowcount

    def locked(self, sql: str, /, **values: Any) -> list[tuple[Any, ...]]:
        return self.rows(sql + self.words.locked, **values)

    def shred(self, sql: str, /, **values: Any) -> int:
        return self.run(sql, **values)

    def lock_table(self, name: str) -> None:
        """Nothing to do where there is one writer."""

    def _execute(self, sql: str, values: dict[str, Any]) -> Any:
        if lists := [name for name, value in values.items() if isinstance(value, list)]:
            sql, values = statements.spread(sql, values, lists)
        return self._run(statements.named(sql, self.words), values)

    def find(
        self,
        table: Table,
        where: Row = EVERY,
        *,
        columns: Sequence[str] = (),
        order: Sequence[str] = (),
        limit: int | None = None,
        lock: bool = False,
    ) -> list[tuple[Any, ...]]:
        shape, values = shape_and_values(where)
        if limited := limit is not None:
            values.append(limit)
        statement = statements.select(table, shape, tuple(columns), tuple(order), limited, lock, self.words)
        return list(self._run(statement, values))

    def total(self, table: Table, where: Row = EVERY, of: str = "") -> int:
        shape, values = shape_and_values(where)
        return int(self._run(statements.total(table, shape, of, self.words), values).fetchone()[0])

    def add(self, table: Table, rows: Sequence[Row]) -> int:
        if not rows:
            return 0
        cursor = self._driver.cursor()
        statement = statements.insert(table, tuple(rows[0]), False, self.words)
        cursor.executemany(statement, [tuple(row.values()) for row in rows])
        return cursor.rowcount

    def put(self, table: Table, row: Row) -> None:
        self._run(statements.insert(table, tuple(row), True, self.words), list(row.values()))

    def change(self, table: Table, where: Row, to: Row) -> int:
        shape, values = shape_and_values(where)
        return int(self._run(statements.update(table, shape, tuple(to), self.words), [*to.values(), *values]).rowcount)

    def remove(self, table: Table, where: Row = EVERY, *, shred: bool = False) -> int:
        shape, values = shape_and_values(where)
        return int(self._run(statements.delete(table, shape, self.words), values).rowcount)

    def done(self, source: str, tournament: str, keys: Sequence[str]) -> list[tuple[str, int]]:
        if not keys:
            return []
        return of_keys(self.in_ranges([range_of(source, tournament, key) for key in keys]), keys)

    def in_ranges(self, ranges: Sequence[tuple[str, str]]) -> Iterable[tuple[str, int]]:
        """What came with a key and lies in one of these ranges: ids of commands and positions, some twice."""
        raise NotImplementedError

    def news(self, tournament: str, heads: Mapping[str, Head], recopied: int) -> tuple[int, Iterable[tuple[Any, ...]]]:
        return news_of(self.ask_for_news(tournament, heads, recopied), recopied)

    def ask_for_news(self, tournament: str, heads: Mapping[str, Head], recopied: int) -> Iterable[tuple[Any, ...]]:
        """Rows that `news_of` reads."""
        asked: Iterable[tuple[Any, ...]] = self._run(
            asks_for_news(len(heads), self.words), parameters_of_news(tournament, heads, recopied)
        )
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
        statement = statements.placed(feed, tuple(columns), bool(source), bool(tournament), last, self.words)
        return self.rows(statement, source=source, tournament=tournament, after=after, limit=limit)

    def revisions(self) -> list[str]:
        if self._run(self.has_revisions, []).fetchone() is None:
            return []
        return [row[0] for row in self._run("SELECT version_num FROM alembic_version", [])]

    def _run(self, statement: str, parameters: Any) -> Any:
        cursor = self._driver.cursor()
        cursor.execute(statement, parameters)
        return cursor


class SqlDatabase(Database):
    """An engine of SQLAlchemy's in autocommit, with transactions said out loud."""

    connection: ClassVar[type[Any]]
    begin: ClassVar[str]
    lost: ClassVar[frozenset[str]] = frozenset()
    """States in which a session is of no use any more, though the driver calls it an internal error."""

    def __init__(self, url: str, pool_size: int = 8, **options: object) -> None:
        options |= {"isolation_level": "AUTOCOMMIT", "pool_reset_on_return": None}
        options["hide_parameters"] = True  # a failed statement is told in log lines, and not what it would have kept
        self.url = make_url(url)
        if self.url.database not in (None, "", ":memory:"):
            options |= {"pool_size": pool_size, "max_overflow": SPARE}
        self.engine: Engine = create_engine(url, **options)
        _measure(self.engine, pool_size + SPARE)

    @contextmanager
    def reading(self) -> Iterator[Any]:
        with self.lent() as driver:
            yield self.connection(driver, partial(Session, self.engine, driver))

    @contextmanager
    def writing(self) -> Iterator[Any]:
        with self.lent() as driver:
            session = Session(self.engine, driver)
            session.exec_driver_sql(self.begin)
            try:
                yield self.connection(driver, lambda: session)
                session.exec_driver_sql("COMMIT")
            except BaseException:
                _undo(session)
                raise

    @contextmanager
    def holding(
        self, source: str, tournament: str, heads: Mapping[str, Head], recopied: int, keys: Sequence[str]
    ) -> Iterator[Held]:
        with self.appending() as connection:
            last, news = connection.news(tournament, heads, recopied)
            yield Held(connection, last, news, connection.done(source, tournament, keys))

    @contextmanager
    def migrating(self) -> Iterator[SqlConnection]:
        """As `writing`, for one process at a time, however long it takes."""
        with self.writing() as connection:
            yield connection

    def protect(self, connection: SqlConnection, user: str) -> None:
        """After a migration: let the role that runs the service do what it needs, and nothing else."""

    def owns_its_tables(self) -> bool | None:
        return None

    def reachable_databases(self, service: str, peers: Collection[str]) -> list[str]:
        return []

    def forget_removed(self) -> None:
        """Nothing to do."""

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def lent(self) -> Iterator[PoolProxiedConnection]:
        """The driver's connection, of the pool: SQLAlchemy's own around it costs as much as a short statement."""
        fairy: PoolProxiedConnection | None = None
        try:
            fairy = self.engine.raw_connection()
            yield fairy
        except self.engine.dialect.loaded_dbapi.Error as error:
            raise self.as_sqlalchemy_says(error, fairy) from error
        finally:
            if fairy is not None:
                fairy.close()

    def as_sqlalchemy_says(self, error: Any, fairy: PoolProxiedConnection | None) -> Exception:
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

    def is_lost(self, error: BaseException | None) -> bool:
        """Whether a session is of no use any more."""
        return getattr(error, "sqlstate", None) in self.lost


def _measure(engine: Engine, most: int) -> None:
    """Count the connections of a pool as they are opened and closed, lent and given back. most: that it may open."""
    metrics.CONNECTIONS_LIMIT.inc(most)
    opened, in_use = metrics.CONNECTIONS.labels("open"), metrics.CONNECTIONS.labels("in_use")
    counted = {"connect": opened.inc, "close": opened.dec, "checkout": in_use.inc, "checkin": in_use.dec}
    for name, count in counted.items():
        event.listen(engine, name, lambda *_, count=count: count())


def _undo(session: Session) -> None:
    """Roll back what may be open, so that the pool gets a clean connection; one that cannot do it is thrown away."""
    if session.invalidated:
        return
    try:
        session.exec_driver_sql("ROLLBACK")
    except DBAPIError:  # a COMMIT that failed has ended the transaction, or the connection is gone
        session.invalidate()
