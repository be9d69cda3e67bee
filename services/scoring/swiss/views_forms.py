"""What scoring shows of printed forms: which there are, and their sheets."""

from __future__ import annotations

from typing import Annotated

from shared.application.views import FormPrinted, SheetView
from shared.formats.by_format import rounds_if_fixed
from shared.formats.swiss.ruleset import printed, ruleset_of
from shared.rules.printed_forms import Form
from shared.shapes import View
from shared.tournament.state import Tournament
from shared.web.paging import Page


class FormView(FormPrinted, frozen=True, kw_only=True):
    """A form: what stands above its lines and in them. What Muster does not know is written by hand."""

    copies: Annotated[int | None, "null: until the number of rounds is fixed."]


class FormsView(View, frozen=True, kw_only=True):
    """The forms of a tournament's ruleset."""

    items: list[FormView]


class SheetsPage(Page[SheetView], frozen=True, kw_only=True):
    """One page of sheets."""

    round: Annotated[int | None, "The round that they are of; null: of all, or of none."]
    titles: Annotated[dict[str, str], "What is printed for every word of heading and columns."]
    instructions: list[str]


def form_view(state: Tournament, form: Form) -> FormView:
    """A form, with how many copies of it are printed."""
    copies: int | None = form.copies
    if form.copies_a_round:
        rounds = rounds_if_fixed(state)
        copies = None if rounds is None else form.copies + form.copies_a_round * rounds
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
        copies=copies,
        **printed(ruleset_of(state.entries), form),
    )
