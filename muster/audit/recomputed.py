"""What `muster replay` shows, computed again from logs alone: standings, league tables, rankings, seasons."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from muster.audit.replay import DecodedEvent, Logs, whole
from shared.formats import FORMATS
from shared.tournament.placings import Placings


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
    if format is None or (replay := format.replay) is None:
        raise NoPlaces(state.entries.format)
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
