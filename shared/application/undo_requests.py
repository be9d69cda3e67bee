"""A reversal as it is shown: the request that whoever may sends, to the service that answers."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import msgspec
from flask import current_app
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import FieldInfo

from shared.application.remains import REMAINS
from shared.application.undo import Nothing, Reversal
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
    shown = partial(
        UndoView,
        remains=" ".join(REMAINS[word] for word in found.remains) or UNSET,
        stays=list(found.remains) or UNSET,
        roles=list(found.roles) or UNSET,
    )
    if sent := found.sent:
        body = UNSET if sent.body is None else dict(sent.body)
        address = f"/tournaments/{tournament}{sent.rest}"
        return shown(method=sent.method, address=address, body=body)
    command, place = found.command, _place(type(found.command))
    named = {name: str(getattr(command, name)) for name in place.given} | {"tournament": tournament}
    address = PARTS.sub(lambda part: named[part[1]], place.rule)
    return shown(method=place.method, address=address, body=_body(command, place))


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
        if one.encode_name in plain and getattr(command, one.name) != _by_itself(one)
    }


def _by_itself(member: FieldInfo) -> Any:
    """What a member is that nobody gives."""
    return member.default_factory() if callable(member.default_factory) else member.default
