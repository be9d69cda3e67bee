"""HTTP/1.1 as clients and proxies rely on it."""

from __future__ import annotations

import json
import signal
import time

import httpx
import pytest

from tests import http
from tests.door.running import HALF_A_HEAD, NOTHING, get, post, told
from tests.waiting import PATIENCE, until

ANNOUNCEMENT = '{"name": "Spring Open", "ruleset": "star-wars-armada-1.1"}'


def test_a_connection_is_kept_and_requests_may_follow_before_answers(service):
    with service.client() as client:
        client.send(*[get("/healthz", f"X-Request-Id: r{n}") for n in range(50)])
        assert [client.answer().headers["X-Request-Id"] for _ in range(50)] == [f"r{n}" for n in range(50)]
        client.send(get("/healthz"))
        assert client.answer().headers["Connection"] == "keep-alive"
        client.send(get("/healthz", "Connection: close"))
        assert client.answer().headers["Connection"] == "close"
        assert client.answer() == NOTHING


def test_requests_that_come_in_pieces_are_put_together(service):
    request = post("/tournaments", ANNOUNCEMENT, service.bearer(), "Idempotency-Key: in-pieces")
    with service.client() as client:
        for byte in request + get("/healthz")[:10]:
            client.send(bytes([byte]))
        assert client.answer().status == 201
        client.send(get("/healthz")[10:])
        assert client.answer().json["status"] == "ok"


def test_HTTP_1_0_is_answered_and_closed_unless_it_asks_to_be_kept(service):
    with service.client() as client:
        client.send("GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        assert client.answer().status == 200
        client.send("GET /healthz HTTP/1.0\r\n\r\n")
        assert client.answer().status == 200
        assert client.answer() == NOTHING


def test_HEAD_has_the_headers_of_GET_and_no_body(service):
    with service.client() as client:
        client.send(get("/healthz", method="HEAD"), get("/healthz"))
        head, body = client.answer("HEAD"), client.answer()
        assert (head.body, head.headers["Content-Length"]) == (b"", str(len(body.body)))


@pytest.mark.parametrize("pieces", [1, 7])
def test_a_chunked_body_is_read_whatever_its_chunks(service, pieces):
    head, _, body = post("/tournaments", ANNOUNCEMENT, service.bearer()).partition(b"\r\n\r\n")
    head = head.replace(b"Content-Length: %d" % len(body), b"Transfer-Encoding: chunked")
    size = -(-len(body) // pieces)
    chunks = b"".join(
        b"%x;a=b\r\n%b\r\n" % (len(part), part) for n in range(0, len(body), size) if (part := body[n : n + size])
    )
    with service.client() as client:
        client.send(head, b"\r\n\r\n", chunks, b"0\r\nX-Trailer: 1\r\n\r\n", get("/healthz"))
        assert client.answer().status == 201
        assert client.answer().json["status"] == "ok"


def test_who_asks_before_sending_a_body_is_told_to_go_on_or_why_not(service):
    request = post("/tournaments", ANNOUNCEMENT, service.bearer(), "Expect: 100-continue")
    head, _, body = request.partition(b"\r\n\r\n")
    with service.client() as client:
        client.send(head, b"\r\n\r\n")
        assert client.socket.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.send(body)
        assert client.answer().status == 201
        client.send(post("/tournaments", b"", service.bearer(), "Expect: 100-continue", length=2_000_000))
        told(client.answer(), 413, "too-large")


def test_who_has_said_everything_may_stop_sending_and_is_answered(service):
    with service.client() as client:
        client.send(get("/healthz"))
        client.end()
        assert client.answer().status == 200
        assert client.answer() == NOTHING


def test_a_large_answer_arrives_whole(service):
    with service.client(receive_bytes=4096) as client:
        client.send(get("/docs/swagger-ui-bundle.js"), get("/healthz"))
        answer = client.answer()
        assert len(answer.body) == int(answer.headers["Content-Length"]) > 1_000_000
        assert client.answer().json["status"] == "ok"


def test_a_large_body_arrives_whole(service):
    body = '{"name": "' + "x" * 1_000_000 + '"}'
    told(service.ask(post("/tournaments", body, service.bearer())), 422, "invalid-request")


def test_the_access_log_and_the_measurements_know_every_request(start):
    running = start(MUSTER_ACCESS_LOG="on")
    running.ask(get("/tournaments?token=secret", "Host: y".replace("Host", "X-Host")))
    running.ask(post("/tournaments", "{}"))

    def asked():
        lines = [json.loads(line) for line in running.log.read_text().splitlines() if '"event":"access"' in line]
        return {(line["method"], line["path"], line["status"], line["client"]) for line in lines}

    expected = {("GET", "/tournaments", 401, "127.0.0.1"), ("POST", "/tournaments", 401, "127.0.0.1")}
    until(lambda: expected <= asked(), asked)  # the line is written when the answer is out
    assert "secret" not in running.log.read_text()
    counted = running.ask(get("/metrics", running.bearer())).body.decode()
    assert 'muster_http_request_seconds_count{endpoint="/tournaments",method="POST",status="401"} 1.0' in counted


def test_callers_are_told_apart_by_their_address(start):
    running = start(MUSTER_RATE_LIMIT="5/day")
    assert [running.ask(get("/rulesets")).status for _ in range(6)][-1] == 429
    with http.Client(transport=httpx.HTTPTransport(local_address="127.0.0.9")) as other:
        assert other.get(f"{running.url}/rulesets").status_code == 200


def test_a_connection_that_was_promised_to_be_kept_takes_one_more_request_while_the_service_stops(start):
    running = start()
    made = running.ask(post("/tournaments", ANNOUNCEMENT, running.bearer())).json["id"]
    with running.client() as client:
        client.send(get(f"/tournaments/{made}/heads", "Muster-Seen: scoring=1"))  # answered after two seconds
        time.sleep(0.5)  # noqa: TID251 - a thread begins to answer
        running.process.send_signal(signal.SIGTERM)
        answer = client.answer()
        assert (answer.status, answer.headers["Connection"]) == (503, "keep-alive")
        client.send(get("/healthz"))
        answer = client.answer()
        assert (answer.status, answer.headers["Connection"]) == (200, "close")
    assert running.process.wait(PATIENCE) == 0


def test_stopping_answers_what_has_come_and_waits_for_nobody_else(start):
    running = start()
    clients = [running.client() for _ in range(200)]
    for number, client in enumerate(clients):
        client.send(HALF_A_HEAD if number % 2 else b"")
    with running.client() as kept, running.client() as coming:
        kept.send(get("/healthz"))
        assert kept.answer().status == 200
        request = post("/tournaments", ANNOUNCEMENT, running.bearer())
        coming.send(request[:-5])
        time.sleep(0.2)  # noqa: TID251 - for all of it to arrive
        running.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)  # noqa: TID251 - the client is slow
        coming.send(request[-5:])
        assert coming.answer().status == 201
    # Half of a request is waited for as long as gunicorn's own limit.
    assert running.process.wait(10) == 0
    for client in clients:
        client.close()
