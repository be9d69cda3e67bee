"""What messages brought, noted beside the copies: feed positions without a hole.

The cursor of a source is moved by the sweep, from what the owner said. What messages brought counts only for events
that were new: an event that comes again, under whatever feed position, proves nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence

from sqlalchemy import Connection

from shared.log.cursors import cursor_and_heard, hear
from shared.log.database import Database
from shared.log.replicate import Verdict, accept_all
from shared.messaging.arrivals import Arrival, event_of

AHEAD = 100_000
"""Feed positions remembered beyond a hole; when it stays open for longer, the sweep has to read them anyway."""


class Heard:
    """Copies runs of arrivals into a database, and notes which feed positions they brought."""

    def __init__(self, database: Database, sources: Collection[str]) -> None:
        self._database = database
        self._ahead: dict[str, set[int]] = {source: set() for source in sources}
        self._lock = threading.Lock()

    def accept(self, runs: Sequence[Sequence[Arrival]]) -> list[Verdict]:
        """Copies and what was heard in one transaction; what is remembered changes only when it has committed.

        Returns a verdict a run, as `accept_all`.
        """
        ahead: dict[str, set[int]] = {}

        def also(connection: Connection, verdicts: Sequence[Verdict], new: Sequence[int]) -> None:
            for run, number in zip(runs, new, strict=True):
                if number:
                    source = event_of(run[0]).source
                    places = ahead.setdefault(source, set(self._ahead[source]))
                    places.update(arrival.feed for arrival in run[-number:] if arrival.feed is not None)
            for source, places in ahead.items():
                ahead[source] = _note(connection, source, places)

        with self._lock:
            verdicts = accept_all(self._database, [[event_of(arrival) for arrival in run] for run in runs], also)
            self._ahead.update(ahead)
        return verdicts

    def forget(self, source: str) -> None:
        """Forget the feed positions that messages claimed ahead of what is copied."""
        with self._lock:
            self._ahead[source] = set()


def _note(connection: Connection, source: str, places: set[int]) -> set[int]:
    """Note the feed positions that follow what was heard without a hole; returns those beyond the next hole."""
    _, start = cursor_and_heard(connection, source)
    heard = start
    while heard + 1 in places:
        heard += 1
    if heard > start:
        hear(connection, source, heard)
    beyond = {place for place in places if place > heard}
    return beyond if len(beyond) <= AHEAD else set()
