"""Routes of rounds: pairing them, changing and taking them back, what they are."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify

from services.pairing.formats import FORMATS
from services.pairing.handlers import HANDLERS
from services.pairing.tournament import command_schemas as schemas
from services.pairing.tournament import view_schemas, views
from services.pairing.tournament.commands import (
    AmendPairings,
    ByeGiven,
    ByHand,
    MoveTable,
    PairRound,
    RepairRound,
    WithdrawRound,
)
from services.pairing.tournament.routes.optional import optional_body
from services.pairing.tournament.state import game_of, round_of
from shared.application.command_handler import CommandResult, told
from shared.application.gateway import shown
from shared.application.schemas import ReceiptShown
from shared.application.service import gateway_in
from shared.application.views import Appended
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament
from shared.web.blueprint import Blueprint
from shared.web.fields import LARGEST
from shared.web.request import not_modified

PAIRING = (
    "tournament-unknown",
    "tournament-over",
    "round-not-closed",
    "all-rounds-played",
    "cut-due",
    "too-few-players",
    "rounds-not-fixed",
    "rounds-by-table",
    "players-without-venue",
    "pairings-refused",
    "scenario-missing",
    "round-has-absent-players",
    "event-too-large",
    "busy",
    "other-venue",
)
OF_ROUND = ("tournament-unknown", "tournament-over", "round-unknown", "round-not-latest", "round-closed", "other-venue")


gateway = gateway_in(FORMATS)
blueprint = Blueprint("rounds", description="Rounds: who meets whom, and where.", may_refuse=("wrong-format",))
number = f"<int(min=1, max={LARGEST}):round>"


def _pair(tournament: str, command: Any, preview: bool) -> Any:
    if preview:
        return _previewed(tournament, command)
    receipt = gateway.command(tournament, command)
    return shown(receipt, tournament, **_paired(tournament, receipt))


def _paired(tournament: str, receipt: CommandResult) -> dict[str, Any]:
    data = told(receipt.events[-1])["data"]
    with gateway.repository.now(tournament) as folded:
        left_out = views.left_out_view(folded.state, data.get("left_out", {}))
    return {"round": data["round"], "left_out": left_out}


def _previewed(tournament: str, command: Any) -> Response:
    _, after, _ = gateway.preview(tournament, command)
    latest = after.rounds.latest()
    assert latest is not None  # a pairing that is not refused makes a round
    return jsonify(view_schemas.RoundShown().dump(_round_view(after, latest)))


@blueprint.post("/tournaments/<id:tournament>/rounds")
@blueprint.allow(*HANDLERS[PairRound].roles)
@blueprint.arguments(schemas.PreviewQuery, location="query")
@optional_body(blueprint, schemas.PairRound)
@blueprint.response(201, view_schemas.Paired)
@blueprint.alternative(200, view_schemas.RoundShown, description="A preview; nothing was paired.")
@blueprint.may_refuse("round-already-paired", *PAIRING)
def pair_round(body: dict[str, Any], query: dict[str, Any], tournament: str) -> Any:
    """Pair the next round by the ruleset, or enter it by hand."""
    return _pair(tournament, _pairing(body), query["preview"] == "true")


@blueprint.get("/tournaments/<id:tournament>/rounds")
@blueprint.response(200, view_schemas.RoundsShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def list_rounds(tournament: str) -> Any:
    """List the rounds, how many are planned, and the spare players who stand by."""
    with gateway.reading(tournament) as folded:
        return not_modified(gateway.version(folded)) or views.rounds_view(folded.state)


@blueprint.get(f"/tournaments/<id:tournament>/rounds/{number}")
@blueprint.arguments(schemas.RoundQuery, location="query")
@blueprint.response(200, view_schemas.RoundShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "round-unknown")
def show_round(query: dict[str, Any], tournament: str, round: int) -> Any:
    """Show a round with its pairings. Send its ETag as If-Match with whatever changes the round."""
    with gateway.reading(tournament) as folded:
        found = round_of(folded.state, round)
        same = not_modified(gateway.version(folded))
        return same or _round_view(folded.state, found, query["venue"])


@blueprint.get(f"/tournaments/<id:tournament>/rounds/{number}/games/<id:game>")
@blueprint.response(200, view_schemas.PairingShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "round-unknown", "game-unknown")
def show_pairing(tournament: str, round: int, game: str) -> Any:
    """Show one game of a round."""
    with gateway.reading(tournament) as folded:
        found = round_of(folded.state, round)
        seat = game_of(found, game)
        same = not_modified(gateway.version(folded))
        return same or views.pairing_view(folded.state, found, seat)


@blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/repairing")
@blueprint.allow(*HANDLERS[RepairRound].roles)
@blueprint.arguments(schemas.PreviewQuery, location="query")
@blueprint.arguments(schemas.RepairRound)
@blueprint.response(201, view_schemas.Paired)
@blueprint.alternative(200, view_schemas.RoundShown, description="A preview; nothing was paired.")
@blueprint.versioned
@blueprint.may_refuse(*OF_ROUND, "round-already-started", "round-has-results", *PAIRING[2:])
def repair_round(query: dict[str, Any], body: dict[str, Any], tournament: str, round: int) -> Any:
    """Take a round back that has not begun and pair it again, both or neither."""
    command = RepairRound(round=round, reason=body["reason"], again=_pairing(body))
    return _pair(tournament, command, query["preview"] == "true")


@blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/withdrawal")
@blueprint.allow(*HANDLERS[WithdrawRound].roles)
@blueprint.arguments(schemas.Reason)
@blueprint.response(201, ReceiptShown)
@blueprint.versioned
@blueprint.may_refuse(*OF_ROUND, "round-has-results", "organiser-decides")
def withdraw_round(body: dict[str, Any], tournament: str, round: int) -> Appended:
    """Take the latest round back: not begun, or by an organiser while nothing was reported of it."""
    return gateway.run(tournament, WithdrawRound(round=round, **body))


@blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/amendments")
@blueprint.allow(*HANDLERS[AmendPairings].roles)
@blueprint.arguments(schemas.AmendPairings)
@blueprint.response(201, ReceiptShown)
@blueprint.versioned
@blueprint.may_refuse(
    *OF_ROUND,
    "bracket-stands",
    "game-has-result",
    "pairings-refused",
    "scenario-missing",
    "event-too-large",
)
def amend_pairings(body: dict[str, Any], tournament: str, round: int) -> Appended:
    """Change pairings by hand, with a reason: two players swap, or games as they are to be. Send If-Match."""
    swap = tuple(body.pop("swap") or ())
    pairings = _by_hand(body.pop("pairings"))
    command = AmendPairings(round=round, swap=swap or None, pairings=pairings, **body)
    return gateway.run(tournament, command)


@blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/games/<id:game>/table")
@blueprint.allow(*HANDLERS[MoveTable].roles)
@blueprint.arguments(schemas.MoveTable)
@blueprint.response(201, ReceiptShown)
@blueprint.versioned
@blueprint.may_refuse(*OF_ROUND, "game-unknown", "game-has-result", "venue-unknown", "table-unknown", "table-taken")
def move_table(body: dict[str, Any], tournament: str, round: int, game: str) -> Appended:
    """Move a game to another table; who plays whom is untouched. Send If-Match."""
    return gateway.run(tournament, MoveTable(round=round, game=game, **body))


def _round_view(state: Tournament, round: Round, venue: str = "") -> dict[str, Any]:
    return views.round_view(state, round, FORMATS[state.entries.format].timing(state, round), venue)


def _pairing(body: dict[str, Any]) -> PairRound:
    pairings = body["pairings"]
    return PairRound(
        round=body["round"],
        scenario=body["scenario"],
        pairings=None if pairings is None else _by_hand(pairings),
        sitting_out=body["sitting_out"],
        byes=[ByeGiven(**bye) for bye in body["byes"]],
        allow_rematch=body["allow_rematch"],
        reason=body["reason"],
    )


def _by_hand(pairings: list[dict[str, Any]]) -> list[ByHand]:
    return [ByHand(**{**pairing, "player_2": pairing["player_2"] or ""}) for pairing in pairings]
