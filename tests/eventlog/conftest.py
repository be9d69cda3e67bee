"""The log's contract is one suite for both engines: every test that takes `database` runs on each of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shared.log.database import Database
from tests.databases import migrated, new_sqlite

POSTGRESQL = [pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))]
ENGINES = ["sqlite", *POSTGRESQL]


@pytest.fixture(params=ENGINES)
def empty_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of an empty database, which `database` uses too."""
    if request.param == "sqlite":
        return new_sqlite(is_empty=True)
    url: str = request.getfixturevalue("postgresql_url")
    return url


@pytest.fixture
def database(empty_url: str) -> Iterator[Database]:
    """Return a migrated database without an owner."""
    database = migrated(empty_url)
    yield database
    database.close()


@pytest.fixture
def pairings_database(empty_url: str) -> Iterator[Database]:
    """Return a migrated database of pairing."""
    database = migrated(empty_url, "pairing")
    yield database
    database.close()
