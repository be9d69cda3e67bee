"""What reverses a command: another command, ready to be sent, or why nothing does and what can be done instead.

Each service has one row for each command that its staff give (`services/<name>/undo.py`). A row is made from the state
before the command, the command and its events, so that a repeated request is told the same. It is offered where it is
taken in the state that follows; where that refuses it, what is said is why.
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
    """How a command is asked for whose request has other members than it has itself. rest: of the address, in the
    tournament.
    """

    method: str
    rest: str
    body: Mapping[str, Any] | None = None


class Reversed(Struct, frozen=True):
    """command: reverses another one. remains: words of REMAINS for what is not as before all the same; empty: all is.

    sent: how it is asked for, where that does not follow from the command. roles: who may ask for it; empty: whoever
    gave the command may, too.
    """

    command: Command
    remains: Sequence[str] = ()
    sent: Request | None = None
    roles: Sequence[str] = ()


Reversal = Reversed | Nothing
Undo = Callable[[Tournament, Any, Sequence[Any]], Command | Reversal]
"""What reverses a command, by the state before it, the command and its events."""

Undoing = Mapping[type, Undo | Nothing]
"""Command -> its row."""

NOTHING_DONE = Nothing("Nothing was changed.")
NOTHING_LEFT = Nothing("There is nothing left to reverse.")


def reversal(rows: Undoing, before: Tournament, command: Any, events: Sequence[Event]) -> Reversal | None:
    """What reverses a command; None of one that has no row."""
    row = rows.get(type(command))
    if row is None or isinstance(row, Nothing):
        return row
    if not events:
        return NOTHING_DONE
    found = row(before, command, events)
    return found if isinstance(found, Reversed | Nothing) else Reversed(found)
