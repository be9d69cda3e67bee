"""A result that was said, in words: its score, and the facts behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from muster_client import answers
from services.console.fact_words import label_of
from services.console.language import _
from services.console.rule_words import rule_word
from services.console.words import score_of

NOT_TOLD = ("points", "list")
"""Facts that stand in the score, or of which nobody wants to read."""
IN_WORDS = ("extra", "board")


def told_of(game: answers.GameShown, first: int = 1) -> str:
    """The score of a game as it was said, else what the ruleset makes of it. first: the player in front."""
    said = score_of(game.facts, first)
    if said or game.score is None:
        return said
    one, two = (game.score.values_1, game.score.values_2) if first == 1 else (game.score.values_2, game.score.values_1)
    return ", ".join(f"{value} : {two.get(name, 0)} {rule_word(name)}" for name, value in one.items())


def facts_told(facts: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """What lay on the table, as it was said: the label of each fact, and both sides of it."""
    flat = dict(_flat(facts or {}))
    lines: dict[str, str] = {}
    for name, value in flat.items():
        stem, _under, side = name.rpartition("_")
        if side not in ("1", "2") or stem in NOT_TOLD or stem.rsplit("/", 1)[-1] in NOT_TOLD:
            continue
        other = flat.get(f"{stem}_{3 - int(side)}")
        label = _label(stem)
        if label not in lines:
            sides = (value, other) if side == "1" else (other, value)
            lines[label] = " : ".join(map(_shown, sides))
    return list(lines.items())


def _flat(facts: Mapping[str, Any]) -> Any:
    for name, value in facts.items():
        if name in IN_WORDS and isinstance(value, Mapping):
            yield from ((f"{name}/{inner}", one) for inner, one in value.items())
        else:
            yield name, value


def _label(stem: str) -> str:
    name = stem.rsplit("/", 1)[-1]
    if name.startswith("round_") and name.endswith("_claims"):
        number = name.removeprefix("round_").removesuffix("_claims")
        return label_of("", "claims", int(number) if number.isdecimal() else 0)
    return label_of(f"/{stem}", name)


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(str(one.get("points", "")) if isinstance(one, Mapping) else str(one) for one in value) or "–"
    return str(value)
