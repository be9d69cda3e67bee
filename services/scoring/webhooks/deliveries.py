"""Rows of webhooks: sealed targets and secrets, deliveries, and the message of each.

The key of the vault is derived from the private key that signs the service's events. While two of these are known,
both open what they sealed, and `reseal` seals it with the first. Destroying a row destroys what it held.

The deliveries of a webhook form lanes: the events of one tournament are one, in their order; everything else is a
lane by itself. A lane sends nothing before the delivery in front has arrived or was given up.
"""

from __future__ import annotations

import hmac
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any, Literal

import msgspec
import orjson

from services.scoring.feed.places import feed_position, place_at
from services.scoring.feed.readers import placed
from services.scoring.feed.results import Results, result_id
from services.scoring.webhooks.protocol import CHATS, RESULTS, TOLD_TO_CHATS, Outcome, chat_body, next_try
from shared.clock import utc_at
from shared.formats.fold import current_data
from shared.keys import Sealed, Sealer
from shared.log.cloudevents import to_wire
from shared.log.database import Connection, Database
from shared.log.event import Recorded, event_id
from shared.log.log import is_intact
from shared.log.reading import log_page
from shared.refusals import Refusal
from shared.service.state import Repository
from shared.tournament.games import RESULT, result_dataschema
from shared.tournament.webhooks import Webhook, WebhookDeleted

PURPOSE = "muster webhooks 1"
TARGET = "target"
TOGETHER = 200
"""Rows removed by one statement."""
_OF = "WHERE tournament = :tournament AND webhook = :webhook"
_PUT_SECRET = """INSERT INTO webhook_secrets (tournament, webhook, number, secret, until)
    VALUES (:tournament, :webhook, :number, :secret, 0)
    ON CONFLICT (tournament, webhook, number) DO UPDATE SET secret = excluded.secret, until = 0"""


class WebhookVault:
    """Seals and opens what is kept of webhooks. seeds: of the service's private keys, first the one that signs."""

    def __init__(self, seeds: Sequence[bytes]) -> None:
        self._sealer = Sealer(seeds, PURPOSE)

    def seal(self, tournament: str, webhook: str, what: str, plain: str) -> bytes:
        """A text sealed for its place. what: TARGET, or the number of a secret."""
        return self._sealer.seal(f"{tournament}/{webhook}/{what}", plain)

    def open(self, tournament: str, webhook: str, what: str, sealed: bytes) -> str:
        """What was sealed for that place. Raises Sealed."""
        return self._sealer.open(f"{tournament}/{webhook}/{what}", sealed)

    def put_secret(
        self, connection: Connection, tournament: str, webhook: str, number: int, secret: str, until_others: int
    ) -> None:
        """Keep a new secret; the one before signs until `until_others` (Unix ms), and any earlier one no more."""
        of = {"tournament": tournament, "webhook": webhook}
        connection.shred(f"DELETE FROM webhook_secrets {_OF} AND number < :before", **of, before=number - 1)
        overlap = f"UPDATE webhook_secrets SET until = :until {_OF} AND number = :before"
        connection.run(overlap, **of, before=number - 1, until=until_others)
        sealed = self.seal(tournament, webhook, str(number), secret)
        connection.run(_PUT_SECRET, **of, number=number, secret=sealed)  # until 0: it is the newest

    def secrets(self, connection: Connection, tournament: str, webhook: str, now: int) -> list[str]:
        """The secrets that sign at a moment (Unix ms), the newest first. Raises Sealed."""
        sql = f"""SELECT number, secret FROM webhook_secrets {_OF} AND (until = 0 OR until > :now)
            ORDER BY number DESC"""
        rows = connection.rows(sql, tournament=tournament, webhook=webhook, now=now)
        return [self.open(tournament, webhook, str(number), secret) for number, secret in rows]

    def secret(self, connection: Connection, tournament: str, webhook: str, number: int) -> str | None:
        """The secret of a number; None where it is no more, or cannot be opened."""
        sql = f"SELECT secret FROM webhook_secrets {_OF} AND number = :number"
        sealed = connection.value(sql, tournament=tournament, webhook=webhook, number=number)
        try:
            return None if sealed is None else self.open(tournament, webhook, str(number), sealed)
        except Sealed:
            return None

    def reseal(self, connection: Connection) -> None:
        """Seal with the first key whatever an older one has sealed, so that the older one may go."""
        for tournament, webhook, target in connection.rows("SELECT tournament, webhook, target FROM webhooks"):
            if (fresh := self._resealed(tournament, webhook, TARGET, target)) is not None:
                sql = f"UPDATE webhooks SET target = :fresh {_OF}"
                connection.run(sql, tournament=tournament, webhook=webhook, fresh=fresh)
        rows = connection.rows("SELECT tournament, webhook, number, secret FROM webhook_secrets")
        for tournament, webhook, number, secret in rows:
            if (fresh := self._resealed(tournament, webhook, str(number), secret)) is not None:
                sql = f"UPDATE webhook_secrets SET secret = :fresh {_OF} AND number = :number"
                connection.run(sql, tournament=tournament, webhook=webhook, number=number, fresh=fresh)

    def _resealed(self, tournament: str, webhook: str, what: str, sealed: bytes) -> bytes | None:
        return self._sealer.reseal(f"{tournament}/{webhook}/{what}", sealed)


def destroy(connection: Connection, tournament: str, webhook: str) -> None:
    """Nothing is left of a webhook but its events: neither where it led, nor its secrets, nor what it was told."""
    of = {"tournament": tournament, "webhook": webhook}
    connection.shred(f"DELETE FROM webhooks {_OF}", **of)
    connection.shred(f"DELETE FROM webhook_secrets {_OF}", **of)
    of_webhook = "subscriber = :tournament AND webhook = :webhook"
    forget_deliveries(connection, of_webhook, **of)


def forget_deliveries(connection: Connection, condition: str, **values: Any) -> int:
    """Remove the deliveries that fulfil a condition in SQL, with their attempts; returns how many there were."""
    ids = [id for (id,) in connection.rows(f"SELECT id FROM webhook_deliveries WHERE {condition}", **values)]
    for start in range(0, len(ids), TOGETHER):
        some = ids[start : start + TOGETHER]
        connection.run("DELETE FROM webhook_attempts WHERE delivery IN (:ids)", ids=some)
        connection.run("DELETE FROM webhook_deliveries WHERE id IN (:ids)", ids=some)
    return len(ids)


def destroyed_again(connection: Connection, recorded: Sequence[Recorded]) -> None:
    """Destroy once more, where the log of a deletion comes back into a database of before."""
    for event in recorded:
        if event.type == WebhookDeleted.__name__:
            destroy(connection, event.tournament, current_data(event)["webhook"])


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


REMEMBERED = 2000
"""Events whose lines are kept: several webhooks are told of the same ones."""
HELLO = {
    VERIFICATION: "this is where news of rounds will come. Whoever subscribed can tell you more.",
    PING: "a test message: it arrives.",
}
"""What a chat is told where no event is told of."""
MUSTER = "Muster"
CHALLENGE_DIGITS = 32


class Message(msgspec.Struct, frozen=True):
    """What is posted. id: of the message. challenge: what its answer has to hold; empty for nothing."""

    id: str
    body: bytes
    type: str
    content_type: str = "application/json"
    challenge: str = ""


class Messages:
    """Makes messages of deliveries. seed: of the service, from which challenges are derived."""

    def __init__(self, database: Database, repository: Repository, results: Results, seed: bytes) -> None:
        self._database = database
        self._repository = repository
        self._results = results
        self._seed = seed
        self._lines: OrderedDict[str, bytes] = OrderedDict()

    def of(self, webhook: Webhook, delivery: Delivery) -> Message | None:
        """The message of a delivery; None where its event is there no more, or cannot be read."""
        if delivery.kind in (EVENT, AGAIN):
            return self._of_event(webhook, delivery)
        type, id = f"webhook.{delivery.kind}", delivery.message
        if webhook.form in CHATS:
            return Message(id, chat_body(webhook.form, MUSTER, HELLO[delivery.kind]), type)
        data = {"webhook": delivery.webhook, "tournament": delivery.subscriber, "name": webhook.name}
        challenge = self.challenge(delivery) if delivery.kind == VERIFICATION else ""
        if challenge:
            data["challenge"] = challenge
        time = utc_at(delivery.created)
        body = orjson.dumps({"id": id, "type": type, "timestamp": time, "data": data})
        return Message(id, body, type, challenge=challenge)

    def challenge(self, delivery: Delivery) -> str:
        """What the answer to a verification has to hold; nobody else can know it."""
        said = f"{delivery.subscriber}/{delivery.webhook}/{delivery.id}"
        return hmac.new(self._seed, f"webhook challenge {said}".encode(), sha256).hexdigest()[:CHALLENGE_DIGITS]

    def _of_event(self, webhook: Webhook, delivery: Delivery) -> Message | None:
        if webhook.form in CHATS:
            body = self._told_to_chat(webhook.form, delivery)
            return Message(delivery.message, body, delivery.type) if body else None
        line = self._result(delivery) if webhook.form == RESULTS else self._line(delivery)
        if line is None:
            return None
        is_result = webhook.form == RESULTS
        type = RESULT if is_result else delivery.type
        body = placed(line, delivery.cursor, result_dataschema() if is_result else "")
        return Message(delivery.message, body, type, "application/cloudevents+json")

    def _line(self, delivery: Delivery) -> bytes | None:
        """The event as a CloudEvent, which is kept for a while; None if the event is no longer there."""
        line = self._lines.get(delivery.message)
        if line is None and (event := self._event(delivery)) is not None:
            line = self._lines[delivery.message] = to_wire(event)
            while len(self._lines) > REMEMBERED:
                self._lines.popitem(last=False)
        return line

    def _result(self, delivery: Delivery) -> bytes | None:
        """The game that the event is about; None if the event has no place in the feed any more."""
        event = self._event(delivery)
        with self._database.reading() as connection:
            feed = feed_position(connection, delivery.source, delivery.tournament, delivery.position)
            if event is None or feed is None:
                return None
            lines = self._results.at(connection, place_at(connection, feed), event)
        return next((line.json for line in lines if line.game == delivery.game), None)

    def _told_to_chat(self, form: str, delivery: Delivery) -> bytes | None:
        event = self._event(delivery)
        told = TOLD_TO_CHATS.get(delivery.type)
        if event is None or told is None:
            return None
        try:
            with self._repository.now(delivery.tournament) as loaded:
                name = loaded.state.entries.name
        except Refusal:  # its log cannot be folded now: the message is as good without its name
            name = delivery.tournament
        return chat_body(form, name, told(current_data(event)))

    def _event(self, delivery: Delivery) -> Recorded | None:
        with self._database.reading() as connection:
            page = log_page(connection, delivery.source, delivery.tournament, delivery.position - 1, 1)
        event = page[0] if page and page[0].position == delivery.position else None
        return event if event is not None and is_intact(event) else None
