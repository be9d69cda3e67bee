"""The OpenAPI 3.1 document of a service: operations, schemas, problems and authentication.

/openapi.json serves the document. /docs shows it in Swagger UI, with links to the other services. A token entered there
is kept in the browser's session storage, which survives a reload and ends with the tab. Swagger UI's default, the local
storage, would keep it for the next user of that computer.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from inspect import cleandoc
from types import MappingProxyType
from typing import Annotated, Any

import flask_smorest  # type: ignore[import-untyped]
import orjson
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Blueprint, Flask, Response, abort, render_template_string, send_from_directory
from flask import Blueprint as FlaskBlueprint
from marshmallow import ValidationError, fields
from msgspec import UNSET, Struct, UnsetType
from werkzeug.routing import BaseConverter

from shared.roles import LINKED, OPERATOR, ORGANISER, ROLES
from shared.shapes import IDENTIFIER, View
from shared.version import VERSION
from shared.web import idempotency, versions
from shared.web.auth import best_type
from shared.web.paging import Paged
from shared.web.refusals import UNPROCESSABLE, Kind
from shared.web.request import EXTENSION, this_request
from shared.web.schema import DIGITS, Choice, NumberOrList, Tagged, WholeNumber, capitalise, schema_of

ASSETS = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")
POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"
"""Content-Security-Policy of /docs: all resources come from this service, so that it works offline."""

_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="docs/swagger-ui.css"><link rel="icon" href="docs/favicon-32x32.png">
<style>
#services {font: 16px sans-serif; max-width: 1460px; margin: 0 auto; padding: 16px 20px 0; color: #3b4151}
#services a, #services strong {margin-right: 16px}
</style></head>
<body><nav id="services" aria-label="Services">{% for name, address in services.items() %}
{% if name == this %}<strong aria-current="page">{{ name }}</strong>
{% else %}<a href="{{ address }}/docs" rel="noopener">{{ name }}</a>{% endif %}{% endfor %}</nav>
<div id="docs"></div><script src="docs/swagger-ui-bundle.js"></script><script src="docs/start.js"></script>
</body></html>
"""
_SCRIPT = """const KEPT = "muster-token";
const keeping = {statePlugins: {auth: {wrapActions: {
  authorize: (original) => (entered) => {
    if (entered.bearer) sessionStorage.setItem(KEPT, entered.bearer.value);
    return original(entered);
  },
  logout: (original) => (names) => {
    if (names.includes("bearer")) sessionStorage.removeItem(KEPT);
    return original(names);
  },
}}}};
const ui = SwaggerUIBundle({
  url: "openapi.json", dom_id: "#docs", deepLinking: true, validatorUrl: null, plugins: [keeping],
  onComplete: () => {
    const token = sessionStorage.getItem(KEPT);
    if (token) ui.preauthorizeApiKey("bearer", token);
  },
});
"""


class About(Struct, frozen=True):
    """The texts of a service's documentation. services: name -> public address of every service, for links."""

    title: str
    description: str
    version: str = VERSION
    services: Mapping[str, str] = MappingProxyType({})


def docs_pages(about: About, this: str) -> Blueprint:
    """Return the blueprint of /docs and its assets. this: the name of the service."""

    def docs() -> Response:
        best_type(this_request().environ.get("HTTP_ACCEPT"), ("text/html",))
        page = Response(
            render_template_string(_PAGE, title=about.title, this=this, services=about.services or {this: ""}),
            mimetype="text/html",
        )
        page.headers["Content-Security-Policy"] = POLICY
        return page

    def start() -> Response:
        return Response(_SCRIPT, mimetype="text/javascript")

    def asset(name: str) -> Response:
        if name not in ASSETS:
            abort(404)
        return send_from_directory(str(files("flask_swagger_ui") / "dist"), name, max_age=86400)

    blueprint = Blueprint("docs", __name__)
    blueprint.add_url_rule("/docs", view_func=docs)
    blueprint.add_url_rule("/docs/start.js", view_func=start)
    blueprint.add_url_rule("/docs/<name>", view_func=asset)
    return blueprint


COMMANDS = frozenset({"post", "put", "patch", "delete"})
PROBLEM = "Problem"
BEARER, LINK = "bearer", "link"

READING = (
    "unauthenticated",
    "token-expired",
    "token-not-yet-valid",
    "token-revoked",
    "token-narrowed",
    "behind-own-copies",
)
"""Problems of an operation that needs no token: a token that is sent must still be valid and not revoked."""
WITH_TOKEN = (*READING, "forbidden")
WITHIN_ONE = ("wrong-tournament", "not-your-tournament")
WITH_CURSOR = ("invalid-cursor",)
WITH_BODY = (
    "malformed-json",
    "duplicate-member",
    "incomplete-body",
    "unsupported-media-type",
    "too-large",
    "invalid-request",
)
WITH_KEY = ("invalid-idempotency-key", "idempotency-key-reused", "quota-reached", "beacon-awaited")
WITH_SEEN = ("malformed-seen", "implausible-seen", "not-yet-seen", "log-unreadable")
EVERYWHERE = ("not-acceptable",)
OF_LOGS = ("too-many-requests", "schema-outdated")

# No examples here: test generators send them, and made-up keys, positions and versions are refused.
PARAMETERS: Mapping[str, dict[str, Any]] = {
    "IdempotencyKey": {
        "name": idempotency.HEADER,
        "description": "Makes the command safe to repeat: with the same key it takes effect once and gets the same "
        "answer each time; a repeated answer has `Idempotent-Replayed: true`. Use a new key, such as a UUID, for each "
        "new command. A key is valid in one tournament of one service.",
        "schema": {"type": "string", "minLength": 1, "maxLength": idempotency.LONGEST_KEY, "pattern": "^[!-~]+$"},
    },
    "MusterSeen": {
        "name": versions.SEEN,
        "description": "How far the answer must have read each log. Send the Muster-Seen of an earlier answer of any "
        "service, unchanged: each log with its position, separated by commas, as in `registration=12, pairing=4`. "
        "Optional. A service that is behind waits briefly, then answers 503.",
        "schema": {"type": "string", "maxLength": versions.LONGEST},
    },
    "IfMatch": {
        "name": "If-Match",
        "description": "The ETag of the version that you read, with its quotation marks. If it has changed since, the "
        "answer is 412. Without it the command runs whatever has changed.",
        "schema": {"type": "string"},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "description": "The ETag of the version that you have. If it is still current, the answer is an empty 304.",
        "schema": {"type": "string"},
    },
    "LastEventId": {
        "name": "Last-Event-ID",
        "description": "The last `id` received. The stream continues after it and ignores `after`. Browsers send it "
        "automatically when they reconnect.",
        "schema": {"type": "string"},
    },
}

PREVIEW: Mapping[str, Any] = {
    "name": "preview",
    "description": "`true`: preview the command; nothing changes. A command that would be refused is refused. An "
    "Idempotency-Key is not used up. Send the ETag of the preview in If-Match to run the command as shown or not at "
    "all.",
    "schema": {"type": "boolean", "default": False},
}

HEADERS: Mapping[str, dict[str, Any]] = {
    "MusterSeen": {
        "description": "How far this answer has read each log. Send it with the next request, to any service.",
        "schema": {"type": "string"},
        "example": versions.EXAMPLE,
    },
    "ETag": {"description": "The version shown.", "schema": {"type": "string"}, "example": '"scoring-31"'},
    "Location": {
        "description": "The path of the created thing, from the service's root; absent if there is none or several.",
        "schema": {"type": "string"},
    },
    "RequestId": {"description": "The id of this request in the service's log.", "schema": {"type": "string"}},
    "RetryAfter": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}},
}


def document_operation(
    doc: dict[str, Any], notes: Mapping[str, Any], *, app: Flask, method: str, **_: object
) -> dict[str, Any]:
    """Complete the documentation of an operation.

    Muster-Seen and ETags of several logs exist only for operations of one tournament.
    notes: set by the decorators of the blueprint: roles, within, codes, absent, sent, versioned, resumed, reads_logs,
    query, previews, located, strict; `file`: True if the body is documented by hand; `parts`: path parameters.
    Raises ValueError for a problem code without a table entry.
    """
    command, body = method in COMMANDS, "requestBody" in doc
    takes_more = body or notes["file"] or bool(notes.get("query"))
    query = [p["schema"] for p in doc.get("parameters", ()) if isinstance(p, dict) and p.get("in") == "query"]
    roles, versioned = notes.get("roles", []), notes.get("versioned")
    reads_logs = notes.get("reads_logs", True)
    follows = reads_logs and "tournament" in notes["parts"]
    names = ["MusterSeen"] if follows else []
    if command:
        names.append("IdempotencyKey")
    if versioned and not command:
        names.append("IfNoneMatch")
    if notes.get("resumed"):
        names.append("LastEventId")
    versioned = versioned or (command and follows)
    if versioned and command:
        names.append("IfMatch")
    doc["security"] = _security(roles, method)
    if roles:
        doc["x-roles"] = {role: ROLES[role] for role in roles}
    if "narrowed" in notes:
        question, rulesets, otherwise = notes["narrowed"]
        doc["x-decided-by"] = {
            "question": question,
            "rulesets": {id: _deciding_roles(roles, deciders) for id, deciders in rulesets.items()},
            "otherwise": _deciding_roles(roles, otherwise),
        }
    if notes.get("previews"):
        names.append("Preview")
    doc["parameters"] = [*doc.get("parameters", ()), *names]
    responses = {status: r for status, r in doc.get("responses", {}).items() if str(status) != "422"}
    answered = set(responses)
    if notes.get("previews"):
        _with_preview(responses, app.extensions[EXTENSION].previewed)
    for status, answer in responses.items():
        if str(status).startswith("2") and isinstance(answer, dict):
            extra = {"X-Request-Id": "RequestId"}
            extra |= {"Muster-Seen": "MusterSeen"} if reads_logs else {}
            extra |= {"ETag": "ETag"} if versioned else {}
            extra |= {"Location": "Location"} if notes.get("located") and status in answered else {}
            answer["headers"] = {**extra, **answer.get("headers", {})}
    if versioned and not command:
        responses[304] = {"description": "You have the current version.", "headers": {"ETag": "ETag"}}
    codes = [
        *(WITH_TOKEN if roles else ()),
        *(WITHIN_ONE if roles and notes.get("within") else ()),
        *(READING if reads_logs and not roles else ()),
        *(WITH_BODY if body else ()),
        *(("invalid-request",) if notes["strict"] else ()),
        *(WITH_KEY if command else ()),
        *(WITH_CURSOR if any(map(_asks_for_a_page, query)) else ()),
        *(WITH_SEEN if follows else ()),
        *(("precondition-failed",) if versioned and command else ()),
        *EVERYWHERE,
        *(OF_LOGS if reads_logs else ()),
        *notes.get("codes", ()),
    ]
    places = (notes["parts"], notes.get("absent", ()), notes.get("sent", ()), takes_more)
    doc["responses"] = {**responses, **problem_responses(app.extensions[EXTENSION].kinds, codes, *places)}
    return doc


def _with_preview(responses: dict[Any, Any], shape: type[Struct] | None) -> None:
    """Add the answer of a preview. If the command itself answers 200, the schema is one of the two."""
    if shape is None:
        return
    text, schema = "With `preview=true`: the preview; nothing was appended.", schema_of(shape)
    ok = next((status for status in responses if str(status) == "200"), None)
    before = responses[ok] if ok is not None else {}
    shapes = [media["schema"] for media in before.get("content", {}).values()]
    responses[200 if ok is None else ok] = {
        **before,
        "description": f"{before['description']}. {text}" if before else text,
        "content": {"application/json": {"schema": {"oneOf": [*shapes, schema]} if shapes else schema}},
    }


def _asks_for_a_page(schema: Any) -> bool:
    kind = getattr(schema, "makes", None)
    return kind is not None and issubclass(kind, Paged)


def callers_text(notes: Mapping[str, Any]) -> str:
    """Return the paragraph of an operation's description that lists its callers."""
    callers = [role for role in ROLES if role in notes.get("roles", ())]
    if callers:
        return f"**Who may call it:** {', '.join(f'`{role}`' for role in callers)}."
    public = notes["reads_logs"] and "tournament" in notes["parts"]
    return f"**Who may call it:** everybody{', where the tournament is public' if public else ''}."


def narrowed_text(notes: Mapping[str, Any]) -> str:
    """Return the paragraph of an operation's description that lists the deciding roles by ruleset."""
    question, rulesets, otherwise = notes["narrowed"]
    roles = notes.get("roles", [])
    by_ruleset = [f"`{id}`: {', '.join(_deciding_roles(roles, deciders))}" for id, deciders in rulesets.items()]
    return (
        f"The ruleset restricts this to the roles that decide `{question}`. {'; '.join(by_ruleset)}; others: "
        f"{', '.join(_deciding_roles(roles, otherwise))}. If no one holds a role, an organiser may act instead; an "
        "option may restrict the roles further. All others are refused with `not-your-decision`, which names them; "
        "`decisions` of the tournament at registration lists them, too."
    )


def _deciding_roles(roles: Iterable[str], deciders: Collection[str]) -> list[str]:
    """Return the roles that decide. An operator counts as an organiser."""
    allowed = {*deciders, *([OPERATOR] if ORGANISER in deciders else [])}
    return [role for role in roles if role in allowed]


def problem_responses(
    kinds: Mapping[str, Kind],
    codes: Iterable[str],
    parts: Collection[str] = (),
    absent: Collection[str] = (),
    sent: Collection[str] = (),
    takes_more: bool = False,
) -> dict[int, dict[str, Any]]:
    """Return one response per status, with its problem codes.

    absent: codes that always have the status of their table. sent: codes that can also be about something in the body.
    parts, takes_more: as for `Kind.status_for`. Raises ValueError for a code without a table entry.
    """
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys((*codes, *absent)):
        if code not in kinds:
            raise ValueError(f"the problem code {code!r} is documented but is in no table")
        kind = kinds[code]
        statuses = [kind.status] if code in absent else [kind.status_for(parts, takes_more=takes_more)]
        for status in [*statuses, UNPROCESSABLE] if code in sent else statuses:
            by_status.setdefault(status, []).append(code)
    return {status: _response(kinds, by_status[status]) for status in sorted(by_status)}


def _response(kinds: Mapping[str, Kind], codes: list[str]) -> dict[str, Any]:
    retry = any(kinds[code].status in (429, 503) for code in codes)
    return {
        "description": "; ".join(f"`{code}`: {kinds[code].title}" for code in codes),
        "content": {"application/problem+json": {"schema": PROBLEM}},
        "headers": {"X-Request-Id": "RequestId", **({"Retry-After": "RetryAfter"} if retry else {})},
        "x-problem-codes": codes,
    }


def _security(roles: list[str], method: str) -> list[dict[str, list[str]]]:
    if not roles:
        return []
    linked = method == "get" and LINKED & set(roles)
    return [{BEARER: []}, {LINK: []}] if linked else [{BEARER: []}]


class IdentifierConverter(BaseConverter):
    """`<id:tournament>` in a route. Anything but an identifier is answered with 404."""

    regex = IDENTIFIER
    part_isolating = True


class NumberConverter(BaseConverter):
    """`<number:round>` in a route: an integer of at most nine digits, which every database can store."""

    regex = r"0|[1-9][0-9]{0,8}"
    part_isolating = True

    def to_python(self, value: str) -> int:
        return int(value)


class FaultOfRequest(View, frozen=True, kw_only=True):
    """A fault of a request."""

    where: Annotated[str, "JSON pointer into the body, or the name of a header"]
    said: Annotated[str, "The value found there"]
    code: Annotated[str, "A stable code for `expected`, for programs"]
    data: Annotated[dict[str, Any], "The values in `expected`, by name; they depend on the code"]
    expected: Annotated[str, "The expected value, as an English sentence"]
    clause: Annotated[str, "The clause of the rules; empty if there is none"]


class ProblemView(View, frozen=True, kw_only=True):
    """A problem (RFC 9457)."""

    type: Annotated[str, "`/problems/<code>`: stable; GET it for a description"]
    title: Annotated[str, "The same for every problem of this type"]
    status: Annotated[int, "The HTTP status"]
    detail: Annotated[str, "What happened, in one sentence"]
    code: Annotated[str, "The last part of `type`, for programs"]
    request_id: Annotated[str, "The id of the request in the service's log"]
    errors: Annotated[list[FaultOfRequest] | UnsetType, "Every fault, if there are any"] = UNSET
    data: Annotated[dict[str, Any] | UnsetType, "Values to act on; they depend on the code"] = UNSET


class Converter(OpenAPIConverter):
    """apispec's JSON Schema converter, with the docstring of a schema as its description."""

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        variants = getattr(schema, "variants", None)
        shape: dict[str, Any] = (
            one_of(self, schema.tag, variants) if variants else super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]
        )
        about = vars(schema if isinstance(schema, type) else type(schema)).get("__doc__")
        return {**shape, "description": cleandoc(about)} if about else shape


class Plugin(MarshmallowPlugin):
    """apispec's marshmallow plugin with `Converter`."""

    Converter = Converter


class Api(flask_smorest.Api):  # type: ignore[misc]
    """flask-smorest's API with Muster's problems instead of its errors, and documents created on demand."""

    DEFAULT_ERROR_RESPONSE_NAME = "Problem"

    def __init__(self) -> None:
        super().__init__()
        self._undocumented: list[Any] = []
        self._has_components = False
        self._lock = threading.Lock()

    def _register_error_handlers(self) -> None:
        """Do nothing: `problems.install` registers the error handlers."""

    def _register_responses(self) -> None:
        """Do nothing: `document` adds the shared components."""

    def _add_shared_components(self) -> None:
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
        """Do nothing: the parameters and headers above include ETags."""

    def _register_pagination_header(self) -> None:
        """Do nothing: pagination is part of the answer."""

    def register_blueprint(self, blueprint: Any, **options: Any) -> None:
        """Register the routes of a blueprint. They are documented at the first request for the document."""
        self._app.extensions["flask-smorest"]["blp_name_to_api"][blueprint.name] = self
        self._app.register_blueprint(blueprint, **options)
        self._undocumented.append(blueprint)

    def document(self) -> dict[str, Any]:
        """Return the whole document. Raises the exceptions of `check`."""
        with self._lock:
            if not self._has_components:
                self._add_shared_components()
                self._has_components = True
            while self._undocumented:
                blueprint = self._undocumented[0]
                blueprint.register_views_in_doc(self, self._app, self.spec, name=blueprint.name, parameters=None)
                self.spec.tag({"name": blueprint.name, "description": blueprint.description})
                del self._undocumented[0]
            document: dict[str, Any] = self.spec.to_dict()
        check(document)
        return document


def _problem(description: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/problem+json": {"schema": PROBLEM}}}


def make_api(app: Flask, about: About) -> Api:
    """Return the API of an application, with which its blueprints are registered."""
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
    """Return further JSON Schema members for a field. Remove a default that could not be sent as a value."""
    extra: dict[str, Any] = {}
    if isinstance(field, NumberOrList):
        extra["oneOf"] = [converter.field2property(part) for part in (field.number, field.several)]
    if isinstance(field, WholeNumber) and field.text:
        types = ["integer", "string", *(["null"] if field.allow_none else [])]
        extra |= {"type": types, "pattern": f"^{DIGITS}$"}
    if isinstance(field, Tagged):
        extra |= one_of(converter, field.tag, field.schemas)
    if "default" in ret and not _accepts(field, ret["default"]):
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
        extra["description"] = capitalise(str(expected))
    return extra


def one_of(converter: OpenAPIConverter, tag: str, schemas: Mapping[str, Any]) -> dict[str, Any]:
    """Return a `oneOf` of several schemas with a discriminator. tag: the member that names the schema."""
    refs = {
        name: converter.resolve_nested_schema(schema)  # type: ignore[no-untyped-call]
        for name, schema in schemas.items()
    }
    mapping = {name: ref["$ref"] for name, ref in refs.items()}
    return {"oneOf": [*refs.values()], "discriminator": {"propertyName": tag, "mapping": mapping}}


def _accepts(field: fields.Field[Any], value: object) -> bool:
    try:
        field.deserialize(value)
    except ValidationError:
        return False
    return True


def serve(app: Flask, api: Api, pages: FlaskBlueprint) -> None:
    """Serve /openapi.json together with the pages of /docs. The document is created at the first request and cached."""

    @lru_cache(maxsize=2)  # one prefix behind a proxy, one without; clients cannot choose it
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
    """Return the document of an application. Raises the exceptions of `check`."""
    api: Api = app.extensions["flask-smorest"]["apis"][""]["ext_obj"]
    return api.document()


def check(document: Mapping[str, Any]) -> None:
    """Raise ValueError if a client cannot be generated from a document.

    That is if two operations have the same operationId, or an operation documents no successful answer.
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
