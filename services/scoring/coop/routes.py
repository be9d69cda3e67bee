"""Routes of co-operative sessions: set up, played move by move or reported whole, confirmed, corrected, ranked."""

from __future__ import annotations

from typing import Any

from flask import jsonify

from services.scoring.coop import schemas
from services.scoring.coop import schemas as schemas_coop
from services.scoring.coop.table import seated
from services.scoring.coop.views import correction_view, ranking_view, session_view, survivor_explained
from services.scoring.handlers import HANDLERS
from services.scoring.tournament import commands
from services.scoring.views import Concerned
from shared.application.schemas import EventShown, ReceiptShown
from shared.application.service import gateway_of, wired
from shared.application.views import Appended
from shared.formats.coop.seating import SEATING
from shared.web.access import caller
from shared.web.blueprint import Blueprint
from shared.web.paging import page_of
from shared.web.request import not_modified

OF_SESSION = ("tournament-unknown", "tournament-over", "session-unknown", "other-venue")
AT_TABLE = (*OF_SESSION, "not-your-table", "session-ended")
ROUTE = "/tournaments/<id:tournament>/sessions/<id:session>"


gateway = gateway_of("coop")
others = wired(Concerned)
blueprint = Blueprint(
    "sessions",
    description="Co-operative sessions: set up, played, confirmed, corrected; the ranking.",
    may_refuse=("wrong-format",),
)


@blueprint.get("/tournaments/<id:tournament>/sessions")
@blueprint.arguments(schemas_coop.SessionsQuery, location="query")
@blueprint.response(200, schemas_coop.SessionsShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def list_sessions(query: dict[str, Any], tournament: str) -> Any:
    """List the tables of a round, or of all, as they lie."""
    with gateway.reading(tournament) as folded:
        state = folded.state
        tables = [table for table in SEATING.of(state).tables() if query.get("round") in (None, table.round)]
        return not_modified(gateway.version(folded)) or {"sessions": [session_view(state, table) for table in tables]}


@blueprint.get(ROUTE)
@blueprint.response(200, schemas_coop.SessionShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "session-unknown")
def show_session(tournament: str, session: str) -> Any:
    """Show a table as it lies: the token, the goals, what is next in the round, what ended it."""
    with gateway.reading(tournament) as folded:
        table = seated(folded.state, session)
        return not_modified(gateway.version(folded)) or session_view(folded.state, table)


@blueprint.get(f"{ROUTE}/history")
@blueprint.response(200, page_of(EventShown))
@blueprint.may_refuse("tournament-unknown", "session-unknown")
def show_session_history(tournament: str, session: str) -> dict[str, Any]:
    """Show everything that happened at a table, in order: who said so, and when."""
    with gateway.reading(tournament) as folded:
        seated(folded.state, session)
    return {"items": gateway.events_about(tournament, lambda data: data.get("session") == session), "next": None}


@blueprint.post(f"{ROUTE}/setup")
@blueprint.allow(*HANDLERS[commands.SetUpSession].roles)
@blueprint.arguments(schemas_coop.SetUp)
@blueprint.response(201, ReceiptShown)
@blueprint.versioned
@blueprint.may_refuse(*AT_TABLE, "session-set-up", "set-up-refused")
def set_up_session(body: dict[str, Any], tournament: str, session: str) -> Appended:
    """Lay a table out: scenario and loyal faction, goals, first player; round 1 begins."""
    return gateway.run(tournament, commands.SetUpSession(session=session, **body))


@blueprint.post(f"{ROUTE}/moves")
@blueprint.allow(*HANDLERS[commands.PlayMoves].roles)
@blueprint.arguments(schemas_coop.PlayMoves)
@blueprint.response(201, ReceiptShown)
@blueprint.versioned
@blueprint.may_refuse(*AT_TABLE, "session-not-begun", "impossible-move", "move-out-of-order", "other-detail")
def play_moves(body: dict[str, Any], tournament: str, session: str) -> Appended:
    """Say what happened at the table; the order of the log decides between two who speak at once."""
    return gateway.run(tournament, commands.PlayMoves(session=session, moves=body["moves"]))


@blueprint.post(f"{ROUTE}/ending")
@blueprint.allow(*HANDLERS[commands.EndSession].roles)
@blueprint.arguments(schemas_coop.EndSession)
@blueprint.response(201, ReceiptShown)
@blueprint.versioned
@blueprint.may_refuse(*OF_SESSION, "session-not-begun", "session-ended", "time-remains")
def end_session(body: dict[str, Any], tournament: str, session: str) -> Appended:
    """End a session that time or its table has left; it binds at once."""
    return gateway.run(tournament, commands.EndSession(session=session, **body))


@blueprint.post(f"{ROUTE}/report")
@blueprint.allow(*HANDLERS[commands.ReportSession].roles)
@blueprint.arguments(schemas_coop.ReportSession)
@blueprint.response(201, ReceiptShown)
@blueprint.versioned
@blueprint.may_refuse(
    *OF_SESSION, "not-your-table", "session-not-begun", "session-settled", "other-detail", "impossible-move"
)
def report_session(body: dict[str, Any], tournament: str, session: str) -> Appended:
    """Report a whole session at once, where the event takes no moves; it waits for the table's word."""
    return gateway.run(tournament, commands.ReportSession(session=session, told=body["told"]))


@blueprint.post(f"{ROUTE}/confirmation")
@blueprint.allow(*HANDLERS[commands.ConfirmSession].roles)
@blueprint.response(201, ReceiptShown)
@blueprint.versioned
@blueprint.may_refuse(*OF_SESSION, "not-your-table", "session-not-begun", "session-not-ended")
def confirm_session(tournament: str, session: str) -> Appended:
    """Agree with how a session ended: two survivors and the host make it bind, or the organiser's word."""
    return gateway.run(tournament, commands.ConfirmSession(session=session))


@blueprint.post(f"{ROUTE}/correction")
@blueprint.allow(*HANDLERS[commands.CorrectSession].roles)
@blueprint.arguments(schemas.CorrectionQuery, location="query")
@blueprint.arguments(schemas_coop.CorrectSession)
@blueprint.response(201, ReceiptShown)
@blueprint.alternative(200, schemas.CorrectionShown, description="With `preview=true`: what would move.")
@blueprint.versioned
@blueprint.may_refuse(*OF_SESSION, "session-not-begun", "session-not-ended", "impossible-move")
def correct_session(query: dict[str, Any], body: dict[str, Any], tournament: str, session: str) -> Any:
    """Replace the result of a session, also after the end; published rankings are made anew."""
    command = commands.CorrectSession(session=session, **body)
    if query["preview"]:
        before, after, events = gateway.preview(tournament, command)
        concerned = others.by(tournament, after, caller())
        return jsonify({**correction_view(before.state, after, events), "seasons": concerned})
    return gateway.run(tournament, command)


@blueprint.post("/tournaments/<id:tournament>/session-rounds/<number:round>/ranking")
@blueprint.allow(*HANDLERS[commands.PublishRanking].roles)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse("tournament-unknown", "tournament-over", "round-unknown", "sessions-open", "event-too-large")
def publish_ranking(tournament: str, round: int) -> Appended:
    """Publish the ranking of a round, once every session of it binds."""
    return gateway.run(tournament, commands.PublishRanking(round=round))


@blueprint.get("/tournaments/<id:tournament>/ranking")
@blueprint.arguments(schemas.RankingQuery, location="query")
@blueprint.response(200, schemas.RankingShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "round-unknown", "round-not-closed")
def show_ranking(query: dict[str, Any], tournament: str) -> Any:
    """Show how the tables of a round rank and the survivors over all sessions so far, and why each stands there."""
    with gateway.reading(tournament) as folded:
        same = not_modified(gateway.version(folded))
        return same or ranking_view(folded.state, tournament, query.get("round"))


@blueprint.get("/tournaments/<id:tournament>/ranking/<id:player>")
@blueprint.response(200, schemas.SurvivorExplained)
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def explain_survivor(tournament: str, player: str) -> dict[str, Any]:
    """Explain a survivor's place and points: what separates them from the next, and which sessions count."""
    with gateway.reading(tournament) as folded:
        return survivor_explained(folded.state, player)
