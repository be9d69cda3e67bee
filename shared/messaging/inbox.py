"""The inbox: turns messages and feed lines into verified copies, and sets the disposition of each.

Only catch-up moves the cursor of a source, by the owner's answers. The feed positions that messages bring are stored
separately and count only for new events: a repeated event proves nothing about its position. The cursor is the durable
record of missing events; so a message that waits for earlier events may be acknowledged.

Validly signed events from newer code, or from a tournament that is not announced yet, are deferred. Further checks are
passed in by the service (`fault_of`), since messaging does not know the events. Refused and deferred events are
quarantined, counted and logged, with limits against floods.
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
from shared.log.cloudevents import NotAnEvent, routing_key
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
from shared.messaging.envelope import Disposition, InboundMessage, event_of, group_runs, parse_line, to_printable
from shared.messaging.errors import DATABASE_UNAVAILABLE, OwnerUnavailable, RateLimiter
from shared.messaging.peers import Fetch, UpstreamLog
from shared.messaging.vouching import Keyring, find_unvouched

ANNOUNCER = "registration"
"""The service whose log announces tournaments."""
FaultOf = Callable[[Recorded], BrokenLog | None]
"""Returns why a copy must not accept an event, judged by the event alone; None if it may."""
NEWER, EARLY = "newer", "early"
"""Origins of deferred events: they wait for an upgrade, or for the announcement of their tournament."""
ASKED_A_MINUTE = 120
"""Maximum requests per minute to owners that messages may trigger, for missing events or to find the true one of two.
Thousands of bogus messages must not make this service attack another; catch-up fetches what is not requested."""
KEPT_A_MINUTE = 120
"""Maximum refused messages per minute that are quarantined; each takes a transaction."""
_log = RateLimitedLogger("muster.messaging")


class DeferredEvent(BrokenLog):
    """A valid event that cannot be accepted yet. origin: NEWER or EARLY."""

    def __init__(self, event: Recorded, reason: str, origin: str) -> None:
        super().__init__(event, reason)
        self.origin = origin


def unannounced(event: Recorded) -> DeferredEvent:
    """Return the deferral of the first event of a log whose tournament is not announced here."""
    return DeferredEvent(event, f"waits for the announcement of {event.tournament} by {ANNOUNCER}", EARLY)


class Quarantine:
    """The quarantine of one database. logs: the owners' logs, to find out which of two events is the owner's."""

    def __init__(self, database: Database, logs: UpstreamLog) -> None:
        self._database = database
        self._logs = logs
        self._asking = RateLimiter(ASKED_A_MINUTE)
        self._keeping = RateLimiter(KEPT_A_MINUTE)

    def put(self, broken: BrokenLog, origin: str, body: bytes) -> None:
        """Quarantine an event. origin: "message", "owner" or FORK. body: the received bytes; empty to encode it."""
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
        """Return True, and count a request, if an owner may be asked because of an event from `origin`."""
        return origin == "owner" or self._asking.take()

    def _is_fork(self, event: Recorded, origin: str) -> bool:
        """Return True if the copy holds another event at this position than the owner.

        A message proves nothing, since it may be the false one; then the owner is asked.
        """
        with self._database.reading() as connection:
            copies = log_page(connection, event.source, event.tournament, event.position - 1, limit=1)
        if not copies:
            return False
        if origin == "owner":
            return copies[0].hash != event.hash
        if not self.may_ask(origin):
            return False
        try:
            owned = self._logs.hash_at(event.source, event.tournament, event.position)
        except OwnerUnavailable as error:
            place = to_printable(f"{event.source} {event.tournament} {event.position}")
            _log.warning("cannot ask whose event is the true one", place=place, error=str(error))
            return False
        return owned is not None and owned != copies[0].hash


AHEAD = 100_000
"""Maximum feed positions remembered after a gap; above it, catch-up has to read them anyway."""


class FeedPlaces:
    """Copies runs of messages into a database and tracks the feed positions that they brought."""

    def __init__(self, database: Database, sources: Collection[str]) -> None:
        self._database = database
        self._ahead: dict[str, set[int]] = {source: set() for source in sources}
        self._lock = threading.Lock()

    def accept(self, runs: Sequence[Sequence[InboundMessage]]) -> list[Verdict]:
        """Write copies and claimed feed positions in one transaction. Return a verdict for each run.

        The positions in memory change only after the commit.
        """
        ahead: dict[str, set[int]] = {}

        def note_feed_positions(connection: Connection, verdicts: Sequence[Verdict], new: Sequence[int]) -> None:
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
            events = [[event_of(message) for message in run] for run in runs]
            verdicts = accept_runs(self._database, events, note_feed_positions)
            self._ahead.update(ahead)
        return verdicts

    def forget(self, source: str) -> None:
        """Forget the feed positions of a source that messages claimed after a gap."""
        with self._lock:
            self._ahead[source] = set()


def _places(run: Sequence[InboundMessage]) -> Iterator[tuple[int, str, int]]:
    for message in run:
        if message.feed is not None:
            event = event_of(message)
            yield message.feed, event.tournament, event.position


def _note_places(connection: Connection, source: str, places: set[int]) -> set[int]:
    """Store the claimed feed positions up to the next gap. Return those after the gap."""
    _, start = cursor_and_claimed(connection, source)
    claimed = start
    while claimed + 1 in places:
        claimed += 1
    if claimed > start:
        note_claimed(connection, source, claimed)
    beyond = {place for place in places if place > claimed}
    return beyond if len(beyond) <= AHEAD else set()


OnAccepted = Callable[[str, str], None]

HEALING_SECONDS = 5.0
"""Time limit for fetching missing events of one batch; then catch-up takes over, so that a consumer does not miss the
broker's heartbeat."""
_copies = get_logger("muster.messaging")  # not rate limited: only validly signed events cause lines


class Inbox:
    """Accepts foreign events into one database; used by consumer and catch-up concurrently.

    sources: the services whose events are copied. keyring: their public keys. fault_of: checks an event by itself.
    fetch: reads the log of an owner. on_accepted(tournament, source): called after copies have committed; a hint that
    may be lost with the process. unannounced: tournaments that need no announcement.
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
        self.places = FeedPlaces(database, sources)
        self._quarantine = Quarantine(database, self.logs)
        self._on_accepted = on_accepted
        self._unannounced = frozenset(unannounced)
        self._early: set[tuple[str, str]] = set()
        self._announcer_away_until = 0.0

    def take(self, messages: Sequence[InboundMessage], source: str = "") -> None:
        """Copy messages, in one transaction if all are valid, and set the disposition of each.

        source: the owner, if the messages are lines of its feed. Raises DATABASE_UNAVAILABLE, with no disposition set.
        After any other exception the messages are processed one by one, and those that fail are poison.
        """
        signed: list[InboundMessage] = []
        self._isolate_failures(messages, lambda some: signed.extend(self._parse_and_verify(some, source)))
        self._isolate_failures(signed, lambda some: self._copy(some, source))

    def _isolate_failures(
        self, messages: Sequence[InboundMessage], process: Callable[[Sequence[InboundMessage]], object]
    ) -> None:
        """Process messages together; if that fails, one by one, and refuse those that fail."""
        try:
            process(messages)
        except DATABASE_UNAVAILABLE:
            raise
        except Exception as error:
            if len(messages) > 1:
                for message in messages:
                    self._isolate_failures([message], process)
                return
            _log.exception("an arrival cannot be copied")
            for message in messages:
                _refuse(message, f"{type(error).__name__}: {error}")

    def _parse_and_verify(self, messages: Sequence[InboundMessage], source: str) -> list[InboundMessage]:
        """Return the messages with validly signed events for this service; refuse the others."""
        parsed = [message for message in messages if self._parse(message, source)]
        for message, reason in find_unvouched(self._keyring, parsed):
            _refuse(message, reason)
        return [message for message in parsed if message.disposition is not Disposition.POISON]

    def _copy(self, messages: Sequence[InboundMessage], source: str) -> None:
        runs, unannounced_runs = self._split_unannounced(group_runs(messages))
        remaining = self._accept(runs) + self._accept(unannounced_runs)
        until = time.monotonic() + HEALING_SECONDS
        unavailable: set[str] = set()
        for run in remaining:
            self._settle(run, "owner" if source else "message", unavailable, until)

    def backfill(self, source: str, tournament: str, until: float = inf) -> bool:
        """Fetch and copy the missing events of one log. Return False if an event of its owner is refused.

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
                    self._notify_accepted(source, tournament)
            if refused is not None:
                self._quarantine.put(refused, origin, b"")
                return False
            if not events or time.monotonic() > until:
                return True

    def _fault_of(self, event: Recorded) -> BrokenLog | None:
        """Return why a signed event must not be copied, or not yet; fetch the announcement if necessary."""
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

    def _parse(self, message: InboundMessage, source: str) -> bool:
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

    def _split_unannounced(
        self, runs: list[list[InboundMessage]]
    ) -> tuple[list[list[InboundMessage]], list[list[InboundMessage]]]:
        """Separate the first runs of unannounced tournaments, whose announcement may be in the same batch."""
        unannounced_runs = [
            run
            for run in runs
            if (first := event_of(run[0])).position == 1
            and first.source != ANNOUNCER
            and not self._announced(first.tournament)
        ]
        separated = {id(run) for run in unannounced_runs}
        return [run for run in runs if id(run) not in separated], unannounced_runs

    def _accept(self, runs: list[list[InboundMessage]]) -> list[list[InboundMessage]]:
        """Copy the runs that are valid and follow their copies. Return the others."""
        remaining: list[list[InboundMessage]] = []
        valid: list[list[InboundMessage]] = []
        for run in runs:
            (remaining if any(self._fault_of(event_of(message)) for message in run) else valid).append(run)
        verdicts = self.places.accept(valid) if valid else []
        for run, verdict in zip(valid, verdicts, strict=True):
            first = event_of(run[0])
            if isinstance(verdict, BrokenLog):
                remaining.append(run)
                continue
            _count(first.source, verdict.value, len(run))
            if verdict is Outcome.GAP:
                remaining.append(run)
                continue
            for message in run:
                message.disposition = Disposition.COPIED
            if verdict is Outcome.ACCEPTED:
                self._report_accepted(run)
        return remaining

    def _settle(self, run: list[InboundMessage], origin: str, unavailable: set[str], until: float) -> None:
        """Process a run after a gap or with an invalid event: fetch missing events, then copy event by event.

        unavailable: sources whose owner did not answer a moment ago; they are not asked again for every log.
        """
        event = event_of(run[0])
        complete = True
        if event.source not in unavailable and time.monotonic() < until and self._quarantine.may_ask(origin):
            try:
                complete = self.backfill(event.source, event.tournament, until)
            except OwnerUnavailable as error:
                unavailable.add(event.source)
                log = {"source": event.source, "tournament": to_printable(event.tournament)}
                _log.warning("gaps stay open", **log, error=str(error))
        for message in run:
            event = event_of(message)
            verdict = _chain_fault(event) or self._fault_of(event) or self.places.accept([[message]])[0]
            if isinstance(verdict, DeferredEvent):
                message.disposition, message.reason = Disposition.HELD, verdict.reason
                self._quarantine.put(verdict, verdict.origin, message.body)
            elif isinstance(verdict, BrokenLog):
                message.disposition, message.reason = Disposition.TAMPERED, verdict.reason
                self._quarantine.put(verdict, origin, message.body)
            elif verdict is Outcome.GAP:
                message.disposition = Disposition.WAITING if complete else Disposition.BLOCKED
            else:
                message.disposition = Disposition.COPIED
                if verdict is Outcome.ACCEPTED:
                    self._report_accepted([message])

    def _report_accepted(self, run: Sequence[InboundMessage]) -> None:
        """Log copied events with their requests, measure their age, and notify the service."""
        for cause, messages in groupby(run, lambda message: message.cause):
            with tracing.caused_by(cause):
                events = [event_of(message) for message in messages]
                log = {"source": events[0].source, "tournament": events[0].tournament}
                _copies.info("copied", **log, events=[event.id for event in events])
        first = event_of(run[0])
        if run[0].address:  # a message; events that catch-up finds may be from last year
            metrics.COPY_SECONDS.labels(first.source).observe(_seconds_since(first.time))
        with tracing.caused_by(run[-1].cause):
            self._notify_accepted(first.source, first.tournament)

    def _notify_accepted(self, source: str, tournament: str) -> None:
        if source == ANNOUNCER:
            self._fetch_early_events(tournament)
        if self._on_accepted is None:
            return
        try:
            self._on_accepted(tournament, source)
        except Exception:
            # The copy is committed and the hint may be lost anyway, so a failing listener must not stop copying.
            _log.exception("on_accepted failed", source=source, tournament=tournament)

    def _fetch_early_events(self, tournament: str) -> None:
        """Fetch events that arrived before the announcement; catch-up fetches those that are unavailable now."""
        for place in [place for place in tuple(self._early) if place[1] == tournament]:
            self._early.discard(place)
            try:
                self.backfill(*place)
            except OwnerUnavailable as error:
                _log.info("what was early is not there yet", source=place[0], tournament=tournament, error=str(error))


def _seconds_since(moment: str) -> float:
    """Return the seconds since the time of an event; 0 if that is invalid or in the future."""
    try:
        return max(0.0, time.time() - datetime.fromisoformat(moment).timestamp())
    except ValueError:
        return 0.0


def _chain_fault(event: Recorded) -> BrokenLog | None:
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
