"""The users that compose gives the broker, on a RabbitMQ of one's own: each may do its work, and nobody else's."""

from __future__ import annotations

import os
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import kombu
import pytest
from amqp.exceptions import AccessRefused

from deploy.stack import free_ports
from shared.log.cloudevents import CONTENT_TYPE
from shared.messaging.broker import Broker
from shared.messaging.consumer import REASON, Consumer
from shared.messaging.errors import BrokerUnavailable
from shared.messaging.publisher import Outgoing, Publisher
from shared.settings import SERVICES
from tests.conftest import rabbitmq_server
from tests.deploy.edge import make_certificate
from tests.faults.rabbitmq_node import RabbitNode
from tests.messaging.conftest import new_stage, stage  # noqa: F401
from tests.messaging.stage import COPIER, OWNER, Stage, running
from tests.programs import run_program
from tests.waiting import PATIENCE, until

pytestmark = pytest.mark.engine("rabbitmq-server")

SCRIPT = Path(__file__).parents[2] / "deploy/rabbitmq/definitions.sh"
PASSWORDS = {f"{name.upper()}_BROKER_PASSWORD": f"{name}1" for name in (*SERVICES, "integration")}
READERS = ("integration", "club-site")
FULL = 2000
"""Bytes that a queue of a reader holds here."""
ENV = {**PASSWORDS, "BROKER_READERS": "club-site:club-site1\noverlay:overlay1", "BROKER_READER_BYTES": str(FULL)}


def definitions(**env: str) -> subprocess.CompletedProcess[str]:
    return run_program(["sh", str(SCRIPT)], env={"PATH": os.environ["PATH"], **env}, capture_output=True, text=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the broker has its files, among them a certificate."""
    return tmp_path_factory.mktemp("rabbitmq-users")


@pytest.fixture(scope="module")
def tls_port() -> int:
    return free_ports(1)


@pytest.fixture(scope="module")
def node(folder: Path, tls_port: int) -> Iterator[RabbitNode]:
    """A RabbitMQ that was started with the definitions, as the container is, and opened to programs outside."""
    made = definitions(**ENV)
    assert made.returncode == 0, made.stderr
    (folder / "definitions.json").write_text(made.stdout)
    binary = rabbitmq_server()
    assert binary is not None
    certificate, key = make_certificate(folder)
    certificate.rename(folder / "certificate")
    key.rename(folder / "certificate_key")
    script = ["sh", str(SCRIPT.with_name("configuration.sh")), str(folder), str(tls_port)]
    settings = run_program(script, capture_output=True, text=True, check=True).stdout
    with RabbitNode(folder, binary, settings=settings, user="scoring:scoring1") as node:
        yield node


@pytest.fixture
def as_user(node: RabbitNode) -> Callable[[str], Broker]:
    def broker(user: str) -> Broker:
        return Broker(f"amqp://{user}:{user}1@127.0.0.1:{node.port}//", confirm_ms=5_000)

    return broker


def publish(broker: Broker, *letters: tuple[str, str]) -> None:
    publisher = Publisher(broker)
    try:
        publisher.publish([Outgoing(exchange, key, b"{}", "", CONTENT_TYPE) for exchange, key in letters])
    finally:
        publisher.close()


def test_without_a_password_of_letters_and_digits_there_are_no_definitions():
    assert definitions(**{**PASSWORDS, "PAIRING_BROKER_PASSWORD": ""}).returncode == 2
    assert definitions(**{**PASSWORDS, "PAIRING_BROKER_PASSWORD": 'a"b'}).returncode == 2
    for readers in ("club-site", "club-site:", "scoring:a1", "guest:a1", "Club:a1", "a.b:a1", '"a:a1', "a:a1;b"):
        assert definitions(**PASSWORDS, BROKER_READERS=readers).returncode == 2, readers
    assert definitions(**PASSWORDS, BROKER_READER_BYTES="1,").returncode == 2


def test_a_service_does_all_of_its_work_as_its_own_user(stage: Stage, as_user):  # noqa: F811
    """Declares, relays, consumes, puts aside, and deletes a queue of its own."""
    owner, copier = as_user(OWNER), as_user(COPIER)
    stage.append("cup", "cup", "anna")
    consumer = Consumer(COPIER, copier, stage.inbox(), idle_seconds=0.2)
    with running(stage.relay(owner), consumer):
        until(lambda: consumer.connected)
        stage.append("cup", "ben")
        until(lambda: stage.copied() > 0)
        publish(owner, (owner.topology.exchange, f"{OWNER}.Nothing.here"))
        dead = copier.topology.dead_queue_name(COPIER)
        with copier.connect() as connection:
            channel = connection.channel()
            until(lambda: channel.queue_declare(dead, passive=True).message_count == 1)
            letter = channel.basic_get(dead, no_ack=True)
            assert letter.headers[REASON].startswith("poison")
    with copier.connect() as connection:
        channel = connection.channel()
        for name in (copier.topology.queue_name(COPIER), dead):
            channel.queue_delete(name)


@pytest.mark.parametrize("user", SERVICES)
def test_nobody_publishes_under_another_name(as_user, user):
    broker = as_user(user)
    publish(broker, (broker.topology.exchange, f"{user}.PlayerJoined.cup"))
    for other in (*(name for name in SERVICES if name != user), f"x{user}", "registrations"):
        with pytest.raises(BrokerUnavailable, match="ACCESS_REFUSED"):
            publish(broker, (broker.topology.exchange, f"{other}.PlayerJoined.cup"))


@pytest.mark.parametrize("user", SERVICES)
def test_nobody_reads_writes_or_deletes_the_queue_of_another(as_user, user):
    broker = as_user(user)
    other = next(name for name in SERVICES if name != user)
    with as_user(other).connect() as connection:
        as_user(other).topology.declare(connection.channel(), other, [user])
    queue = broker.topology.queue_name(other)
    with pytest.raises(BrokerUnavailable, match="ACCESS_REFUSED"):
        publish(broker, ("", queue))  # past the exchange of events
    for what in ("queue_delete", "queue_purge", "basic_get"):
        with pytest.raises(BrokerUnavailable, match="ACCESS_REFUSED"), broker.connect() as connection:
            getattr(connection.channel(), what)(queue)


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_hears_everything_and_publishes_nothing(as_user, node, reader):
    broker, queue = as_user(reader), f"{reader}.results"
    exchange = broker.topology.exchange
    url = f"amqp://{reader}:{reader}1@127.0.0.1:{node.port}//"
    with kombu.Connection(url) as connection, connection.channel() as channel:
        kombu.Queue(queue, channel=channel, durable=True).declare()
        channel.queue_bind(queue, exchange, "#")
        scoring = as_user("scoring")
        publish(scoring, (exchange, "scoring.ResultConfirmed.cup"))
        until(lambda: channel.queue_declare(queue, passive=True).message_count == 1)
        publish(scoring, *[(exchange, f"scoring.{'X' * 100}.cup")] * FULL)
        assert 0 < channel.queue_declare(queue, passive=True).message_count < FULL
        channel.queue_delete(queue)
    for where, key in ((exchange, f"{reader}.X.cup"), (exchange, "scoring.X.cup"), ("", queue)):
        with kombu.Connection(url) as connection, connection.channel() as channel:
            channel.confirm_select()
            channel.basic_publish(channel.prepare_message(b"{}"), exchange=where, routing_key=key)
            with pytest.raises(connection.channel_errors, match="ACCESS_REFUSED"):
                connection.drain_events(timeout=PATIENCE)


def test_a_reader_connects_from_outside_by_tls(node: RabbitNode, folder: Path, tls_port: int) -> None:
    url = f"amqps://club-site:club-site1@localhost:{tls_port}//"
    trusted = {"ca_certs": str(folder / "certificate"), "cert_reqs": ssl.CERT_REQUIRED, "server_hostname": "localhost"}
    with kombu.Connection(url, ssl=trusted) as connection, connection.channel() as channel:
        kombu.Queue("club-site.outside", channel=channel, durable=True).declare()
        channel.queue_delete("club-site.outside")


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_touches_nothing_that_is_not_its_own(as_user, node, reader):
    topology = as_user("scoring").topology
    with as_user("scoring").connect() as connection:
        topology.declare(connection.channel(), "scoring", ["pairing"])
    with kombu.Connection(f"amqp://overlay:overlay1@127.0.0.1:{node.port}//") as connection:
        kombu.Queue("overlay.all", channel=connection.channel(), durable=True).declare()
    others = (topology.queue_name("scoring"), topology.dead_queue_name("scoring"), "overlay.all")
    refused = [
        *((name, queue) for queue in others for name in ("basic_get", "queue_purge", "queue_delete")),
        ("queue_declare", "results"),
        ("queue_declare", f"{reader}x"),
        ("exchange_delete", topology.exchange),
    ]
    url = f"amqp://{reader}:{reader}1@127.0.0.1:{node.port}//"
    for what, name in refused:
        with kombu.Connection(url) as connection, pytest.raises(AccessRefused):
            getattr(connection.channel(), what)(name)
    with kombu.Connection(url) as connection, connection.channel() as channel:
        kombu.Queue(f"{reader}.dead", channel=channel, durable=True).declare()
        with pytest.raises(AccessRefused):
            channel.queue_bind(f"{reader}.dead", topology.dead, "#")


def test_a_node_with_these_users_has_no_guest(node: RabbitNode):
    with (
        pytest.raises(AccessRefused),
        kombu.Connection(f"amqp://guest:guest@127.0.0.1:{node.port}//") as connection,
    ):
        connection.connect()
