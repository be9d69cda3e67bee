"""A client of the three services: one caller, three addresses, and every refusal as lines for a person.

Where they are: `--url`, else MUSTER_URL, else REGISTRATION_URL is registration's address (without any of them
http://127.0.0.1:8001, or MUSTER_PORT_BASE + 1). Pairing and scoring are at PAIRING_URL and SCORING_URL, else at
registration's address with its port + 1 and + 2.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any, NoReturn, ParamSpec
from urllib.parse import quote, urlsplit, urlunsplit
from uuid import uuid4

import click
import httpx

from services.console.faults import BAD_INPUT, NOT_HELD, refuse, tell
from services.console.terminal import printable
from shared.environment import http_fault
from shared.refusals import Fault
from shared.settings import PORT_OFFSETS, SERVICES

PATIENCE = 15.0
"""Seconds for which a request is repeated while a service says that it is busy, behind or starting."""

TIMEOUT = httpx.Timeout(60.0, connect=5.0)
"""Seconds."""

LARGEST_PAGE = 500
REPEATED = (429, 502, 503, 504)

P = ParamSpec("P")

url_option = click.option("--url", metavar="URL", help="Registration's address; also MUSTER_URL.")
token_option = click.option("--token", metavar="TOKEN", help="Who you are; also MUSTER_TOKEN.")


class Refused(Exception):
    """A service said no. status: of HTTP; problem: the RFC 9457 body, as far as there was one."""

    def __init__(self, service: str, status: int, problem: Mapping[str, Any]) -> None:
        super().__init__(f"{service} answered {status}")
        self.service = service
        self.status = status
        self.problem = problem

    def faults(self) -> list[Fault]:
        """Title and detail, then every error, a line each."""
        if not self.problem:
            return [Fault(self.service, f"answered {self.status}, and not as Muster does", "a Muster service")]
        problem = self.problem
        lines = [Fault("", f"{problem.get('title', '')}: {problem.get('detail', '')}")]
        for error in problem.get("errors", ()):
            words = (str(error.get(name, "")) for name in ("where", "said", "expected", "clause"))
            lines.append(Fault(*words))
        return lines


class Unreachable(Exception):
    """A service that does not answer, and where it was looked for."""


class Muster:
    """The services as one caller sees them.

    urls: service -> base URL. following: whether answers must not be from before what this client has seen already
    (`Muster-Seen`). Commands carry an Idempotency-Key, and are repeated with it until they are answered.
    """

    def __init__(
        self, urls: Mapping[str, str], token: str = "", *, following: bool = True, timeout: httpx.Timeout = TIMEOUT
    ) -> None:
        self.urls = urls
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(timeout=timeout, headers=headers)
        self._following = following
        self._seen: dict[str, int] = {}
        self._reached: set[str] = set()

    def get(self, service: str, path: str, **query: Any) -> Any:
        """What a GET answers, as JSON. Raises Refused, Unreachable."""
        return _json(service, self._ask("GET", service, path, params=_given(query)))

    def items(self, service: str, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """Every item of a list, page after page."""
        while True:
            page = self.get(service, path, limit=LARGEST_PAGE, **query)
            yield from page["items"]
            if page["next"] is None:
                return
            query["after"] = page["next"]

    def lines(self, service: str, path: str, **query: Any) -> list[bytes]:
        """What a GET answers, line by line."""
        answer = self._ask("GET", service, path, params=_given(query))
        return [line for line in answer.content.split(b"\n") if line]

    def post(self, service: str, path: str, body: Any = None, **headers: str) -> Any:
        """Send a command once, however often it is repeated. body: JSON, or bytes as they are."""
        content: dict[str, Any] = (
            {"content": body} if isinstance(body, bytes) else {} if body is None else {"json": body}
        )
        headers = {"Idempotency-Key": str(uuid4()), **headers}
        return _json(service, self._ask("POST", service, path, headers=headers, **content))

    def _ask(self, method: str, service: str, path: str, headers: Mapping[str, str] | None = None, **more: Any) -> Any:
        deadline = time.monotonic() + PATIENCE
        while True:
            sent = dict(headers or {})
            if self._seen and self._following:
                sent["Muster-Seen"] = ", ".join(f"{source}={position}" for source, position in self._seen.items())
            try:
                answer = self._http.request(method, self.urls[service] + path, headers=sent, **more)
            except (httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
                raise Unreachable(f"{service} cannot be asked at {self.urls[service]} ({error})") from error
            except httpx.HTTPError as error:
                never = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout)) and service not in self._reached
                if never or time.monotonic() > deadline:
                    raise Unreachable(f"{service} does not answer at {self.urls[service]} ({error})") from error
                time.sleep(0.2)
                continue
            self._reached.add(service)
            wait = _wait(answer)
            if wait is not None and time.monotonic() + wait < deadline:
                time.sleep(wait)
                continue
            if answer.status_code >= 400:
                raise Refused(service, answer.status_code, _problem(answer))
            self._note(answer.headers.get("Muster-Seen", ""))
            return answer

    def _note(self, header: str) -> None:
        for source, position in re.findall(r"([^\s,=]+)=(\d+)", header):
            self._seen[source] = max(self._seen.get(source, 0), int(position))


def path_of(tournament: str, rest: str = "") -> str:
    """The path of a tournament, or of something in it."""
    return f"/tournaments/{quote(tournament, safe='')}{rest}"


def connect(url: str | None, token: str | None, *, following: bool = True, timeout: httpx.Timeout = TIMEOUT) -> Muster:
    """A client as options and environment say; leaves with the exit code for bad input when they cannot be used."""
    urls = service_urls(url, os.environ)
    return Muster(urls, token or os.environ.get("MUSTER_TOKEN", ""), following=following, timeout=timeout)


def service_urls(url: str | None, env: Mapping[str, str]) -> dict[str, str]:
    """Where each service is, by the rule at the head of this module."""
    name, base = _first({"--url": url or "", **{key: env.get(key, "") for key in ("MUSTER_URL", "REGISTRATION_URL")}})
    if not base:
        start = env.get("MUSTER_PORT_BASE", "8000")
        if not (start.isascii() and start.isdigit()):
            refuse([Fault("MUSTER_PORT_BASE", f"is {start!r}", "a whole number")])
        name, base = "MUSTER_PORT_BASE", f"http://127.0.0.1:{int(start) + PORT_OFFSETS['registration']}"
    urls = {"registration": _checked(name, base)}
    parts = urlsplit(urls["registration"])
    for service in SERVICES[1:]:
        variable = f"{service.upper()}_URL"
        if given := env.get(variable, ""):
            urls[service] = _checked(variable, given)
            continue
        if parts.port is None:
            refuse([Fault(variable, "is missing", f"{service}'s address, since {name} has no port to count from")])
        port = parts.port + PORT_OFFSETS[service] - PORT_OFFSETS["registration"]
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        urls[service] = urlunsplit((parts.scheme, f"{host}:{port}", parts.path, "", ""))
    return urls


def told(command: Callable[P, None]) -> Callable[P, None]:
    """Let a command end in lines and an exit code when a service refuses or does not answer.

    2 for what the caller got wrong, 1 for what was not done for another reason.
    """

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except Refused as refused:
            lines = [Fault(*map(printable, (f.where, f.said, f.expected, f.clause))) for f in refused.faults()]
            tell(lines)
            _leave(BAD_INPUT if refused.problem and refused.status < 500 else NOT_HELD)
        except Unreachable as error:
            tell([Fault("", str(error), "a running Muster: `make run`, or its address with --url")])
            _leave(NOT_HELD)

    return wrapped


def _leave(code: int) -> NoReturn:
    sys.stdout.flush()
    raise SystemExit(code)


def _first(given: Mapping[str, str]) -> tuple[str, str]:
    return next(((name, value.strip()) for name, value in given.items() if value.strip()), ("", ""))


def _checked(name: str, url: str) -> str:
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises where the port is not a number
    except ValueError as error:
        refuse([Fault(name, f"is not a URL ({error})", "http://host:port")])
    if fault := http_fault(url, parts):
        refuse([Fault(name, *fault)])
    return url.rstrip("/")


def _given(query: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in query.items() if value is not None}


def _wait(answer: httpx.Response) -> float | None:
    """Seconds after which to try again; None where that would not help."""
    if answer.status_code not in REPEATED:
        return None
    said = answer.headers.get("Retry-After", "")
    return float(said) if said.isascii() and said.isdigit() else 0.2


def _problem(answer: httpx.Response) -> dict[str, Any]:
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) and "detail" in body else {}


def _json(service: str, answer: httpx.Response) -> Any:
    try:
        return answer.json()
    except ValueError as error:
        raise Refused(service, answer.status_code, {}) from error
