"""What messages and feeds brought, noted beside the copies: feed positions, and how far they are without a hole.

The cursor of a source is moved by catch-up, from what the owner said. What messages brought counts only for events
that were new: an event that comes again, under whatever feed position, proves nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence

from shared.eventlog.copied_feed import note_places
from shared.eventlog.cursors import cursor_and_heard, hear
from shared.eventlog.database import Connection, Database
from shared.eventlog.replicate import Outcome, Verdict, accept_all
from shared.messaging.inbound_messages import InboundMessage, event_of

AHEAD = 100_000
"""Feed positions remembered beyond a hole; when it stays open for longer, catch-up has to read them anyway."""


class FeedPlaces:
    """Copies runs of arrivals into a database, and notes which feed positions they brought."""

    def __init__(self, database: Database, sources: Collection[str]) -> None:
        self._database = database
        self._ahead: dict[str, set[int]] = {source: set() for source in sources}
        self._lock = threading.Lock()

    def accept(self, runs: Sequence[Sequence[InboundMessage]]) -> list[Verdict]:
        """Copies and what was heard in one transaction; what is remembered changes only when it has committed.

        Returns a verdict a run, as `accept_all`.
        """
        ahead: dict[str, set[int]] = {}

        def also(connection: Connection, verdicts: Sequence[Verdict], new: Sequence[int]) -> None:
            for run, verdict, number in zip(runs, verdicts, new, strict=True):
                if verdict in (Outcome.ACCEPTED, Outcome.DUPLICATE):
                    note_places(connection, event_of(run[0]).source, _places(run))
                if number:
                    source = event_of(run[0]).source
                    places = ahead.setdefault(source, set(self._ahead[source]))
                    places.update(message.feed for message in run[-number:] if message.feed is not None)
            for source, places in ahead.items():
                ahead[source] = _note(connection, source, places)

        with self._lock:
            verdicts = accept_all(self._database, [[event_of(message) for message in run] for run in runs], also)
            self._ahead.update(ahead)
        return verdicts

    def forget(self, source: str) -> None:
        """Forget the feed positions that messages claimed ahead of what is copied."""
        with self._lock:
            self._ahead[source] = set()


def _places(run: Sequence[InboundMessage]) -> Iterator[tuple[int, str, int]]:
    for message in run:
        if message.feed is not None:
            event = event_of(message)
            yield message.feed, event.tournament, event.position


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
