"""Names on the broker: one exchange for events, one queue a consuming service, one place for what is refused.

    muster.events   topic, durable     every event, under `<source>.<EventType>.<tournament>`
    muster.<s>      quorum queue       bound with `<source>.#` for each source that service s listens to
    muster.dead     direct, durable    what a consumer refused, under the service's name, with headers that say why
    muster.<s>.dead quorum queue       bound to muster.dead with the service's name

The queues take their prefix from the exchange's name, so that two installations can share a broker.
"""

# kombu has types for a part of itself only.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from kombu.entity import Exchange, Queue

DELIVERY_LIMIT = 100
"""Redeliveries (a database that is away, a crash) after which RabbitMQ gives a message up; the sweep brings it then."""


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
        return f"{self.prefix}.{service}.dead"

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
        }
        return Queue(self.queue_name(service), durable=True, queue_arguments=arguments)

    def dead_queue(self, service: str) -> Queue:
        """The queue that keeps what `service` refused until a person has looked at it."""
        return Queue(self.dead_queue_name(service), durable=True, queue_arguments={"x-queue-type": "quorum"})

    def declare(self, channel: Any, service: str, sources: Iterable[str]) -> Queue:
        """Declare everything that `service` consumes from; returns its queue. Declaring twice changes nothing."""
        events, dead = self.events_exchange()(channel), self.dead_exchange()(channel)
        events.declare()
        dead.declare()
        refused = self.dead_queue(service)(channel)
        refused.declare()
        refused.bind_to(dead, routing_key=service)
        queue = self.queue(service)(channel)
        queue.declare()
        for source in sources:
            queue.bind_to(events, routing_key=f"{source}.#")
        return queue
