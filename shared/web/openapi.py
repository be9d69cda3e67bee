"""OpenAPI 3.1 of a service: its shapes, its problems, how to say who one is. Served at /openapi.json."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from functools import lru_cache
from inspect import cleandoc
from typing import Annotated, Any

import flask_smorest  # type: ignore[import-untyped]
import orjson
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Blueprint as FlaskBlueprint
from flask import Flask, Response
from marshmallow import ValidationError, fields
from msgspec import UNSET, UnsetType
from werkzeug.routing import BaseConverter

from shared.roles import ROLES
from shared.shapes import IDENTIFIER, View
from shared.web.access import best_type
from shared.web.derived import schema_of
from shared.web.docs_page import About
from shared.web.fields import DIGITS, Choice, WholeNumber
from shared.web.operations import BEARER, HEADERS, LINK, PARAMETERS, PREVIEW, PROBLEM
from shared.web.request import this_request
from shared.web.schemas import NumberOrList, Tagged, capitalised


class IdentifierConverter(BaseConverter):
    """`<id:tournament>` in a route: an address with anything but an identifier there is answered with 404."""

    regex = IDENTIFIER
    part_isolating = True


class NumberConverter(BaseConverter):
    """`<number:round>` in a route: a whole number of at most nine digits, so that it fits every database."""

    regex = r"0|[1-9][0-9]{0,8}"
    part_isolating = True

    def to_python(self, value: str) -> int:
        return int(value)


class FaultOfRequest(View, frozen=True, kw_only=True):
    """One thing that is wrong with a request."""

    where: Annotated[str, "JSON pointer into the body, or a header's name"]
    said: Annotated[str, "What was found there"]
    code: Annotated[str, "What would be right, as a stable code to switch on"]
    data: Annotated[dict[str, Any], "The values that `expected` names, by name; which ones depends on the code"]
    expected: Annotated[str, "What would be right, in an English sentence"]
    clause: Annotated[str, "The rule that says so; empty where none does"]


class ProblemView(View, frozen=True, kw_only=True):
    """A problem (RFC 9457)."""

    type: Annotated[str, "`/problems/<code>`: stable; GET describes it"]
    title: Annotated[str, "The same for every problem of this type"]
    status: Annotated[int, "The HTTP status"]
    detail: Annotated[str, "What happened here, in one sentence"]
    code: Annotated[str, "The end of `type`, to switch on"]
    request_id: Annotated[str, "Names the request in the service's log"]
    errors: Annotated[list[FaultOfRequest] | UnsetType, "Every fault, where there are some"] = UNSET
    data: Annotated[dict[str, Any] | UnsetType, "Facts to act on; which ones depends on the code"] = UNSET


class Converter(OpenAPIConverter):
    """apispec's shapes in JSON Schema, with the docstring of a schema as its description."""

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        variants = getattr(schema, "variants", None)
        shape: dict[str, Any] = (
            one_of(self, schema.tag, variants) if variants else super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]
        )
        about = vars(schema if isinstance(schema, type) else type(schema)).get("__doc__")
        return {**shape, "description": cleandoc(about)} if about else shape


class Plugin(MarshmallowPlugin):
    """apispec's plugin with our converter."""

    Converter = Converter


class Api(flask_smorest.Api):  # type: ignore[misc]
    """flask-smorest, with our problems instead of its errors and our fields in its schemas."""

    DEFAULT_ERROR_RESPONSE_NAME = "Problem"

    def __init__(self) -> None:
        super().__init__()
        self._undocumented: list[Any] = []
        self._begun = False
        self._documenting = threading.Lock()

    def _register_error_handlers(self) -> None:
        """Nothing: `problems.install` answers errors."""

    def _register_responses(self) -> None:
        """Nothing yet: what all operations share is documented with the first of them."""

    def _document_what_is_shared(self) -> None:
        components = self.spec.components
        components.schema(PROBLEM, schema=schema_of(ProblemView))
        components.response("Problem", _problem("Any other problem."))
        components.response("UNPROCESSABLE_ENTITY", _problem("The request is not valid."), lazy=True)
        components.security_scheme(
            BEARER,
            {
                "type": "http",
                "scheme": "bearer",
                "bearerFormat": "JWT",
                "description": "A token from an organiser; `Authorization: Bearer <token>`.",
            },
        )
        components.security_scheme(
            LINK,
            {
                "type": "apiKey",
                "in": "query",
                "name": "token",
                "description": "A player's own link carries the player's token; for reading only.",
            },
        )
        for name, parameter in PARAMETERS.items():
            components.parameter(name, "header", dict(parameter))
        components.parameter("Preview", "query", dict(PREVIEW))
        for name, header in HEADERS.items():
            components.header(name, dict(header))

    def _register_etag_headers(self) -> None:
        """Nothing: ours are among the parameters and headers above."""

    def _register_pagination_header(self) -> None:
        """Nothing: pages are members of the answer."""

    def register_blueprint(self, blueprint: Any, **options: Any) -> None:
        """Register its routes now; they are documented when somebody first asks, which most processes never see."""
        self._app.extensions["flask-smorest"]["blp_name_to_api"][blueprint.name] = self
        self._app.register_blueprint(blueprint, **options)
        self._undocumented.append(blueprint)

    def document(self) -> dict[str, Any]:
        """The whole document. Raises ValueError for what would spoil a generated client."""
        with self._documenting:
            if not self._begun:
                self._document_what_is_shared()
                self._begun = True
            while self._undocumented:
                blueprint = self._undocumented[0]
                blueprint.register_views_in_doc(self, self._app, self.spec, name=blueprint.name, parameters=None)
                self.spec.tag({"name": blueprint.name, "description": blueprint.description})
                del self._undocumented[0]
            made: dict[str, Any] = self.spec.to_dict()
        check(made)
        return made


def _problem(description: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/problem+json": {"schema": PROBLEM}}}


def make_api(app: Flask, about: About) -> Api:
    """Prepare the documentation of an application; blueprints are registered through what is returned."""
    app.config.update(API_TITLE=about.title, API_VERSION=about.version, OPENAPI_VERSION="3.1.0")
    app.url_map.converters |= {"id": IdentifierConverter, "number": NumberConverter}
    roles = "\n".join(f"- `{role}`: {does}" for role, does in ROLES.items())
    text = f"{about.description}\n\nA token says in which role its bearer acts:\n\n{roles}"
    options = {"info": {"description": text}, "servers": [{"url": "/"}]}
    api = Api()
    api.register_converter(IdentifierConverter, lambda _: {"type": "string", "pattern": f"^{IDENTIFIER}$"})
    api.register_converter(NumberConverter, lambda _: {"type": "integer", "minimum": 0, "maximum": 999_999_999})
    api.init_app(app, spec_kwargs={**options, "marshmallow_plugin": Plugin()})
    api.ma_plugin.converter.add_attribute_function(describe_field)
    return api


def describe_field(
    converter: OpenAPIConverter, field: fields.Field[Any], ret: dict[str, Any], **__: object
) -> dict[str, Any]:
    """Say in OpenAPI what a field of ours takes; a default that only being left out gives is none that may be sent."""
    extra: dict[str, Any] = {}
    if isinstance(field, NumberOrList):
        extra["oneOf"] = [converter.field2property(part) for part in (field.number, field.several)]
    if isinstance(field, WholeNumber) and field.text:
        types = ["integer", "string", *(["null"] if field.allow_none else [])]
        extra |= {"type": types, "pattern": f"^{DIGITS}$"}
    if isinstance(field, Tagged):
        extra |= one_of(converter, field.tag, field.schemas)
    if "default" in ret and not _takes(field, ret["default"]):
        del ret["default"]
    if isinstance(field, fields.Mapping):
        for end in ("min", "max"):
            if f"{end}Length" in ret:
                extra[f"{end}Properties"] = ret.pop(f"{end}Length")
    low, high = getattr(field, "minimum", None), getattr(field, "maximum", None)
    number = isinstance(field, fields.Integer)
    for name, value in (("minimum", low), ("maximum", high)) if number else (("minLength", low), ("maxLength", high)):
        if isinstance(value, int):
            extra[name] = value
    if pattern := getattr(field, "pattern", None):
        extra["pattern"] = pattern
    if isinstance(field, Choice):
        extra["enum"] = list(field.words) + ([None] if field.allow_none else [])
    expected = getattr(field, "expected", None)
    if expected and "description" not in ret and expected.code != "value":
        extra["description"] = capitalised(str(expected))
    return extra


def one_of(converter: OpenAPIConverter, tag: str, schemas: Mapping[str, Any]) -> dict[str, Any]:
    """One of several schemas, of which a member, tag, says which."""
    refs = {
        name: converter.resolve_nested_schema(schema)  # type: ignore[no-untyped-call]
        for name, schema in schemas.items()
    }
    mapping = {name: ref["$ref"] for name, ref in refs.items()}
    return {"oneOf": [*refs.values()], "discriminator": {"propertyName": tag, "mapping": mapping}}


def _takes(field: fields.Field[Any], value: object) -> bool:
    try:
        field.deserialize(value)
    except ValidationError:
        return False
    return True


def serve(app: Flask, api: Api, pages: FlaskBlueprint) -> None:
    """Serve /openapi.json beside the pages that show it. The document is made when first asked for, and kept."""

    @lru_cache(maxsize=2)  # behind an edge and without it; who asks decides neither
    def document_at(prefix: str) -> tuple[bytes, str]:
        document = {**api.document(), "servers": [{"url": prefix or "/"}]}
        text = orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS)
        return text, hashlib.sha256(text).hexdigest()[:16]

    def openapi_json() -> Response:
        best_type(this_request().environ.get("HTTP_ACCEPT"), ("application/json",))
        text, digest = document_at(this_request().root_path.rstrip("/"))
        answer = Response(text, mimetype="application/json")
        answer.set_etag(digest)
        answer.make_conditional(this_request())
        return answer

    pages.add_url_rule("/openapi.json", view_func=openapi_json)
    app.register_blueprint(pages)


def document_of(app: Flask) -> dict[str, Any]:
    """The document of an application. Raises ValueError for what would spoil a generated client."""
    api: Api = app.extensions["flask-smorest"]["apis"][""]["ext_obj"]
    return api.document()


def check(document: Mapping[str, Any]) -> None:
    """Raise ValueError for what would spoil a generated client.

    That is two operations with one operationId, or an operation that documents no answer of its own.
    """
    known: dict[str, str] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if not isinstance(operation, dict):
                continue
            name, here = operation["operationId"], f"{method} {path}"
            if known.setdefault(name, here) != here:
                raise ValueError(f"the operation {name!r} is both {known[name]} and {here}")
            if not any(str(status).startswith(("2", "3")) for status in operation["responses"]):
                raise ValueError(f"{here} ({name}) documents no answer: use @blueprint.response")
