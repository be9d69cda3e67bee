"""The services by address, in plain JSON: for programs that pass data on.

Keys, `Muster-Seen`, patience and problems work as in the typed client; bodies are not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

import httpx
import msgspec

from muster_client.connection import Connection
from muster_client.errors import Problem, UnexpectedAnswer
from muster_client.sending import segment

LARGEST_PAGE = 500
BEGUN_AGAIN = 3
"""How often a list is read again if its order changes while it is read page by page."""
TOURNAMENT = re.compile(r"/tournaments/([^/?]+)")


class Plain:
    """Requests with JSON answers. service: its name; address: from its root, `/tournaments/spring-cup`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, service: str, address: str, **query: Any) -> Any:
        """Return the answer of a GET. Raises Problem, Unreachable, UnexpectedAnswer."""
        return json_of(service, self._ask("GET", service, address, query))

    def items(self, service: str, address: str, **query: Any) -> Iterator[dict[str, Any]]:
        """Yield every item of a list, page by page."""
        while True:
            page = self.get(service, address, limit=LARGEST_PAGE, **query)
            yield from page["items"]
            if page["next"] is None:
                return
            query["after"] = page["next"]

    def whole(self, service: str, address: str, rows: str = "items", **query: Any) -> dict[str, Any]:
        """Return a list whose order may change, such as standings, from all its pages.

        rows: the member that holds the list; `draws` of the pages are joined, too. If the order changes meanwhile,
        reading starts again; after BEGUN_AGAIN attempts the list is requested as one page.
        """
        for _ in range(BEGUN_AGAIN):
            try:
                return self._joined(service, address, rows, query)
            except Problem as problem:
                if not (problem.code == "invalid-cursor" and problem.data.get("outdated")):
                    raise
        found: dict[str, Any] = self.get(service, address, **query)
        return found

    def _joined(self, service: str, address: str, rows: str, query: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = self.get(service, address, limit=LARGEST_PAGE, **query)
        while found["next"] is not None:
            page = self.get(service, address, limit=LARGEST_PAGE, after=found["next"], **query)
            found[rows] += page[rows]
            draws = found.get("draws", [])
            draws += [draw for draw in page.get("draws", []) if draw not in draws]
            found["next"] = page["next"]
        return found

    def lines(self, service: str, address: str, **query: Any) -> list[bytes]:
        """Yield the answer of a GET line by line."""
        return [line for line in self._ask("GET", service, address, query).content.split(b"\n") if line]

    def post(self, service: str, address: str, body: Any = None, *, content_type: str = "", **query: Any) -> Any:
        """Send a command by POST; as `command`."""
        return self.command("POST", service, address, body, content_type=content_type, **query)

    def command(
        self, method: str, service: str, address: str, body: Any = None, *, content_type: str = "", **query: Any
    ) -> Any:
        """Send a command. It takes effect only once, even if it is retried.

        body: a JSON value, or bytes of the given content type.
        """
        headers = {"Idempotency-Key": str(uuid4())}
        content = body if body is None or isinstance(body, bytes) else msgspec.json.encode(body)
        if content is not None:
            headers["Content-Type"] = content_type or "application/json"
        return json_of(service, self._ask(method, service, address, query, headers=headers, content=content))

    def _ask(self, method: str, service: str, address: str, query: dict[str, Any], **more: Any) -> httpx.Response:
        about = TOURNAMENT.match(address)
        tournament = about[1] if about else ""
        return self._connection.ask(method, service, address, tournament=tournament, query=query, **more)


def path_of(tournament: str, rest: str = "") -> str:
    """Return the address of a tournament, or of something in it."""
    return f"/tournaments/{segment(tournament)}{rest}"


def json_of(service: str, answer: httpx.Response) -> Any:
    """Return an answer as JSON. Raises UnexpectedAnswer."""
    try:
        return msgspec.json.decode(answer.content)
    except msgspec.MsgspecError as error:
        raise UnexpectedAnswer(service, answer.status_code, str(error)) from error
