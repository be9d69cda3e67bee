"""Replay of exported logs: the state that each decision was made on, and the places that follow from the logs.

The log of one service sets the order. Before each of its events, the other logs are folded up to the position that the
service had seen. So the state is the one that the service decided on. Nothing but the logs is needed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

from msgspec.structs import replace

from muster.audit.findings import describe_misfit
from shared.formats import FORMATS
from shared.formats.fold import evolve
from shared.log.event import Event, Recorded
from shared.tournament.format import Placings
from shared.tournament.state import SOURCES, Tournament


class DecodedEvent(Recorded, frozen=True, gc=False, kw_only=True):
    """A recorded event with its data decoded. event: in its current version. known: source -> position seen."""

    event: Event
    known: Mapping[str, int]

    @property
    def before(self) -> dict[str, int]:
        """Source -> the position at which its log ended when this event was decided."""
        return {**dict.fromkeys(SOURCES, 0), **self.known, self.source: self.position - 1}


Logs = Mapping[str, Sequence[DecodedEvent]]
"""Source -> its whole log."""


class CannotFold(Exception):
    """An event contradicts the state before it. event: the event."""

    def __init__(self, event: DecodedEvent, reason: Exception) -> None:
        super().__init__(describe_misfit(reason, event.event))
        self.event = event


def take(state: Tournament, decoded: DecodedEvent) -> None:
    """Fold one event into the state. Raises CannotFold."""
    try:
        evolve(state, decoded)
    except Exception as error:  # an impossible event can raise anything
        raise CannotFold(decoded, error) from error


def states_before_events(logs: Logs, source: str) -> Iterator[tuple[DecodedEvent, Tournament]]:
    """Yield each event of one log with the state on which it was decided. Raises CannotFold.

    All steps share one state object, which the next step changes: do not keep or change it.
    """
    state, folded = Tournament(), dict.fromkeys((other for other in SOURCES if other != source), 0)
    for decoded in logs.get(source, ()):
        for other, reached in folded.items():
            log = logs.get(other, ())
            folded[other] = bisect_right(log, decoded.known.get(other, 0), lo=reached, key=attrgetter("position"))
            for foreign in log[reached : folded[other]]:
                take(state, foreign)
        yield decoded, state
        take(state, decoded)


def fold_logs(logs: Logs, ends: Mapping[str, int] | None = None) -> Tournament:
    """Return the state after the logs, or after the positions in `ends`. Raises CannotFold."""
    state = Tournament()
    for source in SOURCES:
        for decoded in logs.get(source, ()):
            if ends is None or decoded.position <= ends.get(source, 0):
                take(state, decoded)
    return state


class NotReplayable(Exception):
    """The format has no placings to replay. The text is its name; empty if the tournament was never announced."""


class RoundNotClosed(Exception):
    """No standings were recorded after this round. closed: the rounds after which standings were recorded."""

    def __init__(self, round: int, closed: Sequence[int]) -> None:
        super().__init__(f"round {round} is not closed")
        self.closed = closed


def replay_placings(logs: Logs, round: int | None = None) -> Placings:
    """Return the places after a round, computed from what scoring had seen when it recorded them last.

    round: in a season, the number of the recording. None: the latest round, whose places are provisional while it is
    open. Players have their current public names. Raises NotReplayable, RoundNotClosed, CannotFold.
    """
    state = fold_logs(logs)
    format = FORMATS.get(state.entries.format)
    if format is None:
        raise NotReplayable(state.entries.format)
    replay = format.REPLAY
    # A command may record several rounds, also repeatedly: all are computed from the state before its first event, with
    # the draws that it recorded for earlier rounds.
    recordings: dict[int, DecodedEvent] = {}
    firsts: dict[str, DecodedEvent] = {}
    for decoded in logs.get("scoring", ()):
        if isinstance(decoded.event, replay.recording):
            firsts.setdefault(decoded.command_id, decoded)
            recordings[getattr(decoded.event, replay.number)] = decoded
    closed = sorted(recordings.keys() & {*replay.recorded_numbers(state)})
    number = replay.current_number(state) if round is None else round
    if number in closed:
        last = recordings[number]
        first = firsts[last.command_id]
        before = fold_logs(logs, first.before)
        for decoded in logs["scoring"][first.position - 1 : last.position]:
            if isinstance(decoded.event, replay.recording) and getattr(decoded.event, replay.number) < number:
                take(before, decoded)
        placings = replay.placings(before, number, last.event)
    elif round is None and number:
        placings = replay.placings(state, number, None)
    else:
        raise RoundNotClosed(number or 1, closed)
    name = state.entries.name_of

    def named(value: str | list[str]) -> str | list[str]:
        return [name(one) for one in value] if isinstance(value, list) else name(value)

    rows = [row | {placings.people: named(row[placings.people])} for row in placings.rows]
    provisional = replay.provisional_message.format(number) if number not in closed else ""
    return replace(placings, rows=rows, provisional=provisional)
