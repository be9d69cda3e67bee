"""What a service keeps its log in, whichever engine that is: rows in named tables, and events that follow a head.

    with database.writing() as connection:      one transaction
        connection.extend(head, events, own=True)
        connection.put(OWN_COPIES, {"peer": "pairing", "checked": 0, "trouble": ""})

`engines/` holds one file for each engine; nothing outside of it knows which one is at work.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import MappingProxyType
from typing import Any, Protocol

from msgspec import Struct

from shared.events.recorded import Head, Recorded

Row = Mapping[str, Any]
EVERY: Row = MappingProxyType({})
"""A condition that every row fulfils."""
NO_COPIES: Mapping[str, Head] = MappingProxyType({})


class Table(Struct, frozen=True, eq=False):
    """What rows of one kind hold. columns: in their order. key: the columns that one row alone has together.

    numbered: the key is one number, which the database gives to a new row, larger than those that are there.
    """

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    numbered: bool = False


class Held(Struct, frozen=True):
    """A log whose head nobody else moves, and what was there when it was taken hold of.

    recopied, news: as of `Connection.news`. done: as of `Connection.done`.
    """

    connection: Connection
    recopied: int
    news: Iterable[tuple[Any, ...]]
    done: Sequence[tuple[str, int]]


class Connection(Protocol):
    """The verbs of every engine.

    where: column -> value, and all of them hold. Behind the name of a column may stand how they compare:
    `<`, `<=`, `>`, `>=`, `<>`; `in`: any of these values; `< now +` and `> now +`: milliseconds behind the engine's own
    clock; `is` and `like` (`%`: any text): with a value written by us, by which an engine may choose its index.
    """

    @property
    def now(self) -> str:
        """SQL for the engine's own clock, Unix ms."""

    def octets(self, text: str) -> str:
        """Return SQL for the number of bytes of a text."""

    def rows(self, sql: str, /, **values: Any) -> list[tuple[Any, ...]]:
        """Return the rows that a statement finds.

        sql: what both engines understand, with parameters as `:name`. A list stands for all of its values:
        `id IN (:ids)`, which is true for no row if the list is empty.
        """

    def one(self, sql: str, /, **values: Any) -> tuple[Any, ...] | None:
        """Return the first row, or None if there is none."""

    def value(self, sql: str, /, **values: Any) -> Any:
        """Return the first column of the first row, or None if there is none."""

    def run(self, sql: str, /, **values: Any) -> int:
        """Run a statement that writes; returns the number of rows that it wrote."""

    def run_many(self, sql: str, rows: Sequence[Row]) -> int:
        """As `run`, once for each row of values; returns the sum. Nothing is done without a row."""

    def locked(self, sql: str, /, **values: Any) -> list[tuple[Any, ...]]:
        """As `rows`; no one else changes these rows until the end of the transaction."""

    def shred(self, sql: str, /, **values: Any) -> int:
        """As `run`, for a DELETE: overwrite the content where the engine would leave it in its file."""

    def lock_table(self, name: str) -> None:
        """Let no one else write to a table until the end of the transaction."""

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
        """The rows that fulfil a condition, with all columns or those named.

        columns: `octets(data)` is the number of bytes of a text. order: `-time` is backwards; none: any order.
        lock: nobody else changes them until the end of the transaction.
        """

    def total(self, table: Table, where: Row = EVERY, of: str = "") -> int:
        """How many rows fulfil a condition, or the sum of one of their columns."""

    def add(self, table: Table, rows: Sequence[Row]) -> int:
        """Write new rows; one whose key is there already stays as it was. Returns how many are new."""

    def put(self, table: Table, row: Row) -> None:
        """Write a whole row, in place of one with the same key."""

    def change(self, table: Table, where: Row, to: Row) -> int:
        """Change columns of the rows that fulfil a condition; returns how many there were.

        to: column -> value. Behind the name may stand `+`: so much more; `now +`: milliseconds behind now.
        """

    def remove(self, table: Table, where: Row = EVERY, *, shred: bool = False) -> int:
        """Remove the rows that fulfil a condition; returns how many there were.

        shred: what they held is overwritten, where the engine would leave it in its file.
        """

    def lock(self, table: Table) -> None:
        """Let nobody else write to a table until the end of the transaction."""

    def extend(
        self,
        expected: Head,
        events: Sequence[Recorded],
        *,
        own: bool,
        copies: Mapping[str, Head] = NO_COPIES,
        causes: Sequence[str] = (),
        last: bool = False,
    ) -> bool:
        """Add consecutive events of one log behind `expected`, and outbox rows too when the log is the service's own.

        This is the one way into `events`, for own appends and for copies alike. copies: copied source -> where its
        copy has to end; not for the first event of a log. causes: kept in the outbox, one for each event, or none.
        last: the block writes nothing else, neither before nor afterwards; so an engine may commit along with it.
        Returns False, with nothing written, when the head or a copy is not where it should be, or when the first of own
        events comes of a command whose idempotency key has events in the log.
        """

    def done(self, source: str, tournament: str, keys: Sequence[str]) -> list[tuple[str, int]]:
        """The events in a log whose command came with one of these idempotency keys: its id, and their positions."""

    def news(self, tournament: str, heads: Mapping[str, Head], recopied: int) -> tuple[int, Iterable[tuple[Any, ...]]]:
        """Whole events of a tournament behind `heads` in the logs named there, each log in order.

        Also the number of the last recopy of one of its logs, if it is beyond `recopied`; all as of one moment.
        """

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
        """Feed position and columns of the events that stand in a feed behind position `after`, in its order.

        feed: table; `feed` is the own one, any other names the source of each event. columns: of events, as SQL.
        source, tournament: whose events, and of which one; empty: those of every source, of all. last: backwards, from
        its end.
        """

    def sequence(self, limit: int) -> int:
        """Give the oldest `limit` outbox rows the next feed positions; returns how many it gave.

        Rows of one tournament keep their order, whatever committed when.
        """

    def revisions(self) -> list[str] | None:
        """The ends of the migrations that were run; None for an engine that has no schema."""


class Bell(Protocol):
    """What wakes who waits for a commit. failures: raised by `open` and `wait` where nothing can be heard."""

    failures: tuple[type[Exception], ...]

    def ring(self) -> None:
        """Say that something was committed, where the append itself has not said it."""

    def open(self) -> bool:
        """Hear every ring from now on; False where there is no bell."""

    def wait(self, seconds: float) -> bool:
        """Wait for a ring, `seconds` at most; True when it rang."""

    def close(self) -> None:
        """Stop listening."""


class Database(Protocol):
    """One service's database. name: of the engine, as /readyz shows it."""

    name: str

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection on which every statement stands alone, and sees what is committed at that moment."""

    def writing(self) -> AbstractContextManager[Connection]:
        """A connection inside one transaction: committed at the end of the block, undone when it raises."""

    def appending(self) -> AbstractContextManager[Connection]:
        """As `writing`, for one `extend` and nothing else."""

    def holding(
        self, source: str, tournament: str, heads: Mapping[str, Head], recopied: int, keys: Sequence[str]
    ) -> AbstractContextManager[Held]:
        """As `writing`, and nobody else moves the head of that log until the end of the block.

        heads, recopied: behind which news are looked for, as of `Connection.news`. keys: of commands, as of `done`.
        A log that has no event yet has no head to hold on to: `extend` says whether somebody else was faster.
        """

    def bell(self) -> Bell:
        """What wakes the relay."""

    def owns_its_tables(self) -> bool | None:
        """Whether this very user could take away what guards the events; None where nobody else could own them."""

    def reachable_databases(self, service: str, peers: Collection[str]) -> list[str]:
        """Return the databases of other services that this user may connect to; empty for an engine without users."""

    def forget_removed(self) -> None:
        """Have the engine's own journal forget what was shredded, as far as nobody reads it at this moment."""

    def close(self) -> None:
        """Let go of everything that is open."""
