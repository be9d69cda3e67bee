"""From the death of a web process to its next answer, and from `make run` to ready."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from bench.findings import Table
from bench.plan import Plan
from bench.samples import in_turns, row_of
from deploy.stack import Stack

WEB = "scoring.web"
ASK_SECONDS = 0.005


def run(plan: Plan) -> list[Table]:
    """Seconds until /healthz and /readyz are answered 200 again after a SIGKILL, and of first and second starts."""
    starts: dict[str, list[float]] = {"on an empty folder": [], "on what was there": []}
    for number in range(plan.size(3, 1)):
        plan.say(f"restart: start {number + 1}")
        folder = plan.places.folder / f"start-{number}"
        for name in starts:
            began = time.monotonic()
            with Stack(folder):
                starts[name].append(time.monotonic() - began)
    found: dict[str, list[float]] = {}
    kills: dict[str, Callable[[Stack], None]] = {"gunicorn's master and its worker": _all, "gunicorn's worker": _worker}
    with Stack(plan.places.folder / "restart") as stack:
        for name in in_turns(list(kills), plan.size(10, 2), plan.probe()):
            plan.say(f"restart: {name}")
            kills[name](stack)
            began = time.monotonic()
            for path in ("/healthz", "/readyz"):
                _answered(stack.urls["scoring"] + path)
                found.setdefault(f"{name}, {path}", []).append(time.monotonic() - began)
            time.sleep(plan.size(6.0, 0.0))  # one that has lived for so long is started again at once
    notes = ["Embedded: one web process a service. A client asks every 5 ms on a new connection."]
    return [
        Table(
            "From SIGKILL of scoring.web to the next answer 200",
            [row_of(name, "s", seconds) for name, seconds in found.items()],
            notes=notes,
        ),
        Table(
            "From the start of everything until all three services are ready",
            [row_of(name, "s", seconds) for name, seconds in starts.items()],
            notes=["SQLite and the folder; the environment is set up already."],
        ),
    ]


def _all(stack: Stack) -> None:
    os.killpg(stack.pids()[WEB], signal.SIGKILL)


def _worker(stack: Stack) -> None:
    master = stack.pids()[WEB]
    for child in Path(f"/proc/{master}/task/{master}/children").read_text().split():
        os.kill(int(child), signal.SIGKILL)


def _answered(url: str) -> None:
    while True:
        try:
            if httpx.get(url, timeout=30.0).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(ASK_SECONDS)
