"""RabbitMQ itself: what its manual promises and what we rely on, seen with our own eyes."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from functools import partial
from urllib.parse import urlsplit

import kombu
import pytest
from cloudevents.core.bindings.rabbitmq import RabbitMQMessage, from_rabbitmq_event

from shared.log.cloudevents import CONTENT_TYPE
from shared.log.migrate import upgrade_database
from shared.log.outbox import CommitNotifier
from shared.log.reading import heads_of_source
from shared.log.schema import open_database
from shared.messaging.broker import Broker
from shared.messaging.catch_up import CatchUp
from shared.messaging.consumer import Consumer
from shared.messaging.errors import BrokerUnavailable, NotConfirmed, QueueRejected
from shared.messaging.inbox import Inbox
from shared.messaging.publisher import Outgoing, Publisher
from shared.messaging.relay import Relay
from shared.service.gates import event_fault
from tests.engines.proxy import Proxy
from tests.eventlog.stories import add, read
from tests.messaging.conftest import new_stage, stage  # noqa: F401
from tests.messaging.stage import COPIER, KEYRING, OWNER, SIGNERS, OwnerSite, running
from tests.waiting import PATIENCE, until

pytestmark = pytest.mark.engine("rabbitmq")


@pytest.fixture
def broker(rabbitmq_exchange):
    url, exchange = rabbitmq_exchange
    return Broker(url, exchange, confirm_ms=5_000)


@pytest.fixture
def proxied(rabbitmq_exchange):
    """A broker behind a network that can fail, with a short patience for confirms."""
    url, exchange = rabbitmq_exchange
    parts = urlsplit(url)
    proxy = Proxy(parts.hostname, parts.port or 5672)
    netloc = parts.netloc.replace(f"{parts.hostname}:{parts.port or 5672}", f"127.0.0.1:{proxy.port}")
    yield Broker(parts._replace(netloc=netloc).geturl(), exchange, confirm_ms=1_000), proxy
    proxy.close()


def consumer(stage, broker):  # noqa: F811
    return Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.2)


def published(stage):  # noqa: F811
    with stage.owner.reading() as connection:
        return connection.value("SELECT published FROM relay")


def outgoing(broker, number=1):
    return [Outgoing(broker.topology.exchange, "registration.X.cup", b"{}", "", CONTENT_TYPE)] * number


def test_what_a_subscriber_gets_is_a_cloudevent(stage, broker, rabbitmq_exchange):  # noqa: F811
    url, exchange = rabbitmq_exchange
    with kombu.Connection(url) as connection, connection.channel() as channel:
        queue = kombu.Queue(exclusive=True, channel=channel)
        kombu.Exchange(exchange, "topic", channel=channel).declare()
        queue.declare()
        queue.bind_to(exchange, routing_key="registration.PlayerJoined.#")
        _, event = stage.append("cup", "spring", "anna")
        with running(stage.relay(broker)):
            until(lambda: published(stage) == 2)
        got = channel.message_to_python(channel.basic_get(queue.name, no_ack=True))
    assert got.content_type == CONTENT_TYPE
    assert got.properties["delivery_mode"] == 2
    assert got.properties["message_id"] == event.id
    assert got.delivery_info["routing_key"] == "registration.PlayerJoined.cup"
    body = got.body if isinstance(got.body, bytes) else got.body.encode()
    read_by_sdk = from_rabbitmq_event(RabbitMQMessage(dict(got.headers), got.content_type, body))
    assert (read_by_sdk.get_id(), read_by_sdk.get_data()) == (event.id, {"name": "anna", "player": "anna"})


def test_queues_are_quorum_queues_with_one_active_consumer(stage, broker):  # noqa: F811
    with broker.connect() as connection:
        channel = connection.channel()
        broker.topology.declare(channel, COPIER, [OWNER])
        name = broker.topology.queue_name(COPIER)
        for arguments in ({"x-queue-type": "classic"}, {"x-queue-type": "quorum"}):
            with connection.channel() as other, pytest.raises(connection.channel_errors, match="inequivalent arg"):
                other.queue_declare(name, durable=True, arguments=arguments)


def test_messages_that_nobody_asked_for_yet_are_confirmed_and_the_relay_goes_on(stage, broker):  # noqa: F811
    stage.append("cup", *"abc")
    with running(stage.relay(broker)):
        until(lambda: published(stage) == 3)
    with running(consumer(stage, broker), CatchUp(stage.inbox(), stage.upstream(), every=0.1)):
        until(stage.same)  # the log keeps what the broker dropped
    stage.assert_equal()


def test_a_queue_that_is_full_says_no_and_does_not_hold_up_the_others(stage, broker):  # noqa: F811
    publisher, pairing = Publisher(broker), consumer(stage, broker)
    full = f"{broker.topology.prefix}.full"
    with broker.connect() as connection, connection.channel() as channel:
        broker.topology.events_exchange()(channel).declare()
        limits = {"x-max-length": 1, "x-overflow": "reject-publish"}
        channel.queue_declare(full, durable=True, auto_delete=False, arguments=limits)
        channel.queue_bind(full, broker.topology.exchange, "registration.#")
        try:
            with running(pairing):
                until(lambda: pairing.connected)
            stage.append("cup", *"abcdef")
            with running(stage.relay(broker, batch=3), pairing):
                until(stage.same)
                until(lambda: published(stage) == 6)
            with pytest.raises(QueueRejected, match="3 of the batch"):
                publisher.publish(outgoing(broker, 3))
        finally:
            channel.queue_delete(full)
        publisher.publish(outgoing(broker, 3))
    publisher.close()
    assert stage.site.asked == []


def test_a_rejected_message_is_kept_by_the_broker_with_its_own_reason(broker):
    with broker.connect() as connection, connection.channel() as channel:
        queue = broker.topology.declare(channel, COPIER, [OWNER])
        Publisher(broker).publish(outgoing(broker))
        with kombu.Consumer(channel, [queue], on_message=lambda got: got.reject(), auto_declare=False):
            connection.drain_events(timeout=PATIENCE)
        dead = broker.topology.dead_queue(COPIER)(channel)
        letters: list[kombu.Message] = []
        with kombu.Consumer(channel, [dead], on_message=letters.append, no_ack=True, auto_declare=False):
            connection.drain_events(timeout=PATIENCE)
        assert letters[0].headers["x-death"][0]["reason"] == "rejected"


def test_a_frozen_broker_is_given_up_in_time_and_appends_do_not_wait(stage, proxied):  # noqa: F811
    broker, proxy = proxied
    with running(stage.relay(broker), consumer(stage, broker), CatchUp(stage.inbox(), stage.upstream(), every=0.2)):
        stage.append("cup", "before")
        until(stage.same)
        until(lambda: published(stage) == 1)
        proxy.freeze()
        started = time.monotonic()
        stage.append("cup", "during")
        assert time.monotonic() - started < 5, "an append never waits for the broker"
        until(stage.same)  # the catch-up brings it, for the owner is well
        assert published(stage) == 1
        time.sleep(1.5)  # noqa: TID251 - as long as the broker is frozen
        proxy.thaw()
        stage.append("cup", "after")
        until(lambda: published(stage) == 3)
        until(stage.same)
    stage.assert_equal()


def test_a_frozen_broker_does_not_hold_up_a_stop(stage, proxied):  # noqa: F811
    broker, proxy = proxied
    pairing = consumer(stage, broker)
    with running(stage.relay(broker), pairing):
        until(lambda: pairing.connected)
        stage.append("cup", "before")
        until(stage.same)
        proxy.freeze()
        stage.append("cup", "during")
        started = time.monotonic()
    assert time.monotonic() - started < 15, "a supervisor kills what stops later"
    with pytest.raises((BrokerUnavailable, NotConfirmed)):
        Publisher(broker).publish(outgoing(broker))


def test_connections_cut_again_and_again_lose_nothing(stage, proxied):  # noqa: F811
    broker, proxy = proxied
    done = threading.Event()

    def cutter():
        while not done.wait(0.4):
            proxy.cut()

    cutting = threading.Thread(target=cutter)
    with running(stage.relay(broker, batch=20), consumer(stage, broker)):
        cutting.start()
        for number in range(400):
            stage.append(f"t{number % 9}", str(number))
            time.sleep(0.004)  # noqa: TID251 - the pace of the appends
        done.set()
        cutting.join()
        until(lambda: published(stage) == 400)
        until(stage.same)
    stage.assert_equal()


def test_a_queue_deleted_under_its_consumer_is_declared_again(stage, broker):  # noqa: F811
    catch_up = CatchUp(stage.inbox(), stage.upstream(), every=0.2)
    with running(stage.relay(broker), consumer(stage, broker), catch_up):
        stage.append("cup", "anna")
        until(stage.same)
        with broker.connect() as connection, connection.channel() as channel:
            channel.queue_delete(broker.topology.queue_name(COPIER))
        stage.append("cup", "ben")
        until(stage.same)

        def bound():
            with broker.connect() as connection, connection.channel() as channel:
                try:
                    channel.queue_declare(broker.topology.queue_name(COPIER), passive=True)
                except connection.channel_errors:
                    return False
                return True

        until(bound)


def test_of_two_consumers_one_works_and_the_other_takes_over(stage, broker, monkeypatch):  # noqa: F811
    """Replicas that shared a queue would get every other event each, and meet a gap at every one."""
    first, second = consumer(stage, broker), consumer(stage, broker)
    worked: list[str] = []

    def noting(name, take):
        def noted(arrivals, source=""):
            worked.append(name)
            take(arrivals, source)

        return noted

    for name, each in (("first", first), ("second", second)):
        monkeypatch.setattr(each._inbox, "take", noting(name, each._inbox.take))
    with running(stage.relay(broker)), running(second) as stop_second:
        until(lambda: second.connected)
        with running(first):
            until(lambda: first.connected)
            for number in range(20):
                stage.append("cup", str(number))
            until(stage.same)
            assert set(worked) == {"second"}
            stop_second.set()
            until(lambda: not second.connected)
            for number in range(20):
                stage.append("cup", str(number))
            until(stage.same)
            assert set(worked) == {"first", "second"}
    assert stage.site.asked == []
    stage.assert_equal()


SERVICES = ("registration", "pairing", "scoring")


@pytest.mark.engine("postgresql")
def test_three_services_on_postgresql_copy_each_other_in_a_circle(broker, postgresql_urls):
    import httpx

    from shared.messaging.peers import UpstreamFeed

    databases = {name: open_database(postgresql_urls()) for name in SERVICES}
    for database in databases.values():
        upgrade_database(database)
    sites = {name: OwnerSite(database, name) for name, database in databases.items()}
    parts = []
    for name, database in databases.items():
        others = [other for other in SERVICES if other != name]
        upstream = UpstreamFeed(
            {other: f"http://{other}" for other in others},
            transport=httpx.MockTransport(lambda request: sites[request.url.host](request)),
        )
        inbox = Inbox(database, others, KEYRING, event_fault, upstream.fetch)
        catch_up = CatchUp(inbox, upstream, every=0.5)
        parts += [
            Relay(database, name, broker, SIGNERS[name]),
            Consumer(name, broker, inbox, idle_seconds=0.2, on_connected=catch_up.request),
            catch_up,
        ]

    def work(name):
        for number in range(100):
            add(databases[name], f"t{number % 4}", str(number), source=name)
            CommitNotifier(databases[name]).notify()

    def same():
        for owner in SERVICES:
            with databases[owner].reading() as connection:
                heads = heads_of_source(connection, owner)
            for database in databases.values():
                with database.reading() as connection:
                    if heads_of_source(connection, owner) != heads:
                        return False
        return True

    with running(*parts):
        workers = [threading.Thread(target=work, args=(name,)) for name in SERVICES]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        until(same)
    for owner in SERVICES:
        for tournament in ("t0", "t1", "t2", "t3"):
            logs = [read(database, tournament, owner) for database in databases.values()]
            assert len(logs[0]) == 25
            assert logs[0] == logs[1] == logs[2]
    for database in databases.values():
        database.close()


RELAY = """
import sys, threading
from shared.log.schema import open_database
from shared.messaging.broker import Broker
from shared.messaging.relay import Relay
from tests.messaging.stage import SIGNERS
database, broker = open_database(sys.argv[1]), Broker(sys.argv[2], sys.argv[3])
Relay(database, "registration", broker, SIGNERS["registration"], batch=5, lease_ms=500).run(threading.Event())
"""


@pytest.mark.engine("postgresql")
def test_relays_killed_at_random_lose_nothing(stage, broker, rabbitmq_exchange, postgresql_urls):  # noqa: F811
    """SIGKILL for one relay process after another, while events come in."""
    url, exchange = rabbitmq_exchange
    stage.owner = open_database(postgresql_urls())
    upgrade_database(stage.owner)
    stage.site.database = stage.owner
    stage.notifier = CommitNotifier(stage.owner)
    arguments = [sys.executable, "-c", RELAY, stage.owner.url.render_as_string(hide_password=False), url, exchange]

    def beyond(feed):
        return published(stage) > feed

    with running(consumer(stage, broker)):
        for life in range(4):
            relay = subprocess.Popen(arguments)
            seen_before = published(stage)
            for number in range(100):
                stage.append(f"t{number % 5}", f"{life}-{number}")
                time.sleep(0.002)  # noqa: TID251 - the pace of the appends
            until(partial(beyond, seen_before))
            relay.kill()
            relay.wait()
        last = subprocess.Popen(arguments)
        until(lambda: published(stage) == 400)
        until(stage.same)
        last.kill()
        last.wait()
    stage.assert_equal()
    stage.owner.close()
