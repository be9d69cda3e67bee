"""How the three services are: what each says of itself, and what was last known of one that is away.

An operator's token gets the whole of `/readyz`. What was said stays in memory for that token alone, so
that nobody with an invented one is shown it while no service is there to tell the two apart.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from threading import Lock
from typing import Any

import httpx
import msgspec
from msgspec import Struct

from muster_client import Muster
from muster_client.connection import SERVICES

TIMEOUT = httpx.Timeout(3.0, connect=1.0)
"""Seconds: the page comes, whoever is away."""
KEPT = 30
"""Answers that are remembered, of all services and tokens."""
OK, DEGRADED, FAILED, AWAY = "ok", "degraded", "failed", "away"


class NotForYou(Exception):
    """A service does not take the token for an operator's."""


class Check(Struct, frozen=True):
    """One check that does not hold. needed: the service cannot work without it. detail: facts in its words."""

    name: str
    needed: bool
    detail: dict[str, Any]


class Case(Struct, frozen=True):
    """An event in quarantine. origin: which kind of case; remedy: what heals it; reason, advice: in its words."""

    source: str
    tournament: str
    position: int
    origin: str
    reason: str
    advice: str
    remedy: str = ""


class Condition(Struct, frozen=True):
    """How a service is, or was at `asked` (seconds since 1970) where it is away now.

    unpublished: events that wait for the broker. behind: peer -> events that the copy here has not. free, size: bytes
    of the disk. None or empty: it did not say.
    """

    service: str
    status: str
    version: str = ""
    unpublished: int | None = None
    behind: dict[str, int] = {}
    free: int | None = None
    size: int | None = None
    checks: list[Check] = []
    cases: list[Case] = []
    quarantined: int = 0
    asked: float = 0.0

    @property
    def disk(self) -> int | None:
        """Percent of the disk that are free."""
        return round(100 * self.free / self.size) if self.free is not None and self.size else None


class LastConditions:
    """The last answers, each for the token that it was given to."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, bytes], Condition] = {}
        self._one = Lock()

    def keep(self, token: str, condition: Condition) -> None:
        """Remember; the oldest goes."""
        with self._one:
            self._known.pop(place := (condition.service, _digest(token)), None)
            self._known[place] = condition
            while len(self._known) > KEPT:
                del self._known[next(iter(self._known))]

    def of(self, token: str, service: str) -> Condition | None:
        """What the service said last to this token."""
        with self._one:
            return self._known.get((service, _digest(token)))


def conditions(muster: Muster, known: LastConditions) -> list[tuple[Condition, Condition | None]]:
    """Each service as it is, and one that is away with what it said last. Raises NotForYou."""
    connection = muster.connection

    def ask(service: str) -> tuple[Condition, Condition | None]:
        token = connection.token
        try:
            found = _asked(connection.http, connection.urls[service], token, service, time.time())
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, msgspec.ValidationError):
            return Condition(service, AWAY, asked=time.time()), known.of(token, service)
        known.keep(token, found)
        return found, None

    with ThreadPoolExecutor(len(SERVICES)) as several:
        return list(several.map(ask, SERVICES))


def _asked(http: httpx.Client, url: str, token: str, service: str, now: float) -> Condition:
    headers = {"Authorization": f"Bearer {token}"}
    answer = http.get(f"{url}/readyz", headers=headers, timeout=TIMEOUT)
    if answer.status_code in (401, 403):
        raise NotForYou
    said = answer.json()
    checks = {name: one for name, one in said["checks"].items() if isinstance(one, dict)} if _is_ready(said) else None
    if checks is None:
        raise ValueError("that is no answer of a service")
    detail = {name: one.get("detail") or {} for name, one in checks.items()}
    disk = said["disk"] if isinstance(said.get("disk"), dict) else {}
    quarantine = detail.get("quarantine", {})
    return Condition(
        service,
        said["status"],
        version=str(said.get("version", "")),
        unpublished=detail.get("outbox", {}).get("unpublished"),
        behind={peer: one["behind"] for peer, one in detail.get("copies", {}).items() if _is_count(one)},
        free=_whole(disk.get("free")),
        size=_whole(disk.get("size")),
        checks=[Check(name, bool(one.get("needed")), detail[name]) for name, one in checks.items() if not one["ok"]],
        cases=[msgspec.convert(case, Case) for case in quarantine.get("events", [])],
        quarantined=quarantine.get("count", 0),
        asked=now,
    )


def _is_ready(said: object) -> bool:
    return (
        isinstance(said, dict) and isinstance(said.get("checks"), dict) and said.get("status") in (OK, DEGRADED, FAILED)
    )


def _is_count(said: object) -> bool:
    return isinstance(said, dict) and isinstance(said.get("behind"), int)


def _whole(said: object) -> int | None:
    return said if isinstance(said, int) else None


def _digest(token: str) -> bytes:
    return sha256(token.encode()).digest()
