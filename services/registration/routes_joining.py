"""Routes of joining: entry by staff (one player, a list, a CSV file) and sign-up."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from services.registration.guards import NameTaken, VenueUnknown
from services.registration.handlers import HANDLERS
from services.registration.personal_data import PersonalDataVault
from services.registration.players import (
    Contact,
    Entry,
    ExternalIdTaken,
    JoinParty,
    JoinPlayers,
    Person,
    SignUp,
    SignUpInvited,
    SignUpParty,
)
from services.registration.tokens import Invitations, SignUpAddresses, TokenIssuer
from services.registration.views import Joined, JoinedPlayer
from shared.csv_cells import escape_formula, read_table, row_place
from shared.formats.fold import current_data
from shared.log.database import Connection
from shared.log.event import Recorded, read_actor
from shared.names import mark_duplicates, normalize_name
from shared.refusals import Fault, Refusal, expects
from shared.roles import LINKED, ROLES
from shared.service.routes import CommandBlueprint, Made, appended_view
from shared.service.wiring import current_part, gateway
from shared.shapes import Command, Email, Name, Personal, Shape, Size, Text
from shared.tournament.people import Player
from shared.tournament.registration import PlayerJoined, PlayerWaitlisted
from shared.web.auth import caller_or_none, require
from shared.web.body import load, read_bytes
from shared.web.refusals import InvalidRequest
from shared.web.request import this_request
from shared.web.schema import deferred
from shared.web.tokens import Caller

COLUMNS = ("player", "name", "faction", "venue", "club")
"""Columns of `players.csv`. `player` is the external id, and the name if there is no `name`."""

PLAYERS_FILE = (*COLUMNS, "status", "dropped_after")
"""Columns of `players.csv` for the offline commands, where `player` is the id that results use."""

MAX_FILE_PLAYERS = 10_000
"""Maximum players of a file, which is entered as a whole."""

ENTERED = ("active", "dropped", "disqualified")
"""Statuses that the offline file can express."""

_player = deferred(Entry)


class CsvRefused(Refusal):
    """The file was refused, and no player entered; faults name row and column, both from 1."""

    code = "csv-refused"


class Entries(Struct, frozen=True):
    """The contents of a file. rows: the row number of each player, from 1."""

    players: list[Entry]
    rows: list[int]
    columns: list[str]

    def place(self, where: str) -> str:
        """Return row and column of the JSON pointer `/players/<index>/<member>`."""
        _, _, index, member = where.split("/")
        return _cell(self.rows[int(index)], self.columns, member)


def read_entries(data: bytes) -> Entries:
    """Return the players of a CSV file. Raises CsvRefused with every fault."""
    table = read_table(data, COLUMNS, row_place)
    columns, faults = table.columns, list(table.faults)
    if columns and not {"player", "name"} & set(columns):
        faults.append(Fault("row 1", ",".join(columns), expects("name-column")))
        columns = []
    if not columns:
        raise _refused(faults)
    entries = Entries([], [], columns)
    names: list[tuple[int, str, str]] = []
    for row in table.rows:
        cells = {column: cell for column, cell in row.cells.items() if cell}
        names += [(row.number, column, cells[column]) for column in ("player", "name") if column in cells]
        nameless = "name" not in cells
        if "player" in cells or nameless:
            cells["name" if nameless else "external_id"] = cells.pop("player", "")
        try:
            entry: Entry = load(_player.schema, cells)
            entries.players.append(replace(entry, external_id=entry.name) if nameless else entry)
            entries.rows.append(row.number)
        except InvalidRequest as refused:
            for fault in refused.faults:
                where = _cell(row.number, columns, fault.where.removeprefix("/"))
                faults.append(Fault(where, fault.said, fault.expected))
    faults += _duplicate_faults(names, columns)
    if len(entries.players) > MAX_FILE_PLAYERS:
        faults.append(Fault("", f"{len(entries.players)}", expects("players-of-file", most=MAX_FILE_PLAYERS)))
    if not faults and not entries.players:
        faults.append(Fault("row 2", "nothing", expects("line-for-each-player")))
    if faults:
        raise _refused(faults)
    return entries


def players_row(player: Player) -> dict[str, object]:
    """Return a player's row of `players.csv` for the offline commands."""
    row: dict[str, object] = {"player": player.id, **{name: getattr(player, name) for name in COLUMNS[1:]}}
    row |= {} if player.status == "active" else {"status": player.status}
    return row | ({"dropped_after": player.after_round} if player.status == "dropped" else {})


def write_entries(players: Iterable[Player]) -> str:
    """Return players as a file that `read_entries` reads. A quote precedes cells that could be formulas."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for player in players:
        row = (player.external_id, player.name, player.faction, player.venue, player.club)
        writer.writerow(map(escape_formula, row))
    return text.getvalue()


def _duplicate_faults(cells: list[tuple[int, str, str]], columns: list[str]) -> list[Fault]:
    """Return a fault for each repeated name or `player`. cells: (row, column, text)."""
    faults = []
    ids = Counter(normalize_name(text) for _, column, text in cells if column == "player")
    for checked in ("player", "name"):
        texts = [(row, text) for row, column, text in cells if column == checked]
        for (row, text), is_duplicate in zip(texts, mark_duplicates([text for _, text in texts]), strict=True):
            if ids[normalize_name(text)] > 1 if checked == "player" else is_duplicate:
                faults.append(Fault(_cell(row, columns, checked), text, expects("each-player-once")))
    return faults


def _cell(row: int, columns: list[str], column: str) -> str:
    if column not in columns:
        column = "player"  # the name defaults to this column
    return row_place(row, columns.index(column) + 1, column)


def _refused(faults: list[Fault]) -> CsvRefused:
    return CsvRefused(f"The file has {len(faults)} fault{'s' if len(faults) > 1 else ''}; nobody was entered.", faults)


ENTERING = (PlayerJoined, PlayerWaitlisted)
PLAYER = Made(ENTERING, "player", "/tournaments/<id:tournament>/players/<id:player>")
OPEN = ("tournament-unknown", "tournament-over", "registration-closed")
SIGNING_UP = (*OPEN, "name-taken", "venue-unknown", "other-venue")
BY_ONESELF = (*SIGNING_UP, "invite-only", "sign-ups-paused", "forbidden")
JOINING = (*SIGNING_UP, "external-id-taken")

Place = Callable[[str], str]
"""Function from a JSON pointer in a list of players to the place in the request."""


tickets = current_part(TokenIssuer)
vault = current_part(PersonalDataVault)
invitations = current_part(Invitations)
addresses = current_part(SignUpAddresses)
blueprint = CommandBlueprint("joining", HANDLERS, description="Joining: entry by staff, and sign-up.")


# Requests are flatter than the commands: one player has no list, and guests give fewer data than staff.
class JoinPlayer(Entry, frozen=True, kw_only=True):
    """A player."""

    late: Annotated[bool, "Enter the player after round 1 was paired, if the ruleset allows it."] = False


class Guest(Person, frozen=True, kw_only=True):
    """A person who signs up, under a public name of their choice."""

    email: Annotated[str | UnsetType, Email(), Personal(), "Personal data, stored outside the log."] = UNSET
    legal_name: Annotated[
        str | UnsetType, Name(), Personal(), "If the organiser needs it. Personal data, stored outside the log."
    ] = UNSET

    def entry(self) -> Entry:
        """Return the entry for the command."""
        return Entry(
            name=self.name,
            faction=self.faction,
            club=self.club,
            venue=self.venue,
            contact=Contact(email=self.email, legal_name=self.legal_name),
        )


class InvitedGuest(Guest, frozen=True, kw_only=True):
    """A person who signs up, with an optional invitation."""

    invitation: Annotated[
        str, Text(100), "Co-operative events: the code of a survivor whose party you want to join."
    ] = ""


class Company(Shape, frozen=True, kw_only=True):
    """A party that sits together: all of them sign up, or none."""

    players: Annotated[list[Guest], Size(100, 1)]


def _join(
    tournament: str, command: Command, entries: Sequence[Entry], place: Place = str, *, open_to_all: bool = False
) -> Joined:
    contacts = {entry.name: msgspec.to_builtins(entry.contact) for entry in entries}
    is_counted = open_to_all and _is_public(caller_or_none())
    seats, address = _seats(tournament) if is_counted else None, this_request().remote_addr or ""

    def write(connection: Connection, recorded: Sequence[Recorded]) -> None:
        entered = entering(recorded)
        if is_counted:
            addresses.count(connection, tournament, address, len(entered), seats)
        for event in entered:
            if contact := contacts.get(current_data(event)["name"]):
                vault.put(connection, tournament, current_data(event)["player"], contact)

    inline_write = write if is_counted or any(contacts.values()) else None
    try:
        receipt = gateway.command(tournament, command, inline_write=inline_write, allow_guests=open_to_all)
    except (ExternalIdTaken, NameTaken, VenueUnknown) as refusal:
        faults = [replace(fault, where=place(fault.where)) for fault in refusal.faults]
        raise type(refusal)(refusal.detail, faults, **refusal.data) from refusal
    joined = [joined_player(tournament, event) for event in entering(receipt.events)]
    answer = appended_view(receipt)
    return Joined(id=answer.id, events=answer.events, players=joined)


def _is_public(requester: Caller | None) -> bool:
    """Return True for guests and players, whose sign-ups are counted by address; False for staff and integrations."""
    return requester is None or requester.role in LINKED


def _seats(tournament: str) -> int | None:
    with gateway.reading(tournament) as loaded:
        return loaded.state.entries.capacity


def joined_player(tournament: str, event: Recorded) -> JoinedPlayer:
    """Return the player of an entry event, with a link."""
    entered = current_data(event)
    ticket = tickets.for_new_player(tournament, entered["player"], event.time, read_actor(event.actor))
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
    """Enter a player. The answer contains the link with which they report their own games."""
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
    """Enter a list of players: all of them, or none and the answer lists every fault."""
    return _join(tournament, command, command.entries)


@blueprint.command(JoinParty, "/tournaments/<id:tournament>/players/party", answer=Joined)
@blueprint.may_refuse(*JOINING, "party-refused", "wrong-format")
def join_party(command: JoinParty, tournament: str) -> Joined:
    """Enter survivors who sit together at every table: all of them or none."""
    return _join(tournament, command, command.entries)


@blueprint.post("/tournaments/<id:tournament>/players/csv")
@blueprint.allow(*HANDLERS[JoinPlayers].roles)
@blueprint.previewed
@blueprint.response(201, Joined)
@blueprint.makes(PLAYER)
@blueprint.may_refuse(*JOINING, "csv-refused", "too-large", "unsupported-media-type")
@blueprint.doc(requestBody={"required": True, "content": {"text/csv": {"schema": {"type": "string"}}}})
def join_players_csv(tournament: str) -> Joined:
    """Enter players from CSV (`player,name,faction,venue,club`): all of them, or none and the answer lists every fault.

    Rows of players who are already entered with the same data are skipped; the preview counts them in
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
    """Sign yourself up: you get a seat, or a place on the waiting list, and your own link.

    Anyone can do this while the tournament's `sign_up` is `open` and registration is open. If `sign_up` is
    `invite_only`, you need a token of its staff or of an integration. Without a token, an Idempotency-Key must have at
    least 16 characters, because anyone who knows it can retrieve the answer, including the link, again. With the
    `invitation` of a survivor of a co-operative event, you sit with them at every table.
    """
    if caller_or_none() is not None:
        require(ROLES, tournament)
    entry = body.entry()
    if not body.invitation:
        return _join(tournament, SignUp(entry=entry), [entry], _of_one, open_to_all=True)
    with gateway.for_formats(*HANDLERS[SignUpInvited].formats).reading(tournament) as loaded:
        inviter = invitations.inviter(tournament, body.invitation, loaded.state.entries.players)
    return _join(tournament, SignUpInvited(entry=entry, invited_by=inviter), [entry], _of_one, open_to_all=True)


@blueprint.post("/tournaments/<id:tournament>/sign-up/party")
@blueprint.previewed
@blueprint.arguments(Company)
@blueprint.response(201, Joined)
@blueprint.may_refuse(*BY_ONESELF, "wrong-tournament", "party-refused", "wrong-format")
def sign_up_party(body: Company, tournament: str) -> Joined:
    """Sign up a party that sits together at every table: all of them or none. Each player gets their own link.

    The conditions and the answer are those of a single sign-up.
    """
    if caller_or_none() is not None:
        require(ROLES, tournament)
    company = [player.entry() for player in body.players]
    return _join(tournament, SignUpParty(entries=company), company, open_to_all=True)


def _of_one(where: str) -> str:
    return where.removeprefix("/players/0")


def entering(events: Sequence[Recorded]) -> list[Recorded]:
    """Return the entry events, without promotions from the waiting list."""
    types = {type.__name__ for type in ENTERING}
    return [event for event in events if event.type in types]
