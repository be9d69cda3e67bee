"""The feed as an iterator: it waits for events, and resumes from its cursor after a failure."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from muster_client.errors import Problem, Unreachable
from muster_client.generated.scoring import Scoring
from muster_client.lines import Event

WAIT = 25
"""Seconds for which the service waits for new events before it answers with none."""
PAUSE, LONGEST_PAUSE = 1.0, 30.0
"""Seconds before the next attempt after a service was unreachable for the patience of the client."""
AWAY = (429, 500, 502, 503, 504)


@dataclass(frozen=True)
class Batch:
    """Events and the cursor after them: store your results and the cursor in one transaction."""

    events: list[Event]
    cursor: str


class Feed:
    """The events of all three services from a cursor on.

    Iterating yields events one by one; `batches` yields the events of each answer. `cursor` is the place after the last
    yielded event: a new feed with this cursor continues there. With `follow` it never ends: it waits for new events,
    and retries while the service is away. Without, it ends when there are no new events.
    Raises Problem if a retry would not help: the cursor is unknown, the token has expired.
    """

    def __init__(
        self,
        scoring: Scoring,
        cursor: str = "",
        *,
        types: str = "",
        tournament: str | None = None,
        venue: str | None = None,
        season: str | None = None,
        view: Literal["events", "results"] = "events",
        follow: bool = True,
        limit: int = 100,
        wait: int = WAIT,
    ) -> None:
        self.cursor = cursor
        self._scoring = scoring
        self._follow = follow
        self._wait = wait
        self._limit = limit
        self._types, self._view = types, view
        self._tournament, self._venue, self._season = tournament, venue, season

    def __iter__(self) -> Iterator[Event]:
        for batch in self._read():
            for event in batch.events:
                self.cursor = event.feedcursor
                yield event
            self.cursor = batch.cursor

    def batches(self) -> Iterator[Batch]:
        """Yield the events of each answer with the cursor after them, also empty ones that move the cursor."""
        for batch in self._read():
            self.cursor = batch.cursor
            yield batch

    def _read(self) -> Iterator[Batch]:
        pause = PAUSE
        while True:
            try:
                lines = self._scoring.public_feed(
                    after=self.cursor or None,
                    limit=self._limit,
                    wait=self._wait if self._follow else None,
                    types=self._types or None,
                    tournament=self._tournament,
                    venue=self._venue,
                    season=self._season,
                    view=self._view,
                )
            except (Unreachable, Problem) as error:
                if not self._follow or (isinstance(error, Problem) and error.status not in AWAY):
                    raise
                time.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
                continue
            pause = PAUSE
            if lines or lines.cursor != self.cursor:
                yield Batch(lines.events(), lines.cursor)
            if not self._follow and lines.next is None:
                return
            time.sleep(lines.pause)
