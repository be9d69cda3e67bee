"""PostgreSQL: a server. An append is one statement, and so one round trip: head, events, outbox and the bell.

Logs are read from their beginning page by page. An event in a row of its own costs the driver a message, a tuple, and a
text for each column, which is half the time that folding a long log takes. Here the server puts the texts together,
each column of a page as one text, and they are split in one go.
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
"""Events of one row; of the largest there may be, 125 MB."""
SEPARATOR = "\x1e"
"""Between the values of a column. Canonical JSON holds no such sign."""
_PLACE = ("source", "tournament", "position")
_OTHERS = tuple(name for name in Recorded.__struct_fields__ if name not in _PLACE)
_VERSION = _OTHERS.index("version")
_TEXTS = tuple("version::text" if name == "version" else name for name in _OTHERS)
_OF = "source = :source{0} AND tournament = :tournament"
# The pages of a log one after the other, and in each of them the events in their order: by the index of both.
_PAGES = f"""SELECT * FROM (SELECT :source{{0}}::text, :tournament::text, page.*
    FROM generate_series(:after{{0}}::int, (SELECT max(position) FROM events WHERE {_OF}) - 1, {PAGE_EVENTS}) AS below
    CROSS JOIN LATERAL (
        SELECT min(position), max(position) AS last, count(*),
            {", ".join(f"string_agg({text}, chr(30))" for text in _TEXTS)}
        FROM (SELECT position, {", ".join(_OTHERS)} FROM events
            WHERE {_OF} AND position > below AND position <= below + {PAGE_EVENTS} ORDER BY position) AS event) AS page
    ) AS log{{0}}"""
_RECOPIED = f"""SELECT '', '', id, 0, 0{", ''" * len(_TEXTS)} FROM recopies
    WHERE tournament = :tournament AND id > :recopied"""


@cache
def pages_query(logs: int) -> str:
    """Reads so many logs of a tournament, and its recopies, by the parameters of `news`."""
    return " UNION ALL ".join([*map(_PAGES.format, range(logs)), _RECOPIED])


def unpack_pages(rows: Iterable[tuple[Any, ...]], heads: Mapping[str, Head]) -> Iterator[tuple[Any, ...]] | None:
    """The whole events of pages after `heads`, each made when it is asked for.

    None where a log has a hole, or a value holds the sign that stands between values: then they are read row by row.
    """
    told: list[Iterable[tuple[Any, ...]]] = []
    ends = {source: head.position for source, head in heads.items()}
    for source, tournament, first, last, count, *texts in rows:
        if first != ends[source] + 1 or last != ends[source] + count:
            return None
        split = [text.split(SEPARATOR) for text in texts]
        if any(len(column) != count for column in split):
            return None
        columns: list[Iterable[Any]] = [*split]
        columns[_VERSION] = map(int, split[_VERSION])
        told.append(zip(repeat(source), repeat(tournament), range(first, last + 1), *columns))
        ends[source] = last
    return chain.from_iterable(told)


NOTIFY_CHANNEL = "muster_outbox"
"""The channel that wakes the relay when an append commits."""
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
"""The columns that differ from event to event of one log, in the order of Recorded."""
# One event, as most commands give, goes as plain values: arrays and their unnest would double the time.
_ONE = f"(SELECT {', '.join(f':{name}::{kind}' for name, kind in COLUMN_TYPES.items())})"
# Several go as one text a column, which the server takes apart: the driver would escape an array value by value, which
# took four fifths of such an append. Where a value holds the sign between them, lists are sent.
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
"""How rows are sent: events, and what waits in the outbox."""
# A notification is sent under a lock over the whole cluster that is held while the commit is flushed, so that
# commits wait for one another; a relay that is busy anyway looks by itself.
_RING = f"""CASE WHEN (SELECT busy FROM relay WHERE name = 'relay') = 0
    THEN pg_notify('{NOTIFY_CHANNEL}', '')::text END"""


def encode_rows(columns: Mapping[str, list[Any]]) -> tuple[str, dict[str, Any]]:
    """How the rows with these columns are sent, and what is sent for each column."""
    many = len(columns["position"])
    if many == 1:
        return "one", {name: values[0] for name, values in columns.items()}
    joined = {name: SEPARATOR.join(map(str, values)) for name, values in columns.items()}
    if any(text.count(SEPARATOR) != many - 1 for text in joined.values()):
        return "listed", dict(columns)
    return "joined", joined


@cache
def append_statement(move: str, way: str, own: bool) -> str:
    """The statement: `move` moves the head, and what follows is done only if it does. way: as of `sent`."""
    events, waiting = _ROWS[way]
    return _EXTEND.format(
        move=move,
        rows=events,
        outbox=_OUTBOX.format(rows=waiting) if own else "",
        answer=_RING if own else "1",
    )


POSTGRESQL_SETTINGS = (
    "SET idle_in_transaction_session_timeout = '10s'",
    "SET lock_timeout = '15s'",
    "SET plan_cache_mode = force_generic_plan",
    "SET jit = off",
    "SET enable_seqscan = off",
    "SET enable_bitmapscan = off",
)
"""Who falls asleep inside a transaction (a paused machine, a cable pulled) holds its locks for so long, not for ever:
behind a locked head or relay row everybody else would wait. Where its session is not idle the wait for the lock ends,
as on SQLite; that takes longer, so that whoever waits for a sleeper gets the lock. Statements find rows by their keys:
to plan them anew for each set of values, or to compile them, takes longer than to run them. A plan is made once, while
tables may be empty still, and is to be good when they are long: it goes by indexes."""
LOST_SESSION_STATES = frozenset({"25P03", "25P04", "25006"})
"""What PostgreSQL says of a session that is of no use any more, and the driver hands on as an internal error as if it
were a fault of ours: it was idle in its transaction, or its transaction took too long, and it was ended; its server
takes no writing any more, since another one has taken over. (57P01 to 57P05 and 08xxx are operational errors already.)
"""
MIGRATION_LOCK = 0x6D757374
"""Advisory lock under which one process migrates while others wait."""

# One statement for any number of keys: a text of its own for each number was planned again and again.
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
    """A connection to a server."""

    now = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
    octets = "octet_length({})"
    for_update = " FOR UPDATE"
    # OFFSET 0 keeps the planner from joining the whole of both, which is cheaper while they are empty.
    one_by_one = "{many} CROSS JOIN LATERAL (SELECT * FROM {one} WHERE {where} OFFSET 0) e"
    # A table that this role may not read is none to it: it was not granted what it needs.
    has_revisions = """SELECT 1 FROM pg_class WHERE oid = to_regclass('alembic_version')
        AND has_table_privilege(oid, 'SELECT')"""

    holds = False
    """Whether a transaction is open that `hold` has begun."""

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
        way, rows = encode_rows(columns)
        statement, values = append_statement(move, way, own), {**parameters, **rows}
        if not (last and self.holds):
            return self._run(statement, values).fetchone() is not None
        with self.pipeline():
            moved = self._run(statement, values)
            self._run(_COMMIT, {})
        self.holds = False
        return moved.fetchone() is not None

    def find_keys_in(self, ranges: Sequence[tuple[str, str]]) -> Iterable[tuple[str, int]]:
        begins, ends = (list(ends) for ends in zip(*ranges, strict=True))
        found: Iterable[tuple[str, int]] = self._run(_IN_RANGES, {"begins": begins, "ends": ends})
        return found

    def news(self, tournament: str, heads: Mapping[str, Head], recopied: int) -> tuple[int, Iterable[tuple[Any, ...]]]:
        if any(head.position for head in heads.values()):
            return super().news(tournament, heads, recopied)
        rows = list(self._run(pages_query(len(heads)), news_parameters(tournament, heads, recopied)))
        told = unpack_pages([row for row in rows if row[0]], heads)
        if told is None:
            return super().news(tournament, heads, recopied)
        return max((row[2] for row in rows if not row[0]), default=recopied), told

    def hold(
        self, source: str, tournament: str, heads: Mapping[str, Head], recopied: int, keys: Sequence[str]
    ) -> LockedLog:
        """Begin a transaction that holds the head of a log, and look what is there.

        The statements go out together. Each sees what was committed when it began, so those behind the lock see all
        that whoever had it before has done.
        """
        known = any(head.position for head in heads.values())
        with self.pipeline():
            self._run(PostgresqlDatabase.begin, {})
            self._run(_HOLD, {"source": source, "tournament": tournament})
            found = self.find_keys_in([key_range(source, tournament, key) for key in keys]) if keys else ()
            asked = self.ask_for_news(tournament, heads, recopied) if known else ()
        self.holds = True
        last, news = split_news(asked, recopied) if known else self.news(tournament, heads, recopied)
        return LockedLog(self, last, news, match_keys(found, keys))

    def pipeline(self) -> AbstractContextManager[object]:
        """Statements go out together at the end of the block, and what they find can be read behind it.

        After one that fails the others are not run; its error is raised.
        """
        driver = self._driver.driver_connection
        assert driver is not None
        together: AbstractContextManager[object] = driver.pipeline()
        return together

    def sequence(self, limit: int) -> int:
        self.lock_rows("SELECT published FROM relay WHERE name = 'relay'")
        return self.run(_SEQUENCE, limit=limit)

    def lock_table(self, name: str) -> None:
        self.run(f"LOCK TABLE {name} IN SHARE ROW EXCLUSIVE MODE")


class PostgresqlDatabase(Database):
    """A database of a server."""

    name = "postgresql"
    connection = PostgresqlConnection
    begin = "BEGIN"
    lost = LOST_SESSION_STATES

    def __init__(self, url: str, pool_size: int = 8) -> None:
        super().__init__(url, pool_size)
        event.listen(self.engine, "connect", _prepare)

    @contextmanager
    def appending(self) -> Iterator[PostgresqlConnection]:
        """In autocommit: an append is one statement."""
        with self.raw_connection() as driver:
            yield PostgresqlConnection(driver)

    @contextmanager
    def locking_log(
        self, source: str, tournament: str, heads: Mapping[str, Head], recopied: int, keys: Sequence[str]
    ) -> Iterator[LockedLog]:
        """Past SQLAlchemy, whose statements would cost as much as those of the server, and in one round trip."""
        with self.raw_connection() as driver:
            connection = PostgresqlConnection(driver)
            try:
                yield connection.hold(source, tournament, heads, recopied, keys)
                if connection.holds:
                    driver.cursor().execute(_COMMIT)
            except BaseException:
                self.roll_back(driver)
                raise

    def bell(self) -> NotifyChannel:
        return NotifyChannel(self)

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """Under a lock of the server; another migration takes as long as it takes."""
        with self.writing() as connection:
            connection.run("SET LOCAL lock_timeout = 0")
            connection.rows(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
            connection.run("SET LOCAL idle_in_transaction_session_timeout = 0")  # it may compute
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


def _prepare(connection: Any, _record: Any) -> None:
    connection.execute("; ".join(POSTGRESQL_SETTINGS))
