"""Labels of the facts of a game and of the fields of a list, and the text of a result.

A fact or a field without a row here is shown in the words of the ruleset.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from muster_client import answers
from services.console.language import N_, _
from services.console.words import rule_word, score_of

FACTS = {
    "points": N_("Points"),
    "destroyed": N_("Points of destroyed ships and squadrons"),
    "objective": N_("Points of the objective"),
    "tokens": N_("Tokens held at the end"),
    "claims": N_("Claims after game round %(number)s"),
    "rating_lost": N_("Rating of the own models that are out"),
    "rating_across": N_("Rating of the own models that are across"),
    "crew_rating": N_("Rating of the whole crew"),
    "whole_crew": N_("It was the whole crew"),
    "game_rounds": N_("Game rounds that were begun"),
    "interrupted": N_("Time stopped the last of them"),
    "search_tokens": N_("Search tokens"),
    "list": N_("What the list comes to"),
    "spent": N_("How the scenario points were spent"),
    "noted": N_("Areas that were noted"),
    "controlled": N_("Areas controlled at the end"),
    "inside": N_("Own units inside after each game turn"),
    "target_dead": N_("The own target is destroyed"),
    "target_points": N_("Army points of the own target"),
    "units": N_("Army points of the own units that are gone"),
    "scenario": N_("Scenario"),
    "winner": N_("The winner"),
    "end": N_("The end"),
    "second_player": N_("Who was the second player?"),
    "/board/objective": N_("What was played for"),
}
"""Name of a fact (or its place, where two have one name) -> the label of its field."""
HINTS = {
    "whole_crew": N_("Then it is worth all of it."),
    "spent": N_("In order, a letter for each point: O for objectives, D for deployment, C for conditions."),
    "noted": N_("Two names, with a comma between them."),
    "controlled": N_("Their names, with commas between them; nothing for none."),
    "inside": N_("A number for each turn from the first on, such as 0, 1, 2, 2, 1."),
    "units": N_(
        "All of them, such as 45, 75, 40+25; with a plus a hero who had joined, in brackets who is still there."
    ),
}
ENDS = {
    "rounds": N_("All rounds were played"),
    "time": N_("Time was called"),
    "defeated_1": N_("%(player_1)s has nothing left"),
    "defeated_2": N_("%(player_2)s has nothing left"),
    "mutual": N_("Both agreed to end it"),
    "simultaneous": N_("Both lost the last at the same moment"),
}
UNPLAYED = {
    "no_show": (N_("%(player)s did not come"), True),
    "forfeit": (N_("%(player)s forfeits the game"), True),
    "double_no_show": (N_("Neither of the two came"), False),
    "double_forfeit": (N_("Both forfeit the game"), False),
}
"""Kind of a game that was not played -> words, and whether it is about one side."""
DRAWS = {"draw": N_("A draw"), "tie": N_("A tie")}

FIELDS = {
    "faction": N_("Faction"),
    "rating": N_("Rating"),
    "models": N_("Models"),
    "chems": N_("Chems"),
    "legend": N_("Legend"),
    "ploys": N_("Ploys"),
    "supplements": N_("Supplements"),
    "fleet_total": N_("Points of the fleet"),
    "commanders": N_("Commander"),
    "ships": N_("Ships"),
    "squadrons": N_("Squadrons"),
    "objectives": N_("Objectives"),
    "army_total": N_("Army points in all"),
    "units": N_("Units"),
}
"""A field of a list -> its label."""


def field_of(name: str) -> str:
    """Return the label of a field of a list."""
    return _(FIELDS[name]) if name in FIELDS else name.replace("_", " ").capitalize()


def label_of(where: str, name: str, game_round: int = 0) -> str:
    """Return the label of a fact."""
    words = FACTS.get(where) or FACTS.get(name)
    if words is None:
        return name.replace("_", " ").capitalize()
    return _(words, number=game_round) if game_round else _(words)


def draw_of(word: str) -> str:
    """Return the word for a game without a winner."""
    return _(DRAWS[word]) if word in DRAWS else word.capitalize()


HIDDEN = ("points", "list")
"""Facts that are part of the score, or that are of no interest."""
IN_WORDS = ("extra", "board")


def result_text(game: answers.GameShown, first: int = 1) -> str:
    """Return the reported score of a game, else its score by the ruleset. first: the player in front."""
    reported = score_of(game.facts, first)
    if reported or game.score is None:
        return reported
    one, two = (game.score.values_1, game.score.values_2) if first == 1 else (game.score.values_2, game.score.values_1)
    return ", ".join(f"{value} : {two.get(name, 0)} {rule_word(name)}" for name, value in one.items())


def fact_lines(facts: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Return the label and the values of both sides of each reported fact."""
    flat = dict(_flat(facts or {}))
    lines: dict[str, str] = {}
    for name, value in flat.items():
        stem, _under, side = name.rpartition("_")
        if side not in ("1", "2") or stem in HIDDEN or stem.rsplit("/", 1)[-1] in HIDDEN:
            continue
        other = flat.get(f"{stem}_{3 - int(side)}")
        label = _label(stem)
        if label not in lines:
            sides = (value, other) if side == "1" else (other, value)
            lines[label] = " : ".join(map(_value_text, sides))
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


def _value_text(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(str(one.get("points", "")) if isinstance(one, Mapping) else str(one) for one in value) or "–"
    return str(value)
