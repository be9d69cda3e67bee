"""The databases that stories are told on: `club` of a module that takes `ENGINES` is built once on each."""

from __future__ import annotations

import pytest

from tests.services.conftest import NewClub
from tests.services.story import Club

ENGINES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))]


def club_on(engine: str, service: str, new_club: NewClub, request: pytest.FixtureRequest) -> Club:
    """A service on a database of its own in this engine; one that is missing leaves its tests out by name."""
    if engine == "sqlite":
        return new_club(service)
    url = request.getfixturevalue("postgresql_database")()
    club = new_club(service, **{f"{service.upper()}_DATABASE_URL": url})
    assert club.database.name == "postgresql"
    return club
