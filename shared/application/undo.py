"""What reverses a command: another command, ready to be sent, or why nothing does and what can be done instead.

Each service has one row for each of its commands (`services/<name>/undo.py`). A row is made from the state before the
command, the command and its events, so that a repeated request is told the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from flask import current_app
from msgspec import UNSET, Struct, UnsetType

from shared.application.views import UndoView
from shared.events.base import Event
from shared.shapes import Command
from shared.tournament.state import Tournament

PARTS = re.compile(r"<(?:[^<>:]+:)?([^<>:]+)>")
"""Names of the parts of a route."""

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


class Place(Struct, frozen=True):
    """Where a command is sent. given: members of it that the address names."""

    method: str
    rule: str
    given: frozenset[str]


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


def undo_view(found: Reversal | None, tournament: str) -> UndoView | UnsetType:
    """How a reversal is shown: as the request that whoever may sends, to the service that answers."""
    if found is None:
        return UNSET
    if isinstance(found, Nothing):
        return UndoView(reason=found.reason)
    if isinstance(found, Request):
        body = UNSET if found.body is None else dict(found.body)
        return UndoView(method=found.method, address=f"/tournaments/{tournament}{found.rest}", body=body)
    place = _place(type(found))
    named = {"tournament": tournament} | {name: str(getattr(found, name)) for name in place.given}
    address = PARTS.sub(lambda part: named[part[1]], place.rule)
    return UndoView(method=place.method, address=address, body=_body(found, place))


def _place(command: type[Command]) -> Place:
    """Where a command is sent; raises KeyError for one that has no route of its own."""
    places: dict[type, Place] = {}
    for blueprint in current_app.blueprints.values():
        places |= getattr(blueprint, "places", {})
    return places[command]


def _body(command: Command, place: Place) -> dict[str, Any]:
    """What is sent beside the address: every member that is not what it is by itself."""
    plain = msgspec.to_builtins(command)
    told = [one for one in msgspec.structs.fields(command) if one.name not in place.given]
    return {
        one.encode_name: plain[one.encode_name]
        for one in told
        if one.encode_name in plain and getattr(command, one.name) != one.default
    }
