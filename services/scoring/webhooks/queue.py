"""What is to be sent to a webhook next, and what became of it: the deliverer's way to the database.

Every change is made in a transaction that holds the lease (`writes.py`), so that a deliverer which fell asleep changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from random import Random
from typing import Any

import msgspec

from services.scoring.feed.cursors import Read, cursor_of
from services.scoring.feed.pages import page_after
from services.scoring.feed.places import place_at
from services.scoring.webhooks import deliveries
from services.scoring.webhooks.deliveries import EVENT, VERIFICATION, Delivery, Key, row_of
from services.scoring.webhooks.messages import Message, Messages
from services.scoring.webhooks.outcomes import GIVEN_UP, UNVERIFIED, Outcome
from services.scoring.webhooks.subscriptions import Subscription
from services.scoring.webhooks.targets import Target, TargetFault, TargetRules
from services.scoring.webhooks.vault import TARGET, WebhookVault
from services.scoring.webhooks.writes import Change
from shared import metrics
from shared.keys import Sealed
from shared.log.database import Connection, Database

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
