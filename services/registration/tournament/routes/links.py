"""Routes of players' links: asked for by staff, and seen by whoever they are of."""

from __future__ import annotations

from typing import Any

from services.registration.handlers import HANDLERS
from services.registration.tournament import player_schemas as schemas_players
from services.registration.tournament import view_schemas
from services.registration.tournament.commands import IssueLink
from services.registration.tournament.decide.links import PlayerLink, links_of
from services.registration.tournament.refusals import NotYours
from services.registration.tournament.state import player_of
from services.registration.tournament.token_issuer import TokenIssuer
from shared.application.command_handler import venues_of
from shared.application.gateway import by_of, shown
from shared.application.service import gateway, wired
from shared.events.actors import line_of
from shared.roles import PLAYER, REFEREE_UP
from shared.tournament.entries import Entries, Player
from shared.tournament.guards import keep_to_venue
from shared.tournament.state import Tournament
from shared.web.access import caller
from shared.web.blueprint import Blueprint
from shared.web.paging import page_of

ROUTE = "/tournaments/<id:tournament>/players/<id:player>/links"


tickets = wired(TokenIssuer)
blueprint = Blueprint("links", description="Links of players: asked for, revoked, and who asked.")


@blueprint.post(ROUTE)
@blueprint.allow(*HANDLERS[IssueLink].roles)
@blueprint.arguments(schemas_players.IssueLink)
@blueprint.response(201, view_schemas.LinkIssued)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "other-venue")
def issue_player_link(body: dict[str, Any], tournament: str, player: str) -> dict[str, Any]:
    """Ask for a new link of a player, for example after a phone was lost; the older ones end where that is wished.

    Whatever is done with it stands in the log as done by the player by a link of whoever asked, and the player
    sees who did. The same Idempotency-Key gives the same link.
    """
    receipt = gateway.command(tournament, IssueLink(tournament=tournament, player=player, **body))
    issued, answer = receipt.events[0], shown(receipt, tournament)
    token = answer["events"][0]["data"]["token"]
    ticket = tickets.issued(tournament, player, token, issued.time, issued.actor)
    return {**answer, "token": ticket.text, "token_id": ticket.id, "link": tickets.link(tournament, ticket)}


@blueprint.get(ROUTE)
@blueprint.allow(*REFEREE_UP, PLAYER)
@blueprint.response(200, page_of(view_schemas.LinkShown))
@blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours", "other-venue")
def list_player_links(tournament: str, player: str) -> dict[str, Any]:
    """List a player's links, the oldest first: who was handed each, when, and whether it is revoked."""
    who = caller()
    if who.role == PLAYER and who.player != player:
        raise NotYours("Links are shown to whoever they are of and to staff.")
    with gateway.reading(tournament) as folded:
        found = player_of(folded.state.entries, player)
        keep_to_venue(folded.state, by_of(who), [found.venue])
        return {"items": links_view(tournament, folded.state, found), "next": None}


def links_view(tournament: str, state: Tournament, player: Player) -> list[dict[str, Any]]:
    """A player's links as answers show them, the oldest first."""
    return [_shown(link, state.entries, venues_of(state)) for link in links_of(tournament, state.entries, player)]


def _shown(link: PlayerLink, entries: Entries, venues: dict[str, str]) -> dict[str, Any]:
    known = entries.staff.get(link.by.name)
    return {
        "token_id": link.token,
        "kind": link.kind,
        "actor": line_of(link.by, venues),
        "name": known.name if known else link.by.name,
        "time": link.time,
        "reason": link.reason,
        "revoked": link.revoked,
    }
