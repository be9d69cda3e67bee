"""What scoring asks of a game, for whoever makes a form of it."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType

from shared.formats.swiss.rules.asked_facts import AskedFact, FactKind, FactPart, Makes, asked_facts, word_of_draws
from shared.formats.swiss.ruleset import ruleset_of
from shared.rules.model import PLAYED
from shared.shapes import View, made_from
from shared.tournament.events.pairing import Seat
from shared.tournament.state import Tournament


class OnlyView(View, frozen=True, kw_only=True):
    """Another fact, and what it has to be."""

    where: str
    value: str


class AskedFactView(View, frozen=True, kw_only=True):
    """A fact that may be said of a game."""

    where: Annotated[str, "JSON pointer into `facts`."]
    name: Annotated[str, "The same for both sides."]
    side: Annotated[int, "1 or 2; 0: of the game."]
    kind: Annotated[
        FactKind,
        "whole: a number; choice: one of `choices`; flag: no or yes, as `choices` have them; text; names, numbers,"
        " letters: a list of them; units: a list of units that are gone, each an object.",
    ]
    part: Annotated[
        FactPart,
        "game: which it was; score; table: what makes the score or the winner; beside: recorded besides; end: how it"
        " ended.",
    ]
    least: Annotated[int, "Of a number; of a list, how many."]
    most: Annotated[int | None, "The same; null: open."]
    step: int
    together: Annotated[int | None, "The most of both sides in sum; null: open."]
    choices: list[int | str | bool]
    needed: Annotated[bool, "A game without it is refused, unless something else makes it."]
    makes: Annotated[Makes, "points, winner: which of them follows from it, and need not be said then."]
    only: Annotated[OnlyView | UnsetType, "Asked only where this was said."] = UNSET
    game_round: Annotated[int, "Of the game, after which it is counted; 0: at its end."]
    clause: str


class ResultFormView(View, frozen=True, kw_only=True):
    """What may be said of a game, with the bounds of each fact; what holds of several together, a preview says."""

    game: str
    unit: Annotated[str, "What points are called."]
    draw: Annotated[str, "What a game without a winner is called."]
    scenario: Annotated[str, "Of the round; empty where it has none."]
    concedes: Annotated[bool, "Whether a side may concede: `conceded_by`."]
    unplayed: Annotated[list[str], "Kinds of a game that was not played; only staff record them."]
    facts: list[AskedFactView]


def result_form_view(state: Tournament, round: int, seat: Seat) -> ResultFormView:
    """What a game is asked for, by the ruleset and the scenario of its round."""
    ruleset, scenario = ruleset_of(state.entries), state.rounds.rounds[round].scenario
    form = ruleset.result
    return ResultFormView(
        game=seat.game,
        unit=form.unit,
        draw=word_of_draws(ruleset),
        scenario=scenario,
        concedes="conceded_by" in form.fields,
        unplayed=[kind for kind in form.kinds if kind not in (*PLAYED, "bye")],
        facts=[_fact_view(asked) for asked in asked_facts(ruleset, scenario)],
    )


def _fact_view(asked: AskedFact) -> AskedFactView:
    only = UNSET if asked.only is None else made_from(OnlyView, asked.only)
    return made_from(AskedFactView, asked, choices=list(asked.choices), only=only)
