"""The deliverer: the part of scoring's worker that posts events to webhooks.

feed --enqueue--> deliveries --send--> receiver --record--> delivered, or due again

Every step may be repeated. A crash between a response and its record sends the message again; a crash anywhere else
repeats nothing. Each webhook has its own task, so a slow receiver delays no other. One deliverer leads, by a lease.

Every write happens in a transaction that holds the lease (`GroupedWrites`), so a deliverer that lost the lease changes
nothing. Simultaneous writes share one commit.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from services.scoring.feed.places import give_places, last_place, place_at
from services.scoring.feed.readers import Announcements, Cursor, encode_cursor, read_page
from services.scoring.feed.results import ResultLines
from services.scoring.webhooks import deliveries
from services.scoring.webhooks.deliveries import (
    DEAD,
    EVENT,
    LABEL_HEADER,
    TARGET,
    VERIFICATION,
    WAITING,
    Delivery,
    Key,
    Message,
    Messages,
    WebhookVault,
    new_row,
    webhook_label,
)
from services.scoring.webhooks.protocol import MAX_FAILING, MAX_UNVERIFIED, Outcome, signed_headers
from services.scoring.webhooks.resolving import Resolve, thread_resolver
from services.scoring.webhooks.subscriptions import Subscription, Subscriptions
from services.scoring.webhooks.targets import Target, TargetFault, TargetRules
from shared import metrics
from shared.keys import CannotOpen
from shared.log import lease
from shared.log.database import Connection, Database
from shared.logs import RateLimitedLogger
from shared.messaging.errors import DATABASE_UNAVAILABLE, Backoff
from shared.service.refusals import BehindOwnCopies
from shared.service.wiring import Service
from shared.version import VERSION

LEASE_NAME = "webhooks"
LEASE_MS = 5_000

Change = Callable[[Connection], Any]
"""A write, inside a transaction that holds the lease."""


class GroupedWrites:
    """Writes of one event loop, committed in groups. token: fencing token. thread: runs all database work."""

    def __init__(self, database: Database, token: int, thread: ThreadPoolExecutor) -> None:
        self._database = database
        self._token = token
        self._thread = thread
        self._pending: list[tuple[Change, asyncio.Future[Any]]] = []
        self._task: asyncio.Task[None] | None = None

    async def write(self, change: Change) -> Any:
        """Commit a change, together with all other waiting changes. Return its return value.

        Raises what `change` raises, LeaseLost, and database errors.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._pending.append((change, future))
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._commit_all())
        return await future

    async def _commit_all(self) -> None:
        while self._pending:
            batch, self._pending = self._pending, []
            changes = [change for change, _ in batch]
            for (_, future), outcome in zip(batch, await self._outcomes(changes), strict=True):
                if future.done():  # the task was cancelled
                    continue
                if isinstance(outcome, BaseException):
                    future.set_exception(outcome)
                else:
                    future.set_result(outcome)

    async def _outcomes(self, changes: list[Change]) -> list[Any]:
        """Return what each change returned or raised. One failing change does not affect the others."""
        loop = asyncio.get_running_loop()
        try:
            outcomes: list[Any] = await loop.run_in_executor(self._thread, self._commit, changes)
            return outcomes
        except (lease.LeaseLost, *DATABASE_UNAVAILABLE) as error:
            return [error] * len(changes)
        except Exception as error:
            if len(changes) == 1:
                return [error]
            return [outcome for change in changes for outcome in await self._outcomes([change])]

    def _commit(self, changes: list[Change]) -> list[Any]:
        with self._database.writing() as connection:
            lease.renew(connection, self._token, LEASE_MS, LEASE_NAME)
            return [change(connection) for change in changes]


_MAX_WAITING = 400
"""Maximum waiting deliveries of a webhook. More events are enqueued when half of them are done."""
_PARALLEL_LANES = 8
"""Lanes of a webhook that are sent concurrently."""
LANE_DELIVERIES = 50
"""Deliveries of a lane that are sent before their outcomes are recorded."""
_LANE_BYTES = 4 * 1024 * 1024
_PRUNE_INTERVAL = 200
"""Recorded deliveries of a webhook after which old ones are pruned."""

_BY_KEY = "WHERE tournament = :tournament AND webhook = :webhook"
Attempts = Sequence[tuple[Delivery, int, Outcome]]
Lane = list[tuple[Delivery, Message | None]]


class NextStep(msgspec.Struct, frozen=True):
    """The next step for a webhook: either a write, or lanes to send, or a time to wait for.

    lanes: deliveries to send, each lane in order. target, secrets: for sending. fault: why nothing can be sent. due:
    when the next delivery is due (Unix ms); 0: none is waiting. write: a change to commit before asking again.
    """

    lanes: Sequence[Lane] = ()
    target: Target | None = None
    secrets: Sequence[str] = ()
    fault: str = ""
    due: int = 0
    write: Change | None = None


class DeliveryQueue:
    """The deliveries of all webhooks. clock: Unix ms. chance: for the jitter of retries."""

    def __init__(
        self,
        database: Database,
        rules: TargetRules,
        vault: WebhookVault,
        messages: Messages,
        chance: Random,
        clock: Callable[[], int],
    ) -> None:
        self._database = database
        self._rules = rules
        self._vault = vault
        self._messages = messages
        self._chance = chance
        self._clock = clock
        self._recorded: dict[Key, int] = {}

    def due_webhooks(self, keys: Collection[Key], end: int) -> list[Key]:
        """Return the webhooks that are behind the end of the feed, unverified, or have a due delivery."""
        with self._database.reading() as connection:
            behind = connection.rows(
                "SELECT tournament, webhook FROM webhooks WHERE feed < :end OR verified = 0", end=end
            )
            due = connection.rows(
                "SELECT DISTINCT subscriber, webhook FROM webhook_deliveries WHERE state = 'waiting' AND due <= :now",
                now=self._clock(),
            )
        return [key for key in dict.fromkeys([*behind, *due]) if key in keys]

    def next_step(self, subscription: Subscription) -> NextStep:
        """Return the next step for a webhook."""
        key = subscription.key
        with self._database.reading() as connection:
            sql = f"SELECT target, feed, opened, verified FROM webhooks {_BY_KEY}"
            row = connection.first(sql, tournament=key[0], webhook=key[1])
            if row is None:
                return NextStep()
            sealed, feed, opened, verified = row
            pending = deliveries.waiting_deliveries(connection, key, _MAX_WAITING)
        if not verified:
            pending = [delivery for delivery in pending if delivery.kind == VERIFICATION]
            if not pending:
                return NextStep(write=partial(self._begin_verification, key))
        elif len(pending) <= _MAX_WAITING // 2:
            write = self._plan_enqueueing(subscription, feed, opened, _MAX_WAITING - len(pending))
            if write is not None:
                return NextStep(write=write)
        lanes = deliveries.due_lanes(pending, self._clock(), _PARALLEL_LANES)
        if not lanes:
            return NextStep(due=deliveries.next_due(pending))
        target, secrets, fault = self._open_target(key, sealed)
        return NextStep([self._build_lane(subscription, lane) for lane in lanes], target, secrets, fault)

    def record(self, key: Key, attempts: Attempts, connection: Connection) -> str:
        """Record attempts. Return the cause to disable the webhook, or an empty string."""
        now, values = self._clock(), {"tournament": key[0], "webhook": key[1]}
        deliveries.record_outcomes(connection, key, attempts, now, self._chance)
        if any(delivery.kind == VERIFICATION and not outcome.fault for delivery, _, outcome in attempts):
            connection.run(f"UPDATE webhooks SET verified = :now {_BY_KEY}", **values, now=now)
        self._prune(connection, key, len(attempts), now)
        row = connection.first(f"SELECT verified, failing FROM webhooks {_BY_KEY}", **values)
        for _, _, outcome in attempts:
            metrics.WEBHOOK_ATTEMPTS.labels(outcome.fault or "delivered").inc()
        if row is None:
            return ""
        verified, failing = row
        return _disable_cause(attempts, verified, failing, now)

    def _prune(self, connection: Connection, key: Key, added: int, now: int) -> None:
        self._recorded[key] = self._recorded.get(key, 0) + added
        if self._recorded[key] >= _PRUNE_INTERVAL:
            self._recorded[key] = 0
            deliveries.prune(connection, key, now)

    def _begin_verification(self, key: Key, connection: Connection) -> None:
        deliveries.insert_deliveries(connection, [new_row(key, VERIFICATION, self._clock())])

    def _plan_enqueueing(self, subscription: Subscription, feed: int, opened: int, limit: int) -> Change | None:
        """Return the change that enqueues the events after a webhook's cursor, or None if there are none."""
        key, now = subscription.key, self._clock()
        with self._database.reading() as connection:
            cursor = Cursor(place_at(connection, feed), opened)
            page = read_page(connection, subscription.selection, cursor, limit)
        if page.cursor == cursor:
            return None
        rows = []
        for item in page.items:
            columns: dict[str, Any] = {
                "type": item.event.type,
                "source": item.event.source,
                "tournament": item.event.tournament,
                "position": item.event.position,
                "game": item.result.game if item.result is not None else "",
                "cursor": encode_cursor(item.cursor, subscription.selection.reader),
            }
            rows.append(new_row(key, EVENT, now, **columns))
        values = {
            "feed": feed,
            "opened": opened,
            "new_feed": page.cursor.place.feed,
            "new_opened": page.cursor.last_game,
        }

        def write(connection: Connection) -> None:
            # If a replay moved the cursor in the meantime, nothing is enqueued from here.
            sql = f"""UPDATE webhooks SET feed = :new_feed, opened = :new_opened
                {_BY_KEY} AND feed = :feed AND opened = :opened"""
            if connection.run(sql, tournament=key[0], webhook=key[1], **values):
                deliveries.insert_deliveries(connection, rows)

        return write

    def _build_lane(self, subscription: Subscription, lane: Sequence[Delivery]) -> Lane:
        messages: Lane = []
        size = 0
        for delivery in lane[:LANE_DELIVERIES]:
            message = self._messages.build(subscription.webhook, delivery)
            size += len(message.body) if message else 0
            if messages and size > _LANE_BYTES:
                break
            messages.append((delivery, message))
        return messages

    def _open_target(self, key: Key, sealed: bytes) -> tuple[Target | None, Sequence[str], str]:
        """Return the target, the secrets, and the fault that prevents sending (empty: none)."""
        try:
            target = self._rules.parse(self._vault.open(*key, TARGET, sealed))
            with self._database.reading() as connection:
                secrets = self._vault.secrets(connection, *key, self._clock())
        except CannotOpen:
            return None, (), "no-message"
        except TargetFault:  # the operator has restricted the allowed targets since
            return None, (), "not-public"
        return (target, secrets, "") if secrets else (None, (), "no-message")


def _disable_cause(attempts: Attempts, verified: int, failing: int, now: int) -> str:
    if any(outcome.fault == "gone" for _, _, outcome in attempts):
        return "gone"
    if not failing:
        return ""
    if not verified and now - failing >= MAX_UNVERIFIED:
        return "unverified"
    return "failing" if now - failing >= MAX_FAILING else ""


_METRICS_SECONDS = 15.0
"""Interval of metric updates, which count rows."""


def update_metrics(connection: Connection, enabled: Collection[Key], disabled: int) -> None:
    """Set the gauges of deliveries and webhooks. disabled: the number of webhooks disabled by rule."""
    for state in (WAITING, DEAD):
        # A literal instead of a parameter, so that the partial index is used.
        number = connection.value(f"SELECT count(*) FROM webhook_deliveries WHERE state = '{state}'")
        metrics.WEBHOOK_DELIVERIES.labels(state).set(number)
    failing = connection.rows("SELECT tournament, webhook FROM webhooks WHERE failing > 0")
    metrics.WEBHOOKS_IN_TROUBLE.labels("failing").set(sum(tuple(key) in enabled for key in failing))
    metrics.WEBHOOKS_IN_TROUBLE.labels("disabled").set(disabled)


if TYPE_CHECKING:
    from services.scoring.webhooks.sending import Sender

PART = LEASE_NAME
"""The name of this part of the worker and of its lease."""
_POLL_SECONDS = 0.2
"""Minimum interval of polls while no events arrive."""
_POLL_SHARE = 10
"""A poll takes at most this fraction (one in ten) of the time."""
_AUTHORITY_SECONDS = 30.0
"""Interval of authority checks while no events arrive: tokens expire by the clock."""
_MAX_REST_SECONDS = 1.0
"""Longest rest of a webhook with waiting deliveries: another one may become due earlier."""
_ERROR_REST_SECONDS = 60.0
"""Rest of a webhook whose task failed with an internal error."""
_LANE_SECONDS = 1.0
"""Time after which a lane records its outcomes. A crash repeats at most this much."""
_STOP_SECONDS = 5.0
"""Time for running requests to finish when the worker stops. Slower ones are sent again later."""

Returned = TypeVar("Returned")

_log = RateLimitedLogger("muster.scoring")


def unix_ms() -> int:
    return int(time.time() * 1000)


class Deliverer:
    """The worker part that posts to webhooks. Any number may run; the holder of the lease leads.

    clock: Unix ms. resolve: resolves names. chance: for the jitter of retries. tls: makes the TLS context.
    """

    name = PART

    def __init__(
        self,
        service: Service,
        announcements: Announcements,
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
        self._resolve = resolve or thread_resolver()
        self._make_tls = cache(tls)
        result_lines = ResultLines()
        seed = service.settings.signing_keys[0].seed
        messages = Messages(service.database, service.repository, result_lines, seed)
        self._subscriptions = Subscriptions(service, announcements, result_lines, clock)
        self._queue = DeliveryQueue(service.database, rules, vault, messages, chance or Random(), clock)
        self._holder = lease.new_holder()
        self._live: dict[Key, Subscription] = {}
        self._subscriptions_loaded = (-1, 0.0)
        self._rest_until: dict[Key, float] = {}
        self._end = 0
        self._renewed = 0.0
        self._metrics_updated = -_METRICS_SECONDS
        self._ending = False

    def run(self, stop: threading.Event) -> None:
        """Lead whenever the lease is free, until `stop` is set."""
        backoff = Backoff()
        while not stop.is_set():
            self.beat = time.monotonic()
            try:
                token = lease.acquire(self._database, self._holder, LEASE_MS, PART)
                if token is None:
                    if not lease.release_dead_leader(self._database, PART):
                        stop.wait(1.0)
                    continue
                backoff.reset()
                asyncio.run(self._lead(token, stop))
                lease.release(self._database, token, PART)
            except lease.LeaseLost as error:
                _log.warning("another deliverer leads now", reason=str(error))
            except DATABASE_UNAVAILABLE as error:
                seconds = backoff.next_delay()
                _log.warning("the deliverer waits for the database", seconds=seconds, error=str(error))
                stop.wait(seconds)

    def once(self) -> None:
        """Deliver everything that is due now and return. Raises LeaseLost if another deliverer leads."""
        token = lease.acquire(self._database, self._holder, LEASE_MS, PART)
        if token is None:
            raise lease.LeaseLost("somebody else leads")
        asyncio.run(self._lead(token, None))
        lease.release(self._database, token, PART)

    async def _lead(self, token: int, stop: threading.Event | None) -> None:
        """Deliver until `stop` is set, or until nothing is due if it is None."""
        from services.scoring.webhooks.sending import Sender  # slow import that web processes do not need

        sender = Sender(self._rules, self._resolve, _PARALLEL_LANES, self._make_tls)
        tasks: dict[Key, asyncio.Task[None]] = {}
        self._subscriptions_loaded, self._rest_until, self._ending = (-1, 0.0), {}, False
        # One thread suffices for the database: all transactions lock the row of the lease.
        with ThreadPoolExecutor(1, thread_name_prefix="webhook-rows") as thread:
            writes = GroupedWrites(self._database, token, thread)
            try:
                await _run_in(thread, self._reseal)
                while stop is None or not stop.is_set():
                    self.beat = started = time.monotonic()
                    due = await _run_in(thread, self._due, token)
                    for key in due:
                        if key not in tasks:
                            tasks[key] = asyncio.create_task(self._deliver(self._live[key], writes, sender, thread))
                    if stop is None and not tasks:
                        return
                    pause = max(_POLL_SECONDS, _POLL_SHARE * (time.monotonic() - started)) if stop is not None else 0.0
                    await self._wait(tasks, pause if stop is not None else None)
                    for key in [key for key, task in tasks.items() if task.done()]:
                        self._finish(key, tasks.pop(key))
            finally:
                self._ending = True
                if tasks:
                    await asyncio.wait(tasks.values(), timeout=_STOP_SECONDS if stop is not None else 0)
                for task in tasks.values():
                    task.cancel()
                await asyncio.gather(*tasks.values(), return_exceptions=True)
                await sender.close()

    async def _wait(self, tasks: dict[Key, asyncio.Task[None]], seconds: float | None) -> None:
        """Wait until a task is done, for at most `seconds`."""
        if tasks:
            await asyncio.wait(tasks.values(), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        elif seconds:
            await asyncio.sleep(seconds)

    def _finish(self, key: Key, task: asyncio.Task[None]) -> None:
        """Handle the end of a task. Raises LeaseLost and database errors, which end the leadership."""
        error = task.exception()
        if error is None:
            return
        if isinstance(error, lease.LeaseLost | DATABASE_UNAVAILABLE):
            raise error
        self._rest_until[key] = time.monotonic() + _ERROR_REST_SECONDS
        _log.error("a webhook is not served", tournament=key[0], webhook=key[1], exc_info=error)

    def _reseal(self) -> None:
        with self._database.writing() as connection:
            self._vault.reseal(connection)

    def _due(self, token: int) -> list[Key]:
        """Return the webhooks that may have something to do. Raises LeaseLost."""
        self._renew_lease(token)
        try:
            self._service.own_copies.require_none_ahead("it posts nothing to webhooks")
        except BehindOwnCopies:
            return []  # a deletion or a rotation of secrets may be missing here
        give_places(self._database, self._service.sources)
        with self._database.reading() as connection:
            self._end = last_place(connection).feed
        end, loaded_at = self._subscriptions_loaded
        if self._end != end or time.monotonic() - loaded_at > _AUTHORITY_SECONDS:
            self._live = self._subscriptions.load()
            self._subscriptions_loaded = (self._end, time.monotonic())
            metrics.WEBHOOKS.set(len(self._live))
        now = time.monotonic()
        if now - self._metrics_updated > _METRICS_SECONDS:
            self._metrics_updated = now
            with self._database.reading() as connection:
                update_metrics(connection, self._live, self._subscriptions.disabled_by_rules)
        candidates = self._queue.due_webhooks(self._live, self._end)
        return [key for key in candidates if self._rest_until.get(key, 0.0) <= now]

    def _renew_lease(self, token: int) -> None:
        if time.monotonic() - self._renewed < LEASE_MS / 3000:
            return
        with self._database.writing() as connection:
            lease.renew(connection, token, LEASE_MS, PART)
        self._renewed = time.monotonic()

    async def _deliver(
        self, subscription: Subscription, writes: GroupedWrites, sender: Sender, thread: ThreadPoolExecutor
    ) -> None:
        """Send to one webhook until it has nothing due."""
        while not self._ending:
            step: NextStep = await _run_in(thread, self._queue.next_step, subscription)
            if not step.lanes:
                if step.write is not None:
                    await writes.write(step.write)
                    continue
                if step.due:
                    until = (step.due - self._clock()) / 1000
                    self._rest_until[subscription.key] = time.monotonic() + min(_MAX_REST_SECONDS, max(0.0, until))
                return
            by_lane = await asyncio.gather(*(self._send_lane(step, lane, sender) for lane in step.lanes))
            attempts = [attempt for lane in by_lane for attempt in lane]
            cause = await writes.write(partial(self._queue.record, subscription.key, attempts))
            if cause:
                await _run_in(thread, self._subscriptions.suspend, subscription.key, cause)
                self._subscriptions_loaded = (-1, 0.0)
                return

    async def _send_lane(self, step: NextStep, lane: Lane, sender: Sender) -> Attempts:
        """Send the deliveries of a lane in order, up to the first failure."""
        attempts: list[tuple[Delivery, int, Outcome]] = []
        started = time.monotonic()
        for delivery, message in lane:
            now = self._clock()
            if step.target is None or message is None:
                attempts.append((delivery, now, Outcome(0, 0, step.fault or "no-message")))
                break
            headers = {
                "Content-Type": message.content_type,
                "User-Agent": f"Muster/{VERSION}",
                LABEL_HEADER: webhook_label((delivery.subscriber, delivery.webhook)),
                **signed_headers(message.id, now // 1000, message.body, step.secrets),
            }
            outcome = await sender.send(step.target, headers, message.body, message.challenge)
            attempts.append((delivery, now, outcome))
            if outcome.fault or self._ending or time.monotonic() - started > _LANE_SECONDS:
                break
        return attempts


async def _run_in(thread: ThreadPoolExecutor, run: Callable[..., Returned], *arguments: object) -> Returned:
    return await asyncio.get_running_loop().run_in_executor(thread, partial(run, *arguments))
