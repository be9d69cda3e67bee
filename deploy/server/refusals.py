"""What the server itself refuses, before an application is asked: as the same problems that an application answers.

gunicorn's parser says what is wrong with a request by the type of its exception; the table below gives it a name.
"""

from __future__ import annotations

import re
import secrets
from http import HTTPStatus

import orjson
from gunicorn.asgi import parser as chunks  # type: ignore[import-untyped]
from gunicorn.http import errors  # type: ignore[import-untyped]
from gunicorn.util import http_date  # type: ignore[import-untyped]

from shared.refusals import Refusal
from shared.web.kinds import EDGE, Kind, problem_members


class RequestRefused(Refusal):
    """A request that is answered by the server; `code` is one of `shared.web.kinds.EDGE`."""

    def __init__(self, code: str, detail: str, **data: object) -> None:
        super().__init__(detail, (), **data)
        self.code = code


CODES: tuple[tuple[type[Exception], str], ...] = (
    (errors.LimitRequestLine, "uri-too-long"),
    (errors.LimitRequestHeaders, "headers-too-large"),
    (chunks.LimitRequestHeaders, "headers-too-large"),
    (errors.ExpectationFailed, "expectation-failed"),
    (errors.UnsupportedTransferCoding, "transfer-coding-unknown"),
)
"""Of what gunicorn's parsers raise; all else is `bad-request`."""

REQUEST_ID = re.compile(rb"^x-request-id:[ \t]*([A-Za-z0-9._-]{1,64})[ \t]*\r$", re.IGNORECASE | re.MULTILINE)
HEADERS = (
    "Content-Type: application/problem+json\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\nReferrer-Policy: no-referrer\r\n"
)


def refusal_of(error: Exception) -> RequestRefused:
    """What gunicorn's parser found, as a refusal of ours."""
    code = next((code for kind, code in CODES if isinstance(error, kind)), "bad-request")
    return RequestRefused(code, "The request cannot be read: " + (str(error) or type(error).__name__) + ".")


def answer_of(refusal: RequestRefused, head: bytes) -> bytes:
    """The whole answer, after which the connection closes. head: what has arrived, for its X-Request-Id and method."""
    kind = Kind(*EDGE[refusal.code])
    given = REQUEST_ID.search(head)
    request_id = given[1].decode() if given else secrets.token_hex(8)
    members = problem_members(refusal.code, kind, printable(refusal.detail), request_id)
    if refusal.data:
        members["data"] = refusal.data
    body = orjson.dumps(members)
    retry = f"Retry-After: {refusal.data['retry_after']}\r\n" if "retry_after" in refusal.data else ""
    lines = (
        f"HTTP/1.1 {kind.status} {HTTPStatus(kind.status).phrase}\r\nDate: {http_date()}\r\nConnection: close\r\n"
        f"X-Request-Id: {request_id}\r\nContent-Length: {len(body)}\r\n{retry}{HEADERS}\r\n"
    )
    return lines.encode() + (b"" if head.startswith(b"HEAD ") else body)


def printable(text: str) -> str:
    """A text without what could break a terminal or a log."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
