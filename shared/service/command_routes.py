"""Routes of commands, made from the service's table, and what their answers say beside the events.

    @blueprint.command(RuleResult, "/tournaments/<id:tournament>/games/<id:game>/ruling")
    @blueprint.may_refuse("game-unknown", "ruling-final")
    def rule_result(command: RuleResult, tournament: str) -> Appended:
        \"""Rule what the result is; the head referee's word is final.\"""
        return gateway.run(tournament, command)

Members of the command that the address names come from there, all others from the body; its shape follows from the
command, and the roles from its row. The `id` and `Location` of what a command made follow from its events, so that a
repeated command gets the same answer:

    AWARD = Made((AwardGiven,), "award")
    PLAYER = Made((PlayerJoined, PlayerWaitlisted), "player", "/tournaments/<id:tournament>/players/<id:player>")
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast
from urllib.parse import quote

from msgspec import UNSET, Struct
from msgspec.structs import replace

from shared.log.event import Event
from shared.service.handlers import Handler
from shared.service.views import Appended
from shared.shapes import Command
from shared.web.blueprint import Blueprint
from shared.web.request import this_request
from shared.web.schema import NOTHING_OPEN, Opened, convert, deferred

PARTS = re.compile(r"<(?:[^<>:]+:)?([^<>:]+)>")
"""Names of the parts of a route."""


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


View = TypeVar("View", bound=Callable[..., Any])


class CommandBlueprint(Blueprint):
    """A blueprint of a service whose commands stand in a table."""

    def __init__(
        self, name: str, handlers: Mapping[type, Handler], *, opened: Opened = NOTHING_OPEN, **options: Any
    ) -> None:
        """handlers: command -> what governs it. opened: as of `schema_of`. options: as of `Blueprint`."""
        super().__init__(name, **options)
        self._handlers, self._opened = handlers, opened

    def command(
        self,
        kind: type[Command],
        rule: str,
        *,
        method: str = "POST",
        answer: Any = Appended,
        status: int = 201,
        within: str | None = "tournament",
        required: bool = True,
        makes: Made | None = None,
    ) -> Callable[[View], View]:
        """Answer a command. The view is handed the command, and the parts of the address that it does not hold.

        answer, status: what comes of it. within: as of `allow`. required: as of `arguments`. makes: as of `makes`.
        """
        named = set(kind.__struct_fields__)
        from_address = named & set(PARTS.findall(rule))
        has_body = named > from_address
        schema = deferred(kind, from_address, self._opened)

        def decorator(view: View) -> View:
            @wraps(view)
            def with_command(*loaded: Any, **parts: Any) -> Any:
                *others, said = loaded if has_body else (*loaded, {})
                address = {name: parts[name] for name in from_address}
                command = said if isinstance(said, kind) else convert({**said, **address}, kind)
                kept = {name: part for name, part in parts.items() if name not in from_address or name == "tournament"}
                return view(command, *others, **kept)

            made = cast(View, with_command)
            if makes:
                made = self.makes(makes)(made)
            if has_body:
                made = self.arguments(schema, required=required)(made)
            if self._handlers[kind].roles:
                made = self.allow(*self._handlers[kind].roles, within=within)(made)
            made = self.previewed(self.response(status, answer)(made))
            return cast(View, self.route(rule, methods=[method])(made))

        return decorator

    def makes(self, made: Made) -> Callable[[View], View]:
        """Answer with the `id` of what a command made, and with its address; stands below `response`."""

        def decorator(view: View) -> View:
            @wraps(view)
            def with_id(*loaded: Any, **parts: Any) -> Any:
                return made.named(view(*loaded, **parts))

            named = cast(View, with_id)
            return self.located(named) if made.at else named

        return decorator
