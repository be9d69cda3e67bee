"""The inbox: what arrives, by message or by feed, becomes verified copies; each arrival gets its disposition.

The cursor of a source is moved by catch-up, from what the owner said; what messages brought is noted beside it, and
counts only for events that were new: an event that comes again, under whatever feed position, proves nothing. The
cursor is the durable note that something misses; that is why a message that waits may be acknowledged.

What is vouched for and from newer code, or too early, is not wrong: it waits. What else is looked at, whoever puts a
service together says, for messaging does not know the events. What is refused or has to wait is put aside in
quarantine, counted and logged; a flood of it is bounded.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from math import inf

import msgspec

from shared import metrics, tracing
from shared.log.cloudevents import routing_key
from shared.log.copies import (
    FORK,
    Outcome,
    Verdict,
    accept_runs,
    cursor_and_claimed,
    note_claimed,
    note_places,
    quarantine_event,
)
from shared.log.database import Connection, Database
from shared.log.event import Head, Recorded
from shared.log.log import BrokenLog, verify
from shared.log.reading import head_of, log_page
from shared.logs import RateLimitedLogger, get_logger
from shared.messaging.envelope import (
    Disposition,
    InboundMessage,
    NotAnEvent,
    event_of,
    group_runs,
    parse_line,
    to_printable,
)
from shared.messaging.errors import DATABASE_UNAVAILABLE, OwnerUnavailable, RateLimiter
from shared.messaging.peers import Fetch, UpstreamLog
from shared.messaging.vouching import Keyring, find_unvouched

ANNOUNCER = "registration"
"""Whose log makes a tournament known."""
FaultOf = Callable[[Recorded], BrokenLog | None]
"""Why a copy must not take an event, as far as the event itself tells; None where it may."""
NEWER, EARLY = "newer", "early"
"""Origins of a case of quarantine that waits: for an upgrade, and for the announcement of its tournament."""
ASKED_A_MINUTE = 120
"""How often messages may make an owner be asked: for what misses before them, or whether they are the true ones. Who
sends thousands that do not fit must not make this service attack another; catch-up finds what is not asked for."""
KEPT_A_MINUTE = 120
"""How many refused events of messages are written to quarantine; each is a transaction."""
_log = RateLimitedLogger("muster.messaging")


class DeferredEvent(BrokenLog):
    """An event that is true and cannot be taken yet. origin: NEWER or EARLY."""

    def __init__(self, event: Recorded, reason: str, origin: str) -> None:
        super().__init__(event, reason)
        self.origin = origin


def unannounced(event: Recorded) -> DeferredEvent:
    """The finding for the first event of a log whose tournament is not known here."""
    return DeferredEvent(event, f"waits for the announcement of {event.tournament} by {ANNOUNCER}", EARLY)


class Quarantine:
    """Puts refused events of one database aside. logs: asked which of two events is the owner's."""

    def __init__(self, database: Database, logs: UpstreamLog) -> None:
        self._database = database
        self._logs = logs
        self._asking = RateLimiter(ASKED_A_MINUTE)
        self._keeping = RateLimiter(KEPT_A_MINUTE)

    def put(self, broken: BrokenLog, origin: str, body: bytes) -> None:
        """Put an event aside. origin: "message", "owner" or FORK. body: the bytes that came; empty: made anew."""
        event, reason = broken.event, to_printable(broken.reason, 500)
        if isinstance(broken, DeferredEvent):
            origin = broken.origin
        elif origin != FORK and self._is_fork(event, origin):
            origin = FORK
        if origin == "message" and not self._keeping.take():
            metrics.QUARANTINE_DROPPED.labels(event.source).inc()
        elif quarantine_event(self._database, event, reason, origin, body or msgspec.json.encode(event)):
            metrics.QUARANTINED.labels(event.source).inc()
            _log.error(
                "refused an event that cannot be true",
                source=event.source,
                tournament=to_printable(event.tournament),
                position=event.position,
                reason=reason,
                origin=origin,
            )
        metrics.CONSUMER_OUTCOMES.labels(event.source, "tampered").inc()

    def may_ask(self, origin: str) -> bool:
        """Whether an owner may be asked on behalf of what came from `origin`; counts as asked."""
        return origin == "owner" or self._asking.take()

    def _is_fork(self, event: Recorded, origin: str) -> bool:
        """Whether the copy holds another event at this place than the owner does: somebody else's was copied.

        A message is no proof of that, for it may be the false one; then its owner is asked.
        """
        with self._database.reading() as connection:
            held = log_page(connection, event.source, event.tournament, event.position - 1, limit=1)
        if not held:
            return False
        if origin == "owner":
            return held[0].hash != event.hash
        if not self.may_ask(origin):
            return False
        try:
            owned = self._logs.hash_at(event.source, event.tournament, event.position)
        except OwnerUnavailable as error:
            place = to_printable(f"{event.source} {event.tournament} {event.position}")
            _log.warning("cannot ask whose event is the true one", place=place, error=str(error))
            return False
        return owned is not None and owned != held[0].hash


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
                ahead[source] = _note_places(connection, source, places)

        with self._lock:
            verdicts = accept_runs(self._database, [[event_of(message) for message in run] for run in runs], also)
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


def _note_places(connection: Connection, source: str, places: set[int]) -> set[int]:
    """Note the feed positions that follow what was heard without a hole; returns those beyond the next hole."""
    _, start = cursor_and_claimed(connection, source)
    heard = start
    while heard + 1 in places:
        heard += 1
    if heard > start:
        note_claimed(connection, source, heard)
    beyond = {place for place in places if place > heard}
    return beyond if len(beyond) <= AHEAD else set()


OnAccepted = Callable[[str, str], None]

HEALING_SECONDS = 5.0
"""How long one batch may spend on fetching what misses; then catch-up takes over, so that a consumer that has to
keep its broker's heartbeat is never away for long."""
_copies = get_logger("muster.messaging")  # as many lines as events that are vouched for


class Inbox:
    """Accepts foreign events into one database; used by consumer and catch-up at once.

    sources: whose events are copied. keyring: says what they vouch for. fault_of: what is wrong with an
    event by itself. fetch: asks the owner of a log.
    on_accepted(tournament, source): called after copies have committed; a hint that may be lost with the process.
    """

    def __init__(
        self,
        database: Database,
        sources: Collection[str],
        keyring: Keyring,
        fault_of: FaultOf,
        fetch: Fetch,
        on_accepted: OnAccepted | None = None,
        unannounced: Collection[str] = (),
    ) -> None:
        self.database = database
        self.sources = frozenset(sources)
        self._keyring = keyring
        self._fault_in = fault_of
        self.logs = UpstreamLog(fetch, keyring, self._fault_of)
        self.heard = FeedPlaces(database, sources)
        self._aside = Quarantine(database, self.logs)
        self._on_accepted = on_accepted
        self._unannounced = frozenset(unannounced)
        self._early: set[tuple[str, str]] = set()
        self._announcer_away_until = 0.0

    def take(self, messages: Sequence[InboundMessage], source: str = "") -> None:
        """Copy what arrived, in one transaction where nothing is wrong, and write into each message what became of it.

        source: where the arrivals are the owner's own feed, whose it is. Raises DATABASE_AWAY; then nothing was
        decided. Whatever else copying raises is found out one by one: it is the arrival's fault, which is poison.
        """
        vouched: list[InboundMessage] = []
        self._guarded(messages, lambda some: vouched.extend(self._vouched_for(some, source)))
        self._guarded(vouched, lambda some: self._copy(some, source))

    def _guarded(self, messages: Sequence[InboundMessage], do: Callable[[Sequence[InboundMessage]], object]) -> None:
        """Do something with arrivals; where that fails, with each alone, so that the one at fault is found."""
        try:
            do(messages)
        except DATABASE_UNAVAILABLE:
            raise
        except Exception as error:
            if len(messages) > 1:
                for message in messages:
                    self._guarded([message], do)
                return
            _log.exception("an arrival cannot be copied")
            for message in messages:
                _refuse(message, f"{type(error).__name__}: {error}")

    def _vouched_for(self, messages: Sequence[InboundMessage], source: str) -> list[InboundMessage]:
        """The arrivals that are events for us, and that their sources vouch for."""
        read = [message for message in messages if self._read(message, source)]
        for message, reason in find_unvouched(self._keyring, read):
            _refuse(message, reason)
        return [message for message in read if message.disposition is not Disposition.POISON]

    def _copy(self, messages: Sequence[InboundMessage], source: str) -> None:
        runs, begun = self._begun_last(group_runs(messages))
        again = self._accept(runs) + self._accept(begun)
        until = time.monotonic() + HEALING_SECONDS
        away: set[str] = set()
        for run in again:
            self._settle(run, "owner" if source else "message", away, until)

    def backfill(self, source: str, tournament: str, until: float = inf) -> bool:
        """Fetch and copy what one log has behind the copy's end; False when its owner holds an event that is refused.

        until: time.monotonic() after which no further page is fetched. Raises OwnerUnavailable.
        """
        while True:
            with self.database.reading() as connection:
                head = head_of(connection, source, tournament)
            events, refused = self.logs.page(source, tournament, head.position)
            origin = "owner"
            if events:
                verdict = accept_runs(self.database, [events])[0]
                if isinstance(
                    verdict, BrokenLog
                ):  # whole and vouched for, so it is the copy that is not the owner's log
                    refused, origin = verdict, FORK
                else:
                    self._tell(source, tournament)
            if refused is not None:
                self._aside.put(refused, origin, b"")
                return False
            if not events or time.monotonic() > until:
                return True

    def _fault_of(self, event: Recorded) -> BrokenLog | None:
        """Why an event that is vouched for must not be copied, or not yet. Asks for the announcement if it has to."""
        if (fault := self._fault_in(event)) is not None:
            return fault
        if event.position > 1 or event.source == ANNOUNCER or self._announced(event.tournament):
            return None
        if ANNOUNCER in self.sources and time.monotonic() > self._announcer_away_until:
            try:
                self.backfill(ANNOUNCER, event.tournament)
            except OwnerUnavailable as error:
                self._announcer_away_until = time.monotonic() + HEALING_SECONDS
                _log.info("cannot ask for an announcement", tournament=event.tournament, error=str(error))
            if self._announced(event.tournament):
                return None
        self._early.add((event.source, event.tournament))
        return unannounced(event)

    def _announced(self, tournament: str) -> bool:
        if tournament in self._unannounced:
            return True
        with self.database.reading() as connection:
            return head_of(connection, ANNOUNCER, tournament).position > 0

    def _read(self, message: InboundMessage, source: str) -> bool:
        try:
            line = parse_line(message.body)
            event = line.event
            if event.source not in self.sources or (source and event.source != source):
                raise NotAnEvent(f"events of {event.source!r} do not belong here")
            if not source and message.address != routing_key(event):
                raise NotAnEvent(f"addressed as {message.address!r}, it is {routing_key(event)!r}")
        except NotAnEvent as error:
            _refuse(message, str(error))
            return False
        message.event, message.feed, message.before, message.signature = event, line.feed, line.before, line.signature
        message.cause = line.cause
        return True

    def _begun_last(
        self, runs: list[list[InboundMessage]]
    ) -> tuple[list[list[InboundMessage]], list[list[InboundMessage]]]:
        """Set apart the runs that begin a log of a tournament not known yet: its announcement may be in this batch."""
        begun = [
            run
            for run in runs
            if (first := event_of(run[0])).position == 1
            and first.source != ANNOUNCER
            and not self._announced(first.tournament)
        ]
        apart = {id(run) for run in begun}
        return [run for run in runs if id(run) not in apart], begun

    def _accept(self, runs: list[list[InboundMessage]]) -> list[list[InboundMessage]]:
        """Copy what can be copied at once; returns the runs that need a closer look."""
        again: list[list[InboundMessage]] = []
        sound: list[list[InboundMessage]] = []
        for run in runs:
            (again if any(self._fault_of(event_of(message)) for message in run) else sound).append(run)
        runs, verdicts = sound, self.heard.accept(sound) if sound else []
        for run, verdict in zip(runs, verdicts, strict=True):
            first = event_of(run[0])
            if isinstance(verdict, BrokenLog):
                again.append(run)
                continue
            _count(first.source, verdict.value, len(run))
            if verdict is Outcome.GAP:
                again.append(run)
                continue
            for message in run:
                message.disposition = Disposition.COPIED
            if verdict is Outcome.ACCEPTED:
                self._tell_of(run)
        return again

    def _settle(self, run: list[InboundMessage], origin: str, away: set[str], until: float) -> None:
        """A run behind a gap, or with something in it that does not hold: fetch what misses, then one by one.

        away: sources whose owner did not answer a moment ago; it is not asked again for every log.
        """
        event = event_of(run[0])
        sound = True
        if event.source not in away and time.monotonic() < until and self._aside.may_ask(origin):
            try:
                sound = self.backfill(event.source, event.tournament, until)
            except OwnerUnavailable as error:
                away.add(event.source)
                log = {"source": event.source, "tournament": to_printable(event.tournament)}
                _log.warning("gaps stay open", **log, error=str(error))
        for message in run:
            event = event_of(message)
            verdict = _changed(event) or self._fault_of(event) or self.heard.accept([[message]])[0]
            if isinstance(verdict, DeferredEvent):
                message.disposition, message.reason = Disposition.HELD, verdict.reason
                self._aside.put(verdict, verdict.origin, message.body)
            elif isinstance(verdict, BrokenLog):
                message.disposition, message.reason = Disposition.TAMPERED, verdict.reason
                self._aside.put(verdict, origin, message.body)
            elif verdict is Outcome.GAP:
                message.disposition = Disposition.WAITING if sound else Disposition.BLOCKED
            else:
                message.disposition = Disposition.COPIED
                if verdict is Outcome.ACCEPTED:
                    self._tell_of([message])

    def _tell_of(self, run: Sequence[InboundMessage]) -> None:
        """Say in the log which request each copied event comes from, and let the service know of them."""
        for cause, messages in groupby(run, lambda message: message.cause):
            with tracing.caused_by(cause):
                events = [event_of(message) for message in messages]
                log = {"source": events[0].source, "tournament": events[0].tournament}
                _copies.info("copied", **log, events=[event.id for event in events])
        first = event_of(run[0])
        if run[0].address:  # a message; what catch-up finds may be of last year
            metrics.COPY_SECONDS.labels(first.source).observe(_seconds_since(first.time))
        with tracing.caused_by(run[-1].cause):
            self._tell(first.source, first.tournament)

    def _tell(self, source: str, tournament: str) -> None:
        if source == ANNOUNCER:
            self._take_what_was_early(tournament)
        if self._on_accepted is None:
            return
        try:
            self._on_accepted(tournament, source)
        except Exception:
            # The copy is committed and the hint may be lost anyway; a fault in who hears it must not stop copying.
            _log.exception("on_accepted failed", source=source, tournament=tournament)

    def _take_what_was_early(self, tournament: str) -> None:
        """Fetch what came before the announcement of its tournament; what is not there now is for catch-up."""
        for place in [place for place in tuple(self._early) if place[1] == tournament]:
            self._early.discard(place)
            try:
                self.backfill(*place)
            except OwnerUnavailable as error:
                _log.info("what was early is not there yet", source=place[0], tournament=tournament, error=str(error))


def _seconds_since(moment: str) -> float:
    """Seconds since a time of an event, which is vouched for and may still be nonsense, as the clock may."""
    try:
        return max(0.0, time.time() - datetime.fromisoformat(moment).timestamp())
    except ValueError:
        return 0.0


def _changed(event: Recorded) -> BrokenLog | None:
    """What shows that an event is not what was hashed, whoever vouches for the hash."""
    try:
        verify([event], Head(event.position - 1, event.prev_hash))
    except BrokenLog as broken:
        return broken
    return None


def _refuse(message: InboundMessage, reason: str) -> None:
    message.disposition, message.reason = Disposition.POISON, to_printable(reason, 500)
    _count("unknown", "poison")
    _log.error("not an event for us", reason=message.reason, address=to_printable(message.address))


def _count(source: str, outcome: str, number: int = 1) -> None:
    metrics.CONSUMER_OUTCOMES.labels(source, outcome).inc(number)
