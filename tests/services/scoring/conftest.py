"""Fixtures: a scoring service and tournaments with rounds in progress."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.services.conftest import NewClub
from tests.services.scoring.story import Floor, floor
from tests.services.story import Club

OpenFloor = Callable[..., Floor]


@pytest.fixture(scope="session")
def club(new_club: NewClub) -> Club:
    """The scoring service."""
    return new_club("scoring")


@pytest.fixture
def open_floor(club: Club) -> OpenFloor:
    """Return a function that announces a tournament without pairings."""
    return partial(floor, club)


@pytest.fixture
def evening(open_floor: OpenFloor) -> Floor:
    """Round 1 of Armada: Ana against Ben, Cy against Dee, a bye for Eli."""
    told = open_floor(5, staff=("head_referee", "referee"))
    told.begin(1, ("p1", "p2"), ("p3", "p4"), ("p5",))
    return told
