"""HTTP clients of the other services: of the owners of logs, and of peers that hold copies of the own log.

    GET {base}/tournaments/{id}/log?source=&after=&limit=    one log after a position
    GET {base}/log?after=&limit=                             the feed of the service after a feed position

Both answer with one CloudEvent per line; `Muster-Feed-End` is the end of the feed. An owner is the authority on its own
log but may not harm the reader: answers are limited in bytes and time, and every problem is one of the exceptions of
`errors.py`. Of an answer above the limit the complete lines are used, and the next request continues after them, as
after a page that the owner limited by size. Only an empty page is the last one. Events of a log need valid signatures.

    GET {base}/copies?source=                          number of copied events, and the last one in the feed
    GET {base}/copies/heads?source=&after=&limit=      heads of the copied logs, ordered by tournament
    GET {base}/copies/feed?source=&after=&limit=       feed positions of copied events
    GET {base}/tournaments/{id}/log?source=&after=     the events

Here the peer holds copies and the owner asks. These answers are not signed, because only the owner signs its log.
Events are accepted as far as their hashes form a chain and the peers agree.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol, TypeVar
from urllib.parse import quote

import msgspec

from shared import tracing
from shared.log.cloudevents import NotAnEvent
from shared.log.copies import FeedPlace
from shared.log.event import EMPTY_HEAD, GENESIS, Head, Recorded
from shared.log.log import BrokenLog, verify
from shared.messaging.envelope import FEED_END, LARGEST_FEED, LARGEST_MESSAGE, Line, parse_line, to_printable
from shared.messaging.errors import InvalidOwnerAnswer, LogUnknown, OwnerUnavailable, within_deadline
from shared.messaging.vouching import Keyring, log_statement

if TYPE_CHECKING:
    import httpx

PAGE = 500


class Timeout(msgspec.Struct, frozen=True):
    """Seconds for each read and write, and for connecting."""

    each: float
    connect: float


TIMEOUT = Timeout(10.0, connect=2.0)
ANSWER_SECONDS = 30.0
"""Maximum time for a whole answer, however steadily it arrives."""
ANSWER_BYTES = 2 * LARGEST_MESSAGE
"""Maximum bytes of an answer. A page has one event, or 4 MiB of data and commands before their quotes are escaped."""

_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


T = TypeVar("T")


class FeedPage(msgspec.Struct, frozen=True):
    """Consecutive lines of a feed, and the end of the owner's feed."""

    lines: list[bytes]
    end: int


class UpstreamFeed:
    """A client of the services that own the copied logs. Thread-safe.

    bases: source -> base URL of its service. headers: returns the headers of a request, such as a token. Trace headers
    are added.
    """

    def __init__(
        self,
        bases: Mapping[str, str],
        headers: Callable[[], Mapping[str, str]] = dict,
        transport: httpx.BaseTransport | None = None,
        timeout: Timeout = TIMEOUT,
    ) -> None:
        self._bases = bases
        self._headers = headers
        self._transport = transport
        self._timeout = timeout

    @cached_property
    def _client(self) -> httpx.Client:
        # Imported on first use, because many processes never need these modules and should start quickly.
        from http.cookiejar import CookieJar, DefaultCookiePolicy

        import httpx

        from shared.messaging.http_transport import DeadlineTransport

        tls = any(base.startswith("https:") for base in self._bases.values())
        # A log needs no cookies, redirects or compression.
        return httpx.Client(
            timeout=httpx.Timeout(self._timeout.each, connect=self._timeout.connect),
            transport=self._transport or DeadlineTransport(tls=tls),
            follow_redirects=False,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            headers={"Accept-Encoding": "identity"},
        )

    def fetch(self, source: str, tournament: str, after: int, limit: int = PAGE) -> list[Line]:
        """Return the next lines of one log after position `after`; empty at its end.

        Raises OwnerUnavailable, LogUnknown and InvalidOwnerAnswer.
        """
        path = f"/tournaments/{quote(tournament, safe='')}/log"
        found, _ = self.lines(source, path, {"source": source, "after": after, "limit": limit})
        try:
            lines = [parse_line(line) for line in found]
        except NotAnEvent as error:
            reason = to_printable(str(error))
            raise InvalidOwnerAnswer(f"{source}{path} answered with something else than events: {reason}") from error
        return _signed_part(f"{source}{path}", lines, lambda line: line.signature)

    def feed(self, source: str, after: int, limit: int = PAGE) -> FeedPage:
        """Return the next lines of the feed of `source` after feed position `after`.

        Raises OwnerUnavailable, or InvalidOwnerAnswer for an invalid answer.
        """
        lines, headers = self.lines(source, "/log", {"after": after, "limit": limit})
        end = headers.get(FEED_END, "")
        if not _NUMBER.fullmatch(end) or int(end) > LARGEST_FEED:
            raise InvalidOwnerAnswer(f"{source}/log answered without a {FEED_END} that can be")
        return FeedPage(_signed_part(f"{source}/log", lines, _signature), int(end))

    def lines(
        self, source: str, path: str, parameters: Mapping[str, str | int]
    ) -> tuple[list[bytes], Mapping[str, str]]:
        """Return the complete lines of an answer within the limits, and its headers.

        Raises OwnerUnavailable, LogUnknown (404) and InvalidOwnerAnswer.
        """
        until = time.monotonic() + ANSWER_SECONDS
        headers = {**tracing.outgoing_headers(), **self._headers()}
        try:
            with (
                within_deadline(ANSWER_SECONDS),
                self._client.stream("GET", self._bases[source] + path, params=parameters, headers=headers) as answer,
            ):
                if answer.status_code == 404:
                    raise LogUnknown(f"{source}{path} answered 404")
                if answer.status_code != 200:
                    raise OwnerUnavailable(f"{source}{path} answered {answer.status_code}")
                if answer.headers.get("Content-Encoding", "identity") != "identity":
                    raise InvalidOwnerAnswer(f"{source}{path} answered in an encoding that was not asked for")
                return list(_whole_lines(answer.iter_bytes(), until)), answer.headers
        except OwnerUnavailable:
            raise
        except Exception as error:  # answers can break the client in undocumented ways
            raise OwnerUnavailable(f"{source}{path}: {to_printable(f'{type(error).__name__}: {error}')}") from error

    def close(self) -> None:
        """Close the connections."""
        if "_client" in self.__dict__:
            self._client.close()


def _whole_lines(chunks: Iterator[bytes], until: float) -> Iterator[bytes]:
    """Yield the non-empty lines, including an unterminated last one unless a limit cut it off."""
    parts: list[bytes] = []
    count = size = line_size = 0
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        parts.append(first)
        line_size += len(first)
        if others:
            *lines, rest = b"".join(parts), *others
            parts, line_size = [rest], len(rest)
            for line in filter(None, lines):
                count += 1
                yield line
        size += len(chunk)
        if line_size > LARGEST_MESSAGE:
            raise InvalidOwnerAnswer("a line is longer than any event")
        if size > ANSWER_BYTES or time.monotonic() > until:
            if not count:
                raise OwnerUnavailable(f"no whole line within {ANSWER_SECONDS:g} s and {ANSWER_BYTES} bytes")
            return
    if line_size:
        yield b"".join(parts)


def _signed_part(path: str, lines: list[T], signature: Callable[[T], str]) -> list[T]:
    """Return a page up to its last signed line; the rest is requested again. Raises InvalidOwnerAnswer."""
    signed = next((index for index in range(len(lines), 0, -1) if signature(lines[index - 1])), 0)
    if lines and not signed:
        raise InvalidOwnerAnswer(f"{path} answered with events not vouched for")
    return lines[:signed]


def _signature(line: bytes) -> str:
    try:
        return parse_line(line).signature
    except NotAnEvent:
        return "?"  # counts as signed; the inbox reports what is wrong with the line


class Fetch(Protocol):
    """Returns the next lines of a log after a position from its owner. Raises OwnerUnavailable."""

    def __call__(self, source: str, tournament: str, after: int, limit: int = PAGE) -> list[Line]: ...


class UpstreamLog:
    """Reads and verifies the logs of owners.

    keyring: the public keys of the owners. fault_of: returns why a signed event must not be copied, or None.
    """

    def __init__(self, fetch: Fetch, keyring: Keyring, fault_of: Callable[[Recorded], BrokenLog | None]) -> None:
        self._fetch = fetch
        self._keyring = keyring
        self._fault_of = fault_of

    def page(self, source: str, tournament: str, after: int) -> tuple[list[Recorded], BrokenLog | None]:
        """Return the next events after a position that may be copied, and the fault of the event that follows them.

        At the end of the log there are no events and no fault. Raises OwnerUnavailable, and InvalidOwnerAnswer for
        events without a valid signature.
        """
        lines = self._fetch(source, tournament, after)
        if not lines:
            return [], None
        first = lines[0].event
        if (first.source, first.tournament, first.position) != (source, tournament, after + 1):
            raise InvalidOwnerAnswer(f"{source} answered for {tournament} after {after} with {to_printable(first.id)}")
        return self._verify([line.event for line in lines], lines[-1].signature)

    def whole(self, source: str, tournament: str) -> tuple[list[Recorded], BrokenLog | None]:
        """Return the owner's log from its first event as far as it may be copied, and the fault that ends it early.

        Raises OwnerUnavailable, LogUnknown, and InvalidOwnerAnswer if its chain is broken anywhere.
        """
        log: list[Recorded] = []
        while True:
            events, refused = self.page(source, tournament, len(log))
            if events and events[0].prev_hash != (log[-1].hash if log else GENESIS):
                raise InvalidOwnerAnswer(
                    f"{source} answered for {tournament} after {len(log)} with {to_printable(events[0].id)}"
                )
            log += events
            if refused is not None:
                self._require_chain(source, tournament, log)
            if refused is not None or not events:
                return log, refused

    def _require_chain(self, source: str, tournament: str, events: list[Recorded]) -> None:
        """Raise InvalidOwnerAnswer if the chain of the owner's log is broken after `events`."""
        head = Head(events[-1].position, events[-1].hash) if events else EMPTY_HEAD
        while lines := self._fetch(source, tournament, head.position):
            try:
                head = verify([line.event for line in lines], head)
            except BrokenLog as broken:
                remedy = f"muster fsck --service {source} --repair"
                raise InvalidOwnerAnswer(
                    f"the log of its owner is damaged: {to_printable(str(broken))}; {remedy}"
                ) from broken

    def hash_at(self, source: str, tournament: str, position: int) -> str | None:
        """Return the hash of the owner's event at a position without checking signatures; None if there is no event."""
        lines = self._fetch(source, tournament, position - 1)
        return lines[0].event.hash if lines else None

    def _verify(self, events: list[Recorded], signature: str) -> tuple[list[Recorded], BrokenLog | None]:
        try:
            verify(events, Head(events[0].position - 1, events[0].prev_hash))
        except BrokenLog as broken:
            # The last signature does not cover the events before the break, so they are requested separately.
            valid = next(index for index, event in enumerate(events) if event is broken.event)
            return (self._fetch_signed(events[:valid]) if valid else []), broken
        if fault := self._keyring.fault(events[-1].source, log_statement(events[-1]), signature):
            raise InvalidOwnerAnswer(f"{events[0].source} answered for {events[0].tournament} with events {fault}")
        for index, event in enumerate(events):
            if (refused := self._fault_of(event)) is not None:
                return events[:index], refused
        return events, None

    def _fetch_signed(self, events: list[Recorded]) -> list[Recorded]:
        """Return `events` after requesting exactly them, so that the last one is signed. Raises InvalidOwnerAnswer."""
        first = events[0]
        lines = self._fetch(first.source, first.tournament, first.position - 1, len(events))
        if [line.event for line in lines] != events:
            raise InvalidOwnerAnswer(f"{first.source} answered for {first.tournament} in two ways")
        return self._verify(events, lines[-1].signature)[0]


PLACES = 2000
"""Heads or feed positions of one page."""

Body = TypeVar("Body", bound=msgspec.Struct)


class CopySummary(msgspec.Struct, frozen=True):
    """A peer's copies of one source. events: their number. last: the event with the highest feed position."""

    events: int
    last: FeedPlace | None = None


class CopyHead(msgspec.Struct, frozen=True):
    """The head of a copied log."""

    tournament: str
    position: int
    hash: str = GENESIS

    @property
    def head(self) -> Head:
        return Head(self.position, self.hash)


class Peers:
    """A client for the peers' copies of one source.

    Every method raises OwnerUnavailable, and InvalidOwnerAnswer for impossible answers.
    """

    def __init__(self, source: str, upstream: UpstreamFeed) -> None:
        self.source = source
        self._upstream = upstream

    def held(self, peer: str) -> CopySummary:
        """Return the summary of a peer's copies."""
        found = self._read(peer, "/copies", CopySummary, {"source": self.source})
        if len(found) != 1:
            raise InvalidOwnerAnswer(f"{peer}/copies answered with {len(found)} lines instead of one")
        return found[0]

    def heads(self, peer: str) -> dict[str, Head]:
        """Return tournament -> head of the peer's copy."""
        heads: dict[str, Head] = {}
        after = ""
        while page := self._read(
            peer, "/copies/heads", CopyHead, {"source": self.source, "after": after, "limit": PLACES}
        ):
            if page[0].tournament <= after:
                raise InvalidOwnerAnswer(f"{peer}/copies/heads does not go on after {to_printable(after)}")
            heads |= {log.tournament: log.head for log in page}
            after = page[-1].tournament
        return heads

    def places(self, peer: str, after: int, limit: int = PLACES) -> list[FeedPlace]:
        """Return the peer's next copied events after a feed position, in feed order."""
        page = self._read(peer, "/copies/feed", FeedPlace, {"source": self.source, "after": after, "limit": limit})
        positions = [after, *(place.feed for place in page)]
        if any(position >= following for position, following in pairwise(positions)):
            raise InvalidOwnerAnswer(f"{peer}/copies/feed does not go on after {after}")
        return page

    def all_places(self, peer: str, after: int) -> Iterator[FeedPlace]:
        """Yield all of the peer's copied events after a feed position."""
        while page := self.places(peer, after):
            yield from page
            after = page[-1].feed

    def events(self, peer: str, tournament: str, after: int) -> list[Recorded]:
        """Return the next events of one log after a position from the peer's copy; empty at its end."""
        path = f"/tournaments/{quote(tournament, safe='')}/log"
        lines, _ = self._upstream.lines(peer, path, {"source": self.source, "after": after, "limit": PAGE})
        try:
            return [parse_line(line).event for line in lines]
        except NotAnEvent as error:
            raise InvalidOwnerAnswer(
                f"{peer}{path} answered with something else than events: {to_printable(str(error))}"
            ) from error

    def _read(self, peer: str, path: str, kind: type[Body], query: dict[str, str | int]) -> list[Body]:
        lines, _ = self._upstream.lines(peer, path, query)
        try:
            return [msgspec.json.decode(line, type=kind) for line in lines]
        except msgspec.MsgspecError as error:
            raise InvalidOwnerAnswer(
                f"{peer}{path} answered with something else: {to_printable(str(error))}"
            ) from error
