"""What gunicorn refuses before an application is asked: the connection closes, and nothing is done twice."""

from __future__ import annotations

import pytest

from tests.door.running import get, post, told

HEAD = "GET /healthz HTTP/1.1\r\nHost: x\r\n"
POST = "POST /tournaments HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n"
SECOND = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
"""What a request in disguise would be."""

REFUSED = {
    "both lengths": (400, POST + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    "both lengths the other way": (
        400,
        POST + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
    ),
    "two lengths": (400, POST + "Content-Length: 4\r\nContent-Length: 5\r\n\r\n{}{}{"),
    "the same length twice": (400, POST + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"),
    "a list of lengths": (400, POST + "Content-Length: 2, 2\r\n\r\n{}"),
    "a length with a sign": (400, POST + "Content-Length: +2\r\n\r\n{}"),
    "a negative length": (400, POST + "Content-Length: -2\r\n\r\n{}"),
    "a length in other digits": (400, POST.encode() + b"Content-Length: \xb2\r\n\r\n{}"),
    "a space before the colon": (400, POST + "Content-Length : 2\r\n\r\n{}"),
    "a header without a colon": (400, HEAD + "nonsense\r\n\r\n"),
    "a header name with a space": (400, HEAD + "X a: 1\r\n\r\n"),
    "a header name that is empty": (400, HEAD + ": 1\r\n\r\n"),
    "a folded header": (400, HEAD + "X-a: 1\r\n  2\r\n\r\n"),
    "NUL in a header": (400, HEAD + "X-a: 1\0 2\r\n\r\n"),
    "NUL in the address": (400, "GET /health\0z HTTP/1.1\r\nHost: x\r\n\r\n"),
    "a bare CR in a header": (400, HEAD + "X-a: 1\rX-b: 2\r\n\r\n"),
    "a bare LF in a header": (400, HEAD + "X-a: 1\nX-b: 2\r\n\r\n"),
    "lines that end with LF alone": (400, "GET /healthz HTTP/1.1\nHost: x\n\n"),
    "HTTP/0.9": (400, "GET /healthz\r\n"),
    "HTTP/2": (400, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "HTTP/3.7": (400, "GET /healthz HTTP/3.7\r\nHost: x\r\n\r\n"),
    "a method in small letters": (400, "get /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
    "a method of two letters": (400, "GO /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
    "a method of a thousand letters": (400, "G" * 1000 + " /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
    "a method with brackets": (400, "G(T /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
    "no method": (400, " /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
    "two Hosts": (400, HEAD + "Host: y\r\n\r\n"),
    "TLS": (400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\r\n\r\n" + b"\x00" * 32),
    "an address beyond ASCII": (400, "GET /healthz\xe9 HTTP/1.1\r\nHost: x\r\n\r\n"),
    "chunked in HTTP/1.0": (400, CHUNKED.replace("HTTP/1.1", "HTTP/1.0") + "2\r\n{}\r\n0\r\n\r\n"),
    "chunked twice": (400, CHUNKED.replace("chunked", "chunked, chunked") + "2\r\n{}\r\n0\r\n\r\n"),
    "chunked and then not": (400, CHUNKED.replace("chunked", "chunked, identity") + "0\r\n\r\n"),
    "chunked in disguise": (501, CHUNKED.replace("chunked", "xchunked") + "0\r\n\r\n"),
    "a size that is no number": (400, CHUNKED + "zz\r\n{}\r\n0\r\n\r\n"),
    "a size that is negative": (400, CHUNKED + "-2\r\n{}\r\n0\r\n\r\n"),
    "a size as C writes it": (400, CHUNKED + "0x2\r\n{}\r\n0\r\n\r\n"),
    "a size that is empty": (400, CHUNKED + "\r\n{}\r\n0\r\n\r\n"),
    "a chunk that is longer": (400, CHUNKED + "2\r\n{}{}\r\n0\r\n\r\n"),
    "a chunk that ends with LF alone": (400, CHUNKED + "2\n{}\n0\n\n"),
    "a trailer that counts as a header": (400, CHUNKED + "2\r\n{}\r\n0\r\nHost: y\r\n\r\n"),
    "an address that is too long": (414, f"GET /{'a' * 8200} HTTP/1.1\r\nHost: x\r\n\r\n"),
    "an address without end": (414, "GET /" + "a" * 20000),
    "an expectation": (417, HEAD + "Expect: a miracle\r\n\r\n"),
    "a header that is too long": (431, HEAD + f"X-a: {'a' * 8200}\r\n\r\n"),
    "headers without end": (400, HEAD + "".join(f"X-{n}: {'a' * 1000}\r\n" for n in range(70))),
    "too many headers": (431, HEAD + "".join(f"X-{n}: a\r\n" for n in range(101)) + "\r\n"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_and_the_connection_ends(service, name):
    status, sent = REFUSED[name]
    with service.client() as client:
        # What follows must not be taken for a request, however what is before it is read.
        client.send(sent.encode("latin-1") if isinstance(sent, str) else sent, "" if status == 414 else SECOND)
        answer = client.answer()
        assert answer.status == status
        assert client.rest() == b""


LARGE = {
    "announced": POST + "Content-Length: 1048577\r\n",
    "of absurd length": POST + "Content-Length: " + "9" * 30 + "\r\n",
    "in chunks": POST + "Transfer-Encoding: chunked\r\n",
}


@pytest.mark.parametrize("name", LARGE)
def test_a_body_that_is_too_large_is_refused(service, name):
    body = ("ffff\r\n" + "x" * 65535 + "\r\n") * 17 if name == "in chunks" else ""
    told(service.ask(LARGE[name], service.bearer(), "\r\n\r\n", body), 413, "too-large")


def test_what_the_application_refuses_leaves_the_connection_as_it_was(service):
    with service.client() as client:
        client.send(post("/tournaments", "{}"), get("/nowhere"), "BREW /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        told(client.answer(), 401, "unauthenticated")
        told(client.answer(), 404, "not-found")
        told(client.answer(), 405, "method-not-allowed")
