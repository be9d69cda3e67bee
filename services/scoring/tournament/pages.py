"""What is recorded in pages, since an event holds 256 KB at most."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TypeVar

import msgspec

from shared.events.base import Event
from shared.tournament.events.pairing import PAGE, DrawMade
from shared.tournament.events.scoring import StandingRow, StandingsRecorded

Row = TypeVar("Row", bound=msgspec.Struct)

MOST_BYTES = 200_000
"""Of the rows on one page, so that no event is larger than 256 KB."""
HALF = MOST_BYTES // 2


def in_pages(rows: Sequence[Row], most: int = MOST_BYTES) -> list[list[Row]]:
    """Rows in pages of at most 500 and `most` bytes of JSON; one empty page where there are none."""
    pages: list[list[Row]] = [[]]
    size = 0
    for row in rows:
        length = len(msgspec.json.encode(row))
        if pages[-1] and (len(pages[-1]) == PAGE or size + length > most):
            pages.append([])
            size = 0
        pages[-1].append(row)
        size += length
    return pages


def standings_pages(rows: Sequence[StandingRow], round: int, seed: str, draws: Sequence[DrawMade] = ()) -> list[Event]:
    """Standings as pages, each with its share of the rows and of the draws that broke ties."""
    pages = list(zip_longest(in_pages(rows, HALF), in_pages(draws, HALF)))
    return [
        StandingsRecorded(round=round, page=number, pages=len(pages), rows=some or [], seed=seed, draws=drawn or [])
        for number, (some, drawn) in enumerate(pages, start=1)
    ]
