"""Admission: what of a foreign event is looked at beside its chain before a copy takes it.

What is vouched for and from newer code, or too early, is not wrong: it waits. What else is looked at, whoever puts a
service together says, for messaging does not know the events.
"""

from __future__ import annotations

from collections.abc import Callable

from shared.eventlog.verify import Broken
from shared.events.recorded import Recorded

ANNOUNCER = "registration"
"""Whose log makes a tournament known."""
FaultOf = Callable[[Recorded], Broken | None]
"""Why a copy must not take an event, as far as the event itself tells; None where it may."""
NEWER, EARLY = "newer", "early"
"""Origins of a case of quarantine that waits: for an upgrade, and for the announcement of its tournament."""


class NotYet(Broken):
    """An event that is true and cannot be taken yet. origin: NEWER or EARLY."""

    def __init__(self, event: Recorded, reason: str, origin: str) -> None:
        super().__init__(event, reason)
        self.origin = origin


def too_early(event: Recorded) -> NotYet:
    """The finding for the first event of a log whose tournament is not known here."""
    return NotYet(event, f"waits for the announcement of {event.tournament} by {ANNOUNCER}", EARLY)
