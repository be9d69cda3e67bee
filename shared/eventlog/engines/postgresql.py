"""PostgreSQL: a server. An append is one statement, and so one round trip: head, events, outbox and the bell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from sqlalchemy import ExceptionContext, event
from sqlalchemy.exc import OperationalError

from shared.eventlog.database import NO_COPIES, Table
from shared.eventlog.engines.grants import fasten, grant, owns_its_tables
from shared.eventlog.engines.sql import SqlConnection, SqlDatabase, named, parameters_of
from shared.eventlog.engines.statements import Words
from shared.eventlog.tables import EVENTS, HEADS, RELAY
from shared.events.recorded import Head, Recorded

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
NOTIFY_CHANNEL = "muster_outbox"
"""The channel that wakes the relay when an append commits."""
MIGRATION_LOCK = 0x6D757374
"""Advisory lock under which one process migrates while others wait."""

_KINDS = {
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
    "salt": "text",
    "data": "text",
    "command": "text",
}
"""The columns that differ from event to event of one log, in the order of Recorded."""
# One event, as most commands give, goes as plain values: arrays and their unnest would double the time.
_ONE = f"(SELECT {', '.join(f':{name}::{kind}' for name, kind in _KINDS.items())})"
_MANY = f"unnest({', '.join(f':{name}::{kind}[]' for name, kind in _KINDS.items())})"
_EXTEND = f"""WITH moved AS ({{move}} RETURNING 1), added AS (
    INSERT INTO events ({", ".join(EVENTS.columns)})
    SELECT :source, :tournament, row.* FROM moved, {{rows}} AS row){{outbox}}
    SELECT {{answer}} FROM moved"""
_OUTBOX = """, out AS (INSERT INTO outbox (tournament, position, cause)
    SELECT :tournament, row.* FROM moved, {rows} AS row)"""
_WAITS_ONE = "(SELECT :position::int, :cause::text)"
_WAITS_MANY = "unnest(:position::int[], :cause::text[])"
# A notification is sent under a lock over the whole cluster that is held while the commit is flushed, so that
# commits wait for one another; a relay that is busy anyway looks by itself.
_RING = f"""CASE WHEN (SELECT busy FROM relay WHERE name = 'relay') = 0
    THEN pg_notify('{NOTIFY_CHANNEL}', '')::text END"""
_SEQUENCE = """WITH taken AS (
    DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT %s) RETURNING id, tournament, position)
    INSERT INTO feed (feed, tournament, position)
    SELECT (SELECT coalesce(max(feed), 0) FROM feed) + row_number() OVER (ORDER BY id), tournament, position
    FROM taken"""


class PostgresqlConnection(SqlConnection):
    """The verbs as PostgreSQL has them."""

    words = Words(
        mark="%s",
        percent="%%",
        now="CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
        octets="octet_length({})",
        locked=" FOR UPDATE",
    )
    # A table that this role may not read is none to it: it was not granted what it needs.
    has_revisions = """SELECT 1 FROM pg_class WHERE oid = to_regclass('alembic_version')
        AND has_table_privilege(oid, 'SELECT')"""

    def extend(
        self,
        expected: Head,
        events: Sequence[Recorded],
        *,
        own: bool,
        copies: Mapping[str, Head] = NO_COPIES,
        causes: Sequence[str] = (),
    ) -> bool:
        parameters, move = parameters_of(expected, events, own, copies)
        many = len(events) > 1
        if own:
            parameters["cause"] = list(causes or [""] * len(events)) if many else causes[0] if causes else ""
        for name in _KINDS:
            parameters[name] = [getattr(event, name) for event in events] if many else getattr(events[0], name)
        return self._run(_extension(move, many, own), parameters).fetchone() is not None

    def sequence(self, limit: int) -> int:
        self.find(RELAY, {"name": "relay"}, columns=("published",), lock=True)
        return int(self._run(_SEQUENCE, [limit]).rowcount)

    def lock(self, table: Table) -> None:
        self._run(f"LOCK TABLE {table.name} IN SHARE ROW EXCLUSIVE MODE", [])


class PostgresqlDatabase(SqlDatabase):
    """A database of a server."""

    name = "postgresql"
    connection = PostgresqlConnection
    begin = "BEGIN"
    lost = LOST

    def __init__(self, url: str, pool_size: int = 8) -> None:
        super().__init__(url, pool_size)
        event.listen(self.engine, "connect", _prepare)
        event.listen(self.engine, "handle_error", self._say_lost)

    @contextmanager
    def appending(self) -> Iterator[PostgresqlConnection]:
        """In autocommit: an append is one statement."""
        with self.engine.connect() as session, self._said_by_sqlalchemy(session.connection) as driver:
            yield PostgresqlConnection(driver)

    @contextmanager
    def holding(self, source: str, tournament: str) -> Iterator[PostgresqlConnection]:
        """Past SQLAlchemy, whose statements would cost as much as those of the server."""
        with self.engine.connect() as session, self._said_by_sqlalchemy(session.connection) as driver:
            connection, cursor = PostgresqlConnection(driver), driver.cursor()
            cursor.execute(self.begin)
            try:
                connection.find(HEADS, {"source": source, "tournament": tournament}, columns=("position",), lock=True)
                yield connection
                cursor.execute("COMMIT")
            except BaseException:
                driver.rollback()
                raise

    def bell(self) -> NotifyBell:
        return NotifyBell(self)

    @contextmanager
    def migrating(self) -> Iterator[PostgresqlConnection]:
        """Under a lock of the server; another migration takes as long as it takes."""
        with self.writing() as connection:
            connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
            connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")  # it may compute
            yield connection

    def protect(self, connection: SqlConnection, user: str) -> None:
        fasten(connection.session)
        if user:
            grant(connection.session, user)

    def owns_its_tables(self) -> bool:
        with self.reading() as connection:
            return owns_its_tables(connection.session)

    def _say_lost(self, context: ExceptionContext) -> None:
        if self.is_lost(context.original_exception):
            context.is_disconnect = True
            raise OperationalError(
                context.statement, None, context.original_exception, connection_invalidated=True
            ) from context.original_exception


class NotifyBell:
    """LISTEN on a connection of its own; appends notify in their own statement."""

    def __init__(self, database: PostgresqlDatabase) -> None:
        self._engine = database.engine
        self._listener: Any = None
        # The driver's own, as the engine has loaded it: SQLite needs no psycopg, which takes long to import.
        self.failures: tuple[type[Exception], ...] = (OSError, self._engine.dialect.loaded_dbapi.Error)

    def ring(self) -> None:
        """Nothing to do: the append has rung."""

    def open(self) -> bool:
        if self._listener is None:
            places, names = self._engine.dialect.create_connect_args(self._engine.url)
            self._listener = self._engine.dialect.loaded_dbapi.connect(*places, **names, autocommit=True)
            self._listener.execute(f"LISTEN {NOTIFY_CHANNEL}")
        return True

    def wait(self, seconds: float) -> bool:
        rang = False
        for _ in self._listener.notifies(timeout=seconds, stop_after=1):
            rang = True
        for _ in self._listener.notifies(timeout=0):
            rang = True
        return rang

    def close(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None


@cache
def _extension(move: str, many: bool, own: bool) -> str:
    statement = _EXTEND.format(
        move=move,
        rows=_MANY if many else _ONE,
        outbox=_OUTBOX.format(rows=_WAITS_MANY if many else _WAITS_ONE) if own else "",
        answer=_RING if own else "1",
    )
    return named(statement, PostgresqlConnection.words)


def _prepare(connection: Any, _record: Any) -> None:
    connection.execute("; ".join(POSTGRESQL_SETTINGS))
