"""Webhooks: messages per second from a backlog to 20 receivers, and the delay from a result's answer to a receiver.

The limit is plain POSTs of the same size to the same receiver over one keep-alive connection.
"""

from __future__ import annotations

import asyncio
import re
import threading
import time
from http.client import HTTPConnection
from uuid import uuid4

import orjson

from bench.append import append
from bench.clients import Event, Request, open_event, send_once
from bench.common import Bench, Table, row_of
from deploy.stack import Stack, operator
from shared.clock import utc_now
from shared.log.event import Actor
from shared.log.log import Stamp
from shared.log.reading import head_of
from shared.log.schema import open_database
from shared.service.commands import entries_of
from shared.tournament.registration import VenueOpened

RECEIVERS, TOURNAMENTS, BARE_POSTS = 20, 10, 1_000
TYPES = ["VenueOpened", "ResultReported"]
DELAY_MS = 2_000.0
"""Goal: 99th percentile from a result's answer to a receiver."""
PACED_SECONDS, LOOK_SECONDS, GIVE_UP_SECONDS = 0.05, 0.1, 900.0
ENV = {"MUSTER_WEBHOOK_NETWORKS": "127.0.0.0/8", "MUSTER_WEBHOOK_HTTP": "yes"}
LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
ID = re.compile(rb"webhook-id: *(\S+)", re.IGNORECASE)


def run(bench: Bench) -> list[Table]:
    """Return one table for each pair of engines."""
    tables = []
    for name, _, env in bench.kinds():
        with Stack(bench.empty_folder("webhooks"), env={**env, **ENV}) as stack:
            tables.append(_measured(bench, name, stack))
    return tables


class Receivers:
    """Receivers in a thread of this process that answer 200. arrivals: (port, message id) -> time.time()."""

    def __init__(self) -> None:
        self.ports: list[int] = []
        self.arrivals: dict[tuple[int, str], float] = {}
        listening = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._serve(listening)), daemon=True).start()
        listening.wait()

    def wait_for(self, messages: int) -> list[float]:
        """Wait for a number of messages; return their arrival times. Raises RuntimeError after 15 minutes."""
        deadline = time.monotonic() + GIVE_UP_SECONDS
        while len(self.arrivals) < messages:
            if time.monotonic() > deadline:
                raise RuntimeError(f"{len(self.arrivals)} of {messages} messages came")
            time.sleep(LOOK_SECONDS)
        return list(self.arrivals.values())

    async def _serve(self, listening: threading.Event) -> None:
        servers = [await asyncio.start_server(self._receive, "127.0.0.1", 0) for _ in range(RECEIVERS)]
        self.ports = [server.sockets[0].getsockname()[1] for server in servers]
        listening.set()
        await asyncio.gather(*(server.serve_forever() for server in servers))

    async def _receive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        port = writer.get_extra_info("sockname")[1]
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length, id = LENGTH.search(head), ID.search(head)
                body = await reader.readexactly(int(length[1])) if length else b""
                verifies = b"webhook.verification" in body
                if id and not verifies:
                    self.arrivals.setdefault((port, id[1].decode()), time.time())
                echo = body if verifies else b""
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(echo) + echo)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


def _measured(bench: Bench, name: str, stack: Stack) -> Table:
    events, receivers, host = bench.size(5_000, 100), Receivers(), operator(stack.urls, stack.issuer)
    bare, open_round = _bare_rate(receivers.ports[0]), open_event(host, bench.size(400, 20))
    tournaments = [Event(host, 8) for _ in range(TOURNAMENTS)]
    connection = HTTPConnection("127.0.0.1", stack.settings("scoring").port)
    for port in receivers.ports:
        body = {"name": f"Receiver {port}", "url": f"http://127.0.0.1:{port}/", "filter": {"types": TYPES}}
        headers = {"Authorization": f"Bearer {host.token}", "Content-Type": "application/json"}
        send_once(connection, Request("POST", "/tournaments/installation/webhooks", headers, orjson.dumps(body)))
    connection.close()
    bench.progress(f"webhooks: {name}, {events:,} events to {RECEIVERS} receivers")
    stack.stop()
    _open_venues(stack, [one.director.id for one in tournaments], events // TOURNAMENTS)
    stack.start()
    times = receivers.wait_for(events * RECEIVERS)
    rate = len(times) / (max(times) - min(times))
    bench.progress(f"webhooks: {name}, delays")
    answered: dict[str, float] = {}
    for report in open_round.reports():
        _, content = send_once(connection, report)
        answered[orjson.loads(content)["events"][0]["id"]] = time.time()
        time.sleep(PACED_SECONDS)
    receivers.wait_for((events + len(answered)) * RECEIVERS)
    connection.close()
    delays = [(at - answered[id]) * 1000 for (_, id), at in receivers.arrivals.items() if id in answered]
    rows = [
        row_of("messages out of a backlog", "a second", [rate]),
        row_of("limit: bare POSTs on one connection", "a second", [bare]),
        row_of("from a result's answer to a receiver", "ms", delays, tail=True, at_most=DELAY_MS),
    ]
    notes = [f"{RECEIVERS} webhooks of the installation, {TOURNAMENTS} tournaments, over HTTP on this machine."]
    return Table(f"{name}: webhooks", rows, notes)


def _bare_rate(port: int) -> float:
    connection, body = HTTPConnection("127.0.0.1", port), bytes(700)
    started = time.perf_counter()
    for _ in range(BARE_POSTS):
        connection.request("POST", "/", body)
        connection.getresponse().read()
    connection.close()
    return BARE_POSTS / (time.perf_counter() - started)


def _open_venues(stack: Stack, tournaments: list[str], number: int) -> None:
    """Append a number of events to each log of registration while Muster is stopped."""
    database = open_database(stack.settings("registration").database_url)
    venues = [VenueOpened(venue=f"v-{count}", name=f"Hall {count}") for count in range(number)]
    for tournament in tournaments:
        with database.reading() as connection:
            head = head_of(connection, "registration", tournament)
        stamp = Stamp(Actor("organiser", "organiser"), uuid4().hex, utc_now(), {})
        append(database, "registration", tournament, head, entries_of(venues), stamp)
    database.close()
