"""Screens on a wall, as registration's log tells of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from shared.events.base import Event, StoredEvent
from shared.tournament.events.screens import ScreenRemoved, ScreenSet, Shown


class Screen(Struct, gc=False):
    """One screen. shows: in their order. changed: position of the event that set it last."""

    id: str
    name: str
    venue: str
    shows: list[Shown]
    seconds: int
    changed: int


class Screens(Struct):
    """by_id: those that are set up, in the order they came."""

    by_id: dict[str, Screen] = field(default_factory=dict)


def _set(screens: Screens, event: ScreenSet, told: StoredEvent) -> None:
    screens.by_id[event.screen] = Screen(
        event.screen, event.name, event.venue, list(event.shows), event.seconds, told.position
    )


def _removed(screens: Screens, event: ScreenRemoved, told: StoredEvent) -> None:
    del screens.by_id[event.screen]


EVOLVE: Mapping[type[Event], Callable[[Screens, Any, StoredEvent], None]] = MappingProxyType(
    {ScreenSet: _set, ScreenRemoved: _removed}
)
"""Event -> what it changes. Nothing else of a tournament depends on what hangs on its walls."""
