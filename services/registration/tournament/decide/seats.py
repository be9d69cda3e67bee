"""Decisions about seats that an organiser gives to somebody of the waiting list, whoever is first; and back again."""

from __future__ import annotations

from collections.abc import Sequence

from services.registration.tournament.decide.players import refuse_late_entry
from services.registration.tournament.player_commands import GiveSeat, TakeSeatBack
from services.registration.tournament.refusals import CapacityTooSmall, SeatNotGiven, TooLateToChange
from services.registration.tournament.state import not_active, player_of, seat_left
from shared.events.base import Event
from shared.tournament.context import Context
from shared.tournament.events.registration import SeatGiven, SeatTakenBack
from shared.tournament.guards import running
from shared.tournament.state import Tournament


def give(state: Tournament, command: GiveSeat, context: Context) -> Sequence[Event]:
    """A free seat, or one more, for somebody who waits; those who have waited longer keep their places.

    Once round 1 is paired this is a late entry, which the ruleset has to take.
    """
    entries = running(state)
    player = player_of(entries, command.player)
    if player.status == "active":
        return []
    if player.status != "waiting":
        raise not_active(player)
    if state.begun:
        refuse_late_entry(entries)
    added = None
    if entries.capacity is not None and not seat_left(entries):
        if not command.more:
            raise CapacityTooSmall(
                f"All {entries.capacity} seats are taken; with `more`: true a seat is added for {player.name}.",
                capacity=entries.capacity,
                wanted=entries.seated() + 1,
            )
        added = entries.seated() + 1
    before = [other.id for other in entries.waiting() if other.order < player.order]
    return [SeatGiven(player=player.id, reason=command.reason, capacity=added, passed_over=before, late=state.begun)]


def take_back(state: Tournament, command: TakeSeatBack, context: Context) -> Sequence[Event]:
    """Until round 1 is paired; a seat that was added for the player goes with it, so that nobody waits beside it."""
    entries = running(state)
    player = player_of(entries, command.player)
    if player.status == "waiting":
        return []
    if player.status != "active":
        raise not_active(player)
    if not player.seat_given:
        raise SeatNotGiven(f"{player.name} did not get the seat by hand.")
    if state.begun:
        raise TooLateToChange("Round 1 is paired; a player who leaves now has to drop: POST …/drop.")
    if player.seat_given == "free" or entries.capacity is None:
        return [SeatTakenBack(player=player.id)]
    if seat_left(entries):
        raise SeatNotGiven(f"There are free seats, and {player.name} would have one of them at once.")
    return [SeatTakenBack(player=player.id, capacity=entries.capacity - 1)]
