"""Registration, and evenings that are announced over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.services.conftest import NewClub
from tests.services.registration.story import Evening, announced
from tests.services.story import Club

Announce = Callable[..., Evening]


@pytest.fixture(scope="session")
def club(new_club: NewClub) -> Club:
    """The registration service."""
    return new_club("registration")


@pytest.fixture
def announce(club: Club) -> Announce:
    """Announce a tournament; members of the announcement by name."""
    return partial(announced, club)


@pytest.fixture
def evening(announce: Announce) -> Evening:
    """A tournament without limits or players."""
    return announce()
