"""The status port of a worker: slow connections do not delay other clients."""

from __future__ import annotations

import socket
import threading
import time

import pytest

from shared.messaging import status
from shared.messaging.status import CONNECTIONS, serve_status
from tests import http
from tests.waiting import PATIENCE


class Alive:
    name = "relay"

    def __init__(self) -> None:
        self.beat = time.monotonic()


@pytest.fixture
def port():
    with serve_status(("127.0.0.1", 0), [Alive()], hangs_seconds=60) as found:
        yield found


def connected(port, sent=b""):
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    connection.sendall(sent)
    return connection


def rest(connection):
    found = b""
    try:
        while data := connection.recv(65_536):
            found += data
    except ConnectionResetError:
        pass
    return found


@pytest.mark.parametrize("sent", [b"", b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-a: ", b"GET /metrics HTTP/1.1\r\n"])
def test_slow_clients_do_not_delay_others(port, sent, monkeypatch):
    monkeypatch.setattr(status, "REQUEST_SECONDS", 3600.0)
    before = threading.active_count()
    slow = [connected(port, sent) for _ in range(200)]
    for _ in range(10):
        assert http.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
    assert threading.active_count() <= before  # one of an earlier test may have ended meanwhile
    assert rest(slow[0]) == b""  # more than are held at once: the oldest are closed
    assert CONNECTIONS < 200
    for connection in slow:
        connection.close()


@pytest.mark.parametrize("sent", [b"", b"GET /healthz HTTP/1.1\r\n"])
def test_silent_and_slow_clients_are_disconnected(port, sent, monkeypatch):
    monkeypatch.setattr(status, "REQUEST_SECONDS", 0.5)
    connection = connected(port, sent)
    connection.settimeout(0.05)
    while True:
        try:
            assert connection.recv(100) == b""
            break
        except ConnectionResetError:
            break
        except TimeoutError:
            if sent:
                connection.send(b"a")


def test_endless_and_invalid_requests_are_disconnected(port):
    assert rest(connected(port, b"GET /healthz HTTP/1.1\r\nX-a: " + b"a" * 100_000)) == b""
    assert rest(connected(port, b"\xff\x00\r\n\r\n")).startswith(b"HTTP/1.1 405 ")
    assert rest(connected(port, b"POST /healthz HTTP/1.1\r\n\r\n")).startswith(b"HTTP/1.1 405 ")
    assert http.get(f"http://127.0.0.1:{port}/healthz").status_code == 200


def test_a_port_in_use_raises_an_error(port):
    with (
        pytest.raises(OSError, match="address already in use"),
        serve_status(("127.0.0.1", port), [], hangs_seconds=60),
    ):
        pass
