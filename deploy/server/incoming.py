"""What arrives on a connection, until it is a whole request: head and body, as gunicorn's own parsers read them.

Nothing here waits. A thread gets a request only when every byte of it is there.
"""

from __future__ import annotations

import io
import re
from typing import Any

from gunicorn.asgi.parser import ParseError, PythonProtocol  # type: ignore[import-untyped]
from gunicorn.http.body import ChunkedReader  # type: ignore[import-untyped]
from gunicorn.http.errors import NoMoreData, ParseException  # type: ignore[import-untyped]
from gunicorn.http.message import Request  # type: ignore[import-untyped]
from gunicorn.http.unreader import IterUnreader  # type: ignore[import-untyped]

from deploy.server.limits import HEAD_BYTES, Limits
from deploy.server.refusals import RequestRefused, refusal_of

END_OF_HEAD = b"\r\n\r\n"
BARE_LINE_FEED = re.compile(rb"(?<!\r)\n")
REQUEST_LINE = re.compile(rb"[!-~]+ [!-~]+ HTTP/[0-9]\.[0-9]")
CHUNKED_HEAD = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
"""The body of a chunked request is read by a parser of its own, which wants to see a head first."""


class Incoming:
    """Bytes of one connection that no request has taken yet."""

    def __init__(self, cfg: Any, client: Any, limits: Limits) -> None:
        """cfg: gunicorn's configuration. client: the address that the bytes come from."""
        self._cfg = cfg
        self._client = client
        self._limits = limits
        self.buffer = bytearray()
        self._head = b""
        self._scanned = 0
        self._number = 0
        self._request: Any = None
        self._wanted = 0
        self._chunks: _Chunks | None = None

    @property
    def begun(self) -> bool:
        """Whether anything of a next request is there."""
        return bool(self.buffer) or self._request is not None

    @property
    def in_body(self) -> bool:
        """Whether the head of a request is there, and its body is not."""
        return self._request is not None

    @property
    def head(self) -> bytes:
        """The head of the request that is not whole, as far as it is there."""
        return self._head or bytes(self.buffer[:HEAD_BYTES])

    @property
    def held(self) -> int:
        """Bytes kept."""
        return len(self.buffer) + (len(self._chunks.body) if self._chunks else 0)

    def take(self) -> Any:
        """The next request if it is whole, its `body` a file; else None. Raises RequestRefused."""
        try:
            if self._request is None and not self._read_head():
                return None
            return self._read_body()
        except NoMoreData as error:
            raise RequestRefused("bad-request", "The request cannot be read: its head ends too early.") from error
        except (ParseException, ParseError) as error:
            raise refusal_of(error) from error

    def expects_continue(self) -> bool:
        """Whether the client waits to be told that it may send the body; true once."""
        waits = self._request is not None and self._request._expected_100_continue
        if waits:
            self._request._expected_100_continue = False
        return bool(waits) and not self.buffer

    def clear(self) -> None:
        """Forget everything: nothing more is read from this client."""
        self.buffer.clear()
        self._request = self._chunks = None
        self._head = b""

    def cut_short(self) -> RequestRefused:
        """What to say when the client has stopped sending before its request was whole."""
        if self._request is None:
            return RequestRefused("bad-request", "The request cannot be read: its head ends too early.")
        if self._chunks:
            return RequestRefused("incomplete-body", "The chunked body ended before its last chunk.")
        got = len(self.buffer)
        detail = f"{got} bytes of the body came; Content-Length announced {self._wanted}."
        return RequestRefused("incomplete-body", detail, announced=self._wanted, received=got)

    def _read_head(self) -> bool:
        buffer = self.buffer
        end = buffer.find(END_OF_HEAD, max(0, self._scanned - 3))
        if end < 0:
            self._check_beginning()
            return False
        end += len(END_OF_HEAD)
        if end > HEAD_BYTES:
            raise _head_too_large()
        self._head = head = bytes(buffer[:end])
        del buffer[:end]
        self._scanned = 0
        self._number += 1
        request = Request(self._cfg, IterUnreader([head]), self._client, self._number)
        self._wanted, self._chunks = 0, None
        names = {name for name, _ in request.headers}
        if request.version >= (1, 1) and "HOST" not in names:
            raise RequestRefused("bad-request", "The request cannot be read: the header Host is missing.")
        if isinstance(request.body.reader, ChunkedReader):
            coding = next(value for name, value in request.headers if name == "TRANSFER-ENCODING")
            if coding.lower() != "chunked":
                raise RequestRefused("transfer-coding-unknown", f"{coding}: only chunked is read here.")
            self._chunks = _Chunks(self._cfg, self._limits.body_bytes)
        else:
            self._wanted = request.body.reader.length
            if self._wanted > self._limits.body_bytes:
                raise _too_large(self._limits.body_bytes)
        self._request = request
        return True

    def _check_beginning(self) -> None:
        """Refuse at once what cannot become a head any more."""
        buffer, line_limit = self.buffer, self._cfg.limit_request_line
        if BARE_LINE_FEED.search(buffer, max(0, self._scanned - 1)):
            raise RequestRefused("bad-request", "The request cannot be read: a line ends with LF alone.")
        first = buffer.find(b"\r\n", 0 if buffer[:2] != b"\r\n" else 2)
        if (first if first >= 0 else len(buffer)) > line_limit + 2:
            raise RequestRefused("uri-too-long", f"The request line is longer than {line_limit} bytes.")
        if self._scanned <= first and not REQUEST_LINE.fullmatch(buffer[:first].removeprefix(b"\r\n")):
            raise RequestRefused("bad-request", "The request cannot be read: it does not begin with a request line.")
        if len(buffer) > HEAD_BYTES:
            raise _head_too_large()
        self._scanned = len(buffer)

    def _read_body(self) -> Any:
        request = self._request
        if self._chunks is not None:
            body = self._chunks.take(self.buffer)
            if body is None:
                return None
        elif len(self.buffer) < self._wanted:
            return None
        else:
            body = bytes(self.buffer[: self._wanted])
            del self.buffer[: self._wanted]
        request.body = io.BytesIO(body)
        request._expected_100_continue = False
        self._request = self._chunks = None
        self._head = b""
        return request


class _Chunks:
    """A chunked body, decoded as it arrives."""

    def __init__(self, cfg: Any, limit: int) -> None:
        self.body = bytearray()
        self._limit = limit
        self._arrived = 0
        self._parser = PythonProtocol(
            on_body=self.body.extend,
            limit_request_fields=cfg.limit_request_fields,
            limit_request_field_size=cfg.limit_request_field_size,
        )
        self._parser.feed(CHUNKED_HEAD)

    def take(self, buffer: bytearray) -> bytes | None:
        """Take what has arrived; the body when it is whole, and then what follows it stays in the buffer."""
        self._arrived += len(buffer)
        if buffer:
            self._parser.feed(bytes(buffer))
            buffer.clear()
        # Chunks of one byte, or with long extensions, must not buy more work than a body of full size.
        if len(self.body) > self._limit or self._arrived > 2 * self._limit + HEAD_BYTES:
            raise _too_large(self._limit)
        if not self._parser.is_complete:
            return None
        buffer += self._parser.remaining()
        return bytes(self.body)


def _head_too_large() -> RequestRefused:
    return RequestRefused("headers-too-large", f"Request line and headers are larger than {HEAD_BYTES} bytes.")


def _too_large(limit: int) -> RequestRefused:
    return RequestRefused("too-large", f"The body is larger than {limit} bytes.", limit=limit)
