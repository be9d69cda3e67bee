"""Routes of players: who is there, check-in, leaving."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response
from marshmallow import fields
from msgspec.structs import asdict

from services.registration.handlers import HANDLERS
from services.registration.tournament import command_schemas as schemas
from services.registration.tournament import player_schemas as schemas_players
from services.registration.tournament import view_schemas, views
from services.registration.tournament.barred import BarredBefore, barred_before, barring, known_here
from services.registration.tournament.commands import (
    AmendPlayer,
    DisqualifyPlayer,
    DropPlayer,
    ReinstatePlayer,
    RevokeDisqualification,
    WarnPlayer,
    WithdrawPlayer,
)
from services.registration.tournament.csv_entries import write_entries
from services.registration.tournament.decide import places
from services.registration.tournament.personal_data_vault import PersonalDataVault
from services.registration.tournament.state import player_of
from shared.application.command_handler import InlineProjection
from shared.application.gateway import shown
from shared.application.schemas import ReceiptShown
from shared.application.service import gateway, wired
from shared.application.views import Appended
from shared.eventlog.database import Connection
from shared.events.recorded import Recorded
from shared.formats.narrowing import narrowing
from shared.names.likeness import plain
from shared.roles import REFEREE_UP
from shared.web.blueprint import Blueprint
from shared.web.fields import PERSONAL, Identifier, Schema, Text, WholeNumber
from shared.web.paging import begins_after, page, page_of
from shared.web.request import not_modified

CSV, TEXT = "text/csv", {"type": "string"}
OF_PLAYER = ("tournament-unknown", "tournament-over", "player-unknown", "other-venue")


safe = wired(PersonalDataVault)
blueprint = Blueprint("players", description="Players: who is there, check-in, leaving.")


@blueprint.get("/tournaments/<id:tournament>/players")
@blueprint.arguments(schemas_players.PlayersQuery, location="query")
@blueprint.response(200, page_of(view_schemas.PlayerShown))
@blueprint.may_refuse("tournament-unknown", "invalid-cursor")
def list_players(query: dict[str, Any], tournament: str) -> Any:
    """List players in order of sign-up; those who wait, in the order in which they move up."""
    (after,) = begins_after(query, int) or (0,)
    with gateway.reading(tournament) as folded:
        entries = folded.state.entries
        wanted = [
            player
            for player in entries.players.values()
            if player.order > after
            and query["status"] in (None, player.status)
            and query["roster"] in (None, player.roster or "none")
            and ("external_id" not in query or plain(query["external_id"]) == plain(player.external_id))
        ]
        shown_players = wanted[: query["limit"]]
        places = views.waiting_places(entries)
        items = [views.player_view(player, places) for player in shown_players]
    return page(items, (shown_players[-1].order,) if len(wanted) > len(items) else None)


@blueprint.get("/tournaments/<id:tournament>/players/csv")
@blueprint.answers_as(CSV)
@blueprint.arguments(schemas_players.ExportQuery, location="query")
@blueprint.may_refuse("tournament-unknown")
@blueprint.doc(responses={200: {"description": "One player a row.", "content": {CSV: {"schema": TEXT}}}})
def export_players(query: dict[str, Any], tournament: str) -> Response:
    """Show players as CSV (`player,name,faction,venue,club`), as POST takes it; `player` is the external id.

    A cell that a spreadsheet would take for a formula has a single quote before it, which POST takes off.
    """
    with gateway.reading(tournament) as folded:
        players = folded.state.entries.players.values()
        wanted = [player for player in players if player.status == (query["status"] or player.status)]
        text = write_entries(player for player in wanted if query["status"] or player.status != "withdrawn")
    return Response(text, content_type=f"{CSV}; charset=utf-8")


@blueprint.get("/tournaments/<id:tournament>/players/barred")
@blueprint.allow(*REFEREE_UP)
@blueprint.response(200, view_schemas.BarredPlayers)
@blueprint.may_refuse("tournament-unknown")
def list_barred(tournament: str) -> Any:
    """List who may be somebody that the organiser of this tournament has barred from later events at another one.

    Found by external id, else by name, which may be a namesake's. Nothing is refused by it: whether it is the same
    person, and whether this event is meant, people decide.
    """
    with gateway.reading(tournament) as folded:
        here, organiser = known_here(folded.state.entries), folded.state.entries.organiser
    with gateway.handler.database.reading() as connection:
        others = barring(connection, organiser, tournament)
    items: list[BarredBefore] = []
    for other in others:
        with gateway.repository.now(other) as folded:
            items += barred_before(here, other, folded.state.entries)
    return {"items": [asdict(item) for item in items]}


@blueprint.get("/tournaments/<id:tournament>/players/<id:player>")
@blueprint.response(200, view_schemas.PlayerShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def show_player(tournament: str, player: str) -> Any:
    """Show a player."""
    with gateway.reading(tournament) as folded:
        found = player_of(folded.state.entries, player)
        same = not_modified(gateway.version(folded))
        return same or views.player_view(found, views.waiting_places(folded.state.entries))


@blueprint.post("/tournaments/<id:tournament>/players/<id:player>/amendments")
@blueprint.allow(*HANDLERS[AmendPlayer].roles)
@blueprint.arguments(schemas_players.AmendPlayer)
@blueprint.response(201, ReceiptShown)
@blueprint.versioned
@blueprint.may_refuse(*OF_PLAYER, "name-taken", "external-id-taken", "venue-unknown")
def amend_player(body: dict[str, Any], tournament: str, player: str) -> Appended:
    """Put right what a player is called, plays or comes from. Send If-Match."""
    return gateway.run(tournament, AmendPlayer(player=player, **body))


@blueprint.post("/tournaments/<id:tournament>/players/<id:player>/withdrawal")
@blueprint.allow(*HANDLERS[WithdrawPlayer].roles)
@blueprint.arguments(schemas.OptionalReason)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OF_PLAYER, "not-yours", "too-late-to-change", "player-not-active")
def withdraw_player(body: dict[str, Any], tournament: str, player: str) -> Appended:
    """Leave before round 1 is paired; the first who waits moves up."""
    return gateway.run(tournament, WithdrawPlayer(player=player, **body))


class CheckIn(Schema):
    """venue: needed only where several are open and the player has none."""

    venue = fields.String(load_default="")


@blueprint.post("/tournaments/<id:tournament>/players/<id:player>/check-in")
@blueprint.allow(*HANDLERS[places.CheckIn].roles)
@blueprint.arguments(CheckIn)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "not-yours", "venue-unknown")
def check_in(body: dict[str, Any], tournament: str, player: str) -> Appended:
    """Check a player in, at a venue."""
    return gateway.run(tournament, places.CheckIn(player=player, **body))


@blueprint.post("/tournaments/<id:tournament>/players/<id:player>/check-out")
@blueprint.allow(*HANDLERS[places.CheckOut].roles)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OF_PLAYER, "player-not-active")
def check_out(tournament: str, player: str) -> Appended:
    """Take a check-in back."""
    return gateway.run(tournament, places.CheckOut(player=player))


class MovePlayer(schemas.OptionalReason):
    """venue: where the player plays from the next pairing on. reason: stands in the public log."""

    venue = Identifier(required=True)


@blueprint.post("/tournaments/<id:tournament>/players/<id:player>/venue")
@blueprint.allow(*HANDLERS[places.MovePlayer].roles)
@blueprint.arguments(MovePlayer)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "venue-unknown", "still-in-use", "wrong-format")
def move_player(body: dict[str, Any], tournament: str, player: str) -> Appended:
    """Move a player to another venue, from the next pairing on; a round that is paired keeps its tables."""
    return gateway.run(tournament, places.MovePlayer(player=player, **body))


class PinPlayer(Schema):
    """reason: private; it is kept with the player's personal data, not in the log."""

    venue = Identifier(required=True)
    table = WholeNumber(1, 100_000, required=True)
    reason = Text(500, load_default="", metadata=PERSONAL)


@blueprint.post("/tournaments/<id:tournament>/players/<id:player>/table")
@blueprint.allow(*HANDLERS[places.PinPlayer].roles)
@blueprint.arguments(PinPlayer)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "venue-unknown", "table-unknown", "wrong-format")
def pin_player(body: dict[str, Any], tournament: str, player: str) -> dict[str, Any]:
    """Keep one table for a player. The reason is private: it is stored encrypted, beside the log."""
    reason = body.pop("reason")

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        safe.add(connection, tournament, player, {"table_reason": reason})

    command = places.PinPlayer(player=player, **body)
    receipt = gateway.command(tournament, command, also=keep if reason else None)
    if reason and not receipt.events:  # the table is theirs already; only the reason is new
        with gateway.handler.database.writing() as connection:
            keep(connection, ())
    return shown(receipt, tournament)


@blueprint.delete("/tournaments/<id:tournament>/players/<id:player>/table")
@blueprint.allow(*HANDLERS[places.UnpinPlayer].roles)
@blueprint.response(200, ReceiptShown)
@blueprint.may_refuse(*OF_PLAYER, "wrong-format")
def unpin_player(tournament: str, player: str) -> Appended:
    """Seat the player like everybody again."""
    return gateway.run(tournament, places.UnpinPlayer(player=player))


@blueprint.post("/tournaments/<id:tournament>/players/<id:player>/drop")
@blueprint.allow(*HANDLERS[DropPlayer].roles)
@blueprint.arguments(schemas.OptionalReason)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "not-yours")
def drop_player(body: dict[str, Any], tournament: str, player: str) -> Appended:
    """Drop: no further rounds; results stay. A game under way is conceded by its result."""
    return gateway.run(tournament, DropPlayer(player=player, **body))


@blueprint.post("/tournaments/<id:tournament>/players/<id:player>/reinstatement")
@blueprint.allow(*HANDLERS[ReinstatePlayer].roles)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "capacity-too-small")
def reinstate_player(tournament: str, player: str) -> Appended:
    """Bring a dropped player back, from the next pairing on."""
    return gateway.run(tournament, ReinstatePlayer(player=player))


@blueprint.post("/tournaments/<id:tournament>/players/<id:player>/warnings")
@blueprint.allow(*HANDLERS[WarnPlayer].roles)
@blueprint.arguments(schemas_players.Ground)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OF_PLAYER, "player-not-active")
def warn_player(body: dict[str, Any], tournament: str, player: str) -> Appended:
    """Put a reminder without penalty on record. Its ground is public; the note is kept beside the log, for few."""
    note = body.pop("note")
    command = WarnPlayer(player=player, **body)
    return gateway.run(tournament, command, also=_noting(safe, tournament, player, note))


@blueprint.post("/tournaments/<id:tournament>/players/<id:player>/disqualification")
@blueprint.allow(*HANDLERS[DisqualifyPlayer].roles)
@blueprint.arguments(schemas_players.Disqualification)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "not-your-decision")
@blueprint.narrowed(narrowing("disqualification"))
def disqualify_player(body: dict[str, Any], tournament: str, player: str) -> Appended:
    """Disqualify, with ground; the ruleset says who may, and what becomes of results.

    `barred` names later events that the player is kept from, too: an organiser's decision, now or afterwards. The
    ground is public; the note is kept beside the log, for few.
    """
    note = body.pop("note")
    command = DisqualifyPlayer(player=player, **body)
    also = _noting(safe, tournament, player, note)
    return gateway.run(tournament, command, also=also)


@blueprint.post("/tournaments/<id:tournament>/players/<id:player>/disqualification/revocation")
@blueprint.allow(*HANDLERS[RevokeDisqualification].roles)
@blueprint.arguments(schemas.Reason)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OF_PLAYER, "too-late-to-change", "capacity-too-small", "not-your-decision")
@blueprint.narrowed(narrowing("reinstatement"))
def revoke_disqualification(body: dict[str, Any], tournament: str, player: str) -> Appended:
    """Take a disqualification back, before a round is paired without the player."""
    return gateway.run(tournament, RevokeDisqualification(player=player, **body))


def _noting(safe: PersonalDataVault, tournament: str, player: str, note: str) -> InlineProjection | None:
    """What keeps a private note with a player's personal data, beside the event that it is about."""
    if not note:
        return None

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        about = recorded[0]
        known = (safe.get(connection, tournament, player) or {}).get("notes", [])
        told = {"event": about.id, "type": about.type, "time": about.time, "actor": about.actor, "note": note}
        safe.add(connection, tournament, player, {"notes": [*known, told]})

    return keep
