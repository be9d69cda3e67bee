"""Replay of a campaign: the league table after a round, as it follows from the logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from muster.audit.replay import Logs, NotClosed, as_seen, rounds_closed, whole
from shared.formats.campaign.league import as_rows, round_at_hand, table_after
from shared.tournament.events.scoring import StandingRow, StandingsRecorded


class TableReplayed(NamedTuple):
    """A league table computed again. provisional: its round is not closed. names: player -> public name of now."""

    round: int
    rows: Sequence[StandingRow]
    provisional: bool
    names: Mapping[str, str]


def table_replayed(logs: Logs, round: int | None = None) -> TableReplayed:
    """The table as it follows from what scoring had seen when it was recorded last.

    round: None for the latest one; while that is open, its table is that of the results that bind and the ratings that
    are final so far. Raises NotClosed, CannotFold.
    """
    state, closed = whole(logs), rounds_closed(logs)
    wanted = round_at_hand(state) if round is None else round
    if wanted not in closed and (round is not None or not wanted):
        raise NotClosed(wanted or 1, closed)
    names = {player.id: player.name for player in state.entries.players.values()}
    if wanted not in closed:
        return TableReplayed(wanted, as_rows(table_after(state, wanted)), True, names)
    made: list[StandingRow] = []
    for heard, before in as_seen(logs, "scoring"):
        event = heard.event
        if isinstance(event, StandingsRecorded) and event.round == wanted and event.page == 1:
            made = as_rows(table_after(before, wanted))
    return TableReplayed(wanted, made, False, names)
