"""What reverses a command: another command, ready to be sent, or why nothing does and what can be done instead.

Each service has one row for each of its commands (`services/<name>/undo.py`). A row is made from the state before the
command, the command and its events, so that a repeated request is told the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from shared.events.base import Event
from shared.shapes import Command
from shared.tournament.state import Tournament

TAKEN_BACK = "taken back"
"""The reason that stands in a command which reverses another one, until whoever sends it has a better one."""


class Nothing(Struct, frozen=True):
    """Nothing reverses the command. reason: why, and what can be done instead."""

    reason: str


class Request(Struct, frozen=True):
    """A request that reverses the command, where its body is another one than its command. rest: of the address, in the
    tournament.
    """

    method: str
    rest: str
    body: Mapping[str, Any] | None = None


Reversal = Command | Request | Nothing
Undo = Callable[[Tournament, Any, Sequence[Any]], Reversal]
"""What reverses a command, by the state before it, the command and its events."""

Undoing = Mapping[type, Undo | Nothing]
"""Command -> its row."""

NOTHING_DONE = Nothing("Nothing was changed.")


def reversal(rows: Undoing, before: Tournament, command: Any, events: Sequence[Event]) -> Reversal | None:
    """What reverses a command; None of one that has no row."""
    row = rows.get(type(command))
    if row is None or isinstance(row, Nothing):
        return row
    return row(before, command, events) if events else NOTHING_DONE
