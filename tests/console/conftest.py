"""Three services of one's own, and an evening that was played on them, for the commands that ask running services."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from click.testing import CliRunner, Result

from deploy.stack import Stack
from deploy.stack import operator as operator_of
from muster.cli import export, play, tournament, tournament_results
from muster.cli import tournament as commands
from muster.cli.main import main
from muster.simulator.director import Director
from muster.simulator.results_by_chance import results
from shared.formats.packs import shipped_ruleset
from tests.chance import seeded_chance
from tests.console.in_process import client
from tests.fuzz.muster import Muster as Services
from tests.services.conftest import logging_as_it_was

Muster = Callable[..., Result]


@pytest.fixture(scope="module")
def stack(shared_stack: Stack) -> Stack:
    return shared_stack


EVENINGS: WeakKeyDictionary[Stack, Director] = WeakKeyDictionary()
"""The evening of each stack, which every file reads and none changes."""


@pytest.fixture(scope="module")
def evening(stack: Stack) -> Director:
    """Nine players at two venues: two rounds closed, a correction, a drop; the third round under way."""
    if stack not in EVENINGS:
        EVENINGS[stack] = played(stack)
    return EVENINGS[stack]


def played(stack: Stack) -> Director:
    director = announced(stack, "Evening")
    venues = [director.open_venue(name, 5) for name in ("Hall", "Library")]
    director.join({"name": f"Player {n}", "venue": venues[n % 2], "club": "Dice"} for n in range(1, 10))
    battle = results(shipped_ruleset("star-wars-armada-1.1"), Random(1))
    for number in (1, 2):
        director.pair()
        director.start(number)
        director.play(number, battle)
        director.close(number)
    game = next(game for game in director.games(1) if game["kind"] == "game")
    facts = {"points_1": 300, "points_2": 0, "end": "defeated_2"}
    director.do("scoring", f"/games/{game['id']}/correction", {"facts": facts, "reason": "slips mixed up"})
    director.do("registration", f"/players/{next(iter(director.players))}/drop", {})
    director.pair()
    director.start(3)
    return director


def announced(stack: Stack, name: str, **more: object) -> Director:
    settings = {"ruleset": "star-wars-armada-1.1", "tier": "casual", "rounds": 3} | more
    return Director.announce(operator_of(stack.urls, stack.issuer), name=name, **settings)


@pytest.fixture
def muster(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> Muster:
    """Call `muster` against the running services; `url=""` and `token=""` for a call that does not say them."""
    for variable in ("MUSTER_URL", "MUSTER_TOKEN", "REGISTRATION_URL", "PAIRING_URL", "SCORING_URL"):
        monkeypatch.delenv(variable, raising=False)

    def call(*arguments: str, url: str = stack.urls["registration"], token: str = "", **more: object) -> Result:
        env = {"MUSTER_URL": url, "MUSTER_TOKEN": token, "MUSTER_DATA": str(stack.data)}
        return CliRunner().invoke(main, list(arguments), env=env, **more)  # type: ignore[arg-type]

    return call


@pytest.fixture
def operator(muster: Muster) -> str:
    """A token of whoever runs the installation."""
    return muster("token", "--role", "operator").stdout.strip()


@pytest.fixture(scope="module")
def services(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """The three services in this process."""
    with logging_as_it_was():
        with seeded_chance(request.node.nodeid):
            made = Services(tmp_path_factory.mktemp("muster"))
        yield made


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> Iterator[None]:
    """The same dice and draws in every run of a test, whatever ran before it."""
    with seeded_chance(request.node.nodeid):
        yield


@pytest.fixture
def run(services: Services, chance: None, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Call `muster` with the services of this process behind it, as an operator."""
    operator = services.token("operator")
    for module in (commands, play, export, tournament, tournament_results):
        monkeypatch.setattr(module, "connect", lambda *_, **more: client(services, operator, **more))
    return lambda *arguments: CliRunner().invoke(main, [str(argument) for argument in arguments])
