"""The scrub: verifies the events that lie in a database, a few at each turn, log after log.

Events are verified when they arrive and when they are folded. A state in memory or in a snapshot is not folded again,
so only the scrub sees a bit that turns in an event behind it.
"""

from __future__ import annotations

import time

from shared.eventlog.database import Connection, Database
from shared.eventlog.quarantine import DAMAGED, close_cases, put_unfoldable
from shared.eventlog.read import head_of, log_page
from shared.eventlog.recopy import last_recopy
from shared.eventlog.verify import Broken, ends_elsewhere, verify
from shared.events.recorded import EMPTY, Head
from shared.logs import get_logger

EVENTS_A_TURN = 200
"""Events that one turn reads at most; a log counts as one event at least."""
ROUND_SECONDS = 3600.0
"""Pause between the end of a round over all logs and the next round."""

_log = get_logger("muster.handling")


class Scrub:
    """One round after another over every log that a database holds. Resumes each turn where the last one stopped."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._due = 0.0
        self._logs: list[tuple[str, str, Head]] = []
        self._verified = EMPTY
        self._recopied = 0

    def turn(self, events: int = EVENTS_A_TURN) -> list[Broken]:
        """Verify at most so many events; return the first fault of each log that turned out to be damaged.

        A fault is noted in quarantine, and a log that holds closes its case.
        """
        if not self._logs:
            if time.monotonic() < self._due:
                return []
            self._begin_round()
        found = []
        while self._logs and events > 0:
            read, broken = self._verify_page(events)
            events -= max(1, read)
            if broken is not None:
                found.append(broken)
        if not self._logs:
            self._due = time.monotonic() + ROUND_SECONDS
        return found

    def whole_round(self) -> list[Broken]:
        """Verify every log from its first event on."""
        self._begin_round()
        found = []
        while self._logs:
            found += self.turn()
        return found

    def _begin_round(self) -> None:
        with self._database.reading() as connection:
            rows = connection.rows("SELECT source, tournament FROM heads ORDER BY tournament DESC, source DESC")
            self._logs = [(source, tournament, EMPTY) for source, tournament in rows]
            self._begin_log(connection)

    def _begin_log(self, connection: Connection) -> None:
        self._verified = EMPTY
        if self._logs:
            source, tournament, _ = self._logs[-1]
            self._recopied = last_recopy(connection, tournament)
            self._logs[-1] = (source, tournament, head_of(connection, source, tournament))

    def _verify_page(self, events: int) -> tuple[int, Broken | None]:
        """Verify the next events of the log at hand; return how many, and what is wrong."""
        source, tournament, head = self._logs[-1]
        broken = None
        with self._database.reading() as connection:
            left = head.position - self._verified.position
            page = log_page(connection, source, tournament, self._verified.position, min(events, max(0, left)))
            try:
                self._verified = verify(page, self._verified)
                if not page and self._verified != head:
                    raise ends_elsewhere(source, tournament, self._verified, head)
            except Broken as error:
                if last_recopy(connection, tournament) != self._recopied:
                    self._begin_log(connection)  # the copy was made anew meanwhile: verify that one
                    return len(page), None
                broken = error
        if broken is not None:
            self._note(source, tournament, broken)
        elif self._verified == head:
            self._close(source, tournament)
        if broken is not None or self._verified == head:
            self._logs.pop()
            with self._database.reading() as connection:
                self._begin_log(connection)
        return len(page), broken

    def _note(self, source: str, tournament: str, broken: Broken) -> None:
        if put_unfoldable(self._database, source, tournament, broken.event.position, broken.reason, DAMAGED):
            _log.error("an event is damaged", source=source, tournament=tournament, reason=str(broken))

    def _close(self, source: str, tournament: str) -> None:
        with self._database.reading() as connection:
            noted = connection.value(
                "SELECT count(*) FROM quarantine WHERE source = :source AND tournament = :id AND origin = :origin",
                source=source,
                id=tournament,
                origin=DAMAGED,
            )
        if noted:
            with self._database.writing() as connection:
                close_cases(connection, source, tournament, [DAMAGED])
