"""Replay: the logs of a tournament folded again, in the order in which one service saw them.

A service's own log drives. Before each own event the other logs are folded up to what its appender had seen, so
that the state handed out is the very state that was decided on. The logs are all that is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from muster.audit.findings import misfit
from shared.events.base import Event
from shared.events.recorded import Recorded, seen_of, size_of
from shared.formats.catalogue import read_event
from shared.formats.coop.seating import SessionRoundClosed
from shared.formats.fold import EVOLVE
from shared.tournament import growth
from shared.tournament.events.registration import TournamentAnnounced
from shared.tournament.events.scoring import RoundClosed, RoundReopened, StandingsRecorded
from shared.tournament.state import Tournament


class DecodedEvent(msgspec.Struct, frozen=True, gc=False):
    """A recorded event, read: its data as the typed event that it means today, `seen` as source -> position."""

    source: str
    position: int
    id: str
    type: str
    version: int
    time: str
    actor: str
    command_id: str
    seen: Mapping[str, int]
    event: Event
    prev_hash: str
    hash: str
    recorded: Recorded


Logs = Mapping[str, Sequence[DecodedEvent]]
"""Source -> its log, from the first event on."""


def hear(recorded: Recorded) -> DecodedEvent:
    """Read a recorded event. Raises UnknownEvent, or msgspec.ValidationError when data or seen do not fit."""
    return DecodedEvent(
        recorded.source,
        recorded.position,
        recorded.id,
        recorded.type,
        recorded.version,
        recorded.time,
        recorded.actor,
        recorded.command_id,
        seen_of(recorded.seen),
        read_event(recorded.type, recorded.version, recorded.data),
        recorded.prev_hash,
        recorded.hash,
        recorded,
    )


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
    growth.take(state.growth[heard.source], heard, size_of(heard.recorded.data))


def as_seen(logs: Logs, source: str) -> Iterator[tuple[DecodedEvent, Tournament]]:
    """Each event of one log, with the state just before it as its appender knew it.

    The state is one and the same throughout and moves on with the next step; do not keep or change it.
    Raises CannotFold.
    """
    state = Tournament()
    waiting = {other: iter(log) for other, log in logs.items() if other != source and other in EVOLVE}
    following = {other: next(log, None) for other, log in waiting.items()}
    for heard in logs.get(source, ()):
        for other, upto in heard.seen.items():
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


def rounds_recorded(logs: Logs) -> dict[str, list[int]]:
    """Command -> the rounds whose standings it recorded. All of them were computed from the state before the first."""
    recorded: dict[str, list[int]] = {}
    for heard in logs.get("scoring", ()):
        if isinstance(heard.event, StandingsRecorded) and heard.event.page == 1:
            recorded.setdefault(heard.command_id, []).append(heard.event.round)
    return recorded


def format_of(logs: Logs) -> str:
    """The format of the tournament; Swiss where its announcement is not there, so that everything is looked at."""
    announced = (heard.event for heard in logs.get("registration", ()))
    return next((event.format for event in announced if isinstance(event, TournamentAnnounced)), "swiss")


def rounds_closed(logs: Logs) -> list[int]:
    """The rounds that stand closed, in order: by scoring with their standings, those of sessions by pairing."""
    closed: set[int] = set()
    for heard in logs.get("pairing", ()):
        if isinstance(heard.event, SessionRoundClosed):
            closed.add(heard.event.round)
    for heard in logs.get("scoring", ()):
        if isinstance(heard.event, RoundClosed):
            closed.add(heard.event.round)
        elif isinstance(heard.event, RoundReopened):
            closed.discard(heard.event.round)
    return sorted(closed)
