"""Somebody who is told of everything by a queue of their own, as an integration is: no catch-up fetches what misses."""

from __future__ import annotations

import secrets
from collections import defaultdict

import kombu

from shared.messaging.broker import Topology
from shared.messaging.envelope import parse_event
from shared.settings import SERVICES
from tests.faults.auditor import Auditor


class Subscriber:
    """A durable queue bound to every event from now on. exchange: of the stack behind `auditor`."""

    def __init__(self, auditor: Auditor, url: str, exchange: str = Topology().exchange) -> None:
        self._auditor = auditor
        self._url = url
        self._name = f"subscriber-{secrets.token_hex(4)}"
        with kombu.Connection(url) as connection, connection.channel() as channel:
            # No quorum queue: RabbitMQ 3.10 that is killed within a second of declaring one, as tests do, never finds a
            # leader for it again, and relays wait for its confirms for good (test_queue_without_a_leader.py).
            channel.queue_declare(self._name, durable=True, auto_delete=False)
            channel.queue_bind(self._name, exchange, "#")
        self._since = {name: auditor.end(name) for name in SERVICES}

    def check(self) -> None:
        """Every event since came at least once, and for the first time in the order of its owner's feed."""
        told: dict[str, dict[int, str]] = defaultdict(dict)
        with kombu.Connection(self._url) as connection, connection.channel() as channel:
            while (message := channel.basic_get(self._name, no_ack=True)) is not None:
                event, position = parse_event(message.body)
                assert position is not None
                told[event.source].setdefault(position, event.hash)
            channel.queue_delete(self._name)
        for name in SERVICES:
            feed = {position: event.hash for position, event in self._auditor.feed(name)}
            expected = {position: hash for position, hash in feed.items() if position > self._since[name]}
            found = {position: hash for position, hash in told[name].items() if position > self._since[name]}
            assert list(found.items()) == list(expected.items())
