"""Routes of the feed: pages, long polling, server-sent events.

A long poll occupies a thread. Each process has a few slots for them, half reserved for callers with a token. Without a
free slot the answer is immediate. Only one waiting thread polls the database at a time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal

import msgspec
from flask import Response
from msgspec import Struct

from services.scoring.feed.places import Place, give_places, last_place
from services.scoring.feed.readers import (
    LAST_EVENT_ID,
    MEDIA_TYPE,
    RESULTS,
    Announcements,
    Cursor,
    EventsQuery,
    FeedPage,
    Reader,
    Selection,
    TournamentEventsQuery,
    check_filter,
    decode_cursor,
    encode_cursor,
    encode_page,
    feed_reader,
    read_page,
    select_events,
    stream_start,
)
from services.scoring.feed.results import ResultLines
from services.scoring.feed.streams import RETRY_MS, FeedStream, Following, Tailer
from shared.refusals import Refusal
from shared.service.wiring import Service, current_part, gateway, service
from shared.shapes import View, Whole
from shared.tournament.games import GameResult
from shared.tournament.webhooks import EventFilter
from shared.web.auth import best_type, caller_or_none
from shared.web.blueprint import Blueprint
from shared.web.limits import rate_key
from shared.web.paging import next_link
from shared.web.request import EdgeRequest, this_edge, this_request
from shared.web.schema import deferred

_POLL_SECONDS = 0.1
"""Pause between two checks for new events."""


class LongPolls:
    """The long polls of a process.

    refresh: assigns places in the feed and returns the last one. threads: number of server threads.
    """

    def __init__(self, refresh: Callable[[], Place], threads: int) -> None:
        self._refresh = refresh
        self._slots = threads // 2
        self._guest_slots = (self._slots + 1) // 2
        self._used = self._used_by_guests = 0
        self._lock = threading.Lock()
        self._refreshing = threading.Lock()
        self._end = 0

    @contextmanager
    def slot(self, *, guest: bool) -> Iterator[bool]:
        """Hold a slot during the block; yield False if there is none. guest: the caller has no token."""
        with self._lock:
            has_slot = self._used < self._slots and not (guest and self._used_by_guests >= self._guest_slots)
            self._used += has_slot
            self._used_by_guests += has_slot and guest
        try:
            yield has_slot
        finally:
            with self._lock:
                self._used -= has_slot
                self._used_by_guests -= has_slot and guest

    def wait_beyond(self, feed: int, deadline: float) -> None:
        """Wait until the feed extends beyond a position, or until `deadline` (of time.monotonic)."""
        while True:
            if self._refreshing.acquire(blocking=False):
                try:
                    self._end = self._refresh().feed
                finally:
                    self._refreshing.release()
            remaining = deadline - time.monotonic()
            if self._end > feed or remaining <= 0:
                return
            time.sleep(min(_POLL_SECONDS, remaining))


NDJSON, BATCH = "application/x-ndjson", "application/cloudevents-batch+json"
CURSOR = "Muster-Feed-Cursor"
"""Response header: the cursor after this page, also if the page is empty."""
NOW = "now"
"""In place of a cursor: only new events."""
LONGEST_WAIT = 25
"""Seconds; shorter than the usual timeout of proxies."""
RETRY_AFTER = 1

CLOUD_EVENT = {
    "type": "object",
    "description": "An event (`view=events`). The AsyncAPI document has the schema of each type.",
}


class ResultEvent(View, frozen=True, kw_only=True):
    """A CloudEvent about a game (`view=results`)."""

    feedcursor: str
    dataschema: str
    specversion: Literal["1.0"]
    id: Annotated[str, "The id of the event that changed the game, and the game."]
    source: Annotated[str, "The service that recorded that event."]
    type: Literal["GameResult"]
    subject: Annotated[str, "`<tournament>/<game>`."]
    time: str
    datacontenttype: Literal["application/json"]
    data: GameResult


blueprint = Blueprint(
    "feed", description="The events of all services in one order, as CloudEvents 1.0.", reads_logs=False
)


class FeedQuery(EventsQuery, frozen=True, kw_only=True):
    """Query of one page of the feed."""

    limit: Annotated[int, Whole(1, 500), "Maximum number of events in the answer."] = 100
    wait: Annotated[int, Whole(0, LONGEST_WAIT), "Seconds to wait for events if there are no new ones."] = 0


class Feed(Struct, frozen=True):
    """Shared parts of the feed routes. refresh: gives places in the feed and returns the last one."""

    refresh: Callable[[], Place]
    announcements: Announcements
    long_polls: LongPolls
    result_lines: ResultLines


def build_feed(of: Service) -> Feed:
    """Return the feed of a service."""

    def refresh() -> Place:
        give_places(of.database, of.sources)
        with of.database.reading() as connection:
            return last_place(connection)

    return Feed(refresh, Announcements(), LongPolls(refresh, of.settings.web_threads), ResultLines())


parts = current_part(Feed)


@blueprint.get("/feed")
@blueprint.hands_out_events
@blueprint.answers_as(NDJSON, BATCH)
@blueprint.arguments(FeedQuery, location="query")
@blueprint.may_refuse(
    "invalid-cursor",
    "feed-cursor-unknown",
    "feed-cursor-of-another",
    "tournament-unknown",
    "venue-unknown",
    "wrong-tournament",
    "log-unreadable",
    absent=("tournament-unknown",),
)
@blueprint.doc(
    responses={
        200: {
            "description": "CloudEvents, one per line, or a JSON array of them.",
            "content": {
                NDJSON: {"schema": {"type": "string"}},
                BATCH: {"schema": {"type": "array", "items": {"anyOf": [CLOUD_EVENT, deferred(ResultEvent)]}}},
            },
        }
    }
)
def public_feed(query: FeedQuery) -> Response:
    """List the events of all services in one order, from a cursor on.

    Without a token, the events of public tournaments. With a token for one tournament, the events of that tournament.
    With a token for all tournaments, all events. An event follows everything that its author had seen. Continue from
    the `feedcursor` of an event or from the header Muster-Feed-Cursor. The header `Link` is present if there is more.
    """
    caller = caller_or_none()
    reader = feed_reader(caller, results=query.view == RESULTS)
    check_filter(query.filter, caller)
    selection = select_events(reader, query.filter, caller, parts.announcements, gateway.repository, parts.result_lines)
    give_places(service.database, service.sources)
    with service.database.reading() as connection:
        starts_now = query.after == NOW
        cursor = Cursor(last_place(connection)) if starts_now else decode_cursor(connection, query.after, reader)
        page = read_page(connection, selection, cursor, query.limit)
    has_slot = True
    if query.wait and not page.items and not page.has_more:
        page, has_slot = _wait_for_items(selection, page, query, guest=caller is None)
    lines = [line.json for line in encode_page(page, reader, service.signer.at)]
    return _answer(page, lines, reader, has_slot)


def _wait_for_items(selection: Selection, page: FeedPage, query: FeedQuery, *, guest: bool) -> tuple[FeedPage, bool]:
    """Return the next page with items, or an empty one after the wait; and whether there was a slot to wait in."""
    deadline = time.monotonic() + query.wait
    with parts.long_polls.slot(guest=guest) as has_slot:
        while has_slot and not page.items and time.monotonic() < deadline:
            if not page.has_more:
                parts.long_polls.wait_beyond(page.cursor.place.feed, deadline)
            with service.database.reading() as connection:
                page = read_page(connection, selection, page.cursor, query.limit)
    return page, has_slot


def _answer(page: FeedPage, lines: list[bytes], reader: Reader, has_slot: bool) -> Response:
    cursor = encode_cursor(page.cursor, reader)
    media_type = best_type(this_request().headers.get("Accept"), (NDJSON, BATCH))
    body = b"[" + b",".join(lines) + b"]" if media_type == BATCH else b"".join(line + b"\n" for line in lines)
    response = Response(body, mimetype=media_type)
    response.headers[CURSOR] = cursor
    if page.has_more:
        response.headers["Link"] = next_link(cursor)
    if not has_slot:
        response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


STREAM_RETRY_AFTER = 5
"""Seconds, for a caller without a free stream."""
HEADERS = {"X-Accel-Buffering": "no"}
"""Tells nginx not to buffer the stream."""

EVENT = {
    "type": "object",
    "description": "One event of the stream.",
    "properties": {
        "id": {"type": "string", "description": "The cursor. A problem has none."},
        "event": {"type": "string", "description": "The type of the CloudEvent, or `problem`."},
        "data": {"type": "string", "description": "JSON: a CloudEvent, or the problem."},
    },
    "required": ["event", "data"],
}
ANSWER = {200: {"description": "A stream of events.", "content": {MEDIA_TYPE: {"schema": EVENT}}}}


class Streams(Struct, frozen=True):
    """The shared part of the stream routes."""

    tailer: Tailer


def build_streams(of: Service, feed: Feed) -> Streams:
    """Return the streams of a service."""
    tailer = Tailer(of, feed.announcements, feed.refresh)
    of.on_append = tailer.wake
    return Streams(tailer)


streams = current_part(Streams)


@blueprint.get("/feed/stream")
@blueprint.hands_out_events
@blueprint.answers_as(MEDIA_TYPE)
@blueprint.arguments(EventsQuery, location="query")
@blueprint.may_refuse(
    *("invalid-cursor", "feed-cursor-unknown", "feed-cursor-of-another", "streams-full", "too-many-streams"),
    *("tournament-unknown", "venue-unknown", "wrong-tournament", "log-unreadable"),
    absent=("tournament-unknown",),
)
@blueprint.resumed
@blueprint.doc(responses=ANSWER)
def feed_stream(query: EventsQuery) -> Response:
    """Stream events as they happen, as server-sent events.

    Contents, order and cursors are those of GET /feed. The `id` of an event is its cursor, `event` its type and `data`
    the CloudEvent. A comment is sent after fifteen seconds without an event. A client that reconnects with
    `Last-Event-ID` receives the events that it missed. An event of the type `problem` ends the stream; its data is a
    problem document. Resolve the problem before you reconnect.
    """
    return _stream(query, query.filter)


@blueprint.get("/tournaments/<id:tournament>/stream")
@blueprint.hands_out_events
@blueprint.answers_as(MEDIA_TYPE)
@blueprint.arguments(TournamentEventsQuery, location="query")
@blueprint.may_refuse(
    *("invalid-cursor", "feed-cursor-unknown", "feed-cursor-of-another", "streams-full", "too-many-streams"),
    *("tournament-unknown", "venue-unknown", "wrong-tournament", "log-unreadable"),
)
@blueprint.resumed
@blueprint.doc(responses=ANSWER)
def tournament_stream(query: TournamentEventsQuery, tournament: str) -> Response:
    """Stream the events of a tournament as they happen, as server-sent events.

    The same as GET /feed/stream with `tournament`.
    """
    return _stream(query, msgspec.structs.replace(query.filter, tournament=tournament))


def _stream(query: TournamentEventsQuery, filter: EventFilter) -> Response:
    request, caller = this_request(), caller_or_none()
    reader = feed_reader(caller, results=query.view == RESULTS)
    check_filter(filter, caller)
    last_id = request.headers.get(LAST_EVENT_ID, "")
    give_places(service.database, service.sources)
    with service.database.reading() as connection:
        if last_id:
            cursor = decode_cursor(connection, last_id, reader, LAST_EVENT_ID)
        elif query.after == NOW:
            cursor = Cursor(last_place(connection))
        else:
            cursor = decode_cursor(connection, query.after, reader)
    group = msgspec.json.encode((reader, caller.role if caller else "", filter)).decode()
    following = Following(reader, filter, caller, group, rate_key(request), request.edge.request_id, this_edge().kinds)
    return Response(_body(request, following, cursor), mimetype=MEDIA_TYPE, headers=HEADERS, direct_passthrough=True)


def _body(request: EdgeRequest, following: Following, cursor: Cursor) -> Any:
    tailer: Tailer = streams.tailer
    if not request.environ["wsgi.multithread"]:
        return _current_events(tailer, following, cursor)
    if tailer.open_streams >= service.settings.streams:
        raise StreamsFull("This process holds as many streams as it may.", retry_after=STREAM_RETRY_AFTER)
    limit = service.settings.streams_per_caller
    if tailer.count_of(following.payer) >= limit:
        detail = f"One caller may hold {limit} streams in a process."
        raise TooManyStreams(detail, limit=limit, retry_after=STREAM_RETRY_AFTER)
    return FeedStream(request.environ, tailer, following, cursor)


def _current_events(tailer: Tailer, following: Following, cursor: Cursor) -> Iterator[bytes]:
    """Yield the present events and end, for a server with one thread. The client reconnects for more."""
    yield stream_start(encode_cursor(cursor, following.reader), RETRY_MS[0])
    yield from tailer.pages(following, cursor)


class StreamsFull(Refusal):
    """The process has reached its limit of open streams; data: retry_after."""

    code = "streams-full"


class TooManyStreams(Refusal):
    """The caller has reached the limit of open streams per caller; data: limit, retry_after."""

    code = "too-many-streams"
