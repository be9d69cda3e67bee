"""The services under test: built by their own wiring, on SQLite, once a run; every test has a tournament of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import structlog

from shared.eventlog.database import Database
from shared.eventlog.migrate import upgrade_database
from shared.settings import load
from tests.services.story import Club

NOWHERE = "http://127.0.0.1:9"
"""Where the other services would be; asked for news, nobody answers."""

NewClub = Callable[..., Club]


@pytest.fixture(scope="session")
def new_club(tmp_path_factory: pytest.TempPathFactory) -> NewClub:
    """Build a service as its wiring does, with an empty database in a folder of its own.

    to: the revision that it is migrated to, the newest unless said otherwise; empty: not at all.
    """

    def build(service: str, to: str = "heads", **more: str) -> Club:
        if service == "registration":
            from services.registration import app as wiring
        else:
            from services.scoring import app as wiring  # type: ignore[no-redef]

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
        database = Database(settings.database_url)
        if to:
            upgrade_database(database, service, to=to)
        database.close()
        with logging_as_it_was():
            app = wiring.build_web(env)
        return Club(app, settings, wiring.SOURCES, env)

    return build


@contextmanager
def logging_as_it_was() -> Iterator[None]:
    """A service sets up logging for its process; this process goes on with what it had."""
    root, known = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**known)
