"""One service's database: an engine, and the ways to use it: reading, writing in one transaction, appending."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Engine, ExceptionContext, PoolProxiedConnection, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, OperationalError

SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA busy_timeout=15000",
    "PRAGMA foreign_keys=ON",
)
"""FULL: an acknowledged event survives a power cut, not only a crash. The timeout is in milliseconds."""

POSTGRESQL_SETTINGS = (
    "SET idle_in_transaction_session_timeout = '10s'",
    "SET lock_timeout = '15s'",
    "SET plan_cache_mode = force_generic_plan",
    "SET jit = off",
)
"""Who falls asleep inside a transaction (a paused machine, a cable pulled) holds its locks for so long, not for ever:
behind a locked head or relay row everybody else would wait. Where its session is not idle the wait for the lock ends,
as on SQLite; that takes longer, so that whoever waits for a sleeper gets the lock. Statements find rows by their keys:
to plan them anew for each set of values, or to compile them, takes longer than to run them."""

LOST = frozenset({"25P03", "25P04", "25006"})
"""What PostgreSQL says of a session that is of no use any more, and the driver hands on as an internal error as if it
were a fault of ours: it was idle in its transaction, or its transaction took too long, and it was ended; its server
takes no writing any more, since another one has taken over. (57P01 to 57P05 and 08xxx are operational errors already.)
"""


SPARE = 8
"""Connections beyond those that are kept: for threads that are nobody's request. They close when they are done."""


class Database:
    """An engine in autocommit, with transactions said out loud.

    A reading statement sees what is committed at that moment. A writing block is one transaction; on SQLite it
    takes the write lock at once (BEGIN IMMEDIATE), since a lock taken late can only fail.
    """

    def __init__(self, url: str, pool_size: int = 8) -> None:
        options: dict[str, object] = {"isolation_level": "AUTOCOMMIT", "pool_reset_on_return": None}
        options["hide_parameters"] = True  # a failed statement is told in log lines, and not what it would have kept
        self.url = make_url(url)
        self.dialect = self.url.get_backend_name()
        if self.dialect == "sqlite":
            options["connect_args"] = {"check_same_thread": False, "timeout": 15}
        if self.url.database not in (None, "", ":memory:"):
            options |= {"pool_size": pool_size, "max_overflow": SPARE}
        self.engine: Engine = create_engine(url, **options)
        if self.dialect == "sqlite":
            event.listen(self.engine, "connect", _prepare_sqlite)
        elif self.dialect == "postgresql":
            event.listen(self.engine, "connect", _prepare_postgresql)
            event.listen(self.engine, "handle_error", _say_lost)
        self._begin = "BEGIN IMMEDIATE" if self.dialect == "sqlite" else "BEGIN"
        self._appender: PoolProxiedConnection | None = None
        self._appender_lock = Lock()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection on which every statement stands alone."""
        with self.engine.connect() as connection, self._said_by_sqlalchemy(connection.connection):
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection inside one transaction: committed at the end of the block, undone when it raises."""
        with self.engine.connect() as connection, self._said_by_sqlalchemy(connection.connection):
            connection.exec_driver_sql(self._begin)
            try:
                yield connection
                connection.exec_driver_sql("COMMIT")
            except BaseException:
                _undo(connection)
                raise

    def appending(self) -> AbstractContextManager[Any]:
        """A cursor of the driver for one append, past SQLAlchemy, whose statements would cost as much as the disk.

        On SQLite a transaction as in `writing`; on PostgreSQL in autocommit, where an append is one statement.
        """
        return self._appending_sqlite() if self.dialect == "sqlite" else self._appending_postgresql()

    @contextmanager
    def _appending_sqlite(self) -> Iterator[Any]:
        # One writes at a time in any case: threads that wait here are woken at once, SQLite would have them poll.
        with self._appender_lock:
            if self._appender is None:
                self._appender = self.engine.raw_connection()
            with self._said_by_sqlalchemy(self._appender):
                cursor = self._appender.cursor()
                cursor.execute(self._begin)
                try:
                    yield cursor
                    cursor.execute("COMMIT")
                except BaseException:
                    self._appender.rollback()
                    raise

    @contextmanager
    def _appending_postgresql(self) -> Iterator[Any]:
        with self.engine.connect() as connection, self._said_by_sqlalchemy(connection.connection) as fairy:
            yield fairy.cursor()

    @contextmanager
    def _said_by_sqlalchemy(self, fairy: PoolProxiedConnection) -> Iterator[PoolProxiedConnection]:
        """Whoever uses the driver itself raises what SQLAlchemy would, and leaves no dead connection in the pool."""
        driver = self.engine.dialect.loaded_dbapi
        try:
            yield fairy
        except driver.Error as error:
            lost = _is_lost(error)
            if fairy.is_valid and (lost or self.engine.dialect.is_disconnect(error, fairy.driver_connection, None)):
                fairy.invalidate(error)
                self.engine.dispose()  # the others too: a server that restarted has cut them all
            if lost:
                raise OperationalError(None, None, error, connection_invalidated=True) from error
            raise DBAPIError.instance(None, None, error, driver.Error) from error

    def close(self) -> None:
        """Close every connection of the pool."""
        with self._appender_lock:
            if self._appender is not None:
                self._appender.close()
                self._appender = None
        self.engine.dispose()


def _undo(connection: Connection) -> None:
    """Roll back what may be open, so that the pool gets a clean connection; one that cannot do it is thrown away."""
    if connection.invalidated:
        return
    try:
        connection.exec_driver_sql("ROLLBACK")
    except DBAPIError:  # a COMMIT that failed has ended the transaction, or the connection is gone
        connection.invalidate()


def _is_lost(error: BaseException | None) -> bool:
    return getattr(error, "sqlstate", None) in LOST


def _say_lost(context: ExceptionContext) -> None:
    if _is_lost(context.original_exception):
        context.is_disconnect = True
        raise OperationalError(
            context.statement, None, context.original_exception, connection_invalidated=True
        ) from context.original_exception


def _prepare_sqlite(connection, _record) -> None:  # type: ignore[no-untyped-def]
    cursor = connection.cursor()
    for pragma in SQLITE_PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _prepare_postgresql(connection, _record) -> None:  # type: ignore[no-untyped-def]
    connection.execute("; ".join(POSTGRESQL_SETTINGS))
