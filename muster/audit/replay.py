"""Replay: the logs of a tournament folded again, in the order in which one service saw them; and the places they give.

A service's own log drives. Before each own event the other logs are folded up to what its appender had seen, so
that the state handed out is the very state that was decided on. The logs are all that is needed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

from msgspec.structs import replace

from muster.audit.findings import misfit
from shared.formats import FORMATS
from shared.formats.fold import evolve
from shared.log.event import Event, Recorded
from shared.tournament.format import Placings
from shared.tournament.state import SOURCES, Tournament


class DecodedEvent(Recorded, frozen=True, gc=False, kw_only=True):
    """A recorded event, read. event: its data, as it is meant today. known: what had been seen, source -> position."""

    event: Event
    known: Mapping[str, int]

    @property
    def before(self) -> dict[str, int]:
        """Source -> the position where its log ended when this event was decided on."""
        return {**dict.fromkeys(SOURCES, 0), **self.known, self.source: self.position - 1}


Logs = Mapping[str, Sequence[DecodedEvent]]
"""Source -> its log, from the first event on."""


class CannotFold(Exception):
    """An event that says something impossible about the state before it; `event` is that one."""

    def __init__(self, event: DecodedEvent, reason: Exception) -> None:
        super().__init__(misfit(reason, event.event))
        self.event = event


def take(state: Tournament, heard: DecodedEvent) -> None:
    """Fold one event into the state. Raises CannotFold."""
    try:
        evolve(state, heard)
    except Exception as error:  # whatever an impossible event runs into
        raise CannotFold(heard, error) from error


def as_seen(logs: Logs, source: str) -> Iterator[tuple[DecodedEvent, Tournament]]:
    """Each event of one log, with the state just before it as its appender knew it.

    The state is one and the same throughout and moves on with the next step; do not keep or change it.
    Raises CannotFold.
    """
    state, folded = Tournament(), dict.fromkeys((other for other in SOURCES if other != source), 0)
    for heard in logs.get(source, ()):
        for other, reached in folded.items():
            log = logs.get(other, ())
            folded[other] = bisect_right(log, heard.known.get(other, 0), lo=reached, key=attrgetter("position"))
            for foreign in log[reached : folded[other]]:
                take(state, foreign)
        yield heard, state
        take(state, heard)


def whole(logs: Logs, ends: Mapping[str, int] | None = None) -> Tournament:
    """Everything that the logs say, to their ends or to the positions in `ends`. Raises CannotFold."""
    state = Tournament()
    for source in SOURCES:
        for heard in logs.get(source, ()):
            if ends is None or heard.position <= ends.get(source, 0):
                take(state, heard)
    return state


class NoPlaces(Exception):
    """Nothing of this format is replayed; the text is its name, empty where the tournament was never announced."""


class NotClosed(Exception):
    """No standings were recorded after this round; `closed` are the rounds after which there were."""

    def __init__(self, round: int, closed: Sequence[int]) -> None:
        super().__init__(f"round {round} is not closed")
        self.closed = closed


def replayed(logs: Logs, round: int | None = None) -> Placings:
    """The places after a round, as they follow from what scoring had seen when it recorded them last.

    round: of a season the number of the recording; None for the latest, which is provisional while it is open: of the
    results that bind so far. Players have their public names as they are now. Raises NoPlaces, NotClosed, CannotFold.
    """
    state = whole(logs)
    format = FORMATS.get(state.entries.format)
    if format is None:
        raise NoPlaces(state.entries.format)
    replay = format.REPLAY
    # A command may record several rounds, and again: all of them are computed from the state before its first.
    recordings: dict[int, DecodedEvent] = {}
    firsts: dict[str, DecodedEvent] = {}
    for heard in logs.get("scoring", ()):
        if isinstance(heard.event, replay.recording):
            recordings[getattr(heard.event, replay.number)] = firsts.setdefault(heard.command_id, heard)
    closed = sorted(recordings.keys() & {*replay.standing(state)})
    wanted = replay.at_hand(state) if round is None else round
    if wanted in closed:
        first = recordings[wanted]
        placings = replay.placings(whole(logs, first.before), wanted, first.event)
    elif round is None and wanted:
        placings = replay.placings(state, wanted, None)
    else:
        raise NotClosed(wanted or 1, closed)
    name = state.entries.name_of

    def named(value: str | list[str]) -> str | list[str]:
        return [name(one) for one in value] if isinstance(value, list) else name(value)

    rows = [row | {placings.people: named(row[placings.people])} for row in placings.rows]
    provisional = replay.open.format(wanted) if wanted not in closed else ""
    return replace(placings, rows=rows, provisional=provisional)
