"""What the server answers before an application is asked: problems like all others; and nothing is done twice."""

from __future__ import annotations

import pytest

from shared.web.kinds import EDGE
from tests.door.running import NOTHING, get, post, told

LINE, HEAD = "GET /healthz HTTP/1.1\r\n", "GET /healthz HTTP/1.1\r\nHost: x\r\n"
POST = "POST /tournaments HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n"
SECOND = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
"""What a request in disguise would be."""

REFUSED = {
    "both lengths": (400, "bad-request", POST + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    "both lengths the other way": (
        400,
        "bad-request",
        POST + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
    ),
    "two lengths": (400, "bad-request", POST + "Content-Length: 4\r\nContent-Length: 5\r\n\r\n{}{}{"),
    "the same length twice": (400, "bad-request", POST + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"),
    "a list of lengths": (400, "bad-request", POST + "Content-Length: 2, 2\r\n\r\n{}"),
    "a length with a sign": (400, "bad-request", POST + "Content-Length: +2\r\n\r\n{}"),
    "a negative length": (400, "bad-request", POST + "Content-Length: -2\r\n\r\n{}"),
    "a length in other digits": (400, "bad-request", POST.encode() + b"Content-Length: \xb2\r\n\r\n{}"),
    "a space before the colon": (400, "bad-request", POST + "Content-Length : 2\r\n\r\n{}"),
    "a header without a colon": (400, "bad-request", HEAD + "nonsense\r\n\r\n"),
    "a header name with a space": (400, "bad-request", HEAD + "X a: 1\r\n\r\n"),
    "a header name that is empty": (400, "bad-request", HEAD + ": 1\r\n\r\n"),
    "a folded header": (400, "bad-request", HEAD + "X-a: 1\r\n  2\r\n\r\n"),
    "NUL in a header": (400, "bad-request", HEAD + "X-a: 1\0 2\r\n\r\n"),
    "NUL in the address": (400, "bad-request", "GET /health\0z HTTP/1.1\r\nHost: x\r\n\r\n"),
    "a bare CR in a header": (400, "bad-request", HEAD + "X-a: 1\rX-b: 2\r\n\r\n"),
    "a bare LF in a header": (400, "bad-request", HEAD + "X-a: 1\nX-b: 2\r\n\r\n"),
    "lines that end with LF alone": (400, "bad-request", "GET /healthz HTTP/1.1\nHost: x\n\n"),
    "HTTP/0.9": (400, "bad-request", "GET /healthz\r\n"),
    "HTTP/2": (400, "bad-request", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "HTTP/3.7": (400, "bad-request", "GET /healthz HTTP/3.7\r\nHost: x\r\n\r\n"),
    "a method in small letters": (400, "bad-request", "get /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
    "a method of two letters": (400, "bad-request", "GO /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
    "a method of a thousand letters": (400, "bad-request", "G" * 1000 + " /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
    "a method with brackets": (400, "bad-request", "G(T /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
    "no method": (400, "bad-request", " /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
    "no Host": (400, "bad-request", LINE + "\r\n"),
    "two Hosts": (400, "bad-request", HEAD + "Host: y\r\n\r\n"),
    "TLS": (400, "bad-request", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\r\n\r\n" + b"\x00" * 32),
    "an address beyond ASCII": (400, "bad-request", "GET /healthz\xe9 HTTP/1.1\r\nHost: x\r\n\r\n"),
    "chunked in HTTP/1.0": (400, "bad-request", CHUNKED.replace("HTTP/1.1", "HTTP/1.0") + "2\r\n{}\r\n0\r\n\r\n"),
    "chunked twice": (400, "bad-request", CHUNKED.replace("chunked", "chunked, chunked") + "2\r\n{}\r\n0\r\n\r\n"),
    "chunked and then not": (400, "bad-request", CHUNKED.replace("chunked", "chunked, identity") + "0\r\n\r\n"),
    "chunked in disguise": (501, "transfer-coding-unknown", CHUNKED.replace("chunked", "xchunked") + "0\r\n\r\n"),
    "packed and chunked": (501, "transfer-coding-unknown", CHUNKED.replace("chunked", "gzip, chunked") + "0\r\n\r\n"),
    "a size that is no number": (400, "bad-request", CHUNKED + "zz\r\n{}\r\n0\r\n\r\n"),
    "a size that is negative": (400, "bad-request", CHUNKED + "-2\r\n{}\r\n0\r\n\r\n"),
    "a size as C writes it": (400, "bad-request", CHUNKED + "0x2\r\n{}\r\n0\r\n\r\n"),
    "a size that is empty": (400, "bad-request", CHUNKED + "\r\n{}\r\n0\r\n\r\n"),
    "a chunk that is longer": (400, "bad-request", CHUNKED + "2\r\n{}{}\r\n0\r\n\r\n"),
    "a chunk that ends with LF alone": (400, "bad-request", CHUNKED + "2\n{}\n0\n\n"),
    "a trailer that counts as a header": (400, "bad-request", CHUNKED + "2\r\n{}\r\n0\r\nHost: y\r\n\r\n"),
    "an announced body that is too large": (413, "too-large", POST + "Content-Length: 1048577\r\n\r\n"),
    "a body of absurd length": (413, "too-large", POST + "Content-Length: " + "9" * 30 + "\r\n\r\n"),
    "a chunked body that is too large": (413, "too-large", CHUNKED + ("ffff\r\n" + "x" * 65535 + "\r\n") * 17),
    "chunks without end": (413, "too-large", CHUNKED + ("1;" + "e" * 8000 + "\r\nx\r\n") * 300),
    "an address that is too long": (414, "uri-too-long", f"GET /{'a' * 8200} HTTP/1.1\r\nHost: x\r\n\r\n"),
    "an address without end": (414, "uri-too-long", "GET /" + "a" * 20000),
    "an expectation": (417, "expectation-failed", HEAD + "Expect: a miracle\r\n\r\n"),
    "a header that is too long": (431, "headers-too-large", HEAD + f"X-a: {'a' * 8200}\r\n\r\n"),
    "headers without end": (431, "headers-too-large", HEAD + "".join(f"X-{n}: {'a' * 1000}\r\n" for n in range(70))),
    "too many headers": (431, "headers-too-large", HEAD + "".join(f"X-{n}: a\r\n" for n in range(101)) + "\r\n"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_a_problem_and_the_connection_ends(service, name):
    status, code, sent = REFUSED[name]
    with service.client() as client:
        # What follows must not be taken for a request, however what is before it is read.
        client.send(sent.encode("latin-1") if isinstance(sent, str) else sent, "" if status in (413, 414) else SECOND)
        answer = client.answer()
        body = told(answer, status, code)
        assert client.answer() == NOTHING
    assert answer.headers["Connection"] == "close"
    assert body["title"] == EDGE[code][1]
    assert body["detail"].isprintable()


def test_every_code_of_the_server_is_described_by_the_service(service):
    for _, code, _ in {(s, c, "") for s, c, _ in REFUSED.values()} | {
        (408, "request-timeout", ""),
        (400, "incomplete-body", ""),
    }:
        described = service.ask(get(f"/problems/{code}", "Accept: text/plain"))
        assert described.status == 200
        assert EDGE[code][1] in described.body.decode()


def test_a_request_id_that_can_be_used_is_kept(service):
    answer = service.ask(HEAD, "X-Request-Id: mine-1\r\nnonsense\r\n\r\n")
    assert told(answer, 400, "bad-request")["request_id"] == "mine-1"
    answer = service.ask(HEAD, "X-Request-Id: ' mine\r\nnonsense\r\n\r\n")
    assert told(answer, 400, "bad-request")["request_id"].isalnum()


def test_a_head_that_is_cut_short_is_said_to_be(service):
    with service.client() as client:
        client.send(HEAD)
        client.end()
        told(client.answer(), 400, "bad-request")


def test_a_refusal_of_HEAD_has_no_body(service):
    with service.client() as client:
        client.send("HEAD /healthz HTTP/1.1\r\n\r\n")
        found = client.rest()
    assert found.startswith(b"HTTP/1.1 400 ")
    assert found.endswith(b"\r\n\r\n")


def test_what_the_application_refuses_leaves_the_connection_as_it_was(service):
    with service.client() as client:
        client.send(post("/tournaments", "{}"), get("/nowhere"), "BREW /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        told(client.answer(), 401, "unauthenticated")
        told(client.answer(), 404, "not-found")
        told(client.answer(), 405, "method-not-allowed")
