"""Fixtures of pairing: `Story` drives the pure decisions, `Pairing` the HTTP service."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.services.pairing.served import House, Pairing
from tests.services.pairing.stories import Story


@pytest.fixture
def story() -> Story:
    """A tournament of three rounds at one venue with twelve tables, without players."""
    story = Story()
    story.venue(tables=12)
    return story


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """The service, once a run; every story is a tournament of its own."""
    return House(tmp_path_factory.mktemp("pairing"))


@pytest.fixture
def serve(house: House) -> Callable[[Story], Pairing]:
    """The service, knowing a story."""
    return lambda story: Pairing(house, story)
