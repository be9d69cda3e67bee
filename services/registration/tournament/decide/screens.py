"""Screens on a wall: what can be asked, with the shape of each member, and what is decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from services.registration.tournament.refusals import ScreenUnknown, TooManyScreens
from services.registration.tournament.state import venue_of
from shared.events.base import Event
from shared.shapes import Check, Command, Id, Name, Shape, Size, Whole
from shared.tournament.context import Context
from shared.tournament.events import screens as recorded
from shared.tournament.events.screens import ScreenRemoved, ScreenSet
from shared.tournament.guards import announced
from shared.tournament.screens import Screen
from shared.tournament.state import Tournament

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


MOST = 40
"""Screens of one tournament."""


def set_screen(state: Tournament, command: SetScreen, context: Context) -> Sequence[Event]:
    """A screen that is new, or shows something else from now on; also after the end, for the last standings.

    Raises VenueUnknown, TooManyScreens.
    """
    entries, screens = announced(state), state.screens.by_id
    if command.venue:
        venue_of(entries, command.venue)
    known = screens.get(command.screen)
    if known is None and len(screens) >= MOST:
        raise TooManyScreens(f"{MOST} screens are set up already.", most=MOST)
    shows = [recorded.Shown(what=one.what, when=one.when) for one in command.shows]
    wanted = (command.name, command.venue, shows, command.seconds)
    if known is not None and wanted == (known.name, known.venue, known.shows, known.seconds):
        return []
    return [
        ScreenSet(screen=command.screen, name=command.name, venue=command.venue, shows=shows, seconds=command.seconds)
    ]


def remove_screen(state: Tournament, command: RemoveScreen, context: Context) -> Sequence[Event]:
    """A screen that is not wanted any more. Raises ScreenUnknown."""
    announced(state)
    return [ScreenRemoved(screen=screen_of(state, command.screen).id)]


def screen_of(state: Tournament, screen: str) -> Screen:
    """A screen that is set up. Raises ScreenUnknown."""
    if screen not in state.screens.by_id:
        raise ScreenUnknown(f"No screen has the id {screen}.")
    return state.screens.by_id[screen]
