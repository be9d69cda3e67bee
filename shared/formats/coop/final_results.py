"""What a co-operative event is worth to a season: its final results as rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from types import MappingProxyType

from shared.formats.coop.at_tables import played, ranking_after
from shared.formats.coop.ruleset import coop_of
from shared.formats.coop.seating import SEATING
from shared.formats.coop.sessions import SESSIONS
from shared.tournament.entries import PLAYING
from shared.tournament.final_results import GameTaken, ResultRow
from shared.tournament.state import Tournament

OUTCOMES: Mapping[str, str] = MappingProxyType({"victory": "win", "unfinished": "draw"})
"""How a session of a co-operative event ended -> what it is to the survivors of the table; else a loss."""


def final_results(state: Tournament) -> list[ResultRow]:
    """The last ranking of the survivors, with every session that binds as a game without an opponent."""
    latest = max(SEATING.of(state).rounds, default=0)
    if not latest:
        return []
    worth = coop_of(state.entries).ranking.session_points
    games: dict[str, list[GameTaken]] = defaultdict(list)
    for table in SEATING.of(state).tables():
        session = SESSIONS.of(state).sessions.get(table.session)
        if session is None or not session.binds:
            continue
        outcome = played(session).outcome
        for survivor in session.table.survivors:
            taken = GameTaken(outcome=OUTCOMES.get(outcome, "loss"), score=worth[outcome], round=table.round)
            games[survivor].append(taken)
    players = state.entries.players
    return [
        ResultRow(
            entry=row.player,
            name=players[row.player].name,
            place=row.rank,
            score=row.points,
            games=games[row.player],
            status=players[row.player].status if players[row.player].status in PLAYING else "dropped",
        )
        for row in ranking_after(state, latest).survivors
    ]
