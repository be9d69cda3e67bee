"""What the answer to a command says beside its events: the `id` and `Location` of what it made, and what reverses it.

    AWARD = Made((AwardGiven,), "award")
    PLAYER = Made((PlayerJoined, PlayerWaitlisted), "player", "/tournaments/<id:tournament>/players/<id:player>")

Both follow from the events, so a command that is told again is answered the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar
from urllib.parse import quote

import msgspec
from flask import current_app
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import FieldInfo, replace

from shared.application.undo import Nothing, Reversal
from shared.application.views import Appended, UndoView
from shared.events.base import Event
from shared.shapes import Command
from shared.web.request import this_request

REMAINS: Mapping[str, str] = MappingProxyType(
    {
        "left-once": "The log keeps the round after which the player left.",
        "personal-data": "What is kept with the player's personal data stays, until that is erased.",
        "listed-as-gone": "The player stays listed as gone.",
        "at-the-venue": "The player stays at the venue of the check-in.",
        "all-at-the-venue": "Players stay at the venue of the check-in.",
        "party-id": "The party gets a new id.",
        "venue-listed": "The venue stays listed as closed, and its name stays taken.",
        "screen-last": "The screen stands last in the list.",
        "data-number": "The data get the next number.",
        "paired-by-hand": "The games stand as paired by hand, under new ids.",
        "shown-as-corrected": "The game is shown as corrected.",
        "drawn-again": "A tie that a draw decides is drawn again, if the ruleset does not keep earlier draws.",
        "dice-on-record": "The groups are as before; rolled dice and entries of balances stay on record.",
        "award-id": "The award gets a new id.",
        "was-sent": "What was sent stays with whoever received it.",
        "disabled-since": "It is shown as disabled since then.",
        "disabled-by-somebody": "It is shown as disabled by somebody, not by a rule.",
        "right-of-another": "It goes on by the right of whoever enables it to see.",
    }
)
"""Word -> sentence."""


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


Answer = TypeVar("Answer", bound=Appended)


class Made(Struct, frozen=True):
    """What a command makes.

    by: events that each make one. member: of them, that holds its id; empty where the view says the id itself.
    at: the route that shows one, whose last part is the id; empty where nothing shows one by itself.
    """

    by: tuple[type[Event], ...]
    member: str
    at: str = ""

    def named(self, answer: Answer) -> tuple[Answer, dict[str, str]]:
        """The answer with the id of what was made, and the headers that go with it; as it is for none or several."""
        made = {kind.__name__ for kind in self.by}
        ids = [str(event.data[self.member]) for event in answer.events if self.member and event.type in made]
        if answer.id is UNSET and len(ids) == 1:
            answer = replace(answer, id=ids[0])
        if answer.id is UNSET or not self.at:
            return answer, {}
        return answer, {"Location": self._address(answer.id)}

    def _address(self, id: str) -> str:
        """From the root of the service, as the caller reaches it."""
        request = this_request()
        *_, last = PARTS.findall(self.at)
        parts = {**(request.view_args or {}), last: id}
        path = PARTS.sub(lambda part: str(parts[part[1]]), self.at)
        return quote(request.root_path.rstrip("/") + path)
