"""Two hundred slow connections of every kind: everybody else is answered, and none of them stays for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.door.running import HALF_A_HEAD, NOTHING, Client, Service, get, post, told

MANY = 200
ANNOUNCEMENT = '{"name": "Spring Open", "ruleset": "star-wars-armada-1.1"}'
ENDLESS = {"MUSTER_HEAD_SECONDS": "3600", "MUSTER_BODY_SECONDS": "3600", "MUSTER_SEND_SECONDS": "3600"}
"""No deadline helps: who is answered beside slow connections is answered while they are there."""
SHAPES = ["embedded", pytest.param("production", marks=pytest.mark.engine("postgresql"))]


@pytest.fixture(scope="module", params=SHAPES)
def patient(request, tmp_path_factory) -> Iterator[Service]:
    """The default with one process of eight threads, and two processes on PostgreSQL."""
    url = "" if request.param == "embedded" else request.getfixturevalue("postgresql_database")()
    with Service(tmp_path_factory.mktemp("patient"), database=url, **ENDLESS) as running:
        yield running


def half_a_head(service: Service, client: Client) -> None:
    client.send(HALF_A_HEAD)


def a_byte_of_a_body(service: Service, client: Client) -> None:
    client.send(post("/tournaments", "{", length=500))


def a_byte_of_a_body_with_a_token(service: Service, client: Client) -> None:
    client.send(post("/tournaments", "{", service.bearer(), length=500))


def a_chunk_of_a_body(service: Service, client: Client) -> None:
    head = post("/tournaments", "", service.bearer()).replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
    client.send(head, "1\r\n{\r\n")


def nothing(service: Service, client: Client) -> None:
    pass


def not_reading(service: Service, client: Client) -> None:
    client.send(get("/docs/swagger-ui-bundle.js") * 3)


KINDS = [half_a_head, a_byte_of_a_body, a_byte_of_a_body_with_a_token, a_chunk_of_a_body, nothing, not_reading]
Kind = Callable[[Service, Client], None]


@contextmanager
def slow(service: Service, kind: Kind, many: int = MANY) -> Iterator[list[Client]]:
    with ExitStack() as stack:
        clients = []
        for _ in range(many):
            clients.append(stack.enter_context(service.client(receive_bytes=2048)))
            kind(service, clients[-1])
        yield clients


def everybody_is_answered(service: Service) -> None:
    """On new connections and on a kept one; with a body, and with a large answer."""
    with service.client() as kept:
        for _ in range(10):
            kept.send(get("/healthz"))
            assert kept.answer().status == 200
            assert service.ask(get("/healthz")).status == 200
            assert service.ask(post("/tournaments", ANNOUNCEMENT, service.bearer())).status == 201
    assert len(service.ask(get("/docs/swagger-ui-bundle.js")).body) > 1_000_000


@pytest.mark.attack("200 slow connections")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_everybody_else_is_answered_beside_them(patient, kind):
    with slow(patient, kind):
        everybody_is_answered(patient)


def test_everybody_else_is_answered_beside_those_who_drip(patient):
    stop = threading.Event()
    with slow(patient, half_a_head, MANY // 2) as heads, slow(patient, a_byte_of_a_body, MANY // 2) as bodies:

        def drip() -> None:
            while not stop.wait(0.05):
                for client in (*heads, *bodies):
                    client.send("a")

        dripping = threading.Thread(target=drip)
        dripping.start()
        try:
            everybody_is_answered(patient)
        finally:
            stop.set()
            dripping.join()


@pytest.fixture(scope="module")
def hasty(tmp_path_factory) -> Iterator[Service]:
    with Service(
        tmp_path_factory.mktemp("hasty"),
        MUSTER_HEAD_SECONDS="1",
        MUSTER_BODY_SECONDS="2",
        MUSTER_SEND_SECONDS="1",
        MUSTER_CONNECTIONS="64",
    ) as running:
        yield running


@pytest.mark.parametrize("kind", KINDS[:4], ids=lambda kind: kind.__name__)
def test_a_request_that_does_not_come_to_its_end_is_ended(hasty, kind):
    with hasty.client() as client:
        kind(hasty, client)
        told(client.answer(), 408, "request-timeout")
        assert client.answer() == NOTHING


def test_a_connection_on_which_nothing_comes_is_closed_without_a_word(hasty):
    with hasty.client() as client:
        assert client.rest() == b""
    with hasty.client() as client:
        client.send(get("/healthz"))
        assert client.answer().status == 200
        assert client.rest() == b""


@pytest.mark.parametrize("kind", [half_a_head, a_byte_of_a_body, a_chunk_of_a_body], ids=lambda kind: kind.__name__)
def test_a_byte_now_and_then_prolongs_nothing(hasty, kind):
    """As long as the connection is there the client goes on; only the server can end it."""
    with hasty.client() as client:
        kind(hasty, client)
        client.socket.settimeout(0.1)
        found = b""
        while not found:
            try:
                found = client.socket.recv(65_536)
            except TimeoutError:
                client.send("1\r\na\r\n" if kind is a_chunk_of_a_body else "a")
        assert found.startswith(b"HTTP/1.1 408 ")


def test_an_answer_that_nobody_takes_is_ended(hasty):
    with hasty.client(receive_bytes=2048) as client:
        client.send(get("/docs/swagger-ui-bundle.js"))
        for _ in range(3):  # longer than the deadline, which no answer of somebody else prolongs
            with hasty.client() as other:
                assert other.rest() == b""
        assert 0 < len(client.rest()) < 1_000_000


def test_with_too_many_connections_the_oldest_that_are_not_whole_make_room(start):
    running = start(MUSTER_CONNECTIONS="64", **ENDLESS)
    with slow(running, half_a_head, MANY) as clients:
        everybody_is_answered(running)
        told(clients[0].answer(), 503, "unavailable")
        with slow(running, nothing, MANY) as idle:
            everybody_is_answered(running)
            assert idle[0].rest() == b""
            assert clients[-1].rest().startswith(b"HTTP/1.1 503 ")


def test_answers_that_nobody_takes_do_not_fill_the_memory(start):
    """Three hundred times 1.4 MB are more than a process may keep; the oldest of them go."""
    running = start(**ENDLESS)
    with slow(running, not_reading, MANY):
        everybody_is_answered(running)
        peak = max(_resident(pid) for pid in _workers(running))
    assert peak < 500_000_000


def _workers(service: Service) -> list[int]:
    pid = service.process.pid
    with open(f"/proc/{pid}/task/{pid}/children") as children:
        return [int(child) for child in children.read().split()]


def _resident(pid: int) -> int:
    with open(f"/proc/{pid}/statm") as sizes:
        return int(sizes.read().split()[1]) * 4096
