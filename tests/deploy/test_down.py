"""A process that cannot be kept alive: readiness names it, everything else goes on, and it is tried again."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

import httpx
import pytest

from deploy.stack import Stack
from shared.roles import OPERATOR
from tests import http
from tests.issuing import token_of
from tests.waiting import until


def as_operator(stack: Stack) -> dict[str, str]:
    """The header of somebody who is told names, and not only numbers."""
    return {"Authorization": f"Bearer {token_of(stack.env, OPERATOR)}"}


def parts(stack: Stack, service: str) -> dict[str, dict[str, object]]:
    """What readiness says of parts and processes; nothing while the service does not answer."""
    try:
        answer = http.get(f"{stack.urls[service]}/readyz", headers=as_operator(stack))
    except httpx.TransportError:
        return {}
    found: dict[str, dict[str, object]] = answer.json()["checks"]["parts"]["detail"]
    return found


def kill_again_and_again(stack: Stack, name: str, times: int) -> None:
    """Kill a process as soon as it has come back."""
    killed: set[int] = set()

    def one() -> bool:
        pid = stack.pids().get(name)
        if pid is not None and pid not in killed:
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
            killed.add(pid)
        return len(killed) >= times

    until(one)


@pytest.mark.attack("processes that keep dying")
def test_a_worker_and_a_web_side_that_keep_dying_stop_nothing_else(tmp_path):
    with Stack(tmp_path, restarts=2) as stack:
        before = stack.pids()
        for name in ("pairing.worker", "scoring.web"):
            kill_again_and_again(stack, name, 3)
            until(lambda name=name: name in parts(stack, "registration").get("processes", {}))
        down = parts(stack, "pairing")["processes"]
        assert isinstance(down["pairing.worker"], dict)
        assert down["pairing.worker"]["how"] == "was killed by SIGKILL"
        assert "DOWN: pairing.worker was killed by SIGKILL" in stack.output(10_000)
        until(lambda: {"pairing.worker", "scoring.web"} <= stack.pids().keys())  # they are tried again
        after = stack.pids()
        for name in before.keys() - {"pairing.worker", "scoring.web"}:
            assert after[name] == before[name]
        until(lambda: parts(stack, "pairing").get("consumer", {}).get("ok"))
        until(lambda: parts(stack, "scoring").get("catch_up", {}).get("ok"))
