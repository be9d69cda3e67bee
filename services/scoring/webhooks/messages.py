"""What is posted: the body of a delivery, as the form of its webhook has it."""

from __future__ import annotations

import hmac
from collections import OrderedDict
from hashlib import sha256

import msgspec
import orjson

from services.scoring.feed.lines import placed
from services.scoring.feed.places import feed_position, place_at
from services.scoring.feed.result_lines import Results
from services.scoring.webhooks.deliveries import AGAIN, EVENT, PING, VERIFICATION, Delivery
from services.scoring.webhooks.forms import CHATS, RESULTS, TOLD_TO_CHATS, chat_body
from shared.clock import utc_at
from shared.formats.fold import data_of
from shared.log.cloudevents import to_wire
from shared.log.database import Database
from shared.log.event import Recorded
from shared.log.log import is_intact
from shared.log.reading import log_page
from shared.refusals import Refusal
from shared.service.state import Repository
from shared.tournament.games import RESULT, result_dataschema
from shared.tournament.webhooks import Webhook

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
        return chat_body(form, name, told(data_of(event)))

    def _event(self, delivery: Delivery) -> Recorded | None:
        with self._database.reading() as connection:
            page = log_page(connection, delivery.source, delivery.tournament, delivery.position - 1, 1)
        event = page[0] if page and page[0].position == delivery.position else None
        return event if event is not None and is_intact(event) else None
