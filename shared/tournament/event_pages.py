"""Lists that are recorded in pages, since an event holds 256 KB at most: which rows stand in which event.

What is on record is decided again by audits, so nobody changes how many rows an event takes: each caller says it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from shared.tournament.events.pairing import PAGE

Row = TypeVar("Row", bound=msgspec.Struct)

MOST_BYTES = 200_000
"""Of the rows on one page, so that no event is larger than 256 KB."""


def in_pages(rows: Sequence[Row], most: int = PAGE, size: int | None = None) -> list[list[Row]]:
    """Rows in pages of at most `most` of them and `size` bytes of JSON; one empty page where there are none."""
    if size is None:
        return [list(rows[start : start + most]) for start in range(0, len(rows), most)] or [[]]
    pages: list[list[Row]] = [[]]
    used = 0
    for row in rows:
        length = len(msgspec.json.encode(row))
        if pages[-1] and (len(pages[-1]) == most or used + length > size):
            pages.append([])
            used = 0
        pages[-1].append(row)
        used += length
    return pages
