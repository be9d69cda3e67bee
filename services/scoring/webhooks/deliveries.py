"""Rows of deliveries: queued from the feed, taken in order, and what became of them.

The deliveries of a webhook stand in lanes: the events of one tournament are one, in their order, and everything else is
a lane by itself. In a lane nothing is sent before what stands before it has arrived or was given up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import msgspec

from services.scoring.feed.views import result_id
from services.scoring.tables import WEBHOOK_ATTEMPTS, WEBHOOK_DELIVERIES, WEBHOOKS
from services.scoring.webhooks.outcomes import Outcome, next_try
from services.scoring.webhooks.vault import forget_deliveries
from shared.eventlog.database import Connection
from shared.events.recorded import event_id

EVENT, AGAIN, VERIFICATION, PING = "event", "again", "verification", "ping"
WAITING, DELIVERED, DEAD = "waiting", "delivered", "dead"

AT_ONCE = 0
"""When something is due that nobody has tried, whatever the clocks of two machines say."""
KEPT = 1000
"""Deliveries that arrived which are kept of each webhook, the latest; and dead ones."""
KEPT_DAYS = 30
DAY = 86_400_000

Key = tuple[str, str]
"""Tournament in whose log a webhook stands, and its id."""


class Delivery(msgspec.Struct, frozen=True):
    """A row; see tables.py."""

    id: int
    subscriber: str
    webhook: str
    kind: str
    source: str
    tournament: str
    position: int
    type: str
    opener: str
    cursor: str
    state: str
    attempts: int
    due: int
    created: int
    finished: int
    idempotency_key: str = ""
    request: str = ""
    game: str = ""

    @property
    def lane(self) -> str:
        """The lane that it stands in."""
        return self.tournament if self.kind == EVENT else f"{self.kind}:{self.id}"

    @property
    def message(self) -> str:
        """The id of its message, the same at every attempt and every time that it is sent again."""
        if self.kind in (EVENT, AGAIN):
            id = event_id(self.source, self.tournament, self.position)
            return result_id(id, self.game) if self.game else id
        return f"{self.subscriber}.{self.webhook}.{self.kind}.{self.id}"


WEBHOOK_OF = "webhook-of"
"""Header that tells apart webhooks which lead to one address: the same event has the same id for each of them."""


def webhook_of(key: Key) -> str:
    """Return what the header says: the tournament in whose log the webhook is, and its id."""
    return f"{key[0]}.{key[1]}"


def of_webhook(key: Key) -> dict[str, str]:
    """The condition of a webhook's deliveries."""
    return {"subscriber": key[0], "webhook": key[1]}


def row_of(key: Key, kind: str, now: int, **more: str | int) -> dict[str, str | int]:
    """A new row, due at once."""
    nothing: dict[str, str | int] = {
        "source": "",
        "tournament": "",
        "position": 0,
        "type": "",
        "opener": "",
        "cursor": "",
    }
    ends: dict[str, str | int] = {"state": WAITING, "attempts": 0, "due": now, "created": now, "finished": 0}
    ends |= {"idempotency_key": "", "request": "", "game": ""}
    return {**of_webhook(key), "kind": kind, **nothing, **ends, **more}


def waiting(connection: Connection, key: Key, limit: int) -> list[Delivery]:
    """The oldest deliveries that wait, in order."""
    where = {**of_webhook(key), "state": WAITING}
    return [Delivery(*row) for row in connection.find(WEBHOOK_DELIVERIES, where, order=("id",), limit=limit)]


def lanes_due(found: Sequence[Delivery], now: int, most: int) -> list[list[Delivery]]:
    """The lanes whose first delivery is due, each in order, with what is due at once behind it; at most `most`."""
    lanes: dict[str, list[Delivery]] = {}
    for delivery in found:
        lanes.setdefault(delivery.lane, []).append(delivery)
    return [lane for lane in lanes.values() if lane[0].due <= now][:most]


def next_due(found: Sequence[Delivery]) -> int:
    """When the first lane is due; 0 for nothing that waits."""
    first: dict[str, int] = {}
    for delivery in found:
        first.setdefault(delivery.lane, delivery.due)
    return min(first.values(), default=0)


def note(
    connection: Connection, key: Key, outcomes: Sequence[tuple[Delivery, int, Outcome]], now: int, chance: Random
) -> int:
    """Write down what came of attempts: delivery, when it was tried (Unix ms), outcome. Returns how many died.

    What was removed or sent again meanwhile stays as it is.
    """
    attempts, died = [], 0
    for delivery, time, outcome in outcomes:
        attempts.append(
            {
                "delivery": delivery.id,
                "time": time,
                "status": outcome.status,
                "milliseconds": outcome.milliseconds,
                "fault": outcome.fault,
                "response": outcome.response,
                "private": int(outcome.private),
            }
        )
        to: Mapping[str, str | int] = {"state": DELIVERED, "finished": now}
        if outcome.fault:
            failed = delivery.attempts + 1
            due = next_try(failed, now, outcome.asked, chance.random())
            to = {"attempts": failed, "due": due or 0}
            if due is None:
                to, died = {**to, "state": DEAD, "finished": now}, died + 1
        connection.change(WEBHOOK_DELIVERIES, {"id": delivery.id, "state": WAITING}, to)
    connection.add(WEBHOOK_ATTEMPTS, attempts)
    well = any(not outcome.fault for _, _, outcome in outcomes)
    of = {"tournament": key[0], "webhook": key[1]}
    if well:
        connection.change(WEBHOOKS, {**of, "failing >": 0}, {"failing": 0})
    elif outcomes:
        connection.change(WEBHOOKS, {**of, "failing": 0}, {"failing": now})
    return died


def prune(connection: Connection, key: Key, now: int) -> int:
    """Forget deliveries that are done and old, or more than are kept; returns how many."""
    gone = 0
    for state in (DELIVERED, DEAD):
        of = {**of_webhook(key), "state": state}
        newest = connection.find(WEBHOOK_DELIVERIES, of, columns=("id",), order=("-id",), limit=KEPT)
        if len(newest) == KEPT:
            gone += forget_deliveries(connection, {**of, "id <": newest[-1][0]})
        gone += forget_deliveries(connection, {**of, "finished <": now - KEPT_DAYS * DAY})
    return gone
