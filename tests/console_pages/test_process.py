"""The console as `make run` starts it."""

from __future__ import annotations

import time

import httpx

from deploy.stack import Stack
from shared.settings import PORT_OFFSETS


def test_it_runs_beside_the_services_and_comes_back_when_it_is_killed(tmp_path):
    with Stack(tmp_path, env={"MUSTER_CONSOLE": "1"}) as stack:
        console = f"http://127.0.0.1:{stack.port_base + PORT_OFFSETS['console']}"
        assert "There is no event yet" in shown(console)
        assert "--felt" in shown(f"{console}/static/muster.css")
        stack.kill("console.web", wait=False)
        assert "There is no event yet" in shown(console)


def shown(address: str) -> str:
    """A page, as soon as somebody answers there."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return httpx.get(address, timeout=30).raise_for_status().text
        except httpx.TransportError:
            assert time.monotonic() < deadline
            time.sleep(0.2)
