"""Round clocks: start, time calls, extensions; the views of the clock and the timetable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Annotated, Any

from msgspec import UNSET, UnsetType, to_builtins

from services.pairing.formats import CallPlanned, CallView, ChessClockView, TimingView
from services.pairing.guards import (
    GameHasResult,
    GameUnknown,
    RoundAlreadyStarted,
    RoundHasAbsentPlayers,
    RoundNotStarted,
    current_parts,
    game_of,
    round_status,
    started_parts,
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
from shared.tournament.guards import Context, require_venue
from shared.tournament.parts import describe_parts, players_of_first_round
from shared.tournament.rounds import (
    WHOLE,
    Clock,
    ClockExtended,
    Round,
    RoundStarted,
    Seat,
    TimeCalled,
    add_minutes,
    game_ends_at,
)
from shared.tournament.state import Tournament

OfPart = Annotated[Id, "The venue whose part of the round is meant. Default: all parts that are not done yet."]


class StartRound(Command, frozen=True, kw_only=True):
    """Start the clock of a round, or of its part at one venue."""

    round: int
    venue: OfPart = ""
    minutes: Annotated[int | None, Whole(1, 1440), "Default: the ruleset's duration."] = None
    overtime: Annotated[
        int | None,
        Whole(0, 120),
        "Minutes after the end of the round when every game must stop. Default: the ruleset's.",
    ] = None


class CallTime(Command, frozen=True, kw_only=True):
    """Make a time call."""

    round: int
    venue: OfPart = ""
    call: Annotated[Id, "A call of the ruleset: start, halfway, ten_minutes, end or hard_stop."]


class ExtendClock(Command, frozen=True, kw_only=True):
    """Give a round, its part at one venue, or one game, more time."""

    round: int
    venue: OfPart = ""
    minutes: Annotated[int, Whole(1, 600)]
    reason: Reason
    game: Annotated[Id, "Default: the whole round."] = ""


HARD_STOP, END = "hard_stop", "end"


def start(state: Tournament, command: StartRound, context: Context) -> Sequence[Event]:
    """Start the clock of a round, or of its part at one venue.

    Players without an accepted list hold up only their own game (`held`). The start is refused if a player of a part
    has left, if the bracket leads another player there, or if no game of a part could begin.
    Source: AR-TIME-1, AR-AMB-23, DW-TIME-1, FF-TIME-1, FF-REG-3.
    """
    round, current = current_parts(state, command.round, command.venue)
    parts = [part for part in current if round.clock_of(part) is None]
    if not parts:
        raise RoundAlreadyStarted(
            f"Round {round.number} has begun{describe_parts(round, current)}.", round=round.number
        )
    require_published(round, parts)
    whole = parts == round.parts  # with the byes of players at no venue, who belong to no part
    seats = list(round.seats.values()) if whole else [seat for part in parts for seat in round.seats_of(part)]
    absent = absent_players(state, round, seats)
    if absent:
        raise RoundHasAbsentPlayers(
            f"Players of round {round.number} can no longer play; {_advice_on_absent(round)}.",
            players=absent,
        )
    refuse_misplaced_players(state, round)
    missing = missing_lists(state, round)
    for part in parts:
        _refuse_all_held(round, part, missing)
    ruleset = ruleset_of(state.entries)
    minutes = command.minutes or round_minutes(ruleset, list_limit(ruleset))

    def started(venue: str, seats: Sequence[Seat]) -> RoundStarted:
        players = {player for seat in seats for player in seat.players}
        return RoundStarted(
            round=round.number,
            minutes=minutes,
            ends_at=add_minutes(context.now, minutes),
            overtime=ruleset.clock.overtime_minutes if command.overtime is None else command.overtime,
            held=[lack.player for lack in missing if lack.player in players],
            venue=venue,
        )

    if whole and not command.venue:
        return [started(WHOLE, seats)]
    return [started(part, round.seats_of(part)) for part in parts]


def _advice_on_absent(round: Round) -> str:
    if round.stage == "elimination":
        return "give up their seats: POST …/cut/given-up"
    return "amend the pairings or pair the round again"


def absent_players(state: Tournament, round: Round, seats: Sequence[Seat]) -> list[dict[str, str]]:
    """Return the players of some pairings of a round who have left, with the reason: a status, seat_given_up or
    dismissed."""
    entries = state.entries
    absent = []
    for seat in seats:
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


def _refuse_all_held(round: Round, part: str, held: Sequence[MissingList]) -> None:
    """Raise RoundHasAbsentPlayers if every game of a part would wait for a list."""
    games = [seat for seat in round.seats_of(part) if seat.kind != "bye"]
    players = {player for seat in games for player in seat.players}
    held = [lack for lack in held if lack.player in players]
    waiting = {lack.player for lack in held}
    if games and all(waiting.intersection(seat.players) for seat in games):
        raise RoundHasAbsentPlayers(
            f"No game of round {round.number}{describe_parts(round, [part])} could begin; players without an accepted"
            f" list: {len(held)}.",
            players=[{"player": lack.player, "name": lack.name, "reason": lack.reason} for lack in held],
        )


def call(state: Tournament, command: CallTime, context: Context) -> Sequence[Event]:
    """Make a time call of the ruleset: each once, in order, and without skipping a mandatory one.

    Without a venue, parts where the call was made already are left as they are.
    Source: FF-TIME-3, FF-TIME-4, FF-TIME-5.
    """
    round, parts = started_parts(state, command.round, command.venue)
    due = [part for part in parts if command.call not in _clock(round, part).calls] or parts
    for part in due:
        _require_open_call(ruleset_of(state.entries), round, part, command.call)
    return [TimeCalled(round=round.number, call=command.call, venue=venue) for venue in _recorded_venues(round, due)]


def _require_open_call(ruleset: Ruleset, round: Round, part: str, call: str) -> None:
    """Raise CallOutOfOrder unless a call can be made in a part now."""
    made = _clock(round, part).calls
    order = [due.call for due in due_calls(ruleset, _clock(round, part))]
    open_calls = order[1 + max((order.index(name) for name in made if name in order), default=-1) :]
    mandatory = {call_name(call) for call in ruleset.clock.calls if call.mandatory}
    first = next((place for place, name in enumerate(open_calls) if name in mandatory), len(open_calls))
    open_calls = open_calls[: first + 1]
    if call not in open_calls:
        raise CallOutOfOrder(
            f"{call} cannot be called{describe_parts(round, [part])} now.",
            [Fault("/call", call, one_of(open_calls) if open_calls else expects("no-call-left"))],
            made=list(made),
            open=open_calls,
        )


def _clock(round: Round, part: str) -> Clock:
    """Return the clock of a started part."""
    clock = round.clock_of(part)
    assert clock is not None, "the part has started"
    return clock


def _recorded_venues(round: Round, parts: Sequence[str]) -> list[str]:
    """Return the venues of the events that change these parts: WHOLE if all parts share one clock."""
    return [WHOLE] if list(round.clocks) == [WHOLE] and list(parts) == round.parts else list(parts)


def extend(state: Tournament, command: ExtendClock, context: Context) -> Sequence[Event]:
    """Give a round, or its part at one venue, more time before its end is called, or one of its open games."""
    round, parts = started_parts(state, command.round, "" if command.game else command.venue)

    def extended(ends_at: str, *, game: str = "", venue: str = "") -> ClockExtended:
        ends_at = add_minutes(ends_at, command.minutes)
        return ClockExtended(
            round=round.number, minutes=command.minutes, ends_at=ends_at, reason=command.reason, game=game, venue=venue
        )

    if command.game:
        seat = game_of(round, command.game)
        if command.venue not in ("", seat.venue):
            fault = Fault("/venue", command.venue, one_of([seat.venue] if seat.venue else []))
            raise GameUnknown(f"{seat.game} is not played at {command.venue}.", [fault])
        if is_settled(state, seat):
            raise GameHasResult(f"{seat.game} is over.", games=[seat.game])
        if not round.clock_of(seat.venue):
            raise RoundNotStarted(f"Round {round.number} has not started at {seat.venue}.", round=round.number)
        return [extended(game_ends_at(round, seat.game), game=seat.game)]
    running = [part for part in parts if not {END, HARD_STOP}.intersection(_clock(round, part).calls)]
    if not running:
        raise TimeIsUp(f"The end of round {round.number} was called{describe_parts(round, parts)}.", round=round.number)
    venues = _recorded_venues(round, running)
    return [extended(_clock(round, venue).ends_at, venue=venue) for venue in venues]


def due_calls(ruleset: Ruleset, clock: Clock) -> list[CallView]:
    """Return the calls of a running clock in order, with their due times.

    The due times follow the actual duration of the round, including extensions.
    """
    start, end = _moment(clock.started_at), _moment(clock.ends_at)
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
    if clock.overtime is not None:
        due.append((end + timedelta(minutes=clock.overtime), HARD_STOP))
    due.sort(key=lambda pair: pair[0])
    return [CallView(call=name, due_at=_text(at), made=name in clock.calls) for at, name in due]


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
        suggested=suggested_rounds(players_of_first_round(state)) if planned is None else None,
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
    return timetable(
        ruleset_of(state.entries), planned, players_of_first_round(state), cut_after=state.rounds.cut_after
    )


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
    of_event = advice_on_event(
        ruleset.advice, list_limit=limit, players=players_of_first_round(state), extra_minutes=extra
    )
    yield from (*of_event, *advice_on_pool(ruleset))
    band = rounds_band(ruleset, players_of_first_round(state))
    if band is None and ruleset.rounds.table:
        first, last = ruleset.rounds.table[0].least, ruleset.rounds.table[-1].most
        expected = expects("players-of-table", least=first, most=last)
        yield Fault("", str(players_of_first_round(state)), expected, ruleset.rounds.cites("outside"))


TIMED = ("minutes", "game_rounds", "at_time", "overtime_minutes", "break_minutes", "early_set_up")


class ExtendedGame(View, frozen=True, kw_only=True):
    """A game with an extension."""

    game: str
    ends_at: str


class PartClock(View, frozen=True, kw_only=True):
    """The clock of a round at one venue."""

    venue: str
    name: Annotated[str, "The name of the venue."]
    round: int
    started_at: str
    ends_at: str
    remaining_seconds: Annotated[int, "Negative after the end."]
    overtime_minutes: int | None
    hard_stop_at: str | None
    calls: list[CallView]


class ClockView(View, frozen=True, kw_only=True):
    """The clock of the round that is being played. If venues have different clocks, the one that ends last."""

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
    parts: Annotated[list[PartClock] | UnsetType, "The running clock of each venue, in the order of venues."] = UNSET


def timing_view(state: Tournament, round: Round, clock: Clock | None = None) -> TimingView:
    """Return the time of a round: planned values before its start, actual values afterwards.

    clock: that of a part; default: the one that ends last.
    """
    ruleset = ruleset_of(state.entries)
    rules, clock = ruleset.clock, clock or round.clock
    planned = {row.round: row.day for row in timetable_rows(state)}
    return TimingView(
        day=planned.get(round.number, 1),
        minutes=clock.minutes if clock else round_minutes(ruleset, list_limit(ruleset)),
        game_rounds=rules.game_rounds,
        at_time=rules.at_time,
        overtime_minutes=clock.overtime if clock else rules.overtime_minutes,
        break_minutes=rules.break_minutes,
        early_set_up=rules.early_set_up,
        chess_clock=chess_clock_view(rules.chess_clock),
        calls=[
            CallPlanned(
                call=due.call,
                due_at=due.due_at,
                made=due.made,
                second=seconds_between(clock.started_at, due.due_at),
            )
            for due in due_calls(ruleset, clock)
        ]
        if clock
        else [CallPlanned(call=call, second=second, due_at="", made=False) for call, second in planned_calls(ruleset)],
        words=time_words(ruleset),
        clauses={name: rules.cites(name) for name in TIMED},
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


def clock_view(state: Tournament, now: str, venue: str = "") -> ClockView:
    """Return the clock of the round that is being played; that of one venue, if it is named. Raises UnknownVenue."""
    require_venue(state.entries, venue)
    running = running_clocks(state, venue)
    if not running:
        return ClockView(running=False, now=now, round=None)
    round, _, clock = max(running, key=lambda part: part[2].ends_at)
    ruleset = ruleset_of(state.entries)
    return ClockView(
        running=True,
        timing=timing_view(state, round, clock),
        now=now,
        round=round.number,
        started_at=clock.started_at,
        ends_at=clock.ends_at,
        remaining_seconds=seconds_between(now, clock.ends_at),
        overtime_minutes=clock.overtime,
        hard_stop_at=clock.hard_stop_at,
        calls=due_calls(ruleset, clock),
        extended=[
            ExtendedGame(game=game, ends_at=game_ends_at(round, game))
            for game in round.extended
            if game in round.seats and venue in ("", round.seats[game].venue)
        ],
        parts=[
            PartClock(
                venue=part,
                name=state.entries.venues[part].name,
                round=round.number,
                started_at=clock.started_at,
                ends_at=clock.ends_at,
                remaining_seconds=seconds_between(now, clock.ends_at),
                overtime_minutes=clock.overtime,
                hard_stop_at=clock.hard_stop_at,
                calls=due_calls(ruleset, clock),
            )
            for round, part, clock in running
            if part
        ],
    )


def running_clocks(state: Tournament, venue: str = "") -> list[tuple[Round, str, Clock]]:
    """Return the round, the venue and the clock of each part that is being played; of one venue, if it is named."""
    order = list(state.entries.venues)
    running = [
        (round, part, clock)
        for round in state.rounds.rounds.values()
        if round.number not in state.results.closed and round.has_started
        for part in round.parts
        if (clock := round.clock_of(part)) and not state.results.is_closed(round.number, part)
        if venue in ("", part) or part == WHOLE
    ]
    return sorted(running, key=lambda part: order.index(part[1]) if part[1] in order else -1)


class CallOutOfOrder(Refusal):
    """The ruleset has no such call, it was made already, or it is not the next one."""

    code = "call-out-of-order"


class TimeIsUp(Refusal):
    """The end of the round was called; only single games may get more time."""

    code = "time-is-up"
