"""The connection to the services: retries while they are away or busy, and never reads older data than before."""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx

from muster_client.errors import MusterError, NotSent, Problem, UnexpectedAnswer, Unreachable
from muster_client.generated.problems import BY_CODE

SERVICES = ("registration", "pairing", "scoring")

PATIENCE = 15.0
"""Seconds for which a request is retried while a service is busy, behind or starting."""
TIMEOUT = httpx.Timeout(60.0, connect=5.0)
"""Seconds until a request times out; longer than the longest wait of the feed."""
LIMITS = httpx.Limits(max_keepalive_connections=20)
"""Connections are not limited: each stream holds one, and with a limit other requests would wait for it forever."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Seconds before a retry, if the service does not say: doubled each time, varied by a half."""

REPEATED = (429, 502, 503, 504)
SENDABLE = re.compile(r"(?:[!-~](?:[ -~\t]*[!-~])?)?")
"""Matches the allowed value of a header."""
ANNOUNCED = re.compile(r"/tournaments/([^/?]+)$")
POSITION = re.compile(r"([^\s,=]+)=(\d+)")


class Seen:
    """The positions seen of each log of each tournament, so that no answer is older. Thread-safe."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, int]] = {}
        self._one = threading.Lock()

    def note(self, tournament: str, header: str) -> None:
        """Record a Muster-Seen header."""
        with self._one:
            known = self._known.setdefault(tournament, {})
            for source, position in POSITION.findall(header):
                known[source] = max(known.get(source, 0), int(position))

    def header(self, tournament: str) -> str:
        """Return the header for the next request about a tournament; empty if nothing was seen."""
        with self._one:
            return ", ".join(f"{source}={position}" for source, position in self._known.get(tournament, {}).items())


class Connection:
    """The three services for one caller. urls, token, following, patience, known: as for `Muster`."""

    def __init__(
        self,
        urls: Mapping[str, str],
        http: httpx.Client,
        token: str = "",
        *,
        following: bool = True,
        patience: float = PATIENCE,
        known: Iterable[str] = (),
    ) -> None:
        self.urls = {service: url.rstrip("/") for service, url in urls.items()}
        self.http = http
        self.token = token
        self.following = following
        self.patience = patience
        self.seen = Seen()
        self._reached: set[str] = set(known)

    def ask(
        self,
        method: str,
        service: str,
        address: str,
        *,
        tournament: str = "",
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
        patience: float | None = None,
    ) -> httpx.Response:
        """Send a request, and retry while the answer is "try again". address: from the root of the service.

        A command needs its Idempotency-Key in the headers, because it may be sent more than once.
        Raises Problem, Unreachable, UnexpectedAnswer, and NotSent for an invalid header.
        """
        deadline = time.monotonic() + (self.patience if patience is None else patience)
        sent = dict(headers or {})
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        _need_sendable(sent)
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        pause = FIRST_PAUSE
        while True:
            if self.following and (seen := self.seen.header(tournament)):
                sent["Muster-Seen"] = seen
            answer = self._once(method, service, address, deadline, headers=sent, params=given or None, content=content)
            if answer is not None:
                wait = _wait(answer)
                if answer.status_code not in REPEATED or time.monotonic() + (wait or 0) > deadline:
                    return self._taken(service, answer, tournament, sent.get("Idempotency-Key", ""))
                if wait is not None:
                    time.sleep(wait)
                    continue
            time.sleep(pause * random.uniform(0.5, 1.5))
            pause = min(2 * pause, LONGEST_PAUSE)

    @contextmanager
    def streaming(
        self, service: str, address: str, query: Mapping[str, str], headers: Mapping[str, str], silence: float
    ) -> Iterator[Iterator[bytes]]:
        """Yield the chunks of an endless answer until the connection breaks.

        silence: seconds without a byte after which the connection counts as broken.
        Raises Unreachable if no connection could be opened, and Problem for a refusal.
        """
        sent = {**headers, **({"Authorization": f"Bearer {self.token}"} if self.token else {})}
        base = self.urls[service]
        timeout = httpx.Timeout(silence, connect=5.0)
        try:
            with self.http.stream("GET", base + address, params=query, headers=sent, timeout=timeout) as answer:
                if answer.status_code >= 400:
                    answer.read()
                self._reached.add(service)
                yield _until_broken(self._taken(service, answer, "", "").iter_raw())
        except httpx.HTTPError as error:
            raise Unreachable(service, base, str(error)) from error

    def _once(self, method: str, service: str, address: str, deadline: float, **more: Any) -> httpx.Response | None:
        """Send a request once; return its answer, or None if it failed and can be retried."""
        base = self.urls[service]
        try:
            answer = self.http.request(method, base + address, **more)
        except (httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
            raise Unreachable(service, base, str(error)) from error
        except httpx.HTTPError as error:
            never = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout)) and service not in self._reached
            if never or time.monotonic() > deadline:
                raise Unreachable(service, base, str(error)) from error
            return None
        self._reached.add(service)
        return answer

    def _taken(self, service: str, answer: httpx.Response, tournament: str, key: str) -> httpx.Response:
        if answer.status_code >= 400:
            raise problem_of(service, answer, key)
        if answer.status_code >= 300 and answer.status_code != 304:
            raise UnexpectedAnswer(service, answer.status_code, "a redirect, which is not followed")
        announced = ANNOUNCED.search(answer.headers.get("Location", ""))
        if about := tournament or (announced[1] if announced else ""):
            self.seen.note(about, answer.headers.get("Muster-Seen", ""))
        return answer


def _until_broken(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the chunks until the connection breaks."""
    try:
        yield from pieces
    except httpx.TransportError:
        return


def _need_sendable(headers: Mapping[str, str]) -> None:
    """Raise NotSent for headers that cannot be sent."""
    for name, value in headers.items():
        if not SENDABLE.fullmatch(value):
            raise NotSent(f"{name}: {value[:140]!r} cannot stand in a header")


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _wait(answer: httpx.Response) -> float | None:
    """Return the seconds of Retry-After."""
    said = answer.headers.get("Retry-After", "")
    return float(said) if said.isascii() and said.isdigit() else None


def problem_of(service: str, answer: httpx.Response, key: str = "") -> MusterError:
    """Return the exception for a refusal. key: idempotency key of the refused command."""
    try:
        body = answer.json()
    except ValueError:
        body = None
    if not isinstance(body, dict) or "detail" not in body:
        return UnexpectedAnswer(service, answer.status_code, "no problem of RFC 9457")
    kind = BY_CODE.get(str(body.get("code")), Problem)
    return kind(service, answer.status_code, body, key)
