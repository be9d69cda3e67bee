"""The three services in one process, where each command of staff is reversed as its answer says, on the side.

muster = Reversing(folder)
muster.evening()
muster.reversals                    for each command that a request reverses: what was another afterwards, what was said
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from shared.application.command_handler import CommandHandler
from shared.application.deciding import CommandEnvelope, CommandResult
from shared.roles import ORGANISER
from tests.formats.stories import THERE
from tests.fuzz.muster import Json
from tests.previews.previewing import COMMANDS, OPERATIONS, TOURNAMENT, Previewing
from tests.services.story import Answer

TOLD = {"log", "heads", "show_game_history", "list_player_links"}
"""Questions about what happened, which a reversal adds to."""
LOOKS = {"list_looks"}
"""Who was shown personal data, to which looking here adds."""

OF_THE_MOMENT = {"now", "remaining_seconds", "time"}
"""Members that say when it is."""
HOW_FAR = "version"
"""The member of a list that says how far the logs had been read for it, as its ETag does."""


OFTEN = 3
"""How often the same command is reversed of which the same remains; many of a tournament are alike."""


@dataclass(frozen=True)
class Reversal:
    """A command that was reversed. differs: what people see and that was another, as `/service operation/member/…`."""

    command: type
    undo: Json
    answer: Answer
    differs: Mapping[str, tuple[Any, Any]]


class Reversing(Previewing):
    """Whatever is answered with a request that reverses it, is reversed on the side, and what is shown is compared."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.reversals: list[Reversal] = []

    def ask(self, method: str, service: str, address: str, body: Any = None, token: str = "", **headers: str) -> Answer:
        """Ask a service; a command that is not refused is given and reversed first."""
        if method in COMMANDS and address not in OPERATIONS and "preview=" not in address:
            self._settle(address)
            with self.aside():
                self._reverse(method, service, address, body, token, headers)
        return super().ask(method, service, address, body, token, **headers)

    def plainly(
        self, method: str, service: str, address: str, body: Any = None, token: str = "", **headers: str
    ) -> Answer:
        """Ask a service, and nothing else."""
        return super(Previewing, self).ask(method, service, address, body, token, **headers)

    def _reverse(self, method: str, service: str, address: str, body: Any, token: str, headers: Any) -> None:
        found = TOURNAMENT.match(address)
        with self.aside(), self._running() as commands:
            answer = self.plainly(method, service, address, body, token, **headers)
        undo = answer.body.get("undo")
        if undo is None:
            return
        command, remains = commands[-1], undo.get("remains")
        often = sum((one.command, one.undo.get("remains")) == (command, remains) for one in self.reversals) >= OFTEN
        if "method" not in undo or found is None or often:
            return
        tournament, there = found[1], THERE | {"tournament": found[1], "gathered": "t-1"}
        there |= {name: value for event in answer.events for name, value in event["data"].items() if name in THERE}
        before = self.seen(there)
        self.plainly(method, service, address, body, token, **headers)
        self._settle(address)
        by = self.token(undo["roles"][0], tournament) if "roles" in undo else token
        reversed = self.plainly(undo["method"], service, undo["address"], undo.get("body"), by)
        self._settle(address)
        differs = dict(differing(before, self.seen(there)))
        self.reversals.append(Reversal(command, undo, reversed, differs))

    @contextmanager
    def _running(self) -> Iterator[list[type]]:
        """The commands that are run inside."""
        commands: list[type] = []
        run = CommandHandler.run

        def noting(handler: CommandHandler, envelope: CommandEnvelope) -> CommandResult:
            commands.append(type(envelope.command))
            return run(handler, envelope)

        with mock.patch.object(CommandHandler, "run", noting):
            yield commands

    def seen(self, there: Mapping[str, Any]) -> Json:
        """Everything that an organiser is shown of a tournament."""
        token, found = self.token(ORGANISER, there["tournament"]), {}
        for service, app in self.apps.items():
            addresses = app.url_map.bind("localhost")
            for rule in app.url_map.iter_rules():
                operation = rule.endpoint.rpartition(".")[2]
                if "GET" in rule.methods and "tournament" in rule.arguments and operation not in TOLD | LOOKS:
                    address = addresses.build(rule.endpoint, {name: there[name] for name in rule.arguments})
                    answer = self.plainly("GET", service, address, token=token)
                    body = answer.body or {}
                    if "items" in body or "pairings" in body:
                        body.pop(HOW_FAR, None)
                    found[f"{service} {operation}"] = body if answer.status < 400 else answer.code
        return found


def differing(one: Any, other: Any, where: str = "") -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Members of two answers that are not the same, but for those that say when it is."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted({*one, *other} - OF_THE_MOMENT):
            yield from differing(one.get(name), other.get(name), f"{where}/{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (this, that) in enumerate(zip(one, other, strict=True)):
            yield from differing(this, that, f"{where}/{place}")
    elif one != other:
        yield where, (one, other)
