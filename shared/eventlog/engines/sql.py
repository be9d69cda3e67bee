"""What SQLite and PostgreSQL have in common: a pool in autocommit, transactions said out loud, the verbs in SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, ClassVar

from sqlalchemy import Connection as Session
from sqlalchemy import CursorResult, Engine, Executable, PoolProxiedConnection, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, OperationalError

from shared import metrics
from shared.eventlog.database import EVERY, NO_COPIES, Connection, Database, Row, Table
from shared.eventlog.engines import statements
from shared.eventlog.engines.statements import Words, shape_and_values
from shared.eventlog.tables import KEYED, NEWS
from shared.events.recorded import GENESIS, Head, Recorded

SPARE = 8
"""Connections beyond those that are kept: for threads that are nobody's request. They close when they are done."""

OPEN = """INSERT INTO heads (source, tournament, position, hash)
    VALUES (:source, :tournament, :last, :last_hash) ON CONFLICT DO NOTHING"""
MOVE = """UPDATE heads SET position = :last, hash = :last_hash
    WHERE source = :source AND tournament = :tournament AND position = :expected AND hash = :expected_hash"""
# Two commands with one key have ids of one length: the key, a tilde, the digest of the request.
UNLESS_DONE = f""" AND NOT EXISTS (
    SELECT 1 FROM events WHERE source = :source AND tournament = :tournament AND command_id LIKE '{KEYED}'
      AND command_id >= :key AND command_id < :key_end AND length(command_id) = :key_length)"""
DONE = f"""SELECT command_id FROM events WHERE source = :source AND tournament = :tournament
    AND command_id LIKE '{KEYED}' AND command_id >= :key{{0}} AND command_id < :key_end{{0}}"""
UNLESS_NEWS = """
    AND coalesce((SELECT hash FROM heads WHERE source = :copy{0} AND tournament = :tournament), :none) = :seen{0}"""


class SqlConnection(Connection):
    """The verbs by the driver's own cursor: SQLAlchemy's rows would double the time that a long log takes to read."""

    words: ClassVar[Words]
    has_revisions: ClassVar[str]
    """Finds a row where the table of migrations can be read."""

    def __init__(self, driver: PoolProxiedConnection, session: Session | None = None) -> None:
        self._driver = driver
        self._session = session

    def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any]:
        """Run a statement of SQLAlchemy's: for migrations, and for what only SQL has."""
        return self.session.execute(statement, parameters)

    def exec_driver_sql(self, statement: str, parameters: Any = None) -> CursorResult[Any]:
        """Run a statement in the words of the driver."""
        return self.session.exec_driver_sql(statement, parameters)

    @property
    def session(self) -> Session:
        """SQLAlchemy's own connection; there is none in `appending`."""
        assert self._session is not None
        return self._session

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

    def done(self, source: str, tournament: str, keys: Sequence[str]) -> list[str]:
        if not keys:
            return []
        parameters: dict[str, object] = {"source": source, "tournament": tournament}
        for index, key in enumerate(keys):
            parameters |= {f"key{index}": f"{key}~", f"key_end{index}": f"{key}\x7f"}
        found = [row[0] for row in self._run(_done(len(keys), self.words), parameters)]
        return [id for id in dict.fromkeys(found) if id.rpartition("~")[0] in keys]

    def news(self, tournament: str, heads: Mapping[str, Head], recopied: int) -> tuple[int, list[tuple[Any, ...]]]:
        parameters: dict[str, object] = {"tournament": tournament, "recopied": recopied}
        for index, (source, head) in enumerate(heads.items()):
            parameters[f"source{index}"] = source
            parameters[f"after{index}"] = head.position
        rows = list(self._run(_news(len(heads), self.words), parameters))
        last: int = max((row[1] for row in rows if not row[0]), default=recopied)
        return last, rows if last == recopied else [row for row in rows if row[0]]

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
    ) -> list[tuple[Any, ...]]:
        statement = statements.placed(feed, tuple(columns), bool(source), bool(tournament), last, self.words)
        return list(self._run(statement, [*filter(None, (source, tournament)), after, limit]))

    def unplaced(self, logs: Table) -> list[tuple[str, str, int]]:
        return list(self._run(statements.unplaced(logs), []))

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
        with self.engine.connect() as session, self._said_by_sqlalchemy(session.connection) as driver:
            yield self.connection(driver, session)

    @contextmanager
    def writing(self) -> Iterator[Any]:
        with self.engine.connect() as session, self._said_by_sqlalchemy(session.connection) as driver:
            session.exec_driver_sql(self.begin)
            try:
                yield self.connection(driver, session)
                session.exec_driver_sql("COMMIT")
            except BaseException:
                _undo(session)
                raise

    @contextmanager
    def migrating(self) -> Iterator[SqlConnection]:
        """As `writing`, for one process at a time, however long it takes."""
        with self.writing() as connection:
            yield connection

    def protect(self, connection: SqlConnection, user: str) -> None:
        """After a migration: let the role that runs the service do what it needs, and nothing else."""

    def owns_its_tables(self) -> bool | None:
        return None

    def forget_removed(self) -> None:
        """Nothing to do."""

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def _said_by_sqlalchemy(self, fairy: PoolProxiedConnection) -> Iterator[PoolProxiedConnection]:
        """Whoever uses the driver itself raises what SQLAlchemy would, and leaves no dead connection in the pool."""
        driver = self.engine.dialect.loaded_dbapi
        try:
            yield fairy
        except driver.Error as error:
            lost = self.is_lost(error)
            if fairy.is_valid and (lost or self.engine.dialect.is_disconnect(error, fairy.driver_connection, None)):
                fairy.invalidate(error)
                self.engine.dispose()  # the others too: a server that restarted has cut them all
            if lost:
                raise OperationalError(None, None, error, connection_invalidated=True) from error
            raise DBAPIError.instance(None, None, error, driver.Error) from error

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


def parameters_of(
    expected: Head, events: Sequence[Recorded], own: bool, copies: Mapping[str, Head] = NO_COPIES
) -> tuple[dict[str, object], str]:
    """What moves the head of a log from `expected` to the last of these events: parameters and statement."""
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
    key, keyed, _ = first.command_id.rpartition("~") if own else ("", "", "")
    if keyed:
        parameters |= {"key": f"{key}~", "key_end": f"{key}\x7f", "key_length": len(first.command_id)}
    for index, (copied, end) in enumerate(copies.items()):
        parameters |= {f"copy{index}": copied, f"seen{index}": end.hash, "none": GENESIS}
    return parameters, _move(expected.position == 0, bool(keyed), len(copies))


@cache
def _move(opens: bool, keyed: bool, copies: int) -> str:
    if opens:
        return OPEN
    return MOVE + (UNLESS_DONE if keyed else "") + "".join(map(UNLESS_NEWS.format, range(copies)))


@cache
def _done(keys: int, words: Words) -> str:
    # A UNION of ranges, each of them found by the index of commands with a key; an OR would read the whole log.
    return named(" UNION ".join(map(DONE.format, range(keys))), words)


@cache
def _news(logs: int, words: Words) -> str:
    # Each part in its own order, one behind the other: sorting the whole would cost a large log a fifth of its reading.
    part = f"""SELECT * FROM (SELECT {", ".join(NEWS)} FROM events
        WHERE source = :source{{0}} AND tournament = :tournament AND position > :after{{0}}
        ORDER BY position) AS log{{0}}"""
    recopied = """SELECT '', id, '', 0, '', '', '', '' FROM recopies
        WHERE tournament = :tournament AND id > :recopied"""
    return named(" UNION ALL ".join([*map(part.format, range(logs)), recopied]), words)


def named(statement: str, words: Words) -> str:
    """A statement with its `:names` as the driver writes them."""
    if words.mark == "?":
        return statement
    return re.sub(r"(?<!:):([a-z]\w*)", r"%(\1)s", statement.replace("%", words.percent))


def _undo(session: Session) -> None:
    """Roll back what may be open, so that the pool gets a clean connection; one that cannot do it is thrown away."""
    if session.invalidated:
        return
    try:
        session.exec_driver_sql("ROLLBACK")
    except DBAPIError:  # a COMMIT that failed has ended the transaction, or the connection is gone
        session.invalidate()
