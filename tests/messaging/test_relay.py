"""The relay: committed events are published in order, at least once; only the leader moves the cursor."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest
from sqlalchemy.exc import OperationalError

from shared import metrics
from shared.log import lease, outbox
from shared.log.cloudevents import CONTENT_TYPE
from shared.messaging.broker import Broker
from shared.messaging.envelope import parse_event
from shared.messaging.errors import BrokerUnavailable, NotConfirmed, QueueRejected
from shared.messaging.relay import REFUSALS, Relay
from tests.messaging.stage import OWNER, SIGNERS, MemoryPublisher, PowerCut, running
from tests.waiting import remains, until


@pytest.fixture
def nowhere(tmp_path):
    return Broker("filesystem://", folder=tmp_path / "broker")


@pytest.fixture
def make(stage, nowhere):
    def make(publisher, **options):
        return Relay(stage.owner, OWNER, nowhere, SIGNERS[OWNER], publisher=publisher, **options)

    return make


def lead(stage):
    token = lease.acquire(stage.owner, "test", 60_000)
    assert token is not None
    return token


def published(stage):
    with stage.owner.reading() as connection:
        return connection.value("SELECT published FROM relay")


def until_published(stage, feed):
    until(lambda: published(stage) == feed)


def feeds(publisher):
    return [parse_event(message.body)[1] for message in publisher.sent]


def test_committed_events_are_published_in_feed_order(stage, make):
    stage.append("cup", "anna", "ben")
    stage.append("open", "cleo")
    publisher = MemoryPublisher()
    relay = make(publisher)
    token = lead(stage)
    assert relay.step(token)
    assert not relay.step(token)
    assert [message.body for message in publisher.sent] == stage.lines()
    first = publisher.sent[0]
    assert (first.exchange, first.routing_key) == ("muster.events", "registration.TournamentAnnounced.cup")
    assert (first.id, first.content_type) == ("cup.registration.1", CONTENT_TYPE)
    assert published(stage) == 3


def test_batches_have_the_configured_size(stage, make):
    stage.append("cup", *"abcdefg")
    sizes = []

    class Counting(MemoryPublisher):
        def publish(self, batch):
            sizes.append(len(batch))
            super().publish(batch)

    relay, token = make(Counting(), batch=3), lead(stage)
    while relay.step(token):
        pass
    assert sizes == [3, 3, 1]


@pytest.mark.parametrize("fault", [NotConfirmed("nack"), BrokerUnavailable("away")])
@pytest.mark.parametrize("kept", [True, False])
def test_unconfirmed_events_are_published_again(stage, make, fault, kept):
    stage.append("cup", *"abc")
    publisher = MemoryPublisher(fault, kept=kept)
    relay = make(publisher)
    with running(relay):
        until(lambda: published(stage) == 3)
    assert feeds(publisher) == ([1, 2, 3] if kept else []) + [1, 2, 3]


def test_a_rejecting_queue_does_not_block_the_others(stage, make):
    class OneQueueIsFull(MemoryPublisher):
        full = True

        def publish(self, batch):
            super().publish(batch)
            if self.full:
                raise QueueRejected("1 of the batch were refused")

    publisher = OneQueueIsFull()
    with running(make(publisher, batch=2)):
        stage.append("cup", *"abcdef")
        until(lambda: published(stage) == 6)
        assert feeds(publisher) == [1, 2] * REFUSALS + [3, 4, 5, 6]
        publisher.full = False
        stage.append("cup", "g")
        until(lambda: published(stage) == 7)
        publisher.full, publisher.sent = True, []
        stage.append("cup", "h")
        until(lambda: published(stage) == 8)
        assert feeds(publisher) == [8] * REFUSALS


def test_during_a_broker_outage_the_feed_grows(stage, make):
    class Away(MemoryPublisher):
        def publish(self, batch):
            raise BrokerUnavailable("away")

    with running(make(Away())):
        for number in range(20):
            stage.append("cup", str(number))
        until(lambda: len(outbox.feed_after(stage.owner, OWNER, 0, 100)[0]) == 20)
        assert published(stage) == 0
        until(lambda: metrics.OUTBOX_DEPTH.labels(OWNER)._value.get() == 20)
    publisher = MemoryPublisher()
    with running(make(publisher)):
        until(lambda: published(stage) == 20)
    assert feeds(publisher) == list(range(1, 21))


def test_an_append_is_published_at_once(stage, make):
    publisher = MemoryPublisher()
    # Woken: its own clock would let it sleep for longer than is waited here.
    with running(make(publisher, idle_seconds=100.0, lease_ms=600_000)) as stop:
        stage.append("cup", "first")
        until(lambda: len(publisher.sent) == 1)
        remains(lambda: len(publisher.sent) == 1, seconds=0.1)  # it sleeps now
        stage.append("cup", "second")
        until(lambda: len(publisher.sent) == 2)
        stop.set()  # first, or it would sleep on
        stage.notifier.notify()


def test_without_a_notification_polling_finds_the_event(stage, make):
    publisher = MemoryPublisher()
    with running(make(publisher, idle_seconds=0.1)):
        until(lambda: lease.acquire(stage.owner, "other", 1) is None)
        stage.notifier.notify = lambda: None
        stage.append("cup", "anna")
        until(lambda: len(publisher.sent) == 1)


def test_the_second_relay_takes_over(stage, make):
    first, second = MemoryPublisher(), MemoryPublisher()
    with running(make(first, idle_seconds=0.05)) as stop:
        stage.append("cup", "anna")
        until(lambda: published(stage) == 1)
        with running(make(second, idle_seconds=0.05)):
            stage.append("cup", "ben")
            until(lambda: published(stage) == 2)
            assert second.sent == []
            stop.set()
            until(lambda: lease.acquire(stage.owner, "nobody", -1) is None)
            stage.append("cup", "cleo")
            until(lambda: published(stage) == 3)
    assert (feeds(first), feeds(second)) == ([1, 2], [3])


def test_a_dead_leader_is_replaced_when_its_lease_expires(stage, make):
    assert lease.acquire(stage.owner, "dead", 300) is not None
    stage.append("cup", "anna")
    publisher = MemoryPublisher()
    with running(make(publisher, idle_seconds=0.05)):
        assert published(stage) == 0
        until(lambda: published(stage) == 1)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells whether a process is gone")
def test_a_dead_leader_of_this_machine_is_replaced_at_once(stage, make):
    publisher = MemoryPublisher()
    relay = make(publisher, idle_seconds=0.05)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert lease.acquire(stage.owner, f"{lease.MACHINE}:{gone.pid}:0", 60_000) is not None
    stage.append("cup", "anna")
    with running(relay):
        until(lambda: published(stage) == 1)


@pytest.mark.parametrize("holder", ["elsewhere:1:0", "nonsense", ""])
def test_the_lease_of_another_machine_has_to_expire(stage, make, holder):
    assert lease.acquire(stage.owner, holder, 60_000) is not None
    stage.append("cup", "anna")
    with running(make(MemoryPublisher(), idle_seconds=0.01)):
        remains(lambda: published(stage) == 0)


def test_a_replaced_leader_moves_no_cursor(stage, make):
    stage.append("cup", "anna", "ben")
    asleep = lead(stage)

    class Slow(MemoryPublisher):
        def publish(self, batch):
            super().publish(batch)
            lease.release(stage.owner, asleep)
            lead(stage)  # somebody else, while this one hung in the middle of publishing

    relay = make(Slow())
    with pytest.raises(lease.LeaseLost):
        relay.step(asleep)
    assert published(stage) == 0
    stage.append("cup", "cleo")
    with stage.owner.reading() as connection:
        assert outbox.has_waiting_events(connection)
    with pytest.raises(lease.LeaseLost):
        relay.step(asleep)
    with stage.owner.reading() as connection:
        assert outbox.has_waiting_events(connection)  # nor does it give feed positions any more


def test_a_relay_that_lost_its_lease_may_lead_again(stage, make):
    publisher = MemoryPublisher()
    with running(make(publisher, idle_seconds=0.05, lease_ms=300)):
        stage.append("cup", "anna")
        until(lambda: published(stage) == 1)
        with stage.owner.writing() as connection:
            connection.run("UPDATE relay SET token = token + 1, holder = 'thief', expires = 0")
        stage.append("cup", "ben")
        until(lambda: published(stage) == 2)


def test_an_idle_leader_renews_its_lease(stage, make):
    def ends():
        with stage.owner.reading() as connection:
            return connection.first("SELECT expires, token FROM relay")

    with running(make(MemoryPublisher(), lease_ms=3_000)):
        until(lambda: lease.acquire(stage.owner, "other", 1) is None)
        first = ends()
        until(lambda: ends() > first)
        second = ends()
        until(lambda: ends() > second)
        assert ends()[1] == first[1], "the same leader"


def test_a_database_outage_is_retried(stage, make, monkeypatch):
    genuine, away, tries = outbox.assign_feed_positions, threading.Event(), []
    away.set()

    def sequence(connection, limit=1000):
        tries.append(1)
        if away.is_set():
            raise OperationalError("statement", {}, Exception("the database restarts"))
        return genuine(connection, limit)

    monkeypatch.setattr(outbox, "assign_feed_positions", sequence)
    publisher = MemoryPublisher()
    with running(make(publisher, lease_ms=300)):
        stage.append("cup", "anna")
        until(lambda: len(tries) > 1, "it tries again")
        away.clear()
        until(lambda: published(stage) == 1)
    assert feeds(publisher) == [1]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(
    "step", ["acquire", "renew", "assign_feed_positions", "unpublished_events", "publish", "mark_published", "release"]
)
def test_after_a_crash_at_any_step_nothing_is_lost_or_reordered(stage, make, monkeypatch, step, when):
    """Crash around every step, three times; afterwards another relay finishes the work."""
    for number in range(3):
        stage.append("cup", str(number), str(number))
        publisher = dying = MemoryPublisher()
        with monkeypatch.context() as patch:
            place = {"acquire": lease, "renew": lease, "release": lease, "publish": dying}.get(step, outbox)
            genuine = getattr(place, step)

            def cut(*arguments, genuine=genuine, **named):
                if when == "after":
                    genuine(*arguments, **named)
                raise PowerCut

            patch.setattr(place, step, cut)
            relay, stop = make(publisher, lease_ms=50, idle_seconds=0.01), threading.Event()
            threading.Timer(0.3, stop.set).start()
            with pytest.raises(PowerCut):
                relay.run(stop)
        survivor = MemoryPublisher()
        with running(make(survivor, lease_ms=50, idle_seconds=0.01)):
            until_published(stage, 2 * number + 2)
        got = feeds(dying) + feeds(survivor)
        assert set(got) == {2 * number + 1, 2 * number + 2}
        assert feeds(survivor) in ([2 * number + 1, 2 * number + 2], [])
    assert [parse_event(line)[1] for line in stage.lines()] == [1, 2, 3, 4, 5, 6]
