"""Links of players: the one that came with entering, those that staff asked for, and whose hands each went through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from services.registration.tournament.player_commands import IssueLink
from services.registration.tournament.state import player_of
from shared import roles
from shared.log.event import GUEST, Actor, Event
from shared.roles import PLAYER, Via
from shared.tournament.guards import Context, announced, entry_token
from shared.tournament.people import Entries, Player
from shared.tournament.registration import PlayerLinkIssued, TokenRevoked
from shared.tournament.state import Tournament

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
    entries = announced(state)
    player = player_of(entries, command.player)
    older = [link.token for link in links_of(command.tournament, entries, player) if not link.revoked]
    token = f"{command.tournament}.{player.id}.l{len(player.links) + 1}"
    issued = PlayerLinkIssued(player=player.id, token=token, reason=command.reason)
    reason = f"replaced by {token}"
    revoked = [TokenRevoked(token=each, reason=reason) for each in older if command.revoke_older]
    return [issued, *revoked]
