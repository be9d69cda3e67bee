"""Whether the copies of a source hold as many events as its cursor says, and no more than its owner has.

Each event of an owner has one feed position, so counting is enough. Fewer copies than the cursor has passed: something
was passed that is not here, and the feed is read from its beginning again. What is still short after that was refused,
and is in quarantine; only when more becomes short is the feed read once more, with growing pauses, for it may be long.
More copies than the owner's feed has: the owner's database was put back to an earlier time, or somebody else's events
were copied. That heals only by a new copy or a restore, and is said until it does.
"""

from __future__ import annotations

import time

from shared.eventlog import cursors
from shared.eventlog.database import Database
from shared.messaging.backoff import Backoff
from shared.messaging.log_ration import RationedLogger

FIRST_SECONDS, LONGEST_SECONDS = 60.0, 3600.0
"""Between two readings of a whole feed."""

_log = RationedLogger("muster.messaging")


class Comparison:
    """Compares the copies of one source; `trouble` is what it last found, empty when all is well."""

    def __init__(self, source: str, database: Database) -> None:
        self.source = source
        self.trouble = ""
        self._database = database
        self._held = 0
        self._refused = 0
        self._reading = False
        self._due = 0.0
        self._patience = Backoff(FIRST_SECONDS, LONGEST_SECONDS)

    def begin(self) -> None:
        """Count what is held, before the owner is asked where its feed ends."""
        with self._database.reading() as connection:
            self._held = cursors.copied(connection, self.source)
            # From the beginning it is read as it is: nothing would come of reading it twice.
            self._reading = self._reading or cursors.cursor_and_heard(connection, self.source)[1] == 0

    def finish(self, end: int) -> bool:
        """Compare, after the feed was read as far as it goes. end: of the owner's feed.

        Returns True when the feed has to be read from its beginning, and the cursor was taken back for it.
        """
        with self._database.reading() as connection:
            cursor = cursors.cursor_of(connection, self.source)
            held = cursors.copied(connection, self.source)
        self.trouble = ""
        if self._held > end:
            self.trouble = (
                f"{self._held} of its events are copied here, its feed ends at {end}: was its database put back to an "
                "earlier time?"
            )
        missing = max(0, cursor - held)
        if self._reading or missing <= self._refused:
            self._refused, self._reading = missing, False
            if not missing:
                self._patience.reset()
            return False
        return self._read_again(cursor, f"{missing} events that its cursor has passed are not copied")

    def owner_went_back(self, cursor: int, end: int) -> None:
        """The owner's feed ends before what was read of it: what it holds now is read, as far as that may differ."""
        said = f"its feed ends at {end}, {cursor} was read before: was its database put back to an earlier time?"
        self.trouble = said
        if not self._read_again(cursor, said):
            with self._database.writing() as connection:
                cursors.take_back_cursor(connection, self.source, end)

    def _read_again(self, cursor: int, why: str) -> bool:
        """Take the cursor back to the beginning, unless that was done a moment ago."""
        if time.monotonic() < self._due:
            self.trouble = self.trouble or why
            return False
        _log.error("a feed is read from its beginning", source=self.source, cursor=cursor, why=why)
        self._due = time.monotonic() + self._patience.more()
        self._reading = True
        with self._database.writing() as connection:
            cursors.take_back_cursor(connection, self.source)
        return True
