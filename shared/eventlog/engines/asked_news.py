"""What asks several logs at once for what is new behind their heads, and what the rows say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from shared.eventlog.engines.statements import Words, named
from shared.eventlog.tables import NEWS
from shared.events.recorded import Head


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
