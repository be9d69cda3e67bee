"""The client on three services in this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster_client import Muster
from shared.settings import SERVICES
from tests.console.in_process import InProcess
from tests.fuzz.muster import Muster as Services


@pytest.fixture(scope="package")
def services(tmp_path_factory: pytest.TempPathFactory) -> Services:
    folder: Path = tmp_path_factory.mktemp("client")
    return Services(folder)


@pytest.fixture
def operator(services: Services) -> Muster:
    urls = {name: f"http://{name}" for name in SERVICES}
    return Muster(urls, services.token("operator"), transport=InProcess(services))


@pytest.fixture
def entered(operator: Muster) -> str:
    """A tournament that four players have joined, p1 to p4."""
    id = operator.registration.announce_tournament(name="Cup", ruleset="star-wars-armada-1.1", rounds=3).id
    for name in ("Ana", "Ben", "Cy", "Di"):
        operator.registration.join_player(id, name=name)
    return id


@pytest.fixture
def cup(operator: Muster, entered: str) -> str:
    """The same, with round 1 paired and begun."""
    operator.pairing.pair_round(entered)
    operator.pairing.start_round(entered, 1)
    return entered
