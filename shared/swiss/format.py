"""The format `swiss`: the interface defined in `shared/tournament/format.py`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from shared.log.event import Event
from shared.rules.model import PLAYED, Game
from shared.swiss.checks import semantic_faults as faults
from shared.swiss.games import counted_games, ruleset_of
from shared.swiss.ranking import planned_rounds, recorded_standings, standings_of_round
from shared.swiss.ruleset import Ruleset
from shared.swiss.standings import rows_as_json
from shared.tournament.format import GameTaken, Placings, Replay, ResultRow, has_attended, with_disqualified
from shared.tournament.games import is_void
from shared.tournament.results import StandingsRecorded
from shared.tournament.state import Change, Slice, SliceGetter, Tournament

__all__ = ["CHANGES", "EVENTS", "REPLAY", "RULESET", "SLICES", "faults", "final_results", "planned_rounds"]


def final_results(state: Tournament) -> list[ResultRow]:
    """Return the final standings with every game that counts, including those of the bracket.

    Void games only count for attendance.
    """
    standings = recorded_standings(state, max(state.results.recorded, default=0))
    if standings is None:
        return []
    main, *_ = standings.columns
    games: dict[str, list[GameTaken]] = defaultdict(list)
    void: dict[str, list[GameTaken]] = defaultdict(list)
    for game in counted_games(state, standings.round):
        players = [player for player in (game.player_1, game.player_2) if player is not None]
        group = void if is_void(state, state.rounds.rounds[game.round], players) else games
        for side, player in enumerate(players, start=1):
            group[player].append(_side(game, side, main))
    entered = state.entries.players
    rows = [
        ResultRow(
            entry=row.player,
            name=entered[row.player].name,
            place=row.rank,
            score=int(Fraction(row.values[main])),
            games=games[row.player],
            status=row.status,
            attended=entered[row.player].checked_in or has_attended([*games[row.player], *void[row.player]]),
        )
        for row in standings.rows
    ]
    came = {player: [*games[player], *void[player]] for player in {*games, *void}}
    return with_disqualified(state, rows, came)


def _side(game: Game, side: int, column: str) -> GameTaken:
    """Return a game from one side's view. An opponent who is the spare player is left out."""
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


def placings(state: Tournament, round: int, recorded: StandingsRecorded | None) -> Placings:
    """Return the standings after a round. While it is open, tied players share a rank."""
    seed = recorded.seed if recorded else state.results.seed_of(round) or None
    standings = standings_of_round(state, round, seed)
    return Placings(
        columns=["rank", "player", *standings.columns],
        rows=rows_as_json(standings),
        marks=("tied", "status"),
        words=ruleset_of(state.entries).effective_words,
    )


def _current_round(state: Tournament) -> int:
    return max(state.rounds.rounds, default=0)


RULESET = Ruleset
# Swiss has no events and slices in addition to those of every tournament.
EVENTS: Mapping[str, Sequence[type[Event]]] = {}
SLICES: Sequence[Slice[Any]] = ()
CHANGES: Mapping[str, Mapping[type, tuple[SliceGetter, Change]]] = {}
REPLAY = Replay(
    recording=StandingsRecorded,
    number="round",
    recorded_numbers=lambda state: state.results.closed,
    current_number=_current_round,
    placings=placings,
    provisional_message="no standings are recorded after round {}: these are provisional",
)
