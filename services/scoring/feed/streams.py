"""Streams of the feed, and the thread that serves all streams of a process.

Streams with the same visibility, filter and cursor form a group: their bytes are encoded once. Streams that are up to
date are served first. The others catch up in the remaining time of each turn, one page at a time. A stream whose client
has unread bytes gets nothing more: its cursor is a place in the feed, so nothing needs to be buffered for it.
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

from services.scoring.feed.places import ALL_GAMES, Place, find_place
from services.scoring.feed.readers import (
    HEARTBEAT,
    Announcements,
    Cursor,
    CursorUnknown,
    Reader,
    encode_cursor,
    encode_page,
    read_page,
    select_events,
    stream_cursor,
    stream_events,
    stream_problem,
    stream_start,
)
from services.scoring.feed.results import ResultLines
from shared.log.database import Connection
from shared.logs import get_logger
from shared.messaging.errors import DATABASE_UNAVAILABLE
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
"""Longest silence on a stream. Most proxies close a connection after a minute of silence."""
RETRY_MS = (1000, 3000)
"""Range of the reconnection delay in milliseconds; random, so that clients do not all reconnect at once."""


class Following(Struct, frozen=True):
    """A request for a stream.

    caller: None without a token. group: equal for streams that receive the same bytes. payer: whose limit of open
    streams this counts towards. request_id, kinds: for a problem that ends the stream.
    """

    reader: Reader
    filter: EventFilter
    caller: Caller | None
    group: str
    payer: str
    request_id: str
    kinds: Mapping[str, Kind]


class StreamServer(Protocol):
    """The part of the tailer that a stream uses."""

    def add(self, stream: FeedStream) -> None: ...
    def remove(self, stream: FeedStream, reason: str) -> None: ...


class FeedStream(Stream):
    """A stream of the feed, fed by the tailer. last_turn: the tailer's turn in which it was last served."""

    def __init__(self, environ: Mapping[str, Any], server: StreamServer, following: Following, cursor: Cursor) -> None:
        """Open a feed stream. environ: WSGI environment of the request."""
        super().__init__(environ)
        self.following = following
        self.cursor = cursor
        self.last_turn = 0
        self._server = server
        self._sent_cursor = ""
        self._heartbeat_due = 0.0
        self._refused = False

    def on_open(self) -> None:
        self._sent_cursor = encode_cursor(self.cursor, self.following.reader)
        self._send(stream_start(self._sent_cursor, random.randint(*RETRY_MS)))
        self._server.add(self)

    def on_close(self, *, slow: bool) -> None:
        self._server.remove(self, "slow" if slow else "left")

    def advance(self, cursor: Cursor, blocks: bytes, sent_cursor: str) -> None:
        """Move to a cursor and send the events up to there.

        blocks: empty if no event was selected. sent_cursor: the cursor of the last event sent.
        """
        self.cursor = cursor
        if blocks:
            self._sent_cursor = sent_cursor
            self._send(blocks)

    def send_heartbeat(self, now: float) -> None:
        """After a long silence, send the current cursor or a comment. now: of time.monotonic()."""
        if now < self._heartbeat_due or self.pending_bytes:
            return
        cursor = encode_cursor(self.cursor, self.following.reader)
        self._send(HEARTBEAT if cursor == self._sent_cursor else stream_cursor(cursor))
        self._sent_cursor = cursor

    def refuse(self, refusal: Refusal) -> None:
        """Send a problem and close the stream. Later calls do nothing."""
        if self._refused:
            return
        self._refused = True
        following, code = self.following, refusal.code
        if code not in following.kinds:
            code = "internal-error"
        self._send(stream_problem(problem_members(code, following.kinds[code], refusal.detail, following.request_id)))
        self._server.remove(self, "refused")
        self.end()

    def _send(self, blocks: bytes) -> None:
        self._heartbeat_due = monotonic() + HEARTBEAT_SECONDS
        self.send(blocks)


_POLL_SECONDS = 0.1
"""Pause between two turns, unless this process appends an event."""
_CATCH_UP_PAUSE_SECONDS = 0.01
"""Pause while streams are catching up."""
_ERROR_PAUSE_SECONDS = 1.0
"""Pause after the database did not answer."""
_PAGE_EVENTS, _PAGE_BYTES = 100, 65_536
"""Limits of one piece sent to a stream."""
_CATCH_UP_SECONDS = 0.1
"""Time in each turn for streams that are behind."""
_REST_SECONDS, _REST_SECONDS_PER_STREAM = 0.01, 0.000_05
"""Minimum pause between two turns. Events that arrive in it are sent together."""
_TOKEN_CHECK_SECONDS = 1.0
"""Interval of token checks while no events arrive."""
_HEARTBEAT_CHECK_SECONDS = 0.1
"""Interval of checks for silent streams."""
_DISCONNECT_CHECK_SECONDS = 0.5
"""Interval of checks for clients that disconnected."""
_MAX_TOUCHED_EVENTS = 1000
"""With more new events than this, their tournaments are not looked up."""

_log = get_logger("muster.http")


class Tailer:
    """The streams of a process and the thread that serves them.

    refresh: gives places in the feed and returns the last one.
    """

    def __init__(self, service: Service, announcements: Announcements, refresh: Callable[[], Place]) -> None:
        self._service = service
        self._announcements = announcements
        self._refresh = refresh
        self._streams: dict[FeedStream, None] = {}
        self._payers: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._running = False
        self._end = Place()
        self._turn_number = 0
        self._tokens_checked = self._last_success = self._disconnects_checked = 0.0
        self._stopped = False
        self._result_lines = ResultLines()

    @property
    def open_streams(self) -> int:
        """The number of open streams."""
        return len(self._streams)

    def count_of(self, payer: str) -> int:
        """Return the number of open streams of one payer."""
        return self._payers[payer]

    def add(self, stream: FeedStream) -> None:
        """Start serving a stream."""
        with self._lock:
            self._streams[stream] = None
            self._payers[stream.following.payer] += 1
            STREAMS.set(len(self._streams))
            if not self._running:
                self._running, self._last_success = True, monotonic()
                threading.Thread(target=self._run, name="feed-tailer", daemon=True).start()
            if self._stopped:
                stream.end()
        self._wake.set()

    def remove(self, stream: FeedStream, reason: str) -> None:
        """Stop serving a stream. Do nothing if it was removed before. reason: a label of the metric."""
        with self._lock:
            if stream not in self._streams:
                return
            del self._streams[stream]
            payer = stream.following.payer
            self._payers[payer] -= 1
            if not self._payers[payer]:
                del self._payers[payer]
            STREAMS.set(len(self._streams))
        STREAMS_ENDED.labels(reason).inc()

    def wake(self) -> None:
        """Start the next turn at once, because this process appended an event."""
        if self._running:
            self._wake.set()

    def stop(self) -> None:
        """End every stream, so that clients reconnect to another process."""
        with self._lock:
            self._stopped = True
            for stream in self._streams:
                stream.end()

    def pages(self, following: Following, cursor: Cursor) -> Iterator[bytes]:
        """Yield all present events. For a server with one thread, which cannot keep a stream open."""
        has_more = True
        while has_more:
            blocks, cursor, _, has_more = self._page(following, cursor)
            yield blocks

    def _run(self) -> None:
        pause = heartbeats_checked = 0.0
        while True:
            time.sleep(_REST_SECONDS + _REST_SECONDS_PER_STREAM * len(self._streams))
            self._wake.wait(pause)
            self._wake.clear()
            with self._lock:
                if not self._streams:
                    self._running = False
                    self._result_lines = ResultLines()
                    STREAMS_LAG.set(0)
                    return
            try:
                pause = self._turn()
                self._last_success = monotonic()
            except Exception as error:  # the thread must survive: it serves every stream of the process
                if pause != _ERROR_PAUSE_SECONDS and self._streams:
                    is_known = isinstance(error, DATABASE_UNAVAILABLE)
                    _log.warning(
                        "streams are not told what is new", error=str(error), exc_info=None if is_known else error
                    )
                pause = _ERROR_PAUSE_SECONDS
            STREAMS_LAG.set(monotonic() - self._last_success)
            if (now := monotonic()) - heartbeats_checked > _HEARTBEAT_CHECK_SECONDS:
                heartbeats_checked = now
                for stream in list(self._streams):
                    stream.send_heartbeat(now)

    def _turn(self) -> float:
        """Serve the streams once. Return the seconds until the next turn."""
        end = self._refresh()
        self._turn_number += 1
        streams = list(self._streams)
        if end != self._end or monotonic() - self._tokens_checked > _TOKEN_CHECK_SECONDS:
            self._check_tokens(streams)
        touched = self._touched_tournaments(streams, end) if end != self._end else frozenset()
        if checks_disconnects := monotonic() - self._disconnects_checked > _DISCONNECT_CHECK_SECONDS:
            self._disconnects_checked = monotonic()
        groups: dict[tuple[str, int, int], list[FeedStream]] = {}
        for stream in list(self._streams):
            cursor = stream.cursor
            if stream.pending_bytes:
                continue
            if cursor.place.feed < end.feed or cursor.last_game != ALL_GAMES:
                key = (stream.following.group, cursor.place.feed, cursor.last_game)
                groups.setdefault(key, []).append(stream)
            elif checks_disconnects and stream.is_leaving:
                stream.end()
        live = [group for group in groups.values() if group[0].cursor.place.feed >= self._end.feed]
        for group in live:
            if group[0].cursor == Cursor(self._end) and _is_untouched(group[0].following, touched):
                for stream in group:
                    stream.cursor = Cursor(end)
            else:
                self._serve(group)
        self._end = end
        behind = [group for group in groups.values() if group[0].cursor.place.feed < end.feed]
        behind.sort(key=lambda group: group[0].last_turn)
        deadline = monotonic() + _CATCH_UP_SECONDS
        for group in behind:
            if not group[0].pending_bytes:
                self._serve(group)
            if monotonic() > deadline:
                break
        # Streams that are behind because their clients do not read do not shorten the pause.
        catches_up = any(
            group[0].last_turn == self._turn_number and group[0].cursor.place.feed < end.feed for group in behind
        )
        return _CATCH_UP_PAUSE_SECONDS if catches_up else _POLL_SECONDS

    def _touched_tournaments(self, streams: list[FeedStream], end: Place) -> frozenset[str] | None:
        """Return the tournaments with new events, or None if there are too many events or places were replaced.

        Also refuses the streams whose place was replaced.
        """
        last = self._end
        with self._service.database.reading() as connection:
            if find_place(connection, last.mark) is None:
                self._end = Place()
                for cursor in {stream.cursor for stream in streams}:
                    if find_place(connection, cursor.place.mark) is None:
                        self._refuse([stream for stream in streams if stream.cursor == cursor], _place_replaced())
                return None
            if end.feed - last.feed > _MAX_TOUCHED_EVENTS:
                return None
            sql = "SELECT DISTINCT tournament FROM public_feed WHERE feed > :last AND feed <= :end"
            return frozenset(row[0] for row in connection.rows(sql, last=last.feed, end=end.feed))

    def _serve(self, group: list[FeedStream]) -> None:
        """Send the next page to streams with the same cursor."""
        try:
            blocks, cursor, sent_cursor, _ = self._page(group[0].following, group[0].cursor)
        except Refusal as refusal:
            self._refuse(group, refusal)
            return
        except SQLAlchemyError:
            raise  # a database error concerns every stream
        except Exception as error:  # an event that cannot be shown to this group must not stop the others
            _log.error("streams cannot go on", exc_info=error)
            self._refuse(group, Refusal("The stream could not go on. Tell the operator its request id."))
            return
        for stream in group:
            stream.last_turn = self._turn_number
            stream.advance(cursor, blocks, sent_cursor)

    def _page(self, following: Following, cursor: Cursor) -> tuple[bytes, Cursor, str, bool]:
        """Return the next piece of a stream, the cursor after it, the last event's cursor, and whether there is more.

        Raises CursorUnknown if the place no longer exists.
        """
        service, reader = self._service, following.reader
        selection = select_events(
            reader, following.filter, following.caller, self._announcements, service.repository, self._result_lines
        )
        with service.database.reading() as connection:
            page = read_page(connection, selection, cursor, _PAGE_EVENTS, _PAGE_BYTES)
            if not _exist(connection, cursor.place, page.cursor.place):
                raise _place_replaced()
        lines = list(encode_page(page, reader, service.signer.at))
        sent_cursor = lines[-1].cursor if lines else ""
        return stream_events(lines), page.cursor, sent_cursor, page.has_more

    def _refuse(self, streams: list[FeedStream], refusal: Refusal) -> None:
        for stream in streams:
            stream.refuse(refusal)

    def _check_tokens(self, streams: list[FeedStream]) -> None:
        """End the streams of callers whose token is no longer valid."""
        self._tokens_checked = monotonic()
        by_caller: dict[Caller, list[FeedStream]] = {}
        for stream in streams:
            if stream.following.caller is not None:
                by_caller.setdefault(stream.following.caller, []).append(stream)
        for caller, their_streams in by_caller.items():
            try:
                self._check_token(caller)
            except Refusal as refusal:
                self._refuse(their_streams, refusal)

    def _check_token(self, caller: Caller) -> None:
        """Raise TokenExpired or TokenRevoked if the token is no longer valid."""
        if time.time() >= caller.expires:
            raise TokenExpired("The token has expired.", expired_at=caller.expires)
        if self._service.is_revoked(caller):
            raise TokenRevoked("The token was revoked by whoever runs this installation.")
        if caller.tournament != EVERY_TOURNAMENT:
            with self._service.repository.now(caller.tournament) as loaded:
                require_valid_token(caller.tournament, loaded.state, caller)


def _is_untouched(following: Following, touched: frozenset[str] | None) -> bool:
    """Return True if a stream follows a single tournament that has no new events.

    touched: tournaments with new events; None if unknown.
    """
    tournament = following.filter.tournament or following.reader.tournament
    return tournament not in ("", EVERY_TOURNAMENT) and touched is not None and tournament not in touched


def _exist(connection: Connection, *places: Place) -> bool:
    return all(find_place(connection, place.mark) is not None for place in places)


def _place_replaced() -> CursorUnknown:
    return CursorUnknown("The order of the feed is another one now. Begin anew, and pass over what you have.")
