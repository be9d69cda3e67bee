"""One set of services for the co-op tests of a file. Each test has an event of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from shared.settings import SERVICES
from tests.coop.story import Night, new_night
from tests.databases import new_sqlite
from tests.fuzz.muster import Muster
from tests.services.conftest import logging_as_it_was


@pytest.fixture(scope="session")
def muster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Muster]:
    """Return the three services, empty and migrated."""
    with logging_as_it_was():
        yield Muster(tmp_path_factory.mktemp("coop"))


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))])
def databases(request: pytest.FixtureRequest) -> dict[str, str]:
    """Return the database settings of the services, for each kind of database."""
    if request.param == "sqlite":
        return {f"{service.upper()}_DATABASE_URL": new_sqlite(service) for service in SERVICES}
    made = request.getfixturevalue("postgresql_urls")
    return {f"{service.upper()}_DATABASE_URL": made() for service in SERVICES}


@pytest.fixture
def muster_on(databases: dict[str, str], tmp_path: Path) -> Iterator[Muster]:
    """Return the three services on a database of each kind, with data in the folder of the test."""
    with logging_as_it_was():
        muster = Muster(tmp_path, **databases)
        yield muster
        for database in muster.databases.values():
            database.close()


@pytest.fixture
def new(muster: Muster) -> Callable[..., Night]:
    """Announce an event: `new(survivors, data=…, options={…})`."""
    return partial(new_night, muster)


@pytest.fixture
def night(new: Callable[..., Night]) -> Night:
    """Return three survivors at a table that is set up: ten spaces, two required goals, one further condition."""
    night = new()
    night.set_up()
    return night
