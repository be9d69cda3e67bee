"""What the relay is told of events that are hidden at first: which they are, and what opens them.

The whole of a hidden event goes to the queues of services alone. Everybody else gets its envelope at its place, and
the event itself behind the one that opens it.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from shared.eventlog.database import Connection
from shared.events.recorded import Recorded


class Hiding(msgspec.Struct, frozen=True):
    """is_hidden: whether an event is hidden at first. opened_by: the hidden events that an event opens, in order."""

    is_hidden: Callable[[Recorded], bool] = lambda event: False
    opened_by: Callable[[Connection, Recorded], list[Recorded]] = lambda connection, event: []


NOTHING_HIDDEN = Hiding()


class _Marks(msgspec.Struct, frozen=True, gc=False):
    content: str = ""
    openedby: str = ""


def is_for_others(body: bytes) -> bool:
    """Whether a message is for those alone who are not told everything at once: an envelope, or an event repeated.

    A service copies nothing from it, since the event came whole and at its place.
    """
    if b'"openedby"' not in body and b'"content"' not in body:
        return False
    try:
        marks = msgspec.json.decode(body, type=_Marks)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return False
    return bool(marks.content or marks.openedby)
