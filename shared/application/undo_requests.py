"""A reversal as it is shown: the request that whoever may sends, to the service that answers."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from flask import current_app
from msgspec import UNSET, Struct, UnsetType

from shared.application.undo import Nothing, Request, Reversal
from shared.application.views import UndoView
from shared.shapes import Command

PARTS = re.compile(r"<(?:[^<>:]+:)?([^<>:]+)>")
"""Names of the parts of a route."""


class Place(Struct, frozen=True):
    """Where a command is sent. given: members of it that the address names."""

    method: str
    rule: str
    given: frozenset[str]


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
