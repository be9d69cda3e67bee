"""What integrations generate code from: the JSON Schema of each version of each event, and AsyncAPI of the broker."""

from __future__ import annotations

import hashlib
from functools import cache

import orjson
from flask import Response

from shared.application.refusals import EventUnknown
from shared.application.service import Service
from shared.formats.asyncapi import asyncapi
from shared.formats.event_schemas import event_schema, result_schema, versions_of
from shared.formats.fold import UnknownEvent
from shared.tournament.game_result import RESULT, RESULT_VERSION
from shared.version import VERSION
from shared.web.blueprint import Blueprint
from shared.web.request import this_request

SCHEMA = "application/schema+json"
FOR_EVER = "public, max-age=31536000, immutable"
"""What a version of an event is never changes; a year is as long as caches are told anything."""


def schemas_blueprint(service: Service) -> Blueprint:
    """The routes of a service, the same on every one: they all know every event."""
    settings = service.settings
    blueprint = Blueprint("schemas", description="What events look like: for generators of code.", reads_logs=False)

    @blueprint.get("/schemas/events/<id:type>/<number:version>")
    @blueprint.answers_as(SCHEMA, "application/json")
    @blueprint.response(200, {"type": "object"}, content_type=SCHEMA)
    @blueprint.may_refuse("event-unknown")
    def show_event_schema(type: str, version: int) -> Response:
        """Show the JSON Schema of the data of an event; `dataschema` of every event leads here. It never changes."""
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
        """Show the JSON Schema of the data of a GameResult, to which its `dataschema` leads. It never changes."""
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
        """Show AsyncAPI 3.0 of all events on the broker: routing keys, messages, shapes. Services answer alike."""
        text, digest = document()
        answer = Response(text, mimetype="application/json")
        answer.set_etag(digest)
        answer.make_conditional(this_request())
        return answer

    return blueprint
