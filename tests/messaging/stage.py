"""A stage for messaging: an owner with its log, a copy somewhere else, and what is between them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from shared.events.cloudevents import to_wire
from shared.events.recorded import Recorded
from shared.log import cursors, outbox
from shared.log.database import Database
from shared.log.doorbell import Doorbell
from shared.log.read import heads_from, log_page
from shared.messaging.arrivals import Arrival
from shared.messaging.intake import Intake
from shared.messaging.owners import Owners
from shared.messaging.publisher import Outgoing
from shared.messaging.wire import FEED_END, feed_line
from tests.log.stories import add, read

OWNER, COPIER = "registration", "pairing"


class PowerCut(BaseException):
    """A process that ends here; nothing catches it."""


@dataclass
class OwnerSite:
    """The owner's HTTP side, over its database. down: answers with 503. spoil: changes what it serves.

    asked: the paths that were asked for.
    """

    database: Database
    source: str = OWNER
    down: bool = False
    spoil: Callable[[Recorded], Recorded] = field(default=lambda event: event)
    asked: list[str] = field(default_factory=list)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request.url.path)
        if self.down:
            return httpx.Response(503)
        query = request.url.params
        after, limit = int(query["after"]), int(query["limit"])
        if request.url.path == "/feed":
            page, end = outbox.feed_after(self.database, self.source, after, limit)
            lines = [feed_line(feed, self.spoil(event)) for feed, event in page]
            return httpx.Response(200, headers={FEED_END: str(end)}, content=b"\n".join(lines))
        _, _, tournament, _ = request.url.path.split("/")
        with self.database.reading() as connection:
            events = log_page(connection, query["source"], tournament, after, limit)
        return httpx.Response(200, content=b"\n".join(to_wire(self.spoil(event)) for event in events))


class Stage:
    """Owner, copy, and the way between them that needs no broker."""

    def __init__(self, owner: Database, copy: Database) -> None:
        self.owner = owner
        self.copy = copy
        self.site = OwnerSite(owner)
        self.bell = Doorbell(owner)
        self.accepted: list[tuple[str, str]] = []

    def owners(self) -> Owners:
        return Owners({OWNER: "http://owner"}, transport=httpx.MockTransport(self.site))

    def intake(self) -> Intake:
        def note(tournament: str, source: str) -> None:
            self.accepted.append((tournament, source))

        return Intake(self.copy, [OWNER], self.owners().fetch, note)

    def append(self, tournament: str, *players: str) -> list[Recorded]:
        events = add(self.owner, tournament, *players)
        self.bell.ring()
        return events

    def lines(self) -> list[bytes]:
        """The owner's feed from its beginning, as messages carry it."""
        page, _ = outbox.feed_after(self.owner, OWNER, 0, 1_000_000)
        return [feed_line(feed, event) for feed, event in page]

    def arrivals(self) -> list[Arrival]:
        """The owner's feed as messages, addressed as the relay addresses them."""
        page, _ = outbox.feed_after(self.owner, OWNER, 0, 1_000_000)
        return [message(event, feed) for feed, event in page]

    def cursor(self) -> int:
        with self.copy.reading() as connection:
            return cursors.cursor_of(connection, OWNER)

    def copied(self) -> int:
        with self.copy.reading() as connection:
            return cursors.copied(connection, OWNER)

    def same(self) -> bool:
        """Whether the copies end where the logs end."""
        with self.owner.reading() as connection:
            logs = heads_from(connection, OWNER)
        with self.copy.reading() as connection:
            return heads_from(connection, OWNER) == logs

    def assert_equal(self) -> None:
        """Every copy is its log, byte for byte."""
        with self.owner.reading() as connection:
            tournaments = heads_from(connection, OWNER)
        with self.copy.reading() as connection:
            assert set(heads_from(connection, OWNER)) == set(tournaments)
        for tournament in tournaments:
            assert read(self.copy, tournament) == read(self.owner, tournament)


class MemoryPublisher:
    """Publishes into a list. faults: raised one a batch before anything else works; kept: the batch arrives
    although it was not confirmed."""

    def __init__(self, *faults: BaseException, kept: bool = False) -> None:
        self.sent: list[Outgoing] = []
        self.faults = list(faults)
        self._kept = kept

    def publish(self, batch: Sequence[Outgoing]) -> None:
        if self.faults:
            if self._kept:
                self.sent += batch
            raise self.faults.pop(0)
        self.sent += batch

    def close(self) -> None:
        pass


def message(event: Recorded, feed: int | None = None) -> Arrival:
    """An event as it comes out of a queue."""
    body = feed_line(feed, event) if feed is not None else to_wire(event)
    return Arrival(body, f"{event.source}.{event.type}.{event.tournament}")


@contextmanager
def running(*parts: Any) -> Iterator[threading.Event]:
    """Parts in threads, for a block; what a part dies of is raised at its end."""
    stop, deaths = threading.Event(), []

    def run(part: Any) -> None:
        try:
            part.run(stop)
        except BaseException as error:
            deaths.append(error)

    threads = [threading.Thread(target=run, args=(part,), daemon=True) for part in parts]
    for thread in threads:
        thread.start()
    try:
        yield stop
    finally:
        stop.set()
        for thread in threads:
            thread.join(30)
    assert not any(thread.is_alive() for thread in threads)
    if deaths:
        raise deaths[0]


def until(holds: Callable[[], object], seconds: float = 30.0) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"did not come to hold within {seconds} s"
        time.sleep(0.005)
