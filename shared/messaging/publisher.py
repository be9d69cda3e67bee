"""Publish a batch and know that the broker has it: confirms are asked for once a batch, not once a message.

Confirming each of them gets 442 messages a second out of a quorum queue, batches of a hundred four times as many.
"""

# kombu has types for a part of itself only.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

import msgspec
from kombu.connection import Connection

from shared.logs import RateLimitedLogger
from shared.messaging.broker import Broker
from shared.messaging.errors import NotConfirmed, QueueRejected, QueueUnresponsive

PERSISTENT = 2
NOBODY = "nobody"
"""Where a message goes that no queue has to answer for."""
PROBE_SECONDS = 2.0

_log = RateLimitedLogger("muster.messaging")


class Outgoing(msgspec.Struct, frozen=True, gc=False):
    """One message: where to, its bytes, its id (the event's), and headers of ours."""

    exchange: str
    routing_key: str
    body: bytes
    id: str
    content_type: str
    headers: dict[str, str] = {}


class Publisher:
    """One connection to publish on, opened when there is something to say and given up at the first fault."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._open: ExitStack | None = None
        self._connection: Connection | None = None
        self._channel: Any = None
        self._sent = 0
        self._confirmed = 0
        self._refused = 0
        self._early: set[int] = set()
        self._probe: Any = None
        self._well = False
        self._told_unroutable = False

    def publish(self, batch: Sequence[Outgoing]) -> None:
        """Publish the messages in order; on return the broker has every one of them, on disk where it has a disk.

        Raises BrokerUnavailable; NotConfirmed when a confirm does not come in time, Unanswered when that is a queue's
        doing and not the broker's; Refused when one says no. Some of the batch may have arrived then, or may arrive
        later: publish all of it again, and expect duplicates.
        """
        try:
            if self._channel is None:
                self._connect()
            for message in batch:
                self._send(message)
            if not self._broker.embedded:
                self._await_confirms()
        except QueueRejected:
            raise  # everything was answered: the connection is as good as before
        except Exception as error:
            self._abandon(error)

    def close(self) -> None:
        """Close the connection; the next publish opens another one."""
        opened, self._open, self._connection, self._channel = self._open, None, None, None
        if opened is not None:
            opened.close()

    def _abandon(self, error: Exception) -> None:
        # The connection's own block turns what the broker does wrong into BrokerUnavailable, and lets faults pass.
        opened, self._open, self._connection, self._channel = self._open, None, None, None
        if opened is None:
            raise error
        opened.__exit__(type(error), error, error.__traceback__)
        raise error

    def _connect(self) -> None:
        with ExitStack() as stack:
            connection = stack.enter_context(self._broker.connect())
            channel = connection.channel()
            with self._broker.declaring():
                self._broker.topology.events_exchange()(channel).declare()
                self._broker.topology.dead_exchange()(channel).declare()
            if not self._broker.embedded:
                channel.confirm_select()
                channel.events["basic_ack"].add(self._on_ack)
                channel.events["basic_nack"].add(self._on_nack)
                channel.events["basic_return"].add(self._on_return)
                self._probe = connection.channel()
                self._probe.confirm_select()
                self._probe.events["basic_ack"].add(self._on_well)
            self._sent = self._confirmed = 0
            self._refused = 0
            self._early.clear()
            self._connection, self._channel, self._open = connection, channel, stack.pop_all()

    def _send(self, message: Outgoing) -> None:
        channel = self._channel
        prepared = channel.prepare_message(
            message.body,
            content_type=message.content_type,
            content_encoding="utf-8",
            headers=dict(message.headers),
            properties={"delivery_mode": PERSISTENT, "message_id": message.id},
        )
        channel.basic_publish(prepared, exchange=message.exchange, routing_key=message.routing_key, mandatory=True)
        self._sent += 1

    def _await_confirms(self) -> None:
        seconds = self._broker.confirm_seconds
        if not self._drained(lambda: self._confirmed >= self._sent, seconds):
            self._ask_the_broker(seconds)
        refused, self._refused = self._refused, 0
        if refused:
            raise QueueRejected(f"{refused} of the batch were refused")

    def _ask_the_broker(self, seconds: float) -> None:
        """Find out who does not answer: a broker that is well confirms at once what goes to no queue.

        Returns when everything was confirmed meanwhile. It goes through a channel of its own, for one with a message
        to such a queue stands still; a broker that is short of memory or disk reads from neither.
        """
        told = f"{self._sent - self._confirmed} messages without a confirm after {seconds:g} s"
        self._well = False
        self._probe.basic_publish(
            self._probe.prepare_message(b""), exchange=self._broker.topology.dead, routing_key=NOBODY
        )
        if not self._drained(lambda: self._confirmed >= self._sent or self._well, PROBE_SECONDS):
            raise NotConfirmed(told)
        if self._confirmed < self._sent:
            raise QueueUnresponsive(f"{told}, and the broker is well: a queue does not answer")

    def _on_well(self, tag: int, multiple: bool) -> None:
        self._well = True

    def _drained(self, done: Callable[[], bool], seconds: float) -> bool:
        """Listen to the broker until `done`, so many seconds at most; returns whether it is."""
        assert self._connection is not None
        deadline = time.monotonic() + seconds
        while not done():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            try:
                self._connection.drain_events(timeout=left)
            except TimeoutError:
                return False
        return True

    def _on_ack(self, tag: int, multiple: bool) -> None:
        """Count what is answered without a hole; single confirms may come in any order."""
        if multiple:
            self._confirmed = max(self._confirmed, tag)
        else:
            self._early.add(tag)
        while self._confirmed + 1 in self._early:
            self._confirmed += 1
            self._early.discard(self._confirmed)
        if self._confirmed == self._sent:
            self._early.clear()

    def _on_nack(self, tag: int, multiple: bool) -> None:
        self._refused += tag - self._confirmed if multiple else 1
        self._on_ack(tag, multiple)

    def _on_return(self, error: Exception, exchange: str, routing_key: str, message: object) -> None:
        """Nobody has bound a queue for this yet. The log keeps it, so it is worth one line."""
        if not self._told_unroutable:
            self._told_unroutable = True
            _log.info("nobody listens to some messages yet", exchange=exchange, routing_key=routing_key)
