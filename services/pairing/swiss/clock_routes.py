"""Routes of the floor where rounds have a clock: begun, calls made, more time, the timetable, games that wait."""

from __future__ import annotations

from typing import Any

from services.pairing.handlers import HANDLERS
from services.pairing.swiss.timetable import clock_view, timetable_view
from services.pairing.tournament import command_schemas as schemas
from services.pairing.tournament import time_schemas, view_schemas, views
from services.pairing.tournament.commands import CallTime, ExtendClock, StartRound
from services.pairing.tournament.routes import floor
from services.pairing.tournament.routes.optional import optional_body
from services.pairing.tournament.routes.rounds import OF_ROUND
from services.pairing.tournament.state import round_of
from shared.application.schemas import ReceiptShown
from shared.application.service import gateway_of, service
from shared.application.views import Appended
from shared.roles import REFEREE_UP
from shared.web.fields import LARGEST
from shared.web.request import not_modified

gateway = gateway_of("swiss")
blueprint = floor.blueprint
number = f"<int(min=1, max={LARGEST}):round>"


@blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/start")
@blueprint.allow(*HANDLERS[StartRound].roles)
@optional_body(blueprint, schemas.StartRound)
@blueprint.response(201, ReceiptShown)
@blueprint.versioned
@blueprint.may_refuse(*OF_ROUND, "round-already-started", "round-has-absent-players")
def start_round(body: dict[str, Any], tournament: str, round: int) -> Appended:
    """Start the clock of a round; refused while somebody of it has left.

    Whoever lacks an accepted list holds up their own game alone; GET …/rounds/{n}/held lists those games.
    """
    return gateway.run(tournament, StartRound(round=round, **body))


@blueprint.get(f"/tournaments/<id:tournament>/rounds/{number}/held")
@blueprint.allow(*REFEREE_UP)
@blueprint.response(200, view_schemas.HeldGames)
@blueprint.may_refuse("tournament-unknown", "round-unknown")
def list_held_games(tournament: str, round: int) -> dict[str, Any]:
    """List the games that did not begin with their round: whose list they wait for, and what sets them going."""
    with gateway.reading(tournament) as folded:
        return views.held_view(folded.state, round_of(folded.state, round))


@blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/calls")
@blueprint.allow(*HANDLERS[CallTime].roles)
@blueprint.arguments(schemas.CallTime)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OF_ROUND, "round-not-started", "call-out-of-order")
def call_time(body: dict[str, Any], tournament: str, round: int) -> Appended:
    """Make a time call: each once, in the order of the ruleset."""
    return gateway.run(tournament, CallTime(round=round, **body))


@blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/extensions")
@blueprint.allow(*HANDLERS[ExtendClock].roles)
@blueprint.arguments(schemas.ExtendClock)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OF_ROUND, "round-not-started", "game-unknown", "game-has-result", "time-is-up")
def extend_clock(body: dict[str, Any], tournament: str, round: int) -> Appended:
    """Give a round, or one game of it, more minutes, with a reason."""
    return gateway.run(tournament, ExtendClock(round=round, **body))


@blueprint.get("/tournaments/<id:tournament>/clock")
@blueprint.response(200, time_schemas.ClockShown)
@blueprint.may_refuse("tournament-unknown")
def show_clock(tournament: str) -> dict[str, Any]:
    """Show the clock of the round that is being played, and which calls are due when."""
    with gateway.reading(tournament) as folded:
        return clock_view(folded.state, service.clock())


@blueprint.get("/tournaments/<id:tournament>/timetable")
@blueprint.response(200, time_schemas.TimetableShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_timetable(tournament: str) -> Any:
    """Show every planned round with its day, length and break, and what the document recommends besides."""
    with gateway.reading(tournament) as folded:
        return not_modified(gateway.version(folded)) or timetable_view(folded.state)
