"""Events that answers show as they are in the log, past the state that was folded and verified."""

from __future__ import annotations

from collections.abc import Sequence

from shared.eventlog.mend import is_intact
from shared.events.recorded import Recorded
from shared.web.refusals import LogUnreadable


def intact(events: Sequence[Recorded]) -> Sequence[Recorded]:
    """Return the same events. Raises LogUnreadable at the first one that is not what was recorded."""
    for event in events:
        if not is_intact(event):
            raise LogUnreadable(f"The event {event.id} is damaged in this database.", event=event.id)
    return events
