"""`GET /feed`: everything that happens, as far as the caller may see it, from any place on."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Literal

from flask import Response
from msgspec import UNSET, Struct, UnsetType

from services.scoring.feed.cursors import Read, cursor_of, read_cursor
from services.scoring.feed.filters import expected_types, filter_of
from services.scoring.feed.lines import RESULTS, lines_of, sight_of
from services.scoring.feed.pages import FeedPage, page_after
from services.scoring.feed.places import Place, end_of, give_places
from services.scoring.feed.result_lines import Results
from services.scoring.feed.visible import Reader, Sight, Tournaments, reader_of
from services.scoring.feed.waiting import FeedWaiting
from shared.service.wiring import Service, gateway, service, wired
from shared.shapes import Check, Id, Query, View, Whole
from shared.tournament.games import GameResult
from shared.web.auth import best_type, caller_or_none
from shared.web.blueprint import Blueprint
from shared.web.paging import next_link
from shared.web.request import this_request
from shared.web.schema import deferred

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


class WithinOne(Query, frozen=True, kw_only=True):
    """What of a tournament's part of the feed, and from where on. view: events as their authors wrote them, or games as
    events left them."""

    after: Annotated[
        str, "A cursor: `feedcursor` of an event, or Muster-Feed-Cursor. Empty: all; `now`: what comes."
    ] = ""
    types: Annotated[str, Check(expected_types), "Types of events, with commas between them. Empty: all."] = ""
    venue: Annotated[Id | UnsetType, "Events of this venue of the tournament, and those about none."] = UNSET
    view: Literal["events", "results"] = "events"


class OfAll(WithinOne, frozen=True, kw_only=True):
    """What of the feed, and from where on."""

    tournament: Annotated[Id | UnsetType, "Events of this one."] = UNSET
    season: Annotated[Id | UnsetType, "Events of this season, and of the tournaments that it counts now."] = UNSET


class FeedQuery(OfAll, frozen=True, kw_only=True):
    """The same in answers that end."""

    limit: Annotated[int, Whole(1, 500), "Most events of one answer."] = 100
    wait: Annotated[int, Whole(0, LONGEST_WAIT), "Seconds to wait where there is nothing new."] = 0


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


parts = wired(Feed)


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
    asked = filter_of(query.types, query.tournament, query.venue, query.season, who, results=reader.results)
    sight = sight_of(reader, asked, parts.tournaments, gateway.repository, parts.results)
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
