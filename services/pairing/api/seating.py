"""Routes of rounds of sessions: who sits together, changed by hand, closed."""

from __future__ import annotations

from typing import Any

from services.pairing import schemas_coop
from services.pairing.api.optional import optional_body
from services.pairing.api.rounds import LEADING
from services.pairing.domain import commands as ask
from services.pairing.seating_shown import session_round_shown
from shared.handling.front import Front, shown
from shared.handling.schemas import ReceiptShown
from shared.http import asked
from shared.http.blueprint import Blueprint
from shared.http.fields import LARGEST

OVER = ("tournament-unknown", "tournament-over", "other-venue")


def seating_blueprint(front: Front) -> Blueprint:
    """Who plays a session together, where nobody has an opponent."""
    blueprint = Blueprint(
        "seating", description="Co-operative events: who sits together at which table.", may_refuse=("wrong-format",)
    )
    number = f"<int(min=1, max={LARGEST}):round>"

    def run(tournament: str, command: Any) -> dict[str, Any]:
        return shown(front.command(tournament, command, fresh=True), tournament)

    @blueprint.post("/tournaments/<id:tournament>/session-rounds")
    @blueprint.allow(*LEADING)
    @optional_body(blueprint, schemas_coop.OpenSessionRound)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(
        *OVER,
        "round-already-paired",
        "round-not-closed",
        "seating-refused",
        "too-few-players",
        "not-enough-tables",
        "event-too-large",
    )
    def open_session_round(body: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Seat the next round of sessions, or enter its tables by hand."""
        tables = body.pop("tables")
        by_hand = None if tables is None else [ask.TableByHand(**table) for table in tables]
        return run(tournament, ask.OpenSessionRound(tables=by_hand, **body))

    @blueprint.get("/tournaments/<id:tournament>/session-rounds")
    @blueprint.response(200, schemas_coop.SessionRoundsShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown")
    def list_session_rounds(tournament: str) -> Any:
        """List the rounds of sessions with their tables."""
        with front.reading(tournament) as folded:
            state = folded.state
            return asked.not_modified(front.version(folded)) or {
                "rounds": [session_round_shown(state, round) for round in state.seating.rounds.values()]
            }

    @blueprint.post("/tournaments/<id:tournament>/sessions/<id:session>/seating")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas_coop.ReseatTable)
    @blueprint.response(201, ReceiptShown)
    @blueprint.versioned()
    @blueprint.may_refuse(*OVER, "session-unknown", "session-has-begun", "round-closed", "seating-refused")
    def reseat_table(body: dict[str, Any], tournament: str, session: str) -> dict[str, Any]:
        """Say who sits at a table that is not set up yet; with nobody it is not played. Send If-Match."""
        return run(tournament, ask.ReseatTable(session=session, **body))

    @blueprint.post(f"/tournaments/<id:tournament>/session-rounds/{number}/close")
    @blueprint.allow(*LEADING)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OVER, "round-unknown", "round-not-closed")
    def close_session_round(tournament: str, round: int) -> dict[str, Any]:
        """Close a round of sessions, once every one of them has a result that binds."""
        return run(tournament, ask.CloseSessionRound(round=round))

    return blueprint
