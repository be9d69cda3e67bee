"""What stands on a wall until it turns: a page of pairings or of standings, or the clock."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, field

from muster_client import answers
from services.console.pages.results import is_settled
from services.console.signed_in import muster
from services.console.sittings import Sitting, is_begun, published, sittings
from services.console.words import LONG_NAME
from shared.names import by_name

NAMES = 16
"""On one page: two columns of eight."""
ROWS = 10
"""Of the standings, on one page."""
NEXT_CALLS = 2
"""Of the clock, that are said beside it."""


class Turn(Struct, frozen=True):
    """One page of a wall. shown: what its template is filled with. on: the query of the next page; none: the end."""

    template: str
    shown: Mapping[str, Any]
    on: Mapping[str, Any] = field(default_factory=dict)


def pairings(event: answers.TournamentView, venue: str | None, by_table: bool, page: int) -> Turn:
    """Where everybody sits, by name or by table. page: from 1; behind the last one it begins anew."""
    rounds = published(muster().pairing.list_rounds(event.id).items)
    halls = {one.id: number for number, one in enumerate(event.venues)}
    games = muster().pairing.show_round(event.id, rounds[-1].round, venue=venue).pairings if rounds else []

    def order(line: Sitting) -> tuple[int, int, tuple[str, str]]:
        """Venue by venue and table by table, those without one last; or all by their names."""
        place = (halls.get(line.place, 0), line.table or sys.maxsize) if by_table else (0, 0)
        return *place, by_name(line.name)

    lines = sorted(sittings(games), key=order)
    pages = max(1, -(-len(lines) // NAMES))
    page = (page - 1) % pages
    shown = {
        "round": rounds[-1] if rounds else None,
        "lines": lines[page * NAMES : (page + 1) * NAMES],
        "halls": halls,
        "page": page + 1,
        "pages": pages,
        "venue_shown": venue,
        "by": "table" if by_table else None,
    }
    return Turn("wall_pairings.html", shown, {"page": page + 2} if page + 1 < pages else {})


def standings(event: answers.TournamentView, venue: str | None, after: str | None, first: int) -> Turn:
    """The first of the standings, or those behind a cursor. first: the number of the first of them."""
    page = muster().scoring.show_standings(event.id, limit=ROWS, after=after, venue=venue)
    if not is_begun(muster(), event.id, page):
        return Turn("wall_nothing.html", {"unranked": True})
    first = max(1, first) if after else 1
    shown = {
        "standings": page,
        "first": first,
        "page": (first - 1) // ROWS + 1,
        "pages": max(1, -(-page.total // ROWS)),
        "long_name": LONG_NAME,
    }
    on = {"after": page.next, "first": first + len(page.items)} if page.next else {}
    return Turn("wall_standings.html", shown, on)


def clock(event: answers.TournamentView, venue: str | None) -> Turn:
    """The time left of the round, by the time of the service, and the calls to come."""
    now = muster().pairing.show_clock(event.id)
    running = now.running and now.round is not None
    games = muster().pairing.show_round(event.id, now.round, venue=venue).pairings if running and now.round else []
    played = [game for game in games if game.status != "bye"]
    calls = [call for call in now.calls or [] if call.due_at and not call.made and _to_come(call.due_at, now.now)]
    shown = {
        "clock": now if running else None,
        "now": now.now,
        "games": len(played),
        "settled": sum(map(is_settled, played)),
        "calls": calls[:NEXT_CALLS],
        "venue_shown": venue,
    }
    return Turn("wall_clock.html", shown)


def _to_come(due: str, now: str) -> bool:
    return datetime.fromisoformat(due) > datetime.fromisoformat(now)
