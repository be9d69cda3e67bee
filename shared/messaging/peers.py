"""What peers hold of this service's own log, asked for over HTTP.

    GET {base}/copies?source=                          how many events, and the last of them in the feed
    GET {base}/copies/heads?source=&after=&limit=      where each log ends, tournament by tournament
    GET {base}/copies/feed?source=&after=&limit=       where events stand in the feed
    GET {base}/tournaments/{id}/log?source=&after=     the events

Here the roles are turned around: the peer has copies, and the owner asks. Nothing of it is signed, for only the owner
signs its log; so events are believed as far as they follow, hash by hash, and as far as the peers agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeVar
from urllib.parse import quote

import msgspec

from shared.eventlog.copied_feed import Place
from shared.events.recorded import GENESIS, Head, Recorded
from shared.messaging.errors import OwnerWrong
from shared.messaging.inbound_messages import printable
from shared.messaging.upstream_feed import PAGE, UpstreamFeed
from shared.messaging.wire import NotAnEvent, read_vouched

PLACES = 2000
"""Heads or places of one page."""

Body = TypeVar("Body", bound=msgspec.Struct)


class Held(msgspec.Struct, frozen=True):
    """What a peer holds of a source. events: how many. last: the one furthest in the source's feed."""

    events: int
    last: Place | None = None


class LogHeld(msgspec.Struct, frozen=True):
    """Where the copy of one log ends."""

    tournament: str
    position: int
    hash: str = GENESIS

    @property
    def head(self) -> Head:
        return Head(self.position, self.hash)


class Peers:
    """Asks the peers of one source. Every method raises OwnerUnavailable, as OwnerWrong for what cannot be."""

    def __init__(self, source: str, upstream: UpstreamFeed) -> None:
        self.source = source
        self._upstream = upstream

    def held(self, peer: str) -> Held:
        """How much a peer holds."""
        found = self._read(peer, "/copies", Held, {"source": self.source})
        if len(found) != 1:
            raise OwnerWrong(f"{peer}/copies answered with {len(found)} lines instead of one")
        return found[0]

    def heads(self, peer: str) -> dict[str, Head]:
        """Tournament -> where the peer's copy of the log ends."""
        found: dict[str, Head] = {}
        after = ""
        while page := self._read(
            peer, "/copies/heads", LogHeld, {"source": self.source, "after": after, "limit": PLACES}
        ):
            if page[0].tournament <= after:
                raise OwnerWrong(f"{peer}/copies/heads does not go on after {printable(after)}")
            found |= {log.tournament: log.head for log in page}
            after = page[-1].tournament
        return found

    def places(self, peer: str, after: int, limit: int = PLACES) -> list[Place]:
        """The next events behind a feed position that the peer holds, in the order of the feed."""
        page = self._read(peer, "/copies/feed", Place, {"source": self.source, "after": after, "limit": limit})
        positions = [after, *(place.feed for place in page)]
        if any(one >= other for one, other in pairwise(positions)):
            raise OwnerWrong(f"{peer}/copies/feed does not go on after {after}")
        return page

    def all_places(self, peer: str, after: int) -> Iterator[Place]:
        """All events behind a feed position that the peer holds."""
        while page := self.places(peer, after):
            yield from page
            after = page[-1].feed

    def events(self, peer: str, tournament: str, after: int) -> list[Recorded]:
        """The next events of one log behind a position, as the peer holds them; empty at the end of its copy."""
        path = f"/tournaments/{quote(tournament, safe='')}/log"
        lines, _ = self._upstream.lines(peer, path, {"source": self.source, "after": after, "limit": PAGE})
        try:
            return [read_vouched(line).event for line in lines]
        except NotAnEvent as error:
            raise OwnerWrong(
                f"{peer}{path} answered with something else than events: {printable(str(error))}"
            ) from error

    def _read(self, peer: str, path: str, kind: type[Body], query: dict[str, str | int]) -> list[Body]:
        lines, _ = self._upstream.lines(peer, path, query)
        try:
            return [msgspec.json.decode(line, type=kind) for line in lines]
        except msgspec.MsgspecError as error:
            raise OwnerWrong(f"{peer}{path} answered with something else: {printable(str(error))}") from error
