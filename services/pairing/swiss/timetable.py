"""The time of rounds as it is shown: how long, what is called when, on which day, and what a document recommends."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from msgspec.structs import asdict

from services.pairing.swiss.clocks import calls_of, hard_stop_of, planned_calls, seconds_between
from services.pairing.tournament.state import end_of
from shared.formats.by_format import rounds_if_fixed
from shared.formats.swiss.rules.event_parts import ChessClock, advice_on_event
from shared.formats.swiss.rules.rounds import (
    PlannedRound,
    advice_on_pool,
    band_of,
    list_limit,
    round_minutes,
    suggested_rounds,
    timetable,
)
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.ruleset import ruleset_of
from shared.rules.staff import JUDGES
from shared.rules.words import PLAIN
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament

TIMED = ("minutes", "game_rounds", "at_time", "overtime_minutes", "break_minutes", "early_set_up")


def timing_view(state: Tournament, round: Round) -> dict[str, Any]:
    """The time of a round: as the ruleset has it, and once it has begun as it is."""
    ruleset = ruleset_of(state.entries)
    clock, begun = ruleset.clock, round.status == "started"
    if begun:
        calls = [
            {
                "call": due.call,
                "second": seconds_between(round.started_at, due.due_at),
                "due_at": due.due_at,
                "made": due.made,
            }
            for due in calls_of(ruleset, round)
        ]
    else:
        calls = [
            {"call": call, "second": second, "due_at": "", "made": False} for call, second in planned_calls(ruleset)
        ]
    planned = {row.round: row.day for row in _rows(state)}
    return {
        "day": planned.get(round.number, 1),
        "minutes": round.minutes if begun else round_minutes(ruleset, list_limit(ruleset)),
        "game_rounds": clock.game_rounds,
        "at_time": clock.at_time,
        "overtime_minutes": round.overtime if begun else clock.overtime_minutes,
        "break_minutes": clock.break_minutes,
        "early_set_up": clock.early_set_up,
        "chess_clock": chess_clock_view(clock.chess_clock),
        "calls": calls,
        "words": words_of_time(ruleset),
        "clauses": {name: clock.cites(name) for name in TIMED},
    }


def words_of_time(ruleset: Ruleset) -> dict[str, str]:
    """What people call the parts of a game, and what `at_time` means for them."""
    game_round = (ruleset.words or PLAIN).game_round
    at_time = {
        "finish_game_round": f"the {game_round} that has begun is finished",
        "finish_turn": "the turn that has begun is finished",
        "stop_now": "play stops at once",
    }
    return {"game_rounds": f"{game_round}s", "at_time": at_time[ruleset.clock.at_time]}


def chess_clock_view(clock: ChessClock | None) -> dict[str, Any] | None:
    """The players' own clocks, where there are any (FF-TIME-7, FF-TIME-8, FF-AMB-23)."""
    if clock is None or clock.use == "none":
        return None
    shown = asdict(clock)
    del shown["clauses"]
    return shown


def timetable_view(state: Tournament) -> dict[str, Any]:
    """Every planned round with its day, what else the days need time for, and what the document recommends."""
    entries, rows = state.entries, _rows(state)
    ruleset = ruleset_of(entries)
    slots = ruleset.clock.slots
    days = []
    for day in sorted({row.day for row in rows}):
        own = [row for row in rows if row.day == day]
        minutes = sum(row.minutes + row.break_minutes for row in own)
        days.append(
            {
                "day": day,
                "date": _date(entries.starts_on, day),
                "rounds": [row.round for row in own],
                "minutes": minutes,
                "least": minutes + sum(slot.least for slot in slots),
                "most": minutes + sum(slot.most for slot in slots),
            }
        )
    planned = rounds_if_fixed(state)
    return {
        "planned": planned,
        "suggested": suggested_rounds(_players(state)) if planned is None else None,
        "rounds": [
            {**asdict(row), "date": _date(entries.starts_on, row.day), "status": _status(state, row.round)}
            for row in rows
        ],
        "days": days,
        "slots": [{"name": slot.name, "least": slot.least, "most": slot.most, "clause": slot.clause} for slot in slots],
        "advice": list(_advice(state, ruleset, len(days))),
    }


def _rows(state: Tournament) -> list[PlannedRound]:
    planned = rounds_if_fixed(state)
    if planned is None:
        return []
    return timetable(ruleset_of(state.entries), planned, _players(state), cut_after=state.rounds.cut_after)


def _players(state: Tournament) -> int:
    """Those who count for the number of rounds: of the first pairing, before it those who have a seat (AR-AMB-24)."""
    first = state.rounds.rounds.get(1)
    return sum(len(seat.players) for seat in first.seats.values()) if first else state.entries.seated()


def _status(state: Tournament, number: int) -> str:
    round = state.rounds.rounds.get(number)
    if round is None:
        return "planned"
    return "closed" if number in state.results.closed else round.status


def _date(starts_on: str, day: int) -> str:
    return (date.fromisoformat(starts_on) + timedelta(days=day - 1)).isoformat() if starts_on else ""


def _advice(state: Tournament, ruleset: Ruleset, days: int) -> Iterator[dict[str, str]]:
    """What the document recommends and the event does otherwise."""
    entries = state.entries
    if entries.starts_on and entries.ends_on and days > 1:
        played = (date.fromisoformat(entries.ends_on) - date.fromisoformat(entries.starts_on)).days + 1
        if played < days:
            clause = ruleset.rounds.cites("days")
            yield {"said": f"{played} day", "expected": f"{days} days", "clause": clause}
    judges = [member for member in entries.staff.values() if member.active and member.role in JUDGES]
    if ruleset.staff and ruleset.staff.neutral_advised and judges and all(member.player for member in judges):
        clause = ruleset.staff.cites("neutral_advised")
        yield {"said": "every referee plays", "expected": "one referee at least who does not play", "clause": clause}
    limit, extra = list_limit(ruleset), ruleset.clock.extra_minutes
    for fault in advice_on_event(ruleset.advice, list_limit=limit, players=_players(state), extra_minutes=extra):
        yield {"said": fault.said, "expected": fault.expected, "clause": fault.clause}
    for fault in advice_on_pool(ruleset):
        yield {"said": fault.said, "expected": fault.expected, "clause": fault.clause}
    band = band_of(ruleset, _players(state))
    if band is None and ruleset.rounds.table:
        first, last = ruleset.rounds.table[0].least, ruleset.rounds.table[-1].most
        yield {
            "said": f"{_players(state)} players",
            "expected": f"{first} to {last}; outside, the organiser says how many rounds",
            "clause": ruleset.rounds.cites("outside"),
        }


def clock_view(state: Tournament, now: str) -> dict[str, Any]:
    """The clock of the round that is being played."""
    round = state.rounds.latest()
    if round is None or round.status != "started" or round.number in state.results.closed:
        return {"running": False, "now": now, "round": None}
    return {
        "running": True,
        "timing": timing_view(state, round),
        "now": now,
        "round": round.number,
        "started_at": round.started_at,
        "ends_at": round.ends_at,
        "remaining_seconds": seconds_between(now, round.ends_at),
        "overtime_minutes": round.overtime,
        "hard_stop_at": hard_stop_of(round),
        "calls": [
            {"call": due.call, "due_at": due.due_at, "made": due.made}
            for due in calls_of(ruleset_of(state.entries), round)
        ],
        "extended": [{"game": game, "ends_at": end_of(round, game)} for game in round.extended if game in round.seats],
    }
