"""Many live pages at once, at the console as it is shipped: a thousand phones at one event, and a hundred events."""

from __future__ import annotations

import os
import resource
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from werkzeug.serving import make_server

from deploy.process_manager import CONSOLE, HERE
from deploy.stack import FOREIGN, free_ports
from services.console.live.hub import MOST_BEGUN
from shared.settings import PORT_OFFSETS, SERVICES
from shared.web.streams import Stream
from tests import http
from tests.fuzz.muster import Evening
from tests.waiting import PATIENCE, until

PHONES = 1000
EVENTS = 100
HALL, HOME = "127.0.0.2", "127.0.0.3"


class OneAfterAnother:
    """A service whose requests wait for each other, as those in this process do; its streams do not.

    streams: how many were opened.
    """

    def __init__(self, app: Any, one: threading.Lock) -> None:
        self._app, self._one = app, one
        self.streams = 0

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        with self._one:
            body = self._app(environ, start_response)
            if isinstance(body, Stream):
                self.streams += 1
                return body
            return [b"".join(body)]


@contextmanager
def behind_ports(apps: dict[str, Any]) -> Iterator[dict[str, str]]:
    """The services on ports of their own."""
    servers = {name: make_server("127.0.0.1", 0, app, threaded=True) for name, app in apps.items()}
    for server in servers.values():
        threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield {name: f"http://127.0.0.1:{server.server_port}" for name, server in servers.items()}
    finally:
        for server in servers.values():
            server.shutdown()


@contextmanager
def console(folder: Path, urls: dict[str, str]) -> Iterator[int]:
    """The console behind its own server; its port."""
    around = {key: value for key, value in os.environ.items() if not FOREIGN.fullmatch(key)}
    base = free_ports()
    env = {**around, "MUSTER_DATA": str(folder), "MUSTER_PORT_BASE": str(base)}
    env |= {f"{name.upper()}_URL": url for name, url in urls.items()}
    port = base + PORT_OFFSETS["console"]
    with (folder / "console.log").open("ab") as log:
        process = subprocess.Popen(CONSOLE, cwd=HERE.parent, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:

        def answers() -> bool:
            assert process.poll() is None, (folder / "console.log").read_text()
            try:
                return http.get(f"http://127.0.0.1:{port}/sign-in").is_success
            except httpx.TransportError:
                return False

        until(answers, "the console answers", pause=0.1)
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)


@pytest.fixture
def many_files() -> Iterator[None]:
    """This process may open as many connections as there are phones."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard != resource.RLIM_INFINITY else 65_536, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def hears(phone: socket.socket, *words: bytes) -> None:
    """Read until all of these came."""
    got = b""
    while not all(word in got for word in words):
        piece = phone.recv(65_536)
        assert piece, got
        got += piece


def listens(port: int, event: str, address: str = "") -> socket.socket:
    """Ask for the live stream of an event, from an address of this machine."""
    source = (address, 0) if address else None
    phone = socket.create_connection(("127.0.0.1", port), PATIENCE, source_address=source)
    phone.sendall(f"GET /events/{event}/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    return phone


def test_a_hundred_events_are_live_at_once_and_one_address_cannot_take_them_all(services, tmp_path, many_files):
    events = [services.announce(name=f"Evening {number}") for number in range(MOST_BEGUN + 1)]
    *begun, one_more = events
    assert len(begun) >= EVENTS
    one = threading.Lock()
    apps = {name: OneAfterAnother(services.apps[name], one) for name in SERVICES}
    with behind_ports(apps) as urls, console(tmp_path, urls) as port, ExitStack() as phones:

        def opened(event: Evening, address: str, *words: bytes) -> socket.socket:
            phone = phones.enter_context(listens(port, event.id, address))
            hears(phone, *words)
            return phone

        crowd = [phones.enter_context(listens(port, event.id, HALL)) for event in begun]
        for phone in crowd:
            hears(phone, b"200 OK", b"event: standings")
        opened(one_more, HALL, b"503 ", b"Retry-After: 60")
        opened(one_more, HOME, b"200 OK", b"event: standings")
        opened(begun[0], HOME, b"200 OK")
        assert apps["scoring"].streams == len(events)
        assert http.get(f"http://127.0.0.1:{port}/events/{one_more.id}/about").status_code == 200
        with one:
            for event in begun:
                event.do("registration", "/venues", {"name": "Hall", "tables": 8})
        for phone in crowd:
            hears(phone, b"event: event")


def test_a_thousand_phones_listen_during_ordinary_requests(services, tmp_path, many_files):
    evening = services.evening()
    one = threading.Lock()
    apps = {name: OneAfterAnother(services.apps[name], one) for name in SERVICES}
    with behind_ports(apps) as urls, console(tmp_path, urls) as port, ExitStack() as phones:
        crowd = [phones.enter_context(listens(port, evening.id)) for _ in range(PHONES // 50)]
        first = list(crowd)
        for phone in first:
            hears(phone, b"200 OK", b"event: standings")
        for _ in range(PHONES - len(crowd)):
            phone = phones.enter_context(listens(port, evening.id))
            hears(phone, b"200 OK", b"retry: ")
            crowd.append(phone)
        page = http.get(f"http://127.0.0.1:{port}/events/{evening.id}/about")
        assert page.status_code == 200
        game = evening.games(2)[3]["id"]
        with one:
            evening.report(game)
        for phone in first:
            hears(phone, b"event: games", game.encode())
        for phone in crowd[len(first) :]:  # who has just come may be told that any game may have changed
            hears(phone, b"event: games")
        assert apps["scoring"].streams == 1
        page = http.get(f"http://127.0.0.1:{port}/events/{evening.id}/wall/clock")
        assert "2 of 6 games settled" in page.text
