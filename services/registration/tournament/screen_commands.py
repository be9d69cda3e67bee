"""What registration can be asked about screens on a wall, with the shape of each member."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from shared.shapes import Check, Command, Id, Name, Shape, Size, Whole

SHORTEST, LONGEST = 5, 300
"""Seconds for which a page of a screen stays."""

What = Literal["pairings_by_name", "pairings_by_table", "standings", "clock", "bracket"]
Moment = Literal["always", "before", "during", "after"]
When = Annotated[
    Moment,
    "before: until the round starts; during: until it is closed; after: until the next one is shown.",
]


def _each_once(shows: Sequence[Mapping[str, Any]]) -> str:
    said = [(one["what"], one["when"]) for one in shows]
    return "each thing once for the same time" if len(set(said)) < len(said) else ""


class Shown(Shape, frozen=True, kw_only=True):
    """One thing that a screen shows, and when."""

    what: What
    when: When = "always"


class SetScreen(Command, frozen=True, kw_only=True):
    """A screen, new or in place of the one with this id: what it shows, one after the other.

    screen: as its address has it. venue: of this one alone; empty: of all.
    """

    screen: Id
    name: Annotated[str, Name(60)]
    venue: str = ""
    shows: Annotated[list[Shown], Size(8, 1), Check(_each_once)]
    seconds: Annotated[int, Whole(SHORTEST, LONGEST), "For which a page stays."] = 12


class RemoveScreen(Command, frozen=True, kw_only=True):
    """The screen is set up no more."""

    screen: Id
