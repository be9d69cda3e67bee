"""Routes of rounds of sessions: who sits together, changed by hand, closed."""

from __future__ import annotations

from typing import Any

from services.pairing.coop import views
from services.pairing.handlers import HANDLERS
from services.pairing.tournament.commands import CloseSessionRound, OpenSessionRound, ReseatTable
from shared.coop.seating import SessionRoundOpened
from shared.service.command_routes import CommandBlueprint, Made
from shared.service.views import Appended
from shared.service.wiring import gateway_of
from shared.web.request import not_modified
from shared.web.schema import LARGEST

OVER = ("tournament-unknown", "tournament-over", "other-venue")


gateway = gateway_of("coop")
blueprint = CommandBlueprint(
    "seating",
    HANDLERS,
    description="Co-operative events: who sits together at which table.",
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
@blueprint.response(200, views.SessionRoundsView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def list_session_rounds(tournament: str) -> Any:
    """List the rounds of sessions with their tables."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or views.session_rounds_view(loaded.state)


@blueprint.command(ReseatTable, "/tournaments/<id:tournament>/sessions/<id:session>/seating")
@blueprint.versioned
@blueprint.may_refuse(*OVER, "session-unknown", "session-has-begun", "round-closed", "seating-refused")
def reseat_table(command: ReseatTable, tournament: str) -> Appended:
    """Say who sits at a table that is not set up yet; with nobody it is not played. Send If-Match."""
    return gateway.run(tournament, command)


@blueprint.command(CloseSessionRound, f"/tournaments/<id:tournament>/session-rounds/{number}/close")
@blueprint.may_refuse(*OVER, "round-unknown", "round-not-closed")
def close_session_round(command: CloseSessionRound, tournament: str) -> Appended:
    """Close a round of sessions, once every one of them has a result that binds."""
    return gateway.run(tournament, command)
