"""Reads whatever there is to read of a stack, as anybody may, and in its databases."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx

from deploy.stack import Stack
from shared import roles
from shared.log.cloudevents import from_wire
from shared.log.database import Database
from shared.log.event import Recorded
from shared.log.log import verify
from shared.log.schema import open_database
from shared.messaging.envelope import parse_event
from shared.settings import SERVICES
from shared.web import tokens
from tests import http

PAGE = 5000
LASTING = 7 * 86_400
"""Seconds for which its token is good: longer than any clock is set ahead here."""


class Auditor:
    """Reads whatever there is to read. It has seen nothing before, so that no answer is hurried on its behalf."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        now = int(time.time())
        settings = {name: stack.settings(name) for name in SERVICES}
        token = tokens.mint(
            stack.issuer,
            actor="auditor",
            role=roles.OPERATOR,
            tournament=roles.EVERY_TOURNAMENT,
            jti=f"auditor-{now}",
            iat=now,
            exp=now + LASTING,
        )
        self._http = http.Client(headers={"Authorization": f"Bearer {token}"})
        self._urls = {name: settings[name].database_url for name in SERVICES}

    def get(self, service: str, path: str, **query: Any) -> httpx.Response:
        """What GET answers. Raises httpx.HTTPStatusError for a problem."""
        return self._http.get(self.stack.urls[service] + path, params=query).raise_for_status()

    def heads(self, tournament: str) -> list[dict[str, Any]]:
        """Where the logs of a tournament end, as each service has it."""
        return [self.get(name, f"/tournaments/{tournament}/heads").json()["heads"] for name in SERVICES]

    def agreed(self, tournament: str) -> bool:
        """Whether every service has every log to the same end."""
        first, *others = self.heads(tournament)
        return len(first) == len(SERVICES) and all(other == first for other in others)

    def logs(self, tournament: str) -> dict[str, list[Recorded]]:
        """Every log of a tournament, the same byte for byte from all three services, and verified."""
        logs = {}
        for source in SERVICES:
            found = [self.log(name, tournament, source) for name in SERVICES]
            assert found[0] == found[1] == found[2], f"{source}'s log of {tournament} differs between services"
            logs[source] = found[0]
            verify(logs[source])
        return logs

    def log(self, service: str, tournament: str, source: str) -> list[Recorded]:
        """A log as one service has it."""
        lines = self.get(service, f"/tournaments/{tournament}/log", source=source, limit=PAGE).text.splitlines()
        return [from_wire(line) for line in lines]

    def feed(self, service: str) -> list[tuple[int, Recorded]]:
        """The whole feed of a service: feed position and event."""
        found: list[tuple[int, Recorded]] = []
        while True:
            page = self.get(service, "/log", after=len(found), limit=PAGE)
            for line in page.text.splitlines():
                event, position = parse_event(line)
                found.append((position or 0, event))
            if len(found) >= int(page.headers["Muster-Feed-End"]):
                return found

    def end(self, service: str) -> int:
        """The last position of the feed of a service."""
        return int(self.get(service, "/log", limit=1).headers["Muster-Feed-End"])

    def ready(self, service: str) -> dict[str, Any]:
        """What /readyz says, whether it is well or not."""
        answer: dict[str, Any] = self._http.get(f"{self.stack.urls[service]}/readyz").json()
        return answer

    def well(self, service: str) -> bool:
        """Whether a service is ready with nothing amiss."""
        return bool(self.ready(service)["status"] == "ok")

    def metric(self, service: str, name: str, *labels: tuple[str, str]) -> float:
        """A value of /metrics; 0 where it was never set."""
        pairs = ",".join(f'{label}="{value}"' for label, value in labels)
        for line in self.get(service, "/metrics").text.splitlines():
            if line.startswith(f"{name}{{{pairs}}} "):
                return float(line.rpartition(" ")[2])
        return 0.0

    @contextmanager
    def database(self, service: str) -> Iterator[Database]:
        """A service's own database; closed afterwards, since a server has only so many connections."""
        database = open_database(self._urls[service])
        try:
            yield database
        finally:
            database.close()

    def rows(self, service: str, sql: str, **values: Any) -> list[Any]:
        """What a query of a service's own database gives."""
        with self.database(service) as database, database.reading() as connection:
            return list(connection.rows(sql, **values))

    def unread(self) -> dict[tuple[str, str], int]:
        """(reader, source) -> events of the source's feed that the reader has not copied; below 0: cursor too far."""
        ends = {name: self.end(name) for name in SERVICES}
        return {
            (reader, source): ends[source] - read
            for (reader, source), read in self._read().items()
            if read != ends[source]
        }

    def holds(self, ends: Mapping[str, int]) -> bool:
        """Whether every service has copied every feed at least so far."""
        return all(read >= ends[source] for (_, source), read in self._read().items())

    def _read(self) -> dict[tuple[str, str], int]:
        """(reader, source) -> how far the reader has copied the feed of the source."""
        found = {}
        for reader in SERVICES:
            cursors = dict(tuple(row) for row in self.rows(reader, "SELECT source, feed FROM cursors"))
            found |= {(reader, source): cursors.get(source, 0) for source in SERVICES if source != reader}
        return found

    def unpublished(self) -> dict[str, int]:
        """Service -> events that its broker has not confirmed, where there are any."""
        depths = {name: self.ready(name)["checks"]["outbox"]["detail"].get("unpublished", -1) for name in SERVICES}
        return {name: depth for name, depth in depths.items() if depth}
