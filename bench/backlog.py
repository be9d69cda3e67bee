"""A backlog worked off: a relay that has 20,000 events to publish, and a consumer that finds them in its queue."""

from __future__ import annotations

import threading
import time
from time import perf_counter
from typing import Any

from sqlalchemy import text

from bench.engines import BROKER_URL
from bench.findings import Table, goal_of
from bench.plan import Plan
from bench.recorders import COMMAND, DATA, SOURCE, stamp
from bench.samples import in_turns, row_of
from shared.application.admission import fault_of
from shared.eventlog import lease, outbox
from shared.eventlog.append import Entry, append, chained
from shared.eventlog.engines import open_database
from shared.eventlog.migrate import upgrade_database
from shared.eventlog.replicate import accept
from shared.events.canonical import canonical
from shared.events.recorded import EMPTY, Head
from shared.messaging.broker import Broker
from shared.messaging.consumer import Consumer
from shared.messaging.inbox import Inbox
from shared.messaging.relay import Relay
from shared.messaging.vouching import Keyring, Signer
from shared.signing_keys import make_signing_key

RELAYED = 1_500
"""Goal: events a second to quorum queues."""
TOURNAMENTS = 20
LISTENERS = ("registration", "pairing")
"""Whose queues get scoring's events, as in the product."""
LEASE_MS = 60_000
GIVE_UP_SECONDS = 300.0

KEY = make_signing_key("bench")
ANNOUNCED = canonical({"format": "swiss", "name": "bench", "ruleset": {}})

_COPIED = text("SELECT coalesce(sum(position), 0) FROM heads WHERE source = 'scoring'")


def run(plan: Plan) -> list[Table]:
    """The embedded broker on SQLite, and RabbitMQ on PostgreSQL where they are there."""
    events = plan.size(20_000, 2_000)
    lines = [_Line(plan, "embedded: SQLite, a folder", "sqlite", LISTENERS)]
    if plan.rabbitmq and "postgresql" in plan.engines:
        lines.append(_Line(plan, "servers: PostgreSQL, two quorum queues", "postgresql", LISTENERS))
        lines.append(_Line(plan, "servers: PostgreSQL, one quorum queue", "postgresql", LISTENERS[1:]))
    plan.say(f"replication: backlogs of {events:,}")
    probe = plan.probe()
    for line in in_turns(lines, plan.size(3, 1), probe):
        line.sample(events)
    relayed = [row_of(f"relay, {line.name}", "events/s", line.relayed) for line in lines]
    copied = [row_of(f"consumer, {line.name}", "events/s", line.copied) for line in lines]
    goals = [goal_of(f"{row.name}", row.median, RELAYED, "events/s") for row in relayed if "quorum" in row.name]
    notes = [
        f"{events:,} events of {TOURNAMENTS} tournaments, published before they are consumed, in the product's batches."
    ]
    return [Table("Backlogs", [*relayed, *copied], goals, notes, probe.seen())]


class _Line:
    """From one service's outbox to another's copies. listeners: whose queues are bound."""

    def __init__(self, plan: Plan, name: str, engine: str, listeners: tuple[str, ...]) -> None:
        self.name = name
        self.relayed: list[float] = []
        self.copied: list[float] = []
        self._listeners = listeners
        self._owner, self._copies = (open_database(plan.places.database(engine)) for _ in range(2))
        upgrade_database(self._owner, SOURCE)
        upgrade_database(self._copies, "pairing")
        for number in range(TOURNAMENTS):  # without which no log of theirs may begin
            entry = Entry("TournamentAnnounced", 2, ANNOUNCED)
            accept(self._copies, chained("registration", f"t-{number}", EMPTY, [entry], stamp()))
        if engine == "sqlite":
            self._broker = Broker("filesystem://", folder=plan.places.empty_folder("broker"))
        else:
            self._broker = Broker(BROKER_URL, plan.places.exchange())
        self._heads: dict[str, Head] = {}
        self._appended = 0
        with self._broker.connect() as connection, connection.channel() as channel, self._broker.declaring():
            for listener in listeners:
                self._broker.topology.declare(channel, listener, [SOURCE])

    def sample(self, events: int) -> None:
        """Append, relay, consume; the first is not timed."""
        self._append(events)
        self.relayed.append(events / self._relay())
        self.copied.append(events / self._consume())
        with self._broker.connect() as connection, connection.channel() as channel:
            for listener in self._listeners:
                channel.queue_purge(self._broker.topology.queue_name(listener))

    def _append(self, events: int) -> None:
        entries = [Entry("ResultReported", 1, DATA, COMMAND)] * 100
        for number in range(events // len(entries)):
            tournament = f"t-{number % TOURNAMENTS}"
            head = self._heads.get(tournament, EMPTY)
            last = append(self._owner, SOURCE, tournament, head, entries, stamp())[-1]
            self._heads[tournament] = Head(last.position, last.hash)
        self._appended += events

    def _relay(self) -> float:
        """Seconds until the outbox is empty and all of it confirmed."""
        relay = Relay(self._owner, SOURCE, self._broker, Signer(SOURCE, [KEY]))
        token = lease.acquire(self._owner, "bench", LEASE_MS)
        assert token is not None
        started = perf_counter()
        while relay.step(token):
            pass
        seconds = perf_counter() - started
        lease.release(self._owner, token)
        with self._owner.reading() as connection:
            left = outbox.depth(connection)
        if left:
            raise RuntimeError(f"{self.name}: {left} events were not published")
        return seconds

    def _consume(self) -> float:
        """Seconds until everything that was published is copied."""
        inbox = Inbox(self._copies, [SOURCE], Keyring({SOURCE: {KEY.kid: KEY.public}}), fault_of, _nobody)
        stop = threading.Event()
        consumer = Consumer(LISTENERS[1], self._broker, inbox, idle_seconds=0.2)
        thread = threading.Thread(target=consumer.run, args=(stop,))
        started = perf_counter()
        thread.start()
        try:
            with self._copies.reading() as connection:
                while int(connection.execute(_COPIED).scalar_one()) < self._appended:
                    if perf_counter() - started > GIVE_UP_SECONDS or not thread.is_alive():
                        raise RuntimeError(f"{self.name}: not everything was copied")
                    time.sleep(0.01)
            return perf_counter() - started
        finally:
            stop.set()
            thread.join()


def _nobody(source: str, tournament: str, after: int, limit: int = 0) -> list[Any]:
    """There is no owner to ask; the queue brings everything, in order."""
    return []
