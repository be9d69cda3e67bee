"""Peers over HTTP: the owners of the logs, who have what was missed, and those who hold copies of this service's own.

    GET {base}/tournaments/{id}/log?source=&after=&limit=    one log behind a position
    GET {base}/log?after=&limit=                             everything of the service behind a feed position

Both answer with CloudEvents, one a line; the feed says in `Muster-Feed-End` where it ends. An owner is believed about
its own log, and not trusted with the reader: an answer is bounded in bytes and in time, and whatever is wrong with it
is one of the errors of `errors.py`. Of an answer that is longer than the bound the whole lines are used; who asks again
goes on behind them, as behind a page that its owner ended by bytes: only an empty page is the last. Of one log nothing
is believed that is not vouched for.

    GET {base}/copies?source=                          how many events, and the last of them in the feed
    GET {base}/copies/heads?source=&after=&limit=      where each log ends, tournament by tournament
    GET {base}/copies/feed?source=&after=&limit=       where events stand in the feed
    GET {base}/tournaments/{id}/log?source=&after=     the events

Here the roles are turned around: the peer has copies, and the owner asks. Nothing of it is signed, for only the owner
signs its log; so events are believed as far as they follow, hash by hash, and as far as the peers agree.
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
from shared.log.copies import FeedPlace
from shared.log.event import EMPTY_HEAD, GENESIS, Head, Recorded
from shared.log.log import BrokenLog, verify
from shared.messaging.envelope import (
    FEED_END,
    LARGEST_FEED,
    LARGEST_MESSAGE,
    Line,
    NotAnEvent,
    parse_line,
    to_printable,
)
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
"""Seconds without a byte."""
ANSWER_SECONDS = 30.0
"""For a whole answer, however steadily it drips."""
ANSWER_BYTES = 2 * LARGEST_MESSAGE
"""Of an answer that are read. A page has one event, or 4 MiB of data and commands before their quotes are escaped."""

_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


T = TypeVar("T")


class FeedPage(msgspec.Struct, frozen=True):
    """Lines of a feed in order, and the feed position at which the owner's feed ended."""

    lines: list[bytes]
    end: int


class UpstreamFeed:
    """A client of the services that own the logs copied here; may be used from several threads.

    bases: source -> base URL of its service. headers: made anew for each request (a token, say). Each also names the
    request at hand.
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
        # Made when first needed, of modules that many processes never need: none waits for them when it starts.
        from http.cookiejar import CookieJar, DefaultCookiePolicy

        import httpx

        from shared.messaging.http_transport import DeadlineTransport

        tls = any(base.startswith("https:") for base in self._bases.values())
        # No cookie is kept, no redirect followed, nothing unpacked: none of it belongs to a log.
        return httpx.Client(
            timeout=httpx.Timeout(self._timeout.each, connect=self._timeout.connect),
            transport=self._transport or DeadlineTransport(tls=tls),
            follow_redirects=False,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            headers={"Accept-Encoding": "identity"},
        )

    def fetch(self, source: str, tournament: str, after: int, limit: int = PAGE) -> list[Line]:
        """The next lines of one log behind position `after`; empty when there are none.

        Raises OwnerUnavailable, as LogUnknown where the owner has no such log, and as OwnerWrong.
        """
        path = f"/tournaments/{quote(tournament, safe='')}/log"
        found, _ = self.lines(source, path, {"source": source, "after": after, "limit": limit})
        try:
            lines = [parse_line(line) for line in found]
        except NotAnEvent as error:
            said = to_printable(str(error))
            raise InvalidOwnerAnswer(f"{source}{path} answered with something else than events: {said}") from error
        return _signed_part(f"{source}{path}", lines, lambda line: line.signature)

    def feed(self, source: str, after: int, limit: int = PAGE) -> FeedPage:
        """The next lines of the feed of `source` behind feed position `after`.

        Raises OwnerUnavailable, as OwnerWrong where the answer is none.
        """
        lines, headers = self.lines(source, "/log", {"after": after, "limit": limit})
        end = headers.get(FEED_END, "")
        if not _NUMBER.fullmatch(end) or int(end) > LARGEST_FEED:
            raise InvalidOwnerAnswer(f"{source}/log answered without a {FEED_END} that can be")
        return FeedPage(_signed_part(f"{source}/log", lines, _signature), int(end))

    def lines(
        self, source: str, path: str, parameters: Mapping[str, str | int]
    ) -> tuple[list[bytes], Mapping[str, str]]:
        """The lines of an answer of the service `source`, as far as they came whole within the bounds, and its headers.

        Raises OwnerUnavailable, as LogUnknown for 404, and as OwnerWrong.
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
        except Exception as error:  # an answer may break the client in more ways than its authors have named
            said = to_printable(f"{type(error).__name__}: {error}")
            raise OwnerUnavailable(f"{source}{path}: {said}") from error

    def close(self) -> None:
        """Close the connections."""
        if "_client" in self.__dict__:
            self._client.close()


def _whole_lines(chunks: Iterator[bytes], until: float) -> Iterator[bytes]:
    """Yield the lines that are not empty; what is left at the end is one too, unless the bounds have ended it."""
    parts: list[bytes] = []
    count = size = begun = 0
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        parts.append(first)
        begun += len(first)
        if others:
            *lines, rest = b"".join(parts), *others
            parts, begun = [rest], len(rest)
            for line in filter(None, lines):
                count += 1
                yield line
        size += len(chunk)
        if begun > LARGEST_MESSAGE:
            raise InvalidOwnerAnswer("a line is longer than any event")
        if size > ANSWER_BYTES or time.monotonic() > until:
            if not count:
                raise OwnerUnavailable(f"no whole line within {ANSWER_SECONDS:g} s and {ANSWER_BYTES} bytes")
            return
    if begun:
        yield b"".join(parts)


def _signed_part(path: str, lines: list[T], signature: Callable[[T], str]) -> list[T]:
    """A page up to its last signature: what came behind that is asked for again. Raises OwnerWrong."""
    signed = next((index for index in range(len(lines), 0, -1) if signature(lines[index - 1])), 0)
    if lines and not signed:
        raise InvalidOwnerAnswer(f"{path} answered with events not vouched for")
    return lines[:signed]


def _signature(line: bytes) -> str:
    try:
        return parse_line(line).signature
    except NotAnEvent:
        return "?"  # for the inbox to say what is wrong with it


class Fetch(Protocol):
    """The next lines of a log behind a position, from its owner. Raises OwnerUnavailable."""

    def __call__(self, source: str, tournament: str, after: int, limit: int = PAGE) -> list[Line]: ...


class UpstreamLog:
    """Asks owners for their logs.

    fetch: asks. keyring: says what they vouch for. fault_of: why an event that is vouched for must not be copied.
    """

    def __init__(self, fetch: Fetch, keyring: Keyring, fault_of: Callable[[Recorded], BrokenLog | None]) -> None:
        self._fetch = fetch
        self._keyring = keyring
        self._fault_of = fault_of

    def page(self, source: str, tournament: str, after: int) -> tuple[list[Recorded], BrokenLog | None]:
        """What may be copied of the next events behind a position, and what was found wrong or too new behind that.

        Both are empty at the end of the log. Raises OwnerUnavailable, as OwnerWrong for what is not vouched for.
        """
        lines = self._fetch(source, tournament, after)
        if not lines:
            return [], None
        first = lines[0].event
        if (first.source, first.tournament, first.position) != (source, tournament, after + 1):
            raise InvalidOwnerAnswer(f"{source} answered for {tournament} after {after} with {to_printable(first.id)}")
        return self._looked_at([line.event for line in lines], lines[-1].signature)

    def whole(self, source: str, tournament: str) -> tuple[list[Recorded], BrokenLog | None]:
        """The owner's log from its first event on, as far as it may be copied, and what ends it before its end.

        Raises OwnerUnavailable, as LogUnknown where the owner has no such log, and as OwnerWrong where its chain does
        not hold to its last event.
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

    def _require_chain(self, source: str, tournament: str, begun: list[Recorded]) -> None:
        """Raise OwnerWrong if the owner's log does not go on from `begun` to its end event by event."""
        head = Head(begun[-1].position, begun[-1].hash) if begun else EMPTY_HEAD
        while lines := self._fetch(source, tournament, head.position):
            try:
                head = verify([line.event for line in lines], head)
            except BrokenLog as broken:
                remedy = f"muster fsck --service {source} --repair"
                raise InvalidOwnerAnswer(
                    f"the log of its owner is damaged: {to_printable(str(broken))}; {remedy}"
                ) from broken

    def hash_at(self, source: str, tournament: str, position: int) -> str | None:
        """The hash of the owner's event at a position, whether vouched for or not; None where its log has none."""
        lines = self._fetch(source, tournament, position - 1)
        return lines[0].event.hash if lines else None

    def _looked_at(self, events: list[Recorded], signature: str) -> tuple[list[Recorded], BrokenLog | None]:
        try:
            verify(events, Head(events[0].position - 1, events[0].prev_hash))
        except BrokenLog as broken:
            # The last signature stands for nothing before the break, so the owner is asked for that much alone.
            sound = next(index for index, event in enumerate(events) if event is broken.event)
            return (self._vouched_part(events[:sound]) if sound else []), broken
        if fault := self._keyring.fault(events[-1].source, log_statement(events[-1]), signature):
            raise InvalidOwnerAnswer(f"{events[0].source} answered for {events[0].tournament} with events {fault}")
        for index, event in enumerate(events):
            if (refused := self._fault_of(event)) is not None:
                return events[:index], refused
        return events, None

    def _vouched_part(self, events: list[Recorded]) -> list[Recorded]:
        first = events[0]
        lines = self._fetch(first.source, first.tournament, first.position - 1, len(events))
        if [line.event for line in lines] != events:
            raise InvalidOwnerAnswer(f"{first.source} answered for {first.tournament} in two ways")
        return self._looked_at(events, lines[-1].signature)[0]


PLACES = 2000
"""Heads or places of one page."""

Body = TypeVar("Body", bound=msgspec.Struct)


class CopySummary(msgspec.Struct, frozen=True):
    """What a peer holds of a source. events: how many. last: the one furthest in the source's feed."""

    events: int
    last: FeedPlace | None = None


class CopyHead(msgspec.Struct, frozen=True):
    """Where the copy of one log ends."""

    tournament: str
    position: int
    hash: str = GENESIS

    @property
    def head(self) -> Head:
        return Head(self.position, self.hash)


class Peers:
    """Asks the peers of one source. Every method raises OwnerUnavailable, as OwnerWrong for what cannot be."""

    def __init__(self, source: str, upstream: UpstreamFeed) -> None:
        self.source = source
        self._upstream = upstream

    def held(self, peer: str) -> CopySummary:
        """How much a peer holds."""
        found = self._read(peer, "/copies", CopySummary, {"source": self.source})
        if len(found) != 1:
            raise InvalidOwnerAnswer(f"{peer}/copies answered with {len(found)} lines instead of one")
        return found[0]

    def heads(self, peer: str) -> dict[str, Head]:
        """Tournament -> where the peer's copy of the log ends."""
        found: dict[str, Head] = {}
        after = ""
        while page := self._read(
            peer, "/copies/heads", CopyHead, {"source": self.source, "after": after, "limit": PLACES}
        ):
            if page[0].tournament <= after:
                raise InvalidOwnerAnswer(f"{peer}/copies/heads does not go on after {to_printable(after)}")
            found |= {log.tournament: log.head for log in page}
            after = page[-1].tournament
        return found

    def places(self, peer: str, after: int, limit: int = PLACES) -> list[FeedPlace]:
        """The next events behind a feed position that the peer holds, in the order of the feed."""
        page = self._read(peer, "/copies/feed", FeedPlace, {"source": self.source, "after": after, "limit": limit})
        positions = [after, *(place.feed for place in page)]
        if any(one >= other for one, other in pairwise(positions)):
            raise InvalidOwnerAnswer(f"{peer}/copies/feed does not go on after {after}")
        return page

    def all_places(self, peer: str, after: int) -> Iterator[FeedPlace]:
        """All events behind a feed position that the peer holds."""
        while page := self.places(peer, after):
            yield from page
            after = page[-1].feed

    def events(self, peer: str, tournament: str, after: int) -> list[Recorded]:
        """The next events of one log behind a position, as the peer holds them; empty at the end of its copy."""
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
