"""Routes of the floor where rounds have a clock: begun, calls made, more time, the timetable, games that wait."""

from __future__ import annotations

from typing import Any

from flask import Response

from services.pairing.swiss.timetable import TimetableView, timetable_view
from services.pairing.swiss.timing import ClockView, clock_view
from services.pairing.swiss.views import HeldGames, held_view
from services.pairing.swiss.views_calendar import calendar_view
from services.pairing.tournament.commands import CallTime, ExtendClock, StartRound
from services.pairing.tournament.routes import floor
from services.pairing.tournament.routes.rounds import OF_ROUND
from services.pairing.tournament.state import round_of
from shared.roles import REFEREE_UP
from shared.service.views import Appended
from shared.service.wiring import gateway_of, service
from shared.web.request import not_modified
from shared.web.schema import LARGEST

CALENDAR, TEXT = "text/calendar", {"type": "string"}

gateway = gateway_of("swiss")
blueprint = floor.blueprint
number = f"<int(min=1, max={LARGEST}):round>"


@blueprint.command(StartRound, f"/tournaments/<id:tournament>/rounds/{number}/start", required=False)
@blueprint.versioned
@blueprint.may_refuse(
    *OF_ROUND, "round-already-started", "round-not-published", "round-has-absent-players", "bracket-moved-on"
)
def start_round(command: StartRound, tournament: str) -> Appended:
    """Start the clock of a round; refused while somebody of it has left.

    Whoever lacks an accepted list holds up their own game alone; GET …/rounds/{n}/held lists those games.
    """
    return gateway.run(tournament, command)


@blueprint.get(f"/tournaments/<id:tournament>/rounds/{number}/held")
@blueprint.allow(*REFEREE_UP)
@blueprint.response(200, HeldGames)
@blueprint.may_refuse("tournament-unknown", "round-unknown")
def list_held_games(tournament: str, round: int) -> HeldGames:
    """List the games that did not begin with their round: whose list they wait for, and what sets them going."""
    with gateway.reading(tournament) as loaded:
        return held_view(loaded.state, round_of(loaded.state, round))


@blueprint.command(CallTime, f"/tournaments/<id:tournament>/rounds/{number}/calls")
@blueprint.may_refuse(*OF_ROUND, "round-not-started", "call-out-of-order")
def call_time(command: CallTime, tournament: str) -> Appended:
    """Make a time call: each once, in the order of the ruleset."""
    return gateway.run(tournament, command)


@blueprint.command(ExtendClock, f"/tournaments/<id:tournament>/rounds/{number}/extensions")
@blueprint.may_refuse(*OF_ROUND, "round-not-started", "game-unknown", "game-has-result", "time-is-up")
def extend_clock(command: ExtendClock, tournament: str) -> Appended:
    """Give a round, or one game of it, more minutes, with a reason."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/clock")
@blueprint.response(200, ClockView)
@blueprint.may_refuse("tournament-unknown")
def show_clock(tournament: str) -> ClockView:
    """Show the clock of the round that is being played, and which calls are due when."""
    with gateway.reading(tournament) as loaded:
        return clock_view(loaded.state, service.clock())


@blueprint.get("/tournaments/<id:tournament>/timetable")
@blueprint.response(200, TimetableView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_timetable(tournament: str) -> Any:
    """Show every planned round with its day, length and break, and what the document recommends besides."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or timetable_view(loaded.state)


@blueprint.get("/tournaments/<id:tournament>/timetable.ics")
@blueprint.answers_as(CALENDAR)
@blueprint.doc(responses={200: {"description": "An iCalendar object.", "content": {CALENDAR: {"schema": TEXT}}}})
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "no-timetable")
def show_calendar(tournament: str) -> Response:
    """Show the timetable as a calendar to subscribe to: each round on its day, and at its hour once it has begun."""
    with gateway.reading(tournament) as loaded:
        if same := not_modified(gateway.version(loaded)):
            return same
        changed, revision = gateway.last_change(tournament, loaded, ("registration", "pairing"))
        calendar = calendar_view(loaded.state, tournament, changed=changed, revision=revision)
    return Response(calendar, content_type=f"{CALENDAR}; charset=utf-8")
