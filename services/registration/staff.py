"""Staff and links: staff appointed and dismissed, players' links issued, tokens revoked."""

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
    """A member of staff; the answer carries their token. venue: they act there only; empty: everywhere.

    player: the id of the player whom they play as, if they do. override: why, where the tier lets no judge play.
    """

    name: Annotated[str, Name()]
    role: Literal["organiser", "head_referee", "referee", "spare", "integration"]
    venue: str = ""
    player: str = ""
    override: OptionalReason = ""


class EnterStaff(Command, frozen=True, kw_only=True):
    """player: the id of the player whom they play as. override: why, where the tier lets no judge play."""

    staff: Id
    player: Id
    override: OptionalReason = ""


class DismissStaff(Command, frozen=True, kw_only=True):
    """revoke_links: players' links that they asked for, or got by entering the player, end too."""

    tournament: Id
    staff: Id
    reason: OptionalReason = ""
    revoke_links: bool = False


class RevokeToken(Command, frozen=True, kw_only=True):
    """token_id: as it came with the token (its claim `jti`), for example `t-abc.p17.1772359200123`."""

    token_id: Annotated[str, Size(200, 1)]
    reason: OptionalReason = ""


class IssueOrganiserToken(Command, frozen=True, kw_only=True):
    """organiser: the name that the log records, and by which it is known whose tournaments are whose."""

    organiser: Annotated[str, Name()]
    days: Annotated[int, Whole(1, 365), "How long the token is good."] = 30


class RevokeInstallationToken(RevokeToken, frozen=True, kw_only=True):
    """token_id: of a token that is of no one tournament, or of a service, as it came with it (its claim `jti`)."""


class IssueLink(Command, frozen=True, kw_only=True):
    """A new link. reason: stands in the public log. revoke_older: every other link of the player ends."""

    tournament: Id
    player: Id
    reason: OptionalReason = ""
    revoke_older: bool = False


SIGN_UP, ENTRY, ISSUED = "sign-up", "entry", "issued"
"""How a link came to be: with a sign-up of one's own, with an entry by somebody else, or asked for by staff."""


class PlayerLink(Struct, frozen=True):
    """A link of a player. kind: sign-up, entry or issued. by: who signed up, entered the player or asked for it.

    time: RFC 3339, UTC. revoked: whether its token is worth nothing any more.
    """

    token: str
    kind: str
    by: Actor
    time: str
    reason: str
    revoked: bool


def via_entry(by: Actor) -> Via | None:
    """Return who besides the player received the link of an entry: whoever entered them; None for a sign-up.

    An entry made with a link that staff requested gives a link that they hold as well.
    """
    signed_up = by.role == GUEST or _from_elsewhere(by)
    if signed_up or (by.via and by.via.how == roles.LINK):
        return by.via
    return Via(roles.ENTRY, by.actor)


def via_request(by: Actor) -> Via:
    """Return who besides the player received a link that staff requested."""
    return Via(roles.LINK, by.actor)


def _from_elsewhere(by: Actor) -> bool:
    """Return True for a player of another tournament, who is named `<tournament>.<player>`: they entered themselves."""
    return by.role == PLAYER and "." in by.actor


def links_of(tournament: str, entries: Entries, player: Player) -> Iterator[PlayerLink]:
    """Every link of a player, the oldest first."""
    first, by = entry_token(tournament, player.id, player.entered_at), player.entered_by
    kind = SIGN_UP if via_entry(by) is None else ENTRY
    yield PlayerLink(first, kind, by, player.entered_at, "", first in entries.revoked)
    for link in player.links:
        yield PlayerLink(link.token, ISSUED, link.by, link.time, link.reason, link.token in entries.revoked)


def links_held(tournament: str, entries: Entries, staff: str) -> Iterator[str]:
    """The tokens, not revoked, of players' links that a member of staff was handed."""
    for player in entries.players.values():
        for link in links_of(tournament, entries, player):
            via = via_request(link.by) if link.kind == ISSUED else via_entry(link.by)
            if via and via.by == staff and not link.revoked:
                yield link.token


def issue(state: Tournament, command: IssueLink, context: Context) -> Sequence[Event]:
    """A link of its own each time, also for who has left or whose data were erased: what is theirs to read stays so.

    Older ones end with it where that is wished, the one that came with entering included.
    """
    entries = require_announced(state)
    player = player_of(entries, command.player)
    older = [link.token for link in links_of(command.tournament, entries, player) if not link.revoked]
    token = f"{command.tournament}.{player.id}.l{len(player.links) + 1}"
    issued = PlayerLinkIssued(player=player.id, token=token, reason=command.reason)
    reason = f"replaced by {token}"
    revoked = [TokenRevoked(token=each, reason=reason) for each in older if command.revoke_older]
    return [issued, *revoked]


def appoint(state: Tournament, command: AppointStaff, context: Context) -> Sequence[Event]:
    """A new member of staff; the id is s1, s2 … Who plays too says as whom (AR-STAFF-3, FF-STAFF-5)."""
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
    """A member of staff plays too, as somebody who entered."""
    entries = require_running(state)
    member = _member(entries, command.staff)
    entered = _entered(entries, member, command.player, command.override)
    return [] if member.player == command.player else [entered]


def _entered(entries: Entries, member: Staff, player: str, override: str) -> StaffEntered:
    """Raises PlayerUnknown, and JudgeMayNotPlay where the tier forbids it and nobody says why not (AR-AMB-20)."""
    found = player_of(entries, player)
    tier = tier_of(entries)
    if member.role in JUDGES and not tier.judge_may_play and not override:
        raise JudgeMayNotPlay(
            f"{member.name} judges, and in {rules_of(entries).name} no judge plays at the tier {tier.id}; "
            "say in `override` why it is right all the same.",
            [Fault("/player", found.id, expects("player-who-does-not-judge"), tier.cites("judge_may_play"))],
            tier=tier.id,
            clause=tier.cites("judge_may_play"),
        )
    return StaffEntered(staff=member.id, player=player, override=override)


def dismiss(state: Tournament, command: DismissStaff, context: Context) -> Sequence[Event]:
    """The member of staff acts no more: every token of theirs is refused from now on.

    Where that is wished, players' links that they were handed end as well; their players ask for others.
    """
    entries = require_announced(state)
    member = _member(entries, command.staff)
    dismissed = [StaffDismissed(staff=command.staff, reason=command.reason)] if member.active else []
    held = links_held(command.tournament, entries, command.staff) if command.revoke_links else ()
    reason = f"{member.id} was dismissed"
    return [*dismissed, *(TokenRevoked(token=token, reason=reason) for token in held)]


def revoke_token(state: Tournament, command: RevokeToken, context: Context) -> Sequence[Event]:
    """One token is worth nothing any more."""
    if command.token_id in require_announced(state).revoked:
        return []
    return [TokenRevoked(token=command.token_id, reason=command.reason)]


def issue_organiser_token(state: Tournament, command: IssueOrganiserToken, context: Context) -> Sequence[Event]:
    """An organiser gets a token for all tournaments; the state is that of the installation's own log."""
    if not is_free_name(command.organiser):
        raise NameNotFree(
            f"{command.organiser} would be read as somebody else.",
            [Fault("/organiser", to_short_json(command.organiser), FREE_NAME)],
        )
    token = f"organiser-{state.entries.issued + 1}"
    return [OrganiserTokenIssued(token=token, organiser=command.organiser, days=command.days)]


def revoke_installation_token(state: Tournament, command: RevokeInstallationToken, context: Context) -> Sequence[Event]:
    """A token of the installation is worth nothing any more; the state is that of the installation's own log."""
    if command.token_id in state.entries.revoked:
        return []
    return [InstallationTokenRevoked(token=command.token_id, reason=command.reason)]


def _member(entries: Entries, staff: str) -> Staff:
    """A member of staff, dismissed or not. Raises StaffUnknown."""
    if staff not in entries.staff:
        raise StaffUnknown(f"No member of staff has the id {staff}.")
    return entries.staff[staff]


class NameNotFree(Refusal):
    """An organiser would have the name of a role, or that of a player or staff."""

    code = "name-not-free"


class StaffUnknown(Refusal):
    code = "staff-unknown"


class JudgeMayNotPlay(Refusal):
    """At this tier nobody plays who judges; `data.clause` says by which rule."""

    code = "judge-may-not-play"
