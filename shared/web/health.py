"""Health checks: /healthz says that the process answers, /readyz that it can do its work, with one result per probe.

A probe returns (ok, detail). A failed needed probe makes the service not ready (503). A failed advisory probe, such as
a missing broker or a lagging copy, makes it degraded, which is still 200. A probe must time out after about a second,
because all callers of /readyz wait for it.

Callers without an operator's token see which checks hold, and only numbers and booleans of their details: no names, no
texts, nothing about the machine.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from shared.logs import get_logger
from shared.metrics import CHECK_OK
from shared.shapes import View
from shared.version import VERSION

Probe = Callable[[], tuple[bool, dict[str, object]]]

KEPT_SECONDS = 1.0
"""Results are cached for this long, so that requests to /readyz cannot load the database."""

_log = get_logger("muster.http")


class Alive(View, frozen=True, kw_only=True):
    """The answer of /healthz."""

    status: Annotated[str, "ok"]
    service: str


class Check(View, frozen=True, kw_only=True):
    """The result of one probe."""

    ok: bool
    needed: Annotated[bool, "True if the service cannot work without it"]
    ms: Annotated[float, "Duration of the probe in milliseconds"]
    detail: Annotated[dict[str, Any], "Details by name; texts and lists only for operators"]


class Disk(View, frozen=True, kw_only=True):
    """The disk that holds the data folder."""

    free: Annotated[int, "Bytes"]
    size: Annotated[int, "Bytes"]


class Ready(Alive, frozen=True, kw_only=True):
    """The answer of /readyz. status: ok, degraded (works, but something is missing) or failed."""

    checks: dict[str, Check]
    version: Annotated[str | UnsetType, "Version of the running code; for operators and services"] = UNSET
    disk: Annotated[Disk | UnsetType, "For operators and services; absent if it cannot be read"] = UNSET


@dataclass
class Health:
    """The probes of a service. advisory: names of the probes whose failure does not make it unready.

    disk: returns the state of the disk, None if it cannot be read.
    """

    service: str
    probes: Mapping[str, Probe]
    advisory: Collection[str] = ()
    disk: Callable[[], Disk | None] | None = None
    clock: Callable[[], float] = time.monotonic
    _found: tuple[float, Ready, int] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        unknown = set(self.advisory) - set(self.probes)
        if unknown:
            raise ValueError(f"advisory probes that do not exist: {', '.join(sorted(unknown))}")

    def live(self) -> Alive:
        """Return the answer of /healthz, which never changes."""
        return Alive(status="ok", service=self.service)

    def ready(self, *, in_full: bool = False) -> tuple[Ready, int]:
        """Return the answer of /readyz and its status, 200 or 503. Results are cached for a second.

        in_full: with every detail, for operators.
        """
        with self._lock:
            now = self.clock()
            if self._found is None or now - self._found[0] >= KEPT_SECONDS:
                self._found = (now, *self._probe())
            _, result, status = self._found
        return result if in_full else _public(result), status

    def _probe(self) -> tuple[Ready, int]:
        checks: dict[str, Check] = {}
        failed, degraded = False, False
        for name, probe in self.probes.items():
            started = time.perf_counter()
            try:
                ok, detail = probe()
            except Exception as error:
                _log.warning("probe failed", probe=name, exc_info=error)
                ok, detail = False, {"error": type(error).__name__}
            needed = name not in self.advisory
            failed, degraded = failed or (needed and not ok), degraded or (not needed and not ok)
            ms = round((time.perf_counter() - started) * 1000, 1)
            CHECK_OK.labels(name, str(needed).lower()).set(ok)
            checks[name] = Check(ok=ok, needed=needed, ms=ms, detail=detail)
        status = "failed" if failed else "degraded" if degraded else "ok"
        disk = (self.disk() if self.disk else None) or UNSET
        result = Ready(status=status, service=self.service, checks=checks, version=VERSION, disk=disk)
        return result, 503 if failed else 200


def _public(result: Ready) -> Ready:
    checks = {name: replace(check, detail=_numbers(check.detail)) for name, check in result.checks.items()}
    return replace(result, checks=checks, version=UNSET, disk=UNSET)


def _numbers(detail: Mapping[str, Any]) -> dict[str, object]:
    """Return the numbers and booleans of a detail, including nested ones."""
    kept: dict[str, object] = {}
    for name, value in detail.items():
        if isinstance(value, Mapping):
            kept[name] = _numbers(value)
        elif value is None or isinstance(value, bool | int | float):
            kept[name] = value
    return kept
