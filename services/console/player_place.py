"""Where a player stands in an event: their rank, whether they go on to the bracket, and what time they have left."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct

from muster_client import Problem, Unreachable, answers
from services.console.sittings import is_begun
from services.console.upstream import muster

NOTHING = (404, 409)
"""Status of an answer that says that there is none, or not now."""
NO_ROW = 422
"""Where somebody has no row in the standings: they wait, or left before the first round."""


class Place(Struct, frozen=True):
    """A place in the standings. round: after which; total: how many players are there; final: the event is over.

    so_far: the round is still going on.
    """

    rank: int
    total: int
    round: int
    final: bool
    so_far: bool = False


class BracketSeat(Struct, frozen=True):
    """A seat of the bracket. seed: 0 for who has none. begun: their latest game was one of the bracket."""

    seed: int
    begun: bool


class NextRound(Struct, frozen=True):
    """The round that comes next. at: when it begins, about, RFC 3339; else day: on which, ISO 8601."""

    round: int
    at: str = ""
    day: str = ""


def next_round(event: str, seat: answers.PlayersPairing | None) -> NextRound | None:
    """When the next round begins, as far as the timetable knows: the end of this one and its break, or a day."""
    try:
        rounds = muster().pairing.show_timetable(event).rounds
    except Unreachable:
        return None
    except Problem as problem:
        if problem.status in NOTHING:
            return None
        raise
    known, number = {one.round: one for one in rounds}, seat.round if seat else 0
    now, coming = known.get(number), known.get(number + 1)
    if coming is None:
        return None
    if now is not None and seat is not None and seat.pairing.ends_at and now.day == coming.day:
        begins = datetime.fromisoformat(seat.pairing.ends_at) + timedelta(minutes=now.break_minutes)
        return NextRound(coming.round, at=begins.isoformat())
    return NextRound(coming.round, day=coming.date) if coming.date else None


def place_of(event: str, player: str) -> Place | None:
    """Where somebody stands; None before the first result, and where the standings are not shown or cannot be had."""
    try:
        standings = muster().scoring.show_standings(event, limit=1, around=player)
        begun = is_begun(muster(), event, standings)
    except Unreachable:
        return None
    except Problem as problem:
        if problem.status in (*NOTHING, NO_ROW):
            return None
        raise
    rank = next((row.rank for row in standings.items if row.player == player), None)
    if rank is None or not begun:
        return None
    return Place(rank, standings.total, standings.round, standings.final, standings.provisional)


def seat_in_bracket(event: str, player: str, round: int) -> BracketSeat | None:
    """Whether somebody goes on to the bracket; None while no cut is made or shown. round: the latest of theirs."""
    try:
        cut = muster().pairing.show_cut(event)
    except Problem as problem:
        if problem.status in NOTHING:
            return None
        raise
    if not cut.seeds:
        return None
    seed = next((seat.seed for seat in cut.seeds if seat.player == player and not seat.given_up), 0)
    return BracketSeat(seed, round > (cut.after_round or 0))


def seconds_left(event: str, seat: answers.PlayersPairing) -> int | None:
    """Of a player's game that is being played, by the clock of the service; below zero after its end, None: no end."""
    if seat.status != "started" or not seat.pairing.ends_at:
        return None
    clock = muster().pairing.show_clock(event)
    ends = datetime.fromisoformat(seat.pairing.ends_at)
    return round((ends - datetime.fromisoformat(clock.now)).total_seconds()) if clock.running else None
