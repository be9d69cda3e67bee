"""One Muster for the co-operative events of a file; each test has an event of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from tests.coop.story import Night, new_night
from tests.fuzz.muster import Muster
from tests.services.conftest import logging_as_it_was


@pytest.fixture(scope="session")
def muster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Muster]:
    """The three services, empty and migrated."""
    with logging_as_it_was():
        yield Muster(tmp_path_factory.mktemp("coop"))


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
