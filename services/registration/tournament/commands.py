"""What registration can be asked to do. Values are checked at the door already; ids of new things are not given."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from shared.tournament.events.registration import Table


class Command(Struct, frozen=True, kw_only=True):
    """A request, in the imperative."""


class AnnounceTournament(Command, frozen=True, kw_only=True):
    """ruleset: the whole pack as JSON with the organiser's options in force. format: empty for that of the ruleset.

    operator_data: of a co-operative game, as far as it is known yet.
    """

    name: str
    format: str = ""
    ruleset: dict[str, Any]
    options: dict[str, Any] = {}
    tier: str = ""
    starts_on: str = ""
    ends_on: str = ""
    capacity: int | None = None
    rounds: int | None = None
    pairing_scope: str = "event"
    visibility: str = "public"
    check_in: bool = False
    sign_up: str = "invite_only"
    rehearsal: bool = False
    operator_data: dict[str, Any] | None = None


class AmendTournament(Command, frozen=True, kw_only=True):
    """Only what is given changes."""

    name: str | None = None
    starts_on: str | None = None
    ends_on: str | None = None
    capacity: int | None = None
    rounds: int | None = None
    sign_up: str | None = None


class CancelTournament(Command, frozen=True, kw_only=True):
    reason: str


class OpenVenue(Command, frozen=True, kw_only=True):
    name: str
    tables: list[Table] = []


class ChangeTables(Command, frozen=True, kw_only=True):
    venue: str
    tables: list[Table]


class CloseVenue(Command, frozen=True, kw_only=True):
    venue: str
    reason: str


class AppointStaff(Command, frozen=True, kw_only=True):
    """player: whom they play as, if they do; override: why, where no judge plays."""

    name: str
    role: str
    venue: str = ""
    player: str = ""
    override: str = ""


class EnterStaff(Command, frozen=True, kw_only=True):
    """A member of staff plays too. override: why, where no judge plays."""

    staff: str
    player: str
    override: str = ""


class DismissStaff(Command, frozen=True, kw_only=True):
    """tournament: where, for the ids of tokens. revoke_links: players' links that they were handed end too."""

    tournament: str
    staff: str
    reason: str = ""
    revoke_links: bool = False


class RevokeToken(Command, frozen=True, kw_only=True):
    """token: the id (`jti`) of the token."""

    token: str
    reason: str = ""


class RevokeInstallationToken(Command, frozen=True, kw_only=True):
    """token: the id (`jti`) of a token that is of no one tournament, or of a service."""

    token: str
    reason: str = ""


class IssueLink(Command, frozen=True, kw_only=True):
    """A new link of a player. tournament: where, for the id of its token. revoke_older: their other links end."""

    tournament: str
    player: str
    reason: str = ""
    revoke_older: bool = False


class CloseRegistration(Command, frozen=True, kw_only=True):
    pass


class ReopenRegistration(Command, frozen=True, kw_only=True):
    pass


class Entry(Struct, frozen=True, kw_only=True):
    """Somebody who wants to play. contact: personal data were given beside this; they never enter the log.

    external_id: who they are in the files and systems of those who enter them.
    """

    name: str
    faction: str = ""
    club: str = ""
    venue: str = ""
    contact: bool = False
    external_id: str = ""


class JoinPlayers(Command, frozen=True, kw_only=True):
    """One player or a whole list; all of them or none. late: staff take them in after round 1 was paired."""

    entries: list[Entry]
    late: bool = False


class SignUp(Command, frozen=True, kw_only=True):
    """Somebody asks for a seat of their own."""

    entry: Entry


class SignUpInvited(Command, frozen=True, kw_only=True):
    """Somebody asks for a seat of their own, and beside the survivor who invited them."""

    entry: Entry
    invited_by: str


class SignUpParty(Command, frozen=True, kw_only=True):
    """Somebody asks for seats for a company that wants to sit together; all of them or none."""

    entries: list[Entry]


class JoinParty(Command, frozen=True, kw_only=True):
    """Players who come together and want to sit together; all of them or none."""

    entries: list[Entry]
    late: bool = False


class FormParty(Command, frozen=True, kw_only=True):
    """Players who have joined already want to sit together."""

    players: list[str]


class AcceptInvitation(Command, frozen=True, kw_only=True):
    """A player who has joined already sits with the survivor who invited them."""

    player: str
    invited_by: str


class LeaveParty(Command, frozen=True, kw_only=True):
    """A survivor does not sit with their party any more."""

    player: str
    reason: str = ""


class DisbandParty(Command, frozen=True, kw_only=True):
    party: str
    reason: str = ""


class PinOperatorData(Command, frozen=True, kw_only=True):
    """data: whole; what was entered before holds for tables that are set up already."""

    data: dict[str, Any]


class KeepApart(Command, frozen=True, kw_only=True):
    """groups: of players who should not meet in round 1; all groups from now on."""

    groups: list[list[str]]


class WithdrawPlayer(Command, frozen=True, kw_only=True):
    player: str
    reason: str = ""


class AmendPlayer(Command, frozen=True, kw_only=True):
    player: str
    name: str | None = None
    faction: str | None = None
    club: str | None = None
    venue: str | None = None
    external_id: str | None = None


class ErasePersonalData(Command, frozen=True, kw_only=True):
    """kept: whether anything is kept, for example the private reason of a pinned table."""

    player: str
    kept: bool = False


class SubmitRoster(Command, frozen=True, kw_only=True):
    """override: staff take it after the roster was locked, and say why.

    secret: random text for the digests of what the log must not show; empty where the ruleset hides nothing.
    """

    player: str
    roster: dict[str, Any]
    override: str = ""
    secret: str = ""


class AcceptRoster(Command, frozen=True, kw_only=True):
    player: str
    note: str = ""


class AcceptRosters(Command, frozen=True, kw_only=True):
    """Those of several players: all of them or none."""

    players: list[str]
    note: str = ""


class RejectRoster(Command, frozen=True, kw_only=True):
    player: str
    note: str


class DropPlayer(Command, frozen=True, kw_only=True):
    player: str
    reason: str = ""


class ReinstatePlayer(Command, frozen=True, kw_only=True):
    player: str


class WarnPlayer(Command, frozen=True, kw_only=True):
    player: str
    ground: str
    clause: str = ""


class DisqualifyPlayer(Command, frozen=True, kw_only=True):
    """barred: the later events that the player is kept from, in words; empty for none."""

    player: str
    ground: str
    clause: str = ""
    barred: str = ""


class RevokeDisqualification(Command, frozen=True, kw_only=True):
    player: str
    reason: str
