"""Check-in and places: players checked in, moved, pinned to tables; seats given by hand.

Personal values of a command are kept outside the log by the route; no decision reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import msgspec

from services.registration.guards import (
    CapacityTooSmall,
    NotYours,
    PlayerNotActive,
    PlayerUnknown,
    StandInRound,
    TooLateToChange,
    VenueUnknown,
    active_player,
    not_active,
    own_or_staff,
    player_of,
    seat_left,
    table_of,
    venue_fault,
    venue_of,
)
from services.registration.players import everybody_once, refuse_late_entry
from shared.log.event import Event
from shared.refusals import Expected, Fault, Refusal, expects
from shared.shapes import Check, Command, Id, OptionalReason, Personal, Reason, Size, TableNumber, Text
from shared.tournament.guards import Context, player_with_seat, require_running
from shared.tournament.registration import (
    PlayerCheckedIn,
    PlayerCheckedOut,
    PlayerMoved,
    PlayerPinned,
    PlayerUnpinned,
    SeatGiven,
    SeatTakenBack,
)
from shared.tournament.state import Tournament

MOST_AT_ONCE = 500
"""Players of one request at the door; more of them are sent in several parts."""


class CheckIn(Command, frozen=True, kw_only=True):
    """venue: needed only where several are open and the player has none."""

    player: Id
    venue: str = ""


class CheckOut(Command, frozen=True, kw_only=True):
    """The check-in is taken back."""

    player: Id


class CheckInPlayers(Command, frozen=True, kw_only=True):
    """Players who are there: all of them are checked in, or none. venue: where those play who have none that is open;
    needed only where several are.
    """

    players: Annotated[list[Id], Size(MOST_AT_ONCE, 1), Check(everybody_once)]
    venue: str = ""


class CheckOutPlayers(Command, frozen=True, kw_only=True):
    """Check-ins of several players are taken back: all of them, or none."""

    players: Annotated[list[Id], Size(MOST_AT_ONCE, 1), Check(everybody_once)]


class MovePlayer(Command, frozen=True, kw_only=True):
    """venue: where the player plays from the next pairing on. reason: stands in the public log."""

    player: Id
    venue: Id
    reason: OptionalReason = ""


class PinPlayer(Command, frozen=True, kw_only=True):
    """reason: private; it is kept with the player's personal data, not in the log."""

    player: Id
    venue: Id
    table: TableNumber
    reason: Annotated[str, Text(500), Personal()] = ""


class UnpinPlayer(Command, frozen=True, kw_only=True):
    """The player is seated like everybody again."""

    player: Id


class GiveSeat(Command, frozen=True, kw_only=True):
    """A seat for a waiting player, whoever is first. reason: why, for those who are passed over; it stands in the log.

    more: add a seat where none is free.
    """

    player: Id
    reason: Reason
    more: bool = False


class TakeSeatBack(Command, frozen=True, kw_only=True):
    """A seat that was given so is taken back, and goes where it was added; the player waits in the old place."""

    player: Id


def give(state: Tournament, command: GiveSeat, context: Context) -> Sequence[Event]:
    """A free seat, or one more, for somebody who waits; those who have waited longer keep their places.

    Once round 1 is paired this is a late entry, which the ruleset has to take.
    """
    entries = require_running(state)
    player = player_of(entries, command.player)
    if player.status == "active":
        return []
    if player.status != "waiting":
        raise not_active(player)
    if state.has_begun:
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
    return [
        SeatGiven(player=player.id, reason=command.reason, capacity=added, passed_over=before, late=state.has_begun)
    ]


def take_back(state: Tournament, command: TakeSeatBack, context: Context) -> Sequence[Event]:
    """Until round 1 is paired; a seat that was added for the player goes with it, so that nobody waits beside it."""
    entries = require_running(state)
    player = player_of(entries, command.player)
    if player.status == "waiting":
        return []
    if player.status != "active":
        raise not_active(player)
    if not player.seat_given:
        raise SeatNotGiven(f"{player.name} did not get the seat by hand.")
    if state.has_begun:
        raise TooLateToChange("Round 1 is paired; a player who leaves now has to drop: POST …/drop.")
    if player.seat_given == "free" or entries.capacity is None:
        return [SeatTakenBack(player=player.id)]
    if seat_left(entries):
        raise SeatNotGiven(f"There are free seats, and {player.name} would have one of them at once.")
    return [SeatTakenBack(player=player.id, capacity=entries.capacity - 1)]


def for_each(
    players: Sequence[str],
    decide: Callable[[str], Sequence[Event]],
    refusals: tuple[type[Refusal], ...],
    *,
    nobody: str,
    right: Callable[[str], Expected],
) -> list[Event]:
    """What follows for all of them. refusals: those that are about one player; any other is about all, and passes.

    nobody: what happened to nobody, "Nobody was checked in". right: who would be right in place of a player who is
    refused without a fault.
    Raises the first of the refusals, with a fault for each player who has one.
    """
    events: list[Event] = []
    refused: list[Refusal] = []
    faults: list[Fault] = []
    for index, player in enumerate(players):
        try:
            events += decide(player)
        except refusals as refusal:
            refused.append(refusal)
            where = f"/players/{index}"
            own = [msgspec.structs.replace(fault, where=where, said=player) for fault in refusal.faults]
            faults += own or [Fault(where, player, right(player))]
    if refused:
        first = refused[0]
        raise type(first)(f"{nobody}; faults: {len(faults)}. First: {first.detail}", faults, **first.data)
    return events


def check_in(state: Tournament, command: CheckIn, context: Context) -> Sequence[Event]:
    """The player is there; at which venue, unless there is at most one."""
    entries = require_running(state)
    player = active_player(entries, command.player)
    if not own_or_staff(context, command.player):
        raise NotYours("A player may check in only themselves.")
    venue = command.venue or player.venue
    if not venue:
        open_venues = [v.id for v in entries.venues.values() if v.open]
        venue = open_venues[0] if len(open_venues) == 1 else ""
        if len(open_venues) > 1:
            raise VenueUnknown("Say at which venue.", [venue_fault(entries, "")])
    if venue:
        venue_of(entries, venue, needs_open=True)
    if player.checked_in and player.venue == venue:
        return []
    return [PlayerCheckedIn(player=player.id, venue=venue)]


def check_out(state: Tournament, command: CheckOut, context: Context) -> Sequence[Event]:
    """Take a check-in back."""
    player = active_player(require_running(state), command.player)
    return [PlayerCheckedOut(player=player.id)] if player.checked_in else []


def check_in_several(state: Tournament, command: CheckInPlayers, context: Context) -> Sequence[Event]:
    """Several players are there, each at their venue; all of them, or none and every fault by its player."""
    entries = require_running(state)
    if command.venue:
        venue_of(entries, command.venue, needs_open=True)

    def check_in_one(id: str) -> Sequence[Event]:
        player = active_player(entries, id)
        own = entries.venues.get(player.venue)
        venue = player.venue if own is not None and own.open else command.venue
        try:
            return check_in(state, CheckIn(player=id, venue=venue), context)
        except VenueUnknown as refusal:
            open_venues = venue_fault(entries, venue or player.venue).expected
            right = expects("venue-for", player=player.name, venues=open_venues)
            raise VenueUnknown(refusal.detail, [Fault("/venue", id, right)]) from None

    return for_each(
        command.players,
        check_in_one,
        (PlayerUnknown, PlayerNotActive, VenueUnknown),
        nobody="Nobody was checked in",
        right=lambda player: player_with_seat(entries.players[player]),
    )


def check_out_several(state: Tournament, command: CheckOutPlayers, context: Context) -> Sequence[Event]:
    """Take several check-ins back: all of them, or none and every fault by its player."""
    entries = require_running(state)
    return for_each(
        command.players,
        lambda player: check_out(state, CheckOut(player=player), context),
        (PlayerUnknown, PlayerNotActive),
        nobody="No check-in was taken back",
        right=lambda player: player_with_seat(entries.players[player]),
    )


def move(state: Tournament, command: MovePlayer, context: Context) -> Sequence[Event]:
    """The player plays at another venue from the next pairing on; a round that is paired keeps its places.

    A venue has no number of seats: where it has fewer tables than games, these are played in waves (FF-AMB-28).
    """
    entries = require_running(state)
    player = active_player(entries, command.player)
    venue = venue_of(entries, command.venue, needs_open=True)
    if player.venue == venue.id:
        return []
    if player.pinned is not None and player.pinned[0] != venue.id:
        kept = f"{player.name} ({player.id}) keeps table {player.pinned[1]} of {player.pinned[0]}"
        right = expects("other-venue-or-unpinned", player=player.id)
        raise StandInRound(f"{kept}.", [Fault("/venue", venue.id, right)])
    return [PlayerMoved(player=player.id, venue=venue.id, reason=command.reason)]


def pin(state: Tournament, command: PinPlayer, context: Context) -> Sequence[Event]:
    """The player keeps one table; why is nobody's business but the staff's (FF-TBL-3)."""
    entries = require_running(state)
    player = active_player(entries, command.player)
    table_of(entries, command.venue, command.table)
    if player.pinned == (command.venue, command.table):
        return []
    return [PlayerPinned(player=player.id, venue=command.venue, table=command.table)]


def unpin(state: Tournament, command: UnpinPlayer, context: Context) -> Sequence[Event]:
    """Seated like everybody again."""
    player = player_of(require_running(state), command.player)
    return [PlayerUnpinned(player=player.id)] if player.pinned else []


class SeatNotGiven(Refusal):
    """Only a seat that an organiser gave by hand is taken back, and only while no other seat is free."""

    code = "seat-not-given"
