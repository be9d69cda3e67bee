"""Printed forms and their sheets, as answers show them."""

from __future__ import annotations

from typing import Annotated

from shared.formats.swiss.printed_sheets import Sheet
from shared.shapes import View
from shared.web.paging import Page


class FormPrinted(View, frozen=True, kw_only=True):
    """What stands on a form of a ruleset; how many copies there are is said by whoever shows it."""

    id: str
    name: str
    holds: Annotated[str, "rounds, roster, sides, builder, pairings, standings or players."]
    filled_by: Annotated[str, "player or staff."]
    heading: list[str]
    columns: list[str]
    titles: Annotated[dict[str, str], "What is printed for every word of heading and columns."]
    instructions: Annotated[list[str], "What whoever fills it in reads first."]
    lines: Annotated[int, "On one sheet; 0: as many as are needed."]
    order: Annotated[str, "upwards: the lowest line is used first."]
    clause: str


class SheetView(View, frozen=True, kw_only=True):
    """A printed sheet. What is empty is written by hand."""

    about: Annotated[str, "The player, game or venue; empty: everybody."]
    heading: dict[str, str]
    columns: list[str]
    lines: Annotated[list[list[str]], "From top to bottom; a text for each column."]


class SheetsPage(Page[SheetView], frozen=True, kw_only=True):
    """One page of sheets."""

    round: Annotated[int | None, "The round that they are of; null: of all, or of none."]
    titles: Annotated[dict[str, str], "What is printed for every word of heading and columns."]
    instructions: list[str]


def sheet_view(sheet: Sheet) -> SheetView:
    """Return a printed sheet as answers show it."""
    return SheetView(about=sheet.about, heading=sheet.heading, columns=sheet.columns, lines=sheet.lines)
