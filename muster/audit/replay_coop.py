"""Replay of a co-operative event: the ranking after a round of sessions, as it follows from the logs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from muster.audit.replay import Logs, NotClosed, as_seen, whole
from shared.formats.coop.at_tables import Ranked, ranking_after
from shared.formats.coop.scoring_events import CoopRankingPublished
from shared.formats.coop.seating import SEATING
from shared.formats.coop.sessions import SESSIONS


class RankingReplayed(NamedTuple):
    """A ranking computed again. provisional: it was not published. names: player -> public name; seats: by session."""

    ranking: Ranked
    provisional: bool
    names: Mapping[str, str]
    seats: Mapping[str, list[str]]


def ranking_replayed(logs: Logs, round: int | None = None) -> RankingReplayed:
    """The ranking as it follows from what scoring had seen when it was published last.

    round: None for the latest one; while that is not published, of the sessions that bind so far. Raises NotClosed,
    CannotFold.
    """
    state = whole(logs)
    latest = max(SEATING.of(state).rounds, default=0)
    published = sorted(SESSIONS.of(state).published)
    wanted = latest if round is None else round
    if not latest or (round is not None and round not in published):
        raise NotClosed(wanted or 1, published)
    names = {player.id: player.name for player in state.entries.players.values()}
    seats = {table.session: table.survivors for table in SEATING.of(state).tables()}
    made = ranking_after(state, wanted)
    for heard, before in as_seen(logs, "scoring"):
        event = heard.event
        if isinstance(event, CoopRankingPublished) and event.round == wanted and event.page == 1:
            made = ranking_after(before, wanted)
    return RankingReplayed(made, wanted not in published, names, seats)
