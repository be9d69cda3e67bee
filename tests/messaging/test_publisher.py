"""Publishing a batch: confirms count in any order and grouping, and a missing one is an error."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager

import pytest

from shared.messaging.broker import Broker
from shared.messaging.errors import BrokerUnavailable, NotConfirmed, QueueRejected, QueueUnresponsive
from shared.messaging.publisher import PROBE_SECONDS, Outgoing, Publisher

SILENCE, WELL = object(), object()
BATCH = [Outgoing("muster.events", "a.B.c", b"{}", str(number), "application/json") for number in range(4)]


class Channel:
    """Takes messages; `answers` are the confirms that come back, one each time the connection is drained."""

    def __init__(self):
        self.events: dict[str, set[Callable[..., None]]] = {
            "basic_ack": set(),
            "basic_nack": set(),
            "basic_return": set(),
        }
        self.published = 0

    def confirm_select(self):
        pass

    def exchange_declare(self, **_):
        pass

    def prepare_message(self, body, **_):
        return body

    def basic_publish(self, message, **_):
        self.published += 1

    def say(self, kind, *arguments):
        for callback in self.events[kind]:
            callback(*arguments)


class Connection:
    def __init__(self, answers):
        self.channels = []
        self.answers = answers

    def channel(self):
        self.channels.append(Channel())
        return self.channels[-1]

    def drain_events(self, timeout):
        assert 0 < timeout <= PROBE_SECONDS
        if not self.answers or self.answers[0] is SILENCE:
            del self.answers[:1]
            raise TimeoutError
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        events, probe = self.channels
        if answer is WELL:
            assert probe.published == 1
            probe.say("basic_ack", 1, False)
        else:
            events.say(*answer)


class FakeBroker(Broker):
    def __init__(self, *conversations):
        super().__init__("amqp://nowhere", confirm_ms=200)
        self.conversations = list(conversations)
        self.closed = 0

    @contextmanager
    def connect(self, heartbeat=0):
        try:
            yield Connection(self.conversations.pop(0))
        except OSError as error:
            raise BrokerUnavailable(str(error)) from error
        finally:
            self.closed += 1


def ack(tag, multiple=False):
    return ("basic_ack", tag, multiple)


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param([ack(1), ack(2), ack(3), ack(4)], id="one by one"),
        pytest.param([ack(4, True)], id="all at once"),
        pytest.param([ack(3), ack(1), ack(4), ack(2)], id="in any order"),
        pytest.param([ack(4), ack(3, True)], id="the last first, the rest together"),
        pytest.param([ack(2), ack(1, True), ack(4, True)], id="overlapping"),
        pytest.param(
            [("basic_return", Exception("no route"), "x", "k", None), ack(4, True)], id="nobody bound a queue"
        ),
    ],
)
def test_a_batch_is_published_when_all_messages_are_confirmed(answers):
    broker = FakeBroker([*answers, ack(8, True)])
    publisher = Publisher(broker)
    publisher.publish(BATCH)
    publisher.publish(BATCH)  # tags go on counting
    assert broker.conversations == []
    assert broker.closed == 0


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param([], id="silence"),
        pytest.param([ack(3, True)], id="all but one"),
        pytest.param([ack(1), ack(2), ack(4)], id="one in the middle misses"),
    ],
)
def test_without_confirms_the_connection_is_replaced(answers):
    broker = FakeBroker(list(answers), [ack(4, True)])
    publisher = Publisher(broker)
    with pytest.raises(NotConfirmed):
        publisher.publish(BATCH)
    assert broker.closed == 1
    publisher.publish(BATCH)
    assert broker.conversations == []


@pytest.mark.parametrize(
    ("answers", "number"),
    [
        pytest.param([ack(2, True), ("basic_nack", 3, False), ack(4)], 1, id="one"),
        pytest.param([("basic_nack", 4, False), ack(3, True)], 1, id="the last, first"),
        pytest.param([ack(1), ("basic_nack", 4, True)], 3, id="all but one"),
    ],
)
def test_a_rejecting_queue_is_reported_and_the_connection_stays(answers, number):
    broker = FakeBroker([*answers, ack(8, True)])
    publisher = Publisher(broker)
    with pytest.raises(QueueRejected, match=f"{number} of the batch"):
        publisher.publish(BATCH)
    assert broker.closed == 0
    publisher.publish(BATCH)


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param([SILENCE, WELL], id="none of it"),
        pytest.param([ack(1), ack(3), ack(4), SILENCE, WELL], id="one of it"),
        pytest.param([SILENCE, ack(2, True), WELL], id="some of it late"),
    ],
)
def test_an_unresponsive_queue_differs_from_an_unresponsive_broker(answers):
    broker = FakeBroker(answers, [SILENCE, WELL], [ack(4, True)])
    publisher = Publisher(broker)
    for _ in range(2):
        with pytest.raises(QueueUnresponsive):
            publisher.publish(BATCH)
    publisher.publish(BATCH)
    assert (broker.closed, broker.conversations) == (2, [])


def test_late_confirms_count():
    broker = FakeBroker([SILENCE, ack(4, True), WELL, ack(8, True)])
    publisher = Publisher(broker)
    publisher.publish(BATCH)
    publisher.publish(BATCH)
    assert broker.closed == 0


def test_a_broken_connection_is_an_unavailable_broker():
    broker = FakeBroker([ack(1), ConnectionResetError("gone")], [ack(4, True)])
    publisher = Publisher(broker)
    with pytest.raises(BrokerUnavailable):
        publisher.publish(BATCH)
    publisher.publish(BATCH)
    publisher.close()
    assert broker.closed == 2


def test_a_programming_error_is_not_translated():
    broker = FakeBroker([RuntimeError("a fault")])
    with pytest.raises(RuntimeError):
        Publisher(broker).publish(BATCH)
    assert broker.closed == 1


def test_an_unreachable_broker_is_unavailable():
    with pytest.raises(BrokerUnavailable):
        Publisher(Broker("amqp://guest:guest@127.0.0.1:1//")).publish(BATCH)
