"""Admission: what of a foreign event is looked at beside its chain, and where it goes when no copy takes it.

What is vouched for and from newer code, or too early, is not wrong: it waits. What else is looked at, whoever puts a
service together says, for messaging does not know the events. What is refused or has to wait is put aside in
quarantine, counted and logged; a flood of it is bounded.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from shared import metrics
from shared.eventlog.database import Database
from shared.eventlog.quarantine import FORK, put_aside
from shared.eventlog.read import log_page
from shared.eventlog.verify import Broken
from shared.events.recorded import Recorded
from shared.logs import RationedLogger
from shared.messaging.backoff import Allowance
from shared.messaging.errors import OwnerUnavailable
from shared.messaging.inbound_messages import printable
from shared.messaging.upstream_feed import UpstreamLog

ANNOUNCER = "registration"
"""Whose log makes a tournament known."""
FaultOf = Callable[[Recorded], Broken | None]
"""Why a copy must not take an event, as far as the event itself tells; None where it may."""
NEWER, EARLY = "newer", "early"
"""Origins of a case of quarantine that waits: for an upgrade, and for the announcement of its tournament."""
ASKED_A_MINUTE = 120
"""How often messages may make an owner be asked: for what misses before them, or whether they are the true ones. Who
sends thousands that do not fit must not make this service attack another; catch-up finds what is not asked for."""
KEPT_A_MINUTE = 120
"""How many refused events of messages are written to quarantine; each is a transaction."""
_log = RationedLogger("muster.messaging")


class NotYet(Broken):
    """An event that is true and cannot be taken yet. origin: NEWER or EARLY."""

    def __init__(self, event: Recorded, reason: str, origin: str) -> None:
        super().__init__(event, reason)
        self.origin = origin


def too_early(event: Recorded) -> NotYet:
    """The finding for the first event of a log whose tournament is not known here."""
    return NotYet(event, f"waits for the announcement of {event.tournament} by {ANNOUNCER}", EARLY)


class Aside:
    """Puts refused events of one database aside. logs: asked which of two events is the owner's."""

    def __init__(self, database: Database, logs: UpstreamLog) -> None:
        self._database = database
        self._logs = logs
        self._asking = Allowance(ASKED_A_MINUTE)
        self._keeping = Allowance(KEPT_A_MINUTE)

    def put(self, broken: Broken, origin: str, body: bytes) -> None:
        """Put an event aside. origin: "message", "owner" or FORK. body: the bytes that came; empty: made anew."""
        event, reason = broken.event, printable(broken.reason, 500)
        if isinstance(broken, NotYet):
            origin = broken.origin
        elif origin != FORK and self._is_fork(event, origin):
            origin = FORK
        if origin == "message" and not self._keeping.take():
            metrics.QUARANTINE_DROPPED.labels(event.source).inc()
        elif put_aside(self._database, event, reason, origin, body or msgspec.json.encode(event)):
            metrics.QUARANTINED.labels(event.source).inc()
            _log.error(
                "refused an event that cannot be true",
                source=event.source,
                tournament=printable(event.tournament),
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
            place = printable(f"{event.source} {event.tournament} {event.position}")
            _log.warning("cannot ask whose event is the true one", place=place, error=str(error))
            return False
        return owned is not None and owned != held[0].hash
