"""What registration can be asked to do about a player who has joined, with the shape of each member.

What is personal in a command is kept beside the log, by the route; no decision looks at it.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType

from services.registration.tournament.commands import everybody_once
from shared.shapes import Check, Command, Id, Name, OptionalReason, Personal, Reason, Size, TableNumber, Text

MOST_AT_ONCE = 500
"""Players of one request at the door; more of them are sent in several parts."""


class AmendPlayer(Command, frozen=True, kw_only=True):
    """What changes; the rest stays."""

    player: Id
    name: Annotated[str | UnsetType, Name()] = UNSET
    faction: Annotated[str | UnsetType, Name()] = UNSET
    club: Annotated[str | UnsetType, Name()] = UNSET
    venue: str | UnsetType = UNSET
    external_id: Annotated[str | UnsetType, Name()] = UNSET


class ErasePersonalData(Command, frozen=True, kw_only=True):
    """kept: whether anything is kept, for example the private reason of a pinned table."""

    player: Id
    kept: bool = False


class IssueLink(Command, frozen=True, kw_only=True):
    """A new link. reason: stands in the public log. revoke_older: every other link of the player ends."""

    tournament: Id
    player: Id
    reason: OptionalReason = ""
    revoke_older: bool = False


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


class WithdrawPlayer(Command, frozen=True, kw_only=True):
    """Why, if anybody should know; it stands in the public log."""

    player: Id
    reason: OptionalReason = ""


class DropPlayer(Command, frozen=True, kw_only=True):
    """Why, if anybody should know; it stands in the public log."""

    player: Id
    reason: OptionalReason = ""


class ReinstatePlayer(Command, frozen=True, kw_only=True):
    """A dropped player comes back."""

    player: Id


class WarnPlayer(Command, frozen=True, kw_only=True):
    """reason: what happened; clause: of the ruleset, where one says so. Both stand in the public log, for ever.

    note: what is not for everybody; kept with the player's personal data, for organiser and head referee.
    """

    player: Id
    reason: Reason
    clause: Annotated[str, Text(40)] = ""
    note: Annotated[str, Text(2000), Personal()] = ""


class DisqualifyPlayer(WarnPlayer, frozen=True, kw_only=True):
    """barred: later events that the player is kept from, as in "this club's events until 2027"; in the public log.

    reason, clause, note: as of a warning.
    """

    barred: Annotated[str, Text(200)] = ""


class RevokeDisqualification(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    player: Id
    reason: Reason
