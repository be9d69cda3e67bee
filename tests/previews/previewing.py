"""The three services in one process, where each command is asked for twice: first what it would do, then to do it.

muster = Previewing(folder)
evening = muster.evening()          every command on the way was previewed, left nothing, and came as foretold
muster.reached                      the commands that have appended something
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock
from uuid import uuid4

import msgspec

from services.scoring.season_index import SeasonProcessManager
from shared.formats.fold import CATALOGUE
from shared.log.event import Recorded
from shared.log.reading import log_page
from shared.log.sqlite import SqliteDatabase
from shared.service import routes
from shared.service.commands import CommandEnvelope, CommandHandler
from shared.service.previews import PreviewOutcome
from shared.service.views import public_data
from shared.service.wiring import WIRED
from shared.tournament.draws import ABOUT_SECRETS
from tests.fuzz.muster import WHOLE_LOG, Json, Muster, service_of
from tests.services.story import Answer

COMMANDS = ("POST", "PUT", "PATCH", "DELETE")
WRITTEN = {
    "registration": (
        "directory",
        "personal",
        "personal_looks",
        "roster_notes",
        "sealed_lists",
        "sign_up_addresses",
        "outbox",
    ),
    "pairing": ("outbox",),
    "scoring": ("season_tournaments", "outbox", "webhooks", "webhook_secrets", "webhook_deliveries"),
}
"""Tables that commands write in addition to logs."""

TOURNAMENT = re.compile(r"/tournaments/([^/?]+)/")

OPERATIONS = ("/rebuild", "/recopy", "/recover")
"""Operations that are not commands of a tournament."""

SHOWN = {"preview", "events", "uncertain", "moves"}
"""Everything that a preview holds: no token, no link."""


class Previewing(Muster):
    """Previews every command first, then compares the appended events with the preview."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.reached: set[type] = set()
        self.rolled: set[type] = set()

    def ask(self, method: str, service: str, address: str, body: Any = None, token: str = "", **headers: str) -> Answer:
        """Ask a service; of a command first what it would do, with the same Idempotency-Key."""
        if method not in COMMANDS or address in OPERATIONS or "preview=" in address:
            return super().ask(method, service, address, body, token, **headers)
        headers.setdefault("Idempotency_Key", uuid4().hex)
        self._settle(address)
        kept, rows = self.everything(), self._rows_written(service)
        with self._noting() as noted:
            shown = super().ask(method, service, previewed(address), body, token, **headers)
        assert self.everything() == kept, f"a preview left something: {method} {address}"
        ends = self.length
        answer = super().ask(method, service, address, body, token, **headers)
        if answer.status >= 400:
            refused = (shown.status, shown.code, shown.faults, shown.data)
            assert refused == (answer.status, answer.code, answer.faults, answer.data), (shown, answer)
            return answer
        appended = self.length[service] - ends[service]
        announced = answer.body["id"] if address.partition("?")[0] == "/tournaments" else noted[-1].tournament
        compare(shown, self._last(service, announced, appended))
        if appended or self._rows_written(service) != rows:
            self.reached |= {type(one.command) for one in noted}
            self.rolled |= {
                type(one.command) for one in noted if any(part.reason == "rolled" for part in one.uncertain)
            }
        return answer

    def _rows_written(self, service: str) -> int:
        """How often commands of a service wrote private rows."""
        with self.databases[service].reading() as connection:
            return int(connection.value("SELECT coalesce(sum(revision), 0) FROM private_heads"))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Whatever is done inside has not happened behind it."""
        kept = {name: sqlite3.connect(":memory:") for name in self.databases}
        for name, copy in kept.items():
            with self._driver(name) as driver:
                driver.backup(copy)
        try:
            yield
        finally:
            for name, copy in kept.items():
                with self._driver(name) as driver:
                    copy.backup(driver)
                copy.close()
                service_of(self, name).repository._slots.clear()
            seasons = self.apps["scoring"].extensions[WIRED][SeasonProcessManager]
            seasons._examined.clear()
            seasons._registration_read.clear()

    @contextmanager
    def _driver(self, service: str) -> Iterator[sqlite3.Connection]:
        database = self.databases[service]
        assert isinstance(database, SqliteDatabase)
        with database.raw_connection() as connection:
            yield connection.driver_connection

    def everything(self) -> Json:
        """What a command may write: how long the logs are, and every row beside them."""
        found: Json = {"logs": self.length}
        for name, database in self.databases.items():
            with database.reading() as connection:
                for table in WRITTEN[name]:
                    found[f"{name} {table}"] = sorted(map(str, connection.rows(f"SELECT * FROM {table}")))
        return found

    def _settle(self, address: str) -> None:
        """Every service hears of everything, so that nothing has to follow from copies while a preview is made."""
        if found := TOURNAMENT.match(address):
            self.copy(found[1])
            for source in ("pairing", "scoring"):
                service_of(self, "registration").handle_copies(found[1], source)

    def _last(self, service: str, tournament: str, number: int) -> list[Recorded]:
        """The last events of a log."""
        if not number:
            return []
        with self.databases[service].reading() as connection:
            return log_page(connection, service, tournament, 0, WHOLE_LOG)[-number:]

    @contextmanager
    def _noting(self) -> Iterator[list[PreviewOutcome]]:
        noted: list[PreviewOutcome] = []
        preview = routes.preview

        def noting(handler: CommandHandler, envelope: CommandEnvelope, *more: Any) -> PreviewOutcome:
            foreseen = preview(handler, envelope, *more)
            noted.append(foreseen)
            return foreseen

        with mock.patch.object(routes, "preview", noting):
            yield noted


def previewed(address: str) -> str:
    """Return the address that previews a command."""
    return f"{address}{'&' if '?' in address else '?'}preview=true"


def compare(shown: Answer, appended: list[Recorded]) -> None:
    """Check that the appended events match a preview, except for its uncertain values."""
    assert shown.status == 200, shown
    assert set(shown.body) == SHOWN
    assert shown.body["preview"] is True
    told = shown.body["events"]
    appended = [event for event in appended if event.type not in ABOUT_SECRETS]
    uncertain = {one["where"]: one["reason"] for one in shown.body["uncertain"]}
    if f"/events/{len(told)}" in uncertain:
        assert len(told) < len(appended), (shown, appended)
    else:
        assert len(told) == len(appended), (shown, appended)
    for place, (one, event) in enumerate(zip(told, appended, strict=False)):
        assert (one["source"], one["type"]) == (event.source, event.type)
        came = certain(public_data(event), f"/events/{place}/data", set(uncertain))
        came.pop("answers", None)
        if f"/events/{place}/data/draws" in uncertain and "rows" in came:  # those who are tied stand in no order yet
            shown_rows, came_rows = one["data"].pop("rows"), came.pop("rows")
            assert [row["values"] for row in shown_rows] == [row["values"] for row in came_rows]
        assert one["data"] == came or typed(one["type"], one["data"]) == typed(one["type"], came), (one, event)


def typed(type: str, data: Json) -> Any:
    """Return the event of these data, so that explicit and implicit defaults compare equal."""
    return msgspec.convert(data, CATALOGUE[type].schema)


def certain(value: Any, where: str, left_out: set[str]) -> Any:
    """Return a value without its uncertain parts."""
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
