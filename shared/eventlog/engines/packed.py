"""Logs read from their beginning on PostgreSQL: pages of events, and each column of a page is one text.

An event in a row of its own costs the driver a message, a tuple, and a text for each column, which is half the time
that folding a long log takes. Here the server puts the texts together, page by page, and they are split in one go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, repeat
from typing import Any

from shared.eventlog.engines.statements import Words, named
from shared.events.recorded import Head

PAGE = 500
"""Events of one row; of the largest there may be, 125 MB."""
BETWEEN = "\x1e"
"""Between the values of a column. Canonical JSON holds no such sign."""
_TEXTS = ("type", "version::text", "time", "actor", "data")
_OF = "source = :source{0} AND tournament = :tournament"
# The pages of a log one after the other, and in each of them the events in their order: by the index of both.
_PAGES = f"""SELECT * FROM (SELECT :source{{0}}::text, page.*,
        (SELECT hash FROM events WHERE {_OF} AND position = page.last)
    FROM generate_series(:after{{0}}::int, (SELECT max(position) FROM events WHERE {_OF}) - 1, {PAGE}) AS below
    CROSS JOIN LATERAL (
        SELECT min(position), max(position) AS last, count(*),
            {", ".join(f"string_agg({text}, chr(30))" for text in _TEXTS)}
        FROM (SELECT position, type, version, time, actor, data FROM events
            WHERE {_OF} AND position > below AND position <= below + {PAGE} ORDER BY position) AS event) AS page
    ) AS log{{0}}"""
_RECOPIED = """SELECT '', id, 0, 0, '', '', '', '', '', '' FROM recopies
    WHERE tournament = :tournament AND id > :recopied"""


@cache
def pages(logs: int, words: Words) -> str:
    """Reads so many logs of a tournament, and its recopies, by the parameters of `news`."""
    return named(" UNION ALL ".join([*map(_PAGES.format, range(logs)), _RECOPIED]), words)


def unpacked(rows: Iterable[tuple[Any, ...]], heads: Mapping[str, Head]) -> Iterator[tuple[Any, ...]] | None:
    """The events of pages behind `heads`, with columns `NEWS`, each made when it is asked for.

    None where a log has a hole, or a value holds the sign that stands between values: then they are read row by row.
    """
    told: list[Iterable[tuple[Any, ...]]] = []
    ends = {source: head.position for source, head in heads.items()}
    for source, first, last, count, *texts, hash in rows:
        if first != ends[source] + 1 or last != ends[source] + count:
            return None
        columns = [text.split(BETWEEN) for text in texts]
        if any(len(column) != count for column in columns):
            return None
        types, versions, times, actors, datas = columns
        hashes = chain(repeat("", count - 1), (hash,))
        positions = range(first, last + 1)
        told.append(zip(repeat(source), positions, types, map(int, versions), times, actors, datas, hashes))
        ends[source] = last
    return chain.from_iterable(told)
