"""A real tournament, read once for all tests."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from shared.formats.packs import shipped_ruleset
from shared.rules.model import Entrant, Facts, Game
from shared.swiss.scoring import score_game
from shared.swiss.standings import Standings, rank

FOLDER = Path(__file__).parents[1] / "data" / "armada-2025"


def whole(text: str) -> Any:
    return int(text) if text else None


def rows(name: str) -> list[dict[str, Any]]:
    with (FOLDER / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="session")
def real() -> tuple[list[Entrant], list[Game], Standings]:
    """Return entrants, games and final standings of the tournament of 2025."""
    ruleset = shipped_ruleset("star-wars-armada-400")
    entrants = [
        Entrant(row["player"], status=row["status"] or "active", dropped_after=whole(row["dropped_after"]))
        for row in rows("players.csv")
    ]
    games = []
    for row in rows("results.csv"):
        facts = Facts(
            row["kind"],
            points_1=whole(row["points_1"]),
            points_2=whole(row["points_2"]),
            winner=whole(row["winner"]),
            conceded_by=whole(row["conceded_by"]),
        )
        kind: Any = "bye" if row["kind"] == "bye" else "game"
        table, score = whole(row["table"]), score_game(ruleset, facts)
        games.append(Game(int(row["round"]), table, kind, row["player_1"], row["player_2"] or None, facts, score))
    return entrants, games, rank(ruleset, entrants, games, round=4, seed="s")
