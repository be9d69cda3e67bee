"""Intake: what arrives, by message or by feed, becomes verified copies; each
arrival gets its fate (arrivals.py).

The cursor of a source moves in the transaction of the copies, and only over feed positions without a hole. So it
is the durable note that something misses; that is why a message that waits may be acknowledged.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Sequence
from math import inf

import msgspec
import structlog
from sqlalchemy import Connection

from shared import metrics
from shared.events.cloudevents import routing_key
from shared.events.recorded import Recorded
from shared.log.cursors import cursor_of, move_cursor
from shared.log.database import Database
from shared.log.quarantine import put_aside
from shared.log.read import head_of, log_page
from shared.log.replicate import Outcome, Verdict, accept_all
from shared.log.verify import Broken
from shared.messaging.arrivals import Arrival, Fate, event_of, in_runs
from shared.messaging.errors import OwnerUnavailable
from shared.messaging.wire import NotAnEvent, read_line

Fetch = Callable[[str, str, int], list[Recorded]]
OnAccepted = Callable[[str, str], None]

HEALING_SECONDS = 5.0
"""How long one batch may spend on fetching what misses; then the sweep takes over, so that a consumer that has to
keep its broker's heartbeat is never away for long."""
AHEAD = 100_000
"""Feed positions remembered beyond a hole; when it stays open for longer, the sweep has to read them anyway."""

_log = structlog.get_logger("muster.messaging")


class Intake:
    """Accepts foreign events into one database; used by consumer and sweep at once.

    sources: whose events are copied. fetch: the next events of a log behind a position, from its owner.
    on_accepted(tournament, source): called after copies have committed; a hint that may be lost with the process.
    """

    def __init__(
        self, database: Database, sources: Collection[str], fetch: Fetch, on_accepted: OnAccepted | None = None
    ) -> None:
        self.database = database
        self.sources = frozenset(sources)
        self._fetch = fetch
        self._on_accepted = on_accepted
        self._ahead: dict[str, set[int]] = {source: set() for source in sources}
        self._lock = threading.Lock()

    def take(self, arrivals: Sequence[Arrival], source: str = "") -> None:
        """Copy what arrived, in one transaction where nothing is wrong, and write each arrival's fate into it.

        source: where the arrivals are the owner's own feed, whose it is. Raises the database's errors; then nothing
        was decided.
        """
        again = self._accept(in_runs([arrival for arrival in arrivals if self._read(arrival, source)]))
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
            events = self._fetch(source, tournament, head.position)
            if not events:
                return True
            first = events[0]
            if (first.source, first.tournament, first.position) != (source, tournament, head.position + 1):
                raise OwnerUnavailable(f"{source} answered for {tournament} behind {head.position} with {first.id}")
            verdict = accept_all(self.database, [events])[0]
            if isinstance(verdict, Broken):
                good = events[: next(index for index, event in enumerate(events) if event is verdict.event)]
                if good and accept_all(self.database, [good])[0] is Outcome.ACCEPTED:
                    self._tell(source, tournament)
                self._put_aside(verdict, "owner", b"")
                return False
            self._tell(source, tournament)
            if time.monotonic() > until:
                return True

    def _read(self, arrival: Arrival, source: str) -> bool:
        try:
            event, arrival.feed = read_line(arrival.body)
            if event.source not in self.sources or (source and event.source != source):
                raise NotAnEvent(f"events of {event.source!r} do not belong here")
            if arrival.address and arrival.address != routing_key(event):
                raise NotAnEvent(f"addressed as {arrival.address!r}, it is {routing_key(event)!r}")
        except NotAnEvent as error:
            arrival.fate, arrival.reason = Fate.POISON, str(error)
            _count("unknown", "poison")
            _log.error("not an event for us", reason=arrival.reason, address=arrival.address)
            return False
        arrival.event = event
        return True

    def _accept(self, runs: list[list[Arrival]]) -> list[list[Arrival]]:
        """Copy what can be copied at once; returns the runs that need a closer look."""
        if not runs:
            return []

        verdicts = self._write(runs)
        again = []
        for run, verdict in zip(runs, verdicts, strict=True):
            first = event_of(run[0])
            if isinstance(verdict, Broken):
                again.append(run)
                continue
            _count(first.source, verdict.value, len(run))
            if verdict is Outcome.GAP:
                again.append(run)
                continue
            for arrival in run:
                arrival.fate = Fate.COPIED
            if verdict is Outcome.ACCEPTED:
                self._tell(first.source, first.tournament)
        return again

    def _settle(self, run: list[Arrival], origin: str, away: set[str], until: float) -> None:
        """A run behind a gap, or with something in it that does not hold: fetch what misses, then one by one.

        away: sources whose owner did not answer a moment ago; it is not asked again for every log.
        """
        event = event_of(run[0])
        sound = True
        if event.source not in away and time.monotonic() < until:
            try:
                sound = self.backfill(event.source, event.tournament, until)
            except OwnerUnavailable as error:
                away.add(event.source)
                _log.warning("gaps stay open", source=event.source, tournament=event.tournament, error=str(error))
        for arrival in run:
            event = event_of(arrival)
            verdict = self._write([[arrival]])[0]
            if isinstance(verdict, Broken):
                arrival.fate, arrival.reason = Fate.TAMPERED, verdict.reason
                self._put_aside(verdict, origin, arrival.body)
            elif verdict is Outcome.GAP:
                arrival.fate = Fate.WAITING if sound else Fate.BLOCKED
            else:
                arrival.fate = Fate.COPIED
                if verdict is Outcome.ACCEPTED:
                    self._tell(event.source, event.tournament)

    def _write(self, runs: list[list[Arrival]]) -> list[Verdict]:
        """Copies and cursors in one transaction; what is remembered of the feed changes only when it has committed."""
        ahead: dict[str, set[int]] = {}

        def also(connection: Connection, verdicts: Sequence[Verdict]) -> None:
            for run, verdict in zip(runs, verdicts, strict=True):
                if verdict in _COPIED:
                    source = event_of(run[0]).source
                    places = ahead.setdefault(source, set(self._ahead[source]))
                    places.update(arrival.feed for arrival in run if arrival.feed is not None)
            for source, places in ahead.items():
                ahead[source] = _move(connection, source, places)

        with self._lock:
            verdicts = accept_all(self.database, [[event_of(arrival) for arrival in run] for run in runs], also)
            self._ahead.update(ahead)
        return verdicts

    def _put_aside(self, broken: Broken, origin: str, body: bytes) -> None:
        event = broken.event
        if self._is_fork(event, origin):
            origin = "fork"
        if put_aside(self.database, event, broken.reason, origin, body or msgspec.json.encode(event)):
            metrics.QUARANTINED.labels(event.source).inc()
            _log.error(
                "refused an event that cannot be true",
                source=event.source,
                tournament=event.tournament,
                position=event.position,
                reason=broken.reason,
                origin=origin,
            )
        _count(event.source, "tampered")

    def _is_fork(self, event: Recorded, origin: str) -> bool:
        """Whether the copy holds another event at this place than the owner does: somebody else's was copied.

        A message is no proof of that, for it may be the false one; then its owner is asked.
        """
        place = (event.source, event.tournament, event.position - 1)
        with self.database.reading() as connection:
            held = log_page(connection, *place, limit=1)
        if not held:
            return False
        if origin == "owner":
            return held[0].hash != event.hash
        try:
            owned = self._fetch(*place)
        except OwnerUnavailable as error:
            _log.warning("cannot ask whose event is the true one", place=place, error=str(error))
            return False
        return bool(owned) and owned[0].hash != held[0].hash

    def _tell(self, source: str, tournament: str) -> None:
        if self._on_accepted is None:
            return
        try:
            self._on_accepted(tournament, source)
        except Exception:
            # The copy is committed and the hint may be lost anyway; a fault in who hears it must not stop copying.
            _log.exception("on_accepted failed", source=source, tournament=tournament)


_COPIED = (Outcome.ACCEPTED, Outcome.DUPLICATE)


def _move(connection: Connection, source: str, places: set[int]) -> set[int]:
    """Move the cursor over the feed positions that follow it without a hole; returns those beyond the next hole."""
    start = cursor = cursor_of(connection, source)
    while cursor + 1 in places:
        cursor += 1
    if cursor > start:
        move_cursor(connection, source, cursor)
    beyond = {place for place in places if place > cursor}
    return beyond if len(beyond) <= AHEAD else set()


def _count(source: str, outcome: str, number: int = 1) -> None:
    metrics.CONSUMER_OUTCOMES.labels(source, outcome).inc(number)
