"""The progress of the venues: which one is late, what it waits for, and when it is expected to end."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, render_template
from msgspec import Struct

from muster_client import answers
from services.console.hall_time import use_zone_of
from services.console.signed_in import current_person, muster

blueprint = Blueprint("progress", __name__)


class Row(Struct, frozen=True):
    """The latest round of a venue, and its progress there."""

    round: int
    now: str
    progress: answers.VenueProgress


@blueprint.get("/events/<event>/progress")
def show(event: str) -> str:
    """Show each venue with its latest round. Venues may be in different rounds."""
    services = muster()
    tournament = services.registration.show_tournament(event)
    use_zone_of(tournament)
    rounds = services.pairing.list_rounds(event).items
    order = [venue.id for venue in tournament.venues]
    rows = sorted(_rows(event, rounds), key=lambda row: order.index(row.progress.venue) if row.progress.venue else -1)
    return render_template(
        "progress.html",
        event=tournament,
        rows=rows,
        apart=len({row.round for row in rows}) > 1,
        own=current_person().venue,
        place="progress",
    )


def _rows(event: str, rounds: list[answers.RoundListed]) -> Iterator[Row]:
    """Yield the latest round of each venue; one row for a round that is at no venue."""
    latest: dict[str, int] = {}
    for round in reversed(rounds):
        for venue in [part.venue for part in round.parts or []] or ([] if latest else [""]):
            latest.setdefault(venue, round.round)
    for number in sorted(set(latest.values())):
        found = muster().pairing.show_progress(event, number)
        for item in found.items:
            if latest.get(item.venue) == number:
                yield Row(number, found.now, item)
