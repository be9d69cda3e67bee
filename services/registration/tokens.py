"""Routes of players' links, and where a link leads; and of tokens of the installation that it takes back."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any
from urllib.parse import urlencode

from flask import request
from flask.typing import ResponseReturnValue

from services.registration.formats import FORMATS
from services.registration.handlers import HANDLERS
from services.registration.tournament import directory, views
from services.registration.tournament.commands import IssueOrganiserToken, RevokeInstallationToken
from services.registration.tournament.player_commands import IssueLink
from services.registration.tournament.refusals import NotYours
from services.registration.tournament.state import player_of
from services.registration.tournament.token_issuer import TokenIssuer
from services.registration.tournament.views_links import (
    LinkIssued,
    LinkView,
    OrganiserToken,
    OrganiserTokenView,
    RevocationView,
    links_view,
)
from shared.clock import milliseconds_of, utc_at
from shared.log.event import read_actor
from shared.roles import EVERY_TOURNAMENT, OPERATOR, PLAYER, REFEREE_UP
from shared.service.command_routes import CommandBlueprint, Made
from shared.service.gateway import appended, by_of
from shared.service.views import Appended, EventView
from shared.service.wiring import gateway, service, wired
from shared.shapes import View
from shared.tournament.guards import keep_to_venue
from shared.tournament.registration import (
    INSTALLATION,
    InstallationTokenRevoked,
    OrganiserTokenIssued,
    PlayerLinkIssued,
)
from shared.web.auth import caller
from shared.web.blueprint import Blueprint
from shared.web.paging import all_of, page_of

ROUTE = "/tournaments/<id:tournament>/players/<id:player>/links"


DAY_MS = 86_400_000

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
    id, by = answer.events[0].data["token"], read_actor(issued.actor)
    ticket = tickets.issued(tournament, command.player, id, issued.time, by)
    return LinkIssued(id=answer.id, events=answer.events, token=ticket.text, link=tickets.link(tournament, ticket))


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


OF_EVERY_FORMAT = {
    "check_in": ("registration", "/players/{player}/check-in"),
    "drop": ("registration", "/players/{player}/drop"),
    "player_links": ("registration", "/players/{player}/links"),
}
"""What concerns a player in every format -> the service and the path, in the tournament, where it is found."""


class MeView(View, frozen=True, kw_only=True):
    """The player behind the link, and where to read and do what concerns them."""

    tournament: str
    name: Annotated[str, "The tournament's name."]
    status: str
    player: views.PlayerView
    links: dict[str, str]
    player_links: Annotated[
        list[LinkView],
        "The player's links, and who received each one. Tell an organiser of any that you do not know.",
    ]


me_blueprint = Blueprint("me", description="The player behind a link.")


def show_page_in_browser() -> ResponseReturnValue | None:
    """Redirect a browser that opens a player's link to the player's page; programs get JSON."""
    console, token = service.settings.console_url, request.args.get("token", "")
    if not console or not token or "text/html" not in request.headers.get("Accept", ""):
        return None
    page = f"{console}/events/{(request.view_args or {})['tournament']}/come-in?{urlencode({'token': token})}"
    return "", 302, {"Location": page, "Cache-Control": "no-store"}


me_blueprint.before_request(show_page_in_browser)


@me_blueprint.get("/tournaments/<id:tournament>/me")
@me_blueprint.allow(PLAYER)
@me_blueprint.response(200, MeView)
@me_blueprint.may_refuse("tournament-unknown", "player-unknown")
def show_me(tournament: str) -> MeView:
    """Show the player whom this token belongs to, with the addresses of their game, results and standing."""
    player = caller().player or ""
    here = f"/tournaments/{tournament}"
    with gateway.reading(tournament) as loaded:
        found = player_of(loaded.state.entries, player)
        own = FORMATS[loaded.state.entries.format].LINKS
        return MeView(
            tournament=tournament,
            name=loaded.state.entries.name,
            status=directory.status_of(loaded.state),
            player=views.player_view(found, views.waiting_places(loaded.state.entries)),
            player_links=links_view(tournament, loaded.state, found),
            links={
                name: service.settings.public_urls[place] + here + rest.format(player=player)
                for name, (place, rest) in {**OF_EVERY_FORMAT, **own}.items()
            },
        )


installation_blueprint = CommandBlueprint(
    "installation", HANDLERS, description="Tokens of organisers, and tokens of the installation that were revoked."
)


@installation_blueprint.command(
    IssueOrganiserToken,
    "/tokens/organisers",
    within=EVERY_TOURNAMENT,
    answer=OrganiserToken,
    makes=Made((OrganiserTokenIssued,), "token"),
)
@installation_blueprint.may_refuse("wrong-tournament", "name-not-free")
def issue_organiser_token(command: IssueOrganiserToken) -> OrganiserToken:
    """Issue a token to an organiser: they announce tournaments, and lead those that they announced.

    The answer carries the token, which is kept nowhere. The same Idempotency-Key gives the same token. Organisers are
    told apart by name, so everybody who is given a token for the same name leads the same tournaments.
    """
    receipt = gateway.command(INSTALLATION, command, begins=True)
    issued, answer = receipt.events[0], appended(receipt, INSTALLATION)
    ticket = tickets.everywhere(command.organiser, answer.events[0].data["token"], command.days, issued.time)
    return OrganiserToken(id=answer.id, events=answer.events, token=ticket.text)


@installation_blueprint.get("/tokens/organisers")
@installation_blueprint.allow(OPERATOR, within=EVERY_TOURNAMENT)
@installation_blueprint.response(200, page_of(OrganiserTokenView))
@installation_blueprint.may_refuse("wrong-tournament")
def list_organiser_tokens() -> dict[str, Any]:
    """List the tokens that were issued to organisers, oldest first, without the tokens themselves."""
    events = gateway.events_about(INSTALLATION, lambda data: True)
    revoked = {event.data["token"] for event in events if event.type == InstallationTokenRevoked.__name__}
    issued = [event for event in events if event.type == OrganiserTokenIssued.__name__]
    return all_of([_organiser_token_view(event, revoked) for event in issued])


def _organiser_token_view(event: EventView, revoked: Collection[str]) -> OrganiserTokenView:
    data = event.data
    return OrganiserTokenView(
        id=data["token"],
        organiser=data["organiser"],
        actor=event.actor,
        actor_text=event.actor_text,
        time=event.time,
        expires_at=utc_at(milliseconds_of(event.time) + data["days"] * DAY_MS),
        revoked=data["token"] in revoked,
    )


@installation_blueprint.command(
    RevokeInstallationToken,
    "/tokens/revocations",
    within=EVERY_TOURNAMENT,
    makes=Made((InstallationTokenRevoked,), "token"),
)
@installation_blueprint.may_refuse("wrong-tournament")
def revoke_installation_token(command: RevokeInstallationToken) -> Appended:
    """Revoke one token that the command line issued, or one of a service; all others stay valid.

    Every service refuses the token as soon as it has a copy of the event, usually within a second. A token of one
    tournament is revoked at that tournament.
    """
    return gateway.run(INSTALLATION, command, begins=True)


@installation_blueprint.get("/tokens/revocations")
@installation_blueprint.allow(OPERATOR, within=EVERY_TOURNAMENT)
@installation_blueprint.response(200, page_of(RevocationView))
@installation_blueprint.may_refuse("wrong-tournament")
def list_revocations() -> dict[str, Any]:
    """List the tokens that the installation has revoked, oldest first."""
    events = gateway.events_about(INSTALLATION, lambda data: True)
    revoked = [event for event in events if event.type == InstallationTokenRevoked.__name__]
    return all_of([_revocation_view(event) for event in revoked])


def _revocation_view(event: EventView) -> RevocationView:
    data = event.data
    return RevocationView(
        id=data["token"],
        reason=data.get("reason", ""),
        actor=event.actor,
        actor_text=event.actor_text,
        time=event.time,
    )
