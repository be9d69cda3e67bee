"""Routes of rounds of sessions: who sits together, changed by hand, closed."""

from __future__ import annotations

from typing import Any

from services.pairing.coop import views
from services.pairing.handlers import HANDLERS
from services.pairing.tournament.commands import CloseSessionRound, OpenSessionRound, ReseatTable, TableByHand
from services.pairing.tournament.routes.optional import optional_body
from shared.application.schemas import ReceiptShown
from shared.application.service import gateway_of
from shared.application.views import Appended
from shared.formats.coop.seating import SEATING
from shared.web.blueprint import Blueprint
from shared.web.fields import LARGEST
from shared.web.request import not_modified

OVER = ("tournament-unknown", "tournament-over", "other-venue")


gateway = gateway_of("coop")
blueprint = Blueprint(
    "seating", description="Co-operative events: who sits together at which table.", may_refuse=("wrong-format",)
)
number = f"<int(min=1, max={LARGEST}):round>"


@blueprint.post("/tournaments/<id:tournament>/session-rounds")
@blueprint.allow(*HANDLERS[OpenSessionRound].roles)
@optional_body(blueprint, views.OpenSessionRound)
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
def open_session_round(body: dict[str, Any], tournament: str) -> Appended:
    """Seat the next round of sessions, or enter its tables by hand."""
    tables = body.pop("tables")
    by_hand = None if tables is None else [TableByHand(**table) for table in tables]
    return gateway.run(tournament, OpenSessionRound(tables=by_hand, **body))


@blueprint.get("/tournaments/<id:tournament>/session-rounds")
@blueprint.response(200, views.SessionRoundsShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def list_session_rounds(tournament: str) -> Any:
    """List the rounds of sessions with their tables."""
    with gateway.reading(tournament) as folded:
        state = folded.state
        return not_modified(gateway.version(folded)) or {
            "rounds": [views.session_round_view(state, round) for round in SEATING.of(state).rounds.values()]
        }


@blueprint.post("/tournaments/<id:tournament>/sessions/<id:session>/seating")
@blueprint.allow(*HANDLERS[ReseatTable].roles)
@blueprint.arguments(views.ReseatTable)
@blueprint.response(201, ReceiptShown)
@blueprint.versioned
@blueprint.may_refuse(*OVER, "session-unknown", "session-has-begun", "round-closed", "seating-refused")
def reseat_table(body: dict[str, Any], tournament: str, session: str) -> Appended:
    """Say who sits at a table that is not set up yet; with nobody it is not played. Send If-Match."""
    return gateway.run(tournament, ReseatTable(session=session, **body))


@blueprint.post(f"/tournaments/<id:tournament>/session-rounds/{number}/close")
@blueprint.allow(*HANDLERS[CloseSessionRound].roles)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "round-unknown", "round-not-closed")
def close_session_round(tournament: str, round: int) -> Appended:
    """Close a round of sessions, once every one of them has a result that binds."""
    return gateway.run(tournament, CloseSessionRound(round=round))
