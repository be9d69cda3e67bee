"""Routes of co-operative sessions: set up, play, report, confirm, correct, rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType, structs

from services.scoring.coop_moves import PlayMoves
from services.scoring.coop_sessions import (
    ConfirmSession,
    CorrectSession,
    EndSession,
    PublishRanking,
    ReportSession,
    SetUpSession,
    table_of_session,
)
from services.scoring.coop_taking_back import TakeBackMove, moves_of, table_may_take_back
from services.scoring.coop_views import (
    RankingView,
    SessionsView,
    SessionView,
    StatementOfTableView,
    SurvivorExplained,
    TableRankView,
    explain_survivor_points,
    ranking_of_venue,
    ranking_view,
    session_view,
)
from services.scoring.guards import PlayerUnknown
from services.scoring.handlers import HANDLERS
from services.scoring.views_games import MAX_ROUNDS
from shared.coop.seating import SEATING
from shared.coop.sessions import SESSIONS
from shared.refusals import Expected, Fault, one_of
from shared.service.game_lists import AtVenue, VenueFilter
from shared.service.routes import CommandBlueprint
from shared.service.views import Appended, EventView
from shared.service.wiring import gateway_of
from shared.shapes import Whole
from shared.web.paging import Ordered, page_of, page_of_order, single_page
from shared.web.request import not_modified

_SESSION_REFUSALS = ("tournament-unknown", "tournament-over", "session-unknown", "other-venue")
_TABLE_REFUSALS = (*_SESSION_REFUSALS, "not-your-table", "session-ended")
_SESSION = "/tournaments/<id:tournament>/sessions/<id:session>"


gateway = gateway_of("coop")
blueprint = CommandBlueprint(
    "sessions",
    HANDLERS,
    description="Co-operative sessions: set up, play, confirm, correct; the ranking.",
    may_refuse=("wrong-format",),
)


class SessionsQuery(AtVenue, frozen=True, kw_only=True):
    """Query of sessions."""

    round: Annotated[
        int | UnsetType, Whole(1, MAX_ROUNDS), "Include only sessions of this round. Absent: all rounds."
    ] = UNSET


class RankingQuery(Ordered, frozen=True, kw_only=True):
    """Query of the ranking."""

    round: Annotated[
        int | UnsetType,
        Whole(1, MAX_ROUNDS),
        "Return the ranking published after this round. Absent: the current ranking.",
    ] = UNSET
    of: Annotated[Literal["tables", "survivors"] | UnsetType, "Return only this list. Required for paging."] = UNSET
    venue: VenueFilter = UNSET

    @staticmethod
    def wrong(values: Any) -> dict[str, Expected]:
        """Return the faults: only a single list can be paged."""
        paged = any(values.get(name, UNSET) is not UNSET for name in ("after", "limit", "around"))
        of_both = paged and values.get("of", UNSET) is UNSET
        return Ordered.wrong(values) | ({"of": one_of(["tables", "survivors"])} if of_both else {})


@blueprint.get("/tournaments/<id:tournament>/sessions")
@blueprint.arguments(SessionsQuery, location="query")
@blueprint.response(200, SessionsView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "venue-unknown")
def list_sessions(query: SessionsQuery, tournament: str) -> Any:
    """List the sessions of one round or of all rounds with their current state."""
    with gateway.reading(tournament, venue=query.venue) as loaded:
        state = loaded.state
        tables = [
            table
            for table in SEATING.of(state).tables()
            if query.round in (UNSET, table.round) and query.venue in (UNSET, table.venue)
        ]
        unchanged = not_modified(gateway.version(loaded))
        return unchanged or SessionsView(items=[session_view(state, table) for table in tables])


@blueprint.get(_SESSION)
@blueprint.response(200, SessionView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "session-unknown")
def show_session(tournament: str, session: str) -> Any:
    """Show the state of a session: power token, goals, the next part of the round, how it ended."""
    with gateway.reading(tournament) as loaded:
        table = table_of_session(loaded.state, session)
        return not_modified(gateway.version(loaded)) or session_view(loaded.state, table)


@blueprint.get(f"{_SESSION}/history")
@blueprint.response(200, page_of(EventView))
@blueprint.may_refuse("tournament-unknown", "session-unknown")
def show_session_history(tournament: str, session: str) -> dict[str, Any]:
    """List all events of a session in order, with author and time."""
    with gateway.reading(tournament) as loaded:
        table_of_session(loaded.state, session)
    return single_page(gateway.events_about(tournament, lambda data: data.get("session") == session, session))


@blueprint.command(SetUpSession, f"{_SESSION}/setup")
@blueprint.versioned
@blueprint.may_refuse(*_TABLE_REFUSALS, "session-set-up", "set-up-refused")
def set_up_session(command: SetUpSession, tournament: str) -> Appended:
    """Set up a session: scenario, loyal faction, goals, first player. Round 1 then starts."""
    return gateway.run(tournament, command)


@blueprint.command(PlayMoves, f"{_SESSION}/moves")
@blueprint.versioned
@blueprint.may_refuse(*_TABLE_REFUSALS, "session-not-begun", "impossible-move", "move-out-of-order", "other-detail")
def play_moves(command: PlayMoves, tournament: str) -> Appended:
    """Report moves. If two people report at the same time, the order of the log decides."""
    return gateway.run(tournament, command)


@blueprint.get(f"{_SESSION}/statements")
@blueprint.response(200, page_of(StatementOfTableView))
@blueprint.may_refuse("tournament-unknown", "session-unknown")
def list_session_statements(tournament: str, session: str) -> dict[str, Any]:
    """List what was reported of a session, in order, and what any survivor of the table can take back now."""
    with gateway.reading(tournament) as loaded:
        table_of_session(loaded.state, session)
        known = SESSIONS.of(loaded.state).sessions.get(session)
        views = [
            StatementOfTableView(
                id=statement.position,
                does=moves_of(statement),
                time=statement.time,
                by=statement.by.actor,
                role=statement.by.role,
                table_can=table_may_take_back(known, statement),
            )
            for statement in (known.said.statements if known else ())
            if known and statement.command
        ]
    return single_page(views)


@blueprint.command(TakeBackMove, f"{_SESSION}/statements/<number:statement>/taking-back")
@blueprint.versioned
@blueprint.may_refuse(
    *_SESSION_REFUSALS,
    "not-your-table",
    "session-not-begun",
    "session-settled",
    "statement-unknown",
    "reason-needed",
    "statements-fall",
)
def take_back_move(command: TakeBackMove, tournament: str) -> Appended:
    """Take back the moves of one report, or the end of a session. Later reports are decided again, in order.

    Any survivor takes back the last report; the host and staff take back earlier ones. A preview shows the ranking.
    """
    return gateway.run(tournament, command)


@blueprint.command(EndSession, f"{_SESSION}/ending")
@blueprint.versioned
@blueprint.may_refuse(*_SESSION_REFUSALS, "session-not-begun", "session-ended", "time-remains")
def end_session(command: EndSession, tournament: str) -> Appended:
    """End a session that ran out of time or was abandoned. The result counts immediately."""
    return gateway.run(tournament, command)


@blueprint.command(ReportSession, f"{_SESSION}/report")
@blueprint.versioned
@blueprint.may_refuse(
    *_SESSION_REFUSALS, "not-your-table", "session-not-begun", "session-settled", "other-detail", "impossible-move"
)
def report_session(command: ReportSession, tournament: str) -> Appended:
    """Report a complete session, if the event does not track single moves. The table then confirms it."""
    return gateway.run(tournament, command)


@blueprint.command(ConfirmSession, f"{_SESSION}/confirmation")
@blueprint.versioned
@blueprint.may_refuse(*_SESSION_REFUSALS, "not-your-table", "session-not-begun", "session-not-ended")
def confirm_session(command: ConfirmSession, tournament: str) -> Appended:
    """Confirm the result of a session.

    It counts once two survivors and the host, or the organiser, have confirmed it.
    """
    return gateway.run(tournament, command)


@blueprint.command(CorrectSession, f"{_SESSION}/correction")
@blueprint.versioned
@blueprint.may_refuse(*_SESSION_REFUSALS, "session-not-begun", "session-not-ended", "impossible-move")
def correct_session(command: CorrectSession, tournament: str) -> Appended:
    """Replace the result of a session, even after the end of the event. Published rankings are published again."""
    return gateway.run(tournament, command)


@blueprint.command(PublishRanking, "/tournaments/<id:tournament>/session-rounds/<number:round>/ranking")
@blueprint.may_refuse("tournament-unknown", "tournament-over", "round-unknown", "sessions-open", "event-too-large")
def publish_ranking(command: PublishRanking, tournament: str) -> Appended:
    """Publish the ranking of a round. The results of all its sessions must count."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/ranking")
@blueprint.arguments(RankingQuery, location="query")
@blueprint.response(200, RankingView)
@blueprint.versioned
@blueprint.may_refuse(
    "tournament-unknown", "venue-unknown", "round-unknown", "round-not-closed", "player-unknown", "invalid-cursor"
)
def show_ranking(query: RankingQuery, tournament: str) -> Any:
    """Show the ranking of the tables of a round and of the survivors over all sessions, with the reason for each place.

    Returns both lists completely, or one of them in pages.
    """
    round = None if query.round is UNSET else query.round
    with gateway.reading(tournament, venue=query.venue) as loaded:
        if unchanged := not_modified(gateway.version(loaded)):
            return unchanged
        ranking = ranking_view(loaded.state, tournament, round)
        if query.venue is not UNSET:
            ranking = ranking_of_venue(loaded.state, ranking, query.venue)
    if query.of is UNSET:
        return ranking
    if query.of == "tables":
        tables = page_of_order(ranking.tables, query, _at_tables, _not_ranked)
        return structs.replace(ranking, tables=tables.items, survivors=[], next=tables.next), 200, tables.headers
    survivors = page_of_order(ranking.survivors, query, lambda rows: [row.player for row in rows], _not_ranked)
    shown = structs.replace(ranking, tables=[], survivors=survivors.items, next=survivors.next)
    return shown, 200, survivors.headers


def _at_tables(rows: Sequence[TableRankView]) -> list[str]:
    return [" ".join(row.survivors) for row in rows]


def _not_ranked(player: str, faults: list[Fault]) -> PlayerUnknown:
    return PlayerUnknown(f"No row of this list is of {player}.", faults)


@blueprint.get("/tournaments/<id:tournament>/ranking/<id:player>")
@blueprint.response(200, SurvivorExplained)
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def explain_survivor(tournament: str, player: str) -> SurvivorExplained:
    """Explain the place and the points of a survivor: the separating criterion, and the sessions that count."""
    with gateway.reading(tournament) as loaded:
        return explain_survivor_points(loaded.state, player)
