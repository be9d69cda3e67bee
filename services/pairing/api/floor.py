"""Routes of the floor: the clock and its calls, tables, a player's own game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from services.pairing import answers, answers_of_time, queries, schemas
from services.pairing.api.optional import optional_body
from services.pairing.api.rounds import CREW, LEADING, OF_ROUND
from services.pairing.domain import commands as ask
from services.pairing.domain.state import round_of
from services.pairing.timetable import timetable_shown
from shared.handling.front import Front, shown
from shared.handling.schemas import ReceiptShown
from shared.http import asked
from shared.http.blueprint import Blueprint
from shared.http.fields import LARGEST


def floor_blueprint(front: Front, opponents: Front, clock: Callable[[], str]) -> Blueprint:
    """What happens while a round is played. clock: the time as events have it.

    opponents: the way to tournaments of every format that has games between two, with a clock or without.
    """
    blueprint = Blueprint(
        "floor", description="The floor: clocks, calls, tables, a player's own game.", may_refuse=("wrong-format",)
    )
    number = f"<int(min=1, max={LARGEST}):round>"

    def run(tournament: str, command: Any, *, fresh: bool = False) -> dict[str, Any]:
        return shown(front.command(tournament, command, fresh=fresh), tournament)

    @blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/start")
    @blueprint.allow(*LEADING)
    @optional_body(blueprint, schemas.StartRound)
    @blueprint.response(201, ReceiptShown)
    @blueprint.versioned()
    @blueprint.may_refuse(*OF_ROUND, "round-already-started", "round-has-absent-players")
    def start_round(body: dict[str, Any], tournament: str, round: int) -> dict[str, Any]:
        """Start the clock of a round; refused while somebody of it has left.

        Whoever lacks an accepted list holds up their own game alone; GET …/rounds/{n}/held lists those games.
        """
        return run(tournament, ask.StartRound(round=round, **body), fresh=True)

    @blueprint.get(f"/tournaments/<id:tournament>/rounds/{number}/held")
    @blueprint.allow(*CREW)
    @blueprint.response(200, answers.HeldGames)
    @blueprint.may_refuse("tournament-unknown", "round-unknown")
    def list_held_games(tournament: str, round: int) -> dict[str, Any]:
        """List the games that did not begin with their round: whose list they wait for, and what sets them going."""
        with front.reading(tournament) as folded:
            return queries.held_shown(folded.state, round_of(folded.state, round))

    @blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/calls")
    @blueprint.allow(*CREW)
    @blueprint.arguments(schemas.CallTime)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OF_ROUND, "round-not-started", "call-out-of-order")
    def call_time(body: dict[str, Any], tournament: str, round: int) -> dict[str, Any]:
        """Make a time call: each once, in the order of the ruleset."""
        return run(tournament, ask.CallTime(round=round, **body))

    @blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/extensions")
    @blueprint.allow(*CREW)
    @blueprint.arguments(schemas.ExtendClock)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OF_ROUND, "round-not-started", "game-unknown", "game-has-result", "time-is-up")
    def extend_clock(body: dict[str, Any], tournament: str, round: int) -> dict[str, Any]:
        """Give a round, or one game of it, more minutes, with a reason."""
        return run(tournament, ask.ExtendClock(round=round, **body))

    @blueprint.get("/tournaments/<id:tournament>/clock")
    @blueprint.response(200, answers_of_time.ClockShown)
    @blueprint.may_refuse("tournament-unknown")
    def show_clock(tournament: str) -> dict[str, Any]:
        """Show the clock of the round that is being played, and which calls are due when."""
        with front.reading(tournament) as folded:
            return queries.clock_shown(folded.state, clock())

    @blueprint.get("/tournaments/<id:tournament>/timetable")
    @blueprint.response(200, answers_of_time.TimetableShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown")
    def show_timetable(tournament: str) -> Any:
        """Show every planned round with its day, length and break, and what the document recommends besides."""
        with front.reading(tournament) as folded:
            return asked.not_modified(front.version(folded)) or timetable_shown(folded.state)

    @blueprint.get("/tournaments/<id:tournament>/tables")
    @blueprint.response(200, answers.TablesShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown")
    def list_tables(tournament: str) -> Any:
        """List the tables of every venue: which game goes on there, or that it is free."""
        with opponents.reading(tournament) as folded:
            return asked.not_modified(opponents.version(folded)) or queries.tables_shown(folded.state)

    @blueprint.get("/tournaments/<id:tournament>/players/<id:player>/pairing")
    @blueprint.response(200, answers.PlayersPairing)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown", "player-unknown", "no-game")
    def show_players_pairing(tournament: str, player: str) -> Any:
        """Show a player's game of the latest round, as a phone wants it."""
        with opponents.reading(tournament) as folded:
            found = queries.players_pairing(folded.state, player)
            return asked.not_modified(opponents.version(folded)) or found

    return blueprint
