"""The games of `view=results`, made by folding the feed: each tournament once, however many pages are read of it.

The state of a tournament is that of the feed: all that has a place there before an event. So what follows from two logs
is told where the second of them gets its place, and the last line about a game agrees with the standings.

Lines are kept, and so are the states behind the last ones. A page of events that were told before costs no folding; one
that goes on where an earlier one ended costs the events between.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque

import msgspec

from services.scoring.feed.places import Place, mended_for
from services.scoring.feed.views import ResultLine, result_line, results_of
from shared.log.database import Connection
from shared.log.event import Recorded
from shared.tournament.state import Tournament

STATES = 20
"""States that are kept. A tournament may have several: readers are at different places of it."""
KEPT_BYTES = 16 * 1024 * 1024
"""Bytes of lines that are kept."""
TOGETHER = 500
"""Events of a tournament that are read at once."""

Lines = tuple[ResultLine, ...]


class _Walk(msgspec.Struct):
    """A tournament as it was at a place of the feed. ahead: the events behind it that are read already."""

    tournament: str
    state: Tournament
    feed: int = 0
    ahead: deque[tuple[int, Recorded]] = msgspec.field(default_factory=deque)

    def next(self, connection: Connection) -> tuple[int, Recorded]:
        if not self.ahead:
            columns = Recorded.__struct_fields__
            rows = connection.placed(
                "public_feed", "", columns, after=self.feed, limit=TOGETHER, tournament=self.tournament
            )
            self.ahead.extend((feed, Recorded(*columns)) for feed, *columns in rows)
        return self.ahead.popleft()


class Results:
    """Makes the lines of results, for any number of threads."""

    def __init__(self) -> None:
        self._walks: list[_Walk] = []
        self._lines: OrderedDict[str, Lines] = OrderedDict()
        self._bytes = 0
        self._recopy = 0
        self._lock = threading.Lock()

    def at(self, connection: Connection, place: Place, event: Recorded) -> Lines:
        """Return the lines of the event at a place of the feed; none if it changed no game."""
        with self._lock:
            if place.mark in self._lines:
                self._lines.move_to_end(place.mark)
                return self._lines[place.mark]
            self._forget_if_recopied(connection)
            walk = self._walk_to(event.tournament, place.feed)
            found: Lines = ()
            while walk.feed < place.feed:
                feed, told = walk.next(connection)
                results = results_of(walk.state, told)
                walk.feed = feed
                if feed == place.feed:
                    found = tuple(result_line(told, result) for result in results)
            self._walks.append(walk)
            del self._walks[:-STATES]
            self._keep(place.mark, found)
            return found

    def _walk_to(self, tournament: str, feed: int) -> _Walk:
        """Take out the state that is nearest before a place; a walk that fails on its way is not put back."""
        before = [walk for walk in self._walks if walk.tournament == tournament and walk.feed < feed]
        if not before:
            return _Walk(tournament, Tournament())
        nearest = max(before, key=lambda walk: walk.feed)
        self._walks = [walk for walk in self._walks if walk is not nearest]
        return nearest

    def _keep(self, mark: str, lines: Lines) -> None:
        self._lines[mark] = lines
        self._bytes += _size(lines)
        while self._bytes > KEPT_BYTES and len(self._lines) > 1:
            _, oldest = self._lines.popitem(last=False)
            self._bytes -= _size(oldest)

    def _forget_if_recopied(self, connection: Connection) -> None:
        """Drop the states of a feed whose places were taken back. Marks of lines name their own feed."""
        recopy = mended_for(connection)
        if recopy != self._recopy:
            self._recopy, self._walks = recopy, []


def _size(lines: Lines) -> int:
    return sum(len(line.json) for line in lines) + 200
