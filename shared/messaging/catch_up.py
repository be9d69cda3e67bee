"""The sweep: ask every owner, every second or two, whether its feed goes further than what is copied here.

One request a source, which usually answers with nothing. It finds the message that never came, and the last one of
a log most of all, whose loss no gap would show. It works without a broker, and with the owner's relay dead.

Nothing switches it off: a cursor moves by what the owner shows and goes back where the owner's feed ends before it;
what goes wrong with one source or one log, whatever it is, is noted for /readyz, and the others have their turn.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import msgspec

from shared import metrics
from shared.eventlog import cursors, quarantine
from shared.messaging.admission import ANNOUNCER
from shared.messaging.backoff import DATABASE_AWAY, Backoff
from shared.messaging.cases import CasesToAsk
from shared.messaging.comparison import Comparison
from shared.messaging.errors import LogUnknown, OwnerUnavailable, OwnerWrong
from shared.messaging.inbound_messages import Disposition, InboundMessage, printable
from shared.messaging.inbox import Inbox
from shared.messaging.log_ration import RationedLogger
from shared.messaging.upstream_feed import PAGE, UpstreamFeed

NOTED_SECONDS = 10.0
"""An unchanged look at an owner is written down so often, so that an idle laptop's disk may sleep."""
COMPARED_SECONDS = 60.0
"""How often copies are counted and refused events asked for again, beside every start and reconnect."""
LOOK_SECONDS = 20.0
"""How long one owner's feed is read before the others have their turn."""
BACKS = 3
"""So often the end of a feed may lie before what was read, within one look."""
AWAY_SECONDS = 10.0
"""An owner that does not answer for less is no trouble: it restarts."""
UNANSWERED = 3
"""So many questions about refused events without an answer, and the owner is left alone until the next time."""

_log = RationedLogger("muster.messaging")


class Lag(msgspec.Struct, frozen=True):
    """How far one copy is behind its owner. behind: events, when last asked; checked: seconds since then, or None."""

    behind: int
    checked: float | None
    error: str = ""


class CatchUp:
    """Keeps the copies of one service complete. every: seconds between two looks at each owner.

    also: done after every look, with what was copied; it must not take long.
    """

    name = "sweep"

    def __init__(
        self, inbox: Inbox, owners: UpstreamFeed, *, every: float = 2.0, also: Callable[[], None] | None = None
    ) -> None:
        self.beat = time.monotonic()
        self.trouble = ""
        self._database = inbox.database
        self._inbox = inbox
        self._owners = owners
        self._every = every
        self._also = also
        self._wake = threading.Event()
        self._compare = threading.Event()
        self._compared = 0.0
        self._cases = CasesToAsk()
        announcer_first = sorted(inbox.sources, key=lambda source: (source != ANNOUNCER, source))
        self._comparison = {source: Comparison(source, inbox.database) for source in announcer_first}
        self._lag = {source: Lag(0, None, "not asked yet") for source in self._comparison}
        self._asked: dict[str, float] = {}
        self._failing: dict[str, float] = {}
        self._noted: dict[str, tuple[int, float]] = {}
        self._said: dict[str, str] = {}
        self._told: dict[str, str] = {}

    def run(self, stop: threading.Event) -> None:
        """Sweep until `stop` is set: at once, every so often, and whenever `request` is called."""
        backoff = Backoff()
        self._compare.set()
        while not stop.is_set():
            self.beat = time.monotonic()
            self._wake.clear()
            try:
                self.once()
                backoff.reset()
                self._sleep(stop, self._every)
            except DATABASE_AWAY as error:
                seconds = backoff.more()
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
            source: Lag(
                lag.behind,
                now - self._asked[source] if source in self._asked else None,
                lag.error or self._comparison[source].trouble,
            )
            for source, lag in self._lag.items()
        }

    def once(self) -> None:
        """Ask every owner once, and copy what is behind."""
        requested = self._compare.is_set()
        compare = requested or time.monotonic() - self._compared > COMPARED_SECONDS
        self._compare.clear()
        for source in self._lag:
            self.beat = time.monotonic()
            try:
                self._look(source, compare, requested)
                self._lag[source] = msgspec.structs.replace(self._lag[source], error="")
                self._failing.pop(source, None)
                self._said.pop(source, None)
            except DATABASE_AWAY:
                raise
            except Exception as error:
                self._failed(source, error)
            self._tell(source)
        if compare:
            self._compared = time.monotonic()
        self._do_also()

    def _look(self, source: str, compare: bool, requested: bool) -> None:
        comparison = self._comparison[source]
        if compare:
            self._ask_about_cases(source, requested)
            comparison.begin()
        finished, end = self._sweep(source)
        if compare and finished and comparison.finish(end):
            self._inbox.heard.forget(source)
            self._wake.set()  # its feed is read from the beginning, at once

    def _sweep(self, source: str) -> tuple[bool, int]:
        """Read the owner's feed from the cursor to its end; returns whether it came to it, and the end."""
        until = time.monotonic() + LOOK_SECONDS
        backs = 0
        while True:
            with self._database.reading() as connection:
                cursor, heard = cursors.cursor_and_heard(connection, source)
            page = self._owners.feed(source, heard, PAGE)
            if page.end < heard:
                backs += 1
                if backs > BACKS:
                    raise OwnerWrong(f"the feed of {source} ends elsewhere each time it is asked for")
                self._believe_the_owner(source, cursor, page.end)
                continue
            if heard > cursor:
                with self._database.writing() as connection:
                    cursors.move_cursor(connection, source, heard)
            self._note(source, heard, page.end)
            went_on = bool(page.lines) and self._take(source, heard, page.lines, page.end)
            with self._database.reading() as connection:
                cursor = cursors.cursor_of(connection, source)
            self._note(source, cursor, page.end)
            if not went_on or cursor >= page.end:
                return True, page.end
            self.beat = time.monotonic()
            if self.beat > until:
                self._wake.set()  # the others first
                return False, page.end

    def _believe_the_owner(self, source: str, cursor: int, end: int) -> None:
        """Go back behind the end of the owner's feed: what lies beyond it was never its word, or is so no more."""
        self._inbox.heard.forget(source)
        if end < cursor:
            self._comparison[source].owner_went_back(cursor, end)
            return
        _log.error("messages claim feed positions that their owner has not given", source=source, end=end)
        with self._database.writing() as connection:
            cursors.disbelieve(connection, source)

    def _take(self, source: str, cursor: int, lines: list[bytes], end: int) -> bool:
        """Copy a page; False when something of it has to wait for another pass.

        The cursor passes over events that were refused: the quarantine keeps those.
        """
        messages = [InboundMessage(line) for line in lines]
        self._inbox.take(messages, source)
        poison = next((message for message in messages if message.disposition is Disposition.POISON), None)
        if poison is not None:
            raise OwnerWrong(f"the feed of {source} holds something else than its events: {poison.reason}")
        last = cursor + len(lines)
        if last > end or [message.feed for message in messages] != list(range(cursor + 1, last + 1)):
            raise OwnerWrong(f"the feed of {source} does not go on behind {cursor}")
        if any(message.disposition is Disposition.WAITING for message in messages):
            return False
        with self._database.writing() as connection:
            cursors.move_cursor(connection, source, last)
        return True

    def _note(self, source: str, cursor: int, end: int) -> None:
        now = time.monotonic()
        behind = max(0, end - cursor)
        self._lag[source] = msgspec.structs.replace(
            self._lag[source], behind=behind
        )  # an error stands until it is over
        self._asked[source] = now
        metrics.REPLICATION_LAG.labels(source).set(behind)
        noted, at = self._noted.get(source, (-1, 0.0))
        if noted != end or now - at > NOTED_SECONDS:
            with self._database.writing() as connection:
                cursors.note_owner_end(connection, source, end)
            self._noted[source] = (end, now)

    def _ask_about_cases(self, source: str, anyway: bool) -> None:
        """Ask again for what was refused; what is wrong with one log is no reason to leave the others out."""
        with self._database.reading() as connection:
            cases = quarantine.open_cases(connection)
        unanswered = 0
        for tournament in self._cases.take(source, cases, anyway):
            self.beat = time.monotonic()
            try:
                self._inbox.backfill(source, tournament, time.monotonic() + LOOK_SECONDS)
            except DATABASE_AWAY:
                raise
            except Exception as error:
                said = printable(f"{type(error).__name__}: {error}")
                _log.warning("a refused event stays open", source=source, tournament=printable(tournament), error=said)
                unanswered += isinstance(error, OwnerUnavailable) and not isinstance(error, OwnerWrong | LogUnknown)
                if unanswered >= UNANSWERED:
                    return

    def _failed(self, source: str, error: Exception) -> None:
        """Remember what went wrong with one source, and say it once."""
        # Anything but our own words may hold what was to be written, and /readyz is for everybody.
        fault = f"{type(error).__name__} in the sweep; the log says where"
        said = printable(str(error), 400) if isinstance(error, OwnerUnavailable) else fault
        self._failing.setdefault(source, time.monotonic())
        if self._said.get(source) != said:
            self._said[source] = said
            if isinstance(error, OwnerUnavailable):
                _log.warning("cannot ask the owner", source=source, error=said)
            else:
                _log.error("the sweep of a source fails", source=source, exc_info=error)
        self._lag[source] = msgspec.structs.replace(self._lag[source], error=said)
        if isinstance(error, OwnerUnavailable) and not isinstance(error, OwnerWrong):
            return
        self._failing[source] = min(self._failing[source], time.monotonic() - AWAY_SECONDS)

    def _tell(self, source: str) -> None:
        """Write down what is wrong with a source where /readyz reads it, whenever that changes."""
        failing = source in self._failing and time.monotonic() - self._failing[source] >= AWAY_SECONDS
        found = [self._lag[source].error if failing else "", self._comparison[source].trouble]
        trouble = "; ".join(filter(None, found))
        if self._told.get(source) != trouble:
            with self._database.writing() as connection:
                cursors.note_trouble(connection, source, trouble)
            self._told[source] = trouble

    def _do_also(self) -> None:
        if self._also is None:
            return
        try:
            self._also()
            self.trouble = ""
        except DATABASE_AWAY:
            raise
        except Exception as error:
            self.trouble = f"what is done after every look failed with {type(error).__name__}; the log says where"
            _log.exception("what is done regularly failed")

    def _sleep(self, stop: threading.Event, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not self._wake.is_set() and not stop.is_set():
            stop.wait(min(0.25, left))
