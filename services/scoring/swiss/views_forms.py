"""What scoring shows of printed forms and their sheets, and what it asks of a game, for whoever makes a form of it."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType

from shared.formats.options import rounds_if_fixed
from shared.rules.model import PLAYED
from shared.rules.parts import Form
from shared.service.game_lists import FormPrinted
from shared.shapes import View
from shared.swiss.games import ruleset_of
from shared.swiss.scoring import AskedFact, FactKind, FactPart, Makes, asked_facts, in_its_round, word_of_draws
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament


class FormView(FormPrinted, frozen=True, kw_only=True):
    """A form: what stands above its lines and in them. What Muster does not know is written by hand."""

    copies: Annotated[int | None, "null: until the number of rounds is fixed."]


class FormsView(View, frozen=True, kw_only=True):
    """The forms of a tournament's ruleset."""

    items: list[FormView]


def form_view(state: Tournament, form: Form) -> FormView:
    """A form, with how many copies of it are printed."""
    copies: int | None = form.copies
    if form.copies_a_round:
        rounds = rounds_if_fixed(state)
        copies = None if rounds is None else form.copies + form.copies_a_round * rounds
    words = ruleset_of(state.entries).printed(form)
    return FormView(
        id=form.id,
        name=form.name,
        holds=form.holds,
        filled_by=form.filled_by,
        heading=form.heading,
        columns=form.columns,
        lines=form.lines,
        order=form.order,
        clause=form.clause,
        titles=words.titles,
        instructions=words.instructions,
        copies=copies,
    )


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
    ruleset, scenario = in_its_round(ruleset_of(state.entries), round), state.rounds.rounds[round].scenario
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
    return AskedFactView(
        where=asked.where,
        name=asked.name,
        side=asked.side,
        kind=asked.kind,
        part=asked.part,
        least=asked.least,
        most=asked.most,
        step=asked.step,
        together=asked.together,
        choices=list(asked.choices),
        needed=asked.needed,
        makes=asked.makes,
        only=OnlyView(where=asked.only.where, value=asked.only.value) if asked.only else UNSET,
        game_round=asked.game_round,
        clause=asked.clause,
    )
