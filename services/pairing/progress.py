"""Progress of a round: for each venue its games, its pace, and a forecast of its last result.

The forecast is a pure function of the times of results, the clock and the current time. It says what it rests on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, Literal

from msgspec import UNSET, Struct, UnsetType

from shared.shapes import View
from shared.tournament.games import GameStatus, game_status, is_settled
from shared.tournament.parts import part_status
from shared.tournament.rounds import Round, Seat, add_minutes, game_ends_at
from shared.tournament.state import WAITING, Tournament, calls_of

LATELY = 15
"""Minutes that the pace looks back, or since the start of the part if that is less."""
ENOUGH, SHORTEST = 3, 5
"""Results in that time, and minutes, without which there is no forecast."""

Basis = Literal["pace", "clock"]


class Pace(Struct, frozen=True):
    """The results of the last minutes."""

    results: int
    minutes: int


class Forecast(Struct, frozen=True):
    """When the last result is expected, RFC 3339, UTC.

    - `basis`: `pace` if the results keep coming as lately; `clock` if time is called before that.
    - `open`: the games without a result.
    """

    ends_at: str
    basis: Basis
    pace: Pace
    open: int


def pace_of(results: Sequence[str], started_at: str, now: str) -> Pace:
    """Return the results of the last LATELY minutes, or since the start. results: the times at which they came."""
    moment = datetime.fromisoformat(now)
    since = max(datetime.fromisoformat(started_at), moment - timedelta(minutes=LATELY))
    minutes = max(1, round((moment - since) / timedelta(minutes=1)))
    return Pace(sum(since < datetime.fromisoformat(time) <= moment for time in results), minutes)


def forecast_end(pace: Pace, open: int, time_up_at: str, now: str) -> Forecast | None:
    """Return when the last result is expected; None without open games, and before ENOUGH results or minutes.

    open: the games without a result. time_up_at: the time at which the last of them has to stop. The open games take as
    long as the pace says, but games do not outlast the clock: before it ends, the forecast is not later than its end.
    """
    if not open or pace.results < ENOUGH or pace.minutes < SHORTEST:
        return None
    by_pace = add_minutes(now, -(-open * pace.minutes // pace.results))
    if now < time_up_at < by_pace:
        return Forecast(time_up_at, "clock", pace, open)
    return Forecast(by_pace, "pace", pace, open)


class PaceView(View, frozen=True, kw_only=True):
    """The pace of results."""

    results: Annotated[int, "The results of the last minutes."]
    minutes: Annotated[int, "The minutes that were looked at, at most 15."]
    per_minute: Annotated[str, "Results per minute, as a decimal: `0.4`."]


class ForecastView(View, frozen=True, kw_only=True):
    """When the last result of a venue is expected. It rests on the pace, the open games and the clock."""

    ends_at: Annotated[str, "RFC 3339, UTC."]
    basis: Annotated[Basis, "`pace`: if results keep coming as lately. `clock`: time is called before that."]
    open: Annotated[int, "The games without a result that it counts."]


class VenueProgress(View, frozen=True, kw_only=True):
    """The progress of the part of a round at one venue."""

    venue: Annotated[str, "Empty: the games are at no venue."]
    name: Annotated[str, "The name of the venue."]
    time_zone: Annotated[str | UnsetType, "The IANA name of its time zone. Absent: not set."] = UNSET
    status: Annotated[str, "`draft`, `paired`, `started`, `aside` (the others go on without it) or `closed`."]
    games: Annotated[int, "The number of games, without byes."]
    settled: Annotated[int, "Games whose result counts."]
    reported: Annotated[int, "Games with a report that nobody has confirmed."]
    disputed: int
    open: Annotated[int, "Games without a report."]
    calls_waiting: Annotated[int | UnsetType, "Calls of judges that nobody has taken. Only for staff."] = UNSET
    last_result_at: Annotated[str, "When the latest result was first reported. Empty: none yet."]
    started_at: Annotated[str, "Empty: it has not started."]
    ends_at: Annotated[str, "When time is called. Empty: it has not started."]
    minutes_over: Annotated[
        int, "Minutes since then while a started venue has games that are not settled; 0 otherwise."
    ]
    pace: Annotated[PaceView | None, "null: it has not started, or it is over."]
    forecast: Annotated[
        ForecastView | None,
        "null: no game is open, or there is too little to go by: less than three results in the last fifteen minutes,"
        " or less than five minutes.",
    ]


class RoundProgress(View, frozen=True, kw_only=True):
    """The progress of a round, venue by venue."""

    round: int
    stage: str
    status: Annotated[str, "`draft`, `paired`, `started` or `closed`."]
    now: Annotated[str, "The time of the service for which this is true; RFC 3339, UTC."]
    items: Annotated[list[VenueProgress], "In the order of venues."]


def progress_view(
    state: Tournament, round: Round, status: str, now: str, venue: str = "", *, with_calls: bool
) -> RoundProgress:
    """Return the progress of a round. venue: the only one to return; empty: all. with_calls: include judge calls."""
    order = list(state.entries.venues)
    parts = [part for part in round.parts if venue in ("", part)]
    return RoundProgress(
        round=round.number,
        stage=round.stage,
        status=status,
        now=now,
        items=[
            venue_progress(state, round, part, now, with_calls=with_calls)
            for part in sorted(parts, key=lambda part: order.index(part) if part in order else -1)
        ],
    )


def venue_progress(state: Tournament, round: Round, part: str, now: str, *, with_calls: bool) -> VenueProgress:
    """Return the progress of a part of a round."""
    venue, clock = state.entries.venues.get(part), round.clock_of(part)
    games = [seat for seat in round.seats_of(part) if seat.kind != "bye"]
    count: Counter[GameStatus] = Counter(game_status(state, seat) for seat in games)
    settled = sum(is_settled(state, seat) for seat in games)
    times = result_times(state, games)
    status = part_status(state, round, part)
    pace = pace_of(times, clock.started_at, now) if clock and status == "started" else None
    forecast = None
    if pace is not None:
        forecast = forecast_end(pace, count["open"], _time_up_at(state, round, part, games), now)
    return VenueProgress(
        venue=part,
        name=venue.name if venue else "",
        time_zone=(venue.time_zone if venue else "") or UNSET,
        status=status,
        games=len(games),
        settled=settled,
        reported=count["reported"],
        disputed=count["disputed"],
        open=count["open"],
        calls_waiting=_calls_waiting(state, round, part) if with_calls else UNSET,
        last_result_at=max(times, default=""),
        started_at=clock.started_at if clock else "",
        ends_at=clock.ends_at if clock else "",
        minutes_over=_minutes_since(clock.ends_at, now)
        if clock and status == "started" and settled < len(games)
        else 0,
        pace=pace_view(pace) if pace else None,
        forecast=ForecastView(ends_at=forecast.ends_at, basis=forecast.basis, open=forecast.open) if forecast else None,
    )


def result_times(state: Tournament, games: Sequence[Seat]) -> list[str]:
    """Return the times at which the results of games were first reported."""
    results = state.results.results
    return [results[seat.game].first_reported_at for seat in games if seat.game in results]


def pace_view(pace: Pace) -> PaceView:
    """Return the view of a pace."""
    tenths = round(10 * pace.results / pace.minutes)
    return PaceView(results=pace.results, minutes=pace.minutes, per_minute=f"{tenths // 10}.{tenths % 10}")


def _time_up_at(state: Tournament, round: Round, part: str, games: Sequence[Seat]) -> str:
    """Return when the last open game of a started part has to stop: at its end, or at the hard stop after it."""
    clock = round.clock_of(part)
    ends = [game_ends_at(round, seat.game) for seat in games if game_status(state, seat) == "open"]
    last = max(ends, default="")
    return add_minutes(last, clock.overtime) if last and clock and clock.overtime else last


def _calls_waiting(state: Tournament, round: Round, part: str) -> int:
    calls = calls_of(state).values()
    return sum(call.status == WAITING and call.round == round.number and part in ("", call.venue) for call in calls)


def _minutes_since(then: str, now: str) -> int:
    minutes = (datetime.fromisoformat(now) - datetime.fromisoformat(then)) // timedelta(minutes=1)
    return max(0, minutes)
