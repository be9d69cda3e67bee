"""Which process the edge asks: one for all commands of a tournament, any for what is read; also when one is gone."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from deploy.stack import free_ports
from shared.settings import SERVICES
from tests import http
from tests.deploy.edge import edge_of

pytestmark = pytest.mark.engine("edge")

PROCESSES = 2
KEY = {"Idempotency-Key": "once-and-only-once"}
CUP = "/scoring/tournaments/cup/results"


class Answering(BaseHTTPRequestHandler):
    """Says by which process it was answered; or reads a request and hangs up, as a process that is killed does."""

    server: Process
    protocol_version = "HTTP/1.1"

    def any(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        self.server.asked.append(f"{self.command} {self.path} {body.decode()}".strip())
        if self.server.dying:
            self.close_connection = True
            return
        text = str(self.server.server_port).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = any

    def log_message(self, *said: object) -> None:
        """Nothing: what was asked is kept."""


class Process(ThreadingHTTPServer):
    """A web process as the edge sees it. asked: every request that reached it."""

    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), Answering)
        self.asked: list[str] = []
        self.dying = False
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self.shutdown()
        self.server_close()


class Place:
    """An edge before two processes of scoring."""

    def __init__(self, stack: ExitStack) -> None:
        base = free_ports(5)
        self._stack = stack
        self.processes = {port: self.open(port) for port in (base + 1, base + 2)}
        edge = stack.enter_context(edge_of({name: list(self.processes) for name in SERVICES}, base + 3))
        self.client = stack.enter_context(http.Client(base_url=edge.url, verify=edge.tls))

    def open(self, port: int) -> Process:
        process = Process(port)
        self._stack.callback(process.close)
        return process

    def ask(self, method: str, path: str, headers: dict[str, str] | None = None) -> httpx.Response:
        return self.client.request(method, path, headers=headers, content=None if method == "GET" else b"{}")

    def home(self, path: str = CUP) -> tuple[Process, Process]:
        """The process that has a tournament's commands, and the other one; of neither was anything asked then."""
        port = int(self.ask("POST", path).text)
        other = next(one for one in self.processes if one != port)
        for process in self.processes.values():
            process.asked.clear()
        return self.processes[port], self.processes[other]


@pytest.fixture
def place() -> Iterator[Place]:
    with ExitStack() as stack:
        yield Place(stack)


def test_commands_of_a_tournament_meet_in_one_process_and_readers_go_to_each_in_turn(place):
    homes: dict[str, set[str]] = {}
    for _ in range(3):
        for number in range(40):
            for what in ("results", "games/g1/ruling", "rounds/1/close"):
                answer = place.ask("POST", f"/scoring/tournaments/t{number}/{what}?token=x")
                homes.setdefault(f"t{number}", set()).add(answer.text)
    assert {len(ports) for ports in homes.values()} == {1}
    assert len(set.union(*homes.values())) == PROCESSES

    read = Counter(place.ask("GET", "/scoring/tournaments/t1/standings").text for _ in range(10))
    announced = Counter(place.ask("POST", "/scoring/tournaments").text for _ in range(10))
    assert sorted(read.values()) == sorted(announced.values()) == [5, 5]


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", CUP, None),
        ("POST", CUP, KEY),
        ("DELETE", "/scoring/tournaments/cup/spare", KEY),
        ("POST", "/scoring/tournaments", KEY),
    ],
)
def test_what_has_its_effect_once_is_sent_again_when_its_process_dies(place, method, path, headers):
    home, other = place.home()
    home.dying = True
    for _ in range(2):  # in turn, one of two readers meets it
        answer = place.ask(method, path, headers)
        assert (answer.status_code, answer.text) == (200, str(other.server_port))
    assert home.asked
    assert set(home.asked) <= set(other.asked)


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("POST", CUP, None),
        ("PATCH", CUP, None),
        ("PUT", CUP, None),
        ("DELETE", CUP, None),
        ("POST", "/scoring/tournaments/cup/webhooks/w1/ping", KEY),
        ("POST", "/scoring/tournaments/cup/webhooks", KEY),
    ],
)
def test_what_could_be_done_twice_is_left_to_its_sender_once_it_was_sent(place, method, path, headers):
    home, other = place.home()
    home.dying = True
    answer = place.ask(method, path, headers)
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert (len(home.asked), other.asked) == (1, [])


def test_what_was_not_sent_goes_to_the_next_process_and_home_again_when_there_is_one(place):
    home, other = place.home()
    home.close()
    assert place.ask("POST", CUP).text == str(other.server_port)
    again = place.open(home.server_port)
    while place.ask("POST", CUP).text != str(again.server_port):
        pass
    assert {place.ask("POST", CUP).text for _ in range(5)} == {str(again.server_port)}


def test_a_service_with_one_address_is_asked_there():
    base = free_ports(3)
    process = Process(base)
    with edge_of(dict.fromkeys(SERVICES, base), base + 1) as edge, http.Client(verify=edge.tls) as client:
        answers = [
            client.request(method, f"{edge.url}{path}", headers=KEY)
            for method, path in [("GET", CUP), ("POST", CUP), ("POST", "/pairing/tournaments/cup/rounds")]
        ]
    process.close()
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert len(process.asked) == 3
