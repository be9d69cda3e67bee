"""A test stage for messaging: an owner with its log, a copy, and the transport between them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import httpx

from shared.keys import SigningKey
from shared.log import copies, outbox
from shared.log.cloudevents import routing_key
from shared.log.database import Database
from shared.log.event import GENESIS, Recorded, canonical_json
from shared.log.outbox import CommitNotifier
from shared.log.reading import heads_of_source, log_page
from shared.messaging.broker import Broker
from shared.messaging.envelope import FEED_END, InboundMessage, feed_line, log_line
from shared.messaging.inbox import Inbox
from shared.messaging.peers import UpstreamFeed
from shared.messaging.publisher import Outgoing
from shared.messaging.relay import Relay
from shared.messaging.vouching import FeedChain, Keyring, Signer, feed_digest, feed_lines, log_lines, sign_places
from shared.service.gates import event_fault
from shared.settings import SERVICES
from tests.eventlog.stories import add, read
from tests.waiting import PATIENCE

OWNER, COPIER = "registration", "pairing"

KEYS = {source: SigningKey("test-1", sha256(source.encode()).digest()) for source in SERVICES}
"""The signing key of each source in tests without settings."""
KEYRING = Keyring({source: {key.kid: key.public} for source, key in KEYS.items()})
SIGNERS = {source: Signer(source, [key]) for source, key in KEYS.items()}


def feed_messages(chain: FeedChain, signer: Signer, page: Sequence[tuple[int, Recorded]]) -> list[bytes]:
    """Return the lines of a feed page as the relay publishes them, each with its own signature."""
    vouched = zip(page, sign_places(chain, signer, page), strict=True)
    return [feed_line(feed, event, *place, signer.at) for (feed, event), place in vouched]


class PowerCut(BaseException):
    """A crash of the process; nothing catches it."""


@dataclass
class OwnerSite:
    """The owner's HTTP interface over its database. down: answers with 503. spoil: changes served events.

    missing: unknown tournaments. asked: the requested paths.
    """

    database: Database
    source: str = OWNER
    down: bool = False
    spoil: Callable[[Recorded], Recorded] = field(default=lambda event: event)
    missing: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)

    @property
    def signer(self) -> Signer:
        return SIGNERS[self.source]

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request.url.path)
        if self.down:
            return httpx.Response(503)
        query = request.url.params
        after, limit = int(query["after"]), int(query["limit"])
        if request.url.path == "/log":
            page, end = outbox.feed_after(self.database, self.source, after, limit)
            served = [(feed, self.spoil(event)) for feed, event in page]
            lines = list(feed_lines(FeedChain(self.database, self.source), self.signer, served))
            return httpx.Response(200, headers={FEED_END: str(end)}, content=b"\n".join(lines))
        _, _, tournament, _ = request.url.path.split("/")
        if tournament in self.missing:
            return httpx.Response(404)
        with self.database.reading() as connection:
            events = log_page(connection, query["source"], tournament, after, limit)
        return httpx.Response(200, content=b"\n".join(log_lines(self.signer, [self.spoil(event) for event in events])))


class Stage:
    """An owner, a copy, and the transport between them without a broker."""

    def __init__(self, owner: Database, copy: Database) -> None:
        self.owner = owner
        self.copy = copy
        self.site = OwnerSite(owner)
        self.notifier = CommitNotifier(owner)
        self.accepted: list[tuple[str, str]] = []

    def upstream(self) -> UpstreamFeed:
        return UpstreamFeed({OWNER: "http://owner"}, transport=httpx.MockTransport(self.site))

    def inbox(self) -> Inbox:
        def note(tournament: str, source: str) -> None:
            self.accepted.append((tournament, source))

        return Inbox(self.copy, [OWNER], KEYRING, event_fault, self.upstream().fetch, note)

    def relay(self, broker: Broker, **options: Any) -> Relay:
        return Relay(self.owner, OWNER, broker, SIGNERS[OWNER], **options)

    def append(self, tournament: str, *players: str) -> list[Recorded]:
        events = add(self.owner, tournament, *players)
        self.notifier.notify()
        return events

    def lines(self) -> list[bytes]:
        """Return the owner's feed as message bodies."""
        page, _ = outbox.feed_after(self.owner, OWNER, 0, 1_000_000)
        return feed_messages(FeedChain(self.owner, OWNER), SIGNERS[OWNER], page)

    def arrivals(self) -> list[InboundMessage]:
        """Return the owner's feed as messages with their routing keys."""
        page, _ = outbox.feed_after(self.owner, OWNER, 0, 1_000_000)
        return [InboundMessage(line, routing_key(event)) for line, (_, event) in zip(self.lines(), page, strict=True)]

    def cursor(self) -> int:
        with self.copy.reading() as connection:
            return copies.cursor_of(connection, OWNER)

    def heard(self) -> int:
        with self.copy.reading() as connection:
            return copies.cursor_and_claimed(connection, OWNER)[1]

    def copied(self) -> int:
        with self.copy.reading() as connection:
            return copies.count_copied(connection, OWNER)

    def same(self) -> bool:
        """Return True if the copies end where the logs end."""
        with self.owner.reading() as connection:
            logs = heads_of_source(connection, OWNER)
        with self.copy.reading() as connection:
            return heads_of_source(connection, OWNER) == logs

    def assert_equal(self) -> None:
        """Check that every copy equals its log byte for byte."""
        with self.owner.reading() as connection:
            tournaments = heads_of_source(connection, OWNER)
        with self.copy.reading() as connection:
            assert set(heads_of_source(connection, OWNER)) == set(tournaments)
        for tournament in tournaments:
            assert read(self.copy, tournament) == read(self.owner, tournament)


def quoted_command(size: int) -> str:
    """Return a command of a given size that consists mostly of escaped quotes."""
    record = {"by": {}, "data": {"t": ""}, "decision": 1, "type": "Note", "version": 1}
    room = size - len(canonical_json(record))
    return canonical_json({**record, "data": {"t": '"' * (room // 2) + "x" * (room % 2)}})


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


def message(
    event: Recorded, feed: int | None = None, *, signer: Signer | None = None, like: Recorded | None = None
) -> InboundMessage:
    """An event as it comes out of a queue, vouched for by its source.

    signer: whose signature it carries instead. like: the event that the signature stands over, where somebody has
    changed it since.
    """
    signer, true = signer or SIGNERS.get(event.source) or SIGNERS[OWNER], like or event
    if feed is None:
        return InboundMessage(log_line(event, signer.log(true)), routing_key(event))
    digest = feed_digest(GENESIS, feed, true.tournament, true.position, true.hash)
    return InboundMessage(feed_line(feed, event, GENESIS, signer.feed(feed, digest)), routing_key(event))


@contextmanager
def running(*parts: Any) -> Iterator[threading.Event]:
    """Run parts in threads during the block; raise their exceptions at its end."""
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
            thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in threads)
    if deaths:
        raise deaths[0]
