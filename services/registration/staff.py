"""Staff, players' links and tokens: appointment and dismissal, issue and revocation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Struct

from services.registration.guards import player_of, venue_of
from shared import roles
from shared.log.event import FREE_NAME, GUEST, Actor, Event, is_free_name
from shared.refusals import Fault, Refusal, expects, to_short_json
from shared.roles import PLAYER, Via
from shared.rules.parts import JUDGES
from shared.shapes import Command, Id, Name, OptionalReason, Size, Whole
from shared.tournament.format import rules_of, tier_of
from shared.tournament.guards import Context, entry_token, require_announced, require_running
from shared.tournament.people import Entries, Player, Staff
from shared.tournament.registration import (
    InstallationTokenRevoked,
    OrganiserTokenIssued,
    PlayerLinkIssued,
    StaffAppointed,
    StaffDismissed,
    StaffEntered,
    TokenRevoked,
)
from shared.tournament.state import Tournament


class AppointStaff(Command, frozen=True, kw_only=True):
    """Appoint a member of staff. The answer contains their token."""

    name: Annotated[str, Name()]
    role: Literal["organiser", "head_referee", "referee", "spare", "integration"]
    venue: Annotated[str, "They act at this venue only. Empty: everywhere."] = ""
    player: Annotated[str, "The id of their player, if they also play."] = ""
    override: Annotated[OptionalReason, "The reason for letting a judge play if the tier does not allow it."] = ""


class EnterStaff(Command, frozen=True, kw_only=True):
    """Record that a member of staff also plays."""

    staff: Id
    player: Annotated[Id, "The id of their player."]
    override: Annotated[OptionalReason, "The reason for letting a judge play if the tier does not allow it."] = ""


class DismissStaff(Command, frozen=True, kw_only=True):
    """Dismiss a member of staff. All their tokens become invalid."""

    tournament: Id
    staff: Id
    reason: OptionalReason = ""
    revoke_links: Annotated[
        bool, "Also revoke the players' links that they received, by request or by entering the player."
    ] = False


class RevokeToken(Command, frozen=True, kw_only=True):
    """Revoke a token."""

    token_id: Annotated[str, Size(200, 1), "The token's claim `jti`, for example `t-abc.p17.1772359200123`."]
    reason: OptionalReason = ""


class IssueOrganiserToken(Command, frozen=True, kw_only=True):
    """Issue a token to an organiser, for all their tournaments."""

    organiser: Annotated[str, Name(), "The name on record. It decides which tournaments belong to the organiser."]
    days: Annotated[int, Whole(1, 365), "Days until the token expires."] = 30


class RevokeInstallationToken(RevokeToken, frozen=True, kw_only=True):
    """Revoke a token that belongs to a service, or to no single tournament."""


class IssueLink(Command, frozen=True, kw_only=True):
    """Issue a new link for a player."""

    tournament: Id
    player: Id
    reason: Annotated[OptionalReason, "Public."] = ""
    revoke_older: Annotated[bool, "Revoke all other links of the player."] = False


SIGN_UP, ENTRY, ISSUED = "sign-up", "entry", "issued"
"""Origins of a link: the player's own sign-up, an entry by someone else, or a request of staff."""


class PlayerLink(Struct, frozen=True):
    """A link of a player.

    kind: sign-up, entry or issued. by: the person who signed up, entered the player or requested the link. time: RFC
    3339, UTC. revoked: True if its token was revoked.
    """

    token: str
    kind: str
    by: Actor
    time: str
    reason: str
    revoked: bool


def via_entry(by: Actor) -> Via | None:
    """Return the person who, besides the player, received the link of an entry; None for the player's own sign-up.

    If the entry itself was made with a link that staff requested, they hold the new link too.
    """
    signed_up = by.role == GUEST or _from_elsewhere(by)
    if signed_up or (by.via and by.via.how == roles.LINK):
        return by.via
    return Via(roles.ENTRY, by.actor)


def via_request(by: Actor) -> Via:
    """Return the person who, besides the player, received a link that staff requested."""
    return Via(roles.LINK, by.actor)


def _from_elsewhere(by: Actor) -> bool:
    """Return True for a player of another tournament (`<tournament>.<player>`), who entered themselves."""
    return by.role == PLAYER and "." in by.actor


def links_of(tournament: str, entries: Entries, player: Player) -> Iterator[PlayerLink]:
    """Yield the links of a player, oldest first."""
    first, by = entry_token(tournament, player.id, player.entered_at), player.entered_by
    kind = SIGN_UP if via_entry(by) is None else ENTRY
    yield PlayerLink(first, kind, by, player.entered_at, "", first in entries.revoked)
    for link in player.links:
        yield PlayerLink(link.token, ISSUED, link.by, link.time, link.reason, link.token in entries.revoked)


def links_held(tournament: str, entries: Entries, staff: str) -> Iterator[str]:
    """Yield the valid tokens of players' links that a member of staff received."""
    for player in entries.players.values():
        for link in links_of(tournament, entries, player):
            via = via_request(link.by) if link.kind == ISSUED else via_entry(link.by)
            if via and via.by == staff and not link.revoked:
                yield link.token


def issue_link(state: Tournament, command: IssueLink, context: Context) -> Sequence[Event]:
    """Issue a new link, also for players who have left or whose data were erased: they keep their read access.

    With `revoke_older` all earlier links are revoked, including the one from the entry.
    """
    entries = require_announced(state)
    player = player_of(entries, command.player)
    older = [link.token for link in links_of(command.tournament, entries, player) if not link.revoked]
    token = f"{command.tournament}.{player.id}.l{len(player.links) + 1}"
    issued = PlayerLinkIssued(player=player.id, token=token, reason=command.reason)
    reason = f"replaced by {token}"
    revoked = [TokenRevoked(token=old, reason=reason) for old in older if command.revoke_older]
    return [issued, *revoked]


def appoint(state: Tournament, command: AppointStaff, context: Context) -> Sequence[Event]:
    """Appoint a member of staff with the next id: s1, s2, … (AR-STAFF-3, FF-STAFF-5)."""
    entries = require_announced(state)
    if command.venue:
        venue_of(entries, command.venue)
    staff = f"s{len(entries.staff) + 1}"
    appointed = StaffAppointed(staff=staff, name=command.name, role=command.role, venue=command.venue)
    if not command.player:
        return [appointed]
    member = Staff(staff, command.name, command.role, command.venue)
    return [appointed, _entered(entries, member, command.player, command.override)]


def enter(state: Tournament, command: EnterStaff, context: Context) -> Sequence[Event]:
    """Record the player of a member of staff who also plays."""
    entries = require_running(state)
    member = _member(entries, command.staff)
    entered = _entered(entries, member, command.player, command.override)
    return [] if member.player == command.player else [entered]


def _entered(entries: Entries, member: Staff, player: str, override: str) -> StaffEntered:
    """Return the event of a playing member of staff.

    Raises PlayerUnknown, and JudgeMayNotPlay if the tier forbids it and no override is given (AR-AMB-20).
    """
    entered_player = player_of(entries, player)
    tier = tier_of(entries)
    if member.role in JUDGES and not tier.judge_may_play and not override:
        raise JudgeMayNotPlay(
            f"{member.name} judges, and in {rules_of(entries).name} no judge plays at the tier {tier.id}; "
            "say in `override` why it is right all the same.",
            [Fault("/player", entered_player.id, expects("player-who-does-not-judge"), tier.cites("judge_may_play"))],
            tier=tier.id,
            clause=tier.cites("judge_may_play"),
        )
    return StaffEntered(staff=member.id, player=player, override=override)


def dismiss(state: Tournament, command: DismissStaff, context: Context) -> Sequence[Event]:
    """Dismiss a member of staff, which invalidates all their tokens.

    With `revoke_links`, also revoke the players' links that they received; these players need new links.
    """
    entries = require_announced(state)
    member = _member(entries, command.staff)
    dismissed = [StaffDismissed(staff=command.staff, reason=command.reason)] if member.active else []
    held = links_held(command.tournament, entries, command.staff) if command.revoke_links else ()
    reason = f"{member.id} was dismissed"
    return [*dismissed, *(TokenRevoked(token=token, reason=reason) for token in held)]


def revoke_token(state: Tournament, command: RevokeToken, context: Context) -> Sequence[Event]:
    """Revoke one token."""
    if command.token_id in require_announced(state).revoked:
        return []
    return [TokenRevoked(token=command.token_id, reason=command.reason)]


def issue_organiser_token(state: Tournament, command: IssueOrganiserToken, context: Context) -> Sequence[Event]:
    """Issue a token to an organiser. state: folded from the installation's own log."""
    if not is_free_name(command.organiser):
        raise NameNotFree(
            f"{command.organiser} would be read as somebody else.",
            [Fault("/organiser", to_short_json(command.organiser), FREE_NAME)],
        )
    token = f"organiser-{state.entries.issued + 1}"
    return [OrganiserTokenIssued(token=token, organiser=command.organiser, days=command.days)]


def revoke_installation_token(state: Tournament, command: RevokeInstallationToken, context: Context) -> Sequence[Event]:
    """Revoke a token of the installation. state: folded from the installation's own log."""
    if command.token_id in state.entries.revoked:
        return []
    return [InstallationTokenRevoked(token=command.token_id, reason=command.reason)]


def _member(entries: Entries, staff: str) -> Staff:
    """Return a member of staff, dismissed or not. Raises StaffUnknown."""
    if staff not in entries.staff:
        raise StaffUnknown(f"No member of staff has the id {staff}.")
    return entries.staff[staff]


class NameNotFree(Refusal):
    """The name of the organiser is that of a role, or looks like the id of a player or staff."""

    code = "name-not-free"


class StaffUnknown(Refusal):
    code = "staff-unknown"


class JudgeMayNotPlay(Refusal):
    """Judges may not play at this tier. data: `clause`."""

    code = "judge-may-not-play"
