"""Routes of joining: entered by staff, one by one or as a list, or signed up by oneself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from services.registration.handlers import HANDLERS
from services.registration.tournament import player_schemas as schemas_players
from services.registration.tournament import view_schemas
from services.registration.tournament.commands import (
    Command,
    Entry,
    JoinParty,
    JoinPlayers,
    SignUp,
    SignUpInvited,
    SignUpParty,
)
from services.registration.tournament.csv_entries import read_entries
from services.registration.tournament.invitations import Invitations
from services.registration.tournament.personal_data_vault import PersonalDataVault
from services.registration.tournament.refusals import ExternalIdTaken, NameTaken, VenueUnknown
from services.registration.tournament.token_issuer import TokenIssuer
from shared.application.command_handler import CommandResult, told
from shared.application.gateway import shown
from shared.application.service import gateway, wired
from shared.eventlog.database import Connection
from shared.events.recorded import Recorded
from shared.formats.catalogue import data_of
from shared.roles import ROLES
from shared.web.access import caller_or_none, require
from shared.web.blueprint import Blueprint
from shared.web.body import read_bytes

ENTERING = ("PlayerJoined", "PlayerWaitlisted")
OPEN = ("tournament-unknown", "tournament-over", "registration-closed")
SIGNING_UP = (*OPEN, "name-taken", "venue-unknown", "other-venue")
BY_ONESELF = (*SIGNING_UP, "invite-only", "sign-ups-paused")
JOINING = (*SIGNING_UP, "external-id-taken")

Place = Callable[[str], str]
"""From a place in a list of players to the place in what was sent."""

CommandOf = Callable[[list[Entry]], Command]
"""The command that asks for seats for these entries."""


tickets = wired(TokenIssuer)
safe = wired(PersonalDataVault)
invitations = wired(Invitations)
blueprint = Blueprint("joining", description="Joining: entered by staff, or signed up by oneself.")


def _join(
    tournament: str,
    players: list[dict[str, Any]],
    wanted: CommandOf,
    place: Place = str,
    *,
    open_to_all: bool = False,
) -> dict[str, Any]:
    contacts = [player.pop("contact", {}) for player in players]
    entries = [Entry(**player, contact=bool(contact)) for player, contact in zip(players, contacts, strict=True)]

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        for event, contact in zip(_entering(recorded), contacts, strict=True):
            if contact:
                safe.put(connection, tournament, data_of(event)["player"], contact)

    also = keep if any(contacts) else None
    try:
        receipt = gateway.command(tournament, wanted(entries), also=also, open_to_all=open_to_all)
    except (ExternalIdTaken, NameTaken, VenueUnknown) as refusal:
        faults = [replace(fault, where=place(fault.where)) for fault in refusal.faults]
        raise type(refusal)(refusal.detail, faults, **refusal.data) from refusal
    return shown(receipt, tournament, players=_joined(tournament, receipt))


def _joined(tournament: str, receipt: CommandResult) -> list[dict[str, Any]]:
    players = []
    for recorded in _entering(receipt.events):
        event = told(recorded)
        ticket = tickets.entered(tournament, event["data"]["player"], recorded.time, recorded.actor)
        players.append(
            {
                "id": event["data"]["player"],
                "name": event["data"]["name"],
                "status": "active" if event["type"] == "PlayerJoined" else "waiting",
                "token": ticket.text,
                "token_id": ticket.id,
                "link": tickets.link(tournament, ticket),
            }
        )
    return players


@blueprint.post("/tournaments/<id:tournament>/players")
@blueprint.allow(*HANDLERS[JoinPlayers].roles)
@blueprint.arguments(schemas_players.JoinPlayer)
@blueprint.response(201, view_schemas.Joined)
@blueprint.may_refuse(*JOINING)
def join_player(body: dict[str, Any], tournament: str) -> dict[str, Any]:
    """Enter a player; the answer carries the link that lets them report their own games."""
    late = body.pop("late")
    return _join(tournament, [body], lambda entries: JoinPlayers(entries=entries, late=late), _of_one)


@blueprint.post("/tournaments/<id:tournament>/players/list")
@blueprint.allow(*HANDLERS[JoinPlayers].roles)
@blueprint.arguments(schemas_players.JoinPlayers)
@blueprint.response(201, view_schemas.Joined)
@blueprint.may_refuse(*JOINING)
def join_players(body: dict[str, Any], tournament: str) -> dict[str, Any]:
    """Enter a list of players: all of them, or none and every fault."""
    return _join(tournament, body["players"], lambda entries: JoinPlayers(entries=entries, late=body["late"]))


@blueprint.post("/tournaments/<id:tournament>/players/party")
@blueprint.allow(*HANDLERS[JoinParty].roles)
@blueprint.arguments(schemas_players.JoinPlayers)
@blueprint.response(201, view_schemas.Joined)
@blueprint.may_refuse(*JOINING, "party-refused", "wrong-format")
def join_party(body: dict[str, Any], tournament: str) -> dict[str, Any]:
    """Enter survivors who come together and sit together at every table: all of them, or none."""
    return _join(tournament, body["players"], lambda entries: JoinParty(entries=entries, late=body["late"]))


@blueprint.post("/tournaments/<id:tournament>/players/csv")
@blueprint.allow(*HANDLERS[JoinPlayers].roles)
@blueprint.response(201, view_schemas.Joined)
@blueprint.may_refuse(*JOINING, "csv-refused", "too-large", "unsupported-media-type")
@blueprint.doc(requestBody={"required": True, "content": {"text/csv": {"schema": {"type": "string"}}}})
def join_players_csv(tournament: str) -> dict[str, Any]:
    """Enter players from CSV (`player,name,faction,venue,club`): all of them, or none and every fault."""
    entries = read_entries(read_bytes())
    return _join(tournament, entries.players, lambda entries: JoinPlayers(entries=entries), entries.place)


@blueprint.post("/tournaments/<id:tournament>/sign-up")
@blueprint.arguments(schemas_players.SignUp)
@blueprint.response(201, view_schemas.Joined)
@blueprint.may_refuse(
    *SIGNING_UP,
    "wrong-tournament",
    "invite-only",
    "sign-ups-paused",
    "invitation-unknown",
    "party-refused",
    "wrong-format",
)
def sign_up(body: dict[str, Any], tournament: str) -> dict[str, Any]:
    """Sign oneself up: a seat, or a place on the waiting list, and one's own link.

    Anybody may while the tournament's `sign_up` is `open` and registration is; where it is `invite_only`, this
    takes a token of its staff or of an integration. An Idempotency-Key without a token has 16 characters or more,
    since whoever knows it may ask for the answer, and so for the link, again. With the `invitation` of a survivor
    of a co-operative event one sits at every table with them.
    """
    if caller_or_none() is not None:
        require(ROLES, tournament)
    invitation = body.pop("invitation")
    if not invitation:
        return _join(tournament, [_guest(body)], lambda entries: SignUp(entry=entries[0]), _of_one, open_to_all=True)
    with gateway.of(*HANDLERS[SignUpInvited].formats).reading(tournament) as folded:
        inviter = invitations.inviter(tournament, invitation, folded.state.entries.players)
    return _join(
        tournament,
        [_guest(body)],
        lambda entries: SignUpInvited(entry=entries[0], invited_by=inviter),
        _of_one,
        open_to_all=True,
    )


@blueprint.post("/tournaments/<id:tournament>/sign-up/party")
@blueprint.arguments(schemas_players.SignUpParty)
@blueprint.response(201, view_schemas.Joined)
@blueprint.may_refuse(*BY_ONESELF, "wrong-tournament", "party-refused", "wrong-format")
def sign_up_party(body: dict[str, Any], tournament: str) -> dict[str, Any]:
    """Sign a company up that sits together at every table: all of them, or none. Each gets a link of their own.

    As open as signing oneself up, and answered the same.
    """
    if caller_or_none() is not None:
        require(ROLES, tournament)
    company = [_guest(player) for player in body["players"]]
    return _join(tournament, company, lambda entries: SignUpParty(entries=entries), open_to_all=True)


def _guest(body: dict[str, Any]) -> dict[str, Any]:
    contact = {member: body.pop(member) for member in ("email", "legal_name") if member in body}
    return {**body, "contact": contact}


def _of_one(where: str) -> str:
    return where.removeprefix("/players/0")


def _entering(events: Sequence[Recorded]) -> list[Recorded]:
    """The events of those who entered, without those who moved up before them."""
    return [event for event in events if event.type in ENTERING]
