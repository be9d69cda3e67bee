"""For a projector: who plays where, in pages that turn by themselves, and standings. No login."""

from __future__ import annotations

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from services.console.upstream import muster
from services.console.words import LONG_NAME

blueprint = Blueprint("wall", __name__)
NAMES = 16
"""On one page: two columns of eight."""
SECONDS = 12


class Line(Struct, frozen=True):
    """A player's line on the wall. hall: number of the venue, for its colour."""

    name: str
    against: str
    venue: str
    table: int
    hall: int

    @property
    def long(self) -> bool:
        return len(self.name) > LONG_NAME


@blueprint.get("/events/<event>/wall/pairings")
def pairings(event: str) -> ResponseReturnValue:
    """Where everybody sits, by name."""
    asked = muster()
    rounds = asked.pairing.list_rounds(event).items
    shown = asked.registration.show_tournament(event)
    venues = [venue.id for venue in shown.venues]
    lines = sorted(_lines(event, rounds[-1].round, venues), key=lambda line: line.name.casefold()) if rounds else []
    number = max(1, request.args.get("page", 1, type=int))
    pages = max(1, -(-len(lines) // NAMES))
    page = (number - 1) % pages
    return render_template(
        "wall_pairings.html",
        event=shown,
        round=rounds[-1] if rounds else None,
        lines=lines[page * NAMES : (page + 1) * NAMES],
        page=page + 1,
        pages=pages,
        seconds=SECONDS,
        following=url_for("wall.pairings", event=event, page=(page + 1) % pages + 1),
    )


@blueprint.get("/events/<event>/wall/standings")
def standings(event: str) -> ResponseReturnValue:
    """The first of the standings, and on page by page."""
    asked, after = muster(), request.args.get("after") or None
    shown = asked.registration.show_tournament(event)
    page = asked.scoring.show_standings(event, limit=NAMES, after=after)
    following = url_for("wall.standings", event=event, after=page.next)
    return render_template("wall_standings.html", event=shown, standings=page, seconds=SECONDS, following=following)


def _lines(event: str, number: int, venues: list[str]) -> list[Line]:
    lines = []
    for pairing in muster().pairing.show_round(event, number).pairings:
        hall = venues.index(pairing.venue) if pairing.venue in venues else 0
        bye = pairing.status == "bye"
        lines.append(Line(pairing.name_1, "" if bye else pairing.name_2, pairing.venue_name, pairing.table, hall))
        if not bye:
            lines.append(Line(pairing.name_2, pairing.name_1, pairing.venue_name, pairing.table, hall))
    return lines
