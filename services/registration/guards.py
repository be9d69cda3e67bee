"""Guards of registration: refusals of several topics, and the checks that raise them."""

from __future__ import annotations

from shared.refusals import Fault, Refusal, expects, one_of
from shared.tournament.guards import Context
from shared.tournament.people import Entries, Player, Venue


class TooLateToChange(Refusal):
    """A pairing was made since, and this may not change any more; data: `status`, what it is about."""

    code = "too-late-to-change"


class RegistrationIsClosed(Refusal):
    """Nobody joins any more, unless staff take a late entry and the ruleset allows it."""

    code = "registration-closed"


class NameTaken(Refusal):
    """Players and venues of one tournament carry names that nobody takes for another: they look different too."""

    code = "name-taken"


class PlayerUnknown(Refusal):
    code = "player-unknown"


class VenueUnknown(Refusal):
    code = "venue-unknown"


class TableUnknown(Refusal):
    code = "table-unknown"


class PlayerNotActive(Refusal):
    """The player has no seat (waiting, withdrawn, dropped or disqualified), and this needs one."""

    code = "player-not-active"


class CapacityTooSmall(Refusal):
    """More players would hold seats than there are; `errors` says how many are needed."""

    code = "capacity-too-small"


class NotYours(Refusal):
    """A player may do this for themselves only."""

    code = "not-yours"


class StandInRound(Refusal):
    """The venue or table still has games of a round that is not over."""

    code = "still-in-use"


def player_of(entries: Entries, player: str, where: str = "/player") -> Player:
    """A player who entered, named at a place of the command. Raises PlayerUnknown."""
    if player not in entries.players:
        raise PlayerUnknown(f"No player has the id {player}.", [Fault(where, player, expects("player-of-tournament"))])
    return entries.players[player]


def active_player(entries: Entries, player: str) -> Player:
    """A player who holds a seat. Raises PlayerUnknown, PlayerNotActive."""
    found = player_of(entries, player)
    if found.status != "active":
        raise not_active(found)
    return found


def not_active(player: Player) -> PlayerNotActive:
    """The refusal for a player who holds no seat, with what would have to come first."""
    return PlayerNotActive(f"{player.name} {WITHOUT_SEAT[player.status]}", status=player.status)


WITHOUT_SEAT = {
    "waiting": "waits for a seat: one becomes free when somebody leaves, or when the capacity is raised.",
    "withdrawn": "has withdrawn: enter them again.",
    "dropped": "has dropped: reinstate them first.",
    "disqualified": "is disqualified: an organiser may revoke that before the next pairing.",
}
"""Status -> why there is no seat, and what to do."""


def seat_left(entries: Entries, wanted: int = 1) -> bool:
    """Whether so many more players find a seat."""
    return entries.capacity is None or entries.seated() + wanted <= entries.capacity


def need_seat(entries: Entries, player: Player) -> None:
    """Raises CapacityTooSmall when everybody else has taken the seats."""
    if not seat_left(entries):
        raise CapacityTooSmall(
            f"All {entries.capacity} seats are taken; raise the capacity before {player.name} comes back.",
            capacity=entries.capacity,
            wanted=entries.seated() + 1,
        )


def venue_of(entries: Entries, venue: str, *, needs_open: bool = False) -> Venue:
    """A venue of the tournament. Raises VenueUnknown, also for a closed one when an open one is needed."""
    found = entries.venues.get(venue)
    if found is None or (needs_open and not found.open):
        fault = venue_fault(entries, venue)
        said = "is closed" if found else "is no venue of this tournament"
        raise VenueUnknown(f"{venue} {said}; expected {fault.expected}." if venue else "Say at which venue.", [fault])
    return found


def venue_fault(entries: Entries, venue: str, where: str = "/venue") -> Fault:
    """What is wrong with a venue that is unknown, closed or not said, and which would be right."""
    known = [v.id for v in entries.venues.values() if v.open]
    return Fault(where, venue or "nothing", one_of(known) if known else expects("no-open-venue"))


def table_of(entries: Entries, venue: str, table: int) -> None:
    """Raises VenueUnknown, TableUnknown unless the venue is open and has the table."""
    if table not in venue_of(entries, venue, needs_open=True).tables:
        raise TableUnknown(f"{venue} has no table {table}.", [Fault("/table", str(table), expects("table-of-venue"))])


def own_or_staff(context: Context, player: str) -> bool:
    """Whether the caller is staff, or this very player."""
    return context.by.staff or context.by.player == player
