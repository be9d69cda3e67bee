"""The deliverer: a part of scoring's worker that posts to webhooks what the feed holds for them.

feed --queue--> deliveries --send--> receiver --note--> the delivery is done, or due again

Each arrow is a step that may be repeated and must not be missed. A crash after an answer and before it is noted
sends the message once more; a crash anywhere else repeats nothing. Each webhook has a task of its own, so a
receiver that hangs delays no other. One deliverer leads, by a lease.

Every change is made in a transaction that holds the lease (`GroupedWrites`), so a deliverer that fell asleep
changes nothing. Webhooks that are sent the same event at the same moment share one commit.
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

from services.scoring.feed.places import end_of, give_places, place_at
from services.scoring.feed.readers import Read, Tournaments, cursor_of, page_after
from services.scoring.feed.results import Results
from services.scoring.webhooks import deliveries
from services.scoring.webhooks.deliveries import (
    DEAD,
    EVENT,
    TARGET,
    VERIFICATION,
    WAITING,
    WEBHOOK_OF,
    Delivery,
    Key,
    Message,
    Messages,
    WebhookVault,
    row_of,
    webhook_of,
)
from services.scoring.webhooks.protocol import GIVEN_UP, UNVERIFIED, Outcome, signed_headers
from services.scoring.webhooks.resolving import Resolve, resolver
from services.scoring.webhooks.subscriptions import Subscription, Subscriptions
from services.scoring.webhooks.targets import Target, TargetFault, TargetRules
from shared import metrics
from shared.keys import Sealed
from shared.log import lease
from shared.log.database import Connection, Database
from shared.logs import RationedLogger
from shared.messaging.errors import DATABASE_AWAY, Backoff
from shared.service.refusals import BehindOwnCopies
from shared.service.wiring import Service
from shared.version import VERSION

LEASE_NAME = "webhooks"
LEASE_MS = 5_000

Change = Callable[[Connection], Any]
"""A write, inside a transaction that holds the lease."""


class GroupedWrites:
    """Of one event loop. token: of the lease that every transaction holds; thread: that has the database."""

    def __init__(self, database: Database, token: int, thread: ThreadPoolExecutor) -> None:
        self._database = database
        self._token = token
        self._thread = thread
        self._pending: list[tuple[Change, asyncio.Future[Any]]] = []
        self._task: asyncio.Task[None] | None = None

    async def write(self, change: Change) -> Any:
        """Write, with whatever else waits; returns once it is committed, with what `change` returns.

        Raises what `change` raises, LeaseLost, and the database's errors.
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
                if future.done():  # whoever asked has been told to stop
                    continue
                if isinstance(outcome, BaseException):
                    future.set_exception(outcome)
                else:
                    future.set_result(outcome)

    async def _outcomes(self, changes: list[Change]) -> list[Any]:
        """What each change returned or raised; one that cannot be written alone leaves the others as they are."""
        loop = asyncio.get_running_loop()
        try:
            found: list[Any] = await loop.run_in_executor(self._thread, self._commit, changes)
            return found
        except (lease.LeaseLost, *DATABASE_AWAY) as error:
            return [error] * len(changes)
        except Exception as error:
            if len(changes) == 1:
                return [error]
            return [outcome for change in changes for outcome in await self._outcomes([change])]

    def _commit(self, changes: list[Change]) -> list[Any]:
        with self._database.writing() as connection:
            lease.hold(connection, self._token, LEASE_MS, LEASE_NAME)
            return [change(connection) for change in changes]


WINDOW = 400
"""Deliveries of one webhook that wait; the feed is read on when half of them are done."""
AT_ONCE = 8
"""Lanes of one webhook in which something is sent at the same time."""
TOGETHER = 50
"""Deliveries of one lane that are sent one after the other before what became of them is noted."""
TOGETHER_BYTES = 4 * 1024 * 1024
PRUNED_EVERY = 200
"""Deliveries of a webhook between two looks whether old ones can be forgotten."""

_OF = "WHERE tournament = :tournament AND webhook = :webhook"
Outcomes = Sequence[tuple[Delivery, int, Outcome]]
Laned = list[tuple[Delivery, Message | None]]


class Work(msgspec.Struct, frozen=True):
    """What to send. lanes: in which deliveries follow one another. target, secrets: where to, and what signs.

    fault: why nothing can be sent. due: when the next delivery is, Unix ms; 0: none waits. write: what is to be written
    first, after which to look again.
    """

    lanes: Sequence[Laned] = ()
    target: Target | None = None
    secrets: Sequence[str] = ()
    fault: str = ""
    due: int = 0
    write: Change | None = None


class Queue:
    """Of every webhook. clock: Unix ms; chance: of the jitter of retries."""

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
        self._noted: dict[Key, int] = {}

    def with_something_due(self, keys: Collection[Key], end: int) -> list[Key]:
        """Those of some webhooks that have not read the feed to its end, or have a delivery that is due."""
        with self._database.reading() as connection:
            behind = connection.rows(
                "SELECT tournament, webhook FROM webhooks WHERE feed < :end OR verified = 0", end=end
            )
            due = connection.rows(
                "SELECT DISTINCT subscriber, webhook FROM webhook_deliveries WHERE state = 'waiting' AND due <= :now",
                now=self._clock(),
            )
        return [key for key in dict.fromkeys([*behind, *due]) if key in keys]

    def work(self, subscription: Subscription) -> Work:
        """What to send to a webhook now."""
        key = subscription.key
        with self._database.reading() as connection:
            sql = f"SELECT target, feed, opened, verified FROM webhooks {_OF}"
            row = connection.one(sql, tournament=key[0], webhook=key[1])
            if row is None:
                return Work()
            sealed, feed, opened, verified = row
            pending = deliveries.waiting(connection, key, WINDOW)
        if not verified:
            pending = [delivery for delivery in pending if delivery.kind == VERIFICATION]
            if not pending:
                return Work(write=partial(self._begin_verification, key))
        elif len(pending) <= WINDOW // 2:
            write = self._queued(subscription, feed, opened, WINDOW - len(pending))
            if write is not None:
                return Work(write=write)
        lanes = deliveries.lanes_due(pending, self._clock(), AT_ONCE)
        if not lanes:
            return Work(due=deliveries.next_due(pending))
        target, secrets, fault = self._opened(key, sealed)
        laned = [self._with_messages(subscription, lane) for lane in lanes]
        return Work(laned, target, secrets, fault)

    def note(self, key: Key, outcomes: Outcomes, connection: Connection) -> str:
        """Write down what became of deliveries; returns why the webhook is to be disabled, empty for not at all."""
        now, of = self._clock(), {"tournament": key[0], "webhook": key[1]}
        deliveries.note(connection, key, outcomes, now, self._chance)
        if any(delivery.kind == VERIFICATION and not outcome.fault for delivery, _, outcome in outcomes):
            connection.run(f"UPDATE webhooks SET verified = :now {_OF}", **of, now=now)
        self._prune(connection, key, len(outcomes), now)
        row = connection.one(f"SELECT verified, failing FROM webhooks {_OF}", **of)
        for _, _, outcome in outcomes:
            metrics.WEBHOOK_ATTEMPTS.labels(outcome.fault or "delivered").inc()
        if row is None:
            return ""
        verified, failing = row
        return _cause(outcomes, verified, failing, now)

    def _prune(self, connection: Connection, key: Key, more: int, now: int) -> None:
        self._noted[key] = self._noted.get(key, 0) + more
        if self._noted[key] >= PRUNED_EVERY:
            self._noted[key] = 0
            deliveries.prune(connection, key, now)

    def _begin_verification(self, key: Key, connection: Connection) -> None:
        deliveries.insert(connection, [row_of(key, VERIFICATION, self._clock())])

    def _queued(self, subscription: Subscription, feed: int, opened: int, limit: int) -> Change | None:
        """What queues all that stands behind a webhook's place in the feed; None where nothing does."""
        key, now = subscription.key, self._clock()
        with self._database.reading() as connection:
            read = Read(place_at(connection, feed), opened)
            page = page_after(connection, subscription.sight, read, limit)
        if page.read == read:
            return None
        rows = []
        for item in page.items:
            place: dict[str, Any] = {
                "source": item.event.source,
                "tournament": item.event.tournament,
                "position": item.event.position,
                "game": item.result.game if item.result is not None else "",
            }
            shown = {"cursor": cursor_of(item.read, subscription.sight.reader)}
            rows.append(row_of(key, EVENT, now, **place, type=item.event.type, **shown))
        values = {"feed": feed, "opened": opened, "feed_then": page.read.place.feed, "opened_then": page.read.opened}

        def write(connection: Connection) -> None:
            # Somebody may have moved it meanwhile, for a replay; then it is read anew from there.
            sql = f"""UPDATE webhooks SET feed = :feed_then, opened = :opened_then
                {_OF} AND feed = :feed AND opened = :opened"""
            if connection.run(sql, tournament=key[0], webhook=key[1], **values):
                deliveries.insert(connection, rows)

        return write

    def _with_messages(self, subscription: Subscription, lane: Sequence[Delivery]) -> Laned:
        found: Laned = []
        size = 0
        for delivery in lane[:TOGETHER]:
            message = self._messages.of(subscription.webhook, delivery)
            size += len(message.body) if message else 0
            if found and size > TOGETHER_BYTES:
                break
            found.append((delivery, message))
        return found

    def _opened(self, key: Key, sealed: bytes) -> tuple[Target | None, Sequence[str], str]:
        """Where a webhook leads, what signs, and why nothing can be sent there."""
        try:
            target = self._rules.read(self._vault.open(*key, TARGET, sealed))
            with self._database.reading() as connection:
                secrets = self._vault.secrets(connection, *key, self._clock())
        except Sealed:
            return None, (), "no-message"
        except TargetFault:  # it was good when it was given, and the operator allows less since
            return None, (), "not-public"
        return (target, secrets, "") if secrets else (None, (), "no-message")


def _cause(outcomes: Outcomes, verified: int, failing: int, now: int) -> str:
    if any(outcome.fault == "gone" for _, _, outcome in outcomes):
        return "gone"
    if not failing:
        return ""
    if not verified and now - failing >= UNVERIFIED:
        return "unverified"
    return "failing" if now - failing >= GIVEN_UP else ""


MEASURED_SECONDS = 15.0
"""Between two measurements; dead deliveries are counted row by row."""


def measure(connection: Connection, enabled: Collection[Key], disabled: int) -> None:
    """Show what waits, is dead, fails or is disabled. disabled: webhooks that a rule has disabled."""
    for state in (WAITING, DEAD):
        # As text, so that the index of deliveries that wait is used.
        number = connection.value(f"SELECT count(*) FROM webhook_deliveries WHERE state = '{state}'")
        metrics.WEBHOOK_DELIVERIES.labels(state).set(number)
    failing = connection.rows("SELECT tournament, webhook FROM webhooks WHERE failing > 0")
    metrics.WEBHOOKS_IN_TROUBLE.labels("failing").set(sum(tuple(key) in enabled for key in failing))
    metrics.WEBHOOKS_IN_TROUBLE.labels("disabled").set(disabled)


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
