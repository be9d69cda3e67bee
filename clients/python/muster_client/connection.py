"""How services are reached: again and again while they are away or busy, and never from before what was seen."""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Iterable, Mapping
from typing import Any

import httpx

from muster_client.errors import MusterError, Problem, UnexpectedAnswer, Unreachable
from muster_client.generated.problems import BY_CODE

SERVICES = ("registration", "pairing", "scoring")

PATIENCE = 15.0
"""Seconds for which a request is repeated while a service says that it is busy, behind or starting."""
TIMEOUT = httpx.Timeout(60.0, connect=5.0)
"""Seconds; longer than the longest wait of the feed."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Seconds before a request is repeated where the service does not say: doubled each time, and varied by a half."""

REPEATED = (429, 502, 503, 504)
ANNOUNCED = re.compile(r"/tournaments/([^/?]+)$")
POSITION = re.compile(r"([^\s,=]+)=(\d+)")


class Seen:
    """How far each log of each tournament has been seen, so that no answer is older; several threads may share it."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, int]] = {}
        self._one = threading.Lock()

    def note(self, tournament: str, header: str) -> None:
        """Take in a Muster-Seen header."""
        with self._one:
            known = self._known.setdefault(tournament, {})
            for source, position in POSITION.findall(header):
                known[source] = max(known.get(source, 0), int(position))

    def header(self, tournament: str) -> str:
        """The header for the next request about a tournament; empty where nothing of it was seen."""
        with self._one:
            return ", ".join(f"{source}={position}" for source, position in self._known.get(tournament, {}).items())


class Connection:
    """The three services as one caller sees them. urls, token, following, patience, known: as for `Muster`."""

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
        """Ask until there is an answer that is none of "try again". address: from the root of the service.

        A command has to have its Idempotency-Key among the headers, since it may be sent more than once.
        Raises Problem, Unreachable, UnexpectedAnswer.
        """
        deadline = time.monotonic() + (self.patience if patience is None else patience)
        sent = dict(headers or {})
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
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

    def _once(self, method: str, service: str, address: str, deadline: float, **more: Any) -> httpx.Response | None:
        """One try: its answer, or None where none came and there may be one yet."""
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
            raise _problem(service, answer, key)
        if answer.status_code >= 300 and answer.status_code != 304:
            raise UnexpectedAnswer(service, answer.status_code, "a redirect, which is not followed")
        announced = ANNOUNCED.search(answer.headers.get("Location", ""))
        if about := tournament or (announced[1] if announced else ""):
            self.seen.note(about, answer.headers.get("Muster-Seen", ""))
        return answer


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _wait(answer: httpx.Response) -> float | None:
    """Seconds after which the service wants to be asked again."""
    said = answer.headers.get("Retry-After", "")
    return float(said) if said.isascii() and said.isdigit() else None


def _problem(service: str, answer: httpx.Response, key: str) -> MusterError:
    try:
        body = answer.json()
    except ValueError:
        body = None
    if not isinstance(body, dict) or "detail" not in body:
        return UnexpectedAnswer(service, answer.status_code, "no problem of RFC 9457")
    kind = BY_CODE.get(str(body.get("code")), Problem)
    return kind(service, answer.status_code, body, key)
