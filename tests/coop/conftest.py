"""One Muster for the co-operative events of a file; each test has an event of its own."""

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
    """The three services, empty and migrated."""
    with logging_as_it_was():
        yield Muster(tmp_path_factory.mktemp("coop"))


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))])
def databases(request: pytest.FixtureRequest) -> dict[str, str]:
    """Where the services keep their logs, as their environment says it, on a database of each kind."""
    if request.param == "sqlite":
        return {f"{service.upper()}_DATABASE_URL": new_sqlite(service) for service in SERVICES}
    made = request.getfixturevalue("postgresql_urls")
    return {f"{service.upper()}_DATABASE_URL": made() for service in SERVICES}


@pytest.fixture
def muster_on(databases: dict[str, str], tmp_path: Path) -> Iterator[Muster]:
    """The three services on a database of each kind, with their data in the folder of the test."""
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
    """Three survivors at a table that is set up: ten spaces, two goals asked for, one further condition."""
    night = new()
    night.set_up()
    return night
