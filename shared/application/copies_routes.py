"""`GET /copies`, the same on every service: what it holds of another one's log, for that one to ask."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from flask import Response
from marshmallow import fields
from marshmallow.validate import OneOf

from shared.application.service import Service
from shared.eventlog.copied_feed import last_place, places_after
from shared.eventlog.cursors import copied
from shared.eventlog.read import heads_behind
from shared.messaging.peers import Held, LogHeld
from shared.roles import EVERY_TOURNAMENT, OPERATOR, SERVICE
from shared.web.blueprint import Blueprint
from shared.web.fields import QueryNumber, Schema

NDJSON = "application/x-ndjson"
LINES = {"schema": {"type": "string"}}
READERS = (SERVICE, OPERATOR)
MOST = 5000


def copies_blueprint(service: Service) -> Blueprint:
    """The routes, for a service that copies the logs of the sources behind its first."""
    blueprint = Blueprint("copies", description="What is held here of other services' logs.", reads_logs=False)
    database, copied_sources = service.database, service.sources[1:]

    class Of(Schema):
        source = fields.String(required=True, validate=OneOf(copied_sources))

    class HeadsOf(Of):
        after = fields.String(load_default="", metadata={"description": "Tournament behind which to begin."})
        limit = QueryNumber(1, MOST, load_default=500)

    class FeedOf(Of):
        after = QueryNumber(0, load_default=0, metadata={"description": "Feed position behind which to begin."})
        limit = QueryNumber(1, MOST, load_default=500)

    def lines(found: Iterable[msgspec.Struct]) -> Response:
        return Response(b"".join(msgspec.json.encode(each) + b"\n" for each in found), mimetype=NDJSON)

    def answers(description: str) -> dict[str, Any]:
        return {"responses": {200: {"description": description, "content": {NDJSON: LINES}}}}

    @blueprint.get("/copies")
    @blueprint.allow(*READERS, within=EVERY_TOURNAMENT)
    @blueprint.answers_as(NDJSON)
    @blueprint.arguments(Of, location="query")
    @blueprint.may_refuse("schema-outdated")
    @blueprint.doc(**answers("One line: `events`, how many, and `last`, the one furthest in the feed of the source."))
    def copies_held(query: dict[str, Any]) -> Response:
        """Say how much of a source's log is copied here; its owner asks, to know whether it lost something."""
        with database.reading() as connection:
            return lines([Held(copied(connection, query["source"]), last_place(connection, query["source"]))])

    @blueprint.get("/copies/heads")
    @blueprint.allow(*READERS, within=EVERY_TOURNAMENT)
    @blueprint.answers_as(NDJSON)
    @blueprint.arguments(HeadsOf, location="query")
    @blueprint.may_refuse("schema-outdated")
    @blueprint.doc(**answers("`tournament`, `position` and `hash`, one log a line; an empty answer is the end."))
    def copies_heads(query: dict[str, Any]) -> Response:
        """Say where the copies of a source's logs end, tournament by tournament."""
        with database.reading() as connection:
            found = heads_behind(connection, query["source"], query["after"], query["limit"])
        return lines(LogHeld(tournament, head.position, head.hash) for tournament, head in found)

    @blueprint.get("/copies/feed")
    @blueprint.allow(*READERS, within=EVERY_TOURNAMENT)
    @blueprint.answers_as(NDJSON)
    @blueprint.arguments(FeedOf, location="query")
    @blueprint.may_refuse("schema-outdated")
    @blueprint.doc(**answers("`feed`, `tournament`, `position` and `hash`, one event a line; empty: the end."))
    def copies_feed(query: dict[str, Any]) -> Response:
        """Say where copied events stand in the feed of their source."""
        with database.reading() as connection:
            return lines(places_after(connection, query["source"], query["after"], query["limit"]))

    return blueprint
