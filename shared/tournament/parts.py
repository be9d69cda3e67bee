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
    """Return draft, paired, started, aside or closed."""
    if state.results.is_aside(round.number, part):
        return "aside"
    if round.is_draft(part):
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


def has_own_rounds(state: Tournament) -> bool:
    """Return True if each venue is paired by itself, so that venues may be rounds apart."""
    return state.entries.pairing_scope == "venue" and not state.rounds.cut


def venues_in_play(state: Tournament) -> list[str]:
    """Return the open venues with active players, in the order of venues."""
    entries = state.entries
    homes = {player.venue for player in entries.active()}
    return [venue.id for venue in entries.venues.values() if venue.open and venue.id in homes]


def rounds_done(state: Tournament, venue: str) -> int:
    """Return the number of the last round that is over at a venue; 0 if there is none."""
    latest = latest_round_at(state.rounds, venue)
    return latest if latest and state.results.is_closed(latest, venue) else max(0, latest - 1)


def next_round_at(state: Tournament, venue: str) -> int:
    """Return the number of the next round of a venue that is paired by itself.

    A venue without games joins the others in the first round that is not closed.
    """
    return max(latest_round_at(state.rounds, venue), state.results.rounds_closed()) + 1


def venues_behind(state: Tournament, number: int) -> list[str]:
    """Return the venues in play that have not paired a round yet and whose part of it is not set aside."""
    if not has_own_rounds(state):
        return []
    return [
        venue
        for venue in venues_in_play(state)
        if latest_round_at(state.rounds, venue) < number and not state.results.is_aside(number, venue)
    ]


def aside_venues(state: Tournament) -> set[str]:
    """Return the venues that have a part set aside."""
    return {venue for venues in state.results.aside.values() for venue in venues}


def players_aside(state: Tournament) -> set[str]:
    """Return the players of all parts that are set aside."""
    rounds = state.rounds.rounds
    return {
        player
        for number, venues in state.results.aside.items()
        for venue in venues
        for seat in (rounds[number].seats_of(venue) if number in rounds else ())
        for player in seat.players
    }


def rounds_closed_for(state: Tournament, player: str) -> int:
    """Return the number of the last round that is closed for a player; their own, if venues may be rounds apart."""
    if not has_own_rounds(state):
        return state.rounds_closed()
    closed = (
        number
        for number, round in state.rounds.rounds.items()
        for seat in round.seats.values()
        if player in seat.players and state.results.is_closed(number, seat.venue)
    )
    return max(closed, default=state.rounds_closed())


def rounds_counted(state: Tournament, until: int) -> dict[str, int]:
    """Return the last round of which every game at a venue counts, by venue, for standings after round `until`.

    Empty for a tournament at fewer than two venues.
    """
    parts = {number: round.parts for number, round in state.rounds.rounds.items() if number <= until}
    counted: dict[str, int] = {}
    for venue in state.entries.venues:
        own = [number for number, venues in parts.items() if venue in venues]
        still_open = [number for number in own if not state.results.is_closed(number, venue)]
        if still_open:
            counted[venue] = min(still_open) - 1
        elif own:
            counted[venue] = max(own) if has_own_rounds(state) and venue in venues_in_play(state) else until
        elif until and venue in venues_behind(state, until):
            counted[venue] = 0
    return counted if len(counted) > 1 else {}


def players_of_first_round(state: Tournament) -> int:
    """Return the number of players that determines the number of rounds (AR-AMB-24).

    Those of the first pairing, with the players of venues that have not paired it yet; before it, players with a seat.
    """
    first = state.rounds.rounds.get(1)
    if first is None:
        return state.entries.seated()
    waiting = set(venues_behind(state, 1))
    paired = sum(len(seat.players) for seat in first.seats.values())
    return paired + sum(player.venue in waiting for player in state.entries.active())


def describe_parts(round: Round, parts: Iterable[str]) -> str:
    """Return the end of a sentence that says at which venues; empty for a round of a single part."""
    named = [part for part in parts if part]
    return f" at {', '.join(named)}" if named and len(round.parts) > 1 else ""
