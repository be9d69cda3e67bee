"""Names on the broker: one exchange for events, one queue a consuming service, one place for what is refused.

    muster.events   topic, durable     every event, under `<source>.<EventType>.<tournament>`
    muster.<s>      quorum queue       bound to it with `<source>.#` for each source that service s listens to
    muster.dead     direct, durable    what a consumer refused, under the service's name, with headers that say why
    muster.<s>.dead quorum queue       bound to muster.dead with the service's name

The queues take their prefix from the exchange's name, so that two installations can share a broker.
"""

# kombu has types for a part of itself only.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from amqp.exceptions import ChannelError, PreconditionFailed
from kombu.entity import Exchange, Queue

from shared.logs import RationedLogger

DELIVERY_LIMIT = 100
"""Redeliveries (a database that is away, a crash) after which RabbitMQ gives a message up; catch-up brings it then."""
QUEUE_MESSAGES, QUEUE_BYTES = 20_000, 64 * 1024 * 1024
"""What waits in the queue of a service at most: behind that catch-up is faster. The oldest make room."""
FOLDER_MESSAGES, FOLDER_SECONDS = 2_000, 120.0
"""What waits in a queue of the embedded broker at most, and for how long: each look lists all of it."""
DEAD_MESSAGES, DEAD_BYTES = 1_000, 16 * 1024 * 1024
"""Dead letters that wait for a person, of each service. The oldest make room."""
DEAD_SUFFIX = ".dead"

_log = RationedLogger("muster.messaging")


def limits_of(queue: str) -> tuple[int, int]:
    """How many messages and how many bytes may wait in a queue of this name."""
    return (DEAD_MESSAGES, DEAD_BYTES) if queue.endswith(DEAD_SUFFIX) else (QUEUE_MESSAGES, QUEUE_BYTES)


@dataclass(frozen=True, slots=True)
class Topology:
    """What one installation declares. exchange: the name of the exchange of events."""

    exchange: str = "muster.events"

    @property
    def prefix(self) -> str:
        return self.exchange.removesuffix(".events")

    @property
    def dead(self) -> str:
        return f"{self.prefix}.dead"

    def queue_name(self, service: str) -> str:
        return f"{self.prefix}.{service}"

    def dead_queue_name(self, service: str) -> str:
        return f"{self.prefix}.{service}{DEAD_SUFFIX}"

    def events_exchange(self) -> Exchange:
        """The exchange of events; publishers declare it too, for they may start first."""
        return Exchange(self.exchange, type="topic", durable=True)

    def dead_exchange(self) -> Exchange:
        """The exchange of refused messages."""
        return Exchange(self.dead, type="direct", durable=True)

    def queue(self, service: str) -> Queue:
        """The queue of one service. One consumer at a time gets its messages, so that replicas do not mix the order:
        the others stand by."""
        arguments = {
            "x-queue-type": "quorum",
            "x-single-active-consumer": True,
            "x-dead-letter-exchange": self.dead,
            "x-dead-letter-routing-key": service,
            "x-delivery-limit": DELIVERY_LIMIT,
            **_bounds(self.queue_name(service)),
        }
        return Queue(self.queue_name(service), durable=True, queue_arguments=arguments)

    def dead_queue(self, service: str) -> Queue:
        """The queue that keeps what `service` refused until a person has looked at it."""
        name = self.dead_queue_name(service)
        return Queue(name, durable=True, queue_arguments={"x-queue-type": "quorum", **_bounds(name)})

    def declare(self, channel: Any, service: str, sources: Iterable[str], as_they_are: Collection[str] = ()) -> Queue:
        """Declare everything that `service` consumes from; returns its queue. Declaring twice changes nothing.

        as_they_are: queues that stay as somebody else declared them.
        """
        events, dead = self.events_exchange()(channel), self.dead_exchange()(channel)
        events.declare()
        dead.declare()
        refused = self.dead_queue(service)(channel)
        refused.queue_declare(passive=refused.name in as_they_are)
        refused.bind_to(dead, routing_key=service)
        queue = self.queue(service)(channel)
        queue.queue_declare(passive=queue.name in as_they_are)
        for source in sources:
            queue.bind_to(events, routing_key=f"{source}.#")
        return queue

    def renew(self, connection: Any, service: str) -> set[str]:
        """Delete the queues of `service` that were declared with other arguments, by an older version mostly.

        RabbitMQ refuses to declare them anew, and nothing is lost with them: catch-up brings what was in one. Returns
        the names of those that may not be deleted, and have to be used as they are.
        """
        kept = set()
        for queue in (self.dead_queue(service), self.queue(service)):
            try:
                with connection.channel() as channel:
                    queue(channel).queue_declare()
            except PreconditionFailed as refused:
                try:
                    with connection.channel() as channel:
                        number = channel.queue_delete(queue.name)
                    _log.warning("a queue is declared anew, with bounds", queue=queue.name, messages_dropped=number)
                except ChannelError as error:
                    kept.add(queue.name)
                    said = f"{refused.reply_text}; {error.reply_text}"
                    _log.error("a queue cannot be declared anew and is used as it is", queue=queue.name, error=said)
        return kept


def _bounds(queue: str) -> dict[str, object]:
    messages, size = limits_of(queue)
    return {"x-max-length": messages, "x-max-length-bytes": size, "x-overflow": "drop-head"}
