"""A command's row in the table of its service."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from msgspec import Struct

from shared.events.base import Event
from shared.tournament.context import Context
from shared.tournament.guards.venues import Venues
from shared.tournament.state import Tournament

Decide = Callable[[Tournament, Any, Context], Sequence[Event]]
Version = Callable[[Tournament, Any], int]
"""The position of the last event that touched what a command is about; 0 where there is none."""


class Handler(Struct, frozen=True):
    """What governs a command.

    decide: what follows from it. roles: who may ask; none where whoever asks needs no role, or where a rule asks.
    formats: of the tournaments that know it; none where all do. venues: those that it is about, for staff who act at
    one venue only. version: for a command by which two people edit one thing, when that was touched last; any other is
    done only where nothing at all was appended since. fresh: the other services are asked first for what they have
    appended meanwhile.
    """

    decide: Decide
    roles: Sequence[str] = ()
    formats: Collection[str] = ()
    venues: Venues | None = None
    version: Version | None = None
    fresh: bool = False
