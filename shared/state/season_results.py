"""What a tournament is worth to a season: its final results as rows, whatever its format. One function for all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType

from shared.events.season_scoring import GameTaken, ResultRow
from shared.rules.campaign.standings import LeagueGame
from shared.rules.model import PLAYED, Game
from shared.state.coop import played, ranking_after
from shared.state.entries import PLAYING
from shared.state.games import games_of
from shared.state.league import games_by_round
from shared.state.ranking import recorded_standings
from shared.state.ruleset import coop_of
from shared.state.tournament import Tournament

Rows = list[ResultRow]

SESSIONS: Mapping[str, str] = MappingProxyType({"victory": "win", "unfinished": "draw"})
"""How a session of a co-operative event ended -> what it is to the survivors of the table; else a loss."""


def results_of(state: Tournament) -> Rows:
    """The results of a tournament, in order of places; none as long as it is not concluded, or when it is cancelled.

    Raises KeyError for a format whose results no season counts.
    """
    if not state.results.concluded or state.entries.status == "cancelled":
        return []
    return RESULTS[state.entries.format](state)


def _swiss(state: Tournament) -> Rows:
    """The final standings, with every game that binds, those of the bracket too."""
    standings = recorded_standings(state, state.results.rounds_closed())
    if standings is None:
        return []
    main, *_ = standings.columns
    games: dict[str, list[GameTaken]] = defaultdict(list)
    for game in games_of(state, standings.round):
        games[game.player_1].append(_side(game, 1, main))
        if game.player_2 is not None:
            games[game.player_2].append(_side(game, 2, main))
    players = state.entries.players
    return [
        ResultRow(
            entry=row.player,
            name=players[row.player].name,
            place=row.rank,
            score=int(Fraction(row.values[main])),
            games=games[row.player],
            status=row.status,
            attended=players[row.player].checked_in or _was_there(games[row.player]),
        )
        for row in standings.rows
    ]


def _side(game: Game, side: int, column: str) -> GameTaken:
    """A game as one side saw it; who plays against the spare player has no opponent."""
    score = game.score
    mine, theirs = (score.values_1, score.values_2) if side == 1 else (score.values_2, score.values_1)
    kind = "bye" if game.kind == "bye" else "game" if game.facts.kind in PLAYED else "forfeit"
    return GameTaken(
        outcome=(score.outcome_1 if side == 1 else score.outcome_2) or "loss",
        opponent=((game.player_2 if side == 1 else game.player_1) or "") if game.kind == "game" else "",
        kind=kind,
        score=mine.get(column, 0),
        against=theirs.get(column, 0),
        round=game.round,
    )


def _was_there(games: list[GameTaken]) -> bool:
    """Whether somebody played, had a bye, or won because the other did not come."""
    return any(game.kind != "forfeit" or game.outcome == "win" for game in games)


def _coop(state: Tournament) -> Rows:
    """The last ranking of the survivors, with every session that binds as a game without an opponent."""
    latest = max(state.seating.rounds, default=0)
    if not latest:
        return []
    worth = coop_of(state.entries).ranking.session_points
    games: dict[str, list[GameTaken]] = defaultdict(list)
    for table in state.seating.tables():
        session = state.sessions.sessions.get(table.session)
        if session is None or not session.binds:
            continue
        outcome = played(session).outcome
        for survivor in session.table.survivors:
            taken = GameTaken(outcome=SESSIONS.get(outcome, "loss"), score=worth[outcome], round=table.round)
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


def _campaign(state: Tournament) -> Rows:
    """The league table as recorded after the last round, with every game that binds. FS-LGE-2."""
    last = state.results.rounds_closed()
    recorded = state.results.recorded.get(last)
    games: dict[str, list[GameTaken]] = defaultdict(list)
    for number, game in games_by_round(state, last):
        for index, group in enumerate(game.groups):
            games[group].append(_league_side(game, index, number))
    players = state.entries.players
    return [
        ResultRow(
            entry=row.player,
            name=players[row.player].name,
            place=row.rank,
            score=int(row.values["league_points"]),
            games=games[row.player],
            status=row.status,
            attended=_was_there(games[row.player]),
        )
        for row in (recorded.rows if recorded else [])
    ]


def _league_side(game: LeagueGame, index: int, round: int) -> GameTaken:
    """A game of the league as one group saw it: a bye alone, or with one who did not come, as a game not played."""
    ending = game.endings[index]
    others = [(group, game.vp[place]) for place, group in enumerate(game.groups) if place != index]
    kind = "bye" if not others else "forfeit" if "no_show" in game.endings else "game"
    return GameTaken(
        outcome={"bye": "win", "no_show": "loss"}.get(ending, ending),
        opponent=others[0][0] if others else "",
        kind=kind,
        score=game.vp[index],
        against=others[0][1] if others else 0,
        round=round,
    )


RESULTS: Mapping[str, Callable[[Tournament], Rows]] = MappingProxyType(
    {"swiss": _swiss, "coop": _coop, "campaign": _campaign}
)
"""Format -> what it is worth to a season."""
