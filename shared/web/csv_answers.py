"""Lists as files of comma-separated values, for whoever asks with `Accept: text/csv`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from flask import Response

from shared.csv_cells import as_csv
from shared.web.paging import Paged
from shared.web.request import this_request

CSV = "text/csv"
NO_HEADERS: Mapping[str, str] = MappingProxyType({})


def wants_csv() -> bool:
    """Whether the request at hand is answered with a file."""
    return this_request().edge.media == CSV


def most_of(query: Paged) -> int | None:
    """Items of the page at hand; None: all of them, in a file for which no limit was given."""
    return None if wants_csv() and "limit" not in this_request().args else query.limit


def csv_answer(
    columns: Sequence[str], rows: Iterable[Mapping[str, object]], headers: Mapping[str, str] = NO_HEADERS
) -> Response:
    """The answer with these rows. headers: those of the page."""
    return Response(as_csv(columns, rows), headers=dict(headers), content_type=f"{CSV}; charset=utf-8")
