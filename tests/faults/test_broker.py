"""The broker goes away, freezes, comes back empty: it is a hint, and the logs are the guarantee."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import kombu
import pytest

from deploy.stack import Stack
from muster.simulator.director import Director
from shared.messaging.broker import Topology
from shared.settings import SERVICES
from tests.faults.auditor import Auditor
from tests.faults.holds import agree, check, eventually, hears
from tests.faults.load import Load
from tests.faults.processes import kill, without
from tests.faults.rabbitmq_node import RabbitNode
from tests.faults.subscriber import Subscriber

pytestmark = pytest.mark.engine("postgresql", "rabbitmq-server")


@pytest.fixture(scope="module")
def stack(
    databases_env: dict[str, str], rabbitmq_node: RabbitNode, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stack]:
    # A frozen broker is given up after five seconds instead of ten.
    env = {**databases_env, "BROKER_URL": rabbitmq_node.url, "MUSTER_CONFIRM_MS": "5000"}
    with Stack(tmp_path_factory.mktemp("stack"), env=env) as stack:
        yield stack


AWAY = [
    pytest.param(RabbitNode.stop, RabbitNode.start, id="stopped"),
    pytest.param(RabbitNode.kill, RabbitNode.start, id="killed"),
    pytest.param(RabbitNode.freeze, RabbitNode.thaw, id="frozen"),
]
Harm = Callable[[RabbitNode], None]


@pytest.mark.parametrize(("go", "come_back"), AWAY)
def test_the_broker_goes_away_and_comes_back(
    stack: Stack, rabbitmq_node: RabbitNode, go: Harm, come_back: Harm
) -> None:
    auditor = Auditor(stack)
    subscriber = Subscriber(auditor, rabbitmq_node.url)
    with Load(stack) as before:
        before.more(20)
        go(rabbitmq_node)
        before.more(10)
        stack.kill("scoring")  # it starts without a broker, and says that it is ready
        before.more(10)
    agree(auditor, before.tournaments)  # with no broker at all
    with Load(stack) as after:
        come_back(rabbitmq_node)
        after.over()
        after.more(20)
    check(stack, before)
    check(stack, after)
    subscriber.check()  # what was confirmed was on its disk
    for service in SERVICES:
        hears(auditor, service)


def test_another_broker_takes_its_place(stack: Stack, rabbitmq_node: RabbitNode) -> None:
    """It has never heard of any queue, exchange or message."""
    auditor = Auditor(stack)
    with Load(stack) as load:
        load.more(10)
        rabbitmq_node.kill()
        rabbitmq_node.wipe()
        rabbitmq_node.start()
        load.over()
        load.more(10)
    check(stack, load)
    for service in SERVICES:
        hears(auditor, service)


def test_whoever_has_a_queue_is_told_of_everything_while_relays_die(stack: Stack, rabbitmq_node: RabbitNode) -> None:
    subscriber = Subscriber(Auditor(stack), rabbitmq_node.url)
    with Load(stack) as load:
        for _ in range(2):
            for service in SERVICES:
                load.more(5)
                kill(load, service)
        load.more(10)
    check(stack, load)
    subscriber.check()


@contextmanager
def channel_of(node: RabbitNode) -> Iterator[kombu.transport.virtual.Channel]:
    with kombu.Connection(node.url) as connection, connection.channel() as channel:
        yield channel


def say_something(director: Director, dead: str) -> None:
    """Have a service append an event while another one is dead."""
    if dead == "registration":
        director.do("scoring", "/awards", {"name": "Best painted", "player": "p1"})
    else:
        director.do("registration", "/players/p1/links", {"reason": f"{dead} is dead"})


def test_queues_are_emptied_while_messages_are_in_them(stack: Stack, rabbitmq_node: RabbitNode) -> None:
    topology = Topology()
    with Load(stack) as load, channel_of(rabbitmq_node) as channel:
        load.more(10)
        for service in SERVICES:
            with without(stack, service):
                say_something(load.tournaments[0], service)
                queue = topology.queue_name(service)
                eventually(partial(channel.queue_purge, queue), f"messages in {queue}")
            load.over()
            load.more(10)
    check(stack, load)


def test_queues_are_deleted(stack: Stack, rabbitmq_node: RabbitNode) -> None:
    topology = Topology()
    auditor = Auditor(stack)
    with Load(stack) as load, channel_of(rabbitmq_node) as channel:
        load.more(10)
        for service in SERVICES:
            channel.queue_delete(topology.queue_name(service))
            channel.queue_delete(topology.dead_queue_name(service))
        load.over()
        load.more(10)
    check(stack, load)
    for service in SERVICES:
        hears(auditor, service)


def test_exchanges_are_deleted(stack: Stack, rabbitmq_node: RabbitNode) -> None:
    topology = Topology()
    auditor = Auditor(stack)
    with Load(stack) as load, channel_of(rabbitmq_node) as channel:
        load.more(10)
        channel.exchange_delete(topology.exchange)
        channel.exchange_delete(topology.dead)
        load.over()
        load.more(10)
    check(stack, load)
    for service in SERVICES:
        hears(auditor, service)
