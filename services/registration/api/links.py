"""Routes of players' links: asked for by staff, and seen by whoever they are of."""

from __future__ import annotations

from typing import Any

from services.registration import answers, schemas_players
from services.registration.domain import commands as ask
from services.registration.domain.links import PlayerLink, links_of
from services.registration.domain.refusals import NotYours
from services.registration.domain.state import player_of
from services.registration.tickets import Tickets
from shared.events.actors import line_of
from shared.handling.desk import venues_of
from shared.handling.front import Front, by_of, shown
from shared.handling.venues import keep_to_venue
from shared.http.access import caller
from shared.http.blueprint import Blueprint
from shared.http.paging import page_of
from shared.http.roles import HEAD_REFEREE, OPERATOR, ORGANISER, PLAYER, REFEREE
from shared.state.entries import Entries, Player
from shared.state.tournament import Tournament

CREW = (OPERATOR, ORGANISER, HEAD_REFEREE, REFEREE)
ROUTE = "/tournaments/<id:tournament>/players/<id:player>/links"


def links_blueprint(front: Front, tickets: Tickets) -> Blueprint:
    """Who was handed a link of whom."""
    blueprint = Blueprint("links", description="Links of players: asked for, revoked, and who asked.")

    @blueprint.post(ROUTE)
    @blueprint.allow(*CREW)
    @blueprint.arguments(schemas_players.IssueLink)
    @blueprint.response(201, answers.LinkIssued)
    @blueprint.may_refuse("tournament-unknown", "player-unknown", "other-venue")
    def issue_player_link(body: dict[str, Any], tournament: str, player: str) -> dict[str, Any]:
        """Ask for a new link of a player, for example after a phone was lost; the older ones end where that is wished.

        Whatever is done with it stands in the log as done by the player by a link of whoever asked, and the player
        sees who did. The same Idempotency-Key gives the same link.
        """
        receipt = front.command(tournament, ask.IssueLink(tournament=tournament, player=player, **body))
        issued, answer = receipt.events[0], shown(receipt, tournament)
        token = answer["events"][0]["data"]["token"]
        ticket = tickets.issued(tournament, player, token, issued.time, issued.actor)
        return {**answer, "token": ticket.text, "token_id": ticket.id, "link": tickets.link(tournament, ticket)}

    @blueprint.get(ROUTE)
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.response(200, page_of(answers.LinkShown))
    @blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours", "other-venue")
    def list_player_links(tournament: str, player: str) -> dict[str, Any]:
        """List a player's links, the oldest first: who was handed each, when, and whether it is revoked."""
        who = caller()
        if who.role == PLAYER and who.player != player:
            raise NotYours("Links are shown to whoever they are of and to staff.")
        with front.reading(tournament) as folded:
            found = player_of(folded.state.entries, player)
            keep_to_venue(folded.state, by_of(who), [found.venue])
            return {"items": links_shown(tournament, folded.state, found), "next": None}

    return blueprint


def links_shown(tournament: str, state: Tournament, player: Player) -> list[dict[str, Any]]:
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
