"""Refusals that several topics of registration share, and the checks that raise them."""

from __future__ import annotations

from shared.refusals import Fault, Refusal, expects, one_of
from shared.tournament.guards import Context
from shared.tournament.people import Entries, Player, Venue


class TooLateToChange(Refusal):
    """A round has been paired since, so this can no longer change. data: `status` names the topic."""

    code = "too-late-to-change"


class RegistrationIsClosed(Refusal):
    """Registration is closed. Staff may enter late players if the ruleset allows it."""

    code = "registration-closed"


class NameTaken(Refusal):
    """Another player or venue of the tournament has this name, or one that looks the same."""

    code = "name-taken"


class PlayerUnknown(Refusal):
    code = "player-unknown"


class VenueUnknown(Refusal):
    code = "venue-unknown"


class TableUnknown(Refusal):
    code = "table-unknown"


class PlayerNotActive(Refusal):
    """The action needs a player with a seat, and this one is waiting, withdrawn, dropped or disqualified."""

    code = "player-not-active"


class CapacityTooSmall(Refusal):
    """There are not enough seats; `errors` says how many are needed."""

    code = "capacity-too-small"


class NotYours(Refusal):
    """Players may only do this for themselves."""

    code = "not-yours"


class StillInUse(Refusal):
    """The venue or table is in use by a game or a pinned player."""

    code = "still-in-use"


def player_of(entries: Entries, player: str, where: str = "/player") -> Player:
    """Return a player of the tournament. Raises PlayerUnknown. where: JSON pointer of the id in the command."""
    if player not in entries.players:
        raise PlayerUnknown(f"No player has the id {player}.", [Fault(where, player, expects("player-of-tournament"))])
    return entries.players[player]


def active_player(entries: Entries, player: str) -> Player:
    """Return a player with a seat. Raises PlayerUnknown, PlayerNotActive."""
    active = player_of(entries, player)
    if active.status != "active":
        raise player_not_active(active)
    return active


def player_not_active(player: Player) -> PlayerNotActive:
    """Return the refusal for a player without a seat, with advice."""
    return PlayerNotActive(f"{player.name} {NO_SEAT_ADVICE[player.status]}", status=player.status)


NO_SEAT_ADVICE = {
    "waiting": "waits for a seat: one becomes free when somebody leaves, or when the capacity is raised.",
    "withdrawn": "has withdrawn: enter them again.",
    "dropped": "has dropped: reinstate them first.",
    "disqualified": "is disqualified: an organiser may revoke that before the next pairing.",
}
"""Player status -> the reason for having no seat, and advice."""


def has_free_seats(entries: Entries, count: int = 1) -> bool:
    """Return True if at least `count` seats are free."""
    return entries.capacity is None or entries.seated() + count <= entries.capacity


def require_seat(entries: Entries, player: Player) -> None:
    """Raise CapacityTooSmall if no seat is free."""
    if not has_free_seats(entries):
        raise CapacityTooSmall(
            f"All {entries.capacity} seats are taken; raise the capacity before {player.name} comes back.",
            capacity=entries.capacity,
            wanted=entries.seated() + 1,
        )


def venue_of(entries: Entries, venue: str, *, needs_open: bool = False) -> Venue:
    """Return a venue of the tournament. Raises VenueUnknown; with `needs_open`, also for a closed venue."""
    found = entries.venues.get(venue)
    if found is None or (needs_open and not found.open):
        fault = venue_fault(entries, venue)
        problem = "is closed" if found else "is no venue of this tournament"
        detail = f"{venue} {problem}; expected {fault.expected}." if venue else "Say at which venue."
        raise VenueUnknown(detail, [fault])
    return found


def venue_fault(entries: Entries, venue: str, where: str = "/venue") -> Fault:
    """Return the fault of a venue that is unknown, closed or missing."""
    open_venues = [venue.id for venue in entries.venues.values() if venue.open]
    return Fault(where, venue or "nothing", one_of(open_venues) if open_venues else expects("no-open-venue"))


def require_table(entries: Entries, venue: str, table: int) -> None:
    """Raise VenueUnknown or TableUnknown unless the venue is open and has the table."""
    if table not in venue_of(entries, venue, needs_open=True).tables:
        raise TableUnknown(f"{venue} has no table {table}.", [Fault("/table", str(table), expects("table-of-venue"))])


def is_self_or_staff(context: Context, player: str) -> bool:
    """Return True if the actor is staff, or the player concerned."""
    return context.by.staff or context.by.player == player
