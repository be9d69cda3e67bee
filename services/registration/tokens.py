"""Tokens: their issuer, invitation codes, the limit of sign-ups per address; routes of links and tokens.

Logs are public, so they contain no addresses: a row holds a keyed digest of the address and a number of sign-ups.
"""

from __future__ import annotations

import hmac
from base64 import b32encode
from collections.abc import Collection, Sequence
from datetime import date, timedelta
from hashlib import sha256
from typing import Annotated, Any
from urllib.parse import urlencode

from flask import request
from flask.typing import ResponseReturnValue
from msgspec import Struct

from services.registration import directory, views
from services.registration.guards import NotYours, player_of
from services.registration.handlers import FORMATS, HANDLERS
from services.registration.staff import IssueLink, IssueOrganiserToken, RevokeInstallationToken, via_entry, via_request
from services.registration.views import (
    LinkIssued,
    LinkView,
    OrganiserToken,
    OrganiserTokenView,
    RevocationView,
    links_view,
)
from shared.clock import format_utc, to_milliseconds
from shared.environment import caller_network
from shared.log.database import Connection
from shared.log.event import Actor, read_actor
from shared.refusals import Fault, Refusal, expects
from shared.roles import EVERY_TOURNAMENT, OPERATOR, ORGANISER, PLAYER, REFEREE_UP, Via
from shared.service.handlers import guests_limit, require_quota
from shared.service.routes import CommandBlueprint, Made, actor_of, appended_view
from shared.service.views import Appended, EventView
from shared.service.wiring import current_part, gateway, service
from shared.shapes import View
from shared.tournament.guards import entry_token, milliseconds, require_own_venue
from shared.tournament.registration import (
    INSTALLATION,
    InstallationTokenRevoked,
    OrganiserTokenIssued,
    PlayerLinkIssued,
)
from shared.web.auth import require_caller
from shared.web.blueprint import Blueprint
from shared.web.idempotency import key_of
from shared.web.paging import page_of, single_page
from shared.web.tokens import Caller, Issuer, mint

DAY = 86_400


class IssuedToken(Struct, frozen=True):
    """A token and its id, by which it can be revoked."""

    text: str
    id: str


class TokenIssuer:
    """Issues tokens. They expire `days` days after their issue; all but organisers' also `after_end` days after the
    event.

    link: base address of players' links.
    """

    def __init__(self, issuer: Issuer, link: str, *, days: int, after_end: int) -> None:
        self._issuer = issuer
        self._link = link
        self._seconds = days * DAY
        self._after_end = after_end

    def tournament_id(self, command_id: str, caller: Caller) -> str:
        """Return the id for a new tournament. It is the same for the same caller and Idempotency-Key."""
        key = key_of(command_id)
        text = command_id if key is None else f"{caller.tournament} {caller.actor} {key}"
        return f"t-{sha256(text.encode()).hexdigest()[:12]}"

    def for_announcer(self, tournament: str, time: str) -> IssuedToken:
        """Return a token for the person who announced the tournament. time: when it was announced."""
        id = f"{tournament}.organiser"
        return self._issue(tournament, "organiser", ORGANISER, id, time)

    def for_staff(self, tournament: str, staff: str, role: str, venue: str, time: str) -> IssuedToken:
        """Return a token for a member of staff. time: when they were appointed."""
        return self._issue(tournament, staff, role, entry_token(tournament, staff, time), time, venue=venue or None)

    def for_new_player(self, tournament: str, player: str, time: str, by: Actor) -> IssuedToken:
        """Return a token for a new player, who needs no account. time, by: when and by whom they were entered."""
        return self._issue_to_player(tournament, player, entry_token(tournament, player, time), time, via_entry(by))

    def for_player(self, tournament: str, player: str, id: str, time: str, by: Actor) -> IssuedToken:
        """Return a token for a player that staff requested. id: token id. time, by: when and by whom."""
        return self._issue_to_player(tournament, player, id, time, via_request(by))

    def for_organiser(self, organiser: str, id: str, days: int, time: str) -> IssuedToken:
        """Return a token for an organiser, for all tournaments. time: when an operator issued it."""
        issued = milliseconds(time) // 1000
        token = mint(
            self._issuer,
            actor=organiser,
            role=ORGANISER,
            tournament=EVERY_TOURNAMENT,
            jti=id,
            iat=issued,
            exp=issued + days * DAY,
        )
        return IssuedToken(token, id)

    def require_valid_after(self, ends_on: date, now: str) -> None:
        """Raise AlreadyOver if tokens of an event with this last day would have expired. now: RFC 3339."""
        earliest = date.fromisoformat(now[:10]) - timedelta(days=self._after_end)
        if ends_on < earliest:
            raise AlreadyOver(
                f"Tokens of its players and staff end {self._after_end} days after the last day, so they would not"
                " work at all.",
                [Fault("/ends_on", ends_on.isoformat(), expects("day-or-later", day=earliest.isoformat()))],
            )

    def _issue_to_player(self, tournament: str, player: str, id: str, time: str, via: Via | None) -> IssuedToken:
        return self._issue(tournament, player, PLAYER, id, time, player=player, via=via)

    def _issue(
        self,
        tournament: str,
        actor: str,
        role: str,
        id: str,
        time: str,
        *,
        player: str | None = None,
        venue: str | None = None,
        via: Via | None = None,
    ) -> IssuedToken:
        issued = milliseconds(time) // 1000
        token = mint(
            self._issuer,
            actor=actor,
            role=role,
            tournament=tournament,
            jti=id,
            iat=issued,
            exp=issued + self._seconds,
            player=player,
            venue=venue,
            via=via,
            after_end=None if role == ORGANISER else self._after_end,
        )
        return IssuedToken(token, id)

    def link(self, tournament: str, ticket: IssuedToken) -> str:
        """Return the address that a player opens, or scans as a QR code."""
        return f"{self._link}/tournaments/{tournament}/me?token={ticket.text}"


CODE_LENGTH = 8
"""Characters of a code after the player id: a guess is right once in 2^40."""


class Invitations:
    """Invitation codes. secrets: the first secret creates codes; all secrets verify them."""

    def __init__(self, secrets: Sequence[bytes]) -> None:
        self._secrets = secrets

    def code(self, tournament: str, player: str) -> str:
        """Return the invitation code of a survivor; it never changes."""
        return f"{player}-{_suffix(self._secrets[0], tournament, player)}"

    def inviter(self, tournament: str, code: str, players: Collection[str]) -> str:
        """Return the player to whom a code belongs. players: all players. Raises InvitationUnknown."""
        player, _, suffix = code.strip().lower().rpartition("-")
        valid = (_suffix(secret, tournament, player).encode() for secret in self._secrets)
        if player not in players or not any(hmac.compare_digest(suffix.encode(), known) for known in valid):
            fault = Fault("/invitation", code, expects("invitation-code"))
            raise InvitationUnknown("No survivor of this event has given this code.", [fault])
        return player


def _suffix(secret: bytes, tournament: str, player: str) -> str:
    digest = hmac.digest(secret, f"invitation/{tournament}/{player}".encode(), sha256)
    return b32encode(digest).decode().lower()[:CODE_LENGTH]


_ADD = """INSERT INTO sign_up_addresses (tournament, address, sign_ups) VALUES (:tournament, :address, :number)
    ON CONFLICT (tournament, address) DO UPDATE SET sign_ups = sign_up_addresses.sign_ups + excluded.sign_ups
    RETURNING sign_ups"""

ADDRESS_SHARE = 2
"""One address may use 1/ADDRESS_SHARE of the sign-ups of a tournament: all players in a hall may share one address."""


class SignUpAddresses:
    """Counts sign-ups by address. key: key of the digests, which prevents finding an address by trying all."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def count(self, connection: Connection, tournament: str, address: str, number: int, seats: int | None) -> None:
        """Count sign-ups in the transaction that appends them. Raises QuotaReached if the address has too many.

        seats: capacity of the tournament; None: unlimited.
        """
        digest = self._digest(tournament, address)
        total = connection.value(_ADD, tournament=tournament, address=digest, number=number)
        require_quota(total - number, number, guests_limit(seats) // ADDRESS_SHARE, "sign-ups", "one address")

    def _digest(self, tournament: str, address: str) -> str:
        text = f"sign-up/{tournament}/{caller_network(address)}"
        return hmac.new(self._key, text.encode(), sha256).hexdigest()


ROUTE = "/tournaments/<id:tournament>/players/<id:player>/links"


DAY_MS = 86_400_000

tickets = current_part(TokenIssuer)
blueprint = CommandBlueprint(
    "links", HANDLERS, description="Links of players: issued, revoked, and who asked for them."
)


@blueprint.command(IssueLink, ROUTE, answer=LinkIssued, makes=Made((PlayerLinkIssued,), "token"))
@blueprint.may_refuse("tournament-unknown", "player-unknown", "other-venue")
def issue_player_link(command: IssueLink, tournament: str) -> LinkIssued:
    """Issue a new link for a player, for example after they lost a phone. On request, the older links are revoked.

    The log records actions with the link as the player's, through a link that you requested; the player can see that.
    The same Idempotency-Key gives the same link.
    """
    receipt = gateway.command(tournament, command)
    issued, answer = receipt.events[0], appended_view(receipt)
    id, by = answer.events[0].data["token"], read_actor(issued.actor)
    ticket = tickets.for_player(tournament, command.player, id, issued.time, by)
    return LinkIssued(id=answer.id, events=answer.events, token=ticket.text, link=tickets.link(tournament, ticket))


@blueprint.get(ROUTE)
@blueprint.allow(*REFEREE_UP, PLAYER)
@blueprint.response(200, page_of(LinkView))
@blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours", "other-venue")
def list_player_links(tournament: str, player: str) -> dict[str, Any]:
    """List a player's links, oldest first: who received each one, when, and whether it is revoked."""
    requester = require_caller()
    if requester.role == PLAYER and requester.player != player:
        raise NotYours("A link is shown only to its owner and to staff.")
    with gateway.reading(tournament) as loaded:
        owner = player_of(loaded.state.entries, player)
        require_own_venue(loaded.state, actor_of(requester), [owner.venue])
        return single_page(links_view(tournament, loaded.state, owner))


OF_EVERY_FORMAT = {
    "check_in": ("registration", "/players/{player}/check-in"),
    "drop": ("registration", "/players/{player}/drop"),
    "player_links": ("registration", "/players/{player}/links"),
}
"""Name of a player's resource in every format -> (service, path in the tournament)."""


class MeView(View, frozen=True, kw_only=True):
    """The player of a link, with the addresses of their resources."""

    tournament: str
    name: Annotated[str, "The tournament's name."]
    status: str
    player: views.PlayerView
    links: dict[str, str]
    player_links: Annotated[
        list[LinkView],
        "The player's links, and who received each one. Tell an organiser of any that you do not know.",
    ]


me_blueprint = Blueprint("me", description="The player of a link.")


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
    """Show the player of this token, with the addresses of their game, results and standing."""
    player = require_caller().player or ""
    base_path = f"/tournaments/{tournament}"
    with gateway.reading(tournament) as loaded:
        owner = player_of(loaded.state.entries, player)
        own = FORMATS[loaded.state.entries.format].LINKS
        return MeView(
            tournament=tournament,
            name=loaded.state.entries.name,
            status=directory.status_of(loaded.state),
            player=views.player_view(loaded.state.entries, owner, views.waiting_places(loaded.state.entries)),
            player_links=links_view(tournament, loaded.state, owner),
            links={
                name: service.settings.public_urls[provider] + base_path + path.format(player=player)
                for name, (provider, path) in {**OF_EVERY_FORMAT, **own}.items()
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
    """Issue a token to an organiser, who can announce tournaments and lead those that they announced.

    The answer contains the token, which is not stored. The same Idempotency-Key gives the same token. Organisers are
    identified by name, so everyone with a token for the same name leads the same tournaments.
    """
    receipt = gateway.command(INSTALLATION, command, creates_tournament=True)
    issued, answer = receipt.events[0], appended_view(receipt)
    ticket = tickets.for_organiser(command.organiser, answer.events[0].data["token"], command.days, issued.time)
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
    return single_page([_organiser_token_view(event, revoked) for event in issued])


def _organiser_token_view(event: EventView, revoked: Collection[str]) -> OrganiserTokenView:
    data = event.data
    return OrganiserTokenView(
        id=data["token"],
        organiser=data["organiser"],
        actor=event.actor,
        actor_text=event.actor_text,
        time=event.time,
        expires_at=format_utc(to_milliseconds(event.time) + data["days"] * DAY_MS),
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
    return gateway.run(INSTALLATION, command, creates_tournament=True)


@installation_blueprint.get("/tokens/revocations")
@installation_blueprint.allow(OPERATOR, within=EVERY_TOURNAMENT)
@installation_blueprint.response(200, page_of(RevocationView))
@installation_blueprint.may_refuse("wrong-tournament")
def list_revocations() -> dict[str, Any]:
    """List the tokens that the installation has revoked, oldest first."""
    events = gateway.events_about(INSTALLATION, lambda data: True)
    revoked = [event for event in events if event.type == InstallationTokenRevoked.__name__]
    return single_page([_revocation_view(event) for event in revoked])


def _revocation_view(event: EventView) -> RevocationView:
    data = event.data
    return RevocationView(
        id=data["token"],
        reason=data.get("reason", ""),
        actor=event.actor,
        actor_text=event.actor_text,
        time=event.time,
    )


class AlreadyOver(Refusal):
    """The tournament would have ended so long ago that all tokens of players and staff are expired."""

    code = "already-over"


class InvitationUnknown(Refusal):
    """No survivor of this event has this invitation code."""

    code = "invitation-unknown"
