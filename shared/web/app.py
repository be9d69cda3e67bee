"""The one place where the edge of a service is put together; other origins, and gzip for whoever takes it.

Pages of other origins that may read answers in a browser (CORS) are those that are named, and nobody by default. Tokens
travel in `Authorization` and never in cookies, so that no page needs credentials of the browser, and none is allowed
them. Whoever is not a browser is told nothing of it.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Collection, Sequence
from typing import Any

import orjson
from flask import Flask, Response
from flask.json.provider import JSONProvider
from msgspec import Struct
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import Rule

from shared.metrics import exposition
from shared.roles import INTEGRATION, OPERATOR, SERVICE
from shared.web import openapi, problems
from shared.web import openapi as docs_page
from shared.web.auth import is_operator, require_everywhere
from shared.web.blueprint import Blueprint
from shared.web.health import Alive, Health, Ready
from shared.web.idempotency import fingerprint_keys
from shared.web.limits import Allowance
from shared.web.openapi import READING, About
from shared.web.refusals import Table, merge
from shared.web.request import EXTENSION, Edge, EdgeRequest, begin, end, this_request
from shared.web.tokens import Caller, Verifier
from shared.web.versions import SEEN, is_listed, render_seen, with_form

ORIGIN = "Origin"
METHOD = "Access-Control-Request-Method"
SENT_ACROSS = (
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "Muster-Seen",
    "traceparent",
    "X-Request-Id",
)
"""Headers that a page may send beside those that every page may."""
SHOWN_ACROSS = (
    "Allow",
    "Content-Disposition",
    "ETag",
    "Idempotent-Replayed",
    "Link",
    "Location",
    "Muster-Feed-Cursor",
    "Muster-Feed-End",
    "Muster-Seen",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
)
"""Headers of an answer that a page may read beside those that every page may."""
PREFLIGHT_SECONDS = 7200
"""For how long a browser need not ask again whether it may send something; Chromium keeps it no longer."""


def allow_origins(app: Flask, origins: Collection[str]) -> None:
    """Have answers say that pages of these origins may read them.

    origins: as browsers write them, `https://club.example`; without any, nothing is said at all.
    """
    allowed = frozenset(origins)

    def after(response: Response) -> Response:
        request, headers = this_request(), response.headers
        # A cache must not hand one origin's answer to another.
        response.vary.add(ORIGIN)
        origin = request.headers.get(ORIGIN)
        if origin not in allowed:
            return response
        headers["Access-Control-Allow-Origin"] = origin
        if request.method == "OPTIONS" and METHOD in request.headers:
            headers["Access-Control-Allow-Methods"] = headers.get("Allow", "")
            headers["Access-Control-Allow-Headers"] = ", ".join(SENT_ACROSS)
            headers["Access-Control-Max-Age"] = str(PREFLIGHT_SECONDS)
        else:
            headers["Access-Control-Expose-Headers"] = ", ".join(SHOWN_ACROSS)
        return response

    if allowed:
        app.after_request(after)


class LateRule(Rule):
    """A rule as Flask uses them (`url_rule_class`), which makes what builds addresses when the first is built.

    werkzeug makes two functions for each rule when the application is put together, by compiling them: for some hundred
    rules that is most of what putting it together takes, and few of them ever build an address.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        made: list[Callable[..., tuple[str, str]]] = []

        def build(rule: LateRule, /, **values: Any) -> tuple[str, str]:
            if not made:
                made.append(super(LateRule, rule)._compile_builder(append_unknown))
            return made[0](rule, **values)

        return build


BODY_BYTES = 1_048_576

OF_THE_PROCESS = frozenset(("service", "schemas", "docs", "problems"))
"""Blueprints of what is answered whatever the service lacks."""

METRICS = ("text/plain", "application/openmetrics-text")
"""Prometheus asks for one of them."""

NOTHING_LOADED = "default-src 'none'; frame-ancestors 'none'"
SECURITY_HEADERS = (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"))


class FastJson(JSONProvider):
    """Flask's JSON by orjson: UTF-8, members in the order given, no floats where there are none."""

    def dumps(self, obj: Any, **_: Any) -> str:
        return orjson.dumps(obj, option=orjson.OPT_NON_STR_KEYS).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        return orjson.loads(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        text = orjson.dumps(self._prepare_response_obj(args, kwargs), option=orjson.OPT_NON_STR_KEYS)
        return Response(text, mimetype="application/json")


class EdgeApp(Flask):
    """Flask with our request, our rules and our JSON."""

    request_class = EdgeRequest
    url_rule_class = LateRule
    json_provider_class = FastJson


def never_revoked(who: Caller) -> bool:
    """Revoke nothing: for services and tests without revocations."""
    return False


def create_app(
    name: str,
    about: About,
    *,
    verifier: Verifier,
    secrets: Sequence[bytes],
    blueprints: Sequence[Blueprint] = (),
    health: Health | None = None,
    kinds: Sequence[Table] = (),
    is_revoked: Callable[[Caller], bool] = never_revoked,
    previewed: type[Struct] | None = None,
    unavailable: Sequence[type[Exception]] = (),
    need: Callable[[], None] | None = None,
    size_limit: int = BODY_BYTES,
    allowance: Allowance | None = None,
    trusted_proxies: int = 0,
    origins: Collection[str] = (),
) -> Flask:
    """Build the HTTP side of a service.

    name: of the service, as in logs and health. about: what its documentation says of it.
    verifier: reads tokens. is_revoked: whether a token of the installation was taken back.
    secrets: of this service, the first in use and those before it; ids of commands are keyed with what follows of them.
    blueprints: in the order in which an evening needs them, for the documentation.
    health: what /readyz asks; None: nothing. kinds: the service's own tables of problems.
    previewed: the shape of what is answered instead of commands that are only to be shown.
    unavailable: exceptions of an engine that does not answer, told as 503. size_limit: bytes of a body.
    need: called before every request but those about the process itself; raises what refuses it.
    allowance: of each caller; None: no limit. trusted_proxies: reverse proxies whose X-Forwarded-* are believed.
    origins: of pages elsewhere that may read answers in a browser.
    Raises ValueError for codes in two tables or in none, and for keys that are too short.
    """
    app = EdgeApp(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = size_limit
    app.extensions[EXTENSION] = Edge(name, merge(kinds), verifier, is_revoked, fingerprint_keys(secrets), previewed)
    _hooks(app, allowance, need)
    allow_origins(app, origins)
    problems.install(app, unavailable)
    api = openapi.make_api(app, about)
    for blueprint in (*blueprints, _service_blueprint(health or Health(name, {}))):
        api.register_blueprint(blueprint)
    openapi.serve(app, api, docs_page.docs_pages(about, name))
    if hops := trusted_proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops, x_prefix=hops
        )
    return app


def _hooks(app: Flask, allowance: Allowance | None, need: Callable[[], None] | None) -> None:
    def before() -> None:
        request = this_request()
        begin(request)
        if allowance is not None:
            allowance.spend(request)
        if need is not None and request.endpoint is not None and request.blueprint not in OF_THE_PROCESS:
            need()

    def after(response: Response) -> Response:
        request = this_request()
        state, headers = request.edge, response.headers
        if "Content-Security-Policy" not in headers:
            headers["Content-Security-Policy"] = NOTHING_LOADED
        headers.extend((*SECURITY_HEADERS, ("X-Request-Id", state.request_id)))
        if state.allowance is not None:
            headers.extend(state.allowance)
        if state.replayed:
            headers["Idempotent-Replayed"] = "true"
        if state.seen is not None:
            headers[SEEN] = render_seen({source: position for source, position in state.seen.items() if position})
        if state.etag is not None and response.status_code < 400:
            headers["ETag"] = state.etag
        if "Cache-Control" not in headers:
            headers["Cache-Control"] = "private, no-cache" if "ETag" in headers else "no-store"
        if state.several_media:
            response.vary.add("Accept")
        compress(request, response)
        end(request, response.status_code)
        return response

    app.before_request(before)
    app.after_request(after)


def _service_blueprint(health: Health) -> Blueprint:
    blueprint = Blueprint(
        "service", description="The process itself: for machines that watch it.", reads_logs=False, any_query=True
    )

    @blueprint.get("/healthz")
    @blueprint.response(200, Alive)
    def healthz() -> Alive:
        """Say that this process answers."""
        return health.live()

    @blueprint.get("/readyz")
    @blueprint.response(200, Ready, description="Ready; where `status` is degraded, something is missing.")
    @blueprint.alternative(503, Ready, description="Not ready: something that is needed fails its check.")
    @blueprint.may_refuse(*READING)
    def readyz() -> tuple[Ready, int]:
        """Say whether this process can do its work, with every check.

        With a token of an operator or a service, the answer has every detail; without one it has numbers only.
        """
        return health.ready(in_full=is_operator())

    @blueprint.get("/metrics")
    @blueprint.allow(OPERATOR, INTEGRATION, SERVICE, within=None)
    @blueprint.answers_as(*METRICS)
    @blueprint.response(200, {"type": "string"}, content_type=METRICS[0])
    @blueprint.may_refuse("wrong-tournament")
    def metrics_text() -> Response:
        """Show all measurements in the format of Prometheus; the token must be one for all tournaments."""
        require_everywhere((OPERATOR, INTEGRATION, SERVICE))
        health.ready()  # what the checks find is measured, too
        text, content_type = exposition(this_request().headers.get("Accept", ""))
        return Response(text, content_type=content_type)

    return blueprint


LEAST = 1024
"""Bytes: below, the headers cost as much as is won."""
LEVEL = 4
GZIP = "gzip"
_PLAIN = ("application/json", "application/x-ndjson", "application/openmetrics-text")


def compress(request: EdgeRequest, response: Response) -> None:
    """Compress an answer where that is worth while and the caller takes it; its ETag and Vary say so.

    A version that is answered in gzip has an ETag of its own, `"gzip/…"`: the bytes are others. As If-Match it means
    what it stands for (`versions.parse_if_match`). Services ask each other for plain bytes, since between them time is
    dearer. What is compressed holds no secret beside what a stranger may have put there: tokens are answered to
    commands, which stay as they are.
    """
    if request.method not in ("GET", "HEAD") or response.status_code not in (200, 304):
        return
    response.vary.add("Accept-Encoding")
    if not _takes_gzip(request):
        return
    etag = response.headers.get("ETag")
    if response.status_code == 304:
        if etag and is_listed(request.environ.get("HTTP_IF_NONE_MATCH"), with_form(GZIP, etag)):
            response.headers["ETag"] = with_form(GZIP, etag)
        return
    if response.direct_passthrough or not response.is_sequence or "Content-Encoding" in response.headers:
        return
    kind = response.mimetype or ""
    if not (kind.startswith("text/") or kind in _PLAIN):
        return
    whole = response.get_data()
    if len(whole) < LEAST:
        return
    response.set_data(gzip.compress(whole, LEVEL, mtime=0))
    response.headers["Content-Encoding"] = GZIP
    if etag:
        response.headers["ETag"] = with_form(GZIP, etag)


def _takes_gzip(request: EdgeRequest) -> bool:
    """Whether gzip is at least as welcome as the plain bytes (RFC 9110, 12.5.3)."""
    if "HTTP_ACCEPT_ENCODING" not in request.environ:
        return False
    taken = request.accept_encodings
    return taken[GZIP] > 0 and taken[GZIP] >= dict(taken).get("identity", 0)
