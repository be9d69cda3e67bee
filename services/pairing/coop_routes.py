"""Routes and views of session rounds in co-operative events."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from services.pairing.coop_rounds import CloseSessionRound, OpenSessionRound, ReseatTable
from services.pairing.handlers import HANDLERS
from shared.coop.seating import SEATING, SeatedTable, SessionRound, SessionRoundOpened
from shared.coop.sessions import SessionStatus, has_binding_result, status_of
from shared.service.game_lists import AtVenue
from shared.service.routes import CommandBlueprint, Made
from shared.service.views import Appended, TableLabel
from shared.service.wiring import gateway_of
from shared.shapes import View
from shared.tournament.state import Tournament
from shared.web.request import not_modified
from shared.web.schema import LARGEST


class SeatedView(View, frozen=True, kw_only=True):
    """A table of a round of sessions."""

    id: Annotated[str, "The id of its session."]
    venue: str
    table: Annotated[int, "The table number; 0: none."]
    table_label: TableLabel = UNSET
    survivors: list[str]
    names: list[str]
    host: str
    scenario: Annotated[str, "Assigned by the organiser; empty: the table chooses."]
    loyal_faction: str
    status: SessionStatus
    binds: Annotated[bool, "True if the ranking counts the current result."]


class SessionRoundView(View, frozen=True, kw_only=True):
    """A round of sessions with its tables."""

    round: int
    method: Annotated[str, "`drawn` or `manual`."]
    seed: str
    closed: bool
    waiting: list[str]
    not_there: list[str]
    tables: list[SeatedView]


class SessionRoundsView(View, frozen=True, kw_only=True):
    """All rounds of sessions."""

    items: list[SessionRoundView]


def session_rounds_view(state: Tournament, venue: str | UnsetType = UNSET) -> SessionRoundsView:
    """Return all rounds of sessions with their tables, or those of a venue."""
    rounds = SEATING.of(state).rounds.values()
    return SessionRoundsView(items=[session_round_view(state, round, venue) for round in rounds])


def session_round_view(state: Tournament, round: SessionRound, venue: str | UnsetType = UNSET) -> SessionRoundView:
    """Return a round of sessions with its tables, or those of a venue."""
    return SessionRoundView(
        round=round.number,
        method=round.method,
        seed=round.seed,
        closed=round.closed,
        waiting=[player for player in round.waiting if state.entries.plays_at(player, venue)],
        not_there=[player for player in round.not_there if state.entries.plays_at(player, venue)],
        tables=[_table_view(state, table) for table in round.tables.values() if venue in (UNSET, table.venue)],
    )


def _table_view(state: Tournament, table: SeatedTable) -> SeatedView:
    return SeatedView(
        id=table.session,
        venue=table.venue,
        table=table.table,
        table_label=state.entries.table_label(table.venue, table.table) or UNSET,
        survivors=table.survivors,
        names=[state.entries.name_of(survivor) for survivor in table.survivors],
        host=table.host,
        scenario=table.scenario,
        loyal_faction=table.loyal_faction,
        status=status_of(state, table),
        binds=has_binding_result(state, table),
    )


OVER = ("tournament-unknown", "tournament-over", "other-venue")


gateway = gateway_of("coop")
blueprint = CommandBlueprint(
    "seating",
    HANDLERS,
    description="Co-operative events: session rounds and the seating of their tables.",
    may_refuse=("wrong-format",),
)
number = f"<int(min=1, max={LARGEST}):round>"


@blueprint.command(
    OpenSessionRound,
    "/tournaments/<id:tournament>/session-rounds",
    required=False,
    makes=Made((SessionRoundOpened,), "round"),
)
@blueprint.may_refuse(
    *OVER,
    "round-already-paired",
    "round-not-closed",
    "seating-refused",
    "too-few-players",
    "not-enough-tables",
    "event-too-large",
)
def open_session_round(command: OpenSessionRound, tournament: str) -> Appended:
    """Seat the next round of sessions, or enter its tables by hand."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/session-rounds")
@blueprint.arguments(AtVenue, location="query")
@blueprint.response(200, SessionRoundsView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "venue-unknown")
def list_session_rounds(query: AtVenue, tournament: str) -> Any:
    """List the rounds of sessions with their tables."""
    with gateway.reading(tournament, venue=query.venue) as loaded:
        return not_modified(gateway.version(loaded)) or session_rounds_view(loaded.state, query.venue)


@blueprint.command(ReseatTable, "/tournaments/<id:tournament>/sessions/<id:session>/seating")
@blueprint.versioned
@blueprint.may_refuse(*OVER, "session-unknown", "session-has-begun", "round-closed", "seating-refused")
def reseat_table(command: ReseatTable, tournament: str) -> Appended:
    """Set the survivors of a table that is not set up yet. A table without survivors is not played. Send If-Match."""
    return gateway.run(tournament, command)


@blueprint.command(CloseSessionRound, f"/tournaments/<id:tournament>/session-rounds/{number}/close")
@blueprint.may_refuse(*OVER, "round-unknown", "round-not-closed")
def close_session_round(command: CloseSessionRound, tournament: str) -> Appended:
    """Close a round of sessions after every session has a binding result."""
    return gateway.run(tournament, command)
