"""Catch-up: ask every owner, every second or two, whether its feed goes further than what is copied here.

One request a source, which usually answers with nothing. It finds the message that never came, and the last one of
a log most of all, whose loss no gap would show. It works without a broker, and with the owner's relay dead.

Nothing switches it off: a cursor moves by what the owner shows and goes back where the owner's feed ends before it;
what goes wrong with one source or one log, whatever it is, is noted for /readyz, and the others have their turn.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from shared.eventlog import cursors, quarantine
from shared.logs import RationedLogger
from shared.messaging.admission import ANNOUNCER
from shared.messaging.backoff import DATABASE_AWAY, Backoff
from shared.messaging.copied_source import CopiedSource, Lag
from shared.messaging.errors import LogUnknown, OwnerUnavailable, OwnerWrong
from shared.messaging.inbound_messages import Disposition, InboundMessage, printable
from shared.messaging.inbox import Inbox
from shared.messaging.upstream_feed import PAGE, UpstreamFeed

COMPARED_SECONDS = 60.0
"""How often copies are counted and refused events asked for again, beside every start and reconnect."""
LOOK_SECONDS = 20.0
"""How long one owner's feed is read before the others have their turn."""
BACKS = 3
"""So often the end of a feed may lie before what was read, within one look."""
UNANSWERED = 3
"""So many questions about refused events without an answer, and the owner is left alone until the next time."""

_log = RationedLogger("muster.messaging")


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
            except DATABASE_AWAY as error:
                seconds = backoff.more()
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
            except DATABASE_AWAY:
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
                cursor, heard = cursors.cursor_and_heard(connection, source)
            page = self._upstream.feed(source, heard, PAGE)
            if page.end < heard:
                backs += 1
                if backs > BACKS:
                    raise OwnerWrong(f"the feed of {source} ends elsewhere each time it is asked for")
                self._believe_the_owner(copied, cursor, page.end)
                continue
            if heard > cursor:
                with self._database.writing() as connection:
                    cursors.move_cursor(connection, source, heard)
            copied.note(heard, page.end)
            went_on = bool(page.lines) and self._take(source, heard, page.lines, page.end)
            with self._database.reading() as connection:
                cursor = cursors.cursor_of(connection, source)
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
            cursors.disbelieve(connection, copied.source)

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
            raise OwnerWrong(f"the feed of {source} does not go on after {cursor}")
        if any(message.disposition is Disposition.WAITING for message in messages):
            return False
        with self._database.writing() as connection:
            cursors.move_cursor(connection, source, last)
        return True

    def _ask_about_cases(self, copied: CopiedSource, anyway: bool) -> None:
        """Ask again for what was refused; what is wrong with one log is no reason to leave the others out."""
        with self._database.reading() as connection:
            cases = quarantine.open_cases(connection)
        source, unanswered = copied.source, 0
        for tournament in copied.logs_to_ask_for(cases, anyway):
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
