"""The rounds of an event by day: how long they are, what else the days need time for, what a document recommends."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Annotated, Any

from msgspec import UNSET, UnsetType, to_builtins

from services.pairing.tournament.state import status_of_round
from shared.formats.options import rounds_if_fixed
from shared.refusals import Fault, expects
from shared.rules.parts import JUDGES
from shared.shapes import View
from shared.swiss.game_parts import advice_on_event
from shared.swiss.games import ruleset_of
from shared.swiss.rounds import (
    PlannedRound,
    advice_on_pool,
    band_of,
    list_limit,
    suggested_rounds,
    timetable,
)
from shared.swiss.ruleset import Ruleset
from shared.tournament.state import Tournament


class PlannedRoundView(View, frozen=True, kw_only=True):
    """A round of the timetable. date: where the event has days."""

    round: int
    day: int
    date: str
    stage: str
    status: Annotated[str, "planned, draft, paired, started or closed."]
    minutes: int
    break_minutes: int


class SlotView(View, frozen=True, kw_only=True):
    """Time of a day that is no round; least and most 0: the document has no minutes."""

    name: str
    least: int
    most: int
    clause: str


class DayView(View, frozen=True, kw_only=True):
    """A day of the event: its rounds with their breaks, and that with the shortest and the longest slots."""

    day: int
    date: str
    rounds: list[int]
    minutes: int
    least: int
    most: int


class AdviceView(View, frozen=True, kw_only=True):
    """Something that the document recommends, and that is otherwise here."""

    said: Annotated[str, "How it is here"]
    expected: Annotated[str, "What is recommended, in an English sentence"]
    clause: str
    code: Annotated[str | UnsetType, "What is recommended, as a stable code to switch on"] = UNSET
    data: Annotated[dict[str, Any] | UnsetType, "The values that `expected` names, by name"] = UNSET


class TimetableView(View, frozen=True, kw_only=True):
    """The rounds of an event by day. planned null: not fixed yet; suggested: then, and from no rules document."""

    planned: int | None
    suggested: int | None
    rounds: list[PlannedRoundView]
    days: list[DayView]
    slots: list[SlotView]
    advice: list[AdviceView]


def timetable_view(state: Tournament) -> TimetableView:
    """Every planned round with its day, what else the days need time for, and what the document recommends."""
    entries, rows = state.entries, rows_of(state)
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


def rows_of(state: Tournament) -> list[PlannedRound]:
    """Every round that is planned; none while their number is not fixed."""
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
    return status_of_round(state, round) if round else "planned"


def _date(starts_on: str, day: int) -> str:
    return (date.fromisoformat(starts_on) + timedelta(days=day - 1)).isoformat() if starts_on else ""


def _advice(state: Tournament, ruleset: Ruleset, days: int) -> Iterator[Fault]:
    """Yield what the document recommends and the event does otherwise."""
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
    band = band_of(ruleset, _players(state))
    if band is None and ruleset.rounds.table:
        first, last = ruleset.rounds.table[0].least, ruleset.rounds.table[-1].most
        right = expects("players-of-table", least=first, most=last)
        yield Fault("", str(_players(state)), right, ruleset.rounds.cites("outside"))
