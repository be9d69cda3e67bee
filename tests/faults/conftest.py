"""Stacks to do harm to: one for each pair of engines, since starting one takes seconds; tests leave it whole."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import kombu
import pytest

from deploy.stack import Stack
from shared.messaging.broker import Topology
from shared.settings import SERVICES
from tests.conftest import BROKER_URL, FEW_CONNECTIONS

# What holds is asserted there; say as much as in a test where it does not.
pytest.register_assert_rewrite("tests.faults.holds", "tests.faults.load", "tests.faults.auditor")

EMBEDDED = pytest.param("embedded", id="sqlite-folder")
SERVERS = pytest.param("servers", id="postgresql-rabbitmq", marks=pytest.mark.engine("postgresql", "rabbitmq"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Faults come last, for what they harm lives until the run ends and would keep the machine busy meanwhile."""
    items.sort(key=lambda item: item.path.is_relative_to(Path(__file__).parent))


@pytest.fixture(scope="session", params=[EMBEDDED, SERVERS])
def stack(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack on the engines named by the parameter, shared by all tests that do not bring their own."""
    env = request.getfixturevalue("servers_env") if request.param == "servers" else {}
    with Stack(tmp_path_factory.mktemp("stack"), env=env) as stack:
        yield stack


@pytest.fixture(scope="session")
def databases_env(postgresql_database: Callable[[], str]) -> dict[str, str]:
    """Three empty PostgreSQL databases of one's own, as a Stack wants them."""
    return {**FEW_CONNECTIONS, **{f"{name.upper()}_DATABASE_URL": postgresql_database() for name in SERVICES}}


@pytest.fixture(scope="session")
def servers_env(databases_env: dict[str, str]) -> Iterator[dict[str, str]]:
    """PostgreSQL and RabbitMQ for a stack that lives as long as the run."""
    topology = Topology(f"test-{secrets.token_hex(6)}.events")
    yield {**databases_env, "BROKER_URL": BROKER_URL, "MUSTER_EXCHANGE": topology.exchange}
    with kombu.Connection(BROKER_URL) as connection, connection.channel() as channel:
        for service in SERVICES:
            channel.queue_delete(topology.queue_name(service))
            channel.queue_delete(topology.dead_queue_name(service))
        for exchange in (topology.exchange, topology.dead):
            channel.exchange_delete(exchange)
