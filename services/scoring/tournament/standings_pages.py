"""Standings as they are recorded: in pages, each with its share of the draws that broke ties."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from shared.events.base import Event
from shared.tournament.event_pages import MOST_BYTES, in_pages
from shared.tournament.events.pairing import DrawMade
from shared.tournament.events.scoring import StandingRow, StandingsRecorded

HALF = MOST_BYTES // 2


def standings_pages(
    rows: Sequence[StandingRow], round: int, seed: str, draws: Sequence[DrawMade] = (), *, draft: bool = False
) -> list[Event]:
    """Standings as pages, each with its share of the rows and of the draws that broke ties. draft: kept back."""
    pages = list(zip_longest(in_pages(rows, size=HALF), in_pages(draws, size=HALF)))
    return [
        StandingsRecorded(
            round=round, page=number, pages=len(pages), rows=some or [], seed=seed, draws=drawn or [], draft=draft
        )
        for number, (some, drawn) in enumerate(pages, start=1)
    ]
