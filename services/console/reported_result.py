"""A reported result in words, for the people who have to confirm it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from muster_client import answers
from services.console.language import _
from services.console.result_form import UNPLAYED, ResultForm, label_of, name_of, unit_text

HIDDEN = ("points", "list")
"""Facts that are part of the score, or that are of no interest."""
IN_WORDS = ("extra", "board")
STATED = ("conceded_by", "kind", "winner")
"""Facts that the outcome, or a line about a game that was not played, states in words."""


class ReportedSide(Struct, frozen=True):
    """One side of a result. points: as reported, empty without a score. values: what the ruleset gives for it."""

    name: str
    points: str
    values: Mapping[str, int]
    is_me: bool
    won: bool


class ReportedFact(Struct, frozen=True):
    """A fact of a report. values: one of the whole game, or one for each side."""

    label: str
    values: list[str]


class ReportedResult(Struct, frozen=True):
    """Everything that a report says. outcome: who wins, in words. facts: all facts but the points."""

    sides: list[ReportedSide]
    outcome: str
    facts: list[ReportedFact]


def reported_result(game: answers.GameShown, form: ResultForm | None, me: str) -> ReportedResult | None:
    """Return the reported result of a game between two players; None without one. me: the player who reads it."""
    if not game.facts or game.sides or not game.player_2:
        return None
    names = {1: game.name_1, 2: game.name_2}
    score = game.score
    sides = [
        ReportedSide(
            name=names[side],
            points=str(game.facts.get(f"points_{side}", "")),
            values=values,
            is_me=player == me,
            won=outcome == "win",
        )
        for side, player, outcome, values in (
            (1, game.player_1, score.outcome_1 if score else "", score.values_1 if score else {}),
            (2, game.player_2, score.outcome_2 if score else "", score.values_2 if score else {}),
        )
    ]
    facts = [*_unplayed(game.facts, names), *_game_facts(game.facts, form), *_sided_facts(game.facts)]
    return ReportedResult(sides, _outcome(sides, score, form), facts)


def _outcome(sides: list[ReportedSide], score: answers.CampaignScoreView | None, form: ResultForm | None) -> str:
    """Return who wins, in words; empty if that is not known."""
    if score is None:
        return ""
    winner = next((side for side in sides if side.won), None)
    if winner is not None:
        return _("You win") if winner.is_me else _("%(player)s wins", player=winner.name)
    if score.outcome_1 == "draw":
        return form.drawn if form else ""
    return _("No one wins")


def _unplayed(facts: Mapping[str, Any], names: Mapping[int, str]) -> Iterator[ReportedFact]:
    """Yield how a game ended that was not played, or not to its end."""
    kind, name = str(facts.get("kind", "game")), names.get(facts.get("conceded_by") or 0, "")
    if kind in UNPLAYED:
        yield ReportedFact(_("What happened"), [_(UNPLAYED[kind][0], player=name)])
    elif name:
        yield ReportedFact(_("What happened"), [_("%(player)s concedes", player=name)])


def _game_facts(facts: Mapping[str, Any], form: ResultForm | None) -> Iterator[ReportedFact]:
    """Yield each fact of the whole game, such as who was second player."""
    for place, value in _flat(facts):
        if place in STATED or _side_of(place) or isinstance(value, Mapping):
            continue
        if place == "scenario" and form and value == form.scenario:
            continue  # the same for the whole round
        field = form.field(name_of(place)) if form else None
        if field is None:
            yield ReportedFact(_label(place), [_value_text(value)])
        elif field.fact.kind == "flag":
            yield ReportedFact(field.label, [_value_text(value == field.fact.choices[1])])
        else:
            yield ReportedFact(field.label, [field.options.get(str(value), _value_text(value))])


def _sided_facts(facts: Mapping[str, Any]) -> Iterator[ReportedFact]:
    """Yield each fact that both sides have, except the points."""
    flat, seen = dict(_flat(facts)), set()
    for place in flat:
        stem = place.rpartition("_")[0]
        if not _side_of(place) or stem.rpartition("/")[2] in HIDDEN or stem in seen:
            continue
        seen.add(stem)
        yield ReportedFact(_label(stem), [_value_text(flat.get(f"{stem}_{side}")) for side in (1, 2)])


def _side_of(place: str) -> int:
    """Return the side that a fact belongs to; 0 for a fact of the whole game."""
    stem, _under, side = place.rpartition("_")
    return int(side) if stem and side in ("1", "2") else 0


def _flat(facts: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
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
        return ", ".join(unit_text(one) if isinstance(one, Mapping) else str(one) for one in value) or "–"
    return str(value)
