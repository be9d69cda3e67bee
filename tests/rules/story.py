"""Verbs to describe a tournament in tests: entries, games, standings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from shared.formats.packs import shipped_ruleset
from shared.rules.matching import RematchCost, meetings_of_pairs
from shared.rules.model import Entrant, Facts, Game, Score
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import score_game
from shared.swiss.standings import Standings

ARMADA = shipped_ruleset("star-wars-armada-1.1")
EXAMPLES: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "data" / "armada_examples.yaml").read_text("utf-8"))


def entered(*players: str) -> list[Entrant]:
    """Return active entrants with these ids."""
    return [Entrant(player) for player in players]


def played(
    round: int, one: str, two: str, points_1: int, points_2: int, ruleset: Ruleset = ARMADA, **facts: Any
) -> Game:
    """Return a played game with its score; further facts by name."""
    reported = Facts(points_1=points_1, points_2=points_2, **facts)
    return Game(round, None, "game", one, two, reported, score_game(ruleset, reported))


def bye(round: int, player: str, ruleset: Ruleset = ARMADA) -> Game:
    """Return a bye."""
    reported = Facts("bye")
    return Game(round, None, "bye", player, None, reported, score_game(ruleset, reported))


def worth(round: int, one: str, two: str, points_1: int, points_2: int, margin: int = 0) -> Game:
    """Return a game with exactly these tournament points, won by the first player, whatever scores could give them."""
    values_1 = {"tournament_points": points_1, "margin_of_victory": margin}
    score = Score("win", "loss", values_1, {"tournament_points": points_2, "margin_of_victory": 0})
    return Game(round, None, "game", one, two, Facts(), score)


def short(standings: Standings) -> list[str]:
    """Return the rows as `player 17/285/14`."""
    return [f"{row.player} " + "/".join(str(value) for value in row.values.values()) for row in standings.rows]


def game_of_example(row: list[Any]) -> Game:
    """Return a game of the example tables. A row with only one player is a bye."""
    if len(row) == 2:
        return bye(row[0], row[1])
    round, one, two, points_1, points_2, second, end = row[:7]
    facts: dict[str, Any] = {"end": end, "second_player": [one, two].index(second) + 1}
    if end == "concession":
        facts["conceded_by"] = 2
    return played(round, one, two, points_1, points_2, **facts)


def pairs_of(names: Iterable[str]) -> set[frozenset[str]]:
    """Return pairs written as `Ana-Ben`."""
    return {frozenset(name.split("-")) for name in names}


def met_of(names: Iterable[str], last: Iterable[str] = ()) -> dict[str, dict[str, RematchCost]]:
    """Return meetings from pairs written as `Ana-Ben`, one for each game. `last`: games of the previous round."""
    reported = [(1, *name.split("-")) for name in names] + [(2, *name.split("-")) for name in last]
    return meetings_of_pairs([(round, one, two) for round, one, two in reported], round=3)


def met_once(met: Mapping[str, Iterable[str]]) -> dict[str, dict[str, RematchCost]]:
    """Return meetings of one game each, some rounds ago."""
    return {player: dict.fromkeys(others, RematchCost(1, 0, 1)) for player, others in met.items()}
