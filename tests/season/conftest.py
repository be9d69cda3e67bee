"""One set of services for the season tests of a file. Each test has a season of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from tests.fuzz.muster import Muster
from tests.season.story import Season, new_season
from tests.services.conftest import logging_as_it_was


@pytest.fixture(scope="session")
def muster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Muster]:
    """Return the three services, empty and migrated."""
    with logging_as_it_was():
        yield Muster(tmp_path_factory.mktemp("season"))


@pytest.fixture
def new(muster: Muster) -> Callable[..., Season]:
    """Announce a season: `new(ruleset, options={…})`."""
    return partial(new_season, muster)


@pytest.fixture
def season(new: Callable[..., Season]) -> Season:
    """Return a season by places."""
    return new()


@pytest.fixture
def cups(season):
    """Return two gathered tournaments without claims. Ana wins the first, Ana B. the second."""
    spring = season.cup("Ana", "Ben", "Cy", "Dee", name="Spring cup", starts_on="2026-03-01")
    autumn = season.cup("Ana B", "Cy", "Ben", "Dee", name="Autumn cup", starts_on="2026-10-01")
    season.gather(spring)
    season.gather(autumn)
    return season, spring, autumn
