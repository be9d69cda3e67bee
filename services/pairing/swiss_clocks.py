"""Round clocks: start, time calls, extensions; the views of the clock and the timetable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Annotated, Any

from msgspec import UNSET, UnsetType, to_builtins

from services.pairing.formats import CallPlanned, CallView, ChessClockView, TimingView
from services.pairing.guards import (
    GameHasResult,
    RoundAlreadyStarted,
    RoundHasAbsentPlayers,
    current_round,
    game_of,
    round_status,
    started_round,
)
from services.pairing.publication import require_published
from shared.formats.options import rounds_if_fixed
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects, one_of
from shared.rules.parts import JUDGES
from shared.shapes import Command, Id, Reason, View, Whole
from shared.swiss.game_parts import Call, ChessClock, advice_on_event
from shared.swiss.games import ruleset_of
from shared.swiss.ranking import refuse_misplaced_players
from shared.swiss.rounds import (
    PlannedRound,
    advice_on_pool,
    hard_stop,
    list_limit,
    round_minutes,
    rounds_band,
    suggested_rounds,
    time_calls,
    timetable,
)
from shared.swiss.ruleset import Ruleset
from shared.tournament.games import MissingList, is_settled, missing_lists
from shared.tournament.guards import Context
from shared.tournament.rounds import (
    ClockExtended,
    Round,
    RoundStarted,
    TimeCalled,
    add_minutes,
    game_ends_at,
    hard_stop_at,
)
from shared.tournament.state import Tournament


class StartRound(Command, frozen=True, kw_only=True):
    """Start the clock of a round."""

    round: int
    minutes: Annotated[int | None, Whole(1, 1440), "Default: the ruleset's duration."] = None
    overtime: Annotated[
        int | None,
        Whole(0, 120),
        "Minutes after the end of the round when every game must stop. Default: the ruleset's.",
    ] = None


class CallTime(Command, frozen=True, kw_only=True):
    """Make a time call."""

    round: int
    call: Annotated[Id, "A call of the ruleset: start, halfway, ten_minutes, end or hard_stop."]


class ExtendClock(Command, frozen=True, kw_only=True):
    """Give a round, or one game, more time."""

    round: int
    minutes: Annotated[int, Whole(1, 600)]
    reason: Reason
    game: Annotated[Id, "Default: the whole round."] = ""


HARD_STOP, END = "hard_stop", "end"


def start(state: Tournament, command: StartRound, context: Context) -> Sequence[Event]:
    """Start the clock of a round.

    Players without an accepted list hold up only their own game (`held`). The start is refused if a player of the round
    has left, if the bracket leads another player there, or if no game could begin.
    Source: AR-TIME-1, AR-AMB-23, DW-TIME-1, FF-TIME-1, FF-REG-3.
    """
    round = current_round(state, command.round)
    if round.status == "started":
        raise RoundAlreadyStarted(f"Round {round.number} has begun.", round=round.number)
    require_published(round)
    absent = absent_players(state, round)
    if absent:
        raise RoundHasAbsentPlayers(
            f"Players of round {round.number} can no longer play; {_advice_on_absent(round)}.",
            players=absent,
        )
    refuse_misplaced_players(state, round)
    held = missing_lists(state, round)
    _refuse_all_held(round, held)
    ruleset = ruleset_of(state.entries)
    minutes = command.minutes or round_minutes(ruleset, list_limit(ruleset))
    return [
        RoundStarted(
            round=round.number,
            minutes=minutes,
            ends_at=add_minutes(context.now, minutes),
            overtime=ruleset.clock.overtime_minutes if command.overtime is None else command.overtime,
            held=[lack.player for lack in held],
        )
    ]


def _advice_on_absent(round: Round) -> str:
    if round.stage == "elimination":
        return "give up their seats: POST …/cut/given-up"
    return "amend the pairings or pair the round again"


def absent_players(state: Tournament, round: Round) -> list[dict[str, str]]:
    """Return the players of a round who have left, with the reason: a status, seat_given_up or dismissed."""
    entries = state.entries
    absent = []
    for seat in round.seats.values():
        for id in seat.players:
            player = entries.players[id]
            reason = player.status if player.status != "active" else ""
            if round.stage == "elimination" and state.rounds.given_up.get(id) == "":
                reason = reason or "seat_given_up"
            if reason:
                absent.append({"player": id, "name": player.name, "reason": reason, "game": seat.game})
        if seat.kind == "spare" and not entries.staff[seat.player_2].active:
            name = entries.staff[seat.player_2].name
            absent.append({"player": seat.player_2, "name": name, "reason": "dismissed", "game": seat.game})
    return absent


def _refuse_all_held(round: Round, held: Sequence[MissingList]) -> None:
    """Raise RoundHasAbsentPlayers if every game of a round would wait for a list."""
    players, games = {lack.player for lack in held}, [seat for seat in round.seats.values() if seat.kind != "bye"]
    if games and all(players.intersection(seat.players) for seat in games):
        raise RoundHasAbsentPlayers(
            f"No game of round {round.number} could begin; players without an accepted list: {len(held)}.",
            players=[{"player": lack.player, "name": lack.name, "reason": lack.reason} for lack in held],
        )


def call(state: Tournament, command: CallTime, context: Context) -> Sequence[Event]:
    """Make a time call of the ruleset: each once, in order, and without skipping a mandatory one.

    Source: FF-TIME-3, FF-TIME-4, FF-TIME-5.
    """
    round = started_round(state, command.round)
    ruleset = ruleset_of(state.entries)
    order = [due.call for due in due_calls(ruleset, round)]
    open_calls = order[1 + max((order.index(made) for made in round.calls if made in order), default=-1) :]
    mandatory = {call_name(call) for call in ruleset.clock.calls if call.mandatory}
    first = next((place for place, name in enumerate(open_calls) if name in mandatory), len(open_calls))
    open_calls = open_calls[: first + 1]
    if command.call not in open_calls:
        raise CallOutOfOrder(
            f"{command.call} cannot be called now.",
            [Fault("/call", command.call, one_of(open_calls) if open_calls else expects("no-call-left"))],
            made=list(round.calls),
            open=open_calls,
        )
    return [TimeCalled(round=round.number, call=command.call)]


def extend(state: Tournament, command: ExtendClock, context: Context) -> Sequence[Event]:
    """Give a round more time before its end is called, or one of its open games."""
    round = started_round(state, command.round)
    if command.game:
        seat = game_of(round, command.game)
        if is_settled(state, seat):
            raise GameHasResult(f"{seat.game} is over.", games=[seat.game])
        ends_at = add_minutes(game_ends_at(round, seat.game), command.minutes)
    else:
        if END in round.calls or HARD_STOP in round.calls:
            raise TimeIsUp(f"The end of round {round.number} was called.", round=round.number)
        ends_at = add_minutes(round.ends_at, command.minutes)
    return [
        ClockExtended(
            round=round.number, minutes=command.minutes, ends_at=ends_at, reason=command.reason, game=command.game
        )
    ]


def due_calls(ruleset: Ruleset, round: Round) -> list[CallView]:
    """Return the calls of a started round in order, with their due times.

    The due times follow the actual duration of the round, including extensions.
    """
    start, end = _moment(round.started_at), _moment(round.ends_at)
    full = round_minutes(ruleset, list_limit(ruleset))
    due = []
    for call in ruleset.clock.calls:
        if call.percent is not None:
            at = start + (end - start) * call.percent / 100
        elif call.minutes_before_end >= full:
            at = start
        else:
            at = max(start, end - timedelta(minutes=call.minutes_before_end))
        due.append((at, call_name(call)))
    if round.overtime is not None:
        due.append((end + timedelta(minutes=round.overtime), HARD_STOP))
    due.sort(key=lambda pair: pair[0])
    return [CallView(call=name, due_at=_text(at), made=name in round.calls) for at, name in due]


def call_name(call: Call) -> str:
    """Return the name of a call in commands and events."""
    return call.name.replace(" ", "_")


def planned_calls(ruleset: Ruleset) -> list[tuple[str, int]]:
    """Return the calls of a round before its start, as (name, seconds after the start)."""
    limit = list_limit(ruleset)
    planned = [(due.name.replace(" ", "_"), due.second) for due in time_calls(ruleset, limit)]
    stop = hard_stop(ruleset, limit)
    return planned if stop is None else [*planned, (HARD_STOP, stop)]


def seconds_between(now: str, then: str) -> int:
    """Return the seconds between two times, rounded; negative if `then` is past."""
    return round((_moment(then) - _moment(now)).total_seconds())


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class PlannedRoundView(View, frozen=True, kw_only=True):
    """A round of the timetable."""

    round: int
    day: int
    date: Annotated[str, "Empty if the tournament has no start date."]
    stage: str
    status: Annotated[str, "planned, draft, paired, started or closed."]
    minutes: int
    break_minutes: int


class SlotView(View, frozen=True, kw_only=True):
    """Time of a day outside the rounds, such as registration."""

    name: str
    least: Annotated[int, "Minimum minutes; 0: the document gives none."]
    most: Annotated[int, "Maximum minutes; 0: the document gives none."]
    clause: str


class DayView(View, frozen=True, kw_only=True):
    """A day of the event."""

    day: int
    date: Annotated[str, "Empty if the tournament has no start date."]
    rounds: list[int]
    minutes: Annotated[int, "Minutes of the rounds and their breaks."]
    least: Annotated[int, "`minutes` plus the shortest slots."]
    most: Annotated[int, "`minutes` plus the longest slots."]


class AdviceView(View, frozen=True, kw_only=True):
    """A recommendation of the document that the event does not follow."""

    said: Annotated[str, "The value of this event."]
    expected: Annotated[str, "The recommendation, as an English sentence."]
    clause: str
    code: Annotated[str | UnsetType, "The recommendation, as a stable code."] = UNSET
    data: Annotated[dict[str, Any] | UnsetType, "The values in `expected`, by name."] = UNSET


class TimetableView(View, frozen=True, kw_only=True):
    """The rounds of an event by day."""

    planned: Annotated[int | None, "The number of rounds; null: not fixed yet."]
    suggested: Annotated[int | None, "A number of rounds while none is fixed. It does not come from a rules document."]
    rounds: list[PlannedRoundView]
    days: list[DayView]
    slots: list[SlotView]
    advice: list[AdviceView]


def timetable_view(state: Tournament) -> TimetableView:
    """Return the planned rounds by day, other time slots, and recommendations that the event does not follow."""
    entries, rows = state.entries, timetable_rows(state)
    ruleset = ruleset_of(entries)
    slots = ruleset.clock.slots
    days = []
    for day in sorted({row.day for row in rows}):
        own = [row for row in rows if row.day == day]
        minutes = sum(row.minutes + row.break_minutes for row in own)
        days.append(
            DayView(
                day=day,
                date=_date(entries.starts_on, day),
                rounds=[row.round for row in own],
                minutes=minutes,
                least=minutes + sum(slot.least for slot in slots),
                most=minutes + sum(slot.most for slot in slots),
            )
        )
    planned = rounds_if_fixed(state)
    return TimetableView(
        planned=planned,
        suggested=suggested_rounds(_players(state)) if planned is None else None,
        rounds=[
            PlannedRoundView(
                round=row.round,
                day=row.day,
                date=_date(entries.starts_on, row.day),
                stage=row.stage,
                status=_status(state, row.round),
                minutes=row.minutes,
                break_minutes=row.break_minutes,
            )
            for row in rows
        ],
        days=days,
        slots=[SlotView(name=slot.name, least=slot.least, most=slot.most, clause=slot.clause) for slot in slots],
        advice=[
            AdviceView(
                said=fault.said,
                expected=str(fault.expected),
                clause=fault.clause,
                code=fault.code,
                data=to_builtins(fault.data),
            )
            for fault in _advice(state, ruleset, len(days))
        ],
    )


def timetable_rows(state: Tournament) -> list[PlannedRound]:
    """Return the planned rounds; none while their number is not fixed."""
    planned = rounds_if_fixed(state)
    if planned is None:
        return []
    return timetable(ruleset_of(state.entries), planned, _players(state), cut_after=state.rounds.cut_after)


def _players(state: Tournament) -> int:
    """Return the number of players that determines the number of rounds (AR-AMB-24).

    Those of the first pairing; before it, players with a seat.
    """
    first = state.rounds.rounds.get(1)
    return sum(len(seat.players) for seat in first.seats.values()) if first else state.entries.seated()


def _status(state: Tournament, number: int) -> str:
    round = state.rounds.rounds.get(number)
    return round_status(state, round) if round else "planned"


def _date(starts_on: str, day: int) -> str:
    return (date.fromisoformat(starts_on) + timedelta(days=day - 1)).isoformat() if starts_on else ""


def _advice(state: Tournament, ruleset: Ruleset, days: int) -> Iterator[Fault]:
    """Yield the recommendations of the document that the event does not follow."""
    entries = state.entries
    if entries.starts_on and entries.ends_on and days > 1:
        played = (date.fromisoformat(entries.ends_on) - date.fromisoformat(entries.starts_on)).days + 1
        if played < days:
            yield Fault("/ends_on", str(played), expects("days", days=days), ruleset.rounds.cites("days"))
    judges = [member for member in entries.staff.values() if member.active and member.role in JUDGES]
    if ruleset.staff and ruleset.staff.neutral_advised and judges and all(member.player for member in judges):
        yield Fault("", "0", expects("referee-who-does-not-play"), ruleset.staff.cites("neutral_advised"))
    limit, extra = list_limit(ruleset), ruleset.clock.extra_minutes
    of_event = advice_on_event(ruleset.advice, list_limit=limit, players=_players(state), extra_minutes=extra)
    yield from (*of_event, *advice_on_pool(ruleset))
    band = rounds_band(ruleset, _players(state))
    if band is None and ruleset.rounds.table:
        first, last = ruleset.rounds.table[0].least, ruleset.rounds.table[-1].most
        expected = expects("players-of-table", least=first, most=last)
        yield Fault("", str(_players(state)), expected, ruleset.rounds.cites("outside"))


TIMED = ("minutes", "game_rounds", "at_time", "overtime_minutes", "break_minutes", "early_set_up")


class ExtendedGame(View, frozen=True, kw_only=True):
    """A game with an extension."""

    game: str
    ends_at: str


class ClockView(View, frozen=True, kw_only=True):
    """The clock of the round that is being played."""

    running: Annotated[bool, "False: no round is being played."]
    timing: Annotated[TimingView | UnsetType, "Only while the clock runs."] = UNSET
    now: Annotated[str, "The service's time, so that clients can correct their own clock."]
    round: int | None
    started_at: str | UnsetType = UNSET
    ends_at: str | UnsetType = UNSET
    remaining_seconds: Annotated[int | UnsetType, "Negative after the end."] = UNSET
    overtime_minutes: int | UnsetType | None = UNSET
    hard_stop_at: str | UnsetType | None = UNSET
    calls: list[CallView] | UnsetType = UNSET
    extended: Annotated[list[ExtendedGame] | UnsetType, "Games with an extension."] = UNSET


def timing_view(state: Tournament, round: Round) -> TimingView:
    """Return the time of a round: planned values before its start, actual values afterwards."""
    ruleset = ruleset_of(state.entries)
    clock, started = ruleset.clock, round.status == "started"
    planned = {row.round: row.day for row in timetable_rows(state)}
    return TimingView(
        day=planned.get(round.number, 1),
        minutes=round.minutes if started else round_minutes(ruleset, list_limit(ruleset)),
        game_rounds=clock.game_rounds,
        at_time=clock.at_time,
        overtime_minutes=round.overtime if started else clock.overtime_minutes,
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
            for due in due_calls(ruleset, round)
        ]
        if started
        else [CallPlanned(call=call, second=second, due_at="", made=False) for call, second in planned_calls(ruleset)],
        words=time_words(ruleset),
        clauses={name: clock.cites(name) for name in TIMED},
    )


def time_words(ruleset: Ruleset) -> dict[str, str]:
    """Return the display texts of `game_rounds` and `at_time`."""
    game_round = ruleset.effective_words.game_round
    at_time = {
        "finish_game_round": f"the {game_round} that has begun is finished",
        "finish_turn": "the turn that has begun is finished",
        "stop_now": "play stops at once",
    }
    return {"game_rounds": f"{game_round}s", "at_time": at_time[ruleset.clock.at_time]}


def chess_clock_view(clock: ChessClock | None) -> ChessClockView | None:
    """Return the view of the players' chess clocks; None without them (FF-TIME-7, FF-TIME-8, FF-AMB-23)."""
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
    """Return the clock of the round that is being played."""
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
        hard_stop_at=hard_stop_at(round),
        calls=due_calls(ruleset_of(state.entries), round),
        extended=[
            ExtendedGame(game=game, ends_at=game_ends_at(round, game)) for game in round.extended if game in round.seats
        ],
    )


class CallOutOfOrder(Refusal):
    """The ruleset has no such call, it was made already, or it is not the next one."""

    code = "call-out-of-order"


class TimeIsUp(Refusal):
    """The end of the round was called; only single games may get more time."""

    code = "time-is-up"
