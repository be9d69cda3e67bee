"""The ranking of a co-operative event as scoring shows it, with its reasons, on standard output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.console.terminal import show

TABLES = ("rank", "session", "outcome", "rounds", "share", "goals", "scenario", "loyal", "survivors", "why")
SURVIVORS = ("rank", "player", "points", "victories", "rounds", "goals")
WHY = (*SURVIVORS, "why")


def show_ranking(found: Mapping[str, Any], form: str) -> None:
    """The survivors by all their sessions. As a table with the reason of each place, behind the tables of the round."""
    names = {row["player"]: row["name"] for row in found["survivors"]}
    survivors = [{column: row[column] for column in SURVIVORS} | {"player": row["name"]} for row in found["survivors"]]
    if form != "table":
        show(SURVIVORS, survivors, form)
        return
    state = "final" if found["final"] else "provisional" if found["provisional"] else "published"
    tables = [
        row
        | {"survivors": ", ".join(names.get(player, player) for player in row["survivors"])}
        | {"why": _why(row["because"], names)}
        for row in found["tables"]
    ]
    show(TABLES, tables, form, f"Tables of round {found['round']} ({state})")
    reasons = [_why(row["because"], names) for row in found["survivors"]]
    told = [row | {"why": reason} for row, reason in zip(survivors, reasons, strict=True)]
    show(WHY, told, form, f"Survivors after round {found['round']} ({state})")


def _why(because: Mapping[str, str] | None, names: Mapping[str, str]) -> str:
    """What separates a row from the one above it, or the first from the one below, in words."""
    if because is None:
        return ""
    other = names.get(because["compared_with"], because["compared_with"])
    if because["by"] == "equal":
        return f"equal to {other} ({because['clause']})"
    return f"{because['by']}: {because['own']} against {because['theirs']} of {other} ({because['clause']})"
