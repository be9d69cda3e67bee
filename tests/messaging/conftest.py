"""Messaging runs over both brokers, and its databases are SQLite except where the database matters (tests/log)."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from shared.log.database import Database
from shared.log.migrate import upgrade_database
from shared.log.schema import open_database
from shared.messaging.broker import Broker
from tests.messaging.stage import Stage

RABBITMQ = [pytest.param("rabbitmq", marks=pytest.mark.engine("rabbitmq"))]


@pytest.fixture
def new_stage(tmp_path: Path) -> Iterator[Callable[[], Stage]]:
    """Return a factory of stages, cheap enough for every example of a property test."""
    empty = open_database(f"sqlite:///{tmp_path}/empty.sqlite3")
    upgrade_database(empty)
    empty.close()
    databases: list[Database] = []

    def create() -> Stage:
        for name in ("owner", "copy"):
            file = tmp_path / f"{name}-{len(databases)}.sqlite3"
            shutil.copy(tmp_path / "empty.sqlite3", file)
            databases.append(open_database(f"sqlite:///{file}"))
        return Stage(*databases[-2:])

    yield create
    for database in databases:
        database.close()


@pytest.fixture
def stage(new_stage: Callable[[], Stage]) -> Stage:
    return new_stage()


@pytest.fixture(params=["folder", *RABBITMQ])
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Broker:
    if request.param == "folder":
        return Broker("filesystem://", folder=tmp_path / "broker", poll_ms=10)
    url, exchange = request.getfixturevalue("rabbitmq_exchange")
    return Broker(url, exchange, confirm_ms=5_000)
