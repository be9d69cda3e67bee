"""Requests of the generated classes: an operation, the parts of its address, its query and its body."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx
import msgspec

from muster_client.answer import Answer, Meta, etag_of, marked
from muster_client.connection import Connection
from muster_client.errors import UnexpectedAnswer
from muster_client.lines import Lines
from muster_client.sending import BUILDING, checked, segment

LINES = "application/x-ndjson"
PLACE = re.compile(r"\{(\w+)\}")

Made = TypeVar("Made", bound=Answer)
Places = tuple[str | int, ...]


@dataclass(frozen=True)
class Operation:
    """One operation. answer, body: types. sends: content type of a body that is not JSON. query: names of the query
    parameters of a command."""

    name: str
    method: str
    path: str
    answer: Any = None
    body: Any = None
    sends: str = ""
    query: tuple[str, ...] = ()

    def address(self, places: Places) -> str:
        """Return the address with these path parameters."""
        rest = iter(places)
        return PLACE.sub(lambda _: segment(next(rest)), self.path)

    def tournament(self, places: Places) -> str:
        """Return the tournament of the request; empty if it is about none."""
        return str(places[0]) if self.path.startswith("/tournaments/{tournament}") else ""


class Service:
    """Base of one service; the generated class has its methods, its name and the shape of its previews."""

    _service: str
    _preview: Any = None

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _read(
        self, op: Operation, places: Places, query: Mapping[str, Any], kind: type[Made], known: Made | None = None
    ) -> Made:
        """Send a GET; return its answer, or `known` if it has not changed."""
        headers = {"Accept": "application/json"}
        if known is not None:
            headers["If-None-Match"] = etag_of(known)
        answer = self._ask(op, places, query, headers)
        if answer.status_code == 304 and known is not None:
            return known
        made = decoded(self._service, answer, kind)

        def behind(cursor: str) -> Made:
            return self._read(op, places, {**query, "after": cursor, "around": None}, kind)

        marked(made, meta_of(self._service, answer, next_page=behind if "after" in query else None))
        return made

    def _lines(self, op: Operation, places: Places, query: Mapping[str, Any]) -> Lines:
        """Return the lines of a log or a feed."""
        answer = self._ask(op, places, query, {"Accept": LINES})
        made = Lines(line for line in answer.content.split(b"\n") if line)
        made.cursor = answer.headers.get("Muster-Feed-Cursor", "")
        linked = parse_qs(urlsplit(answer.links.get("next", {}).get("url", "")).query)
        made.next = next(iter(linked.get("after", ())), None)
        said = answer.headers.get("Retry-After", "")
        made.pause = float(said) if said.isdigit() else 0.0

        def behind(cursor: str) -> Lines:
            return self._lines(op, places, {**query, "after": cursor})

        made.meta = meta_of(self._service, answer, next_page=behind)
        return made

    def _text(self, op: Operation, places: Places, query: Mapping[str, Any], kind: str) -> str:
        """Return an answer in text of this content type."""
        return self._ask(op, places, query, {"Accept": kind}).text

    def _ask(
        self, op: Operation, places: Places, query: Mapping[str, Any], headers: Mapping[str, str]
    ) -> httpx.Response:
        return self._connection.ask(
            op.method, self._service, op.address(places), tournament=op.tournament(places), query=query, headers=headers
        )

    def _command(self, op: Operation, places: Places, how: dict[str, Any], whole: Any = None) -> Any:
        """Send a command. It takes effect only once, even if it is retried.

        how: the members of the body, and the options of sending. whole: a body that is not an object.
        """
        preview = bool(how.pop("preview", False))
        version, key = how.pop("if_match", None), how.pop("idempotency_key", "") or str(uuid4())
        query = {name: how.pop(name, None) for name in op.query}
        headers = {"Accept": "application/json", "Idempotency-Key": key}
        if version is not None:
            headers["If-Match"] = etag_of(version)
        content = _content(op, how if whole is None else whole, headers)
        if preview:
            query["preview"] = True
        answer = self._connection.ask(
            op.method,
            self._service,
            op.address(places),
            tournament=op.tournament(places),
            query=query,
            headers=headers,
            content=content,
        )
        kind = self._preview if preview else op.answer
        if kind is None:
            return msgspec.json.decode(answer.content) if answer.content else None
        made = decoded(self._service, answer, kind)
        marked(made, meta_of(self._service, answer, key))
        return made


def _content(op: Operation, body: Any, headers: dict[str, str]) -> bytes | None:
    """Return the body of a command; set its content type in `headers`. Raises NotSent, TypeError."""
    if op.sends:
        headers["Content-Type"] = op.sends
        return body.encode() if isinstance(body, str) else bytes(body)
    if op.body is None:
        if body:
            raise TypeError(f"{op.name}() takes no {', '.join(body)}")
        return None
    headers["Content-Type"] = "application/json"
    return checked(body, op.body)


def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    with BUILDING:
        return _built_decoder(kind)


@cache
def _built_decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def decoded(service: str, answer: httpx.Response, kind: type[Made]) -> Made:
    """Return an answer in its shape. Raises UnexpectedAnswer if it has another."""
    try:
        made: Made = _decoder(kind).decode(answer.content)
    except msgspec.MsgspecError as error:
        raise UnexpectedAnswer(service, answer.status_code, str(error)) from error
    return made


def meta_of(service: str, answer: httpx.Response, key: str = "", *, next_page: Any = None) -> Meta:
    """Return the metadata of an answer."""
    get = partial(answer.headers.get, default="")
    return Meta(
        service,
        answer.status_code,
        etag=get("ETag"),
        seen=get("Muster-Seen"),
        replayed=get("Idempotent-Replayed") == "true",
        request_id=get("X-Request-Id"),
        idempotency_key=key,
        next_page=next_page,
    )
