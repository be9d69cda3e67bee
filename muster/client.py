"""A client of the three services: several callers, three addresses, and every refusal as lines for a person.

Every command carries an Idempotency-Key and is repeated with it until it is answered, so that nothing is lost and
nothing is done twice.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from typing import Any, Self
from urllib.parse import quote
from uuid import uuid4

import httpx

from shared.refusals import Fault

PATIENCE = 15.0
"""Seconds for which a request is repeated while a service says that it is busy, behind or starting."""

TIMEOUT = httpx.Timeout(60.0, connect=5.0)
"""Seconds."""

LARGEST_PAGE = 500
BEGUN_AGAIN = 3
"""How often a list is read anew whose order changes while it is read page by page."""
REPEATED = (429, 502, 503, 504)


class Refused(Exception):
    """A service said no. status: of HTTP; problem: the RFC 9457 body, as far as there was one."""

    def __init__(self, service: str, status: int, problem: Mapping[str, Any]) -> None:
        self.service = service
        self.status = status
        self.problem = problem
        said = "; ".join(" ".join((fault.where, fault.said, fault.expected)).strip() for fault in self.faults())
        super().__init__(f"{service} answered {status} {self.code}: {said}")

    @property
    def code(self) -> str:
        """The stable name of the problem; empty when the answer was none of Muster's."""
        return str(self.problem.get("code", ""))

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

    urls: service -> base URL. following: whether answers must not be from before what this client, and those who
    share its connections, have seen already (`Muster-Seen`). patience: seconds for which a request is repeated while
    a service is busy, behind or away; PATIENCE where it is not said. known: services that are there for certain: one
    that does not answer is waited for, even if it never has. transport: another way to the services than the network.
    """

    def __init__(
        self,
        urls: Mapping[str, str],
        token: str = "",
        *,
        following: bool = True,
        timeout: httpx.Timeout = TIMEOUT,
        patience: float | None = None,
        known: Iterable[str] = (),
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.urls = urls
        self.http = httpx.Client(timeout=timeout, transport=transport)
        self.token = token
        self._following = following
        self._patience = patience
        self._seen: dict[str, int] = {}
        self._reached: set[str] = set(known)

    def acting_as(self, token: str, *, afresh: bool = False) -> Self:
        """The same services as another caller sees them, over the same connections, having seen the same.

        afresh: having seen nothing yet, as somebody who turns to another tournament.
        """
        other = copy(self)
        other.token = token
        if afresh:
            other._seen = {}
        return other

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

    def whole(self, service: str, path: str, rows: str = "items", **query: Any) -> dict[str, Any]:
        """A list whose order may change, such as standings, page after page, as one answer.

        rows: the member that holds them; `draws` of the pages are put together, too. If somebody passes somebody
        else meanwhile it is begun again, and at last asked for in one piece.
        """
        for _ in range(BEGUN_AGAIN):
            try:
                return self._joined(service, path, rows, query)
            except Refused as refused:
                if not (refused.code == "invalid-cursor" and refused.problem.get("data", {}).get("outdated")):
                    raise
        found: dict[str, Any] = self.get(service, path, **query)
        return found

    def _joined(self, service: str, path: str, rows: str, query: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = self.get(service, path, limit=LARGEST_PAGE, **query)
        while found["next"] is not None:
            page = self.get(service, path, limit=LARGEST_PAGE, after=found["next"], **query)
            found[rows] += page[rows]
            draws = found.get("draws", [])
            draws += [draw for draw in page.get("draws", []) if draw not in draws]
            found["next"] = page["next"]
        return found

    def lines(self, service: str, path: str, **query: Any) -> list[bytes]:
        """What a GET answers, line by line."""
        answer = self._ask("GET", service, path, params=_given(query))
        return [line for line in answer.content.split(b"\n") if line]

    def post(self, service: str, path: str, body: Any = None, *, content_type: str = "", **query: Any) -> Any:
        """Send a command by POST; as `command`."""
        return self.command("POST", service, path, body, content_type=content_type, **query)

    def command(
        self, method: str, service: str, path: str, body: Any = None, *, content_type: str = "", **query: Any
    ) -> Any:
        """Send a command once, however often it is repeated. body: JSON, or bytes as they are of this type."""
        content: dict[str, Any] = (
            {"content": body} if isinstance(body, bytes) else {} if body is None else {"json": body}
        )
        headers = {"Idempotency-Key": str(uuid4())} | ({"Content-Type": content_type} if content_type else {})
        return _json(service, self._ask(method, service, path, headers=headers, params=_given(query), **content))

    def _ask(self, method: str, service: str, path: str, headers: Mapping[str, str] | None = None, **more: Any) -> Any:
        deadline = time.monotonic() + (PATIENCE if self._patience is None else self._patience)
        sent = {**(headers or {}), **({"Authorization": f"Bearer {self.token}"} if self.token else {})}
        while True:
            if self._seen and self._following:
                seen = list(self._seen.items())  # at once: another thread may be told of a new source meanwhile
                sent["Muster-Seen"] = ", ".join(f"{source}={position}" for source, position in seen)
            try:
                answer = self.http.request(method, self.urls[service] + path, headers=sent, **more)
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
