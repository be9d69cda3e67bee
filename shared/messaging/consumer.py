"""The consumer: turns messages into copies. A message is acknowledged after its copy has committed.

Messages that cannot become copies go to the dead-letter queue with the reason in their headers, and are acknowledged
then. Only the beginning of oversized messages is kept there.
"""

# kombu has types for a part of itself only.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from kombu.entity import Queue
from kombu.message import Message
from kombu.messaging import Consumer as QueueConsumer

from shared import metrics
from shared.logs import RateLimitedLogger
from shared.messaging.broker import UNREADABLE, Broker
from shared.messaging.envelope import LARGEST_MESSAGE, Disposition, InboundMessage, to_printable
from shared.messaging.errors import DATABASE_UNAVAILABLE, Backoff, MessagingError, QueueUnresponsive
from shared.messaging.inbox import Inbox
from shared.messaging.publisher import Outgoing, Publisher

HEARTBEAT = 20
"""Seconds; a broker that is silent for two heartbeats is considered dead."""
COLLECT_SECONDS = 2.0
"""Time limit of collecting a batch: listing a folder with very many files is slow, and then they must be bounded."""
COLLECT_BYTES = 4 * LARGEST_MESSAGE
"""Size limit of a batch."""
UNANSWERED = 2
"""Consecutive times that a queue may not respond before it is deleted and declared again."""
UNKEPT = 3
"""Consecutive times that storing dead letters may fail (a full disk, a full queue) before they are dropped: junk must
not block valid messages. Events that do not verify are in quarantine as well."""
BEGINNING = 4096
"""Bytes that are kept of an oversized message."""
LONGEST_ID = 255
"""Maximum bytes of a message id in AMQP."""
REASON, ADDRESS, TIME = "muster-reason", "muster-routing-key", "muster-time"
"""Headers of a dead letter."""

_log = RateLimitedLogger("muster.messaging")


class Consumer:
    """Copies the messages of one service's queue into its database.

    batch: maximum number of messages in one transaction. on_connected: called after every (re)connection, because
    messages may have been lost before.
    """

    name = "consumer"

    def __init__(
        self,
        service: str,
        broker: Broker,
        inbox: Inbox,
        *,
        batch: int = 200,
        idle_seconds: float = 1.0,
        on_connected: Callable[[], None] | None = None,
        dead_letters: Publisher | None = None,
    ) -> None:
        self.service = service
        self.beat = time.monotonic()
        self.connected = False
        self.trouble = ""
        self._broker = broker
        self._inbox = inbox
        self._batch = batch
        self._idle_seconds = idle_seconds
        self._on_connected = on_connected
        self._dead_letters = dead_letters or Publisher(broker)
        self._patience = Backoff()
        self._arrived: list[Message] = []
        self._arrived_bytes = 0
        self._unanswered: Counter[str] = Counter()
        self._unkept = 0
        self._as_they_are: set[str] = set()

    def run(self, stop: threading.Event) -> None:
        """Consume until `stop` is set; commit and acknowledge the current batch first."""
        while not stop.is_set():
            self.beat = time.monotonic()
            try:
                self._consume(stop)
            except MessagingError as error:
                self._pause(stop, "consumer waits for the broker", error)
            except DATABASE_UNAVAILABLE as error:
                # The connection is closed with its unacknowledged messages, so they are delivered again.
                self._pause(stop, "consumer waits for the database", error)
            finally:
                self.connected = False
                self._clear()
        self._dead_letters.close()

    def _pause(self, stop: threading.Event, what: str, error: Exception) -> None:
        seconds = self._patience.next_delay()
        # The message of a database error may contain values, and /readyz is public.
        public = str(error) if isinstance(error, MessagingError) else type(error).__name__
        self.trouble = to_printable(f"{what}: {public}", 400)
        _log.warning(what, service=self.service, seconds=seconds, error=str(error))
        stop.wait(seconds)

    def _consume(self, stop: threading.Event) -> None:
        with self._broker.connect(heartbeat=HEARTBEAT, bodies_only=True) as connection:
            channel = connection.channel()
            self._remove_queues_without_an_answer(channel)
            if not self._broker.embedded:
                self._as_they_are = self._broker.topology.renew(connection, self.service)
            queue = self._declare(channel)
            consumer = QueueConsumer(
                channel,
                queues=[queue],
                on_message=self._receive,
                auto_declare=False,
                prefetch_count=2 * self._batch,
            )
            self._unanswered[queue.name] += 1  # removed if the queue answers
            consumer.consume()  # never cancelled: the connection is closed with it
            del self._unanswered[queue.name]
            _log.info("consuming", service=self.service, queue=queue.name)
            self.connected, self.trouble = True, ""
            if self._on_connected is not None:
                self._on_connected()
            self._measure(channel, queue)
            beaten = time.monotonic()
            while not stop.is_set():
                self.beat = time.monotonic()
                if time.monotonic() - beaten > HEARTBEAT / 4:
                    connection.heartbeat_check()
                    # Deleting an exchange or a folder removes the bindings without notice.
                    self._declare(channel)
                    self._measure(channel, queue)
                    beaten = time.monotonic()
                self._collect(connection)
                if self._arrived:
                    self._handle()
                    self._patience.reset()

    def _remove_queues_without_an_answer(self, channel: Any) -> None:
        """Delete queues that do not respond; catch-up fetches their events.

        A quorum queue can stay without a leader forever after a crash (RabbitMQ up to 4.2: a queue that was declared
        within a second before the node was killed).
        """
        for name, times in list(self._unanswered.items()):
            if times >= UNANSWERED:
                _log.error("a queue does not respond and is declared again", service=self.service, queue=name)
                del self._unanswered[name]  # even if deleting fails: the next queue gets as many attempts
                channel.queue_delete(name)

    def _declare(self, channel: Any) -> Queue:
        with self._broker.declaring():
            topology, sources = self._broker.topology, sorted(self._inbox.sources)
            return topology.declare(channel, self.service, sources, self._as_they_are)

    def _measure(self, channel: Any, queue: Queue) -> None:
        waiting = channel.queue_declare(queue.name, passive=True).message_count
        metrics.QUEUE_MESSAGES.labels(self.service).set(waiting)

    def _collect(self, connection: Any) -> None:
        """Wait for a first message, then take those that have arrived already, up to the limits of a batch."""
        timeout = 0.0001 if self._arrived else self._idle_seconds
        unread, until = 0, time.monotonic() + COLLECT_SECONDS
        while (
            len(self._arrived) + unread < self._batch
            and self._arrived_bytes < COLLECT_BYTES
            and time.monotonic() < until
        ):
            try:
                connection.drain_events(timeout=timeout)
            except TimeoutError:
                return
            except UNREADABLE as error:
                if not self._broker.embedded:
                    raise
                unread += 1
                metrics.CONSUMER_OUTCOMES.labels("unknown", "poison").inc()
                _log.error("a message could not be read", service=self.service, error=to_printable(str(error), 400))
            if self._arrived:
                timeout = 0.0001

    def _handle(self) -> None:
        messages = self._arrived[:]
        arrivals = [
            InboundMessage(_bytes(message), str(message.delivery_info.get("routing_key"))) for message in messages
        ]
        self._inbox.take(arrivals)
        refused = [a for a in arrivals if a.disposition in (Disposition.POISON, Disposition.TAMPERED)]
        if refused:
            self._publish_dead_letters([self._dead_letter(arrival) for arrival in refused])
        for message in messages:
            message.ack()
        self._clear()

    def _receive(self, message: Message) -> None:
        self._arrived.append(message)
        self._arrived_bytes += len(message.body or b"")

    def _clear(self) -> None:
        self._arrived.clear()
        self._arrived_bytes = 0

    def _publish_dead_letters(self, letters: list[Outgoing]) -> None:
        name = self._broker.topology.dead_queue_name(self.service)
        try:
            self._dead_letters.publish(letters)
        except MessagingError as error:
            self._unanswered[name] += isinstance(error, QueueUnresponsive)
            self._unkept += 1
            if self._unkept <= UNKEPT:
                raise
            _log.error("dead letters are dropped: they cannot be kept", number=len(letters), error=str(error))
        else:
            del self._unanswered[name]
        self._unkept = 0

    def _dead_letter(self, arrival: InboundMessage) -> Outgoing:
        headers = {
            REASON: f"{arrival.disposition.value}: {to_printable(arrival.reason, 1000)}",
            ADDRESS: to_printable(arrival.address, 255),
            TIME: datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
        id = arrival.event.id if arrival.event is not None else ""
        body = arrival.body if len(arrival.body) <= LARGEST_MESSAGE else arrival.body[:BEGINNING]
        destination = (self._broker.topology.dead, self.service)
        return Outgoing(*destination, body, to_printable(id, LONGEST_ID - 3), "application/octet-stream", headers)


def _bytes(message: Message) -> bytes:
    body = message.body
    return body.encode(errors="surrogatepass") if isinstance(body, str) else bytes(body or b"")
