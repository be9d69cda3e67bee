"""The log's contract is one suite for all engines: every test that takes `database` runs on each of them.

What only SQL has (statements past the code, processes, URLs) takes `sql_database`, and `empty_url` beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.eventlog.database import Database
from shared.eventlog.engines import open_database
from shared.eventlog.engines.memory import MemoryDatabase
from shared.eventlog.engines.sql import SqlDatabase
from shared.eventlog.migrate import upgrade_database

POSTGRESQL = [pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))]
SQL = ["sqlite", *POSTGRESQL]
ENGINES = ["memory", *SQL]


@pytest.fixture(params=SQL)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without a table."""
    return url_of(request.param, request, tmp_path)


@pytest.fixture
def sql_database(empty_url: str) -> Iterator[SqlDatabase]:
    """An empty log in a database of SQL."""
    database = open_database(empty_url)
    upgrade_database(database)
    yield database
    database.close()


@pytest.fixture(params=ENGINES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """An empty log of nobody."""
    yield from made(request.param, request, tmp_path)


@pytest.fixture(params=ENGINES)
def pairings_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """An empty log of pairing."""
    yield from made(request.param, request, tmp_path, "pairing")


def made(engine: str, request: pytest.FixtureRequest, folder: Path, owner: str = "") -> Iterator[Database]:
    """An empty log in an engine, until the test ends. owner: whose own log it is."""
    if engine == "memory":
        yield MemoryDatabase(owner)
        return
    database = open_database(url_of(engine, request, folder))
    upgrade_database(database, owner or None)
    yield database
    database.close()


def url_of(engine: str, request: pytest.FixtureRequest, folder: Path) -> str:
    if engine == "sqlite":
        return f"sqlite:///{folder}/log.sqlite3"
    url: str = request.getfixturevalue("postgresql_url")
    return url
