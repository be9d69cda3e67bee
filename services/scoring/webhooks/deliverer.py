"""The deliverer: a part of scoring's worker that posts to webhooks what the feed holds for them.

    feed --queue--> deliveries --send--> receiver --note--> the delivery is done, or due again

Each arrow is one step that may be repeated and none that may be missed: dying behind an answer and before it is noted
sends once more, dying anywhere else repeats nothing. Each webhook has a task of its own, so that one whose receiver
hangs holds up no other. One deliverer of a service leads, by the lease of the relay with a name of its own.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from random import Random
from typing import TYPE_CHECKING, TypeVar

from services.scoring.feed.places import end_of, give_places
from services.scoring.feed.result_lines import Results
from services.scoring.feed.visible import Tournaments
from services.scoring.webhooks.deliveries import WEBHOOK_OF, Delivery, Key, webhook_of
from services.scoring.webhooks.measuring import MEASURED_SECONDS, measure
from services.scoring.webhooks.messages import Messages
from services.scoring.webhooks.outcomes import Outcome
from services.scoring.webhooks.queue import AT_ONCE, Laned, Outcomes, Queue, Work
from services.scoring.webhooks.resolving import Resolve, resolver
from services.scoring.webhooks.signing import signed_headers
from services.scoring.webhooks.subscriptions import Subscription, Subscriptions
from services.scoring.webhooks.targets import TargetRules
from services.scoring.webhooks.vault import WebhookVault
from services.scoring.webhooks.writes import LEASE_MS, LEASE_NAME, GroupedWrites
from shared import metrics
from shared.log import lease
from shared.logs import RationedLogger
from shared.messaging.errors import DATABASE_AWAY, Backoff
from shared.service.refusals import BehindOwnCopies
from shared.service.wiring import Service
from shared.version import VERSION

if TYPE_CHECKING:
    from services.scoring.webhooks.sending import Sender

PART = LEASE_NAME
"""Name of the part, and of its lease."""
POLL_SECONDS = 0.2
"""Between two looks at the feed while nothing happens; longer where a look takes long."""
SHARE = 10
"""A look takes at most one part in so many of the time."""
AUTHORITY_SECONDS = 30.0
"""Between two looks at who may still see what, though no log moved: tokens end by the clock."""
AGAIN_SECONDS = 1.0
"""So long at most, a webhook is left alone of which something waits: something else may be due."""
TROUBLE_SECONDS = 60.0
"""So long, a webhook is left alone whose task failed for a reason of ours."""
LANE_SECONDS = 1.0
"""After so long, what was sent is noted before more is sent: so much is repeated after a crash."""
STOP_SECONDS = 5.0
"""For messages on their way when the worker is told to stop; those that take longer are sent again."""

Made = TypeVar("Made")

_log = RationedLogger("muster.scoring")


def unix_ms() -> int:
    """Milliseconds since 1970."""
    return int(time.time() * 1000)


class Deliverer:
    """Posts while it leads; any number may run, one leads.

    clock: Unix ms, by which retries are due. resolve: names to addresses. chance: of the jitter. tls: makes
    what certificates are believed by.
    """

    name = PART

    def __init__(
        self,
        service: Service,
        tournaments: Tournaments,
        rules: TargetRules,
        vault: WebhookVault,
        *,
        clock: Callable[[], int] = unix_ms,
        resolve: Resolve | None = None,
        chance: Random | None = None,
        tls: Callable[[], ssl.SSLContext] = ssl.create_default_context,
    ) -> None:
        self.beat = time.monotonic()
        self._service = service
        self._database = service.database
        self._rules = rules
        self._vault = vault
        self._clock = clock
        self._resolve = resolve or resolver()
        self._tls = cache(tls)
        results = Results()
        messages = Messages(service.database, service.repository, results, service.settings.signing_keys[0].seed)
        self._subscriptions = Subscriptions(service, tournaments, results, clock)
        self._queue = Queue(service.database, rules, vault, messages, chance or Random(), clock)
        self._holder = lease.new_holder()
        self._live: dict[Key, Subscription] = {}
        self._looked = (-1, 0.0)
        self._left_alone: dict[Key, float] = {}
        self._end = 0
        self._renewed = 0.0
        self._measured = -MEASURED_SECONDS
        self._ending = False

    def run(self, stop: threading.Event) -> None:
        """Lead whenever nobody else does, until `stop` is set."""
        backoff = Backoff()
        while not stop.is_set():
            self.beat = time.monotonic()
            try:
                token = lease.acquire(self._database, self._holder, LEASE_MS, PART)
                if token is None:
                    if not lease.release_of_the_dead(self._database, PART):
                        stop.wait(1.0)
                    continue
                backoff.reset()
                asyncio.run(self._lead(token, stop))
                lease.release(self._database, token, PART)
            except lease.LeaseLost as error:
                _log.warning("another deliverer leads now", reason=str(error))
            except DATABASE_AWAY as error:
                seconds = backoff.more()
                _log.warning("the deliverer waits for the database", seconds=seconds, error=str(error))
                stop.wait(seconds)

    def once(self) -> None:
        """Deliver all that is due now, as a leader that stops then; for tests and tools. Raises LeaseLost."""
        token = lease.acquire(self._database, self._holder, LEASE_MS, PART)
        if token is None:
            raise lease.LeaseLost("somebody else leads")
        asyncio.run(self._lead(token, None))
        lease.release(self._database, token, PART)

    async def _lead(self, token: int, stop: threading.Event | None) -> None:
        """Until `stop` is set; None: until nothing is due."""
        from services.scoring.webhooks.sending import Sender  # httpcore takes a while, and web processes send nothing

        sender = Sender(self._rules, self._resolve, AT_ONCE, self._tls)
        tasks: dict[Key, asyncio.Task[None]] = {}
        self._looked, self._left_alone, self._ending = (-1, 0.0), {}, False
        # One thread has the database: transactions all move one row, and would wait for one another there.
        with ThreadPoolExecutor(1, thread_name_prefix="webhook-rows") as thread:
            writes = GroupedWrites(self._database, token, thread)
            try:
                await _in(thread, self._reseal)
                while stop is None or not stop.is_set():
                    self.beat = started = time.monotonic()
                    due = await _in(thread, self._look, token)
                    for key in due:
                        if key not in tasks:
                            tasks[key] = asyncio.create_task(self._serve(self._live[key], writes, sender, thread))
                    if stop is None and not tasks:
                        return
                    pause = max(POLL_SECONDS, SHARE * (time.monotonic() - started)) if stop is not None else 0.0
                    await self._rest(tasks, pause if stop is not None else None)
                    for key in [key for key, task in tasks.items() if task.done()]:
                        self._ended(key, tasks.pop(key))
            finally:
                self._ending = True
                if tasks:
                    await asyncio.wait(tasks.values(), timeout=STOP_SECONDS if stop is not None else 0)
                for task in tasks.values():
                    task.cancel()
                await asyncio.gather(*tasks.values(), return_exceptions=True)
                await sender.close()

    async def _rest(self, tasks: dict[Key, asyncio.Task[None]], seconds: float | None) -> None:
        """Until a task is done, or for so many seconds."""
        if tasks:
            await asyncio.wait(tasks.values(), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        elif seconds:
            await asyncio.sleep(seconds)

    def _ended(self, key: Key, task: asyncio.Task[None]) -> None:
        """Raises what ends the leading: a lease that is lost, a database that is away."""
        error = task.exception()
        if error is None:
            return
        if isinstance(error, lease.LeaseLost | DATABASE_AWAY):
            raise error
        self._left_alone[key] = time.monotonic() + TROUBLE_SECONDS
        _log.error("a webhook is not served", tournament=key[0], webhook=key[1], exc_info=error)

    def _reseal(self) -> None:
        with self._database.writing() as connection:
            self._vault.reseal(connection)

    def _look(self, token: int) -> list[Key]:
        """The webhooks that may have something to do. Raises LeaseLost."""
        self._hold(token)
        try:
            self._service.own_copies.require_none_ahead("it posts nothing to webhooks")
        except BehindOwnCopies:
            return []  # what was deleted or rotated may be among what was lost
        give_places(self._database, self._service.sources)
        with self._database.reading() as connection:
            self._end = end_of(connection).feed
        end, looked = self._looked
        if self._end != end or time.monotonic() - looked > AUTHORITY_SECONDS:
            self._live = self._subscriptions.now()
            self._looked = (self._end, time.monotonic())
            metrics.WEBHOOKS.set(len(self._live))
        now = time.monotonic()
        if now - self._measured > MEASURED_SECONDS:
            self._measured = now
            with self._database.reading() as connection:
                measure(connection, self._live, self._subscriptions.disabled_by_rules)
        candidates = self._queue.with_something_due(self._live, self._end)
        return [key for key in candidates if self._left_alone.get(key, 0.0) <= now]

    def _hold(self, token: int) -> None:
        if time.monotonic() - self._renewed < LEASE_MS / 3000:
            return
        with self._database.writing() as connection:
            lease.hold(connection, token, LEASE_MS, PART)
        self._renewed = time.monotonic()

    async def _serve(
        self, subscription: Subscription, writes: GroupedWrites, sender: Sender, thread: ThreadPoolExecutor
    ) -> None:
        """Send to one webhook until nothing of it is due."""
        while not self._ending:
            work: Work = await _in(thread, self._queue.work, subscription)
            if not work.lanes:
                if work.write is not None:
                    await writes.write(work.write)
                    continue
                if work.due:
                    until = (work.due - self._clock()) / 1000
                    self._left_alone[subscription.key] = time.monotonic() + min(AGAIN_SECONDS, max(0.0, until))
                return
            found = await asyncio.gather(*(self._send_lane(work, lane, sender) for lane in work.lanes))
            outcomes = [outcome for lane in found for outcome in lane]
            cause = await writes.write(partial(self._queue.note, subscription.key, outcomes))
            if cause:
                await _in(thread, self._subscriptions.suspend, subscription.key, cause)
                self._looked = (-1, 0.0)
                return

    async def _send_lane(self, work: Work, lane: Laned, sender: Sender) -> Outcomes:
        """Send the deliveries of a lane one after the other, up to the first that fails."""
        found: list[tuple[Delivery, int, Outcome]] = []
        started = time.monotonic()
        for delivery, message in lane:
            now = self._clock()
            if work.target is None or message is None:
                found.append((delivery, now, Outcome(0, 0, work.fault or "no-message")))
                break
            headers = {
                "Content-Type": message.content_type,
                "User-Agent": f"Muster/{VERSION}",
                WEBHOOK_OF: webhook_of((delivery.subscriber, delivery.webhook)),
                **signed_headers(message.id, now // 1000, message.body, work.secrets),
            }
            outcome = await sender.send(work.target, headers, message.body, message.challenge)
            found.append((delivery, now, outcome))
            if outcome.fault or self._ending or time.monotonic() - started > LANE_SECONDS:
                break
        return found


async def _in(thread: ThreadPoolExecutor, run: Callable[..., Made], *arguments: object) -> Made:
    return await asyncio.get_running_loop().run_in_executor(thread, partial(run, *arguments))
