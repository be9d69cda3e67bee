"""Routes of commands, made from the service's table: one decorator says which.

    @blueprint.command(RuleResult, "/tournaments/<id:tournament>/games/<id:game>/ruling")
    @blueprint.may_refuse("game-unknown", "ruling-final")
    def rule_result(command: RuleResult, tournament: str) -> Appended:
        \"\"\"Rule what the result is; the head referee's word is final.\"\"\"
        return gateway.run(tournament, command)

Members of the command that the address names come from there, all others from the body; its shape follows from the
command, and the roles from its row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

from shared.application.command_answers import PARTS, Made
from shared.application.handlers import Handler
from shared.application.views import Appended
from shared.shapes import Command
from shared.web.blueprint import Blueprint
from shared.web.derived import NOTHING_OPEN, Opened, deferred
from shared.web.schemas import convert

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
