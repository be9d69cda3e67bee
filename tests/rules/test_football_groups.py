"""Well-known groups of four: goal difference and head to head by a pack, without Python.

Sources: FIFA World Cup 2018, group H; UEFA Euro 2012, group A: results and final tables as published by FIFA and UEFA.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.formats.packs import load
from shared.rules.model import Entrant, Facts, Game
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import score_game
from shared.swiss.standings import Standings, rank

CARDS = (Path(__file__).parents[2] / "docs" / "examples" / "collectible-cards.yaml").read_text("utf-8")

DIFFERENCE = """
    - {column: difference, piece: difference, of: goals, clause: LAW}
    - {column: goals, piece: total, of: goals, clause: LAW}
    - {column: conceded, piece: against, of: goals, lowest_first: true, clause: LAW}
"""
HEAD_TO_HEAD = """
    - {column: head_to_head, piece: head_to_head, clause: LAW}
"""

GROUP_H = [
    "Colombia 1-2 Japan", "Poland 1-2 Senegal", "Japan 2-2 Senegal", "Poland 0-3 Colombia", "Japan 0-1 Poland",
    "Senegal 0-1 Colombia",
]  # fmt: skip
GROUP_A = [
    "Poland 1-1 Greece", "Russia 4-1 Czechia", "Greece 1-2 Czechia", "Poland 1-1 Russia", "Czechia 1-0 Poland",
    "Greece 1-0 Russia",
]  # fmt: skip


def football(steps: str) -> Ruleset:
    """Return a pack with three points for a win, one for a draw, and these tiebreakers."""
    text = CARDS.replace("games_won", "goals").replace("unresolved: draw", "unresolved: shared")
    text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("  match:"))
    start, end = text.index("    - {column: opponents_match_win"), text.index("pairing:\n")
    return load(text[:start] + steps.lstrip("\n") + "\n" + text[end:], "football.yaml")


def table(ruleset: Ruleset, results: list[str]) -> Standings:
    games = []
    for index, line in enumerate(results):
        one, score, two = line.split()
        facts = Facts(points_1=int(score[0]), points_2=int(score[2]))
        games.append(Game(index // 2 + 1, None, "game", one, two, facts, score_game(ruleset, facts)))
    teams = {team for game in games for team in (game.player_1, str(game.player_2))}
    return rank(ruleset, [Entrant(team) for team in teams], games, round=3, seed="s")


def test_goal_difference_then_goals() -> None:
    """Japan and Senegal were level in all values: in 2018 cards decided."""
    rows = table(football(DIFFERENCE), GROUP_H).rows
    assert [(row.rank, row.player, *row.values.values()) for row in rows] == [
        (1, "Colombia", 6, 3, 5, 2),
        (2, "Japan", 4, 0, 4, 4),
        (2, "Senegal", 4, 0, 4, 4),
        (4, "Poland", 3, -3, 2, 5),
    ]


@pytest.mark.parametrize(
    ("steps", "order"),
    [
        (HEAD_TO_HEAD + DIFFERENCE.lstrip("\n"), ["Czechia", "Greece", "Russia", "Poland"]),  # as UEFA ranked them
        (DIFFERENCE, ["Czechia", "Russia", "Greece", "Poland"]),  # Russia 5:3, Greece 3:3
    ],
)
def test_head_to_head_precedes_goal_difference(steps: str, order: list[str]) -> None:
    rows = table(football(steps), GROUP_A).rows
    assert [row.player for row in rows] == order
    assert [row.values["match_points"] for row in rows] == [6, 4, 4, 2]
