"""Check-in, moves to another venue, fixed tables, and seats given by hand.

Routes store personal values of commands outside the log; decisions do not read them.
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
    StillInUse,
    TooLateToChange,
    VenueUnknown,
    active_player,
    has_free_seats,
    is_self_or_staff,
    player_not_active,
    player_of,
    require_table,
    venue_fault,
    venue_of,
)
from services.registration.players import check_unique, require_late_entry
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

MAX_CHECK_INS = 500
"""Maximum players in one request. Clients split longer lists."""


class CheckIn(Command, frozen=True, kw_only=True):
    """Check a player in."""

    player: Id
    venue: Annotated[str, "Required only if several venues are open and the player has none."] = ""


class CheckOut(Command, frozen=True, kw_only=True):
    """Undo the check-in of a player."""

    player: Id


class CheckInPlayers(Command, frozen=True, kw_only=True):
    """Check several players in: all of them or none."""

    players: Annotated[list[Id], Size(MAX_CHECK_INS, 1), Check(check_unique)]
    venue: Annotated[
        str, "The venue of players whose own venue is not open. Required only if several venues are open."
    ] = ""


class CheckOutPlayers(Command, frozen=True, kw_only=True):
    """Undo the check-in of several players: all of them or none."""

    players: Annotated[list[Id], Size(MAX_CHECK_INS, 1), Check(check_unique)]


class MovePlayer(Command, frozen=True, kw_only=True):
    """Move a player to another venue, from the next pairing on."""

    player: Id
    venue: Id
    reason: Annotated[OptionalReason, "Public."] = ""


class PinPlayer(Command, frozen=True, kw_only=True):
    """Give a player a fixed table."""

    player: Id
    venue: Id
    table: TableNumber
    reason: Annotated[str, Text(500), Personal(), "Private: stored with the player's personal data."] = ""


class UnpinPlayer(Command, frozen=True, kw_only=True):
    """Remove the fixed table of a player."""

    player: Id


class GiveSeat(Command, frozen=True, kw_only=True):
    """Give a seat to a player on the waiting list, ahead of players who have waited longer."""

    player: Id
    reason: Annotated[Reason, "Public: the players who are passed over can read it."]
    more: Annotated[bool, "Add a seat if none is free."] = False


class TakeSeatBack(Command, frozen=True, kw_only=True):
    """Take back a seat that was given ahead of others. The player returns to the old place on the waiting list.

    A seat that was added is removed again.
    """

    player: Id


def give_seat(state: Tournament, command: GiveSeat, context: Context) -> Sequence[Event]:
    """Give a free or an added seat to a waiting player; the others keep their places on the waiting list.

    After round 1 is paired this is a late entry, which the ruleset must allow.
    """
    entries = require_running(state)
    player = player_of(entries, command.player)
    if player.status == "active":
        return []
    if player.status != "waiting":
        raise player_not_active(player)
    if state.has_begun:
        require_late_entry(entries)
    added = None
    if entries.capacity is not None and not has_free_seats(entries):
        if not command.more:
            raise CapacityTooSmall(
                f"All {entries.capacity} seats are taken; with `more`: true a seat is added for {player.name}.",
                capacity=entries.capacity,
                wanted=entries.seated() + 1,
            )
        added = entries.seated() + 1
    ahead = [waiting.id for waiting in entries.waiting() if waiting.order < player.order]
    return [SeatGiven(player=player.id, reason=command.reason, capacity=added, passed_over=ahead, late=state.has_begun)]


def take_seat_back(state: Tournament, command: TakeSeatBack, context: Context) -> Sequence[Event]:
    """Take back a seat, until round 1 is paired. If it was added for the player, the capacity drops again."""
    entries = require_running(state)
    player = player_of(entries, command.player)
    if player.status == "waiting":
        return []
    if player.status != "active":
        raise player_not_active(player)
    if not player.seat_given:
        raise SeatNotGiven(f"{player.name} did not get the seat by hand.")
    if state.has_begun:
        raise TooLateToChange("Round 1 is paired; a player who leaves now has to drop: POST …/drop.")
    if player.seat_given == "free" or entries.capacity is None:
        return [SeatTakenBack(player=player.id)]
    if has_free_seats(entries):
        raise SeatNotGiven(f"There are free seats, and {player.name} would have one of them at once.")
    return [SeatTakenBack(player=player.id, capacity=entries.capacity - 1)]


def decide_for_each(
    players: Sequence[str],
    decide: Callable[[str], Sequence[Event]],
    refusals: tuple[type[Refusal], ...],
    *,
    summary: str,
    expected: Callable[[str], Expected],
) -> list[Event]:
    """Return the events of a decision for each player, or raise the first refusal with the faults of all players.

    refusals: the refusals that concern a single player; others are raised at once. summary: beginning of the refusal,
    such as "Nobody was checked in". expected: returns the expectation if a player's refusal has no fault.
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
            faults += own or [Fault(where, player, expected(player))]
    if refused:
        first = refused[0]
        raise type(first)(f"{summary}; faults: {len(faults)}. First: {first.detail}", faults, **first.data)
    return events


def check_in(state: Tournament, command: CheckIn, context: Context) -> Sequence[Event]:
    """Check a player in at a venue. It may be omitted if at most one venue is open."""
    entries = require_running(state)
    player = active_player(entries, command.player)
    if not is_self_or_staff(context, command.player):
        raise NotYours("A player may check in only themselves.")
    venue = command.venue or player.venue
    if not venue:
        open_venues = [venue.id for venue in entries.venues.values() if venue.open]
        venue = open_venues[0] if len(open_venues) == 1 else ""
        if len(open_venues) > 1:
            raise VenueUnknown("Say at which venue.", [venue_fault(entries, "")])
    if venue:
        venue_of(entries, venue, needs_open=True)
    if player.checked_in and player.venue == venue:
        return []
    return [PlayerCheckedIn(player=player.id, venue=venue)]


def check_out(state: Tournament, command: CheckOut, context: Context) -> Sequence[Event]:
    """Undo a check-in."""
    player = active_player(require_running(state), command.player)
    return [PlayerCheckedOut(player=player.id)] if player.checked_in else []


def check_in_players(state: Tournament, command: CheckInPlayers, context: Context) -> Sequence[Event]:
    """Check several players in, each at their venue. Refuses all of them with every fault if one is refused."""
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
            expected = expects("venue-for", player=player.name, venues=open_venues)
            raise VenueUnknown(refusal.detail, [Fault("/venue", id, expected)]) from None

    return decide_for_each(
        command.players,
        check_in_one,
        (PlayerUnknown, PlayerNotActive, VenueUnknown),
        summary="Nobody was checked in",
        expected=lambda player: player_with_seat(entries.players[player]),
    )


def check_out_players(state: Tournament, command: CheckOutPlayers, context: Context) -> Sequence[Event]:
    """Undo several check-ins. Refuses all of them with every fault if one is refused."""
    entries = require_running(state)
    return decide_for_each(
        command.players,
        lambda player: check_out(state, CheckOut(player=player), context),
        (PlayerUnknown, PlayerNotActive),
        summary="No check-in was taken back",
        expected=lambda player: player_with_seat(entries.players[player]),
    )


def move(state: Tournament, command: MovePlayer, context: Context) -> Sequence[Event]:
    """Move a player to another venue from the next pairing on. Paired rounds keep their tables.

    A venue has no limit of players: with fewer tables than games it plays in waves (FF-AMB-28).
    """
    entries = require_running(state)
    player = active_player(entries, command.player)
    venue = venue_of(entries, command.venue, needs_open=True)
    if player.venue == venue.id:
        return []
    if player.pinned is not None and player.pinned[0] != venue.id:
        kept = f"{player.name} ({player.id}) keeps table {entries.table_name(*player.pinned)} of {player.pinned[0]}"
        expected = expects("other-venue-or-unpinned", player=player.id)
        raise StillInUse(f"{kept}.", [Fault("/venue", venue.id, expected)])
    return [PlayerMoved(player=player.id, venue=venue.id, reason=command.reason)]


def pin(state: Tournament, command: PinPlayer, context: Context) -> Sequence[Event]:
    """Give a player a fixed table (FF-TBL-3). The reason is private."""
    entries = require_running(state)
    player = active_player(entries, command.player)
    require_table(entries, command.venue, command.table)
    if player.pinned == (command.venue, command.table):
        return []
    return [PlayerPinned(player=player.id, venue=command.venue, table=command.table)]


def unpin(state: Tournament, command: UnpinPlayer, context: Context) -> Sequence[Event]:
    """Remove a player's fixed table."""
    player = player_of(require_running(state), command.player)
    return [PlayerUnpinned(player=player.id)] if player.pinned else []


class SeatNotGiven(Refusal):
    """Only a seat that was given ahead of others can be taken back, and only while no seat is free."""

    code = "seat-not-given"
