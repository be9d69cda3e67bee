"""Routes of the feed: pages, long polling, and server-sent events.

A long poll holds a thread. A process has a few places for them, half for callers without a token; without a place
the answer comes at once. However many wait, one of them polls.
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

from services.scoring.feed.places import Place, end_of, give_places
from services.scoring.feed.readers import (
    LAST_EVENT_ID,
    MEDIA_TYPE,
    RESULTS,
    EventsQuery,
    FeedPage,
    Read,
    Reader,
    Sight,
    TournamentEventsQuery,
    Tournaments,
    check_filter,
    cursor_of,
    lines_of,
    page_after,
    read_cursor,
    reader_of,
    sight_of,
    stream_beginning,
)
from services.scoring.feed.results import Results
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

POLL = 0.1
"""Seconds between two looks at the logs."""


class FeedWaiting:
    """The places of a process. look: gives places in the feed and says where it ends; threads: that answer requests."""

    def __init__(self, look: Callable[[], Place], threads: int) -> None:
        self._look = look
        self._places = threads // 2
        self._for_guests = (self._places + 1) // 2
        self._taken = self._guests = 0
        self._lock = threading.Lock()
        self._looks = threading.Lock()
        self._end = 0

    @contextmanager
    def place(self, *, guest: bool) -> Iterator[bool]:
        """A place for as long as the block lasts; False where there is none. guest: without a token."""
        with self._lock:
            found = self._taken < self._places and not (guest and self._guests >= self._for_guests)
            self._taken += found
            self._guests += found and guest
        try:
            yield found
        finally:
            with self._lock:
                self._taken -= found
                self._guests -= found and guest

    def until_beyond(self, feed: int, deadline: float) -> None:
        """Wait until the feed goes beyond a position, until `deadline` (time.monotonic) at most."""
        while True:
            if self._looks.acquire(blocking=False):
                try:
                    self._end = self._look().feed
                finally:
                    self._looks.release()
            left = deadline - time.monotonic()
            if self._end > feed or left <= 0:
                return
            time.sleep(min(POLL, left))


NDJSON, BATCH = "application/x-ndjson", "application/cloudevents-batch+json"
CURSOR = "Muster-Feed-Cursor"
"""Header of an answer: where the next one goes on, also where this one holds no event."""
NOW = "now"
"""In place of a cursor: whatever comes from here on."""
LONGEST_WAIT = 25
"""Seconds; shorter than what proxies mostly allow."""
RETRY_AFTER = 1

CLOUD_EVENT = {"type": "object", "description": "An event (`view=events`); AsyncAPI has the shape of each."}


class ResultEvent(View, frozen=True, kw_only=True):
    """A line of `view=results`: a CloudEvent about a game."""

    feedcursor: str
    dataschema: str
    specversion: Literal["1.0"]
    id: Annotated[str, "The id of the event that it comes from, and the game."]
    source: Annotated[str, "The service that owns that event."]
    type: Literal["GameResult"]
    subject: Annotated[str, "`<tournament>/<game>`."]
    time: str
    datacontenttype: Literal["application/json"]
    data: GameResult


blueprint = Blueprint("feed", description="What happens, in one order, as CloudEvents 1.0.", reads_logs=False)


class FeedQuery(EventsQuery, frozen=True, kw_only=True):
    """Query of one page of the feed."""

    limit: Annotated[int, Whole(1, 500), "Maximum number of events in the answer."] = 100
    wait: Annotated[int, Whole(0, LONGEST_WAIT), "Seconds to wait for events if there are no new ones."] = 0


class Feed(Struct, frozen=True):
    """What the route needs beside the service. tournaments: looked up once; waiting: places of this process.

    look: gives places in the feed, and says where it ends. results: makes those of the pages.
    """

    look: Callable[[], Place]
    tournaments: Tournaments
    waiting: FeedWaiting
    results: Results


def feed_of(of: Service) -> Feed:
    """The feed of a service, for its wiring."""

    def look() -> Place:
        give_places(of.database, of.sources)
        with of.database.reading() as connection:
            return end_of(connection)

    return Feed(look, Tournaments(), FeedWaiting(look, of.settings.web_threads), Results())


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
            "description": "CloudEvents, one a line, or a JSON array of them.",
            "content": {
                NDJSON: {"schema": {"type": "string"}},
                BATCH: {"schema": {"type": "array", "items": {"anyOf": [CLOUD_EVENT, deferred(ResultEvent)]}}},
            },
        }
    }
)
def public_feed(query: FeedQuery) -> Response:
    """Show the events of all services in one order, from a cursor on.

    Without a token: public tournaments. With the token of one tournament: that one. With a token of all: everything.
    An event stands behind everything that its author had seen.
    `feedcursor` of an event, and the header Muster-Feed-Cursor, say where to go on. `Link` says that there is more.
    """
    who = caller_or_none()
    reader = reader_of(who, results=query.view == RESULTS)
    check_filter(query.filter, who)
    sight = sight_of(reader, query.filter, who, parts.tournaments, gateway.repository, parts.results)
    give_places(service.database, service.sources)
    with service.database.reading() as connection:
        read = Read(end_of(connection)) if query.after == NOW else read_cursor(connection, query.after, reader)
        page = page_after(connection, sight, read, query.limit)
    turned_away = False
    if query.wait and not page.items and not page.more:
        page, turned_away = _waited(sight, page, query, guest=who is None)
    lines = [line.json for line in lines_of(page, reader, service.signer.at)]
    return _answer(page, lines, reader, turned_away)


def _waited(sight: Sight, page: FeedPage, query: FeedQuery, *, guest: bool) -> tuple[FeedPage, bool]:
    """The first page behind an empty one that holds something, or an empty one where that takes too long.

    Also whether there was no place to wait in.
    """
    deadline = time.monotonic() + query.wait
    with parts.waiting.place(guest=guest) as found:
        while found and not page.items and time.monotonic() < deadline:
            if not page.more:
                parts.waiting.until_beyond(page.read.place.feed, deadline)
            with service.database.reading() as connection:
                page = page_after(connection, sight, page.read, query.limit)
    return page, not found


def _answer(page: FeedPage, lines: list[bytes], reader: Reader, turned_away: bool) -> Response:
    cursor = cursor_of(page.read, reader)
    kind = best_type(this_request().headers.get("Accept"), (NDJSON, BATCH))
    body = b"[" + b",".join(lines) + b"]" if kind == BATCH else b"".join(line + b"\n" for line in lines)
    response = Response(body, mimetype=kind)
    response.headers[CURSOR] = cursor
    if page.more:
        response.headers["Link"] = next_link(cursor)
    if turned_away:
        response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


STREAM_RETRY_AFTER = 5
"""Seconds, for whoever finds no place."""
HEADERS = {"X-Accel-Buffering": "no"}
"""nginx hands on what comes as it comes."""

EVENT = {
    "type": "object",
    "description": "One event of the stream, by its fields.",
    "properties": {
        "id": {"type": "string", "description": "The cursor. A problem has none."},
        "event": {"type": "string", "description": "The type of the CloudEvent, or `problem`."},
        "data": {"type": "string", "description": "JSON: a CloudEvent, or the problem."},
    },
    "required": ["event", "data"],
}
ANSWER = {200: {"description": "Events as they happen.", "content": {MEDIA_TYPE: {"schema": EVENT}}}}


class Streams(Struct, frozen=True):
    """What the routes need beside the service."""

    tailer: Tailer


def streams_of(of: Service, feed: Feed) -> Streams:
    """The streams of a process, for its wiring."""
    tailer = Tailer(of, feed.tournaments, feed.look)
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
    """Show what happens, as it happens, as server-sent events.

    What is shown, in which order and behind which cursor is as GET /feed says. `id` of an event is the cursor, `event`
    its type, `data` the CloudEvent. After fifteen seconds without an event a comment comes. Where a client comes back
    with `Last-Event-ID`, it gets what has happened meanwhile. An event of the type `problem` says why the stream ends
    and why coming back alone will not do; its data is a problem as other operations answer it.
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
    """Show what happens in a tournament, as it happens, as server-sent events.

    It is GET /feed/stream with `tournament`.
    """
    return _stream(query, msgspec.structs.replace(query.filter, tournament=tournament))


def _stream(query: TournamentEventsQuery, filter: EventFilter) -> Response:
    request, who = this_request(), caller_or_none()
    reader = reader_of(who, results=query.view == RESULTS)
    check_filter(filter, who)
    returning = request.headers.get(LAST_EVENT_ID, "")
    give_places(service.database, service.sources)
    with service.database.reading() as connection:
        if returning or query.after != NOW:
            read = read_cursor(connection, returning or query.after, reader, LAST_EVENT_ID if returning else "/after")
        else:
            read = Read(end_of(connection))
    same = (reader, who.role if who else "", filter)
    following = Following(
        reader,
        filter,
        who,
        msgspec.json.encode(same).decode(),
        rate_key(request),
        request.edge.request_id,
        this_edge().kinds,
    )
    return Response(_body(request, following, read), mimetype=MEDIA_TYPE, headers=HEADERS, direct_passthrough=True)


def _body(request: EdgeRequest, following: Following, read: Read) -> Any:
    tailer: Tailer = streams.tailer
    if not request.environ["wsgi.multithread"]:
        return _there_now(tailer, following, read)
    if tailer.open >= service.settings.streams:
        raise StreamsFull("This process holds as many streams as it may.", retry_after=STREAM_RETRY_AFTER)
    most = service.settings.streams_per_caller
    if tailer.of(following.payer) >= most:
        detail = f"One caller may hold {most} streams in a process."
        raise TooManyStreams(detail, limit=most, retry_after=STREAM_RETRY_AFTER)
    return FeedStream(request.environ, tailer, following, read)


def _there_now(tailer: Tailer, following: Following, read: Read) -> Iterator[bytes]:
    """Yield what there is, from a server with one thread: the client comes back for more."""
    yield stream_beginning(cursor_of(read, following.reader), RETRY_MS[0])
    yield from tailer.pages(following, read)


class StreamsFull(Refusal):
    """The process holds as many streams as it may; data: retry_after."""

    code = "streams-full"


class TooManyStreams(Refusal):
    """The caller holds as many streams as one may; data: limit, retry_after."""

    code = "too-many-streams"
