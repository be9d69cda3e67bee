"""The services under test: built by their own wiring, in memory, once a run; every test has a tournament of its own.

Stories that depend on SQL are told on it by name, or on each engine: see `engines.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module

import pytest
import structlog

from shared.eventlog.database import Database
from shared.eventlog.engines import open_database
from shared.eventlog.engines.memory import MemoryDatabase
from shared.eventlog.migrate import upgrade_database
from shared.settings import load
from tests.services.story import Club

NOWHERE = "http://127.0.0.1:9"
"""Where the other services would be; asked for news, nobody answers."""

NewClub = Callable[..., Club]


@pytest.fixture(scope="session")
def new_club(tmp_path_factory: pytest.TempPathFactory) -> NewClub:
    """Build a service as its wiring does, with an empty database and a folder of its own.

    sql: in a SQLite file, or where the environment in `more` says. to: the revision that it is migrated to then, the
    newest unless said otherwise; empty: not at all.
    """

    def build(service: str, to: str = "heads", *, sql: bool = False, **more: str) -> Club:
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
        settings = load(service, env)
        database = migrated(settings.database_url, service, to) if sql else MemoryDatabase(service)
        with logging_as_it_was():
            app = wiring.build_web(env, database)
        return Club(app, settings, wiring.SOURCES, env)

    return build


def migrated(url: str, service: str, to: str = "heads") -> Database:
    """A database of SQL, brought to a revision; empty: not at all."""
    database = open_database(url)
    if to:
        upgrade_database(database, service, to=to)
    return database


@contextmanager
def logging_as_it_was() -> Iterator[None]:
    """A service sets up logging for its process; this process goes on with what it had."""
    root, known = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**known)
