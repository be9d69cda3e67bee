"""A client of the three services that loses nothing: every command carries a key and is repeated until answered."""

from __future__ import annotations

import ssl
import time
from collections.abc import Mapping
from functools import cache
from typing import Any
from uuid import uuid4

import httpx

PATIENCE = 60.0
"""Seconds that a command is repeated for while a service is away or behind."""


class Refused(Exception):
    """A problem that repeating does not solve; `problem` is the RFC 9457 body."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        errors = "; ".join(
            f"{e['where']}: {e['said']}, expected {e.get('expected', '')}" for e in problem.get("errors", [])
        )
        super().__init__(f"{status} {problem.get('code')}: {problem.get('detail')} {errors}".strip())
        self.status = status
        self.code: str = problem.get("code", "")
        self.problem = problem


@cache
def _tls() -> ssl.SSLContext:
    """One for all clients: reading the certificates of a system takes longer than many a tournament's round."""
    return httpx.create_ssl_context()


class Client:
    """Speaks to the services as one caller.

    urls: service -> base URL. It sends along how far earlier answers had seen (`Muster-Seen`), so that an answer
    never comes from before what this client has done; `seen` may be shared by several clients.
    """

    def __init__(self, urls: Mapping[str, str], token: str, seen: dict[str, int] | None = None) -> None:
        self._urls = urls
        self._http = httpx.Client(timeout=30, headers={"Authorization": f"Bearer {token}"}, verify=_tls())
        self.seen = {} if seen is None else seen

    def get(self, service: str, path: str, **query: Any) -> Any:
        """The JSON that GET answers."""
        return self._ask("GET", service, path, params=query).json()

    def text(self, service: str, path: str, **query: Any) -> str:
        """The text that GET answers, for example a log."""
        return self._ask("GET", service, path, params=query).text

    def all(self, service: str, path: str, **query: Any) -> list[Any]:
        """Every item of a list, page after page."""
        items: list[Any] = []
        after: dict[str, str] = {}
        while True:
            page = self.get(service, path, limit=500, **query, **after)
            items += page["items"]
            if page["next"] is None:
                return items
            after = {"after": page["next"]}

    def post(self, service: str, path: str, body: Any = None, **query: Any) -> Any:
        """The JSON that a command is answered with; repeated with its key while the service is away."""
        return self._ask(
            "POST", service, path, json=body, params=query, headers={"Idempotency-Key": str(uuid4())}
        ).json()

    def _ask(self, method: str, service: str, path: str, **options: Any) -> httpx.Response:
        if options.get("json") is None:
            options.pop("json", None)
        headers = dict(options.pop("headers", {}))
        deadline = time.monotonic() + PATIENCE
        while True:
            if self.seen:
                seen = list(self.seen.items())  # at once: another thread may be told of a new source meanwhile
                headers["Muster-Seen"] = ", ".join(f"{source}={position}" for source, position in seen)
            try:
                answer = self._http.request(method, self._urls[service] + path, headers=headers, **options)
            except httpx.TransportError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
                continue
            if answer.status_code == 503 and time.monotonic() < deadline:
                time.sleep(0.1)
                continue
            if answer.status_code >= 400:
                raise Refused(answer.status_code, answer.json())
            self._note(answer.headers.get("Muster-Seen", ""))
            return answer

    def _note(self, header: str) -> None:
        for part in filter(None, header.split(",")):
            source, _, position = part.strip().partition("=")
            self.seen[source] = max(self.seen.get(source, 0), int(position))
