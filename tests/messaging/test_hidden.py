"""What is hidden at first: whole in the queues of services, for others an envelope, and later the event itself."""

from __future__ import annotations

import json
from contextlib import suppress

from kombu import Exchange, Queue
from kombu.messaging import Consumer as QueueConsumer

from shared.eventlog.read import log_page
from shared.eventlog.verify import verify
from shared.events.cloudevents import from_line
from shared.events.recorded import Hidden, hidden
from shared.messaging.consumer import Consumer
from shared.messaging.inbound_messages import Disposition, InboundMessage
from shared.messaging.vouching import feed_digest, feed_statement, log_statement
from shared.messaging.wire import Hiding, feed_line, log_line, repeated_line
from tests.eventlog.stories import read
from tests.messaging.stage import COPIER, KEYRING, OWNER, SIGNERS, running
from tests.waiting import until

SECRET = "surprise"


def is_hidden(event):
    return SECRET in event.data


def opened_by(connection, event):
    """The player called Opener opens everything before them."""
    if "opener" not in event.data:
        return []
    before = log_page(connection, event.source, event.tournament, 0, event.position - 1)
    return [one for one in before if is_hidden(one)]


HIDING = Hiding(is_hidden, opened_by)


class Outside:
    """Somebody outside who has bound a queue to everything that they may hear."""

    def __init__(self, broker):
        self.heard = []
        self._broker = broker

    def __enter__(self):
        self._held = self._broker.connect()
        connection = self._held.__enter__()
        channel = connection.channel()
        exchange = Exchange(self._broker.topology.exchange, type="topic", durable=True)
        with self._broker.declaring():
            queue = Queue("club-site", exchange, routing_key="#", durable=True)(channel)
            exchange(channel).declare()
            queue.declare()
        QueueConsumer(channel, [queue], on_message=self._on_message, auto_declare=False).consume()
        self._connection = connection
        return self

    def __exit__(self, *raised):
        self._held.__exit__(*raised)

    def _on_message(self, message):
        body = message.body
        self.heard.append(body.encode() if isinstance(body, str) else bytes(body))
        message.ack()

    def listen(self, number):
        def has_come():
            with suppress(TimeoutError):
                self._connection.drain_events(timeout=0.1)
            return len(self.heard) >= number

        until(has_come)
        return [json.loads(line) for line in self.heard]


def test_services_copy_the_whole_and_others_hear_it_when_it_is_opened(stage, broker):
    consumer = Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.2)
    with Outside(broker) as outside, running(consumer):
        until(lambda: consumer.connected)
        with running(stage.relay(broker, hiding=HIDING)):
            stage.append("cup", "Ana", SECRET, "Ben")
            until(stage.same)
            first = outside.listen(3)
            assert SECRET.encode() not in b"".join(outside.heard)
            stage.append("cup", "opener")
            until(stage.same)
            told = outside.listen(5)
    stage.assert_equal()
    assert stage.site.asked == [], "nothing had to be fetched"
    assert [event["feedposition"] for event in first] == [1, 2, 3]
    assert [from_line(line).position for line in outside.heard] == [1, 2, 3, 4, 2]
    assert [isinstance(from_line(line), Hidden) for line in outside.heard] == [False, True, False, False, False]
    verify([from_line(line) for line in outside.heard[:4]])
    repeated = told[4]
    assert (repeated["openedby"], repeated["feedposition"]) == (told[3]["id"], 4)
    opened = from_line(outside.heard[4])
    assert opened == read(stage.owner, "cup")[1]
    assert KEYRING.fault(OWNER, log_statement(opened), repeated["signature"]) == ""
    digest = feed_digest(told[1]["feedbefore"], 2, "cup", 2, told[1]["hash"])
    assert KEYRING.fault(OWNER, feed_statement(OWNER, 2, digest), told[1]["signature"]) == ""


def test_an_inbox_passes_over_what_is_for_others_and_takes_no_envelope_from_a_feed(stage):
    """An envelope in the feed that an owner shows a service is a fault: the copy would have a hole."""
    event, other = stage.append("cup", "Ana", "Ben")
    envelope = feed_line(1, hidden(event), "0" * 64, "x")
    again = repeated_line(2, event, other.id, SIGNERS[OWNER].log(event))
    for body in (envelope, again):
        heard, fed = InboundMessage(body, "registration.PlayerJoined.cup"), InboundMessage(body)
        stage.inbox().take([heard])
        stage.inbox().take([fed], OWNER)
        assert (heard.disposition, fed.disposition) == (Disposition.PASSED, Disposition.POISON)
    assert stage.copied() == 0
    junk = InboundMessage(b'{"content":"' + b"x" * 100, "registration.PlayerJoined.cup")
    stage.inbox().take([junk])
    assert junk.disposition is Disposition.POISON
    whole = log_line(event, SIGNERS[OWNER].log(event))
    stage.inbox().take([sound := InboundMessage(whole, "registration.PlayerJoined.cup")])
    assert sound.disposition is not Disposition.PASSED
