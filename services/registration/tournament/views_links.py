"""What registration shows of players' links, and of tokens that are worth nothing any more."""

from __future__ import annotations

from typing import Annotated

from services.registration.tournament.decide.links import PlayerLink, links_of
from shared.log.event import actor_text
from shared.service.commands import venues_of
from shared.service.views import ActorView, Appended, actor_view
from shared.shapes import View
from shared.tournament.people import Entries, Player
from shared.tournament.state import Tournament


class LinkIssued(Appended, frozen=True, kw_only=True):
    """A new link of a player and the token that it carries; `id` is that of the token, to revoke it by."""

    token: str
    link: str


class LinkView(View, frozen=True, kw_only=True):
    """A link of a player, and whose hands it went through; never the link itself."""

    id: Annotated[str, "The id of its token, which a revocation names."]
    kind: Annotated[str, "sign-up: got by signing up; entry: with an entry by somebody else; issued: asked for."]
    actor: Annotated[ActorView, "Who signed up, entered the player, or requested the link."]
    actor_text: Annotated[str, "The actor as a line: `s2, referee`."]
    name: Annotated[str, "What they are called, where they are of the staff."]
    time: Annotated[str, "RFC 3339, UTC."]
    reason: str
    revoked: bool


class OrganiserToken(Appended, frozen=True, kw_only=True):
    """A new token of an organiser; `id` is what a revocation names. The token is shown here alone."""

    token: str


class OrganiserTokenView(View, frozen=True, kw_only=True):
    """A token that an operator issued to an organiser; never the token itself."""

    id: Annotated[str, "What a revocation names."]
    organiser: Annotated[str, "The name that the log records; it leads what it announced."]
    actor: Annotated[ActorView, "Who issued it."]
    actor_text: Annotated[str, "The actor as a line: `kim, operator`."]
    time: Annotated[str, "RFC 3339, UTC."]
    expires_at: Annotated[str, "RFC 3339, UTC."]
    revoked: bool


class RevocationView(View, frozen=True, kw_only=True):
    """A token that the installation took back."""

    id: str
    reason: str
    actor: Annotated[ActorView, "Who revoked it."]
    actor_text: Annotated[str, "The actor as a line: `kim, operator`."]
    time: Annotated[str, "RFC 3339, UTC."]


def links_view(tournament: str, state: Tournament, player: Player) -> list[LinkView]:
    """A player's links, the oldest first."""
    venues = venues_of(state)
    return [_link_view(link, state.entries, venues) for link in links_of(tournament, state.entries, player)]


def _link_view(link: PlayerLink, entries: Entries, venues: dict[str, str]) -> LinkView:
    known = entries.staff.get(link.by.actor)
    return LinkView(
        id=link.token,
        kind=link.kind,
        actor=actor_view(link.by),
        actor_text=actor_text(link.by, venues),
        name=known.name if known else link.by.actor,
        time=link.time,
        reason=link.reason,
        revoked=link.revoked,
    )
