"""The time of rounds as it is shown: how long, what is called when, and the clock of the round that is being played."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType

from services.pairing.swiss.clocks import calls_of, planned_calls, seconds_between
from services.pairing.swiss.timetable import rows_of
from services.pairing.tournament.views_time import CallPlanned, CallView, ChessClockView, TimingView
from shared.shapes import View
from shared.swiss.game_parts import ChessClock
from shared.swiss.games import ruleset_of
from shared.swiss.rounds import list_limit, round_minutes
from shared.swiss.ruleset import Ruleset
from shared.tournament.rounds import Round, end_of, hard_stop_of
from shared.tournament.state import Tournament

TIMED = ("minutes", "game_rounds", "at_time", "overtime_minutes", "break_minutes", "early_set_up")


class ExtendedGame(View, frozen=True, kw_only=True):
    """A game with more time than its round."""

    game: str
    ends_at: str


class ClockView(View, frozen=True, kw_only=True):
    """The clock of the round that is being played; `running` false: there is none."""

    running: bool
    timing: Annotated[TimingView | UnsetType, "While it runs."] = UNSET
    now: Annotated[str, "The service's time, to set a phone's clock by."]
    round: int | None
    started_at: str | UnsetType = UNSET
    ends_at: str | UnsetType = UNSET
    remaining_seconds: Annotated[int | UnsetType, "Below zero after the end."] = UNSET
    overtime_minutes: int | UnsetType | None = UNSET
    hard_stop_at: str | UnsetType | None = UNSET
    calls: list[CallView] | UnsetType = UNSET
    extended: Annotated[list[ExtendedGame] | UnsetType, "Games with more time than the round."] = UNSET


def timing_view(state: Tournament, round: Round) -> TimingView:
    """The time of a round: as the ruleset has it, and once it has begun as it is."""
    ruleset = ruleset_of(state.entries)
    clock, begun = ruleset.clock, round.status == "started"
    planned = {row.round: row.day for row in rows_of(state)}
    return TimingView(
        day=planned.get(round.number, 1),
        minutes=round.minutes if begun else round_minutes(ruleset, list_limit(ruleset)),
        game_rounds=clock.game_rounds,
        at_time=clock.at_time,
        overtime_minutes=round.overtime if begun else clock.overtime_minutes,
        break_minutes=clock.break_minutes,
        early_set_up=clock.early_set_up,
        chess_clock=chess_clock_view(clock.chess_clock),
        calls=[
            CallPlanned(
                call=due.call,
                due_at=due.due_at,
                made=due.made,
                second=seconds_between(round.started_at, due.due_at),
            )
            for due in calls_of(ruleset, round)
        ]
        if begun
        else [CallPlanned(call=call, second=second, due_at="", made=False) for call, second in planned_calls(ruleset)],
        words=words_of_time(ruleset),
        clauses={name: clock.cites(name) for name in TIMED},
    )


def words_of_time(ruleset: Ruleset) -> dict[str, str]:
    """What people call the parts of a game, and what `at_time` means for them."""
    game_round = ruleset.called.game_round
    at_time = {
        "finish_game_round": f"the {game_round} that has begun is finished",
        "finish_turn": "the turn that has begun is finished",
        "stop_now": "play stops at once",
    }
    return {"game_rounds": f"{game_round}s", "at_time": at_time[ruleset.clock.at_time]}


def chess_clock_view(clock: ChessClock | None) -> ChessClockView | None:
    """The players' own clocks, where there are any (FF-TIME-7, FF-TIME-8, FF-AMB-23)."""
    if clock is None or clock.use == "none":
        return None
    return ChessClockView(
        use=clock.use,
        minutes_each=clock.minutes_each,
        set_up_minutes=clock.set_up_minutes,
        at_zero=clock.at_zero,
        clause=clock.clause,
    )


def clock_view(state: Tournament, now: str) -> ClockView:
    """The clock of the round that is being played."""
    round = state.rounds.latest()
    if round is None or round.status != "started" or round.number in state.results.closed:
        return ClockView(running=False, now=now, round=None)
    return ClockView(
        running=True,
        timing=timing_view(state, round),
        now=now,
        round=round.number,
        started_at=round.started_at,
        ends_at=round.ends_at,
        remaining_seconds=seconds_between(now, round.ends_at),
        overtime_minutes=round.overtime,
        hard_stop_at=hard_stop_of(round),
        calls=calls_of(ruleset_of(state.entries), round),
        extended=[
            ExtendedGame(game=game, ends_at=end_of(round, game)) for game in round.extended if game in round.seats
        ],
    )
