"""The log's contract is one suite for both databases: every test that takes `database` runs on each of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.eventlog.database import Database
from shared.eventlog.migrate import upgrade_database

POSTGRESQL = [pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))]
ENGINES = ["sqlite", *POSTGRESQL]


@pytest.fixture(params=ENGINES)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without a table."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/log.sqlite3"
    url: str = request.getfixturevalue("postgresql_url")
    return url


@pytest.fixture
def database(empty_url: str) -> Iterator[Database]:
    """An empty log."""
    database = Database(empty_url)
    upgrade_database(database)
    yield database
    database.close()
