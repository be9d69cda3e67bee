"""Catch-up: reads the feeds of all owners every second or two and copies missing events.

It sends one request to each source, whose answer is usually empty. It finds lost messages, in particular the last one
of a log, whose loss leaves no gap. It needs neither a broker nor the owner's relay.

Nothing stops it. The owner's answers move the cursor, also back if the owner's feed ends before it. A problem with one
source or log is reported to /readyz, and the others continue.

Each event of an owner has one feed position, so the number of copies must match the cursor and not exceed the owner's
feed. With fewer copies than the cursor, an event was skipped, and the feed is read again from its beginning. Events
that are still missing after that were refused and are in quarantine. The feed is read once more only if more become
missing, with growing pauses, because it may be long. With more copies than the owner's feed, the owner's database was
restored to an earlier time, or false events were copied. Only a recopy or a restore repairs that; it is reported until
then.

Requests about refused events have a budget per minute and are sent round robin, with growing pauses for each log.
Anyone who may publish can cause a thousand refused events of unknown tournaments. Without a budget, they would be
requested forever, and genuine events would never get their turn.
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
"""Backoff for reading a whole feed again, and for requesting a log with a refused event."""
ASKED_A_MINUTE = 20
"""Maximum requests per minute for logs with a refused event."""
REMEMBERED = 10_000
"""Maximum number of logs whose next request is remembered."""
NOTED_SECONDS = 10.0
"""Interval of writing unchanged answers to the database, so that an idle laptop's disk may sleep."""
AWAY_SECONDS = 10.0
"""A shorter outage of an owner is not reported: it restarts."""
TOLD_SECONDS = 30.0
"""A shorter outage of an owner is not logged: after a cold start, some services ask before the others listen."""

_log = RateLimitedLogger("muster.messaging")


class Lag(msgspec.Struct, frozen=True):
    """The lag of one source's copies. behind: number of events at the last request. checked: seconds since, or None."""

    behind: int
    checked: float | None
    error: str = ""


class CopiedSource:
    """The state of catching up with one source. trouble: the last problem with its copies; empty if there is none."""

    def __init__(self, source: str, database: Database) -> None:
        self.source = source
        self.trouble = ""
        self._database = database
        self._behind = 0
        self._error = "not asked yet"
        self._asked: float | None = None
        self._failing_since: float | None = None
        self._logged = ""
        self._reported: str | None = None  # unknown: an earlier process may have stored a problem
        self._noted = (-1, 0.0)
        self._held = 0
        self._refused = 0
        self._reading = False
        self._due = 0.0
        self._backoff = Backoff(FIRST_SECONDS, LONGEST_SECONDS)
        self._cases: dict[str, tuple[float, Backoff]] = {}
        self._allowance = RateLimiter(ASKED_A_MINUTE)

    def lag(self) -> Lag:
        """Return the lag of the copies."""
        checked = None if self._asked is None else time.monotonic() - self._asked
        return Lag(self._behind, checked, self._error or self.trouble)

    def note(self, cursor: int, end: int) -> None:
        """Record the lag between the cursor and the end of the owner's feed; errors stay until `succeeded`."""
        now = time.monotonic()
        self._behind = max(0, end - cursor)
        self._asked = now
        metrics.REPLICATION_LAG.labels(self.source).set(self._behind)
        noted, at = self._noted
        if noted != end or now - at > NOTED_SECONDS:
            with self._database.writing() as connection:
                copies.note_owner_end(connection, self.source, end)
            self._noted = (end, now)

    def succeeded(self) -> None:
        """Clear the error after a successful pass."""
        self._error = self._logged = ""
        self._failing_since = None

    def failed(self, error: Exception) -> None:
        """Record the error of a pass and log it once."""
        # The messages of other exceptions may contain values, and /readyz is public.
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

    def report(self) -> None:
        """Store a changed problem in the database, where /readyz reads it."""
        failing = self._failing_since is not None and time.monotonic() - self._failing_since >= AWAY_SECONDS
        trouble = "; ".join(filter(None, [self._error if failing else "", self.trouble]))
        if self._reported != trouble:
            with self._database.writing() as connection:
                copies.note_trouble(connection, self.source, trouble)
            self._reported = trouble

    def logs_to_request(self, cases: Iterable[Case], ignore_backoff: bool = False) -> list[str]:
        """Return the tournaments with a refused event to request now, longest waiting first, and count the requests.

        cases: open cases of any source; forks are skipped, because no answer repairs them. ignore_backoff: include logs
        that were requested a moment ago, as after an outage of the owner.
        """
        now = time.monotonic()
        logs = {case.tournament for case in cases if case.source == self.source and case.origin != "fork"}
        self._cases = {log: case for log, case in self._cases.items() if log in logs}
        waits = {log: self._cases.get(log) or (0.0, Backoff(FIRST_SECONDS, LONGEST_SECONDS)) for log in logs}
        requested = []
        for log in sorted(logs, key=lambda log: (waits[log][0], log)):
            due, backoff = waits[log]
            if (due > now and not ignore_backoff) or not self._allowance.take():
                break
            if len(self._cases) < REMEMBERED or log in self._cases:
                self._cases[log] = (now + backoff.next_delay(), backoff)
            requested.append(log)
        return requested

    def begin_counting(self) -> None:
        """Count the copies before the owner is asked for the end of its feed."""
        with self._database.reading() as connection:
            self._held = copies.count_copied(connection, self.source)
            # A feed that is read from its beginning anyway need not be read again.
            self._reading = self._reading or copies.cursor_and_claimed(connection, self.source)[1] == 0

    def compare(self, end: int) -> bool:
        """Compare the number of copies with the cursor, after the feed was read up to its end.

        Return True if the cursor was moved back to read the feed from its beginning. end: the end of the owner's feed.
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
        """Move the cursor back because the owner's feed ends before it."""
        reason = f"its feed ends at {end}, {cursor} was read before: was its database put back to an earlier time?"
        self.trouble = reason
        if not self._read_again(cursor, reason):
            with self._database.writing() as connection:
                copies.rewind_cursor(connection, self.source, end)

    def _read_again(self, cursor: int, why: str) -> bool:
        """Move the cursor back to the beginning. Return False if that was done a moment ago."""
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
"""Interval of counting copies and requesting refused events again, in addition to starts and reconnects."""
LOOK_SECONDS = 20.0
"""Maximum time for reading one owner's feed before the next owner's turn."""
BACKS = 3
"""Maximum number of times that a feed may end before its cursor within one pass."""
UNANSWERED = 3
"""Unanswered requests about refused events after which an owner is skipped until the next pass."""


class CatchUp:
    """Keeps the copies of one service complete.

    every: seconds between two passes. after_pass: called after each pass; must be fast.
    """

    name = "catch_up"

    def __init__(
        self, inbox: Inbox, upstream: UpstreamFeed, *, every: float = 2.0, after_pass: Callable[[], None] | None = None
    ) -> None:
        self.beat = time.monotonic()
        self.trouble = ""
        self._database = inbox.database
        self._inbox = inbox
        self._upstream = upstream
        self._every = every
        self._after_pass = after_pass
        self._wake = threading.Event()
        self._compare = threading.Event()
        self._compared = 0.0
        announcer_first = sorted(inbox.sources, key=lambda source: (source != ANNOUNCER, source))
        self._sources = [CopiedSource(source, inbox.database) for source in announcer_first]

    def run(self, stop: threading.Event) -> None:
        """Catch up until `stop` is set: at once, at intervals, and whenever `request` is called."""
        backoff = Backoff()
        self._compare.set()
        while not stop.is_set():
            self.beat = time.monotonic()
            self._wake.clear()
            try:
                self.run_once()
                backoff.reset()
                self._sleep(stop, self._every)
            except DATABASE_UNAVAILABLE as error:
                seconds = backoff.next_delay()
                _log.warning("catch-up waits for the database", seconds=seconds, error=str(error))
                stop.wait(seconds)

    def request(self) -> None:
        """Start a pass now that also counts the copies, as after a reconnect."""
        self._compare.set()
        self._wake.set()

    def lag(self) -> dict[str, Lag]:
        """Return source -> lag of its copies."""
        return {copied.source: copied.lag() for copied in self._sources}

    def run_once(self) -> None:
        """Run one pass: ask every owner and copy missing events."""
        requested = self._compare.is_set()
        compare = requested or time.monotonic() - self._compared > COMPARED_SECONDS
        self._compare.clear()
        for copied in self._sources:
            self.beat = time.monotonic()
            try:
                self._look(copied, compare, requested)
                copied.succeeded()
            except DATABASE_UNAVAILABLE:
                raise
            except Exception as error:
                copied.failed(error)
            copied.report()
        if compare:
            self._compared = time.monotonic()
        self._run_after_pass()

    def _look(self, copied: CopiedSource, compare: bool, requested: bool) -> None:
        if compare:
            self._request_refused(copied, requested)
            copied.begin_counting()
        finished, end = self._read_feed(copied)
        if compare and finished and copied.compare(end):
            self._inbox.places.forget(copied.source)
            self._wake.set()  # read its feed from the beginning at once

    def _read_feed(self, copied: CopiedSource) -> tuple[bool, int]:
        """Read the owner's feed from the cursor. Return True if its end was reached, and the end."""
        source = copied.source
        until = time.monotonic() + LOOK_SECONDS
        backs = 0
        while True:
            with self._database.reading() as connection:
                cursor, claimed = copies.cursor_and_claimed(connection, source)
            page = self._upstream.feed(source, claimed, PAGE)
            if page.end < claimed:
                backs += 1
                if backs > BACKS:
                    raise InvalidOwnerAnswer(f"the feed of {source} ends elsewhere each time it is asked for")
                self._go_back(copied, cursor, page.end)
                continue
            if claimed > cursor:
                with self._database.writing() as connection:
                    copies.move_cursor(connection, source, claimed)
            copied.note(claimed, page.end)
            progressed = bool(page.lines) and self._take(source, claimed, page.lines, page.end)
            with self._database.reading() as connection:
                cursor = copies.cursor_of(connection, source)
            copied.note(cursor, page.end)
            if not progressed or cursor >= page.end:
                return True, page.end
            self.beat = time.monotonic()
            if self.beat > until:
                self._wake.set()  # continue after the other owners
                return False, page.end

    def _go_back(self, copied: CopiedSource, cursor: int, end: int) -> None:
        """Discard feed positions after the end of the owner's feed."""
        self._inbox.places.forget(copied.source)
        if end < cursor:
            copied.owner_went_back(cursor, end)
            return
        _log.error("messages claim feed positions that their owner has not given", source=copied.source, end=end)
        with self._database.writing() as connection:
            copies.reset_claimed(connection, copied.source)

    def _take(self, source: str, cursor: int, lines: list[bytes], end: int) -> bool:
        """Copy a page. Return False if events of it have to wait for another pass.

        The cursor passes refused events, which are in quarantine.
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

    def _request_refused(self, copied: CopiedSource, ignore_backoff: bool) -> None:
        """Request logs with refused events again; a problem with one log does not stop the others."""
        with self._database.reading() as connection:
            cases = copies.open_cases(connection)
        source, unanswered = copied.source, 0
        for tournament in copied.logs_to_request(cases, ignore_backoff):
            self.beat = time.monotonic()
            try:
                self._inbox.backfill(source, tournament, time.monotonic() + LOOK_SECONDS)
            except DATABASE_UNAVAILABLE:
                raise
            except Exception as error:
                text = to_printable(f"{type(error).__name__}: {error}")
                _log.warning(
                    "a refused event stays open", source=source, tournament=to_printable(tournament), error=text
                )
                unanswered += isinstance(error, OwnerUnavailable) and not isinstance(
                    error, InvalidOwnerAnswer | LogUnknown
                )
                if unanswered >= UNANSWERED:
                    return

    def _run_after_pass(self) -> None:
        if self._after_pass is None:
            return
        try:
            self._after_pass()
            self.trouble = ""
        except DATABASE_UNAVAILABLE:
            raise
        except Exception as error:
            self.trouble = f"what is done after every look failed with {type(error).__name__}; the log says where"
            _log.exception("what is done regularly failed")

    def _sleep(self, stop: threading.Event, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (remaining := until - time.monotonic()) > 0 and not self._wake.is_set() and not stop.is_set():
            stop.wait(min(0.25, remaining))
