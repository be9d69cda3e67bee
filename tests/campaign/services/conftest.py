"""Fixtures: one Muster for all campaigns of a session, and a scoring service for games. Each test has its own
campaign."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from tests.campaign.services.games_story import Games, new_games
from tests.campaign.services.league import League, new_league
from tests.chance import seeded_draws
from tests.coop.conftest import databases, muster_on
from tests.fuzz.muster import Muster
from tests.services.conftest import NewClub, logging_as_it_was, new_club
from tests.services.story import Club

__all__ = ["databases", "muster_on", "new_club"]

NewGames = Callable[..., Games]


@pytest.fixture(scope="session")
def muster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Muster]:
    """The three services, empty and migrated."""
    with logging_as_it_was():
        yield Muster(tmp_path_factory.mktemp("campaign"))


@pytest.fixture(autouse=True)
def fixed_draws(request: pytest.FixtureRequest) -> Iterator[None]:
    """Draw secrets follow from the name of the test: its dice are the same in every run."""
    with seeded_draws(request.node.nodeid):
        yield


@pytest.fixture
def new(muster: Muster) -> Callable[..., League]:
    """Announce a campaign: `new(players, built=True, options={…})`."""
    return partial(new_league, muster)


@pytest.fixture(scope="session")
def club(new_club: NewClub) -> Club:
    """The scoring service."""
    return new_club("scoring")


@pytest.fixture
def games(club: Club) -> NewGames:
    """A campaign whose groups are built and paired: `games("raiders", "regulators")`."""
    return partial(new_games, club)


@pytest.fixture
def told(games: NewGames) -> Games:
    """Brotherhood of Steel against Vault Residents, ready to play."""
    made = games("brotherhood_of_steel", "vault_residents")
    made.ready("r1g1", 1, 2)
    return made
