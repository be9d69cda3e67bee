"""Replication: from a result's answer to its verified copy in pairing's database, and 100,000 events to catch up with.

Limits: one look at the copy; for the backlog a bare publish of messages of the same size without confirms, and one
signature made or checked for each.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from http.client import HTTPConnection
from random import Random
from secrets import token_hex
from time import monotonic, perf_counter

import kombu
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bench.append import REPORTED, SOURCE, STORED, append, new_stamp
from bench.clients import Event, open_event, send_once
from bench.common import BROKER_URL, EMBEDDED, SERVERS, Bench, Row, Table, row_of
from deploy.stack import Stack, operator
from shared.log import outbox
from shared.log.database import Database
from shared.log.event import EMPTY_HEAD, Head
from shared.log.reading import heads_of_tournaments
from shared.log.schema import open_database
from shared.settings import SERVICES
from shared.web.versions import parse_seen

COPIED_MS, COPIED = {EMBEDDED: 300.0, SERVERS: 100.0}, {EMBEDDED: 500, SERVERS: 1_500}
"""Goals: the 99th percentile from the answer to the copy; events of a backlog copied a second."""
PLAYERS = 400
BEHIND, TOURNAMENTS = 100_000, 20
"""Events appended while Muster is stopped, and the tournaments that they are of."""
LOOK_SECONDS, GIVE_UP_SECONDS = 0.001, 1_800.0
HEAD = "SELECT coalesce(max(position), 0) FROM heads WHERE source = 'scoring' AND tournament = :tournament"


def run(bench: Bench) -> list[Table]:
    """Measure single results and a backlog, each through whole Musters on every pair of engines."""
    singles: list[Row] = []
    backlogs: list[Row] = []
    events = bench.size(BEHIND, 2_000)
    for name, _, env in bench.kinds():
        bench.progress(f"replication: {name}")
        with Stack(bench.empty_folder("replication"), env=env) as stack:
            databases = {service: open_database(stack.settings(service).database_url) for service in SERVICES}
            singles += _single(bench, name, stack, databases["pairing"])
            bench.progress(f"replication: {name}, {events:,} events behind")
            backlogs += _backlog(name, stack, databases, events)
            for database in databases.values():
                database.close()
    if bench.has_servers:
        backlogs.append(row_of("limit: RabbitMQ, published without confirms", "messages/s", [_bare_publish(events)]))
    key = Ed25519PrivateKey.generate()
    signed, public = key.sign(STORED), key.public_key()
    backlogs.append(row_of("limit: sign", "events/s", [_rate(lambda: key.sign(STORED))]))
    backlogs.append(row_of("limit: check a signature", "events/s", [_rate(lambda: public.verify(signed, STORED))]))
    notes = ["Counted from the moment at which the services are ready; catch-up, relay and queues work side by side."]
    return [
        Table("From a result's answer to its copy in pairing, one result at a time", singles),
        Table(f"A start with {events:,} events that two services lack", backlogs, notes),
    ]


def _single(bench: Bench, name: str, stack: Stack, copies: Database) -> list[Row]:
    """Post results, each after the last one is copied and a short pause."""
    answers: list[float] = []
    delays: list[float] = []
    looks: list[float] = []
    pauses, event = Random(7), open_event(operator(stack.urls, stack.issuer), bench.size(PLAYERS, 40))
    tournament, connection = event.director.id, HTTPConnection("127.0.0.1", stack.settings(SOURCE).port)
    for report in event.reports():
        started = monotonic()
        headers, _ = send_once(connection, report)
        answered, position = monotonic(), 0
        wanted = parse_seen(headers["Muster-Seen"])[SOURCE]
        with copies.reading() as reading:
            while position < wanted:
                if (looked := monotonic()) - answered > GIVE_UP_SECONDS:
                    raise RuntimeError(f"a result was not copied\n{stack.output()}")
                position = int(reading.value(HEAD, tournament=tournament))
                looks.append((monotonic() - looked) * 1000)
                time.sleep(LOOK_SECONDS if position < wanted else 0)
        delays.append((monotonic() - answered) * 1000)
        answers.append((answered - started) * 1000)
        time.sleep(pauses.uniform(0.0, 0.05))  # out of step with timers
    connection.close()
    return [
        row_of(f"{name}: answer to copy", "ms", delays, tail=True, at_most=COPIED_MS[name]),
        row_of(f"{name}: POST to answer", "ms", answers, tail=True),
        row_of(f"limit: {name}: one look at the copy", "ms", looks, tail=True),
    ]


def _backlog(name: str, stack: Stack, databases: Mapping[str, Database], events: int) -> list[Row]:
    """Measure how fast the other services catch up when they start with a backlog of scoring events."""
    host = operator(stack.urls, stack.issuer)
    tournaments = [Event(host, 8).director.id for _ in range(TOURNAMENTS)]
    _wait(stack, lambda: _are_copied(databases, "registration", tournaments))
    stack.stop()
    _append(databases[SOURCE], tournaments, events)
    stack.start()
    started = monotonic()
    _wait(stack, lambda: _is_published(databases[SOURCE]))
    published = monotonic() - started
    _wait(stack, lambda: _are_copied(databases, SOURCE, tournaments))
    copied = monotonic() - started
    return [
        row_of(f"{name}: published", "events/s", [events / published]),
        row_of(f"{name}: copied by both", "events/s", [events / copied], at_least=COPIED[name]),
    ]


def _append(database: Database, tournaments: list[str], events: int) -> None:
    """Append reports to scoring's logs, a hundred a transaction, over all tournaments in turn."""
    heads: dict[str, Head] = {}
    for number in range(events // 100):
        tournament = tournaments[number % len(tournaments)]
        head = heads.get(tournament, EMPTY_HEAD)
        heads[tournament] = append(database, SOURCE, tournament, head, [REPORTED] * 100, new_stamp())


def _is_published(database: Database) -> bool:
    with database.reading() as connection:
        return outbox.count_unpublished(connection) == 0


def _are_copied(databases: Mapping[str, Database], source: str, tournaments: list[str]) -> bool:
    """Return True if every service has the whole logs of a source."""
    ends = []
    for database in databases.values():
        with database.reading() as connection:
            heads = heads_of_tournaments(connection, tournaments)
        ends.append([heads.get(one, {}).get(source, EMPTY_HEAD).position for one in tournaments])
    return all(end == ends[0] and all(end) for end in ends)


def _wait(stack: Stack, is_done: Callable[[], bool]) -> None:
    """Wait until it is done. Raises RuntimeError after half an hour."""
    deadline = monotonic() + GIVE_UP_SECONDS
    while not is_done():
        if monotonic() > deadline:
            raise RuntimeError(f"not everything was published and copied\n{stack.output()}")
        time.sleep(0.05)


def _rate(work: Callable[[], object], times: int = 2_000) -> float:
    started = perf_counter()
    for _ in range(times):
        work()
    return times / (perf_counter() - started)


def _bare_publish(messages: int) -> float:
    """Return the messages per second that kombu publishes to a durable queue."""
    with kombu.Connection(BROKER_URL) as connection, connection.channel() as channel:
        queue = kombu.Queue(f"bench-{token_hex(6)}", durable=True)(channel)
        queue.declare()
        producer = kombu.Producer(channel, routing_key=queue.name)
        kind = {"content_type": "application/octet-stream", "content_encoding": "binary"}
        rate = _rate(lambda: producer.publish(STORED * 2, **kind), messages)  # about the size of an event on the wire
        queue.delete()
    return rate
