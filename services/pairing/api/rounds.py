"""Routes of rounds: pairing them, changing and taking them back, what they are."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify

from services.pairing import answers, queries, schemas
from services.pairing.api.optional import optional_body
from services.pairing.domain import commands as ask
from services.pairing.domain.state import game_of, round_of
from shared.handling.desk import Receipt, told
from shared.handling.front import Front, shown
from shared.handling.schemas import ReceiptShown
from shared.http import asked
from shared.http.blueprint import Blueprint
from shared.http.fields import LARGEST
from shared.http.roles import HEAD_REFEREE, OPERATOR, ORGANISER, REFEREE

CREW = (OPERATOR, ORGANISER, HEAD_REFEREE, REFEREE)
LEADING = (OPERATOR, ORGANISER, HEAD_REFEREE)
PAIRING = (
    "tournament-unknown",
    "tournament-over",
    "round-not-closed",
    "all-rounds-played",
    "cut-due",
    "too-few-players",
    "rounds-not-fixed",
    "rounds-by-table",
    "not-enough-tables",
    "players-without-venue",
    "pairings-refused",
    "scenario-missing",
    "round-has-absent-players",
    "event-too-large",
    "busy",
    "other-venue",
)
OF_ROUND = ("tournament-unknown", "tournament-over", "round-unknown", "round-not-latest", "round-closed", "other-venue")


def rounds_blueprint(front: Front) -> Blueprint:
    """What becomes of a round."""
    blueprint = Blueprint("rounds", description="Rounds: who meets whom, and where.", may_refuse=("wrong-format",))
    number = f"<int(min=1, max={LARGEST}):round>"

    def run(tournament: str, command: Any, *, fresh: bool = False) -> dict[str, Any]:
        return shown(front.command(tournament, command, fresh=fresh), tournament)

    def pair(tournament: str, command: Any, preview: bool) -> Any:
        if preview:
            return previewed(tournament, command)
        receipt = front.command(tournament, command, fresh=True)
        return shown(receipt, tournament, **paired(tournament, receipt))

    def paired(tournament: str, receipt: Receipt) -> dict[str, Any]:
        data = told(receipt.events[-1])["data"]
        with front.folds.now(tournament) as folded:
            left_out = queries.left_out_shown(folded.state, data.get("left_out", {}))
        return {"round": data["round"], "left_out": left_out}

    def previewed(tournament: str, command: Any) -> Response:
        before, after, _ = front.preview(tournament, command, fresh=True)
        asked.tell_seen(before.seen)
        latest = after.rounds.latest()
        assert latest is not None  # a pairing that is not refused makes a round
        return jsonify(answers.RoundShown().dump(queries.round_shown(after, latest)))

    @blueprint.post("/tournaments/<id:tournament>/rounds")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas.PreviewQuery, location="query")
    @optional_body(blueprint, schemas.PairRound)
    @blueprint.response(201, answers.Paired)
    @blueprint.alternative(200, answers.RoundShown, description="A preview; nothing was paired.")
    @blueprint.may_refuse("round-already-paired", *PAIRING)
    def pair_round(body: dict[str, Any], query: dict[str, Any], tournament: str) -> Any:
        """Pair the next round by the ruleset, or enter it by hand."""
        return pair(tournament, _pairing(body), query["preview"] == "true")

    @blueprint.get("/tournaments/<id:tournament>/rounds")
    @blueprint.response(200, answers.RoundsShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown")
    def list_rounds(tournament: str) -> Any:
        """List the rounds, how many are planned, and the spare players who stand by."""
        with front.reading(tournament) as folded:
            return asked.not_modified(front.version(folded)) or queries.rounds_shown(folded.state)

    @blueprint.get(f"/tournaments/<id:tournament>/rounds/{number}")
    @blueprint.arguments(schemas.RoundQuery, location="query")
    @blueprint.response(200, answers.RoundShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown", "round-unknown")
    def show_round(query: dict[str, Any], tournament: str, round: int) -> Any:
        """Show a round with its pairings. Send its ETag as If-Match with whatever changes the round."""
        with front.reading(tournament) as folded:
            found = round_of(folded.state, round)
            same = asked.not_modified(front.version(folded))
            return same or queries.round_shown(folded.state, found, query["venue"])

    @blueprint.get(f"/tournaments/<id:tournament>/rounds/{number}/games/<id:game>")
    @blueprint.response(200, answers.PairingShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown", "round-unknown", "game-unknown")
    def show_pairing(tournament: str, round: int, game: str) -> Any:
        """Show one game of a round."""
        with front.reading(tournament) as folded:
            found = round_of(folded.state, round)
            seat = game_of(found, game)
            same = asked.not_modified(front.version(folded))
            return same or queries.pairing_shown(folded.state, found, seat)

    @blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/repairing")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas.PreviewQuery, location="query")
    @blueprint.arguments(schemas.RepairRound)
    @blueprint.response(201, answers.Paired)
    @blueprint.alternative(200, answers.RoundShown, description="A preview; nothing was paired.")
    @blueprint.versioned()
    @blueprint.may_refuse(*OF_ROUND, "round-already-started", "round-has-results", *PAIRING[2:])
    def repair_round(query: dict[str, Any], body: dict[str, Any], tournament: str, round: int) -> Any:
        """Take a round back that has not begun and pair it again, both or neither."""
        command = ask.RepairRound(round=round, reason=body["reason"], again=_pairing(body))
        return pair(tournament, command, query["preview"] == "true")

    @blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/withdrawal")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas.Reason)
    @blueprint.response(201, ReceiptShown)
    @blueprint.versioned()
    @blueprint.may_refuse(*OF_ROUND, "round-has-results", "organiser-decides")
    def withdraw_round(body: dict[str, Any], tournament: str, round: int) -> dict[str, Any]:
        """Take the latest round back: not begun, or by an organiser while nothing was reported of it."""
        return run(tournament, ask.WithdrawRound(round=round, **body), fresh=True)

    @blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/amendments")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas.AmendPairings)
    @blueprint.response(201, ReceiptShown)
    @blueprint.versioned()
    @blueprint.may_refuse(
        *OF_ROUND,
        "bracket-stands",
        "game-has-result",
        "pairings-refused",
        "scenario-missing",
        "not-enough-tables",
        "event-too-large",
    )
    def amend_pairings(body: dict[str, Any], tournament: str, round: int) -> dict[str, Any]:
        """Change pairings by hand, with a reason: two players swap, or games as they are to be. Send If-Match."""
        swap = tuple(body.pop("swap") or ())
        pairings = _by_hand(body.pop("pairings"))
        command = ask.AmendPairings(round=round, swap=swap or None, pairings=pairings, **body)
        return run(tournament, command, fresh=True)

    @blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/games/<id:game>/table")
    @blueprint.allow(*CREW)
    @blueprint.arguments(schemas.MoveTable)
    @blueprint.response(201, ReceiptShown)
    @blueprint.versioned()
    @blueprint.may_refuse(*OF_ROUND, "game-unknown", "game-has-result", "venue-unknown", "table-unknown", "table-taken")
    def move_table(body: dict[str, Any], tournament: str, round: int, game: str) -> dict[str, Any]:
        """Move a game to another table; who plays whom is untouched. Send If-Match."""
        return run(tournament, ask.MoveTable(round=round, game=game, **body), fresh=True)

    return blueprint


def _pairing(body: dict[str, Any]) -> ask.PairRound:
    pairings = body["pairings"]
    return ask.PairRound(
        round=body["round"],
        scenario=body["scenario"],
        pairings=None if pairings is None else _by_hand(pairings),
        sitting_out=body["sitting_out"],
        byes=[ask.ByeGiven(**bye) for bye in body["byes"]],
        allow_rematch=body["allow_rematch"],
        reason=body["reason"],
    )


def _by_hand(pairings: list[dict[str, Any]]) -> list[ask.ByHand]:
    return [ask.ByHand(**{**pairing, "player_2": pairing["player_2"] or ""}) for pairing in pairings]
