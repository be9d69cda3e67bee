"""Parts of rounds: the games of a round at one venue, with a clock, an end and a status of their own.

A part is not stored. Its games are those of the round at its venue; pairing's log says when it was paired and started,
scoring's log when it was closed. A round is closed when all its parts are.
"""

from __future__ import annotations

from collections.abc import Iterable

from shared.refusals import Fault, Refusal, one_of
from shared.tournament.guards import require_venue
from shared.tournament.rounds import WHOLE, Round, Rounds
from shared.tournament.state import Tournament


class PartUnknown(Refusal):
    """The round has no games at this venue; data: `round`, `venues` with games."""

    code = "part-unknown"


def select_parts(state: Tournament, round: Round, venue: str) -> list[str]:
    """Return the part of a round at a venue, in a list; all its parts if the venue is empty.

    Raises UnknownVenue, PartUnknown.
    """
    if not venue:
        return round.parts
    require_venue(state.entries, venue)
    if venue not in round.parts:
        venues = [part for part in round.parts if part]
        raise PartUnknown(
            f"Round {round.number} has no games at {venue}.",
            [Fault("/venue", venue, one_of(venues))],
            round=round.number,
            venues=venues,
        )
    return [venue]


def part_status(state: Tournament, round: Round, part: str) -> str:
    """Return draft, paired, started or closed."""
    if round.draft:
        return "draft"
    if state.results.is_closed(round.number, part):
        return "closed"
    return "started" if round.clock_of(part) else "paired"


def latest_round_at(rounds: Rounds, part: str) -> int:
    """Return the number of the latest round with games at a venue; 0 if there is none. WHOLE counts any venue."""
    return max((number for number, round in rounds.rounds.items() if has_part(round, part)), default=0)


def has_part(round: Round, part: str) -> bool:
    """Return True if a round has games at a venue. WHOLE, and a round at no venue, count as any."""
    return part == WHOLE or any(part == seat.venue for seat in round.seats.values()) or round.parts == [WHOLE]


def describe_parts(round: Round, parts: Iterable[str]) -> str:
    """Return the end of a sentence that says at which venues; empty for a round of a single part."""
    named = [part for part in parts if part]
    return f" at {', '.join(named)}" if named and len(round.parts) > 1 else ""
