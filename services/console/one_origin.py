"""One address for everything: the console's pages, and the three services below it under their names.

This stands before the pages. It knows three addresses, which the settings name, and passes nothing on to any other.
Behind an edge (docs/operating.md) the edge does this, and nothing is passed on here.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import parse_qs, urlencode

import orjson

from services.console.passed_on import Passed, Refused, pass_on
from services.console.passed_streams import Relay
from shared.settings import SERVICES
from shared.web.kinds import EDGE, Kind, problem_members
from shared.web.streams import HOLDER, Stream

OF_A_SERVICE = re.compile(rf"/({'|'.join(SERVICES)})(/.*)?", re.DOTALL)
A_PLAYERS_LINK = re.compile(r"/registration/tournaments/([A-Za-z0-9._-]+)/me")
"""What registration hands out: a page where a browser opens it, JSON for everybody else."""
OF_A_PROBLEM = re.compile(r"/problems(/.*)?", re.DOTALL)
AT_ONCE = 12
"""Requests that wait for services, each in a thread; the server has some more, for pages."""
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
RETRY_AFTER = {503: "1"}

Environ = dict[str, Any]
Body = Iterable[bytes] | Stream


class OneOrigin:
    """The application of the pages, with the services below it. at: service -> base URL. limit: bytes of a body."""

    def __init__(self, pages: Any, at: Mapping[str, str], secret: str, limit: int, relay: Relay) -> None:
        self._pages = pages
        self._at = at
        self._secret = secret
        self._limit = limit
        self._relay = relay
        self._places = BoundedSemaphore(AT_ONCE)

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Any:
        path = environ.get("PATH_INFO", "")
        if (link := A_PLAYERS_LINK.fullmatch(path)) and (token := _opened(environ)):
            place = f"{_root(environ)}/events/{link[1]}/come-in?{urlencode({'token': token})}"
            return _led_to(start_response, "302 Found", place)
        if found := OF_A_SERVICE.fullmatch(path):
            service, rest = found.groups()
            if rest is None:
                return _led_to(start_response, "308 Permanent Redirect", f"{_root(environ)}/{service}/docs")
            return self._answer(environ, start_response, [service], rest, f"/{service}")
        if OF_A_PROBLEM.fullmatch(path):  # the type of a problem, whichever service answered with it
            return self._answer(environ, start_response, SERVICES, path, "")
        return self._pages(environ, start_response)

    def _answer(
        self, environ: Environ, start_response: Callable[..., Any], asked: Iterable[str], path: str, prefix: str
    ) -> Body:
        """What the first of some services says that knows of it; the last one's word counts."""
        if not self._places.acquire(blocking=False):
            return _refusal(environ, start_response, Refused("unavailable", "Too many requests wait for services."))
        passed: Passed | None = None
        try:
            for service in asked:
                if passed is not None:
                    passed.close()
                passed = pass_on(environ, self._at[service], path, prefix, self._secret, self._limit)
                if passed.status != HTTPStatus.NOT_FOUND:
                    break
            assert passed is not None
            if passed.streams:
                return self._stream(environ, start_response, passed)
        except Refused as refused:
            self._places.release()
            return _refusal(environ, start_response, refused)
        except BaseException:
            self._places.release()
            raise
        passed.on_close(self._places.release)
        start_response(passed.line, passed.headers)
        return passed

    def _stream(self, environ: Environ, start_response: Callable[..., Any], passed: Passed) -> Stream:
        """Hand an answer that stays open to the relay, and be done. Raises Refused."""
        holder = environ.get(HOLDER)
        # Each takes two connections of this process, and pages hold streams of their own.
        if holder is None or self._relay.count >= holder.places // 4:
            passed.close()
            raise Refused("unavailable", "No more streams can be held here.")
        stream = self._relay.take(*passed.detach())
        start_response(passed.line, passed.headers)
        self._places.release()
        return stream


def _opened(environ: Environ) -> str:
    """The token of an address that somebody opens in a browser; empty for programs, and where there is none."""
    if environ["REQUEST_METHOD"] not in ("GET", "HEAD") or "text/html" not in environ.get("HTTP_ACCEPT", ""):
        return ""
    query: str = environ.get("QUERY_STRING", "")
    return parse_qs(query).get("token", [""])[0]


def _led_to(start_response: Callable[..., Any], status: str, place: str) -> list[bytes]:
    headers = [("Location", place), ("Content-Length", "0"), ("Referrer-Policy", "no-referrer")]
    start_response(status, [*headers, ("Cache-Control", "no-store")])
    return []


def _root(environ: Environ) -> str:
    return str(environ.get("SCRIPT_NAME", ""))


def _refusal(environ: Environ, start_response: Callable[..., Any], refused: Refused) -> list[bytes]:
    """A problem, as the services answer with it."""
    kind = Kind(*EDGE[refused.code])
    given = environ.get("HTTP_X_REQUEST_ID", "")
    request_id = given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
    body = orjson.dumps(problem_members(refused.code, kind, str(refused), request_id))
    headers = [
        ("Content-Type", "application/problem+json"),
        ("Content-Length", str(len(body))),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Request-Id", request_id),
    ]
    if wait := RETRY_AFTER.get(kind.status):
        headers.append(("Retry-After", wait))
    start_response(f"{kind.status} {HTTPStatus(kind.status).phrase}", headers)
    return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]
