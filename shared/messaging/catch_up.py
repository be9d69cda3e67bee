"""Catch-up: ask every owner, every second or two, whether its feed goes further than what is copied here.

One request a source, which usually answers with nothing. It finds the message that never came, and the last one of
a log most of all, whose loss no gap would show. It works without a broker, and with the owner's relay dead.

Nothing switches it off: a cursor moves by what the owner shows and goes back where the owner's feed ends before it;
what goes wrong with one source or one log, whatever it is, is noted for /readyz, and the others have their turn.

Each event of an owner has one feed position, so counting tells whether the copies hold as many events as their cursor
says, and no more than the owner has. Fewer copies than the cursor has passed: something was passed that is not here,
and the feed is read from its beginning again. What is still short after that was refused, and is in quarantine; only
when more becomes short is the feed read once more, with growing pauses, for it may be long. More copies than the
owner's feed has: the owner's database was put back to an earlier time, or somebody else's events were copied. That
heals only by a new copy or a restore, and is said until it does.

Owners are asked about what was refused within a budget a minute, round robin, more and more seldom for each log.
Whoever may publish can have a thousand events of tournaments refused that nobody knows. Each of them would be asked for
at its owner for ever, and the true ones behind them never.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable

import msgspec

from shared import metrics
from shared.log import copies
from shared.log.copies import Case
from shared.log.database import Database
from shared.logs import RateLimitedLogger
from shared.messaging.envelope import Disposition, InboundMessage, to_printable
from shared.messaging.errors import (
    DATABASE_UNAVAILABLE,
    Backoff,
    InvalidOwnerAnswer,
    LogUnknown,
    OwnerUnavailable,
    RateLimiter,
)
from shared.messaging.inbox import ANNOUNCER, Inbox
from shared.messaging.peers import PAGE, UpstreamFeed

FIRST_SECONDS, LONGEST_SECONDS = 60.0, 3600.0
"""Between two readings of a whole feed, and until a log with a refused event is asked for again; doubled each time."""
ASKED_A_MINUTE = 20
"""Logs with a refused event."""
REMEMBERED = 10_000
"""Logs that wait for their next turn."""
NOTED_SECONDS = 10.0
"""An unchanged look at an owner is written down so often, so that an idle laptop's disk may sleep."""
AWAY_SECONDS = 10.0
"""An owner that does not answer for less is no trouble: it restarts."""
TOLD_SECONDS = 30.0
"""Nor is it worth a line for less: after a cold start all begin at once, and one is the first to ask."""

_log = RateLimitedLogger("muster.messaging")


class Lag(msgspec.Struct, frozen=True):
    """How far one copy is behind its owner. behind: events, when last asked; checked: seconds since then, or None."""

    behind: int
    checked: float | None
    error: str = ""


class CopiedSource:
    """One source of catch-up. trouble: what counting its copies found last; empty when all is well."""

    def __init__(self, source: str, database: Database) -> None:
        self.source = source
        self.trouble = ""
        self._database = database
        self._behind = 0
        self._error = "not asked yet"
        self._asked: float | None = None
        self._failing_since: float | None = None
        self._logged = ""
        self._told: str | None = None  # another process may have written something down, and died
        self._noted = (-1, 0.0)
        self._held = 0
        self._refused = 0
        self._reading = False
        self._due = 0.0
        self._backoff = Backoff(FIRST_SECONDS, LONGEST_SECONDS)
        self._cases: dict[str, tuple[float, Backoff]] = {}
        self._allowance = RateLimiter(ASKED_A_MINUTE)

    def lag(self) -> Lag:
        """How far the copy is behind."""
        checked = None if self._asked is None else time.monotonic() - self._asked
        return Lag(self._behind, checked, self._error or self.trouble)

    def note(self, cursor: int, end: int) -> None:
        """Note how far the owner's feed goes beyond the cursor. An error stands until the look is over."""
        now = time.monotonic()
        self._behind = max(0, end - cursor)
        self._asked = now
        metrics.REPLICATION_LAG.labels(self.source).set(self._behind)
        noted, at = self._noted
        if noted != end or now - at > NOTED_SECONDS:
            with self._database.writing() as connection:
                copies.note_owner_end(connection, self.source, end)
            self._noted = (end, now)

    def looked(self) -> None:
        """A look at the owner went well."""
        self._error = self._logged = ""
        self._failing_since = None

    def failed(self, error: Exception) -> None:
        """Remember what went wrong with a look, and say it once."""
        # Anything but our own words may hold what was to be written, and /readyz is for everybody.
        fault = f"{type(error).__name__} in catch-up; the log says where"
        self._error = to_printable(str(error), 400) if isinstance(error, OwnerUnavailable) else fault
        now = time.monotonic()
        since = now if self._failing_since is None else self._failing_since
        only_away = isinstance(error, OwnerUnavailable) and not isinstance(error, InvalidOwnerAnswer)
        if self._logged != self._error and not (only_away and now - since < TOLD_SECONDS):
            self._logged = self._error
            if isinstance(error, OwnerUnavailable):
                _log.warning("cannot ask the owner", source=self.source, error=self._error)
            else:
                _log.error("catching up with a source fails", source=self.source, exc_info=error)
        self._failing_since = since if only_away else min(since, now - AWAY_SECONDS)

    def tell(self) -> None:
        """Write down what is wrong where /readyz reads it, whenever that changes."""
        failing = self._failing_since is not None and time.monotonic() - self._failing_since >= AWAY_SECONDS
        trouble = "; ".join(filter(None, [self._error if failing else "", self.trouble]))
        if self._told != trouble:
            with self._database.writing() as connection:
                copies.note_trouble(connection, self.source, trouble)
            self._told = trouble

    def logs_to_ask_for(self, cases: Iterable[Case], anyway: bool = False) -> list[str]:
        """The tournaments with a refused event to ask for now, those that have waited longest first; they count as
        asked.

        cases: open ones of any source; forks are left out, for no answer heals them. anyway: also those asked for
        a moment ago, as after an owner was away.
        """
        now = time.monotonic()
        logs = {case.tournament for case in cases if case.source == self.source and case.origin != "fork"}
        self._cases = {log: case for log, case in self._cases.items() if log in logs}
        waits = {log: self._cases.get(log) or (0.0, Backoff(FIRST_SECONDS, LONGEST_SECONDS)) for log in logs}
        asked = []
        for log in sorted(logs, key=lambda log: (waits[log][0], log)):
            due, backoff = waits[log]
            if (due > now and not anyway) or not self._allowance.take():
                break
            if len(self._cases) < REMEMBERED or log in self._cases:
                self._cases[log] = (now + backoff.next_delay(), backoff)
            asked.append(log)
        return asked

    def begin_counting(self) -> None:
        """Count what is held, before the owner is asked where its feed ends."""
        with self._database.reading() as connection:
            self._held = copies.count_copied(connection, self.source)
            # From the beginning it is read as it is: nothing would come of reading it twice.
            self._reading = self._reading or copies.cursor_and_claimed(connection, self.source)[1] == 0

    def compare(self, end: int) -> bool:
        """Compare, after the feed was read as far as it goes. end: of the owner's feed.

        Returns True when the feed has to be read from its beginning, and the cursor was taken back for it.
        """
        with self._database.reading() as connection:
            cursor = copies.cursor_of(connection, self.source)
            held = copies.count_copied(connection, self.source)
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
                self._backoff.reset()
            return False
        return self._read_again(cursor, f"{missing} events that its cursor has passed are not copied")

    def owner_went_back(self, cursor: int, end: int) -> None:
        """The owner's feed ends before what was read of it: what it holds now is read, as far as that may differ."""
        said = f"its feed ends at {end}, {cursor} was read before: was its database put back to an earlier time?"
        self.trouble = said
        if not self._read_again(cursor, said):
            with self._database.writing() as connection:
                copies.rewind_cursor(connection, self.source, end)

    def _read_again(self, cursor: int, why: str) -> bool:
        """Take the cursor back to the beginning, unless that was done a moment ago."""
        if time.monotonic() < self._due:
            self.trouble = self.trouble or why
            return False
        _log.error("a feed is read from its beginning", source=self.source, cursor=cursor, why=why)
        self._due = time.monotonic() + self._backoff.next_delay()
        self._reading = True
        with self._database.writing() as connection:
            copies.rewind_cursor(connection, self.source)
        return True


COMPARED_SECONDS = 60.0
"""How often copies are counted and refused events asked for again, beside every start and reconnect."""
LOOK_SECONDS = 20.0
"""How long one owner's feed is read before the others have their turn."""
BACKS = 3
"""So often the end of a feed may lie before what was read, within one look."""
UNANSWERED = 3
"""So many questions about refused events without an answer, and the owner is left alone until the next time."""


class CatchUp:
    """Keeps the copies of one service complete. every: seconds between two looks at each owner.

    also: done after every look, with what was copied; it must not take long.
    """

    name = "catch_up"

    def __init__(
        self, inbox: Inbox, upstream: UpstreamFeed, *, every: float = 2.0, also: Callable[[], None] | None = None
    ) -> None:
        self.beat = time.monotonic()
        self.trouble = ""
        self._database = inbox.database
        self._inbox = inbox
        self._upstream = upstream
        self._every = every
        self._also = also
        self._wake = threading.Event()
        self._compare = threading.Event()
        self._compared = 0.0
        announcer_first = sorted(inbox.sources, key=lambda source: (source != ANNOUNCER, source))
        self._sources = [CopiedSource(source, inbox.database) for source in announcer_first]

    def run(self, stop: threading.Event) -> None:
        """Catch up until `stop` is set: at once, every so often, and whenever `request` is called."""
        backoff = Backoff()
        self._compare.set()
        while not stop.is_set():
            self.beat = time.monotonic()
            self._wake.clear()
            try:
                self.once()
                backoff.reset()
                self._sleep(stop, self._every)
            except DATABASE_UNAVAILABLE as error:
                seconds = backoff.next_delay()
                _log.warning("catch-up waits for the database", seconds=seconds, error=str(error))
                stop.wait(seconds)

    def request(self) -> None:
        """Catch up now, and compare what is copied with the cursors: after a reconnect, or whenever in doubt."""
        self._compare.set()
        self._wake.set()

    def lag(self) -> dict[str, Lag]:
        """Source -> how far its copy is behind."""
        return {copied.source: copied.lag() for copied in self._sources}

    def once(self) -> None:
        """Ask every owner once, and copy what is behind."""
        requested = self._compare.is_set()
        compare = requested or time.monotonic() - self._compared > COMPARED_SECONDS
        self._compare.clear()
        for copied in self._sources:
            self.beat = time.monotonic()
            try:
                self._look(copied, compare, requested)
                copied.looked()
            except DATABASE_UNAVAILABLE:
                raise
            except Exception as error:
                copied.failed(error)
            copied.tell()
        if compare:
            self._compared = time.monotonic()
        self._do_also()

    def _look(self, copied: CopiedSource, compare: bool, requested: bool) -> None:
        if compare:
            self._ask_about_cases(copied, requested)
            copied.begin_counting()
        finished, end = self._pass(copied)
        if compare and finished and copied.compare(end):
            self._inbox.heard.forget(copied.source)
            self._wake.set()  # its feed is read from the beginning, at once

    def _pass(self, copied: CopiedSource) -> tuple[bool, int]:
        """Read the owner's feed from the cursor to its end; returns whether it came to it, and the end."""
        source = copied.source
        until = time.monotonic() + LOOK_SECONDS
        backs = 0
        while True:
            with self._database.reading() as connection:
                cursor, heard = copies.cursor_and_claimed(connection, source)
            page = self._upstream.feed(source, heard, PAGE)
            if page.end < heard:
                backs += 1
                if backs > BACKS:
                    raise InvalidOwnerAnswer(f"the feed of {source} ends elsewhere each time it is asked for")
                self._believe_the_owner(copied, cursor, page.end)
                continue
            if heard > cursor:
                with self._database.writing() as connection:
                    copies.move_cursor(connection, source, heard)
            copied.note(heard, page.end)
            went_on = bool(page.lines) and self._take(source, heard, page.lines, page.end)
            with self._database.reading() as connection:
                cursor = copies.cursor_of(connection, source)
            copied.note(cursor, page.end)
            if not went_on or cursor >= page.end:
                return True, page.end
            self.beat = time.monotonic()
            if self.beat > until:
                self._wake.set()  # the others first
                return False, page.end

    def _believe_the_owner(self, copied: CopiedSource, cursor: int, end: int) -> None:
        """Go back behind the end of the owner's feed: what lies beyond it was never its word, or is so no more."""
        self._inbox.heard.forget(copied.source)
        if end < cursor:
            copied.owner_went_back(cursor, end)
            return
        _log.error("messages claim feed positions that their owner has not given", source=copied.source, end=end)
        with self._database.writing() as connection:
            copies.reset_claimed(connection, copied.source)

    def _take(self, source: str, cursor: int, lines: list[bytes], end: int) -> bool:
        """Copy a page; False when something of it has to wait for another pass.

        The cursor passes over events that were refused: the quarantine keeps those.
        """
        messages = [InboundMessage(line) for line in lines]
        self._inbox.take(messages, source)
        poison = next((message for message in messages if message.disposition is Disposition.POISON), None)
        if poison is not None:
            raise InvalidOwnerAnswer(f"the feed of {source} holds something else than its events: {poison.reason}")
        last = cursor + len(lines)
        if last > end or [message.feed for message in messages] != list(range(cursor + 1, last + 1)):
            raise InvalidOwnerAnswer(f"the feed of {source} does not go on after {cursor}")
        if any(message.disposition is Disposition.WAITING for message in messages):
            return False
        with self._database.writing() as connection:
            copies.move_cursor(connection, source, last)
        return True

    def _ask_about_cases(self, copied: CopiedSource, anyway: bool) -> None:
        """Ask again for what was refused; what is wrong with one log is no reason to leave the others out."""
        with self._database.reading() as connection:
            cases = copies.open_cases(connection)
        source, unanswered = copied.source, 0
        for tournament in copied.logs_to_ask_for(cases, anyway):
            self.beat = time.monotonic()
            try:
                self._inbox.backfill(source, tournament, time.monotonic() + LOOK_SECONDS)
            except DATABASE_UNAVAILABLE:
                raise
            except Exception as error:
                said = to_printable(f"{type(error).__name__}: {error}")
                _log.warning(
                    "a refused event stays open", source=source, tournament=to_printable(tournament), error=said
                )
                unanswered += isinstance(error, OwnerUnavailable) and not isinstance(
                    error, InvalidOwnerAnswer | LogUnknown
                )
                if unanswered >= UNANSWERED:
                    return

    def _do_also(self) -> None:
        if self._also is None:
            return
        try:
            self._also()
            self.trouble = ""
        except DATABASE_UNAVAILABLE:
            raise
        except Exception as error:
            self.trouble = f"what is done after every look failed with {type(error).__name__}; the log says where"
            _log.exception("what is done regularly failed")

    def _sleep(self, stop: threading.Event, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not self._wake.is_set() and not stop.is_set():
            stop.wait(min(0.25, left))
