"""Rows of webhooks: encrypted targets and secrets, deliveries and their messages.

The encryption keys derive from the private keys that sign the service's events. Every configured key decrypts; `reseal`
re-encrypts with the first one. Deleting a row destroys its contents.

Deliveries are ordered in lanes: the events of one tournament form a lane, and every other delivery is a lane of its
own. Each delivery of a lane waits until the previous one was delivered or is dead.
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
from services.scoring.feed.readers import with_cursor
from services.scoring.feed.results import ResultLines, result_id
from services.scoring.webhooks.protocol import CHAT_TEXTS, CHATS, RESULTS, Outcome, chat_body, next_attempt_at
from shared.clock import format_utc
from shared.formats.fold import current_data
from shared.keys import CannotOpen, Sealer
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
_BATCH_SIZE = 200
"""Rows deleted by one statement."""
_BY_KEY = "WHERE tournament = :tournament AND webhook = :webhook"
_UPSERT_SECRET = """INSERT INTO webhook_secrets (tournament, webhook, number, secret, until)
    VALUES (:tournament, :webhook, :number, :secret, 0)
    ON CONFLICT (tournament, webhook, number) DO UPDATE SET secret = excluded.secret, until = 0"""


class WebhookVault:
    """Encryption of webhook targets and secrets. seeds: private key seeds, the signing key's first."""

    def __init__(self, seeds: Sequence[bytes]) -> None:
        self._sealer = Sealer(seeds, PURPOSE)

    def seal(self, tournament: str, webhook: str, purpose: str, plain: str) -> bytes:
        """Encrypt a text. purpose: TARGET, or the number of a secret; needed again to decrypt it."""
        return self._sealer.seal(f"{tournament}/{webhook}/{purpose}", plain)

    def open(self, tournament: str, webhook: str, purpose: str, sealed: bytes) -> str:
        """Decrypt a text that was encrypted for this purpose. Raises CannotOpen if no key fits."""
        return self._sealer.open(f"{tournament}/{webhook}/{purpose}", sealed)

    def put_secret(
        self, connection: Connection, tournament: str, webhook: str, number: int, secret: str, previous_until: int
    ) -> None:
        """Store a new secret. The previous one signs until `previous_until` (Unix ms); older ones are deleted."""
        of = {"tournament": tournament, "webhook": webhook}
        connection.delete_securely(
            f"DELETE FROM webhook_secrets {_BY_KEY} AND number < :before", **of, before=number - 1
        )
        overlap = f"UPDATE webhook_secrets SET until = :until {_BY_KEY} AND number = :before"
        connection.run(overlap, **of, before=number - 1, until=previous_until)
        sealed = self.seal(tournament, webhook, str(number), secret)
        connection.run(_UPSERT_SECRET, **of, number=number, secret=sealed)

    def secrets(self, connection: Connection, tournament: str, webhook: str, now: int) -> list[str]:
        """Return the secrets that sign at `now` (Unix ms), newest first. Raises CannotOpen."""
        sql = f"""SELECT number, secret FROM webhook_secrets {_BY_KEY} AND (until = 0 OR until > :now)
            ORDER BY number DESC"""
        rows = connection.rows(sql, tournament=tournament, webhook=webhook, now=now)
        return [self.open(tournament, webhook, str(number), secret) for number, secret in rows]

    def secret(self, connection: Connection, tournament: str, webhook: str, number: int) -> str | None:
        """Return the secret with a number, or None if it was deleted or cannot be decrypted."""
        sql = f"SELECT secret FROM webhook_secrets {_BY_KEY} AND number = :number"
        sealed = connection.value(sql, tournament=tournament, webhook=webhook, number=number)
        try:
            return None if sealed is None else self.open(tournament, webhook, str(number), sealed)
        except CannotOpen:
            return None

    def reseal(self, connection: Connection) -> None:
        """Re-encrypt everything with the first key, so that older keys can be removed."""
        for tournament, webhook, target in connection.rows("SELECT tournament, webhook, target FROM webhooks"):
            if (fresh := self._resealed(tournament, webhook, TARGET, target)) is not None:
                sql = f"UPDATE webhooks SET target = :fresh {_BY_KEY}"
                connection.run(sql, tournament=tournament, webhook=webhook, fresh=fresh)
        rows = connection.rows("SELECT tournament, webhook, number, secret FROM webhook_secrets")
        for tournament, webhook, number, secret in rows:
            if (fresh := self._resealed(tournament, webhook, str(number), secret)) is not None:
                sql = f"UPDATE webhook_secrets SET secret = :fresh {_BY_KEY} AND number = :number"
                connection.run(sql, tournament=tournament, webhook=webhook, number=number, fresh=fresh)

    def _resealed(self, tournament: str, webhook: str, purpose: str, sealed: bytes) -> bytes | None:
        return self._sealer.reseal(f"{tournament}/{webhook}/{purpose}", sealed)


def destroy_webhook(connection: Connection, tournament: str, webhook: str) -> None:
    """Delete everything about a webhook except its events: target, secrets and deliveries."""
    of = {"tournament": tournament, "webhook": webhook}
    connection.delete_securely(f"DELETE FROM webhooks {_BY_KEY}", **of)
    connection.delete_securely(f"DELETE FROM webhook_secrets {_BY_KEY}", **of)
    delete_deliveries(connection, "subscriber = :tournament AND webhook = :webhook", **of)


def delete_deliveries(connection: Connection, condition: str, **values: Any) -> int:
    """Delete the deliveries that match a condition in SQL, with their attempts. Return their number."""
    ids = [id for (id,) in connection.rows(f"SELECT id FROM webhook_deliveries WHERE {condition}", **values)]
    for start in range(0, len(ids), _BATCH_SIZE):
        batch = ids[start : start + _BATCH_SIZE]
        connection.run("DELETE FROM webhook_attempts WHERE delivery IN (:ids)", ids=batch)
        connection.run("DELETE FROM webhook_deliveries WHERE id IN (:ids)", ids=batch)
    return len(ids)


def destroy_deleted_again(connection: Connection, recorded: Sequence[Recorded]) -> None:
    """Destroy deleted webhooks again after a database was restored from before their deletion.

    recorded: the events that were taken back from peers.
    """
    for event in recorded:
        if event.type == WebhookDeleted.__name__:
            destroy_webhook(connection, event.tournament, current_data(event)["webhook"])


EVENT, AGAIN, VERIFICATION, PING = "event", "again", "verification", "ping"
WAITING, DELIVERED, DEAD = "waiting", "delivered", "dead"

AT_ONCE = 0
"""Due time of a delivery to send immediately, independent of clock differences between machines."""
_MAX_FINISHED = 1000
"""Deliveries kept per webhook, newest first: of delivered ones, and of dead ones."""
_MAX_AGE_DAYS = 30
DAY = 86_400_000

Key = tuple[str, str]
"""The tournament whose log holds a webhook, and the id of the webhook."""


DeliveryState = Literal["waiting", "delivered", "dead"]


class Delivery(msgspec.Struct, frozen=True):
    """A message to a webhook: a row of `webhook_deliveries`.

    subscriber: the tournament whose log holds the webhook. kind: `event`, `again` (an event resent on request),
    `verification` or `ping`. source, tournament, position, type: those of the event. cursor: its `feedcursor`.
    attempts: number of failed attempts. due, created, finished: Unix ms. idempotency_key, request: of a `ping` that was
    requested with a key, that key and the id of the request (`shared/web/idempotency.py`). game: the subject of a
    message of the form `results`.
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
        """The lane of the delivery: deliveries of a lane are sent in order."""
        return self.tournament if self.kind == EVENT else f"{self.kind}:{self.id}"

    @property
    def message(self) -> str:
        """The id of the message, the same for every attempt and when it is resent."""
        if self.kind in (EVENT, AGAIN):
            id = event_id(self.source, self.tournament, self.position)
            return result_id(id, self.game) if self.game else id
        return f"{self.subscriber}.{self.webhook}.{self.kind}.{self.id}"


DELIVERY_COLUMNS = ", ".join(Delivery.__struct_fields__)
"""The columns of a delivery in SQL."""
BY_WEBHOOK = "subscriber = :subscriber AND webhook = :webhook"
"""SQL condition for the deliveries of a webhook. `key_values` has its parameters."""
_INSERTED_COLUMNS = Delivery.__struct_fields__[1:]
_INSERT = f"""INSERT INTO webhook_deliveries ({", ".join(_INSERTED_COLUMNS)})
    VALUES ({", ".join(f":{name}" for name in _INSERTED_COLUMNS)})"""
# status: of HTTP; 0: no response. fault: why the attempt failed; empty: success. response: truncated body. private: the
# receiver has an address that the operator had to allow.
_INSERT_ATTEMPT = """INSERT INTO webhook_attempts (delivery, time, status, milliseconds, fault, response, private)
    VALUES (:delivery, :time, :status, :milliseconds, :fault, :response, :private)"""
_UPDATE_DELIVERY = """UPDATE webhook_deliveries
    SET state = :state, attempts = :attempts, due = :due, finished = :finished
    WHERE id = :id AND state = 'waiting'"""


LABEL_HEADER = "webhook-of"
"""Header that names the webhook. Several webhooks may post to one address, and an event has the same id for each."""


def webhook_label(key: Key) -> str:
    """Return the value of LABEL_HEADER."""
    return f"{key[0]}.{key[1]}"


def key_values(key: Key) -> dict[str, str]:
    """Return the parameters of BY_WEBHOOK."""
    return {"subscriber": key[0], "webhook": key[1]}


def new_row(key: Key, kind: str, now: int, **columns: str | int) -> dict[str, str | int]:
    """Return the row of a new delivery that is due now. columns: other values than the defaults."""
    defaults: dict[str, str | int] = {
        "source": "",
        "tournament": "",
        "position": 0,
        "type": "",
        "cursor": "",
        "game": "",
        "state": WAITING,
        "attempts": 0,
        "due": now,
        "created": now,
        "finished": 0,
        "idempotency_key": "",
        "request": "",
    }
    return {**key_values(key), "kind": kind, **defaults, **columns}


def insert_deliveries(connection: Connection, rows: Sequence[Mapping[str, str | int]]) -> None:
    connection.run_many(_INSERT, rows)


def waiting_deliveries(connection: Connection, key: Key, limit: int) -> list[Delivery]:
    """Return the oldest waiting deliveries of a webhook, in order."""
    sql = f"""SELECT {DELIVERY_COLUMNS} FROM webhook_deliveries WHERE {BY_WEBHOOK} AND state = 'waiting'
        ORDER BY id LIMIT :limit"""
    return [Delivery(*row) for row in connection.rows(sql, **key_values(key), limit=limit)]


def due_lanes(waiting: Sequence[Delivery], now: int, limit: int) -> list[list[Delivery]]:
    """Return up to `limit` lanes whose first delivery is due. now: Unix ms."""
    lanes: dict[str, list[Delivery]] = {}
    for delivery in waiting:
        lanes.setdefault(delivery.lane, []).append(delivery)
    return [lane for lane in lanes.values() if lane[0].due <= now][:limit]


def next_due(waiting: Sequence[Delivery]) -> int:
    """Return when the next lane is due (Unix ms), or 0 if nothing waits."""
    due: dict[str, int] = {}
    for delivery in waiting:
        due.setdefault(delivery.lane, delivery.due)
    return min(due.values(), default=0)


def record_outcomes(
    connection: Connection, key: Key, outcomes: Sequence[tuple[Delivery, int, Outcome]], now: int, chance: Random
) -> int:
    """Record attempts: (delivery, time in Unix ms, outcome) each. Return the number of deliveries that are now dead.

    Deliveries that were deleted or resent in the meantime do not change.
    """
    attempts, updates, dead = [], [], 0
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
        update = {"state": DELIVERED, "attempts": delivery.attempts, "due": delivery.due, "finished": now}
        if outcome.fault:
            failed = delivery.attempts + 1
            due = next_attempt_at(failed, now, outcome.retry_after, chance.random())
            update = {"state": WAITING, "attempts": failed, "due": due, "finished": 0}
            if due is None:
                dead += 1
                update |= {"state": DEAD, "due": 0, "finished": now}
        updates.append({"id": delivery.id, **update})
    connection.run_many(_UPDATE_DELIVERY, updates)
    connection.run_many(_INSERT_ATTEMPT, attempts)
    if any(not outcome.fault for _, _, outcome in outcomes):
        sql = f"UPDATE webhooks SET failing = 0 {_BY_KEY} AND failing > 0"
        connection.run(sql, tournament=key[0], webhook=key[1])
    elif outcomes:
        sql = f"UPDATE webhooks SET failing = :now {_BY_KEY} AND failing = 0"
        connection.run(sql, tournament=key[0], webhook=key[1], now=now)
    return dead


def prune(connection: Connection, key: Key, now: int) -> int:
    """Delete finished deliveries that are too old or too many. Return their number."""
    deleted = 0
    for state in (DELIVERED, DEAD):
        condition = f"{BY_WEBHOOK} AND state = :state"
        values = {**key_values(key), "state": state}
        surplus = f"SELECT id FROM webhook_deliveries WHERE {condition} ORDER BY id DESC LIMIT 1 OFFSET :kept"
        deleted += delete_deliveries(connection, f"{condition} AND id <= ({surplus})", **values, kept=_MAX_FINISHED)
        oldest = now - _MAX_AGE_DAYS * DAY
        deleted += delete_deliveries(connection, f"{condition} AND finished < :oldest", **values, oldest=oldest)
    return deleted


_MAX_CACHED_LINES = 2000
"""Cached CloudEvents. Several webhooks receive the same events."""
_CHAT_GREETINGS = {
    VERIFICATION: "this is where news of rounds will come. Whoever subscribed can tell you more.",
    PING: "a test message: it arrives.",
}
"""Texts of verifications and pings for chats."""
_SENDER_NAME = "Muster"
CHALLENGE_DIGITS = 32


class Message(msgspec.Struct, frozen=True):
    """A message to post. challenge: text that the response must contain; empty: none."""

    id: str
    body: bytes
    type: str
    content_type: str = "application/json"
    challenge: str = ""


class Messages:
    """Builds the messages of deliveries. seed: the secret from which challenges are derived."""

    def __init__(self, database: Database, repository: Repository, result_lines: ResultLines, seed: bytes) -> None:
        self._database = database
        self._repository = repository
        self._result_lines = result_lines
        self._seed = seed
        self._lines: OrderedDict[str, bytes] = OrderedDict()

    def build(self, webhook: Webhook, delivery: Delivery) -> Message | None:
        """Return the message of a delivery, or None if its event no longer exists or cannot be read."""
        if delivery.kind in (EVENT, AGAIN):
            return self._event_message(webhook, delivery)
        type, id = f"webhook.{delivery.kind}", delivery.message
        if webhook.form in CHATS:
            return Message(id, chat_body(webhook.form, _SENDER_NAME, _CHAT_GREETINGS[delivery.kind]), type)
        data = {"webhook": delivery.webhook, "tournament": delivery.subscriber, "name": webhook.name}
        challenge = self.challenge(delivery) if delivery.kind == VERIFICATION else ""
        if challenge:
            data["challenge"] = challenge
        time = format_utc(delivery.created)
        body = orjson.dumps({"id": id, "type": type, "timestamp": time, "data": data})
        return Message(id, body, type, challenge=challenge)

    def challenge(self, delivery: Delivery) -> str:
        """Return the text that the response to a verification must contain. Only the receiver can know it."""
        subject = f"{delivery.subscriber}/{delivery.webhook}/{delivery.id}"
        return hmac.new(self._seed, f"webhook challenge {subject}".encode(), sha256).hexdigest()[:CHALLENGE_DIGITS]

    def _event_message(self, webhook: Webhook, delivery: Delivery) -> Message | None:
        if webhook.form in CHATS:
            body = self._chat_message(webhook.form, delivery)
            return Message(delivery.message, body, delivery.type) if body else None
        line = self._result(delivery) if webhook.form == RESULTS else self._line(delivery)
        if line is None:
            return None
        is_result = webhook.form == RESULTS
        type = RESULT if is_result else delivery.type
        body = with_cursor(line, delivery.cursor, result_dataschema() if is_result else "")
        return Message(delivery.message, body, type, "application/cloudevents+json")

    def _line(self, delivery: Delivery) -> bytes | None:
        """Return the event as a CloudEvent, or None if it no longer exists."""
        line = self._lines.get(delivery.message)
        if line is None and (event := self._event(delivery)) is not None:
            line = self._lines[delivery.message] = to_wire(event)
            while len(self._lines) > _MAX_CACHED_LINES:
                self._lines.popitem(last=False)
        return line

    def _result(self, delivery: Delivery) -> bytes | None:
        """Return the game as a CloudEvent, or None if the event no longer has a place in the feed."""
        event = self._event(delivery)
        with self._database.reading() as connection:
            feed = feed_position(connection, delivery.source, delivery.tournament, delivery.position)
            if event is None or feed is None:
                return None
            lines = self._result_lines.at(connection, place_at(connection, feed), event)
        return next((line.json for line in lines if line.game == delivery.game), None)

    def _chat_message(self, form: str, delivery: Delivery) -> bytes | None:
        event = self._event(delivery)
        text = CHAT_TEXTS.get(delivery.type)
        if event is None or text is None:
            return None
        try:
            with self._repository.now(delivery.tournament) as loaded:
                name = loaded.state.entries.name
        except Refusal:  # the log cannot be folded now; the id serves as the name
            name = delivery.tournament
        return chat_body(form, name, text(current_data(event)))

    def _event(self, delivery: Delivery) -> Recorded | None:
        with self._database.reading() as connection:
            page = log_page(connection, delivery.source, delivery.tournament, delivery.position - 1, 1)
        event = page[0] if page and page[0].position == delivery.position else None
        return event if event is not None and is_intact(event) else None
