"""The ranking of a co-operative event as scoring shows it, on standard output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.console.terminal import show

TABLES = ("rank", "session", "outcome", "rounds", "share", "goals", "scenario", "loyal", "survivors")
SURVIVORS = ("rank", "player", "points", "victories", "rounds", "goals")


def show_ranking(found: Mapping[str, Any], form: str) -> None:
    """The survivors by all their sessions; as a table behind the tables of the round, which csv and json leave out."""
    names = {row["player"]: row["name"] for row in found["survivors"]}
    survivors = [{column: row[column] for column in SURVIVORS} | {"player": row["name"]} for row in found["survivors"]]
    state = "final" if found["final"] else "provisional" if found["provisional"] else "published"
    if form == "table":
        tables = [
            row | {"survivors": ", ".join(names.get(player, player) for player in row["survivors"])}
            for row in found["tables"]
        ]
        show(TABLES, tables, form, f"Tables of round {found['round']} ({state})")
    show(SURVIVORS, survivors, form, f"Survivors after round {found['round']} ({state})")
