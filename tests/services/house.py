"""All three services in one process, built by their own wiring and connected by their HTTP interfaces.

house = House(folder, env)
house.copy()                        every service catches up with the others once
house.away.add("scoring")           scoring cannot be reached
house.begin_anew("registration")    restart registration
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType

import httpx
import pytest

from shared.log.migrate import upgrade_database
from shared.log.schema import open_database
from shared.messaging.catch_up import CatchUp
from shared.messaging.peers import UpstreamFeed
from shared.service.wiring import Service
from shared.settings import SERVICES, load
from tests.services.conftest import logging_as_it_was
from tests.services.story import Club


class House(httpx.BaseTransport):
    """The three services and the network between them. env: additional settings."""

    def __init__(self, folder: Path, env: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.env = {
            "MUSTER_DATA": str(folder),
            "MUSTER_SEEN_WAIT_MS": "0",
            "MUSTER_RATE_LIMIT": "1000000/minute",
            "MUSTER_LOG_LEVEL": "error",
            **{f"{name.upper()}_URL": f"http://{name}.test" for name in SERVICES},
            **env,
        }
        self.away: set[str] = set()
        self.clubs: dict[str, Club] = {}
        self.services: dict[str, Service] = {}
        monkeypatch.setattr(
            "shared.service.wiring.UpstreamFeed",
            lambda bases, headers, timeout: UpstreamFeed(bases, headers, transport=self, timeout=timeout),
        )
        for name in SERVICES:
            self.begin_anew(name)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        name = request.url.host.removesuffix(".test")
        if name in self.away:
            raise httpx.ConnectError(f"{name} is away")
        return httpx.WSGITransport(app=self.clubs[name].app).handle_request(request)

    def begin_anew(self, name: str) -> Club:
        """Restart a service on its database, without anything in memory."""
        self.end(name)
        settings = load(name, self.env)
        database = open_database(settings.database_url)
        upgrade_database(database, name)
        database.close()
        with logging_as_it_was():
            wiring: ModuleType = import_module(f"services.{name}.app")
            app = wiring.build_web(self.env)
        self.services[name] = wiring.build(self.env)
        self.clubs[name] = Club(app, settings, wiring.SOURCES, self.env)
        return self.clubs[name]

    def end(self, name: str) -> None:
        """Close the database of a service."""
        if name in self.clubs:
            self.clubs[name].database.close()
            self.services[name].database.close()

    def copy(self, *readers: str) -> None:
        """Let these services, or all, copy the events of the others."""
        for name in readers or SERVICES:
            service = self.services[name]
            upstream = service.upstream()
            CatchUp(service.inbox(upstream), upstream).run_once()
            upstream.close()
