"""The latest round of each venue, and its next steps there: the rows of the round page."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from muster_client import answers
from services.console.language import N_
from services.console.words import OVER

ELIMINATION = "elimination"
"""Stage of the rounds after the cut."""
OF_STATUS = {"draft": "publish", "paired": "start", "started": "close", "aside": "close"}
"""Status of a round or part -> its next step."""
PART_STEPS = {
    "publish": N_("Publish round %(number)s"),
    "start": N_("Start round %(number)s"),
    "close": N_("Close round %(number)s"),
    "pair": N_("Pair round %(number)s"),
}
"""Next step of a venue -> its button."""


def latest_at(rounds: Sequence[answers.RoundListed], venue: str) -> answers.RoundListed | None:
    """Return the latest round with games at a venue, or else the latest one; None without rounds."""
    there = [one for one in rounds if venue and any(part.venue == venue for part in one.parts or ())]
    return next(reversed(there or list(rounds)), None)


def rounds_apart(
    event: answers.TournamentView, rounds: Sequence[answers.RoundListed], *, drafts: bool = True
) -> dict[str, int]:
    """Return venue -> the number of its latest round, if each venue is paired by itself.

    Empty if all are paired together, as after the cut, or if no round is paired. A venue without games is left out.

    drafts: False to pass over pairings that are not published.
    """
    if event.pairing_scope != "venue" or not rounds or rounds[-1].stage == ELIMINATION:
        return {}
    return {
        part.venue: one.round
        for one in rounds
        for part in one.parts or ()
        if part.venue and (drafts or part.status != "draft")
    }


class VenueRound(Struct, frozen=True):
    """The latest round of a venue. round: its number, 0 for none. number: the round that the next steps are about.

    steps: actions of the form. waits: games still need a result. clock: the running clock, if any.
    """

    venue: str
    name: str
    round: int
    number: int
    status: str
    games: int
    open: int
    steps: list[str]
    waits: bool
    clock: answers.PartClock | None


def venue_rounds(
    event: answers.TournamentView, rounds: answers.RoundsView, clock: answers.ClockView, *, cut: bool
) -> list[VenueRound]:
    """Return the latest round of each open venue; empty for an event at fewer than two venues.

    cut: True if the cut is made, after which all venues are paired together.
    """
    latest: dict[str, tuple[int, answers.RoundPartView]] = {}
    for one in rounds.items:
        latest |= {part.venue: (one.round, part) for part in one.parts or ()}
    venues = [venue for venue in event.venues if venue.open or venue.id in latest]
    if len(venues) < 2 or event.status in OVER:
        return []
    apart = event.pairing_scope == "venue" and not cut
    clocks = {one.venue: one for one in clock.parts or ()}
    found = []
    for venue in venues:
        number, part = latest.get(venue.id, (0, None))
        status = part.status if part else "waiting"
        steps = [OF_STATUS[status]] if status in OF_STATUS else []
        more = not rounds.planned or number < rounds.planned
        if apart and venue.open and status in ("closed", "waiting") and more:
            number, steps = number + 1, ["pair"]
        found.append(
            VenueRound(
                venue=venue.id,
                name=venue.name,
                round=latest[venue.id][0] if part else 0,
                number=number,
                status=status,
                games=part.games if part else 0,
                open=part.open if part else 0,
                steps=steps,
                waits=bool(part and part.open and steps == ["close"]),
                clock=clocks.get(venue.id),
            )
        )
    return found
