"""The relay: publishes committed events at least once, in feed order.

    outbox --sequence--> feed --publish, confirm--> broker --mark--> the cursor moves

Every step may be repeated, and none is skipped. A crash between publishing and marking publishes a batch twice; a crash
anywhere else repeats nothing. While the broker is unavailable, the feed keeps growing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence

from shared import metrics
from shared.log import lease, outbox
from shared.log.cloudevents import CONTENT_TYPE, routing_key
from shared.log.database import Database
from shared.log.event import Recorded
from shared.log.outbox import CommitNotifier
from shared.logs import RateLimitedLogger
from shared.messaging.broker import Broker
from shared.messaging.envelope import add_cause, feed_line
from shared.messaging.errors import DATABASE_UNAVAILABLE, Backoff, MessagingError, QueueRejected
from shared.messaging.publisher import Outgoing, Publisher
from shared.messaging.vouching import FeedChain, Signer, sign_places
from shared.tracing import Cause
from shared.tracing import deserialize as read_cause

BUSY_STEPS = 8
"""Productive steps in a row after which appenders stop sending wake-ups."""
LAST_LOOK_SECONDS = 0.02
CAUSES = 10_000
"""Maximum number of unpublished events whose requests are remembered; older ones are published without."""
REFUSALS = 4
"""Attempts to publish a batch that a queue rejects; the pauses between them add up to a second and a half."""

_log = RateLimitedLogger("muster.messaging")


class Relay:
    """Publishes the feed of one service while it holds the lease; any number of relays may run.

    source: the service. signer: signs every message. batch: messages that are published before waiting for confirms.
    lease_ms: milliseconds after which a dead leader is replaced. idle_seconds: polling interval without notifications.
    """

    name = "relay"

    def __init__(
        self,
        database: Database,
        source: str,
        broker: Broker,
        signer: Signer,
        *,
        batch: int = 100,
        lease_ms: int = 5_000,
        idle_seconds: float = 1.0,
        publisher: Publisher | None = None,
    ) -> None:
        self.database = database
        self.source = source
        self.beat = time.monotonic()
        self._signer = signer
        self._chain = FeedChain(database, source)
        self._exchange = broker.topology.exchange
        self._publisher = publisher or Publisher(broker)
        self._batch = batch
        self._lease_ms = lease_ms
        self._idle_seconds = min(idle_seconds, lease_ms / 3000)
        self._holder = lease.new_holder()
        self._renewed = 0.0
        self._broker_patience = Backoff()
        self._broker_due = 0.0
        self._refusals = 0
        self._causes: dict[tuple[str, int], str] = {}

    def run(self, stop: threading.Event) -> None:
        """Lead whenever no other relay does, until `stop` is set; finish the current batch first."""
        backoff = Backoff()
        while not stop.is_set():
            self.beat = time.monotonic()
            try:
                token = lease.acquire(self.database, self._holder, self._lease_ms)
                if token is None:
                    if not lease.release_dead_leader(self.database):
                        stop.wait(self._idle_seconds)
                    continue
                backoff.reset()
                self._lead(token, stop)
            except lease.LeaseLost as error:
                _log.warning("another relay leads now", source=self.source, reason=str(error))
            except DATABASE_UNAVAILABLE as error:
                seconds = backoff.next_delay()
                _log.warning("relay waits for the database", source=self.source, seconds=seconds, error=str(error))
                stop.wait(seconds)
            finally:
                self._publisher.close()

    def _lead(self, token: int, stop: threading.Event) -> None:
        _log.info("relay leads", source=self.source, token=token, holder=self._holder)
        with CommitNotifier(self.database) as notifier:
            notifier.listen()
            productive, busy = 0, False
            while not stop.is_set():
                self.beat = time.monotonic()
                if self.step(token):
                    productive += 1
                    if productive == BUSY_STEPS and not busy:
                        busy = True
                        lease.mark_busy(self.database, token, busy)
                    continue
                productive = 0
                if busy:
                    # An append that began before this sends no notification; one more step finds it.
                    busy = False
                    lease.mark_busy(self.database, token, busy)
                    notifier.wait(LAST_LOOK_SECONDS)
                    continue
                self._observe()
                notifier.wait(self._idle())
        lease.release(self.database, token)

    def step(self, token: int) -> bool:
        """Assign feed positions, publish one batch, and mark it. Return True if there may be more to do.

        Raises LeaseLost and the database's errors. Errors of the broker delay the next attempt.
        """
        sequenced = self._sequence(token)
        if time.monotonic() < self._broker_due:
            return sequenced
        with self.database.reading() as connection:
            page = outbox.unpublished_events(connection, self.source, self._batch)
        if not page:
            return sequenced
        try:
            self._publisher.publish(self._messages(page))
        except QueueRejected as error:
            return self._after_refusal(token, page[-1][0], error) or sequenced
        except MessagingError as error:
            seconds = self._broker_patience.next_delay()
            self._broker_due = time.monotonic() + seconds
            _log.warning("relay waits for the broker", source=self.source, seconds=seconds, error=str(error))
            return sequenced
        self._broker_patience.reset()
        self._refusals = 0
        self._mark(token, page[-1][0])
        for _, event in page:
            self._causes.pop((event.tournament, event.position), None)
        metrics.RELAY_PUBLISHED.labels(self.source).inc(len(page))
        return True

    def _after_refusal(self, token: int, feed: int, error: QueueRejected) -> bool:
        """Retry a rejected batch a few times, then skip it, so that one full queue does not block all others.

        A subscriber that misses messages notices the gap at the next feed position and reads the feed.
        """
        self._refusals += 1
        if self._refusals < REFUSALS:
            seconds = self._broker_patience.next_delay()
            self._broker_due = time.monotonic() + seconds
            _log.warning("a queue refuses messages", source=self.source, seconds=seconds, error=str(error))
            return False
        if self._refusals == REFUSALS:
            _log.error("a queue keeps rejecting messages; it misses them from now on", source=self.source, feed=feed)
        self._mark(token, feed)
        return True

    def _sequence(self, token: int) -> bool:
        """Assign feed positions to committed events; renew the lease if it is due. Return True if there were events."""
        with self.database.reading() as connection:
            waiting = outbox.has_waiting_events(connection)
        if not waiting and time.monotonic() - self._renewed < self._lease_ms / 3000:
            return False
        with self.database.writing() as connection:
            lease.renew(connection, token, self._lease_ms)
            self._remember(outbox.waiting_causes(connection))
            outbox.assign_feed_positions(connection)
        self._renewed = time.monotonic()
        return waiting

    def _remember(self, causes: Mapping[tuple[str, int], str]) -> None:
        self._causes.update(causes)
        for place in list(self._causes)[: max(0, len(self._causes) - CAUSES)]:
            del self._causes[place]

    def _mark(self, token: int, feed: int) -> None:
        with self.database.writing() as connection:
            lease.renew(connection, token, self._lease_ms)
            outbox.mark_published(connection, feed)
        self._renewed = time.monotonic()

    def _messages(self, page: Sequence[tuple[int, Recorded]]) -> list[Outgoing]:
        places = sign_places(self._chain, self._signer, page)
        return [
            self._message(event, feed_line(feed, event, *place, self._signer.at))
            for (feed, event), place in zip(page, places, strict=True)
        ]

    def _message(self, event: Recorded, body: bytes) -> Outgoing:
        return Outgoing(self._exchange, routing_key(event), add_cause(body, self._cause(event)), event.id, CONTENT_TYPE)

    def _cause(self, event: Recorded) -> Cause | None:
        """Return the request of an event if this relay has seen it in the outbox."""
        return read_cause(self._causes.get((event.tournament, event.position), ""))

    def _idle(self) -> float:
        """Return the seconds to wait for a notification: until the lease or the next attempt to publish is due."""
        until_broker = self._broker_due - time.monotonic()
        return max(0.01, min(self._idle_seconds, until_broker)) if until_broker > 0 else self._idle_seconds

    def _observe(self) -> None:
        with self.database.reading() as connection:
            metrics.OUTBOX_DEPTH.labels(self.source).set(outbox.count_unpublished(connection))
