"""One request, passed on to a service, and its answer as it comes back.

What concerns one connection alone stays on it. Cookies belong to the pages and never reach a service, nor does one set
any. Where a request came from is said anew, whatever its sender said of it.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any
from urllib.parse import quote, urlsplit

from shared.web.proxies import HEADER

CONNECT_SECONDS = 5.0
READ_SECONDS = 75.0
"""Without a byte from a service; a request may wait there for what it asks to have been seen."""
PIECE = 65_536
"""Bytes read from a service at once."""
STREAM = "text/event-stream"
OF_ONE_CONNECTION = frozenset(
    {
        *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"),
        *("te", "trailer", "transfer-encoding", "upgrade"),
    }
)
SAID_ANEW = frozenset({"host", "content-length", "expect", "forwarded", "x-real-ip", HEADER.lower()})
OF_THE_PAGES = frozenset({"cookie"})
OF_THIS_SERVER = frozenset({"date", "server", "set-cookie"})
IN_A_PATH = "/:@!$&'()*+,;=~"
IN_A_QUERY = IN_A_PATH + '?%[]{}|\\^`"<>#'


class Refused(Exception):
    """A request that is not passed on, or has no answer. code: of `shared.web.kinds.EDGE`; the text says why."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class Passed:
    """The answer of a service: its head, and its body piece by piece."""

    def __init__(self, connection: HTTPConnection, answer: HTTPResponse, method: str) -> None:
        self._connection = connection
        self._socket: socket.socket = connection.sock
        self._answer = answer
        self._then: Callable[[], None] | None = None
        self.status = answer.status
        kind = (answer.getheader("Content-Type") or "").partition(";")[0].strip().lower()
        to_its_end = not answer.chunked and answer.length is None
        self.streams = method == "GET" and answer.status == HTTPStatus.OK and kind == STREAM and to_its_end
        self.line = f"{answer.status} {answer.reason}"
        named = _names(answer.getheader("Connection") or "")
        left = OF_ONE_CONNECTION | OF_THIS_SERVER | named
        self.headers = [(name, value) for name, value in answer.getheaders() if name.lower() not in left]
        self._wanted = answer.length

    def on_close(self, then: Callable[[], None]) -> None:
        """What is to be done when this is closed."""
        self._then = then

    def __iter__(self) -> Iterator[bytes]:
        sent = 0
        while piece := self._answer.read(PIECE):
            sent += len(piece)
            yield piece
        if self._wanted is not None and sent < self._wanted:
            raise OSError("the answer of a service broke off")

    def close(self) -> None:
        """Called by the server when the answer has been read, or nobody wants it any more."""
        self._answer.close()
        self._connection.close()
        then, self._then = self._then, None
        if then is not None:
            then()

    def detach(self) -> tuple[socket.socket, bytes]:
        """The connection of an answer that stays open, and what of it has arrived; nothing else is read from this."""
        self._socket.setblocking(False)
        begun = self._answer.fp.peek() if self._answer.fp is not None else b""
        own = socket.socket(fileno=os.dup(self._socket.fileno()))
        own.setblocking(False)
        self.close()
        return own, begun


def pass_on(environ: dict[str, Any], at: str, path: str, prefix: str, secret: str, limit: int) -> Passed:
    """Ask a service at a base URL for a path. prefix: under which it is known here. limit: bytes of a body.

    Raises Refused.
    """
    body = _body_of(environ, limit)
    method = environ["REQUEST_METHOD"]
    place = urlsplit(at)
    target = place.path + quote(path.encode("latin-1"), safe=IN_A_PATH)
    if query := environ.get("QUERY_STRING", ""):
        target += "?" + quote(query.encode("latin-1"), safe=IN_A_QUERY)
    connection = HTTPConnection(place.hostname or "", place.port, timeout=CONNECT_SECONDS)
    try:
        connection.connect()
        connection.sock.settimeout(READ_SECONDS)
        connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
        for name, value in _headers_of(environ, prefix, secret):
            connection.putheader(name, value)
        connection.putheader("Host", place.netloc)
        connection.putheader("Connection", "close")
        if body or method in ("POST", "PUT", "PATCH"):
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body or None)
        return Passed(connection, _answer_of(connection), method)
    except ValueError as error:  # what no header or address may hold
        connection.close()
        raise Refused("bad-request", "The request cannot be read: its head holds what no request may.") from error
    except (OSError, HTTPException) as error:
        connection.close()
        detail = "The service does not answer. What you sent may or may not have been done."
        raise Refused("unavailable", detail) from error


def _answer_of(connection: HTTPConnection) -> HTTPResponse:
    kept = connection.sock
    answer = connection.getresponse()
    connection.sock = kept  # an answer to its end of the connection has taken it away
    return answer


def _body_of(environ: dict[str, Any], limit: int) -> bytes:
    length = environ.get("CONTENT_LENGTH") or ""
    if length.isdecimal():
        wanted = int(length)
    elif environ.get("wsgi.input_terminated"):
        wanted = limit + 1
    else:
        return b""
    whole: bytes = b"" if wanted > limit + 1 else environ["wsgi.input"].read(wanted)
    if wanted > limit and (length or len(whole) > limit):
        raise Refused("too-large", f"The body is larger than {limit} bytes.")
    if length and len(whole) < wanted:
        raise Refused("incomplete-body", f"{len(whole)} bytes of the body came; Content-Length announced {wanted}.")
    return whole


def _headers_of(environ: dict[str, Any], prefix: str, secret: str) -> Iterator[tuple[str, str]]:
    left = OF_ONE_CONNECTION | SAID_ANEW | OF_THE_PAGES | _names(environ.get("HTTP_CONNECTION", ""))
    for variable, value in environ.items():
        if not variable.startswith("HTTP_"):
            continue
        name = variable.removeprefix("HTTP_").replace("_", "-").lower()
        if name not in left and not name.startswith("x-forwarded-"):
            yield name.title(), value
    if kind := environ.get("CONTENT_TYPE"):
        yield "Content-Type", kind
    yield "X-Forwarded-For", environ.get("REMOTE_ADDR") or "unknown"
    yield "X-Forwarded-Proto", environ["wsgi.url_scheme"]
    yield "X-Forwarded-Host", environ.get("HTTP_HOST") or environ["SERVER_NAME"]
    yield "X-Forwarded-Prefix", environ.get("SCRIPT_NAME", "") + prefix
    yield HEADER, secret


def _names(header: str) -> frozenset[str]:
    """What a header `Connection` names as belonging to one connection."""
    return frozenset(name.strip().lower() for name in header.split(","))
