"""The consumer, over both brokers: messages are acknowledged when copied or dead-lettered, and never lost."""

from __future__ import annotations

import errno
import threading

import pytest
from kombu.message import Message
from msgspec.structs import replace
from sqlalchemy.exc import OperationalError

from shared import metrics
from shared.log.cloudevents import CONTENT_TYPE
from shared.log.copies import accept_runs, open_cases
from shared.log.event import LARGEST_COMMAND
from shared.messaging import inbox as heard_module
from shared.messaging.broker import Channel
from shared.messaging.catch_up import CatchUp
from shared.messaging.consumer import ADDRESS, REASON, Consumer
from shared.messaging.envelope import LARGEST_MESSAGE
from shared.messaging.errors import BrokerUnavailable, QueueUnresponsive
from shared.messaging.publisher import Outgoing, Publisher
from tests.appending import append
from tests.eventlog.stories import STAMP, changed, head, joined, log_of, read
from tests.messaging.conftest import RABBITMQ
from tests.messaging.stage import COPIER, OWNER, PowerCut, message, quoted_command, running
from tests.waiting import PATIENCE, until


@pytest.fixture
def consumer(stage, broker):
    return Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.2)


def declare(broker, sources=(OWNER,)):
    with broker.connect() as connection, broker.declaring():
        broker.topology.declare(connection.channel(), COPIER, sources)


def publish(broker, *arrivals):
    publisher = Publisher(broker)
    publisher.publish(
        [Outgoing(broker.topology.exchange, a.address, a.body, str(n), CONTENT_TYPE) for n, a in enumerate(arrivals)]
    )
    publisher.close()


def depth(broker, queue):
    with broker.connect() as connection:
        return connection.channel().queue_declare(queue, passive=True).message_count


def dead_letters(broker, number):
    """Return a number of dead letters: their bodies and headers."""
    taken = []
    with broker.connect() as connection:
        channel = connection.channel()
        queue = broker.topology.dead_queue(COPIER)(channel)

        def take():
            got = queue.get(no_ack=True)
            if got is not None:
                got = channel.message_to_python(got)
                body = got.body.encode() if isinstance(got.body, str) else bytes(got.body)
                taken.append((body, got.headers))
            return len(taken) >= number

        until(take)
    return taken


def outcome(name, source=OWNER):
    return metrics.CONSUMER_OUTCOMES.labels(source, name)._value.get()


def test_an_append_becomes_a_copy(stage, broker, consumer):
    with running(stage.relay(broker), consumer):
        until(lambda: consumer.connected)
        for number in range(50):
            stage.append(f"t{number % 7}", str(number))
        until(stage.same)
    stage.assert_equal()
    assert stage.heard() == 50
    assert stage.site.asked == []
    assert not consumer.connected


def test_messages_from_before_the_start_wait_in_the_queue(stage, broker, consumer):
    declare(broker)
    stage.append("cup", *"abc")
    publish(broker, *stage.arrivals())
    with running(consumer):
        until(stage.same)


def test_duplicates_gaps_and_disorder_end_in_the_same_copy(stage, broker, consumer):
    declare(broker)
    stage.append("cup", *"abcdefgh")
    log = stage.arrivals()
    before = outcome("duplicate")
    publish(broker, log[5], log[0], log[0], log[7], log[5], log[3])
    with running(consumer):
        until(stage.same)
        until(lambda: depth(broker, broker.topology.queue_name(COPIER)) == 0)
    stage.assert_equal()
    assert outcome("duplicate") > before


def test_poison_becomes_a_dead_letter_with_the_reason(stage, broker, consumer):
    declare(broker, [OWNER, "scoring"])
    stage.append("cup", "anna")
    good = stage.arrivals()[0]
    junk = message(log_of("cup", "x")[0])
    junk.body = b"hello"
    foreign = message(log_of("cup", "x", source="scoring")[0])
    posing = message(log_of("cup", "x", source="scoring")[0])
    posing.address = "registration.PlayerJoined.cup"
    before = outcome("poison", "unknown")
    publish(broker, junk, foreign, posing, good)
    with running(consumer):
        until(stage.same)
        dead = dead_letters(broker, 3)
    assert {body for body, _ in dead} == {junk.body, foreign.body, posing.body}
    for _, headers in dead:
        assert headers[REASON].startswith("poison: ")
        assert headers[ADDRESS].startswith(("registration.", "scoring."))
    assert outcome("poison", "unknown") == before + 3
    assert read(stage.copy, "cup", "scoring") == []


def test_a_tampered_event_is_logged_and_the_log_continues(stage, broker, consumer):
    declare(broker)
    stage.append("cup", "anna", "ben")
    stage.site.down = True
    log = read(stage.owner, "cup")
    before = metrics.QUARANTINED.labels(OWNER)._value.get()
    publish(broker, message(log[0], 1), message(changed(log[1], data='{"player":"mallory"}'), 2))

    def cases():
        with stage.copy.reading() as connection:
            return open_cases(connection)

    with running(consumer):
        until(cases)
        ((_, headers),) = dead_letters(broker, 1)
        assert headers[REASON].startswith("tampered: its content hashes to")
        publish(broker, message(log[1], 2))
        until(stage.same)
    assert cases() == []
    assert metrics.QUARANTINED.labels(OWNER)._value.get() == before + 1


def test_messages_are_redelivered_after_a_database_outage(stage, broker, consumer, monkeypatch):
    declare(broker)
    stage.append("cup", "anna", "ben")
    publish(broker, *stage.arrivals())
    away, failed = threading.Event(), threading.Event()
    away.set()

    def accept(*arguments):
        if away.is_set():
            failed.set()
            raise OperationalError("statement", {}, Exception("the database restarts"))
        return accept_runs(*arguments)

    monkeypatch.setattr(heard_module, "accept_runs", accept)
    with running(consumer):
        assert failed.wait(PATIENCE)
        assert stage.copied() == 0
        away.clear()
        until(stage.same)


def test_messages_without_a_stored_dead_letter_are_not_acknowledged(stage, broker):
    declare(broker)
    junk = message(log_of("cup", "x")[0])
    junk.body = b"hello"
    publish(broker, junk)

    class Away(Publisher):
        times = 2

        def publish(self, batch):
            if self.times:
                self.times -= 1
                raise BrokerUnavailable("away")
            super().publish(batch)

    with running(Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.2, dead_letters=Away(broker))):
        assert len(dead_letters(broker, 1)) == 1


@pytest.mark.parametrize("broker", RABBITMQ, indirect=True)
def test_an_unresponsive_dead_letter_queue_is_declared_again(stage, broker):
    declare(broker)
    before, after = message(log_of("cup", "x")[0]), message(log_of("cup", "x")[0])
    before.body, after.body = b"held by a queue without a leader", b"hello"
    publisher = Publisher(broker)
    publisher.publish([Outgoing(broker.topology.dead, COPIER, before.body, "", CONTENT_TYPE, {REASON: "old"})])
    publisher.close()
    publish(broker, after)

    kept = threading.Event()

    class Silent(Publisher):
        times = 2

        def publish(self, batch):
            if self.times:
                self.times -= 1
                raise QueueUnresponsive("a queue does not answer")
            super().publish(batch)
            kept.set()

    with running(Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.2, dead_letters=Silent(broker))):
        assert kept.wait(PATIENCE)
        ((body, _),) = dead_letters(broker, 1)
    assert body == after.body


@pytest.mark.parametrize("step", ["take", "accept", "commit", "ack"])
def test_after_a_crash_at_any_step_the_copies_are_equal(stage, broker, monkeypatch, step):
    """Crash at every step. The connection ends with the process, and unacknowledged messages are redelivered."""
    declare(broker)
    stage.append("cup", *"abcd")
    publish(broker, *stage.arrivals())
    dying = Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.2)

    def cut(*_):
        raise PowerCut

    def cut_after(genuine):
        def call(*arguments):
            genuine(*arguments)
            raise PowerCut

        return call

    with monkeypatch.context() as patch:
        if step == "take":
            patch.setattr(dying._inbox, "take", cut)
        elif step == "accept":
            patch.setattr(heard_module, "note_claimed", cut)
        elif step == "commit":
            patch.setattr(heard_module, "accept_runs", cut_after(accept_runs))
        else:
            patch.setattr(Message, "ack", cut)
        with pytest.raises(PowerCut):
            dying.run(threading.Event())
    assert stage.copied() == (0 if step in ("take", "accept") else 4)
    with running(Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.2)):
        until(stage.same)
        until(lambda: depth(broker, broker.topology.queue_name(COPIER)) == 0)
    stage.assert_equal()


def test_a_stop_finishes_the_current_batch(stage, broker, monkeypatch):
    declare(broker)
    stage.append("cup", *"abcd")
    publish(broker, *stage.arrivals())
    consumer = Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.2)
    stop = threading.Event()

    def accept(*arguments):
        stop.set()
        return accept_runs(*arguments)

    monkeypatch.setattr(heard_module, "accept_runs", accept)
    consumer.run(stop)
    held = stage.copied()
    assert held >= 1
    queue = broker.topology.queue_name(COPIER)
    until(lambda: depth(broker, queue) == 4 - held)  # what was copied is acknowledged, the rest is back


def test_on_connected_is_called_after_each_connection(stage, broker):
    connected = threading.Event()
    with running(Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.2, on_connected=connected.set)):
        assert connected.wait(PATIENCE)


@pytest.mark.parametrize("broker", RABBITMQ, indirect=True)
def test_unbounded_queues_of_an_older_version_are_declared_again(stage, broker):
    """RabbitMQ refuses to redeclare them with limits; the worker must continue."""
    with broker.connect() as connection:
        channel = connection.channel()
        broker.topology.events_exchange()(channel).declare()
        for name in (broker.topology.queue_name(COPIER), broker.topology.dead_queue_name(COPIER)):
            channel.queue_declare(name, durable=True, auto_delete=False, arguments={"x-queue-type": "quorum"})
        channel.queue_bind(broker.topology.queue_name(COPIER), broker.topology.exchange, f"{OWNER}.#")
    junk = message(log_of("cup", "x")[0])
    junk.body = b"hello"
    consumer = Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.2)
    with running(consumer, stage.relay(broker)):
        until(lambda: consumer.connected)
        stage.append("cup", "anna")
        until(stage.same)
        publish(broker, junk)
        assert len(dead_letters(broker, 1)) == 1


@pytest.mark.parametrize("broker", RABBITMQ, indirect=True)
def test_a_queue_that_cannot_be_deleted_is_used_as_it_is(stage, broker, monkeypatch):
    from amqp.exceptions import AccessRefused
    from kombu.transport import pyamqp

    with broker.connect() as connection:
        channel = connection.channel()
        broker.topology.events_exchange()(channel).declare()
        name = broker.topology.queue_name(COPIER)
        channel.queue_declare(name, durable=True, auto_delete=False, arguments={"x-queue-type": "quorum"})
        channel.queue_bind(name, broker.topology.exchange, f"{OWNER}.#")

    def refuse(*_, **__):
        raise AccessRefused("access to the queue is refused")

    stage.append("cup", *"abc")
    publish(broker, *stage.arrivals())
    with monkeypatch.context() as patch:
        patch.setattr(pyamqp.Channel, "queue_delete", refuse)
        with running(Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.2)):
            until(stage.same)


def test_dead_letters_are_bounded_and_the_oldest_are_dropped(stage, broker, monkeypatch):
    monkeypatch.setattr("shared.messaging.broker.DEAD_MESSAGES", 20)
    declare(broker)
    junk = [message(log_of("cup", "x")[0]) for _ in range(100)]
    for number, arrival in enumerate(junk):
        arrival.body = b"junk %d" % number
    publish(broker, *junk)
    stage.append("cup", "anna")
    publish(broker, *stage.arrivals())
    with running(Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.2, batch=5)):
        until(stage.same)
        until(lambda: depth(broker, broker.topology.queue_name(COPIER)) == 0)
    with broker.declaring():
        left = depth(broker, broker.topology.dead_queue_name(COPIER))
    assert 20 <= left <= 30
    assert b"junk 99" in {body for body, _ in dead_letters(broker, left)}


def test_an_unread_queue_is_bounded_and_catch_up_fetches_the_rest(stage, broker, monkeypatch):
    monkeypatch.setattr("shared.messaging.broker.QUEUE_MESSAGES", 20)
    declare(broker)
    stage.append("cup", *(str(number) for number in range(100)))
    publish(broker, *stage.arrivals())
    with broker.declaring():
        pass  # as the consumers of other services do every few seconds
    assert 20 <= depth(broker, broker.topology.queue_name(COPIER)) <= 30
    inbox = stage.inbox()
    with running(Consumer(COPIER, broker, inbox, idle_seconds=0.2), CatchUp(inbox, stage.upstream(), every=0.1)):
        until(stage.same)
    stage.assert_equal()


def test_an_event_with_the_largest_command_is_copied(stage, broker, consumer):
    (entry,) = joined("ben")
    large = replace(entry, command=quoted_command(LARGEST_COMMAND))
    with running(stage.relay(broker), consumer):
        until(lambda: consumer.connected)
        stage.append("cup", "anna")
        append(stage.owner, OWNER, "cup", head(stage.owner, "cup"), [large], STAMP)
        stage.append("cup", "cleo")
        until(stage.same)
    stage.assert_equal()


def test_an_oversized_message_is_not_parsed_and_truncated(stage, broker):
    declare(broker)
    huge = message(log_of("cup", "x")[0])
    huge.body = huge.body[:-1] + b" " * LARGEST_MESSAGE + b"}"
    publish(broker, huge)
    stage.append("cup", "anna")
    publish(broker, *stage.arrivals())
    with running(Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.2)):
        until(stage.same)
        ((body, headers),) = dead_letters(broker, 1)
        assert headers[REASON].startswith("poison: more than the ")
        assert body == huge.body[:4096]


@pytest.mark.parametrize("broker", ["folder"], indirect=True)
def test_dead_letters_on_a_full_disk_do_not_block_valid_events(stage, broker, monkeypatch):
    declare(broker)
    junk = message(log_of("cup", "x")[0])
    junk.body = b"hello"
    publish(broker, junk)
    stage.append("cup", "anna")
    publish(broker, *stage.arrivals())
    genuine = Channel._put

    def put(self, queue, payload, **given):
        if queue.endswith(".dead"):
            raise OSError(errno.ENOSPC, "No space left on device")
        genuine(self, queue, payload, **given)

    monkeypatch.setattr(Channel, "_put", put)
    with running(Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.1)):
        until(stage.same)
