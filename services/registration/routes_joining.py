"""Routes of joining: entered by staff, one by one or as a list, or signed up by oneself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from services.registration.handlers import HANDLERS
from services.registration.tournament.commands import (
    Contact,
    Entry,
    JoinParty,
    JoinPlayers,
    Person,
    SignUp,
    SignUpInvited,
    SignUpParty,
)
from services.registration.tournament.csv_entries import read_entries
from services.registration.tournament.invitations import Invitations
from services.registration.tournament.personal_data_vault import PersonalDataVault
from services.registration.tournament.refusals import ExternalIdTaken, NameTaken, VenueUnknown
from services.registration.tournament.sign_up_addresses import SignUpAddresses
from services.registration.tournament.token_issuer import TokenIssuer
from services.registration.tournament.views import Joined, JoinedPlayer
from shared.formats.fold import data_of
from shared.log.database import Connection
from shared.log.event import Recorded, read_actor
from shared.roles import LINKED, ROLES
from shared.service.command_routes import CommandBlueprint, Made
from shared.service.gateway import appended
from shared.service.wiring import gateway, wired
from shared.shapes import Command, Email, Name, Personal, Shape, Size, Text
from shared.tournament.registration import PlayerJoined, PlayerWaitlisted
from shared.web.auth import caller_or_none, require
from shared.web.body import read_bytes
from shared.web.request import this_request
from shared.web.tokens import Caller

ENTERING = (PlayerJoined, PlayerWaitlisted)
PLAYER = Made(ENTERING, "player", "/tournaments/<id:tournament>/players/<id:player>")
OPEN = ("tournament-unknown", "tournament-over", "registration-closed")
SIGNING_UP = (*OPEN, "name-taken", "venue-unknown", "other-venue")
BY_ONESELF = (*SIGNING_UP, "invite-only", "sign-ups-paused", "forbidden")
JOINING = (*SIGNING_UP, "external-id-taken")

Place = Callable[[str], str]
"""From a place in a list of players to the place in what was sent."""


tickets = wired(TokenIssuer)
safe = wired(PersonalDataVault)
invitations = wired(Invitations)
addresses = wired(SignUpAddresses)
blueprint = CommandBlueprint("joining", HANDLERS, description="Joining: entered by staff, or signed up by oneself.")


# Beside the commands, whose entries have all that is said of anybody: one player comes flat, and guests are asked for
# less than staff, and say it flat as well.
class JoinPlayer(Entry, frozen=True, kw_only=True):
    """One player. late: staff take them in after round 1 was paired, where the ruleset allows it."""

    late: bool = False


class Guest(Person, frozen=True, kw_only=True):
    """Somebody who signs up, under the name they choose to be public.

    email; legal_name, where the organiser has to know it: personal data, kept apart from the log.
    """

    email: Annotated[str | UnsetType, Email(), Personal()] = UNSET
    legal_name: Annotated[str | UnsetType, Name(), Personal()] = UNSET

    def entry(self) -> Entry:
        """What they ask for."""
        return Entry(
            name=self.name,
            faction=self.faction,
            club=self.club,
            venue=self.venue,
            contact=Contact(email=self.email, legal_name=self.legal_name),
        )


class InvitedGuest(Guest, frozen=True, kw_only=True):
    """Somebody who signs up. invitation: of a survivor of a co-operative event, to sit at every table with them."""

    invitation: Annotated[str, Text(100)] = ""


class Company(Shape, frozen=True, kw_only=True):
    """A company that sits together: all of them sign up, or none."""

    players: Annotated[list[Guest], Size(100, 1)]


def _join(
    tournament: str, command: Command, entries: Sequence[Entry], place: Place = str, *, open_to_all: bool = False
) -> Joined:
    contacts = {entry.name: msgspec.to_builtins(entry.contact) for entry in entries}
    counted = open_to_all and _is_public(caller_or_none())
    seats, address = _seats(tournament) if counted else None, this_request().remote_addr or ""

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        entered = entering(recorded)
        if counted:
            addresses.count(connection, tournament, address, len(entered), seats)
        for event in entered:
            if contact := contacts.get(data_of(event)["name"]):
                safe.put(connection, tournament, data_of(event)["player"], contact)

    also = keep if counted or any(contacts.values()) else None
    try:
        receipt = gateway.command(tournament, command, also=also, open_to_all=open_to_all)
    except (ExternalIdTaken, NameTaken, VenueUnknown) as refusal:
        faults = [replace(fault, where=place(fault.where)) for fault in refusal.faults]
        raise type(refusal)(refusal.detail, faults, **refusal.data) from refusal
    joined = [joined_player(tournament, event) for event in entering(receipt.events)]
    answer = appended(receipt, tournament)
    return Joined(id=answer.id, events=answer.events, players=joined)


def _is_public(who: Caller | None) -> bool:
    """Return True for guests and players, whose sign-ups are counted by address: not for staff or a club's program."""
    return who is None or who.role in LINKED


def _seats(tournament: str) -> int | None:
    with gateway.reading(tournament) as loaded:
        return loaded.state.entries.capacity


def joined_player(tournament: str, event: Recorded) -> JoinedPlayer:
    """What became of somebody who entered with this event, with a link of their own."""
    entered = data_of(event)
    ticket = tickets.entered(tournament, entered["player"], event.time, read_actor(event.actor))
    return JoinedPlayer(
        id=entered["player"],
        name=entered["name"],
        status="active" if event.type == "PlayerJoined" else "waiting",
        token=ticket.text,
        token_id=ticket.id,
        link=tickets.link(tournament, ticket),
    )


@blueprint.post("/tournaments/<id:tournament>/players")
@blueprint.allow(*HANDLERS[JoinPlayers].roles)
@blueprint.previewed
@blueprint.arguments(JoinPlayer)
@blueprint.response(201, Joined)
@blueprint.makes(PLAYER)
@blueprint.may_refuse(*JOINING)
def join_player(body: JoinPlayer, tournament: str) -> Joined:
    """Enter a player; the answer carries the link that lets them report their own games."""
    entry = Entry(
        name=body.name,
        faction=body.faction,
        club=body.club,
        venue=body.venue,
        external_id=body.external_id,
        contact=body.contact,
    )
    return _join(tournament, JoinPlayers(entries=[entry], late=body.late), [entry], _of_one)


@blueprint.command(JoinPlayers, "/tournaments/<id:tournament>/players/list", answer=Joined, makes=PLAYER)
@blueprint.may_refuse(*JOINING)
def join_players(command: JoinPlayers, tournament: str) -> Joined:
    """Enter a list of players: either all are entered, or none is and the answer lists every fault."""
    return _join(tournament, command, command.entries)


@blueprint.command(JoinParty, "/tournaments/<id:tournament>/players/party", answer=Joined)
@blueprint.may_refuse(*JOINING, "party-refused", "wrong-format")
def join_party(command: JoinParty, tournament: str) -> Joined:
    """Enter survivors who sit together at every table: either all are entered, or none."""
    return _join(tournament, command, command.entries)


@blueprint.post("/tournaments/<id:tournament>/players/csv")
@blueprint.allow(*HANDLERS[JoinPlayers].roles)
@blueprint.previewed
@blueprint.response(201, Joined)
@blueprint.makes(PLAYER)
@blueprint.may_refuse(*JOINING, "csv-refused", "too-large", "unsupported-media-type")
@blueprint.doc(requestBody={"required": True, "content": {"text/csv": {"schema": {"type": "string"}}}})
def join_players_csv(tournament: str) -> Joined:
    """Enter players from CSV (`player,name,faction,venue,club`): all, or none and the answer lists every fault.

    Rows of players who are there already and unchanged are passed over; the preview says how many in
    `moves.unchanged`.
    """
    file = read_entries(read_bytes())
    return _join(tournament, JoinPlayers(entries=file.players, pass_over=True), file.players, file.place)


@blueprint.post("/tournaments/<id:tournament>/sign-up")
@blueprint.previewed
@blueprint.arguments(InvitedGuest)
@blueprint.response(201, Joined)
@blueprint.makes(PLAYER)
@blueprint.may_refuse(
    *SIGNING_UP,
    "wrong-tournament",
    "invite-only",
    "sign-ups-paused",
    "forbidden",
    "invitation-unknown",
    "party-refused",
    "wrong-format",
)
def sign_up(body: InvitedGuest, tournament: str) -> Joined:
    """Sign yourself up: you get a seat, or a place on the waiting list, and a link of your own.

    Anybody may do this while the tournament's `sign_up` is `open` and registration is open. If `sign_up` is
    `invite_only`, you need a token of its staff or of an integration. Without a token, an Idempotency-Key must have 16
    characters or more, because anybody who knows it can ask for the answer, and so for the link, again. With the
    `invitation` of a survivor of a co-operative event, you sit with them at every table.
    """
    if caller_or_none() is not None:
        require(ROLES, tournament)
    entry = body.entry()
    if not body.invitation:
        return _join(tournament, SignUp(entry=entry), [entry], _of_one, open_to_all=True)
    with gateway.of(*HANDLERS[SignUpInvited].formats).reading(tournament) as loaded:
        inviter = invitations.inviter(tournament, body.invitation, loaded.state.entries.players)
    return _join(tournament, SignUpInvited(entry=entry, invited_by=inviter), [entry], _of_one, open_to_all=True)


@blueprint.post("/tournaments/<id:tournament>/sign-up/party")
@blueprint.previewed
@blueprint.arguments(Company)
@blueprint.response(201, Joined)
@blueprint.may_refuse(*BY_ONESELF, "wrong-tournament", "party-refused", "wrong-format")
def sign_up_party(body: Company, tournament: str) -> Joined:
    """Sign up a company that sits together at every table: all of them, or none. Each gets a link of their own.

    The same people may do this as may sign themselves up, and the answer has the same form.
    """
    if caller_or_none() is not None:
        require(ROLES, tournament)
    company = [player.entry() for player in body.players]
    return _join(tournament, SignUpParty(entries=company), company, open_to_all=True)


def _of_one(where: str) -> str:
    return where.removeprefix("/players/0")


def entering(events: Sequence[Recorded]) -> list[Recorded]:
    """The events of those who entered, without those who moved up before them."""
    kinds = {kind.__name__ for kind in ENTERING}
    return [event for event in events if event.type in kinds]
