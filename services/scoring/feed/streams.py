"""Streams of the feed, and the thread that serves all streams of a process.

Streams of the same readers with the same filters that have read equally far are told the same bytes, made once. Those
that are up to date come first; those that catch up share what is left of each turn, a page at a time. A stream whose
client has not taken all so far gets no more until it has: its place is in the log, and nothing is kept for it here.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from time import monotonic
from typing import Any, Protocol

from msgspec import Struct
from sqlalchemy.exc import SQLAlchemyError

from services.scoring.feed.places import ALL, Place, place_of
from services.scoring.feed.readers import (
    HEARTBEAT,
    CursorUnknown,
    Read,
    Reader,
    Tournaments,
    cursor_of,
    lines_of,
    page_after,
    sight_of,
    stream_beginning,
    stream_events,
    stream_place,
    stream_problem,
)
from services.scoring.feed.results import Results
from shared.log.database import Connection
from shared.logs import get_logger
from shared.messaging.errors import DATABASE_AWAY
from shared.metrics import STREAMS, STREAMS_ENDED, STREAMS_LAG
from shared.refusals import Refusal
from shared.roles import EVERY_TOURNAMENT
from shared.service.visibility import require_valid_token
from shared.service.wiring import Service
from shared.tournament.webhooks import EventFilter
from shared.web.refusals import Kind, TokenExpired, TokenRevoked, problem_members
from shared.web.streams import Stream
from shared.web.tokens import Caller

HEARTBEAT_SECONDS = 15.0
"""Longest silence on a stream; proxies mostly give up after a minute."""
RETRY_MS = (1000, 3000)
"""Least and most milliseconds that a client waits before it comes back: not all of them at the same moment."""


class Following(Struct, frozen=True):
    """Who follows what. who: None without a token. key: the same for all who are told the same.

    payer: who counts it among their streams. request_id, kinds: for the problem with which it may end.
    """

    reader: Reader
    filter: EventFilter
    who: Caller | None
    key: str
    payer: str
    request_id: str
    kinds: Mapping[str, Kind]


class Streams(Protocol):
    """What tells streams: the tailer of the process."""

    def add(self, stream: FeedStream) -> None: ...
    def remove(self, stream: FeedStream, why: str) -> None: ...


class FeedStream(Stream):
    """A stream of the feed; the tailer of the process sends what happens.

    environ: of the request. read: how far. served: number of the tailer's turn in which it was told something last.
    """

    def __init__(self, environ: Mapping[str, Any], tailer: Streams, following: Following, read: Read) -> None:
        super().__init__(environ)
        self.following = following
        self.read = read
        self.served = 0
        self._tailer = tailer
        self._told = ""
        self._due = 0.0
        self._refused = False

    def opened(self) -> None:
        self._told = cursor_of(self.read, self.following.reader)
        self._say(stream_beginning(self._told, random.randint(*RETRY_MS)))
        self._tailer.add(self)

    def closed(self, *, slow: bool) -> None:
        self._tailer.remove(self, "slow" if slow else "left")

    def tell(self, piece: bytes, read: Read, cursor: str) -> None:
        """piece: the events up to there; empty where none was for this stream. cursor: of the last of them."""
        self.read = read
        if piece:
            self._told = cursor
            self._say(piece)

    def beat(self, now: float) -> None:
        """End a long silence, and say how far all is read. now: of time.monotonic()."""
        if now < self._due or self.held:
            return
        cursor = cursor_of(self.read, self.following.reader)
        self._say(HEARTBEAT if cursor == self._told else stream_place(cursor))
        self._told = cursor

    def refuse(self, refusal: Refusal) -> None:
        """Say why it cannot go on, once, and close it."""
        if self._refused:
            return
        self._refused = True
        following, code = self.following, refusal.code
        if code not in following.kinds:
            code = "internal-error"
        members = problem_members(code, following.kinds[code], refusal.detail, following.request_id)
        self._say(stream_problem(members))
        self._tailer.remove(self, "refused")
        self.end()

    def _say(self, piece: bytes) -> None:
        self._due = monotonic() + HEARTBEAT_SECONDS
        self.send(piece)


POLL = 0.1
"""Seconds between two looks, unless this process itself appends something."""
SOON = 0.01
"""Seconds, while streams catch up."""
PAUSE = 1.0
"""Seconds until a database that does not answer is asked again."""
PAGE_EVENTS, PAGE_BYTES = 100, 65_536
"""Most of a piece that a stream is sent at once."""
CATCHING_UP_SECONDS = 0.1
"""Of a turn, for streams that are not up to date."""
REST, EACH = 0.01, 0.000_05
"""Seconds between two turns at least, and more for each stream: what happens meanwhile is told at once."""
TOKENS_SECONDS = 1.0
"""Between two looks at tokens while nothing happens."""
BEAT_SECONDS = 0.1
"""Between two looks for streams that have been silent for long."""
LEFT_SECONDS = 0.5
"""Between two looks for clients that have left."""
TOUCHED = 1000
"""New events at most, of which it is looked up which tournaments they are of."""

_log = get_logger("muster.http")


class Tailer:
    """The streams of a process and what tells them. look: gives places in the feed and says where it ends."""

    def __init__(self, service: Service, tournaments: Tournaments, look: Callable[[], Place]) -> None:
        self._service = service
        self._tournaments = tournaments
        self._look = look
        self._streams: dict[FeedStream, None] = {}
        self._payers: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._running = False
        self._end = Place()
        self._turns = 0
        self._checked = self._told_all = self._looked = 0.0
        self._stopped = False
        self._results = Results()

    @property
    def open(self) -> int:
        """How many streams there are."""
        return len(self._streams)

    def of(self, payer: str) -> int:
        """How many of them are somebody's."""
        return self._payers[payer]

    def add(self, stream: FeedStream) -> None:
        """Begin to tell a stream."""
        with self._lock:
            self._streams[stream] = None
            self._payers[stream.following.payer] += 1
            STREAMS.set(len(self._streams))
            if not self._running:
                self._running, self._told_all = True, monotonic()
                threading.Thread(target=self._run, name="feed-tailer", daemon=True).start()
            if self._stopped:
                stream.end()
        self._wake.set()

    def remove(self, stream: FeedStream, why: str) -> None:
        """Tell it no more; nothing where that is so already."""
        with self._lock:
            if stream not in self._streams:
                return
            del self._streams[stream]
            payer = stream.following.payer
            self._payers[payer] -= 1
            if not self._payers[payer]:
                del self._payers[payer]
            STREAMS.set(len(self._streams))
        STREAMS_ENDED.labels(why).inc()

    def wake(self) -> None:
        """Something was appended."""
        if self._running:
            self._wake.set()

    def stop(self) -> None:
        """End every stream, so that clients come back to whoever serves then."""
        with self._lock:
            self._stopped = True
            for stream in self._streams:
                stream.end()

    def pages(self, following: Following, read: Read) -> Iterator[bytes]:
        """Yield what there is now, for a server with one thread, which cannot hold a stream."""
        more = True
        while more:
            piece, read, _, more = self._page(following, read)
            yield piece

    def _run(self) -> None:
        pause = beaten = 0.0
        while True:
            time.sleep(REST + EACH * len(self._streams))
            self._wake.wait(pause)
            self._wake.clear()
            with self._lock:
                if not self._streams:
                    self._running = False
                    self._results = Results()
                    STREAMS_LAG.set(0)
                    return
            try:
                pause = self._turn()
                self._told_all = monotonic()
            except Exception as error:  # whatever it is, those who are there are not left without anybody
                if pause != PAUSE and self._streams:
                    known = isinstance(error, DATABASE_AWAY)
                    _log.warning(
                        "streams are not told what is new", error=str(error), exc_info=None if known else error
                    )
                pause = PAUSE
            STREAMS_LAG.set(monotonic() - self._told_all)
            if (now := monotonic()) - beaten > BEAT_SECONDS:
                beaten = now
                for stream in list(self._streams):
                    stream.beat(now)

    def _turn(self) -> float:
        """Look once, and tell who is behind; seconds until the next look."""
        end = self._look()
        self._turns += 1
        streams = list(self._streams)
        if end != self._end or monotonic() - self._checked > TOKENS_SECONDS:
            self._check_tokens(streams)
        touched = self._touched(streams, end) if end != self._end else frozenset()
        if looks := monotonic() - self._looked > LEFT_SECONDS:
            self._looked = monotonic()
        groups: dict[tuple[str, int, int], list[FeedStream]] = {}
        for stream in list(self._streams):
            read = stream.read
            if stream.held:
                continue
            if read.place.feed < end.feed or read.opened != ALL:
                groups.setdefault((stream.following.key, read.place.feed, read.opened), []).append(stream)
            elif looks and stream.leaving:
                stream.end()
        upto = Read(end)
        live = [group for group in groups.values() if group[0].read.place.feed >= self._end.feed]
        for group in live:
            if group[0].read == Read(self._end) and _concerns_nothing(group[0].following, touched):
                for stream in group:
                    stream.read = upto
            else:
                self._tell(group)
        self._end = end
        behind = [group for group in groups.values() if group[0].read.place.feed < end.feed]
        behind.sort(key=lambda group: group[0].served)
        until = monotonic() + CATCHING_UP_SECONDS
        for group in behind:
            if not group[0].held:
                self._tell(group)
            if monotonic() > until:
                break
        # Who is behind and takes nothing is not waited for.
        goes_on = any(group[0].served == self._turns and group[0].read.place.feed < end.feed for group in behind)
        return SOON if goes_on else POLL

    def _touched(self, streams: list[FeedStream], end: Place) -> frozenset[str] | None:
        """Tournaments of what is new since the last turn; None where that is much, or the feed is another one now.

        Then those whose place is no more are told so.
        """
        last = self._end
        with self._service.database.reading() as connection:
            if place_of(connection, last.mark) is None:
                self._end = Place()
                for read in {stream.read for stream in streams}:
                    if place_of(connection, read.place.mark) is None:
                        self._refuse([stream for stream in streams if stream.read == read], _unknown())
                return None
            if end.feed - last.feed > TOUCHED:
                return None
            sql = "SELECT DISTINCT tournament FROM public_feed WHERE feed > :last AND feed <= :end"
            return frozenset(row[0] for row in connection.rows(sql, last=last.feed, end=end.feed))

    def _tell(self, group: list[FeedStream]) -> None:
        """Tell streams that have read equally far the next page."""
        following, read = group[0].following, group[0].read
        try:
            piece, read, cursor, _ = self._page(following, read)
        except Refusal as refusal:
            self._refuse(group, refusal)
            return
        except SQLAlchemyError:
            raise  # the database's trouble is everybody's
        except Exception as error:  # what cannot be shown to some is not kept from the others
            _log.error("streams cannot go on", exc_info=error)
            self._refuse(group, Refusal("The stream could not go on. Tell the operator its request id."))
            return
        for stream in group:
            stream.served = self._turns
            stream.tell(piece, read, cursor)

    def _page(self, following: Following, read: Read) -> tuple[bytes, Read, str, bool]:
        """The next piece of a stream, how far it is read then, the cursor there, and whether there is more.

        Raises CursorUnknown where the place is no more.
        """
        service, reader = self._service, following.reader
        sight = sight_of(reader, following.filter, following.who, self._tournaments, service.repository, self._results)
        with service.database.reading() as connection:
            page = page_after(connection, sight, read, PAGE_EVENTS, PAGE_BYTES)
            if not _stand(connection, read.place, page.read.place):
                raise _unknown()
        lines = list(lines_of(page, reader, service.signer.at))
        cursor = lines[-1].cursor if lines else ""
        return stream_events(lines), page.read, cursor, page.more

    def _refuse(self, streams: list[FeedStream], refusal: Refusal) -> None:
        for stream in streams:
            stream.refuse(refusal)

    def _check_tokens(self, streams: list[FeedStream]) -> None:
        """End the streams of whoever has lost their token."""
        self._checked = monotonic()
        of: dict[Caller, list[FeedStream]] = {}
        for stream in streams:
            if stream.following.who is not None:
                of.setdefault(stream.following.who, []).append(stream)
        for who, theirs in of.items():
            try:
                self._need_good(who)
            except Refusal as refusal:
                self._refuse(theirs, refusal)

    def _need_good(self, who: Caller) -> None:
        """Raises TokenExpired and TokenRevoked."""
        if time.time() >= who.expires:
            raise TokenExpired("The token has expired.", expired_at=who.expires)
        if self._service.is_revoked(who):
            raise TokenRevoked("The token was revoked by whoever runs this installation.")
        if who.tournament != EVERY_TOURNAMENT:
            with self._service.repository.now(who.tournament) as loaded:
                require_valid_token(who.tournament, loaded.state, who)


def _concerns_nothing(following: Following, touched: frozenset[str] | None) -> bool:
    """Whether it follows one tournament, and nothing new is of that one. touched: those that it is of, if known."""
    only = following.filter.tournament or following.reader.tournament
    return only not in ("", EVERY_TOURNAMENT) and touched is not None and only not in touched


def _stand(connection: Connection, *places: Place) -> bool:
    return all(place_of(connection, place.mark) is not None for place in places)


def _unknown() -> CursorUnknown:
    return CursorUnknown("The order of the feed is another one now. Begin anew, and pass over what you have.")
