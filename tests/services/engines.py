"""The database engines for tests: a module that uses `ENGINES` gets a `club` on each."""

from __future__ import annotations

import pytest

from tests.services.conftest import NewClub
from tests.services.story import Club

ENGINES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))]


def club_on(engine: str, service: str, new_club: NewClub, request: pytest.FixtureRequest) -> Club:
    """Return a service on a new database of an engine. Tests of a missing engine are skipped by name."""
    if engine == "sqlite":
        return new_club(service)
    url = request.getfixturevalue("postgresql_database")()
    club = new_club(service, **{f"{service.upper()}_DATABASE_URL": url})
    assert club.database.name == "postgresql"
    return club
