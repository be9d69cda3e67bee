"""Decisions about screens on a wall."""

from __future__ import annotations

from collections.abc import Sequence

from services.registration.tournament.refusals import ScreenUnknown, TooManyScreens
from services.registration.tournament.screen_commands import RemoveScreen, SetScreen
from services.registration.tournament.state import venue_of
from shared.events.base import Event
from shared.tournament.context import Context
from shared.tournament.events.screens import ScreenRemoved, ScreenSet, Shown
from shared.tournament.guards import announced
from shared.tournament.screens import Screen
from shared.tournament.state import Tournament

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
    shows = [Shown(what=one.what, when=one.when) for one in command.shows]
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
