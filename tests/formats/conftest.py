"""One evening of each format, played once for all tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.formats import duel
from tests.formats.stories import STORIES, Played
from tests.fuzz.muster import Muster
from tests.services.conftest import logging_as_it_was


@pytest.fixture(scope="module")
def muster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Muster]:
    """Yield the three services, which know one additional format."""
    with duel.registered(), logging_as_it_was():
        muster = Muster(tmp_path_factory.mktemp("formats"))
        yield muster
        for database in muster.databases.values():
            database.close()


@pytest.fixture(scope="module", params=STORIES)
def played(request: pytest.FixtureRequest, muster: Muster) -> Played:
    """Return an evening of each format, after all services have read all events."""
    played = STORIES[request.param](muster)
    played.copy()
    return played
