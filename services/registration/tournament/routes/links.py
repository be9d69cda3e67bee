"""Routes of players' links: asked for by staff, and seen by whoever they are of."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from services.registration.handlers import HANDLERS
from services.registration.tournament.player_commands import IssueLink
from services.registration.tournament.refusals import NotYours
from services.registration.tournament.state import player_of
from services.registration.tournament.token_issuer import TokenIssuer
from services.registration.tournament.views_links import LinkIssued, LinkView, links_view
from shared.application.command_routes import CommandBlueprint
from shared.application.gateway import appended, by_of
from shared.application.made import Made
from shared.application.service import gateway, wired
from shared.roles import PLAYER, REFEREE_UP
from shared.tournament.events.registration import PlayerLinkIssued
from shared.tournament.guards import keep_to_venue
from shared.web.access import caller
from shared.web.paging import all_of, page_of

ROUTE = "/tournaments/<id:tournament>/players/<id:player>/links"


tickets = wired(TokenIssuer)
blueprint = CommandBlueprint(
    "links", HANDLERS, description="Links of players: issued, revoked, and who asked for them."
)


@blueprint.command(IssueLink, ROUTE, answer=LinkIssued, makes=Made((PlayerLinkIssued,), "token"))
@blueprint.may_refuse("tournament-unknown", "player-unknown", "other-venue")
def issue_player_link(command: IssueLink, tournament: str) -> LinkIssued:
    """Issue a new link for a player, for example after they lost a phone; on request, the older links are revoked.

    The log records what is done with the link as done by the player, through a link issued by the person who asked
    for it. The player sees who that was. The same Idempotency-Key gives the same link.
    """
    receipt = gateway.command(tournament, command)
    issued, answer = receipt.events[0], appended(receipt, tournament)
    ticket = tickets.issued(tournament, command.player, answer.events[0].data["token"], issued.time, issued.actor)
    return LinkIssued(**asdict(answer), token=ticket.text, link=tickets.link(tournament, ticket))


@blueprint.get(ROUTE)
@blueprint.allow(*REFEREE_UP, PLAYER)
@blueprint.response(200, page_of(LinkView))
@blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours", "other-venue")
def list_player_links(tournament: str, player: str) -> dict[str, Any]:
    """List a player's links, oldest first: who received each one, when, and whether it is revoked."""
    who = caller()
    if who.role == PLAYER and who.player != player:
        raise NotYours("A link is shown only to its owner and to staff.")
    with gateway.reading(tournament) as loaded:
        found = player_of(loaded.state.entries, player)
        keep_to_venue(loaded.state, by_of(who), [found.venue])
        return all_of(links_view(tournament, loaded.state, found))
