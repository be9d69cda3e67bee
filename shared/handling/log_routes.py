"""The log over HTTP, the same on every service: one log of a tournament, its heads, the feed of all tournaments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from flask import Response
from marshmallow import fields
from marshmallow.validate import OneOf

from shared.events.cloudevents import to_wire
from shared.events.recorded import Recorded
from shared.handling.front import Front
from shared.handling.open_rosters import refuse_hidden_rosters
from shared.handling.schemas import HeadsShown
from shared.http.access import caller, caller_or_none
from shared.http.blueprint import Blueprint
from shared.http.fields import QueryNumber, Schema
from shared.http.refusals import WrongTournament
from shared.http.tokens import EVERY_TOURNAMENT, INTEGRATION, OPERATOR, SERVICE
from shared.log.outbox import feed_after
from shared.log.read import heads_of, log_page

NDJSON = "application/x-ndjson"
LINES = {"schema": {"type": "string"}}
MOST = 5000
KEEPS_ROSTERS = "registration"
"""Whose log holds rosters."""


def log_blueprint(front: Front, sources: tuple[str, ...]) -> Blueprint:
    """The routes, for a service that holds the logs of `sources`, its own first."""
    blueprint = Blueprint("log", description="The log itself: every event, hash-chained, as CloudEvents 1.0.")
    source = sources[0]
    database = front.desk.database

    class LogQuery(Schema):
        source = fields.String(load_default=sources[0], validate=OneOf(sources))
        after = QueryNumber(0, load_default=0, metadata={"description": "Position behind which to begin."})
        limit = QueryNumber(1, MOST, load_default=500)

    class FeedQuery(Schema):
        after = QueryNumber(0, load_default=0, metadata={"description": "Feed position behind which to begin."})
        limit = QueryNumber(1, MOST, load_default=500)

    @blueprint.get("/tournaments/<id:tournament>/log")
    @blueprint.arguments(LogQuery, location="query")
    @blueprint.may_refuse("tournament-unknown", "rosters-hidden")
    @blueprint.doc(responses={200: {"description": "CloudEvents, one a line.", "content": {NDJSON: LINES}}})
    def log(query: dict[str, Any], tournament: str) -> Response:
        """Show one log of a tournament in order: the audit trail, and what a subscriber missed.

        Registration's log holds rosters: until the first round has begun it takes a token of staff, an integration,
        a service or an operator.
        """
        with front.reading(tournament) as folded, database.reading() as connection:
            if query["source"] == KEEPS_ROSTERS:
                refuse_hidden_rosters(tournament, folded.state, caller_or_none())
            events = log_page(connection, query["source"], tournament, query["after"], query["limit"])
        return _lines(to_wire(event) for event in events)

    @blueprint.get("/tournaments/<id:tournament>/heads")
    @blueprint.response(200, HeadsShown)
    @blueprint.may_refuse("tournament-unknown")
    def heads(tournament: str) -> dict[str, Any]:
        """Say where the logs of a tournament end, as far as this service holds them."""
        with front.reading(tournament), database.reading() as connection:
            ends = heads_of(connection, tournament)
        return {
            "tournament": tournament,
            "heads": {name: {"position": head.position, "hash": head.hash} for name, head in sorted(ends.items())},
        }

    @blueprint.get("/feed")
    @blueprint.allow(SERVICE, INTEGRATION, OPERATOR, within=None)
    @blueprint.arguments(FeedQuery, location="query")
    @blueprint.may_refuse("wrong-tournament")
    @blueprint.doc(responses={200: {"description": "CloudEvents, one a line.", "content": {NDJSON: LINES}}})
    def feed(query: dict[str, Any]) -> Response:
        """Show this service's events of every tournament in one order without gaps (`feedposition`)."""
        if caller().tournament != EVERY_TOURNAMENT:
            raise WrongTournament("The feed spans every tournament; a token of one reads that one's log.")
        page, end = feed_after(database, source, query["after"], query["limit"])
        response = _lines(_with_feed(position, event) for position, event in page)
        response.headers["Muster-Feed-End"] = str(end)
        return response

    return blueprint


def _with_feed(position: int, event: Recorded) -> bytes:
    return b'{"feedposition":%d,' % position + to_wire(event)[1:]


def _lines(lines: Iterable[bytes]) -> Response:
    def body() -> Iterator[bytes]:
        for line in lines:
            yield line + b"\n"

    return Response(b"".join(body()), mimetype=NDJSON)
