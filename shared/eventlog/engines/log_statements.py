"""What is of logs alone, as text: what moves a head and what stands in the way, and what asks for news behind heads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from shared.eventlog.database import NO_COPIES
from shared.eventlog.engines.statements import Words, named
from shared.eventlog.tables import ID_IN_LOG, KEYED, NEWS
from shared.events.recorded import GENESIS, Head, Recorded

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
    part = f"""SELECT * FROM (SELECT {", ".join(NEWS)} FROM events
        WHERE source = :source{{0}} AND tournament = :tournament AND position > :after{{0}}
        ORDER BY position) AS log{{0}}"""
    recopied = """SELECT '', id, '', 0, '', '', '', '' FROM recopies
        WHERE tournament = :tournament AND id > :recopied"""
    return named(" UNION ALL ".join([*map(part.format, range(logs)), recopied]), words)


def news_of(asked: Iterable[tuple[Any, ...]], recopied: int) -> tuple[int, list[tuple[Any, ...]]]:
    """What the rows that were asked for say: the number of the last recopy, and events."""
    rows = list(asked)
    last: int = max((row[1] for row in rows if not row[0]), default=recopied)
    return last, rows if last == recopied else [row for row in rows if row[0]]
