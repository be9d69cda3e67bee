"""Services on each engine, for what depends on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.settings import SERVICES
from tests.fuzz.muster import Muster
from tests.services.conftest import logging_as_it_was

ENGINES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))]


@pytest.fixture(params=ENGINES)
def muster(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Muster]:
    """The three services, empty, on a database of each kind."""
    env = {}
    if request.param == "postgresql":
        made = request.getfixturevalue("postgresql_urls")
        env = {f"{service.upper()}_DATABASE_URL": made() for service in SERVICES}
    with logging_as_it_was():
        muster = Muster(tmp_path, **env)
        yield muster
        for database in muster.databases.values():
            database.close()
