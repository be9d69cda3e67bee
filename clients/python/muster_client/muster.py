"""The client: all of Muster for one caller."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from types import ModuleType
from typing import Any, Literal, Protocol, Self, TypeVar
from uuid import uuid4

import httpx
import msgspec

from muster_client.answer import Meta, marked
from muster_client.asking import Operation, decoded, meta_of
from muster_client.connection import LIMITS, PATIENCE, SERVICES, TIMEOUT, Connection
from muster_client.feed import LONGEST_PAUSE, Feed
from muster_client.generated import common, pairing, registration, scoring
from muster_client.generated.pairing import Pairing
from muster_client.generated.registration import Registration
from muster_client.generated.scoring import Scoring
from muster_client.plain import TOURNAMENT, Plain, json_of
from muster_client.stream import Stream

Item = TypeVar("Item")


class Page(Protocol[Item]):
    """One page of a list."""

    items: list[Item]
    next: str | None

    @property
    def meta(self) -> Meta:
        """The metadata of the answer."""


class Paged(Protocol):
    """Any answer with a next page."""

    next: str | None


PageKind = TypeVar("PageKind", bound=Paged)


class Muster:
    """The three services, with the token of one caller.

    where: one address with the services below /registration, /pairing and /scoring, or the address of each service by
    name. token: token of the caller; empty for a guest. following: refuse answers that are older than what this client
    has already seen of a tournament (`Muster-Seen`). patience: seconds for which a request is retried while a service
    is busy, behind or unreachable. known: services that certainly exist: the client also waits for one that has not
    answered yet. transport: replaces the network, for example in tests.

    Threads may share it. Close it, or use it in a `with` block, to release its connections.
    """

    def __init__(
        self,
        where: str | Mapping[str, str],
        token: str = "",
        *,
        following: bool = True,
        timeout: httpx.Timeout | float = TIMEOUT,
        patience: float = PATIENCE,
        known: Iterable[str] = (),
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        urls = {name: f"{where.rstrip('/')}/{name}" for name in SERVICES} if isinstance(where, str) else where
        http = httpx.Client(timeout=timeout, limits=LIMITS, transport=transport)
        self._use(Connection(urls, http, token, following=following, patience=patience, known=known))

    def _use(self, connection: Connection) -> None:
        self.connection = connection
        self.registration = Registration(connection)
        self.pairing = Pairing(connection)
        self.scoring = Scoring(connection)
        self.plain = Plain(connection)

    @property
    def token(self) -> str:
        """The token of the caller; empty for a guest."""
        return self.connection.token

    def acting_as(self, token: str) -> Self:
        """Return a client for another caller, with the same connections and the same positions seen."""
        connection = copy(self.connection)
        connection.token = token
        return self.through(connection)

    def through(self, connection: Connection) -> Self:
        """Return a client with another connection, such as one that counts requests or caches answers."""
        other = copy(self)
        other._use(connection)
        return other

    def service(self, name: str) -> Registration | Pairing | Scoring:
        """Return a service by name, for operations that several have. Raises KeyError."""
        known: dict[str, Registration | Pairing | Scoring] = {
            "registration": self.registration,
            "pairing": self.pairing,
            "scoring": self.scoring,
        }
        return known[name]

    def close(self) -> None:
        """Close the connections, which clients from `acting_as` share."""
        self.connection.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def pages(self, first: PageKind) -> Iterator[PageKind]:
        """Yield this page and all that follow, requested on demand.

        Store `next` of a page and pass it as `after` to continue later.
        """
        page = first
        while True:
            yield page
            behind = page.meta.next_page  # type: ignore[attr-defined]
            if page.next is None or behind is None:
                return
            page = behind(page.next)

    def each(self, first: Page[Item]) -> Iterator[Item]:
        """Yield every item of a list, from this page on: `muster.each(muster.scoring.list_games(id, limit=500))`."""
        for page in self.pages(first):
            yield from page.items

    def feed(
        self,
        cursor: str = "",
        *,
        types: Iterable[str] = (),
        tournament: str | None = None,
        venue: str | None = None,
        season: str | None = None,
        view: Literal["events", "results"] = "events",
        follow: bool = True,
        limit: int = 100,
    ) -> Feed:
        """Return the events of all services after a cursor; "" is the beginning, "now" the end.

        types: event types to include; empty: all. venue: a venue of `tournament`. See `Feed`.
        """
        return Feed(
            self.scoring,
            cursor,
            types=",".join(types),
            tournament=tournament,
            venue=venue,
            season=season,
            view=view,
            follow=follow,
            limit=limit,
        )

    def stream(
        self,
        cursor: str = "",
        *,
        types: Iterable[str] = (),
        tournament: str | None = None,
        venue: str | None = None,
        season: str | None = None,
        view: Literal["events", "results"] = "events",
        stands: Callable[[bool], None] | None = None,
        longest_pause: float = LONGEST_PAUSE,
    ) -> Stream:
        """Return an endless stream of events as they happen, over one open connection. See `Stream`."""
        return Stream(
            self.connection,
            cursor,
            types=",".join(types),
            tournament=tournament,
            venue=venue,
            season=season,
            view=view,
            stands=stands,
            longest_pause=longest_pause,
        )

    def send(
        self,
        method: str,
        service: str,
        address: str,
        body: Mapping[str, Any] | None = None,
        *,
        idempotency_key: str = "",
    ) -> Any:
        """Send a request by its method and address. address: from the root of the service.

        Return the typed answer of the operation at this address, or plain JSON if the client does not know it.
        """
        op = _operation_at(method, service, address)
        about = TOURNAMENT.match(address)
        key = "" if method == "GET" else idempotency_key or str(uuid4())
        headers = {"Idempotency-Key": key} if key else {}
        content = None if body is None else msgspec.json.encode(body)
        if content is not None:
            headers["Content-Type"] = "application/json"
        answer = self.connection.ask(
            method, service, address, tournament=about[1] if about else "", headers=headers, content=content
        )
        if op is None or op.answer is None:
            return json_of(service, answer)
        made = decoded(service, answer, op.answer)
        marked(made, meta_of(service, answer, key))
        return made


def _operations(*modules: ModuleType) -> list[Operation]:
    return [one for module in modules for one in vars(module).values() if isinstance(one, Operation)]


OPERATIONS = {
    "registration": _operations(common, registration),
    "pairing": _operations(common, pairing),
    "scoring": _operations(common, scoring),
}
"""Service -> its class."""


def _operation_at(method: str, service: str, address: str) -> Operation | None:
    path = address.partition("?")[0]
    for op in OPERATIONS.get(service, ()):
        pattern = re.sub(r"\{\w+\}", "[^/]+", op.path)
        if op.method == method and re.fullmatch(pattern, path):
            return op
    return None
