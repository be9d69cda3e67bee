"""Judges who are called to tables, as pairing's log tells of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from shared.events.base import Event, StoredEvent
from shared.tournament.events.calls import CallAnswered, CallTaken, CallWithdrawn, JudgeCalled

WAITING, TAKEN, ANSWERED, WITHDRAWN = "waiting", "taken", "answered", "withdrawn"


class Call(Struct, gc=False):
    """One call. status: waiting, taken, answered or withdrawn. taken_at, ended_at: empty until then.

    referee: who took it, and who answered it in the end. ended_by: who answered or withdrew it. changed: position of
    the last event that touched it.
    """

    id: str
    round: int
    game: str
    venue: str
    table: int
    caller: str
    reason: str
    text: str
    called_at: str
    changed: int
    status: str = WAITING
    referee: str = ""
    taken_at: str = ""
    ended_by: str = ""
    ended_at: str = ""
    answer: str = ""

    @property
    def open(self) -> bool:
        """Whether somebody still waits for a judge, or sits with one."""
        return self.status in (WAITING, TAKEN)


class Calls(Struct):
    """by_id: every call, in the order they came."""

    by_id: dict[str, Call] = field(default_factory=dict)

    def open_at(self, game: str) -> Call | None:
        """The open call to a game, if any; there is never more than one."""
        return next((call for call in self.by_id.values() if call.game == game and call.open), None)


def _called(calls: Calls, event: JudgeCalled, told: StoredEvent) -> None:
    calls.by_id[event.call] = Call(
        event.call,
        event.round,
        event.game,
        event.venue,
        event.table,
        event.caller,
        event.reason,
        event.text,
        told.time,
        told.position,
    )


def _taken(calls: Calls, event: CallTaken, told: StoredEvent) -> None:
    call = calls.by_id[event.call]
    call.status, call.referee, call.taken_at, call.changed = TAKEN, event.referee, told.time, told.position


def _answered(calls: Calls, event: CallAnswered, told: StoredEvent) -> None:
    call = calls.by_id[event.call]
    call.status, call.answer, call.referee = ANSWERED, event.answer, event.referee
    call.ended_by, call.ended_at, call.changed = event.referee, told.time, told.position


def _withdrawn(calls: Calls, event: CallWithdrawn, told: StoredEvent) -> None:
    call = calls.by_id[event.call]
    call.status, call.ended_by, call.ended_at, call.changed = WITHDRAWN, event.by, told.time, told.position


EVOLVE: Mapping[type[Event], Callable[[Calls, Any, StoredEvent], None]] = MappingProxyType(
    {
        JudgeCalled: _called,
        CallTaken: _taken,
        CallAnswered: _answered,
        CallWithdrawn: _withdrawn,
    }
)
"""Event -> what it changes. No other slice hears of a call, so whoever is shown none of it misses nothing else."""
