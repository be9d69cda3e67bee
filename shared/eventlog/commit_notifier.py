"""Wake whoever waits for committed events, without polling.

Each engine has a bell of its own. A ring that is missed costs a second, never an event: whoever waits looks again by
itself.
"""

from __future__ import annotations

import time
from types import TracebackType

from shared.eventlog.database import Database
from shared.logs import get_logger

_log = get_logger("muster.log")


class CommitNotifier:
    """The bell of one database. Any number of processes may ring; one waits (of two, either may hear a ring).

    ring: says that something was committed; nothing happens where nobody waits.
    """

    def __init__(self, database: Database) -> None:
        self._bell = database.bell()
        self.ring = self._bell.ring
        self._told = False

    def listen(self) -> None:
        """Hear every ring from now on; call it before looking at what is there, so that none is missed between.

        Where that is not possible (a file system without pipes, a database that restarts) waiting goes by the clock.
        """
        self._open()

    def wait(self, seconds: float) -> bool:
        """Wait for a ring, `seconds` at most; True when it rang. A lost connection counts as silence."""
        end = time.monotonic() + seconds
        try:
            if self._open():
                return self._bell.wait(seconds)
        except self._bell.failures as error:
            self._fall_silent(error)
        time.sleep(max(0.0, end - time.monotonic()))
        return False

    def close(self) -> None:
        """Stop listening."""
        self._bell.close()

    def __enter__(self) -> CommitNotifier:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _open(self) -> bool:
        try:
            if self._bell.open():
                self._told = False
                return True
        except self._bell.failures as error:
            self._fall_silent(error)
        return False

    def _fall_silent(self, error: Exception) -> None:
        self.close()
        if not self._told:
            self._told = True
            _log.warning("the commit notifier is silent, looking by the clock instead", error=str(error))
