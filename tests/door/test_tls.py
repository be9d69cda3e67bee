"""The server with a certificate: the same door, behind TLS."""

from __future__ import annotations

import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.stack import ROOT, free_ports
from tests import http
from tests.deploy.edge import make_certificate
from tests.door.tls_app import LARGE, TICKS, WHOLE
from tests.waiting import until

pytestmark = pytest.mark.engine("openssl")
CONF = """
from deploy import web_server

bind = "127.0.0.1:{port}"
certfile, keyfile = "{certificate}", "{key}"
worker_class, threads = web_server.Worker, 100
ssl_context = web_server.tls_context(1.5)
logger_class = web_server.Logger
control_socket_disable = True
loglevel = "warning"
"""


class Served:
    """Where it is served, and with whose certificate."""

    def __init__(self, port: int, certificate: Path) -> None:
        self.port = port
        self.url = f"https://localhost:{port}"
        self.tls = ssl.create_default_context(cafile=str(certificate))

    def connect(self) -> ssl.SSLSocket:
        return self.tls.wrap_socket(socket.create_connection(("127.0.0.1", self.port), 20), server_hostname="localhost")


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = make_certificate(folder)
    port = free_ports(1)
    conf = folder / "conf.py"
    conf.write_text(CONF.format(port=port, certificate=certificate, key=key))
    command = [sys.executable, "-m", "gunicorn", "--config", str(conf), "tests.door.tls_app:app"]
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        until(lambda: listens(port), "the server listens")
        yield Served(port, certificate)
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def client(served: Served) -> Iterator[http.Client]:
    with http.Client(base_url=served.url, verify=served.tls) as client:
        yield client


def test_requests_and_large_bodies_come_through_on_one_connection(client):
    for body in (b"", b"one", b"x" * 900_000, b"two"):
        answer = client.post("/echo", content=body)
        assert answer.content == body
        assert answer.headers["X-Scheme"] == "https"
    assert client.get("/large").content == WHOLE


def test_requests_sent_at_once_are_answered_in_turn(served):
    with served.connect() as client:
        client.sendall(b"".join(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n%d" % n for n in range(9)))
        said = b""
        while said.count(b"HTTP/1.1 200") < 9 or not said.endswith(b"8"):
            piece = client.recv(65_536)
            assert piece, said
            said += piece
    assert [part[-1:] for part in said.split(b"HTTP/1.1 200 OK")[1:]] == [b"%d" % n for n in range(9)]


def test_a_large_answer_waits_for_who_reads_in_bits_while_it_sends(served):
    with served.connect() as client:
        client.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        read = client.recv(1000)
        client.sendall(b"POST /after HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\nafter")
        while piece := client.recv(9_000):
            read += piece
    first, _, rest = read.partition(b"\r\n\r\n")
    assert b"200 OK" in first
    assert rest[:LARGE] == WHOLE
    assert rest.endswith(b"\r\n\r\nafter")


def test_a_stream_comes_whole_with_its_end(served):
    with served.connect() as client:
        client.sendall(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        said = b""
        while piece := client.recv(65_536):
            said += piece
    assert said.count(b"data: ") == TICKS
    assert said.endswith(b"0\r\n\r\n")


def test_fifty_streams_and_requests_at_once(served, client):
    opened = [served.connect() for _ in range(50)]
    for one in opened:
        one.sendall(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
    assert client.post("/echo", content=b"beside").content == b"beside"
    for one in opened:
        said = b""
        while piece := one.recv(65_536):
            said += piece
        assert said.count(b"data: ") == TICKS
        one.close()


@pytest.mark.parametrize("sent", [b"", b"\x16\x03\x01", b"\x16\x03\x01\x02\x00" + b"\0" * 600, b"\xff" * 40])
def test_a_handshake_that_never_ends_or_is_none_holds_nothing_up(served, client, sent):
    held = [socket.create_connection(("127.0.0.1", served.port), 20) for _ in range(20)]
    for one in held:
        one.sendall(sent)
    assert client.post("/echo", content=b"beside").content == b"beside"
    for one in held:
        try:
            while one.recv(65_536):
                pass
        except ConnectionError:
            pass
        one.close()
