"""What a live stream says, as server-sent events (the HTML standard, 9.2). Pure.

Each message is named by what has changed. Its data says which games or players it is about, and within how many seconds
pages should come for it, so that a thousand of them do not come at once.
"""

from __future__ import annotations

import json

from services.console.live.kinds import Changes

MEDIA_TYPE = "text/event-stream"
HEARTBEAT = b":\n\n"
"""A comment: the connection stands."""
AWAY, BACK = "away", "back"
"""Types of messages beside the kinds of changes: nobody hears of changes now, and they are heard of again."""


def beginning(retry: int) -> bytes:
    """How a stream begins. retry: milliseconds until a page comes back that has lost it."""
    return f"retry: {retry}\n:\n\n".encode()


def changed(changes: Changes, within: float) -> bytes:
    """A message for each kind. within: seconds over which those who hear it should spread."""
    return b"".join(_message(kind, within, ids) for kind, ids in changes.of.items())


def state(stands: bool, within: float) -> bytes:
    """Whether changes are heard of."""
    return _message(BACK if stands else AWAY, within, None)


def _message(type: str, within: float, ids: set[str] | None) -> bytes:
    data = {"within": round(within, 1)} | ({"ids": sorted(ids)} if ids is not None else {})
    return f"event: {type}\ndata: {json.dumps(data)}\n\n".encode()
