"""Rows of deliveries: queued from the feed, taken in order, and what became of them.

The deliveries of a webhook stand in lanes: the events of one tournament are one, in their order, and everything else is
a lane by itself. In a lane nothing is sent before what stands before it has arrived or was given up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Literal

import msgspec

from services.scoring.feed.views import result_id
from services.scoring.webhooks.outcomes import Outcome, next_try
from services.scoring.webhooks.vault import forget_deliveries
from shared.log.database import Connection
from shared.log.event import event_id

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


DeliveryState = Literal["waiting", "delivered", "dead"]


class Delivery(msgspec.Struct, frozen=True):
    """A message to be delivered, or one that was: a row of `webhook_deliveries`.

    subscriber: the tournament in whose log the webhook is. kind: `event`, `again` (an event that somebody has sent once
    more), `verification` or `ping`. source, tournament, position, type: of the event. cursor: as the feed shows
    them. state: `waiting`, `delivered` or `dead`. attempts: number that failed. due, created, finished: Unix ms.
    idempotency_key, request: of a `ping` that came with a key, that key and the id of the request
    (`shared/web/idempotency.py`). game: that the message is about, in the form of results.
    """

    id: int
    subscriber: str
    webhook: str
    kind: str
    source: str
    tournament: str
    position: int
    type: str
    cursor: str
    state: DeliveryState
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


DELIVERY = ", ".join(Delivery.__struct_fields__)
"""The columns of a delivery, as SQL."""
OF_WEBHOOK = "subscriber = :subscriber AND webhook = :webhook"
"""The condition of a webhook's deliveries, in SQL; the values are those of `of_webhook`."""
_NEW = Delivery.__struct_fields__[1:]
_INSERT = f"INSERT INTO webhook_deliveries ({', '.join(_NEW)}) VALUES ({', '.join(f':{name}' for name in _NEW)})"
# status: of HTTP, 0 for no answer. fault: why it counts as failed; empty: it does not. response: what the receiver
# said, cut off. private: it is at an address that the operator had to allow.
_INSERT_ATTEMPT = """INSERT INTO webhook_attempts (delivery, time, status, milliseconds, fault, response, private)
    VALUES (:delivery, :time, :status, :milliseconds, :fault, :response, :private)"""
_CONCLUDE = """UPDATE webhook_deliveries SET state = :state, attempts = :attempts, due = :due, finished = :finished
    WHERE id = :id AND state = 'waiting'"""


WEBHOOK_OF = "webhook-of"
"""Header that tells apart webhooks which lead to one address: the same event has the same id for each of them."""


def webhook_of(key: Key) -> str:
    """Return what the header says: the tournament in whose log the webhook is, and its id."""
    return f"{key[0]}.{key[1]}"


def of_webhook(key: Key) -> dict[str, str]:
    """The values of `OF_WEBHOOK`."""
    return {"subscriber": key[0], "webhook": key[1]}


def row_of(key: Key, kind: str, now: int, **more: str | int) -> dict[str, str | int]:
    """A new row, due at once."""
    nothing: dict[str, str | int] = {
        "source": "",
        "tournament": "",
        "position": 0,
        "type": "",
        "cursor": "",
    }
    ends: dict[str, str | int] = {"state": WAITING, "attempts": 0, "due": now, "created": now, "finished": 0}
    ends |= {"idempotency_key": "", "request": "", "game": ""}
    return {**of_webhook(key), "kind": kind, **nothing, **ends, **more}


def insert(connection: Connection, rows: Sequence[Mapping[str, str | int]]) -> None:
    """Write new rows."""
    connection.run_many(_INSERT, rows)


def waiting(connection: Connection, key: Key, limit: int) -> list[Delivery]:
    """The oldest deliveries that wait, in order."""
    sql = f"""SELECT {DELIVERY} FROM webhook_deliveries WHERE {OF_WEBHOOK} AND state = 'waiting'
        ORDER BY id LIMIT :limit"""
    return [Delivery(*row) for row in connection.rows(sql, **of_webhook(key), limit=limit)]


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
    attempts, concluded, died = [], [], 0
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
        to = {"state": DELIVERED, "attempts": delivery.attempts, "due": delivery.due, "finished": now}
        if outcome.fault:
            failed = delivery.attempts + 1
            due = next_try(failed, now, outcome.asked, chance.random())
            died += due is None
            to = {"state": WAITING, "attempts": failed, "due": due, "finished": 0}
            if due is None:
                to |= {"state": DEAD, "due": 0, "finished": now}
        concluded.append({"id": delivery.id, **to})
    connection.run_many(_CONCLUDE, concluded)
    connection.run_many(_INSERT_ATTEMPT, attempts)
    well = any(not outcome.fault for _, _, outcome in outcomes)
    of_webhook = "WHERE tournament = :tournament AND webhook = :webhook"
    if well:
        sql = f"UPDATE webhooks SET failing = 0 {of_webhook} AND failing > 0"
        connection.run(sql, tournament=key[0], webhook=key[1])
    elif outcomes:
        sql = f"UPDATE webhooks SET failing = :now {of_webhook} AND failing = 0"
        connection.run(sql, tournament=key[0], webhook=key[1], now=now)
    return died


def prune(connection: Connection, key: Key, now: int) -> int:
    """Forget deliveries that are done and old, or more than are kept; returns how many."""
    gone = 0
    for state in (DELIVERED, DEAD):
        of = f"{OF_WEBHOOK} AND state = :state"
        values = {**of_webhook(key), "state": state}
        surplus = f"SELECT id FROM webhook_deliveries WHERE {of} ORDER BY id DESC LIMIT 1 OFFSET :kept"
        gone += forget_deliveries(connection, f"{of} AND id <= ({surplus})", **values, kept=KEPT)
        gone += forget_deliveries(connection, f"{of} AND finished < :old", **values, old=now - KEPT_DAYS * DAY)
    return gone
