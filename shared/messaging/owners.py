"""The owners of the logs, over HTTP: what was missed is fetched from who has it.

    GET {base}/tournaments/{id}/log?source=&after=&limit=    one log behind a position
    GET {base}/feed?after=&limit=                            everything of the service behind a feed position

Both answer with CloudEvents, one a line; the feed says in `Muster-Feed-End` where it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import quote

import httpx
import msgspec

from shared.events.recorded import Recorded
from shared.messaging.errors import OwnerUnavailable
from shared.messaging.wire import FEED_END, NotAnEvent, read_line

PAGE = 500
TIMEOUT = httpx.Timeout(10.0, connect=2.0)
"""Seconds."""


class FeedPage(msgspec.Struct, frozen=True):
    """Lines of a feed in order, and the feed position at which the owner's feed ended."""

    lines: list[bytes]
    end: int


class Owners:
    """A client of the services that own the logs copied here; may be used from several threads.

    bases: source -> base URL of its service. headers: made anew for each request (a token, say).
    """

    def __init__(
        self,
        bases: Mapping[str, str],
        headers: Callable[[], Mapping[str, str]] = dict,
        transport: httpx.BaseTransport | None = None,
        timeout: httpx.Timeout = TIMEOUT,
    ) -> None:
        self._bases = bases
        self._headers = headers
        self._client = httpx.Client(timeout=timeout, transport=transport)

    def fetch(self, source: str, tournament: str, after: int) -> list[Recorded]:
        """The next events of one log behind position `after`; empty when there are none.

        Raises OwnerUnavailable.
        """
        path = f"/tournaments/{quote(tournament, safe='')}/log"
        answer = self._get(source, path, {"source": source, "after": after, "limit": PAGE})
        try:
            return [read_line(line)[0] for line in answer.content.splitlines() if line]
        except NotAnEvent as error:
            raise OwnerUnavailable(f"{source}{path} answered with something else than events: {error}") from error

    def feed(self, source: str, after: int, limit: int = PAGE) -> FeedPage:
        """The next lines of the feed of `source` behind feed position `after`. Raises OwnerUnavailable."""
        answer = self._get(source, "/feed", {"after": after, "limit": limit})
        try:
            end = int(answer.headers[FEED_END])
        except (KeyError, ValueError) as error:
            raise OwnerUnavailable(f"{source}/feed answered without {FEED_END}") from error
        return FeedPage([line for line in answer.content.splitlines() if line], end)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _get(self, source: str, path: str, parameters: Mapping[str, str | int]) -> httpx.Response:
        try:
            answer = self._client.get(self._bases[source] + path, params=parameters, headers=dict(self._headers()))
        except httpx.HTTPError as error:
            raise OwnerUnavailable(f"{source}{path}: {type(error).__name__}: {error}") from error
        if answer.status_code != 200:
            raise OwnerUnavailable(f"{source}{path} answered {answer.status_code}")
        return answer
