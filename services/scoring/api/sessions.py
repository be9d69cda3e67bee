"""Routes of co-operative sessions: set up, played move by move or reported whole, confirmed, corrected, ranked."""

from __future__ import annotations

from typing import Any

from flask import jsonify

from services.scoring import schemas_coop, schemas_ranking
from services.scoring.domain import commands as ask
from services.scoring.domain.coop_table import seated
from services.scoring.ranking_shown import correction_shown, ranking_shown, survivor_explained
from services.scoring.seasons import Seasons
from services.scoring.sessions_shown import session_shown
from shared.handling.front import Front, shown
from shared.handling.schemas import EventShown, ReceiptShown
from shared.http import asked
from shared.http.access import caller
from shared.http.blueprint import Blueprint
from shared.http.paging import page_of
from shared.http.roles import HEAD_REFEREE, OPERATOR, ORGANISER, PLAYER, REFEREE

CREW = (OPERATOR, ORGANISER, HEAD_REFEREE, REFEREE)
HEADS = (OPERATOR, ORGANISER, HEAD_REFEREE)
OF_SESSION = ("tournament-unknown", "tournament-over", "session-unknown", "other-venue")
AT_TABLE = (*OF_SESSION, "not-your-table", "session-ended")
ROUTE = "/tournaments/<id:tournament>/sessions/<id:session>"


def sessions_blueprint(front: Front, seasons: Seasons) -> Blueprint:
    """What happens at tables that nobody plays against, and where they stand."""
    blueprint = Blueprint(
        "sessions",
        description="Co-operative sessions: set up, played, confirmed, corrected; the ranking.",
        may_refuse=("wrong-format",),
    )

    def run(tournament: str, command: Any, *, fresh: bool = False) -> dict[str, Any]:
        return shown(front.command(tournament, command, fresh=fresh), tournament)

    @blueprint.get("/tournaments/<id:tournament>/sessions")
    @blueprint.arguments(schemas_coop.SessionsQuery, location="query")
    @blueprint.response(200, schemas_coop.SessionsShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown")
    def list_sessions(query: dict[str, Any], tournament: str) -> Any:
        """List the tables of a round, or of all, as they lie."""
        with front.reading(tournament) as folded:
            state = folded.state
            tables = [table for table in state.seating.tables() if query.get("round") in (None, table.round)]
            return asked.not_modified(front.version(folded)) or {
                "sessions": [session_shown(state, table) for table in tables]
            }

    @blueprint.get(ROUTE)
    @blueprint.response(200, schemas_coop.SessionShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown", "session-unknown")
    def show_session(tournament: str, session: str) -> Any:
        """Show a table as it lies: the token, the goals, what is next in the round, what ended it."""
        with front.reading(tournament) as folded:
            table = seated(folded.state, session)
            return asked.not_modified(front.version(folded)) or session_shown(folded.state, table)

    @blueprint.get(f"{ROUTE}/history")
    @blueprint.response(200, page_of(EventShown))
    @blueprint.may_refuse("tournament-unknown", "session-unknown")
    def show_session_history(tournament: str, session: str) -> dict[str, Any]:
        """Show everything that happened at a table, in order: who said so, and when."""
        with front.reading(tournament) as folded:
            seated(folded.state, session)
        return {"items": front.events_about(tournament, lambda data: data.get("session") == session), "next": None}

    @blueprint.post(f"{ROUTE}/setup")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.arguments(schemas_coop.SetUp)
    @blueprint.response(201, ReceiptShown)
    @blueprint.versioned()
    @blueprint.may_refuse(*AT_TABLE, "session-set-up", "set-up-refused")
    def set_up_session(body: dict[str, Any], tournament: str, session: str) -> dict[str, Any]:
        """Lay a table out: scenario and loyal faction, goals, first player; round 1 begins."""
        return run(tournament, ask.SetUpSession(session=session, **body), fresh=True)

    @blueprint.post(f"{ROUTE}/moves")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.arguments(schemas_coop.PlayMoves)
    @blueprint.response(201, ReceiptShown)
    @blueprint.versioned()
    @blueprint.may_refuse(*AT_TABLE, "session-not-begun", "impossible-move", "move-out-of-order", "other-detail")
    def play_moves(body: dict[str, Any], tournament: str, session: str) -> dict[str, Any]:
        """Say what happened at the table; the order of the log decides between two who speak at once."""
        return run(tournament, ask.PlayMoves(session=session, moves=body["moves"]))

    @blueprint.post(f"{ROUTE}/ending")
    @blueprint.allow(*HEADS)
    @blueprint.arguments(schemas_coop.EndSession)
    @blueprint.response(201, ReceiptShown)
    @blueprint.versioned()
    @blueprint.may_refuse(*OF_SESSION, "session-not-begun", "session-ended", "time-remains")
    def end_session(body: dict[str, Any], tournament: str, session: str) -> dict[str, Any]:
        """End a session that time or its table has left; it binds at once."""
        return run(tournament, ask.EndSession(session=session, **body))

    @blueprint.post(f"{ROUTE}/report")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.arguments(schemas_coop.ReportSession)
    @blueprint.response(201, ReceiptShown)
    @blueprint.versioned()
    @blueprint.may_refuse(
        *OF_SESSION, "not-your-table", "session-not-begun", "session-settled", "other-detail", "impossible-move"
    )
    def report_session(body: dict[str, Any], tournament: str, session: str) -> dict[str, Any]:
        """Report a whole session at once, where the event takes no moves; it waits for the table's word."""
        return run(tournament, ask.ReportSession(session=session, told=body["told"]))

    @blueprint.post(f"{ROUTE}/confirmation")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.response(201, ReceiptShown)
    @blueprint.versioned()
    @blueprint.may_refuse(*OF_SESSION, "not-your-table", "session-not-begun", "session-not-ended")
    def confirm_session(tournament: str, session: str) -> dict[str, Any]:
        """Agree with how a session ended: two survivors and the host make it bind, or the organiser's word."""
        return run(tournament, ask.ConfirmSession(session=session))

    @blueprint.post(f"{ROUTE}/correction")
    @blueprint.allow(*HEADS)
    @blueprint.arguments(schemas_ranking.CorrectionQuery, location="query")
    @blueprint.arguments(schemas_coop.CorrectSession)
    @blueprint.response(201, ReceiptShown)
    @blueprint.alternative(200, schemas_ranking.CorrectionShown, description="With `preview=true`: what would move.")
    @blueprint.versioned()
    @blueprint.may_refuse(*OF_SESSION, "session-not-begun", "session-not-ended", "impossible-move")
    def correct_session(query: dict[str, Any], body: dict[str, Any], tournament: str, session: str) -> Any:
        """Replace the result of a session, also after the end; published rankings are made anew."""
        command = ask.CorrectSession(session=session, **body)
        if query["preview"]:
            before, after, events = front.preview(tournament, command)
            concerned = seasons.concerned(tournament, after, caller())
            return jsonify({**correction_shown(before.state, after, events), "seasons": concerned})
        return run(tournament, command)

    @blueprint.post("/tournaments/<id:tournament>/session-rounds/<number:round>/ranking")
    @blueprint.allow(*HEADS)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse("tournament-unknown", "tournament-over", "round-unknown", "sessions-open", "event-too-large")
    def publish_ranking(tournament: str, round: int) -> dict[str, Any]:
        """Publish the ranking of a round, once every session of it binds."""
        return run(tournament, ask.PublishRanking(round=round), fresh=True)

    @blueprint.get("/tournaments/<id:tournament>/ranking")
    @blueprint.arguments(schemas_ranking.RankingQuery, location="query")
    @blueprint.response(200, schemas_ranking.RankingShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown", "round-unknown", "round-not-closed")
    def show_ranking(query: dict[str, Any], tournament: str) -> Any:
        """Show how the tables of a round rank and the survivors over all sessions so far, and why each stands there."""
        with front.reading(tournament) as folded:
            same = asked.not_modified(front.version(folded))
            return same or ranking_shown(folded.state, tournament, query.get("round"))

    @blueprint.get("/tournaments/<id:tournament>/ranking/<id:player>")
    @blueprint.response(200, schemas_ranking.SurvivorExplained)
    @blueprint.may_refuse("tournament-unknown", "player-unknown")
    def explain_survivor(tournament: str, player: str) -> dict[str, Any]:
        """Explain a survivor's place and points: what separates them from the next, and which sessions count."""
        with front.reading(tournament) as folded:
            return survivor_explained(folded.state, player)

    return blueprint
