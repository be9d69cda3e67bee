"""OpenAPI 3.1 of a service: its shapes, its problems, what each operation takes and answers, and how to say who one is.

The document is served at /openapi.json. /docs shows it to read and to try, by Swagger UI, with the way to the other
services. A token that somebody enters there is kept in the session storage of the browser: it survives a reload and
ends with the tab. The local storage, which Swagger UI would use by itself, keeps it for whoever sits down at that
computer next.
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
from shared.web.schema import DIGITS, Choice, NumberOrList, Tagged, WholeNumber, capitalised, schema_of

ASSETS = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")
POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"
"""Content-Security-Policy: everything from here, nothing from elsewhere, so that it works offline."""

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
    """What the documentation of a service says of it.

    services: name -> address of every one as people reach it, for the way from one's documentation to the others'.
    """

    title: str
    description: str
    version: str = VERSION
    services: Mapping[str, str] = MappingProxyType({})


def docs_pages(about: About, this: str) -> Blueprint:
    """The page and what it loads. this: the service."""

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
"""Of what everybody may read: a token that comes has to be good, and that it was not revoked has to be known."""
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

# No examples here: generators send them, and a key of somebody else, a position that no log has reached or a version
# that nothing has is refused.
PARAMETERS: Mapping[str, dict[str, Any]] = {
    "IdempotencyKey": {
        "name": idempotency.HEADER,
        "description": "Makes the command safe to repeat: with the same key it has its effect once and answers "
        "the same each time, with `Idempotent-Replayed: true` when it is told again. Use a new one, such as a UUID, "
        "for each new command. A key counts in one tournament of one service.",
        "schema": {"type": "string", "minLength": 1, "maxLength": idempotency.LONGEST_KEY, "pattern": "^[!-~]+$"},
    },
    "MusterSeen": {
        "name": versions.SEEN,
        "description": "How far the answer must have read each log: Muster-Seen of an earlier answer, of any "
        "service, unchanged: each log with its position, separated by commas, as in `registration=12, pairing=4`. "
        "Leave it out when there is none. A service that is behind waits a short while and then answers 503.",
        "schema": {"type": "string", "maxLength": versions.LONGEST},
    },
    "IfMatch": {
        "name": "If-Match",
        "description": "The ETag of the version that the command means, as it was read, with its quotation marks; "
        "another one is answered with 412. Leave it out to act whatever has changed.",
        "schema": {"type": "string"},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "description": "The ETag of the version that you have; if it is still current, the answer is an empty 304.",
        "schema": {"type": "string"},
    },
    "LastEventId": {
        "name": "Last-Event-ID",
        "description": "The `id` that came last: the stream goes on behind it, whatever `after` says. Browsers send it "
        "by themselves when they come back.",
        "schema": {"type": "string"},
    },
}

PREVIEW: Mapping[str, Any] = {
    "name": "preview",
    "description": "`true`: the answer is what the command would do, and nothing is done. What would be refused is "
    "refused. An Idempotency-Key is not used up by it. With its ETag as If-Match the command is done as shown, or "
    "refused.",
    "schema": {"type": "boolean", "default": False},
}

HEADERS: Mapping[str, dict[str, Any]] = {
    "MusterSeen": {
        "description": "How far this answer had read each log. Send it with the next request, to any service.",
        "schema": {"type": "string"},
        "example": versions.EXAMPLE,
    },
    "ETag": {"description": "The version shown.", "schema": {"type": "string"}, "example": '"scoring-31"'},
    "Location": {
        "description": "Where what was made is shown, from the service's root; missing for nothing and for several.",
        "schema": {"type": "string"},
    },
    "RequestId": {"description": "Names this request in the log of the service.", "schema": {"type": "string"}},
    "RetryAfter": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}},
}


def document_operation(
    doc: dict[str, Any], notes: Mapping[str, Any], *, app: Flask, method: str, **_: object
) -> dict[str, Any]:
    """Complete the documentation of an operation.

    notes: roles, within, codes, absent, sent (of them, see `may_refuse`), versioned, resumed (whether it takes
    Last-Event-ID), reads_logs, query (whether it takes one), previews (whether it can be shown only), located (whether
    what was made has an address), file (whether it takes a body that is documented by hand), parts (of the address), as
    the blueprint left them. Positions and versions are those of one tournament: elsewhere they mean nothing.
    Raises ValueError for a problem code that no table names.
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
            "rulesets": {id: _let_in(roles, may) for id, may in rulesets.items()},
            "otherwise": _let_in(roles, otherwise),
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
    told = problem_responses(app.extensions[EXTENSION].kinds, codes, *places)
    doc["responses"] = {**responses, **told}
    return doc


def _with_preview(responses: dict[Any, Any], shape: type[Struct] | None) -> None:
    """Add what a command answers that is only to be shown; where it answers 200 anyway, one of the two."""
    if shape is None:
        return
    said, schema = "With `preview=true`: what it would do; nothing was appended.", schema_of(shape)
    done = next((status for status in responses if str(status) == "200"), None)
    before = responses[done] if done is not None else {}
    shapes = [media["schema"] for media in before.get("content", {}).values()]
    responses[200 if done is None else done] = {
        **before,
        "description": f"{before['description']}. {said}" if before else said,
        "content": {"application/json": {"schema": {"oneOf": [*shapes, schema]} if shapes else schema}},
    }


def _asks_for_a_page(schema: Any) -> bool:
    made = getattr(schema, "makes", None)
    return made is not None and issubclass(made, Paged)


def callers_text(notes: Mapping[str, Any]) -> str:
    """What the description of an operation says of who may call it: the roles of its row in the table of commands."""
    may = [role for role in ROLES if role in notes.get("roles", ())]
    if may:
        return f"**Who may call it:** {', '.join(f'`{role}`' for role in may)}."
    public = notes["reads_logs"] and "tournament" in notes["parts"]
    return f"**Who may call it:** everybody{', where the tournament is public' if public else ''}."


def narrowed_text(notes: Mapping[str, Any]) -> str:
    """What the description of an operation says of rulesets that let only some of its roles act."""
    question, rulesets, otherwise = notes["narrowed"]
    roles = notes.get("roles", [])
    said = [f"`{id}`: {', '.join(_let_in(roles, may))}" for id, may in rulesets.items()]
    return (
        f"Of these roles the ruleset lets those act who settle `{question}`. {'; '.join(said)}; others: "
        f"{', '.join(_let_in(roles, otherwise))}. An organiser stands in for a role that nobody holds; an option may "
        "narrow it further. Anybody else is refused with `not-your-decision`, which names who may; so does `decisions` "
        "of the tournament at registration."
    )


def _let_in(roles: Iterable[str], deciders: Collection[str]) -> list[str]:
    """Of the roles let in those that decide; an operator counts as an organiser."""
    may = {*deciders, *([OPERATOR] if ORGANISER in deciders else [])}
    return [role for role in roles if role in may]


def problem_responses(
    kinds: Mapping[str, Kind],
    codes: Iterable[str],
    parts: Collection[str] = (),
    absent: Collection[str] = (),
    sent: Collection[str] = (),
    takes_more: bool = False,
) -> dict[int, dict[str, Any]]:
    """Return one response for each status, naming the codes that come with it.

    absent: codes that come with the status of their table. sent: codes that come as of something sent, too.
    parts, takes_more: as for `Kind.status_for`. Raises ValueError for a code that no table names.
    """
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys((*codes, *absent)):
        if code not in kinds:
            raise ValueError(f"the problem code {code!r} is documented, and stands in no table")
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
