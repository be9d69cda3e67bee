"""`GET /feed/stream` and `GET /tournaments/{id}/stream`: the feed as server-sent events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from flask import Response
from msgspec import UNSET, Struct, UnsetType

from services.scoring.feed.cursors import Read, cursor_of, read_cursor
from services.scoring.feed.filters import filter_of
from services.scoring.feed.lines import LAST_EVENT_ID, MEDIA_TYPE, RESULTS, stream_beginning
from services.scoring.feed.places import end_of, give_places
from services.scoring.feed.refusals import StreamsFull, TooManyStreams
from services.scoring.feed.routes import NOW, Feed, OfAll, WithinOne, blueprint
from services.scoring.feed.streams.stream import RETRY_MS, FeedStream, Following
from services.scoring.feed.streams.tailer import Tailer
from services.scoring.feed.visible import reader_of
from shared.service.wiring import Service, service, wired
from shared.web.auth import caller_or_none
from shared.web.limits import rate_key
from shared.web.request import EdgeRequest, this_edge, this_request

RETRY_AFTER = 5
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
    of.appended = tailer.wake
    return Streams(tailer)


parts = wired(Streams)


@blueprint.get("/feed/stream")
@blueprint.hands_out_events
@blueprint.answers_as(MEDIA_TYPE)
@blueprint.arguments(OfAll, location="query")
@blueprint.may_refuse(
    *("invalid-cursor", "feed-cursor-unknown", "feed-cursor-of-another", "streams-full", "too-many-streams"),
    *("tournament-unknown", "venue-unknown", "wrong-tournament", "log-unreadable"),
    absent=("tournament-unknown",),
)
@blueprint.resumed
@blueprint.doc(responses=ANSWER)
def feed_stream(query: OfAll) -> Response:
    """Show what happens, as it happens, as server-sent events.

    What is shown, in which order and behind which cursor is as GET /feed says. `id` of an event is the cursor, `event`
    its type, `data` the CloudEvent. After fifteen seconds without an event a comment comes. Where a client comes back
    with `Last-Event-ID`, it gets what has happened meanwhile. An event of the type `problem` says why the stream ends
    and why coming back alone will not do; its data is a problem as other operations answer it.
    """
    return _stream(query, query.tournament, query.season)


@blueprint.get("/tournaments/<id:tournament>/stream")
@blueprint.hands_out_events
@blueprint.answers_as(MEDIA_TYPE)
@blueprint.arguments(WithinOne, location="query")
@blueprint.may_refuse(
    *("invalid-cursor", "feed-cursor-unknown", "feed-cursor-of-another", "streams-full", "too-many-streams"),
    *("tournament-unknown", "venue-unknown", "wrong-tournament", "log-unreadable"),
)
@blueprint.resumed
@blueprint.doc(responses=ANSWER)
def tournament_stream(query: WithinOne, tournament: str) -> Response:
    """Show what happens in a tournament, as it happens, as server-sent events.

    It is GET /feed/stream with `tournament`.
    """
    return _stream(query, tournament, UNSET)


def _stream(query: WithinOne, tournament: str | UnsetType, season: str | UnsetType) -> Response:
    request, who = this_request(), caller_or_none()
    reader = reader_of(who, results=query.view == RESULTS)
    asked = filter_of(query.types, tournament, query.venue, season, who, results=reader.results)
    returning = request.headers.get(LAST_EVENT_ID, "")
    give_places(service.database, service.sources)
    with service.database.reading() as connection:
        if returning or query.after != NOW:
            read = read_cursor(connection, returning or query.after, reader, LAST_EVENT_ID if returning else "/after")
        else:
            read = Read(end_of(connection))
    same = (reader, who.role if who else "", query.types, asked.tournament, query.venue or "", asked.season)
    following = Following(
        reader,
        asked,
        who,
        msgspec.json.encode(same).decode(),
        rate_key(request),
        request.edge.request_id,
        this_edge().kinds,
    )
    return Response(_body(request, following, read), mimetype=MEDIA_TYPE, headers=HEADERS, direct_passthrough=True)


def _body(request: EdgeRequest, following: Following, read: Read) -> Any:
    tailer: Tailer = parts.tailer
    if not request.environ["wsgi.multithread"]:
        return _there_now(tailer, following, read)
    if tailer.open >= service.settings.streams:
        raise StreamsFull("This process holds as many streams as it may.", retry_after=RETRY_AFTER)
    most = service.settings.streams_per_caller
    if tailer.of(following.payer) >= most:
        detail = f"One caller may hold {most} streams in a process."
        raise TooManyStreams(detail, limit=most, retry_after=RETRY_AFTER)
    return FeedStream(request.environ, tailer, following, read)


def _there_now(tailer: Tailer, following: Following, read: Read) -> Iterator[bytes]:
    """Yield what there is, from a server with one thread: the client comes back for more."""
    yield stream_beginning(cursor_of(read, following.reader), RETRY_MS[0])
    yield from tailer.pages(following, read)
