"""Damage detection: the scrub verifies a few events at a time in the background; fsck checks everything at once.

Events are verified when they arrive and when they are folded. Cached states and snapshots are not folded again, so only
the scrub detects damage to an event that was folded before.

fsck changes nothing. Each finding names its repair: a recovery for the own log and its feed, a recopy for a copy, a
rebuild for data computed from logs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Annotated

from shared.log.copies import DAMAGED, close_cases, last_recopy, quarantine_unreadable
from shared.log.database import Connection, Database
from shared.log.event import EMPTY_HEAD, Head, event_id
from shared.log.log import BrokenLog, head_mismatch, verify
from shared.log.outbox import feed_fault
from shared.log.reading import head_of, log_page
from shared.logs import get_logger
from shared.service.rebuild import ReadModel, rebuild
from shared.service.wiring import Service
from shared.shapes import View

EVENTS_A_TURN = 200
"""Most events that one turn reads; a log counts as at least one event."""
ROUND_SECONDS = 3600.0
"""Pause between two rounds over all logs."""

_log = get_logger("muster.handling")


class Scrub:
    """Verification of every log of a database, round after round. Each turn resumes where the last one stopped."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._due = 0.0
        self._logs: list[tuple[str, str, Head]] = []
        self._verified = EMPTY_HEAD
        self._recopied = 0

    def turn(self, events: int = EVENTS_A_TURN) -> list[BrokenLog]:
        """Verify at most this many events. Return the first fault of each damaged log.

        A fault opens a quarantine case; a log without faults closes its case.
        """
        if not self._logs:
            if time.monotonic() < self._due:
                return []
            self._begin_round()
        faults = []
        while self._logs and events > 0:
            read, broken = self._verify_page(events)
            events -= max(1, read)
            if broken is not None:
                faults.append(broken)
        if not self._logs:
            self._due = time.monotonic() + ROUND_SECONDS
        return faults

    def whole_round(self) -> list[BrokenLog]:
        """Verify every log from its first event."""
        self._begin_round()
        faults = []
        while self._logs:
            faults += self.turn()
        return faults

    def _begin_round(self) -> None:
        with self._database.reading() as connection:
            rows = connection.rows("SELECT source, tournament FROM heads ORDER BY tournament DESC, source DESC")
            self._logs = [(source, tournament, EMPTY_HEAD) for source, tournament in rows]
            self._begin_log(connection)

    def _begin_log(self, connection: Connection) -> None:
        self._verified = EMPTY_HEAD
        if self._logs:
            source, tournament, _ = self._logs[-1]
            self._recopied = last_recopy(connection, tournament)
            self._logs[-1] = (source, tournament, head_of(connection, source, tournament))

    def _verify_page(self, events: int) -> tuple[int, BrokenLog | None]:
        """Verify the next events of the current log. Return their number, and the fault if there is one."""
        source, tournament, head = self._logs[-1]
        broken = None
        with self._database.reading() as connection:
            remaining = head.position - self._verified.position
            page = log_page(connection, source, tournament, self._verified.position, min(events, max(0, remaining)))
            try:
                self._verified = verify(page, self._verified)
                if not page and self._verified != head:
                    raise head_mismatch(source, tournament, self._verified, head)
            except BrokenLog as error:
                if last_recopy(connection, tournament) != self._recopied:
                    self._begin_log(connection)  # the copy was replaced meanwhile: verify the new one
                    return len(page), None
                broken = error
        if broken is not None:
            self._note(source, tournament, broken)
        elif self._verified == head:
            self._close(source, tournament)
        if broken is not None or self._verified == head:
            self._logs.pop()
            with self._database.reading() as connection:
                self._begin_log(connection)
        return len(page), broken

    def _note(self, source: str, tournament: str, broken: BrokenLog) -> None:
        if quarantine_unreadable(self._database, source, tournament, broken.event.position, broken.reason, DAMAGED):
            _log.error("an event is damaged", source=source, tournament=tournament, reason=str(broken))

    def _close(self, source: str, tournament: str) -> None:
        with self._database.reading() as connection:
            noted = connection.value(
                "SELECT count(*) FROM quarantine WHERE source = :source AND tournament = :id AND origin = :origin",
                source=source,
                id=tournament,
                origin=DAMAGED,
            )
        if noted:
            with self._database.writing() as connection:
                close_cases(connection, source, tournament, [DAMAGED])


RECOVER, RECOPY, REBUILD, LOOK = "recover", "recopy", "rebuild", "look"


class Finding(View, frozen=True, kw_only=True):
    """A damaged item and its repair."""

    what: Annotated[str, "log, copy, feed, owner, memory, snapshot, or the name of a read model."]
    source: Annotated[str, "The service whose log it belongs to."]
    tournament: Annotated[str, "Empty for the feed."]
    where: Annotated[str, "The id of the event, the feed position, or a JSON pointer."]
    reason: str
    remedy: Annotated[str, "recover, recopy or rebuild; look: no command repairs it."]


class Checked(View, frozen=True, kw_only=True):
    """The result of a check."""

    tournaments: int
    events: int
    findings: list[Finding]


def check(service: Service, read_models: Sequence[ReadModel]) -> Checked:
    """Check logs, copies, heads, feed, outbox, snapshots and read models. Damaged events open cases for /readyz."""
    findings = [*_damaged_events(service), *_stray_events(service), *_feed_findings(service), *_owner_findings(service)]
    rebuilt = rebuild(service, read_models, dry_run=True)
    places = {finding.where for finding in findings}
    own = service.sources[0]
    irreparable = {"log", *(check.table for check in service.table_checks if check.repair is None)}
    for difference in rebuilt.differences:
        what, where = difference.what, difference.where
        if what == "log" and where in places:
            continue
        reason = f"{difference.found}, expected {difference.expected}"
        remedy = LOOK if what in irreparable else REBUILD
        findings.append(
            Finding(what=what, source=own, tournament=difference.tournament, where=where, reason=reason, remedy=remedy)
        )
    with service.database.reading() as connection:
        events = connection.value("SELECT count(*) FROM events")
    return Checked(tournaments=rebuilt.tournaments, events=events, findings=findings)


def _event_finding(service: Service, source: str, tournament: str, position: int, reason: str) -> Finding:
    """Return the finding for an event. An unknown source is a corrupt name in a row of any log."""
    is_copy = source in service.sources[1:]
    return Finding(
        what="copy" if is_copy else "log",
        source=source,
        tournament=tournament,
        where=event_id(source, tournament, position),
        reason=reason,
        remedy=RECOPY if is_copy else RECOVER,
    )


def _damaged_events(service: Service) -> Iterator[Finding]:
    for broken in Scrub(service.database).whole_round():
        event = broken.event
        yield _event_finding(service, event.source, event.tournament, event.position, broken.reason)


def _stray_events(service: Service) -> Iterator[Finding]:
    """Yield the events that belong to no log: their position is after the head, or there is no head."""
    with service.database.reading() as connection:
        rows = connection.rows("SELECT source, tournament, position FROM events")
        # Read the heads after the events, so that no head is older than its events.
        heads = {log[:2]: log[2] for log in connection.rows("SELECT source, tournament, position FROM heads")}
    for source, tournament, position in sorted(rows):
        if position > heads.get((source, tournament), 0):
            yield _event_finding(service, source, tournament, position, "the head of no log leads to it")


def _feed_findings(service: Service) -> Iterator[Finding]:
    own = service.sources[0]
    with service.database.writing() as connection:
        fault = feed_fault(connection, own)
    if fault is not None:
        yield Finding(
            what="feed",
            source=own,
            tournament="",
            where=str(fault.feed),
            reason=fault.reason,
            remedy=RECOVER if fault.feed else LOOK,
        )


def _owner_findings(service: Service) -> Iterator[Finding]:
    """Check the row that tells the database triggers which log is the own one."""
    own = service.sources[0]
    with service.database.reading() as connection:
        rows = connection.rows("SELECT source FROM owner")
    if rows != [(own,)]:
        named = ", ".join(str(row[0]) for row in rows) or "nothing"
        yield Finding(what="owner", source=own, tournament="", where="owner", reason=f"it says {named}", remedy=LOOK)
