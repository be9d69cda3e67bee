"""Routes of co-operative sessions: set up, played or reported, confirmed, corrected, ranked."""

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
    seated,
)
from services.scoring.coop_views import (
    RankingView,
    SessionsView,
    SessionView,
    SurvivorExplained,
    TableRankView,
    ranking_view,
    session_view,
    survivor_explained,
)
from services.scoring.guards import PlayerUnknown
from services.scoring.handlers import HANDLERS
from services.scoring.views_games import MAX_ROUNDS
from shared.coop.seating import SEATING
from shared.refusals import Expected, Fault, one_of
from shared.service.routes import CommandBlueprint
from shared.service.views import Appended, EventView
from shared.service.wiring import gateway_of
from shared.shapes import Query, Whole
from shared.web.paging import Ordered, page_of, page_of_order, single_page
from shared.web.request import not_modified

OF_SESSION = ("tournament-unknown", "tournament-over", "session-unknown", "other-venue")
AT_TABLE = (*OF_SESSION, "not-your-table", "session-ended")
ROUTE = "/tournaments/<id:tournament>/sessions/<id:session>"


gateway = gateway_of("coop")
blueprint = CommandBlueprint(
    "sessions",
    HANDLERS,
    description="Co-operative sessions: set up, played, confirmed, corrected; the ranking.",
    may_refuse=("wrong-format",),
)


class SessionsQuery(Query, frozen=True, kw_only=True):
    """Which sessions."""

    round: Annotated[int | UnsetType, Whole(1, MAX_ROUNDS), "Only sessions of this round; left out: of all rounds."] = (
        UNSET
    )


class RankingQuery(Ordered, frozen=True, kw_only=True):
    """Which ranking, and which of its lists."""

    round: Annotated[
        int | UnsetType, Whole(1, MAX_ROUNDS), "As published after this round; left out: of all that binds so far."
    ] = UNSET
    of: Annotated[
        Literal["tables", "survivors"] | UnsetType, "Only this list of the two; a page is a page of one of them."
    ] = UNSET

    @staticmethod
    def wrong(said: Any) -> dict[str, Expected]:
        """A page is of one list."""
        paged = any(said.get(name, UNSET) is not UNSET for name in ("after", "limit", "around"))
        of_both = paged and said.get("of", UNSET) is UNSET
        return Ordered.wrong(said) | ({"of": one_of(["tables", "survivors"])} if of_both else {})


@blueprint.get("/tournaments/<id:tournament>/sessions")
@blueprint.arguments(SessionsQuery, location="query")
@blueprint.response(200, SessionsView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def list_sessions(query: SessionsQuery, tournament: str) -> Any:
    """List the tables of one round or of all rounds, with their current state."""
    with gateway.reading(tournament) as loaded:
        state = loaded.state
        tables = [table for table in SEATING.of(state).tables() if query.round in (UNSET, table.round)]
        same = not_modified(gateway.version(loaded))
        return same or SessionsView(items=[session_view(state, table) for table in tables])


@blueprint.get(ROUTE)
@blueprint.response(200, SessionView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "session-unknown")
def show_session(tournament: str, session: str) -> Any:
    """Show the state of a table: the token, the goals, what is next in the round, what ended the session."""
    with gateway.reading(tournament) as loaded:
        table = seated(loaded.state, session)
        return not_modified(gateway.version(loaded)) or session_view(loaded.state, table)


@blueprint.get(f"{ROUTE}/history")
@blueprint.response(200, page_of(EventView))
@blueprint.may_refuse("tournament-unknown", "session-unknown")
def show_session_history(tournament: str, session: str) -> dict[str, Any]:
    """Show everything that happened at a table, in order: who said so, and when."""
    with gateway.reading(tournament) as loaded:
        seated(loaded.state, session)
    return single_page(gateway.events_about(tournament, lambda data: data.get("session") == session, session))


@blueprint.command(SetUpSession, f"{ROUTE}/setup")
@blueprint.versioned
@blueprint.may_refuse(*AT_TABLE, "session-set-up", "set-up-refused")
def set_up_session(command: SetUpSession, tournament: str) -> Appended:
    """Set up a table: scenario and loyal faction, goals, first player; round 1 begins."""
    return gateway.run(tournament, command)


@blueprint.command(PlayMoves, f"{ROUTE}/moves")
@blueprint.versioned
@blueprint.may_refuse(*AT_TABLE, "session-not-begun", "impossible-move", "move-out-of-order", "other-detail")
def play_moves(command: PlayMoves, tournament: str) -> Appended:
    """Report moves at the table; if two people report at once, the order of the log decides."""
    return gateway.run(tournament, command)


@blueprint.command(EndSession, f"{ROUTE}/ending")
@blueprint.versioned
@blueprint.may_refuse(*OF_SESSION, "session-not-begun", "session-ended", "time-remains")
def end_session(command: EndSession, tournament: str) -> Appended:
    """End a session that ran out of time or that its players left; the result counts at once."""
    return gateway.run(tournament, command)


@blueprint.command(ReportSession, f"{ROUTE}/report")
@blueprint.versioned
@blueprint.may_refuse(
    *OF_SESSION, "not-your-table", "session-not-begun", "session-settled", "other-detail", "impossible-move"
)
def report_session(command: ReportSession, tournament: str) -> Appended:
    """Report a whole session, if the event does not take single moves; the table then confirms it."""
    return gateway.run(tournament, command)


@blueprint.command(ConfirmSession, f"{ROUTE}/confirmation")
@blueprint.versioned
@blueprint.may_refuse(*OF_SESSION, "not-your-table", "session-not-begun", "session-not-ended")
def confirm_session(command: ConfirmSession, tournament: str) -> Appended:
    """Confirm how a session ended; it counts once two survivors and the host, or the organiser, have confirmed it."""
    return gateway.run(tournament, command)


@blueprint.command(CorrectSession, f"{ROUTE}/correction")
@blueprint.versioned
@blueprint.may_refuse(*OF_SESSION, "session-not-begun", "session-not-ended", "impossible-move")
def correct_session(command: CorrectSession, tournament: str) -> Appended:
    """Replace the result of a session, even after the event's end; published rankings are published again."""
    return gateway.run(tournament, command)


@blueprint.command(PublishRanking, "/tournaments/<id:tournament>/session-rounds/<number:round>/ranking")
@blueprint.may_refuse("tournament-unknown", "tournament-over", "round-unknown", "sessions-open", "event-too-large")
def publish_ranking(command: PublishRanking, tournament: str) -> Appended:
    """Publish the ranking of a round, once the results of all its sessions count."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/ranking")
@blueprint.arguments(RankingQuery, location="query")
@blueprint.response(200, RankingView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "round-unknown", "round-not-closed", "player-unknown", "invalid-cursor")
def show_ranking(query: RankingQuery, tournament: str) -> Any:
    """Rank the tables of a round, and the survivors over all sessions so far, with the reason for each place.

    Both lists come whole, or one of them in pages.
    """
    round = None if query.round is UNSET else query.round
    with gateway.reading(tournament) as loaded:
        if same := not_modified(gateway.version(loaded)):
            return same
        ranking = ranking_view(loaded.state, tournament, round)
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
    """Explain a survivor's place and points: what separates them from the next, and which sessions count."""
    with gateway.reading(tournament) as loaded:
        return survivor_explained(loaded.state, player)
