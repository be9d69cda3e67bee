"""Replay of a season: its standings as they follow from the results that its own log holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from muster.audit.replay import Logs, NotClosed, as_seen, whole
from shared.formats.season.ranking import table_of
from shared.formats.season.rules.model import SeasonTable
from shared.formats.season.scoring_events import SeasonStandingsRecorded


class SeasonReplayed(NamedTuple):
    """Standings computed again. number: of the recording; 0: nothing was recorded. names: player -> public name.

    provisional: something has changed since they were recorded, or they never were.
    """

    table: SeasonTable
    number: int
    provisional: bool
    names: Mapping[str, str]


def season_replayed(logs: Logs, number: int | None = None) -> SeasonReplayed:
    """The standings as they follow from what scoring had seen when they were recorded.

    number: None for those of everything that the logs hold. Raises NotClosed where there are none of that number,
    CannotFold.
    """
    state = whole(logs)
    names = {player.id: player.name for player in state.entries.players.values()}
    recorded: list[int] = []
    found: SeasonTable | None = None
    for heard, before in as_seen(logs, "scoring"):
        event = heard.event
        if isinstance(event, SeasonStandingsRecorded) and event.page == 1:
            recorded.append(event.number)
            if event.number == number or number is None:
                found = table_of(before)
    if number is None:
        table = table_of(state)
        return SeasonReplayed(table, recorded[-1] if recorded else 0, table != found, names)
    if found is None:
        raise NotClosed(number, recorded)
    return SeasonReplayed(found, number, False, names)
