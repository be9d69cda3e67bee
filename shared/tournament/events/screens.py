"""Events of registration's log about screens on a wall: what each shows, and when."""

from __future__ import annotations

from shared.events.base import Event, Part


class Shown(Part, frozen=True, kw_only=True):
    """One thing that a screen shows.

    what: pairings_by_name, pairings_by_table, standings, clock or bracket. when: always, or before a round (until it
    starts), during it, or after it (until the next one is shown).
    """

    what: str
    when: str = "always"


class ScreenSet(Event, frozen=True, kw_only=True):
    """A screen shows this from now on, one after the other; said again, in place of what it showed.

    screen: as its address has it. venue: of this one alone; empty: of all. seconds: for which a page stays.
    """

    screen: str
    name: str
    shows: list[Shown]
    seconds: int
    venue: str = ""


class ScreenRemoved(Event, frozen=True, kw_only=True):
    """The screen is not set up any more; its address shows nothing."""

    screen: str
