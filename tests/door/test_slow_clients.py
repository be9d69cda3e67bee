"""Two hundred slow connections of every kind: everybody else is answered; one on which nothing comes is closed.

This is what a laptop has. In production nginx reads slow clients: tests/deploy/test_edge.py.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.door.running import HALF_A_HEAD, Client, Service, get, post

MANY = 200
ANNOUNCEMENT = '{"name": "Spring Open", "ruleset": "star-wars-armada-1.1"}'
ENDLESS = {"MUSTER_RECEIVE_SECONDS": "3600", "MUSTER_SEND_SECONDS": "3600"}
"""No deadline helps: who is answered beside slow connections is answered while they are there."""
SHAPES = ["embedded", pytest.param("production", marks=pytest.mark.engine("postgresql"))]


@pytest.fixture(scope="module", params=SHAPES)
def patient(request, tmp_path_factory) -> Iterator[Service]:
    """A process on each engine."""
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
        MUSTER_RECEIVE_SECONDS="1",
        MUSTER_SEND_SECONDS="1",
        MUSTER_CONNECTIONS="16",
    ) as running:
        yield running


@pytest.mark.parametrize("kind", KINDS[:5], ids=lambda kind: kind.__name__)
def test_a_request_of_which_nothing_more_comes_is_closed(hasty, kind):
    with hasty.client() as client:
        kind(hasty, client)
        assert client.rest() == b""
    assert "Traceback" not in hasty.log.read_text()


def test_a_kept_connection_on_which_nothing_comes_is_closed(hasty):
    with hasty.client() as client:
        client.send(get("/healthz"))
        assert client.answer().status == 200
        assert client.rest() == b""


def test_an_answer_that_nobody_takes_is_ended(hasty):
    with hasty.client(receive_bytes=2048) as client, hasty.client() as other:
        client.send(get("/docs/swagger-ui-bundle.js"))
        assert other.rest() == b"", "closed after ten seconds"
        assert 0 < len(client.rest()) < 1_000_000
    assert "Traceback" not in hasty.log.read_text()


def test_with_a_slow_connection_on_each_thread_others_wait_until_the_slow_ones_are_ended(hasty):
    with slow(hasty, half_a_head, 4 * 16):
        everybody_is_answered(hasty)


def test_answers_that_nobody_takes_do_not_fill_the_memory(start):
    """Three hundred times 1.4 MB."""
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
