"""Each service on a host of its own, and the broker too; links between them lose everything in silence.

No connection is refused or reset: whoever waits on one goes on waiting, as when a cable is pulled behind a switch.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator

import pytest

from deploy.stack import Stack
from shared.settings import PORT_OFFSETS, SERVICES
from tests.conftest import need, rabbitmq_server
from tests.faults.auditor import Auditor
from tests.faults.holds import check, hears
from tests.faults.load import Load
from tests.faults.network import Network
from tests.faults.rabbitmq_node import RabbitNode

pytestmark = pytest.mark.engine("namespaces", "rabbitmq-server")

BROKER = "broker"
CUT_SECONDS = 8.0
"""Longer than anybody waits for the broker or for another service before giving up a connection."""
RUN = (sys.executable, "-m", "tests.faults.hosts")


@pytest.fixture(scope="module")
def network(request: pytest.FixtureRequest) -> Iterator[Network]:
    need("namespaces", request.config)
    with Network([*SERVICES, BROKER]) as network:
        yield network


@pytest.fixture(scope="module")
def node(
    request: pytest.FixtureRequest, network: Network, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RabbitNode]:
    need("rabbitmq-server", request.config)
    binary = rabbitmq_server()
    assert binary is not None
    folder = tmp_path_factory.mktemp("rabbitmq")
    with RabbitNode(folder, binary, address=network.address(BROKER), inside=network.inside(BROKER)) as node:
        yield node


@pytest.fixture(scope="module")
def stack(network: Network, node: RabbitNode, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    hosts = {name: network.inside(name) for name in SERVICES}
    env = {
        "MUSTER_TEST_HOSTS": json.dumps(hosts),
        "MUSTER_BIND": "0.0.0.0",
        "MUSTER_CONFIRM_MS": "5000",
        "BROKER_URL": node.url,
    }
    stack = Stack(tmp_path_factory.mktemp("stack"), env=env, command=RUN)
    for name in SERVICES:
        stack.urls[name] = f"http://{network.address(name)}:{stack.port_base + PORT_OFFSETS[name]}"
        stack.env[f"{name.upper()}_URL"] = stack.urls[name]
    with stack:
        yield stack


STANDSTILL = "registration cut from everybody"
"""Nobody else hears of new tournaments meanwhile, so that the load comes to rest."""
# name: (sender, receiver) of what is lost
LINKS = {
    "pairing cut from registration": [("pairing", "registration"), ("registration", "pairing")],
    "scoring cut from the broker": [("scoring", BROKER), (BROKER, "scoring")],
    "pairing hears nothing of the broker, and is heard": [(BROKER, "pairing")],
    "scoring cut from both others": [
        ("scoring", "registration"),
        ("registration", "scoring"),
        ("scoring", "pairing"),
        ("pairing", "scoring"),
    ],
    STANDSTILL: [
        pair for other in ("pairing", "scoring", BROKER) for pair in (("registration", other), (other, "registration"))
    ],
}


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.fault("a link loses everything")
def test_a_link_loses_everything(stack: Stack, network: Network, node: RabbitNode, link: str) -> None:
    auditor = Auditor(stack)
    ports = {name: stack.port_base + PORT_OFFSETS[name] for name in SERVICES} | {BROKER: node.port}
    before = stack.pids()
    with Load(stack) as load:
        load.more(15)
        for sender, receiver in LINKS[link]:
            assert network.reaches(sender, receiver, ports[receiver])
        try:
            for sender, receiver in LINKS[link]:
                network.lose(sender, receiver)
            for sender, receiver in LINKS[link]:
                assert not network.reaches(sender, receiver, ports[receiver])
            ends = time.monotonic() + CUT_SECONDS
            while time.monotonic() < ends:
                if link == STANDSTILL:
                    time.sleep(0.5)  # noqa: TID251 - nothing is sent during a standstill
                else:
                    load.more(5)
            for name in SERVICES:
                assert auditor.get(name, "/healthz").json()["status"] == "ok"
        finally:
            network.heal()
        load.over()
        load.more(15)
    assert stack.pids() == before  # nobody had to be started again
    check(stack, load)
    for name in SERVICES:
        hears(auditor, name)
