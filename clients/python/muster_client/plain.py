"""The same services by address, as plain JSON: for programs that hand on what they are given.

Keys, `Muster-Seen`, patience and problems are as everywhere else; shapes are the caller's to know.
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
"""How often a list is read anew whose order changes while it is read page by page."""
TOURNAMENT = re.compile(r"/tournaments/([^/?]+)")


class Plain:
    """What the services answer, as JSON. service: its name; address: from its root, `/tournaments/spring-cup`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, service: str, address: str, **query: Any) -> Any:
        """What a GET answers. Raises Problem, Unreachable, UnexpectedAnswer."""
        return json_of(service, self._ask("GET", service, address, query))

    def items(self, service: str, address: str, **query: Any) -> Iterator[dict[str, Any]]:
        """Every item of a list, page after page."""
        while True:
            page = self.get(service, address, limit=LARGEST_PAGE, **query)
            yield from page["items"]
            if page["next"] is None:
                return
            query["after"] = page["next"]

    def whole(self, service: str, address: str, rows: str = "items", **query: Any) -> dict[str, Any]:
        """A list whose order may change, such as standings, page after page, as one answer.

        rows: the member that holds them; `draws` of the pages are put together, too. If somebody passes somebody
        else meanwhile it is begun again, and at last asked for in one piece.
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
        """What a GET answers, line by line."""
        return [line for line in self._ask("GET", service, address, query).content.split(b"\n") if line]

    def post(self, service: str, address: str, body: Any = None, *, content_type: str = "", **query: Any) -> Any:
        """Send a command by POST; as `command`."""
        return self.command("POST", service, address, body, content_type=content_type, **query)

    def command(
        self, method: str, service: str, address: str, body: Any = None, *, content_type: str = "", **query: Any
    ) -> Any:
        """Send a command once, however often it is repeated. body: JSON, or bytes as they are of this type."""
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
    """The address of a tournament, or of something in it."""
    return f"/tournaments/{segment(tournament)}{rest}"


def json_of(service: str, answer: httpx.Response) -> Any:
    """An answer as JSON. Raises UnexpectedAnswer."""
    try:
        return msgspec.json.decode(answer.content)
    except msgspec.MsgspecError as error:
        raise UnexpectedAnswer(service, answer.status_code, str(error)) from error
