"""The sweep: ask every owner, every second or two, whether its feed goes further than what is copied here.

One request a source, which usually answers with nothing. It finds the message that never came, and the last one of
a log most of all, whose loss no gap would show. It works without a broker, and with the owner's relay dead.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import msgspec
import structlog

from shared import metrics
from shared.log import cursors, quarantine
from shared.messaging.arrivals import Arrival, Fate
from shared.messaging.errors import OwnerUnavailable
from shared.messaging.intake import Intake
from shared.messaging.owners import PAGE, Owners
from shared.messaging.patience import DATABASE_AWAY, Patience

NOTED_SECONDS = 10.0
"""An unchanged look at an owner is written down so often, so that an idle laptop's disk may sleep."""
COMPARED_SECONDS = 60.0
"""How often copies are counted and refused events asked for again, beside every start and reconnect."""

_log = structlog.get_logger("muster.messaging")


class Lag(msgspec.Struct, frozen=True):
    """How far one copy is behind its owner. behind: events, when last asked; checked: seconds since then, or None."""

    behind: int
    checked: float | None
    error: str = ""


class Sweep:
    """Keeps the copies of one service complete. every: seconds between two looks at each owner.

    also: done after every look, with what was copied; it must not take long.
    """

    name = "sweep"

    def __init__(
        self, intake: Intake, owners: Owners, *, every: float = 2.0, also: Callable[[], None] | None = None
    ) -> None:
        self.beat = time.monotonic()
        self._database = intake.database
        self._intake = intake
        self._owners = owners
        self._every = every
        self._also = also
        self._wake = threading.Event()
        self._compare = threading.Event()
        self._lag = {source: Lag(0, None, "not asked yet") for source in sorted(intake.sources)}
        self._asked: dict[str, float] = {}
        self._noted: dict[str, tuple[int, float]] = {}
        self._compared = 0.0

    def run(self, stop: threading.Event) -> None:
        """Sweep until `stop` is set: at once, every so often, and whenever `request` is called."""
        patience = Patience()
        self._compare.set()
        while not stop.is_set():
            self.beat = time.monotonic()
            self._wake.clear()
            try:
                self.once()
                patience.reset()
                self._sleep(stop, self._every)
            except DATABASE_AWAY as error:
                seconds = patience.more()
                _log.warning("sweep waits for the database", seconds=seconds, error=str(error))
                stop.wait(seconds)

    def request(self) -> None:
        """Sweep now, and compare what is copied with the cursors: after a reconnect, or whenever in doubt."""
        self._compare.set()
        self._wake.set()

    def lag(self) -> dict[str, Lag]:
        """Source -> how far its copy is behind."""
        now = time.monotonic()
        return {
            source: msgspec.structs.replace(lag, checked=now - self._asked[source] if source in self._asked else None)
            for source, lag in self._lag.items()
        }

    def once(self) -> None:
        """Ask every owner once, and copy what is behind."""
        compare = self._compare.is_set() or time.monotonic() - self._compared > COMPARED_SECONDS
        self._compare.clear()
        for source in self._lag:
            try:
                if compare:
                    self._compare_copies(source)
                self._sweep(source)
            except OwnerUnavailable as error:
                if self._lag[source].error != str(error):
                    _log.warning("cannot ask the owner", source=source, error=str(error))
                self._lag[source] = msgspec.structs.replace(self._lag[source], error=str(error))
        if compare:
            self._compared = time.monotonic()
        if self._also is not None:
            self._also()

    def _sweep(self, source: str) -> None:
        """Read the owner's feed from the cursor to its end."""
        while True:
            with self._database.reading() as connection:
                cursor = cursors.cursor_of(connection, source)
            page = self._owners.feed(source, cursor, PAGE)
            if page.end < cursor:
                raise OwnerUnavailable(f"the feed of {source} ends at {page.end}, {cursor} was read before")
            went_on = bool(page.lines) and self._take(source, cursor, page.lines)
            with self._database.reading() as connection:
                cursor = cursors.cursor_of(connection, source)
            self._note(source, cursor, page.end)
            if not went_on or cursor >= page.end:
                return
            self.beat = time.monotonic()

    def _take(self, source: str, cursor: int, lines: list[bytes]) -> bool:
        """Copy a page; False when something of it has to wait for another pass.

        The cursor passes over events that were refused: the quarantine keeps those.
        """
        arrivals = [Arrival(line) for line in lines]
        self._intake.take(arrivals, source)
        poison = next((arrival for arrival in arrivals if arrival.fate is Fate.POISON), None)
        if poison is not None:
            raise OwnerUnavailable(f"the feed of {source} holds something else than its events: {poison.reason}")
        if any(arrival.fate is Fate.WAITING for arrival in arrivals):
            return False
        last = max((arrival.feed or 0 for arrival in arrivals), default=0)
        if last <= cursor:
            raise OwnerUnavailable(f"the feed of {source} does not go on behind {cursor}")
        with self._database.writing() as connection:
            cursors.move_cursor(connection, source, last)
        return True

    def _note(self, source: str, cursor: int, end: int) -> None:
        now = time.monotonic()
        behind = max(0, end - cursor)
        self._lag[source] = Lag(behind, None)
        self._asked[source] = now
        metrics.REPLICATION_LAG.labels(source).set(behind)
        noted, at = self._noted.get(source, (-1, 0.0))
        if noted != end or now - at > NOTED_SECONDS:
            with self._database.writing() as connection:
                cursors.note_owner_end(connection, source, end)
            self._noted[source] = (end, now)

    def _compare_copies(self, source: str) -> None:
        """Check that the copies hold what the cursor says, and ask again for what was refused."""
        with self._database.reading() as connection:
            cursor = cursors.cursor_of(connection, source)
            held = cursors.copied(connection, source)
            cases = [case for case in quarantine.open_cases(connection) if case.source == source]
        for case in cases:
            if case.origin != "fork":
                self._intake.backfill(source, case.tournament)
        if held < cursor and not cases:
            _log.error("copies are missing that the cursor has passed", source=source, cursor=cursor, held=held)
            with self._database.writing() as connection:
                cursors.rewind_cursor(connection, source)

    def _sleep(self, stop: threading.Event, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not self._wake.is_set() and not stop.is_set():
            stop.wait(min(0.25, left))
