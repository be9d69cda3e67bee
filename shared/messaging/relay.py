"""The relay: what a service has committed becomes messages, at least once, in the order of its feed.

    outbox --sequence--> feed --publish, confirm--> broker --mark--> the cursor moves

Each arrow is one step that may be repeated and none that may be missed. Dying between publishing and marking
publishes a batch twice; dying anywhere else repeats nothing. While the broker is away, the feed goes on growing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence

from shared import metrics
from shared.log import lease, outbox
from shared.log.cloudevents import routing_key
from shared.log.database import Database
from shared.log.event import Recorded
from shared.log.outbox import CommitNotifier
from shared.logs import RateLimitedLogger
from shared.messaging.broker import Broker
from shared.messaging.envelope import CONTENT_TYPE, add_cause, feed_line
from shared.messaging.errors import DATABASE_UNAVAILABLE, Backoff, MessagingError, QueueRejected
from shared.messaging.publisher import Outgoing, Publisher
from shared.messaging.vouching import FeedChain, Signer, sign_places
from shared.tracing import Cause
from shared.tracing import deserialize as read_cause

BUSY_STEPS = 8
"""So many productive steps in a row, and nobody needs to ring any more."""
LAST_LOOK_SECONDS = 0.02
CAUSES = 10_000
"""So many events that wait for the broker are published with the request they come from; older ones without."""
REFUSALS = 4
"""How often a batch is offered to a queue that refuses it, with growing pauses: about a second and a half."""

_log = RateLimitedLogger("muster.messaging")


class Relay:
    """Publishes the feed of one service while it leads; any number may run, one leads.

    source: the service's own. signer: vouches for every message. batch: messages published before confirms are waited
    for. lease_ms: how long a dead leader is waited for. idle_seconds: the slow timer behind the commit notifier.
    hiding: which events not everybody is told at once.
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
        """Lead whenever nobody else does, until `stop` is set; ends with the batch at hand finished."""
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
                    # Who began to append before this was said does not ring; one more look finds it.
                    busy = False
                    lease.mark_busy(self.database, token, busy)
                    notifier.wait(LAST_LOOK_SECONDS)
                    continue
                self._observe()
                notifier.wait(self._idle())
        lease.release(self.database, token)

    def step(self, token: int) -> bool:
        """Do what there is to do: sequence, publish one batch, mark it. True when there may be more at once.

        Raises LeaseLost, and the database's own errors; what the broker does wrong is waited out.
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
        """Somebody's queue takes no more. It is asked a few times, and then it must not hold up everybody else's.

        Who misses messages by that sees it at the next feed position, and reads the feed.
        """
        self._refusals += 1
        if self._refusals < REFUSALS:
            seconds = self._broker_patience.next_delay()
            self._broker_due = time.monotonic() + seconds
            _log.warning("a queue refuses messages", source=self.source, seconds=seconds, error=str(error))
            return False
        if self._refusals == REFUSALS:
            _log.error("a queue goes on refusing messages; it misses them from here on", source=self.source, feed=feed)
        self._mark(token, feed)
        return True

    def _sequence(self, token: int) -> bool:
        """Give feed positions to what was committed; renew the lease when it is time for that."""
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
        """The request that an event comes from, where this relay has seen it in the outbox."""
        return read_cause(self._causes.get((event.tournament, event.position), ""))

    def _idle(self) -> float:
        """Seconds to wait for the commit notifier: until the lease wants renewing or the broker another try."""
        until_broker = self._broker_due - time.monotonic()
        return max(0.01, min(self._idle_seconds, until_broker)) if until_broker > 0 else self._idle_seconds

    def _observe(self) -> None:
        with self.database.reading() as connection:
            metrics.OUTBOX_DEPTH.labels(self.source).set(outbox.count_unpublished(connection))
