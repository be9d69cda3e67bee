"""Routes of joining: by staff one by one, as a list, from a CSV file; or by signing up."""

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
from shared.csv_cells import escape_formula, read_table
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
"""As in `players.csv` of the offline tools. player: who it is elsewhere; without `name` they are called that too."""

PLAYERS_FILE = (*COLUMNS, "status", "dropped_after")
"""players.csv of the offline tools, whole; there `player` is the id by which results name them."""

LONGEST_FILE = 10_000
"""Players of one file, who all enter or none; a list in JSON is sent in parts."""

ENTERED = ("active", "dropped", "disqualified")
"""Statuses of which that file can speak."""

_player = deferred(Entry)


class CsvRefused(Refusal):
    """The file cannot be taken; faults name row and column (both from 1), and nobody was entered."""

    code = "csv-refused"


class Entries(Struct, frozen=True):
    """What a file says. rows: the row of each player, from 1."""

    players: list[Entry]
    rows: list[int]
    columns: list[str]

    def place(self, where: str) -> str:
        """Row and column of `/players/<index>/<member>`."""
        _, _, index, member = where.split("/")
        return _cell(self.rows[int(index)], self.columns, member)


def read_entries(data: bytes) -> Entries:
    """Return the players of a CSV file. Raises CsvRefused with every fault."""
    table = read_table(data, COLUMNS, _place)
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
    faults += _twice(names, columns)
    if len(entries.players) > LONGEST_FILE:
        faults.append(Fault("", f"{len(entries.players)}", expects("players-of-file", most=LONGEST_FILE)))
    if not faults and not entries.players:
        faults.append(Fault("row 2", "nothing", expects("line-for-each-player")))
    if faults:
        raise _refused(faults)
    return entries


def players_row(player: Player) -> dict[str, object]:
    """The row of players.csv that the offline commands take for a player."""
    row: dict[str, object] = {"player": player.id, **{name: getattr(player, name) for name in COLUMNS[1:]}}
    row |= {} if player.status == "active" else {"status": player.status}
    return row | ({"dropped_after": player.after_round} if player.status == "dropped" else {})


def write_entries(players: Iterable[Player]) -> str:
    """Players as a file that `read_entries` reads; a cell that could be a formula gets a quote before it."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for player in players:
        row = (player.external_id, player.name, player.faction, player.venue, player.club)
        writer.writerow(map(escape_formula, row))
    return text.getvalue()


def _twice(cells: list[tuple[int, str, str]], columns: list[str]) -> list[Fault]:
    """Players who stand in the file more than once, by the name or by what stands under `player`."""
    faults = []
    ids = Counter(normalize_name(said) for _, column, said in cells if column == "player")
    for wanted in ("player", "name"):
        found = [(number, said) for number, column, said in cells if column == wanted]
        for (number, said), twice in zip(found, mark_duplicates([said for _, said in found]), strict=True):
            if ids[normalize_name(said)] > 1 if wanted == "player" else twice:
                faults.append(Fault(_cell(number, columns, wanted), said, expects("each-player-once")))
    return faults


def _cell(row: int, columns: list[str], column: str) -> str:
    if column not in columns:
        column = "player"  # a player without a name of their own is called what stands there
    return _place(row, columns.index(column) + 1, column)


def _place(row: int, column: int = 0, name: str = "") -> str:
    return f"row {row}" + (f", column {column}" if column else "") + (f" ({name})" if column and name else "")


def _refused(faults: list[Fault]) -> CsvRefused:
    return CsvRefused(f"The file has {len(faults)} fault{'s' if len(faults) > 1 else ''}; nobody was entered.", faults)


ENTERING = (PlayerJoined, PlayerWaitlisted)
PLAYER = Made(ENTERING, "player", "/tournaments/<id:tournament>/players/<id:player>")
OPEN = ("tournament-unknown", "tournament-over", "registration-closed")
SIGNING_UP = (*OPEN, "name-taken", "venue-unknown", "other-venue")
BY_ONESELF = (*SIGNING_UP, "invite-only", "sign-ups-paused", "forbidden")
JOINING = (*SIGNING_UP, "external-id-taken")

Place = Callable[[str], str]
"""From a place in a list of players to the place in what was sent."""


tickets = current_part(TokenIssuer)
vault = current_part(PersonalDataVault)
invitations = current_part(Invitations)
addresses = current_part(SignUpAddresses)
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
            if contact := contacts.get(current_data(event)["name"]):
                vault.put(connection, tournament, current_data(event)["player"], contact)

    also = keep if counted or any(contacts.values()) else None
    try:
        receipt = gateway.command(tournament, command, inline_write=also, allow_guests=open_to_all)
    except (ExternalIdTaken, NameTaken, VenueUnknown) as refusal:
        faults = [replace(fault, where=place(fault.where)) for fault in refusal.faults]
        raise type(refusal)(refusal.detail, faults, **refusal.data) from refusal
    joined = [joined_player(tournament, event) for event in entering(receipt.events)]
    answer = appended_view(receipt, tournament)
    return Joined(id=answer.id, events=answer.events, players=joined)


def _is_public(who: Caller | None) -> bool:
    """Return True for guests and players, whose sign-ups are counted by address: not for staff or a club's program."""
    return who is None or who.role in LINKED


def _seats(tournament: str) -> int | None:
    with gateway.reading(tournament) as loaded:
        return loaded.state.entries.capacity


def joined_player(tournament: str, event: Recorded) -> JoinedPlayer:
    """What became of somebody who entered with this event, with a link of their own."""
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
