"""The verbs of a connection in SQL, as text that is made once for each shape of a question; and those of logs alone.

These move a head, find what stands in the way (who was faster, or a command that was done before), and ask several logs
at once for what is new behind their heads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from msgspec import Struct

from shared.eventlog.database import NO_COPIES, Row, Table
from shared.eventlog.tables import EVENTS, ID_IN_LOG, KEYED
from shared.events.recorded import GENESIS, Head, Recorded

OCTETS = re.compile(r"octets\((.+)\)")
OWN_FEED = "feed"
"""The one feed whose rows name no source: all of its events are the own ones."""


class Words(Struct, frozen=True, eq=False):
    """What the two databases say differently. mark: of a parameter. percent: a sign that is none. now: Unix ms.

    octets: bytes of a text. locked: behind a SELECT whose rows nobody else may change.
    one_by_one: rows of one table, each with the one row of another that a key finds.
    """

    mark: str
    percent: str
    now: str
    octets: str
    locked: str
    one_by_one: str


Shape = tuple[tuple[str, object], ...]
"""Of a condition: its names, with what the text of the statement depends on beside them."""


def shape_and_values(where: Row) -> tuple[Shape, list[Any]]:
    """What the text of a condition depends on (how many values `in` has, what `is` and `like` are), and parameters."""
    plain = _plain(tuple(where))
    if plain is not None:
        return plain, list(where.values())
    shape: list[tuple[str, object]] = []
    values: list[Any] = []
    for name, value in where.items():
        if name.endswith(" in"):
            shape.append((name, len(value)))
            values.extend(value)
        elif name.endswith((" is", " like")):
            shape.append((name, value))
        else:
            shape.append((name, None))
            values.append(value)
    return tuple(shape), values


@cache
def select(
    table: Table,
    shape: Shape,
    columns: tuple[str, ...],
    order: tuple[str, ...],
    limited: bool,
    lock: bool,
    words: Words,
) -> str:
    """Reads rows."""
    wanted = ", ".join(column(name, words) for name in columns or table.columns)
    ordered = ", ".join(f"{name[1:]} DESC" if name.startswith("-") else name for name in order)
    return (
        f"SELECT {wanted} FROM {table.name}{_where(shape, words)}"
        + (f" ORDER BY {ordered}" if order else "")
        + (f" LIMIT {words.mark}" if limited else "")
        + (words.locked if lock else "")
    )


@cache
def total(table: Table, shape: Shape, of: str, words: Words) -> str:
    """Counts rows, or adds up one of their columns."""
    return f"SELECT {f'coalesce(sum({of}), 0)' if of else 'count(*)'} FROM {table.name}{_where(shape, words)}"


@cache
def insert(table: Table, names: tuple[str, ...], replace: bool, words: Words) -> str:
    """Writes rows; one that is there stays, or is replaced."""
    others = [name for name in names if name not in table.key]
    changed = ", ".join(f"{name} = excluded.{name}" for name in others)
    known = f"({', '.join(table.key)}) DO UPDATE SET {changed}" if replace and others else "DO NOTHING"
    marks = ", ".join([words.mark] * len(names))
    return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks}) ON CONFLICT {known}"


@cache
def update(table: Table, shape: Shape, to: tuple[str, ...], words: Words) -> str:
    """Changes rows."""
    return f"UPDATE {table.name} SET {', '.join(_set(to, words))}{_where(shape, words)}"


@cache
def delete(table: Table, shape: Shape, words: Words) -> str:
    """Removes rows."""
    return f"DELETE FROM {table.name}{_where(shape, words)}"


@cache
def placed(feed: str, columns: tuple[str, ...], of_source: bool, of_tournament: bool, last: bool, words: Words) -> str:
    """Reads events by their place in a feed; parameters: source, tournament, after, limit."""
    selected = ", ".join(f"e.{name}" if name.isidentifier() else name for name in columns)
    source = ":source" if feed == OWN_FEED else "f.source"
    mine = "f.source = :source AND " if feed != OWN_FEED and of_source else ""
    mine += "f.tournament = :tournament AND " if of_tournament else ""
    event = f"e.source = {source} AND e.tournament = f.tournament AND e.position = f.position"
    rows = words.one_by_one.format(many=f"{feed} f", one="events e", where=event)
    return f"""SELECT f.feed, {selected} FROM {rows}
        WHERE {mine}f.feed > :after ORDER BY f.feed{" DESC" if last else ""} LIMIT :limit"""


def column(name: str, words: Words, of: str = "") -> str:
    """A column as a SELECT names it."""
    found = OCTETS.fullmatch(name)
    return words.octets.format(f"{of}{found[1]}") if found else f"{of}{name}"


@cache
def _plain(names: tuple[str, ...]) -> Shape | None:
    """The shape of a condition whose values are parameters each."""
    return None if any(name.endswith((" in", " is", " like")) for name in names) else tuple((n, None) for n in names)


def _where(shape: Shape, words: Words) -> str:
    return f" WHERE {' AND '.join(_conditions(shape, words))}" if shape else ""


def _conditions(shape: Shape, words: Words) -> Iterator[str]:
    for name, value in shape:
        column, _, how = name.partition(" ")
        if how == "in":
            marks = ", ".join([words.mark] * int(str(value)))
            yield f"{column} IN ({marks})" if marks else "1 = 0"
        elif how in ("is", "like"):
            text = str(value).replace("'", "''").replace("%", words.percent)
            yield f"{column} {'=' if how == 'is' else 'LIKE'} '{text}'"
        elif how.endswith(" now +"):
            yield f"{column} {how[0]} {words.now} + {words.mark}"
        else:
            yield f"{column} {how or '='} {words.mark}"


def _set(to: Iterable[str], words: Words) -> Iterator[str]:
    for name in to:
        column, _, how = name.partition(" ")
        before = {"": "", "+": f"{column} + ", "now +": f"{words.now} + "}[how]
        yield f"{column} = {before}{words.mark}"


def spread(sql: str, values: Mapping[str, Any], lists: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Give each value of a list a parameter of its own: `IN (:ids)` becomes `IN (:ids0, :ids1)`."""
    spread = {name: value for name, value in values.items() if name not in lists}
    for name in lists:
        of_list = {f"{name}{index}": value for index, value in enumerate(values[name])}
        spread |= of_list
        sql = sql.replace(f"(:{name})", f"({', '.join(f':{one}' for one in of_list) or 'NULL'})")
    return sql, spread


@lru_cache(2000)
def named(statement: str, words: Words) -> str:
    """A statement with its `:names` as the driver writes them."""
    if words.mark == "?":
        return statement
    return re.sub(r"(?<!:):([a-z]\w*)", r"%(\1)s", statement.replace("%", words.percent))


OPEN = """INSERT INTO heads (source, tournament, position, hash)
    VALUES (:source, :tournament, :last, :last_hash) ON CONFLICT DO NOTHING"""
MOVE = """UPDATE heads SET position = :last, hash = :last_hash
    WHERE source = :source AND tournament = :tournament AND position = :expected AND hash = :expected_hash"""
# Two commands with one key have ids of one length: the key, a tilde, the digest of the request.
UNLESS_DONE = f""" AND NOT EXISTS (
    SELECT 1 FROM events WHERE command_id LIKE '{KEYED}'
      AND {ID_IN_LOG} >= :key AND {ID_IN_LOG} < :key_end AND length(command_id) = :key_length)"""
UNLESS_NEWS = """
    AND coalesce((SELECT hash FROM heads WHERE source = :copy{0} AND tournament = :tournament), :none) = :seen{0}"""


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
        begin, behind = range_of(first.source, first.tournament, key)
        parameters |= {"key": begin, "key_end": behind, "key_length": len(first.command_id)}
    for index, (copied, end) in enumerate(copies.items()):
        parameters |= {f"copy{index}": copied, f"seen{index}": end.hash, "none": GENESIS}
    return parameters, _move(expected.position == 0, bool(keyed), len(copies))


@cache
def _move(opens: bool, keyed: bool, copies: int) -> str:
    if opens:
        return OPEN
    return MOVE + (UNLESS_DONE if keyed else "") + "".join(map(UNLESS_NEWS.format, range(copies)))


def range_of(source: str, tournament: str, key: str) -> tuple[str, str]:
    """Where the index of commands with a key may hold this one: a tilde is the last sign but one of ASCII.

    A key may hold a tilde itself, so other keys may lie there, too.
    """
    begin = f"{tournament}/{source}/{key}"
    return f"{begin}~", f"{begin}\x7f"


def of_keys(found: Iterable[tuple[str, int]], keys: Sequence[str]) -> list[tuple[str, int]]:
    """Of what lies in the ranges of keys that which came with one of them; each once."""
    return [(id, position) for id, position in dict.fromkeys(found) if id.rpartition("~")[0] in keys]


def parameters_of_news(tournament: str, heads: Mapping[str, Head], recopied: int) -> dict[str, object]:
    """What says which news are meant."""
    parameters: dict[str, object] = {"tournament": tournament, "recopied": recopied}
    for index, (source, head) in enumerate(heads.items()):
        parameters |= {f"source{index}": source, f"after{index}": head.position}
    return parameters


@cache
def asks_for_news(logs: int, words: Words) -> str:
    """A statement that asks so many logs, and for the last recopy."""
    # Each part in its own order, one behind the other: sorting the whole would cost a large log a fifth of its reading.
    part = f"""SELECT * FROM (SELECT {", ".join(EVENTS.columns)} FROM events
        WHERE source = :source{{0}} AND tournament = :tournament AND position > :after{{0}}
        ORDER BY position) AS log{{0}}"""
    numbered = ", ".join({"position": "id", "version": "0"}.get(name, "''") for name in EVENTS.columns)
    recopied = f"SELECT {numbered} FROM recopies WHERE tournament = :tournament AND id > :recopied"
    return named(" UNION ALL ".join([*map(part.format, range(logs)), recopied]), words)


def news_of(asked: Iterable[tuple[Any, ...]], recopied: int) -> tuple[int, list[tuple[Any, ...]]]:
    """What the rows that were asked for say: the number of the last recopy, and events."""
    rows = list(asked)
    last: int = max((row[2] for row in rows if not row[0]), default=recopied)
    return last, rows if last == recopied else [row for row in rows if row[0]]
