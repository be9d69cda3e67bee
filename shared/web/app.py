"""The HTTP application of a service: its hooks, CORS and gzip.

CORS is off unless origins are configured. Tokens are sent in `Authorization`, never in cookies, so no page needs the
browser's credentials and none may use them. Clients that are not browsers see no CORS headers.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
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
from shared.web.auth import is_operator, require_everywhere
from shared.web.blueprint import Blueprint
from shared.web.health import Alive, Health, Ready
from shared.web.idempotency import fingerprint_keys
from shared.web.limits import Allowance
from shared.web.openapi import READING, About
from shared.web.refusals import Table, merge
from shared.web.request import EXTENSION, Edge, EdgeRequest, begin_request, end_request, this_request
from shared.web.tokens import Caller, Verifier
from shared.web.versions import SEEN, is_listed, render_seen, with_form

ORIGIN = "Origin"
REQUESTED_METHOD = "Access-Control-Request-Method"
ALLOWED_HEADERS = (
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
"""Request headers that a page may send in addition to the CORS-safelisted ones."""
EXPOSED_HEADERS = (
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
"""Response headers that a page may read in addition to the CORS-safelisted ones."""
PREFLIGHT_SECONDS = 7200
"""Access-Control-Max-Age; Chromium caches a preflight no longer than this."""


def allow_origins(app: Flask, origins: Collection[str]) -> None:
    """Add CORS headers that let pages of these origins read answers.

    origins: as browsers send them, such as `https://club.example`; without any, there are no CORS headers.
    """
    allowed = frozenset(origins)

    def after(response: Response) -> Response:
        request, headers = this_request(), response.headers
        # A cache must not give one origin's answer to another.
        response.vary.add(ORIGIN)
        origin = request.headers.get(ORIGIN)
        if origin not in allowed:
            return response
        headers["Access-Control-Allow-Origin"] = origin
        if request.method == "OPTIONS" and REQUESTED_METHOD in request.headers:
            headers["Access-Control-Allow-Methods"] = headers.get("Allow", "")
            headers["Access-Control-Allow-Headers"] = ", ".join(ALLOWED_HEADERS)
            headers["Access-Control-Max-Age"] = str(PREFLIGHT_SECONDS)
        else:
            headers["Access-Control-Expose-Headers"] = ", ".join(EXPOSED_HEADERS)
        return response

    if allowed:
        app.after_request(after)


class LateRule(Rule):
    """A Flask URL rule that compiles its URL builder at first use.

    Werkzeug compiles two functions for each rule at startup. For some hundred rules that is most of the startup time,
    and few rules ever build a URL.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled: list[Callable[..., tuple[str, str]]] = []

        def build(rule: LateRule, /, **values: Any) -> tuple[str, str]:
            if not compiled:
                compiled.append(super(LateRule, rule)._compile_builder(append_unknown))
            return compiled[0](rule, **values)

        return build


BODY_BYTES = 1_048_576

PROCESS_BLUEPRINTS = frozenset(("service", "schemas", "docs", "problems"))
"""Blueprints that are answered even if the service is not ready."""

METRICS = ("text/plain", "application/openmetrics-text")
"""Prometheus accepts one of them."""

NOTHING_LOADED = "default-src 'none'; frame-ancestors 'none'"
SECURITY_HEADERS = (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"))


class FastJson(JSONProvider):
    """Flask's JSON provider, based on orjson: UTF-8, members in the given order, integers stay integers."""

    def dumps(self, obj: Any, **_: Any) -> str:
        return orjson.dumps(obj, option=orjson.OPT_NON_STR_KEYS).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        return orjson.loads(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        text = orjson.dumps(self._prepare_response_obj(args, kwargs), option=orjson.OPT_NON_STR_KEYS)
        return Response(text, mimetype="application/json")


class EdgeApp(Flask):
    """Flask with the request, rule and JSON classes of the edge."""

    request_class = EdgeRequest
    url_rule_class = LateRule
    json_provider_class = FastJson


def never_revoked(caller: Caller) -> bool:
    """Return False: for services and tests without revocations."""
    return False


@dataclass(frozen=True, kw_only=True)
class Access:
    """The callers and requests that an application accepts.

    verifier: reads tokens. is_revoked: returns True for a token that the installation revoked.
    secrets: the current secret of the service, and earlier ones; keys for command ids are derived from them.
    allowance: request limit of each caller; None: no limit. size_limit: largest body, in bytes.
    trusted_proxies: number of reverse proxies whose X-Forwarded-* headers are believed.
    origins: origins of web pages that may read answers in a browser (CORS).
    """

    verifier: Verifier
    secrets: Sequence[bytes]
    is_revoked: Callable[[Caller], bool] = never_revoked
    allowance: Allowance | None = None
    size_limit: int = BODY_BYTES
    trusted_proxies: int = 0
    origins: Collection[str] = ()


@dataclass(frozen=True, kw_only=True)
class Backend:
    """The service behind an application, as far as the edge depends on it.

    health: the probes of /readyz; None: none. problems: the service's tables of problems.
    require_ready: called before every request except those about the process itself; raises a refusal.
    unavailable: exceptions of a database or broker that does not answer; they are answered with 503.
    preview_shape: the struct that answers a command with `preview=true`.
    """

    health: Health | None = None
    problems: Sequence[Table] = ()
    require_ready: Callable[[], None] | None = None
    unavailable: Sequence[type[Exception]] = ()
    preview_shape: type[Struct] | None = None


def create_app(name: str, about: About, blueprints: Sequence[Blueprint], access: Access, backend: Backend) -> Flask:
    """Build the HTTP application of a service.

    name: name of the service in logs and health checks. about: title and texts of its documentation.
    blueprints: its blueprints, in the order of the documentation.
    Raises ValueError for a problem code in two tables or in none, and for keys that are too short.
    """
    app = EdgeApp(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = access.size_limit
    app.extensions[EXTENSION] = Edge(
        name,
        merge(backend.problems),
        access.verifier,
        access.is_revoked,
        fingerprint_keys(access.secrets),
        backend.preview_shape,
    )
    _add_hooks(app, access.allowance, backend.require_ready)
    allow_origins(app, access.origins)
    problems.install(app, backend.unavailable)
    api = openapi.make_api(app, about)
    for blueprint in (*blueprints, _service_blueprint(backend.health or Health(name, {}))):
        api.register_blueprint(blueprint)
    openapi.serve(app, api, openapi.docs_pages(about, name))
    if hops := access.trusted_proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops, x_prefix=hops
        )
    return app


def _add_hooks(app: Flask, allowance: Allowance | None, require_ready: Callable[[], None] | None) -> None:
    def before() -> None:
        request = this_request()
        begin_request(request)
        if allowance is not None:
            allowance.spend(request)
        if require_ready is not None and request.endpoint is not None and request.blueprint not in PROCESS_BLUEPRINTS:
            require_ready()

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
        end_request(request, response.status_code)
        return response

    app.before_request(before)
    app.after_request(after)


def _service_blueprint(health: Health) -> Blueprint:
    blueprint = Blueprint(
        "service", description="The process itself, for monitoring.", reads_logs=False, any_query=True
    )

    @blueprint.get("/healthz")
    @blueprint.response(200, Alive)
    def healthz() -> Alive:
        """Check that the process answers."""
        return health.live()

    @blueprint.get("/readyz")
    @blueprint.response(200, Ready, description="Ready; with `status` degraded, something is missing.")
    @blueprint.alternative(503, Ready, description="Not ready: a needed check fails.")
    @blueprint.may_refuse(*READING)
    def readyz() -> tuple[Ready, int]:
        """Check that the process can do its work.

        With an operator's or a service's token, the answer has every detail; without one it has numbers only.
        """
        return health.ready(in_full=is_operator())

    @blueprint.get("/metrics")
    @blueprint.allow(OPERATOR, INTEGRATION, SERVICE, within=None)
    @blueprint.answers_as(*METRICS)
    @blueprint.response(200, {"type": "string"}, content_type=METRICS[0])
    @blueprint.may_refuse("wrong-tournament")
    def metrics_text() -> Response:
        """Show all metrics in the format of Prometheus. The token must be valid for all tournaments."""
        require_everywhere((OPERATOR, INTEGRATION, SERVICE))
        health.ready()  # the checks set metrics, too
        text, content_type = exposition(this_request().headers.get("Accept", ""))
        return Response(text, content_type=content_type)

    return blueprint


MIN_GZIP_BYTES = 1024
"""Smaller answers are not compressed: the headers would cost as much as compression saves."""
GZIP_LEVEL = 4
GZIP = "gzip"
_PLAIN = ("application/json", "application/x-ndjson", "application/openmetrics-text")


def compress(request: EdgeRequest, response: Response) -> None:
    """Compress an answer if it is long enough and the caller accepts gzip. Set ETag and Vary accordingly.

    A compressed version has its own ETag, `"gzip/…"`, because its bytes differ. In If-Match it stands for the plain
    version (`versions.parse_if_match`). Services request plain bytes from each other, where time matters more than
    size. Only answers to GET are compressed, and they contain no tokens, so compression cannot leak a secret.
    """
    if request.method not in ("GET", "HEAD") or response.status_code not in (200, 304):
        return
    response.vary.add("Accept-Encoding")
    if not _accepts_gzip(request):
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
    if len(whole) < MIN_GZIP_BYTES:
        return
    response.set_data(gzip.compress(whole, GZIP_LEVEL, mtime=0))
    response.headers["Content-Encoding"] = GZIP
    if etag:
        response.headers["ETag"] = with_form(GZIP, etag)


def _accepts_gzip(request: EdgeRequest) -> bool:
    """Return True if the caller prefers gzip to plain bytes, or accepts both equally (RFC 9110, 12.5.3)."""
    if "HTTP_ACCEPT_ENCODING" not in request.environ:
        return False
    accepted = request.accept_encodings
    return accepted[GZIP] > 0 and accepted[GZIP] >= dict(accepted).get("identity", 0)
