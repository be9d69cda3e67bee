"""Games as rows of results.csv, the file of the offline commands: `muster/cli/offline/results_csv.py` reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shared.rules.model import PLAYED, Facts, Game

COLUMNS = (
    "round",
    "table",
    "kind",
    "player_1",
    "player_2",
    "winner",
    "points_1",
    "points_2",
    "scenario",
    "conceded_by",
    "coins_1",
    "coins_2",
    "extra",
)
OF_FORM = ("end", "second_player", "destroyed_1", "destroyed_2", "objective_1", "objective_2")
"""Facts of the result form that have no column of their own."""

AGAINST_SPARE = "spare=yes"
"""Says of a forfeit or of somebody who did not come that the second player is the spare player."""

OF_FACTS = ("points_1", "points_2", "winner", "scenario", "conceded_by")


def results_row(game: Game) -> dict[str, object]:
    """The row that `read_results` reads as this game; what there is nothing of is left out."""
    facts = game.facts
    sat_down = facts.kind in PLAYED
    row: dict[str, object] = {"round": game.round, "table": game.table}
    row["kind"] = game.kind if sat_down or game.kind == "bye" else facts.kind
    row |= {"player_1": game.player_1, "player_2": game.player_2}
    row |= {name: getattr(facts, name) for name in OF_FACTS}
    words = extra_words(facts)
    if game.kind == "spare" and not sat_down:
        words = f"{AGAINST_SPARE} {words}".strip()
    return {name: value for name, value in row.items() if value not in (None, "")} | ({"extra": words} if words else {})


def extra_words(facts: Facts) -> str:
    """The facts that have no column of their own, as words of the column `extra`."""
    told = {name: getattr(facts, name) for name in OF_FORM}
    words = [f"{name}={value}" for name, value in told.items() if value is not None]
    words += [f"{name}={value}" for name, value in facts.extra.items()]
    return " ".join([*words, *(f"{name}={_on_board(name, value)}" for name, value in facts.board.items())])


def _on_board(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value.replace(" ", "_")
    if name == "spent":
        return "".join(value)
    if isinstance(value, Sequence):
        return "+".join(_unit_word(part) if isinstance(part, Mapping) else str(part) for part in value)
    return str(value)


def _unit_word(unit: Mapping[str, Any]) -> str:
    """`45`, or `(45)` for one that still stands, with a hero who joined it behind a stroke."""
    shown = _points_word(unit["points"], unit["gone"])
    return shown + ("/" + _points_word(unit["hero_points"], unit["hero_gone"]) if "hero_points" in unit else "")


def _points_word(points: int, gone: bool) -> str:
    return f"{points}" if gone else f"({points})"
