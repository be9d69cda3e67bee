"""One Muster for the campaigns of a session; each test has a campaign of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from tests.campaign.services.league import League, new_league
from tests.fuzz.muster import Muster
from tests.services.conftest import logging_as_it_was


@pytest.fixture(scope="session")
def muster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Muster]:
    """The three services, empty and migrated."""
    with logging_as_it_was():
        yield Muster(tmp_path_factory.mktemp("campaign"))


@pytest.fixture
def new(muster: Muster) -> Callable[..., League]:
    """Announce a campaign: `new(players, built=True, options={…})`."""
    return partial(new_league, muster)
