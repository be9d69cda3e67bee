"""/healthz: this process answers. /readyz: it can do its work, by named probes; each is listed with what it found.

A probe returns (ok, detail). What a service cannot work without makes it not ready (503); what it can do without
for a while, such as the broker or a copy that lags, is advisory: shown as degraded, and still 200. A probe gives
up by itself after a second or so: while it waits, everybody who asks waits with it.

Strangers are told which checks hold, with numbers and yes or no: never names (of tournaments, of machines) nor texts,
and nothing of the machine.
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
"""A finding is answered again for so long, so that nobody can load the database by asking."""

_log = get_logger("muster.http")


class Alive(View, frozen=True, kw_only=True):
    """That a process answers."""

    status: Annotated[str, "ok"]
    service: str


class Check(View, frozen=True, kw_only=True):
    """What one probe found."""

    ok: bool
    needed: Annotated[bool, "Whether the service cannot work without it"]
    ms: Annotated[float, "Milliseconds that the probe took"]
    detail: Annotated[dict[str, Any], "Facts found, by name: numbers for everybody, texts and lists for operators"]


class Disk(View, frozen=True, kw_only=True):
    """The disk that holds the data folder."""

    free: Annotated[int, "Bytes"]
    size: Annotated[int, "Bytes"]


class Ready(Alive, frozen=True, kw_only=True):
    """Whether a process can do its work: ok, degraded (works, something is missing) or failed."""

    checks: dict[str, Check]
    version: Annotated[str | UnsetType, "Of the code that runs; for operators and services"] = UNSET
    disk: Annotated[Disk | UnsetType, "For operators and services; missing where it cannot be read"] = UNSET


@dataclass
class Health:
    """The probes of a service. advisory: names of those whose failure does not make it unready.

    disk: reads how full the disk is; None where it cannot be read.
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
        """Answer /healthz: always the same while the process answers at all."""
        return Alive(status="ok", service=self.service)

    def ready(self, *, in_full: bool = False) -> tuple[Ready, int]:
        """Answer /readyz: 200 or 503, with every probe. Findings are kept for a second.

        in_full: with every fact that was found, as for whoever runs the installation.
        """
        with self._lock:
            now = self.clock()
            if self._found is None or now - self._found[0] >= KEPT_SECONDS:
                self._found = (now, *self._probe())
            _, found, status = self._found
        return found if in_full else _for_strangers(found), status

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
        found = Ready(status=status, service=self.service, checks=checks, version=VERSION, disk=disk)
        return found, 503 if failed else 200


def _for_strangers(found: Ready) -> Ready:
    checks = {name: replace(check, detail=_counts(check.detail)) for name, check in found.checks.items()}
    return replace(found, checks=checks, version=UNSET, disk=UNSET)


def _counts(detail: Mapping[str, Any]) -> dict[str, object]:
    """Of what was found the numbers and truth values, also of what is inside by name."""
    kept: dict[str, object] = {}
    for name, value in detail.items():
        if isinstance(value, Mapping):
            kept[name] = _counts(value)
        elif value is None or isinstance(value, bool | int | float):
            kept[name] = value
    return kept
