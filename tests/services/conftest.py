"""The services under test: built by their own wiring on SQLite, once a run; every test has a tournament of its own.

Stories that depend on the engine run on both: see `engines.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module

import pytest
import structlog

from shared.log.migrate import upgrade_database
from shared.log.schema import open_database
from shared.settings import load
from tests.databases import new_sqlite
from tests.services.story import Club

NOWHERE = "http://127.0.0.1:9"
"""Addresses of the other services; no one answers there."""

NewClub = Callable[..., Club]


@pytest.fixture(scope="session")
def new_club(tmp_path_factory: pytest.TempPathFactory) -> NewClub:
    """Build a service as its wiring does, with an empty database and a folder of its own.

    tables: the tables that the database has: "all", those of the "log", or "none".
    more: of the environment; it may name another database.
    """

    def build(service: str, tables: str = "all", **more: str) -> Club:
        wiring = import_module(f"services.{service}.app")
        env = {
            "MUSTER_DATA": str(tmp_path_factory.mktemp(service)),
            "MUSTER_SEEN_WAIT_MS": "0",
            "MUSTER_RATE_LIMIT": "1000000/minute",
            "MUSTER_LOG_LEVEL": "error",
            "MUSTER_AFTER_END_DAYS": "3650",  # the days in these stories are over
            "REGISTRATION_URL": NOWHERE,
            "PAIRING_URL": NOWHERE,
            "SCORING_URL": NOWHERE,
            **more,
        }
        url = f"{service.upper()}_DATABASE_URL"
        env[url] = more.get(url) or new_sqlite(None if tables == "log" else service, is_empty=tables == "none")
        settings = load(service, env)
        database = open_database(settings.database_url)
        if tables != "none":
            upgrade_database(database, service if tables == "all" else None)
        with logging_as_it_was():
            app = wiring.build_web(env, database)
        return Club(app, settings, wiring.SOURCES, env)

    return build


@contextmanager
def logging_as_it_was() -> Iterator[None]:
    """Restore the logging configuration of this process after a service has set up its own."""
    root, known = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**known)
