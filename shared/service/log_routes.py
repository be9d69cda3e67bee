"""The log over HTTP, the same for every service: the logs of a tournament, their heads, the feed of all tournaments.

`GET /copies` lets a service ask what its peers hold of its own log. The event schemas (JSON Schema, AsyncAPI) let
integrations generate code.

A log may be long, and an event with its command may have 4 MB. So a page is also limited by bytes, and is sent in
parts. A page shorter than the limit is not necessarily the last one; `Link` is set if more events follow.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Annotated, Any

import msgspec
import orjson
from flask import Response
from msgspec import UNSET, UnsetType

from shared.formats.event_schemas import asyncapi, event_schema, result_schema, versions_of
from shared.formats.fold import UnknownEvent
from shared.log.copies import count_copied, last_place, places_after
from shared.log.outbox import feed_after
from shared.log.reading import feed_page, feed_page_end, heads_of, heads_page, log_page, log_page_end
from shared.messaging.envelope import log_line
from shared.messaging.peers import CopyHead, CopySummary
from shared.messaging.vouching import FeedChain, feed_lines, individually_signed_lines, log_lines
from shared.roles import EVERY_TOURNAMENT, INTEGRATION, OPERATOR, SERVICE
from shared.service.refusals import EventUnknown
from shared.service.views import HeadsView, HeadView
from shared.service.visibility import event_filter_for
from shared.service.wiring import Service
from shared.shapes import Documented, OneOf, Open, Query, Whole
from shared.tournament.games import RESULT, RESULT_VERSION
from shared.version import VERSION
from shared.web.auth import caller_or_none, require_everywhere
from shared.web.blueprint import Blueprint
from shared.web.paging import next_link
from shared.web.request import this_request
from shared.web.schema import LARGEST, deferred

NDJSON = "application/x-ndjson"
READERS = (SERVICE, INTEGRATION, OPERATOR)
"""Roles that may read the feed of all tournaments."""
COMPARERS = (SERVICE, OPERATOR)
"""Roles that may ask for the copies of this service."""
MAX_LIMIT = 5000
CHUNK_EVENTS = 100
"""Events read at once while a page is sent."""


FeedPosition = Annotated[int, Whole(0, LARGEST), "Begin after this feed position."]
AtMost = Annotated[int, Whole(1, MAX_LIMIT)]


class FeedQuery(Query, frozen=True, kw_only=True):
    """A part of a feed."""

    after: FeedPosition = 0
    limit: AtMost = 500


class LogQuery(Query, frozen=True, kw_only=True):
    """A part of a log. source: the default is the log of this service."""

    source: Annotated[str | UnsetType, Open("source")] = UNSET
    after: Annotated[int, Whole(0, LARGEST), "Begin after this position."] = 0
    limit: AtMost = 500


class Of(Query, frozen=True, kw_only=True):
    """Copies of one source."""

    source: Annotated[str, Open("source")]


class HeadsOf(Of, frozen=True, kw_only=True):
    """A part of the heads of copies."""

    after: Annotated[str, "Begin after this tournament."] = ""
    limit: AtMost = 500


class FeedOf(Of, frozen=True, kw_only=True):
    """A part of the feed of copies."""

    after: FeedPosition = 0
    limit: AtMost = 500


def log_blueprint(service: Service) -> Blueprint:
    """Return the routes of the own log, which this service signs, and of the logs that it copies."""
    blueprint = Blueprint("log", description="The log itself: every event, hash-chained, as CloudEvents 1.0.")
    gateway, database, signer, sources = service.gateway, service.database, service.signer, service.sources
    source = sources[0]

    of_own = {"source": Annotated[str, OneOf(sources), Documented({"default": source})]}

    @blueprint.get("/tournaments/<id:tournament>/log")
    @blueprint.hands_out_events
    @blueprint.answers_as(NDJSON)
    @blueprint.arguments(deferred(LogQuery, opened=of_own), location="query")
    @blueprint.may_refuse("tournament-unknown")
    @blueprint.doc(**_lines_of("CloudEvents, one a line."))
    def log(query: LogQuery, tournament: str) -> Response:
        """Show one log of a tournament in order: the audit trail, and the events that a subscriber missed.

        A token limited to some types of events leaves out the others, so that positions have gaps.
        """
        read_source = query.source or source
        with gateway.reading(tournament, any_log=True) as loaded, database.reading() as connection:
            caller = caller_or_none()
            last = log_page_end(connection, read_source, tournament, query.after, query.limit)
            end = loaded.heads[read_source].position

        event_filter = event_filter_for(caller, gateway.repository)

        def lines(after: int, limit: int) -> Iterable[bytes]:
            with database.reading() as connection:
                events = log_page(connection, read_source, tournament, after, limit)
            visible = [event for event in events if event_filter is None or event_filter(event)]
            if read_source == source:
                return log_lines(signer, visible)
            return (log_line(event, at=signer.at) for event in visible)

        return _stream(lines, query.after, last, end)

    @blueprint.get("/tournaments/<id:tournament>/heads")
    @blueprint.response(200, HeadsView)
    @blueprint.may_refuse("tournament-unknown")
    def heads(tournament: str) -> HeadsView:
        """Show the heads of the logs of a tournament, as far as this service has copied them."""
        with gateway.reading(tournament, any_log=True), database.reading() as connection:
            ends = heads_of(connection, tournament)
        heads = {name: HeadView(position=head.position, hash=head.hash) for name, head in sorted(ends.items())}
        return HeadsView(tournament=tournament, heads=heads)

    @blueprint.get("/log")
    @blueprint.hands_out_events
    @blueprint.allow(*READERS, within=None)
    @blueprint.answers_as(NDJSON)
    @blueprint.arguments(FeedQuery, location="query")
    @blueprint.may_refuse("wrong-tournament")
    @blueprint.doc(**_lines_of("CloudEvents, one a line."))
    def whole_log(query: FeedQuery) -> Response:
        """Show this service's events of every tournament in one order without gaps (`feedposition`).

        A token limited to some types of events leaves out the others; `Link` and `Muster-Feed-End` still count them.
        """
        caller = require_everywhere(
            READERS, "The feed covers all tournaments; a token of one tournament can read only that tournament's log."
        )
        service.own_copies.check_once()
        _, end = feed_after(database, source, query.after, 0)  # assigns positions to waiting events
        with database.reading() as connection:
            last = feed_page_end(connection, source, query.after, query.limit)
        chain, event_filter = FeedChain(database, source), event_filter_for(caller, gateway.repository)

        def lines(after: int, limit: int) -> Iterable[bytes]:
            with database.reading() as connection:
                page = feed_page(connection, source, after, limit)
            return (
                feed_lines(chain, signer, page)
                if event_filter is None
                else individually_signed_lines(chain, signer, page, event_filter)
            )

        response = _stream(lines, query.after, last, end)
        response.headers["Muster-Feed-End"] = str(max(end, last))
        return response

    return blueprint


def _lines_of(description: str) -> dict[str, Any]:
    """Return the OpenAPI documentation of an answer in lines."""
    content = {NDJSON: {"schema": {"type": "string"}}}
    return {"responses": {200: {"description": description, "content": content}}}


def _stream(read: Callable[[int, int], Iterable[bytes]], after: int, last: int, end: int) -> Response:
    """Answer with the lines after `after` up to `last`, in chunks. Set `Link` if more follow up to `end`.

    read: (position to start after, limit) -> lines. The first chunk is read before the answer starts, so a database
    that does not answer gives a problem. If it fails later, the answer breaks off, which HTTP clients detect.
    """

    def chunk(position: int) -> bytes:
        return b"".join(line + b"\n" for line in read(position, min(CHUNK_EVENTS, last - position)))

    def body(first: bytes) -> Iterator[bytes]:
        yield first
        for position in range(after + CHUNK_EVENTS, last, CHUNK_EVENTS):
            yield chunk(position)

    response = Response(body(chunk(after)) if last > after else b"", mimetype=NDJSON)
    if last < end:
        response.headers["Link"] = next_link(last)
    return response


def copies_blueprint(service: Service) -> Blueprint:
    """Return the routes that show the copies of other services' logs."""
    blueprint = Blueprint("copies", description="The copies of other services' logs.", reads_logs=False)
    database, copied_sources = service.database, service.sources[1:]

    of_copied = {"source": Annotated[str, OneOf(copied_sources)]}

    def lines(items: Iterable[msgspec.Struct]) -> Response:
        return Response(b"".join(msgspec.json.encode(item) + b"\n" for item in items), mimetype=NDJSON)

    @blueprint.get("/copies")
    @blueprint.allow(*COMPARERS, within=EVERY_TOURNAMENT)
    @blueprint.answers_as(NDJSON)
    @blueprint.arguments(deferred(Of, opened=of_copied), location="query")
    @blueprint.may_refuse("schema-outdated")
    @blueprint.doc(**_lines_of("One line: the number of `events`, and `last`, the last one in the feed of the source."))
    def copies_held(query: Of) -> Response:
        """Show how much of a source's log is copied here. Its owner uses this to detect lost events."""
        with database.reading() as connection:
            return lines([CopySummary(count_copied(connection, query.source), last_place(connection, query.source))])

    @blueprint.get("/copies/heads")
    @blueprint.allow(*COMPARERS, within=EVERY_TOURNAMENT)
    @blueprint.answers_as(NDJSON)
    @blueprint.arguments(deferred(HeadsOf, opened=of_copied), location="query")
    @blueprint.may_refuse("schema-outdated")
    @blueprint.doc(**_lines_of("`tournament`, `position` and `hash`, one log a line; an empty answer is the end."))
    def copies_heads(query: HeadsOf) -> Response:
        """Show the heads of the copies of a source's logs, by tournament."""
        with database.reading() as connection:
            heads = heads_page(connection, query.source, query.after, query.limit)
        return lines(CopyHead(tournament, head.position, head.hash) for tournament, head in heads)

    @blueprint.get("/copies/feed")
    @blueprint.allow(*COMPARERS, within=EVERY_TOURNAMENT)
    @blueprint.answers_as(NDJSON)
    @blueprint.arguments(deferred(FeedOf, opened=of_copied), location="query")
    @blueprint.may_refuse("schema-outdated")
    @blueprint.doc(**_lines_of("`feed`, `tournament`, `position` and `hash`, one event a line; empty: the end."))
    def copies_feed(query: FeedOf) -> Response:
        """Show the positions of copied events in the feed of their source."""
        with database.reading() as connection:
            return lines(places_after(connection, query.source, query.after, query.limit))

    return blueprint


SCHEMA = "application/schema+json"
FOR_EVER = "public, max-age=31536000, immutable"
"""The schema of an event version never changes; one year is the customary maximum for caches."""


def schemas_blueprint(service: Service) -> Blueprint:
    """Return the routes of event schemas, the same for every service."""
    settings = service.settings
    blueprint = Blueprint("schemas", description="Event schemas, for code generators.", reads_logs=False)

    @blueprint.get("/schemas/events/<id:type>/<number:version>")
    @blueprint.answers_as(SCHEMA, "application/json")
    @blueprint.response(200, {"type": "object"}, content_type=SCHEMA)
    @blueprint.may_refuse("event-unknown")
    def show_event_schema(type: str, version: int) -> Response:
        """Show the JSON Schema of the data of an event. Every event's `dataschema` points here. It never changes."""
        try:
            schema = event_schema(type, version, settings.public_urls[settings.service])
        except UnknownEvent as error:
            raise EventUnknown.of(type, version, versions_of(type)) from error
        answer = Response(orjson.dumps(schema), mimetype=SCHEMA)
        answer.headers["Cache-Control"] = FOR_EVER
        return answer

    @blueprint.get("/schemas/results/<number:version>")
    @blueprint.answers_as(SCHEMA, "application/json")
    @blueprint.response(200, {"type": "object"}, content_type=SCHEMA)
    @blueprint.may_refuse("event-unknown")
    def show_result_schema(version: int) -> Response:
        """Show the JSON Schema of the data of a GameResult. Its `dataschema` points here. It never changes."""
        if version != RESULT_VERSION:
            raise EventUnknown.of(RESULT, version, [RESULT_VERSION])
        answer = Response(orjson.dumps(result_schema(settings.public_urls[settings.service])), mimetype=SCHEMA)
        answer.headers["Cache-Control"] = FOR_EVER
        return answer

    @cache
    def document() -> tuple[bytes, str]:
        text = orjson.dumps(asyncapi(VERSION, settings.exchange), option=orjson.OPT_INDENT_2)
        return text, hashlib.sha256(text).hexdigest()[:16]

    @blueprint.get("/asyncapi.json")
    @blueprint.response(200, {"type": "object"})
    def show_asyncapi() -> Response:
        """Show AsyncAPI 3.0 of all events on the broker: routing keys, messages, schemas; the same on every service."""
        text, digest = document()
        answer = Response(text, mimetype="application/json")
        answer.set_etag(digest)
        answer.make_conditional(this_request())
        return answer

    return blueprint
