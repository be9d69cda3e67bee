"""Replay: the logs of a tournament folded again, in the order in which one service saw them.

A service's own log drives. Before each own event the other logs are folded up to what its appender had seen, so
that the state handed out is the very state that was decided on. The logs are all that is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from muster.audit.findings import misfit
from shared.events.base import Event
from shared.events.recorded import Recorded, seen_of, size_of
from shared.formats.catalogue import read_event
from shared.formats.fold import EVOLVE
from shared.tournament import growth
from shared.tournament.state import Tournament


class DecodedEvent(Recorded, frozen=True, gc=False, kw_only=True):
    """A recorded event, read. event: its data, as it is meant today. known: what had been seen, source -> position."""

    event: Event
    known: Mapping[str, int]


Logs = Mapping[str, Sequence[DecodedEvent]]
"""Source -> its log, from the first event on."""


def hear(recorded: Recorded) -> DecodedEvent:
    """Read a recorded event. Raises UnknownEvent, or msgspec.ValidationError when data or seen do not fit."""
    members: dict[str, Any] = {name: getattr(recorded, name) for name in Recorded.__struct_fields__}
    event = read_event(recorded.type, recorded.version, recorded.data)
    return DecodedEvent(**members, event=event, known=seen_of(recorded.seen))


class CannotFold(Exception):
    """An event that says something impossible about the state before it; `event` is that one."""

    def __init__(self, event: DecodedEvent, reason: Exception) -> None:
        super().__init__(misfit(reason, event.event))
        self.event = event


def take(state: Tournament, heard: DecodedEvent) -> None:
    """Fold one event into the state. Raises CannotFold."""
    try:
        reach, change = EVOLVE[heard.source][type(heard.event)]
        change(reach(state), heard.event, heard)
    except Exception as error:  # whatever an impossible event runs into
        raise CannotFold(heard, error) from error
    growth.take(state.growth[heard.source], heard, size_of(heard.data))


def as_seen(logs: Logs, source: str) -> Iterator[tuple[DecodedEvent, Tournament]]:
    """Each event of one log, with the state just before it as its appender knew it.

    The state is one and the same throughout and moves on with the next step; do not keep or change it.
    Raises CannotFold.
    """
    state = Tournament()
    waiting = {other: iter(log) for other, log in logs.items() if other != source and other in EVOLVE}
    following = {other: next(log, None) for other, log in waiting.items()}
    for heard in logs.get(source, ()):
        for other, upto in heard.known.items():
            foreign = following.get(other)
            while foreign is not None and foreign.position <= upto:
                take(state, foreign)
                foreign = following[other] = next(waiting[other], None)
        yield heard, state
        take(state, heard)


def whole(logs: Logs) -> Tournament:
    """Everything that the logs say, to their ends. Raises CannotFold."""
    state = Tournament()
    for source in EVOLVE:
        for heard in logs.get(source, ()):
            take(state, heard)
    return state
