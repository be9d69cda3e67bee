"""Recorded standings of very large tournaments stay within the size of events."""

from __future__ import annotations

from services.scoring.rounds import standings_pages
from shared.formats.fold import fold
from shared.log.event import EMPTY_HEAD
from shared.log.log import Stamp, chain_events
from shared.service.commands import entries_of
from shared.tournament.results import StandingRow
from shared.tournament.rounds import DrawMade
from shared.tournament.state import Tournament
from tests.acting import acting

COLUMNS = {"tournament_points": 19, "margin_of_victory": 1290, "strength_of_schedule": "12.666666666666666667"}
STAMP = Stamp(acting("organiser"), "c", "2026-03-07T10:00:00.000Z", {})


def test_standings_of_ten_thousand_players_fit_into_pages() -> None:
    rows = [StandingRow(rank=n, player=f"p{n}", values=COLUMNS, tied=True) for n in range(1, 10_001)]
    draws = [
        DrawMade(purpose="tie", round=9, order=[f"p{n}", f"p{n + 1}"], seed=f"{n:064x}") for n in range(1, 10_000, 2)
    ]
    events = standings_pages(rows, 9, "5eed", draws)
    recorded = chain_events("scoring", "t-1", EMPTY_HEAD, entries_of(events), STAMP)  # raises if an event is too large
    found = fold(Tournament(), recorded).results.recorded[9]
    assert (found.rows, found.draws, found.seed) == (rows, draws, "5eed")


def test_empty_standings_are_one_page() -> None:
    (event,) = entries_of(standings_pages([], 1, ""))
    assert '"pages":1' in event.data
