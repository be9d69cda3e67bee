"""The co-op format, with the names that `shared/tournament/format.py` requires."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from types import MappingProxyType

from shared.coop import entries, events, seating, sessions
from shared.coop.entries import COOP, coop_of
from shared.coop.events import CoopRankingPublished
from shared.coop.ruleset import CoopRuleset
from shared.coop.ruleset import faults_of_coop as faults
from shared.coop.seating import SEATING
from shared.coop.sessions import SESSIONS, counted_session, ranking_after
from shared.tournament.format import GameTaken, Placings, Replay, ResultRow, with_disqualified
from shared.tournament.people import PLAYING
from shared.tournament.state import Tournament

__all__ = ["CHANGES", "EVENTS", "REPLAY", "RULESET", "SLICES", "faults", "final_results", "planned_rounds"]

OUTCOMES: Mapping[str, str] = MappingProxyType({"victory": "win", "unfinished": "draw"})
"""Outcome of a session -> outcome of the game for its survivors; any other is a loss."""


def final_results(state: Tournament) -> list[ResultRow]:
    """Return the last ranking of the survivors, with every binding session as a game without an opponent."""
    latest = max(SEATING.of(state).rounds, default=0)
    if not latest:
        return []
    worth = coop_of(state.entries).ranking.session_points
    games: dict[str, list[GameTaken]] = defaultdict(list)
    for table in SEATING.of(state).tables():
        session = SESSIONS.of(state).sessions.get(table.session)
        if session is None or not session.binds:
            continue
        outcome = counted_session(session).outcome
        for survivor in session.table.survivors:
            taken = GameTaken(outcome=OUTCOMES.get(outcome, "loss"), score=worth[outcome], round=table.round)
            games[survivor].append(taken)
    players = state.entries.players
    rows = [
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
    return with_disqualified(state, rows, games)


def placings(state: Tournament, round: int, recorded: CoopRankingPublished | None) -> Placings:
    """Return the tables after a round of sessions with binding results, each with its survivors."""
    seats = {table.session: table.survivors for table in SEATING.of(state).tables()}
    return Placings(
        columns=["rank", "session", "outcome", "rounds", "power_share", "goals", "survivors"],
        rows=[
            {
                "rank": row.rank,
                "session": row.session,
                "outcome": row.outcome,
                "rounds": row.rounds,
                "power_share": row.share,
                "goals": row.goals,
                "survivors": seats[row.session],
            }
            for row in ranking_after(state, round).tables
        ],
        people="survivors",
    )


def planned_rounds(state: Tournament) -> int | None:
    """Return the number of rounds that the organiser announced."""
    return state.entries.rounds


RULESET = CoopRuleset
EVENTS = {
    "registration": entries.REGISTRATION_EVENTS,
    "pairing": seating.PAIRING_EVENTS,
    "scoring": events.SCORING_EVENTS,
}
SLICES = (COOP, SEATING, SESSIONS)
CHANGES = {
    "registration": COOP.changed_by(entries.EVOLVE),
    "pairing": SEATING.changed_by(seating.EVOLVE),
    "scoring": SESSIONS.changed_by(sessions.EVOLVE),
}
REPLAY = Replay(
    recording=CoopRankingPublished,
    number="round",
    recorded_numbers=lambda state: SESSIONS.of(state).published,
    current_number=lambda state: max(SEATING.of(state).rounds, default=0),
    placings=placings,
    provisional_message="the ranking of round {} is not published: it is provisional",
)
