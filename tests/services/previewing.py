"""The three services in one process, where each command is asked for twice: first what it would do, then to do it.

muster = Previewing(folder)
evening = muster.evening()          every command on the way was previewed, appended nothing, and came as foretold
muster.reached                      the commands that were
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec

from services.registration.swiss.sealed_lists import SEALED_LISTS
from services.registration.tournament.directory import DIRECTORY
from services.registration.tournament.looks import LOOKS
from services.registration.tournament.personal_data_vault import PERSONAL
from services.scoring.season.index import SEASON_TOURNAMENTS
from shared.application.command_handler import CommandEnvelope, CommandHandler
from shared.application.previews import Foreseen
from shared.eventlog.tables import OUTBOX
from shared.formats.catalogue import CATALOGUE
from tests.fuzz.muster import Json, Muster, service_of
from tests.services.story import Answer

COMMANDS = ("POST", "PUT", "PATCH", "DELETE")
WRITTEN = {
    "registration": (DIRECTORY, PERSONAL, LOOKS, SEALED_LISTS, OUTBOX),
    "pairing": (OUTBOX,),
    "scoring": (SEASON_TOURNAMENTS, OUTBOX),
}
"""What stands beside logs."""

OPERATIONS = ("/rebuild", "/recopy", "/recover")
"""What is no command of a tournament."""


class Previewing(Muster):
    """Every command is previewed first; what came of it is compared with what was foretold."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.reached: set[type] = set()
        self.rolled: set[type] = set()

    def ask(self, method: str, service: str, address: str, body: Any = None, token: str = "", **headers: str) -> Answer:
        """Ask a service, of a command first what it would do."""
        if method not in COMMANDS or address in OPERATIONS or "preview=" in address:
            return super().ask(method, service, address, body, token, **headers)
        kept = self.everything()
        with self._noting() as noted:
            joined = "&" if "?" in address else "?"
            shown = super().ask(method, service, f"{address}{joined}preview=true", body, token, **headers)
        assert self.everything() == kept, f"a preview left something: {method} {address}"
        answer = super().ask(method, service, address, body, token, **headers)
        if answer.status < 400:
            compare(shown, answer)
            self.reached |= {type(one.command) for one in noted}
            self.rolled |= {
                type(one.command) for one in noted if any(part.reason == "rolled" for part in one.uncertain)
            }
        else:
            assert (shown.status, shown.code) == (answer.status, answer.code), (shown, answer)
            assert (shown.faults, shown.data) == (answer.faults, answer.data)
        return answer

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Whatever is done inside has not happened behind it."""
        rows = {name: database._rows for name, database in self.databases.items()}
        kept = {
            name: {table: {cut: dict(part) for cut, part in parts.items()} for table, parts in one._tables.items()}
            for name, one in rows.items()
        }
        numbers = {name: dict(one._numbers) for name, one in rows.items()}
        try:
            yield
        finally:
            for name, one in rows.items():
                one._tables, one._numbers = kept[name], numbers[name]
                service_of(self, name).repository._slots.clear()

    def everything(self) -> Json:
        """How many rows each table of a service holds that a command may write, but copies of others' logs."""
        found: Json = {"logs": self.length}
        for name, database in self.databases.items():
            with database.reading() as connection:
                found[name] = {table.name: connection.total(table) for table in WRITTEN[name]}
        return found

    @contextmanager
    def _noting(self) -> Iterator[list[Foreseen]]:
        noted: list[Foreseen] = []
        preview = CommandHandler.preview

        def noting(handler: CommandHandler, envelope: CommandEnvelope, *more: Any) -> Foreseen:
            foreseen = preview(handler, envelope, *more)
            noted.append(foreseen)
            return foreseen

        with mock.patch.object(CommandHandler, "preview", noting):
            yield noted


def compare(shown: Answer, answer: Answer) -> None:
    """Raises unless an answer is what its preview foretold, but for what that called uncertain."""
    assert shown.status == 200, shown
    assert shown.body["preview"] is True
    told, done = shown.body["events"], answer.body["events"]
    left_out = {one["where"] for one in shown.body["uncertain"]}
    if any(one["reason"] == "rolled" for one in shown.body["uncertain"]):
        assert len(told) <= len(done)
    else:
        assert len(told) == len(done), (shown, answer)
    for place, (one, other) in enumerate(zip(told, done, strict=False)):
        assert (one["source"], one["type"]) == (other["source"], other["type"])
        came = certain(other["data"], f"/events/{place}/data", left_out)
        assert one["data"] == came or typed(one["type"], one["data"]) == typed(one["type"], came), (one, other)


def typed(type: str, data: Json) -> Any:
    """The event of these data: a default that is written out says the same as one that is not."""
    return msgspec.convert(data, CATALOGUE[type].schema)


def certain(value: Any, where: str, left_out: set[str]) -> Any:
    """What came, without what was uncertain before."""
    if isinstance(value, dict):
        return {
            name: certain(inner, f"{where}/{name}", left_out)
            for name, inner in value.items()
            if f"{where}/{name}" not in left_out
        }
    if isinstance(value, list):
        places = [f"{where}/{place}" for place in range(len(value))]
        return [
            None if place in left_out else certain(inner, place, left_out)
            for place, inner in zip(places, value, strict=True)
        ]
    return value
