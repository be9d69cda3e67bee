"""In which order events of several logs stand in the feed: never before anything that their appender had seen. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256

import msgspec

BEGINNING = "0" * 32
"""The mark before the first event."""


class Waiting(msgspec.Struct, frozen=True, gc=False):
    """An event of one tournament that has no place yet. seen: source -> position that its appender had read."""

    source: str
    position: int
    time: str
    hash: str
    seen: Mapping[str, int]


def next_in_order(waiting: Iterable[Waiting], placed: Mapping[str, int]) -> list[Waiting]:
    """Those of a tournament's waiting events that can have their place now, in order.

    waiting: of each source in the order of its log. placed: source -> position up to which its log has places; an event
    that had seen more than that waits on, and what follows it in its log with it. What somebody had seen of a source
    that is not named there is passed over, since it never comes here.
    Of events that could both be next, the one that was appended earlier by its owner's clock is.
    """
    logs: dict[str, list[Waiting]] = {}
    for event in waiting:
        logs.setdefault(event.source, []).append(event)
    ends, found = dict(placed), []
    begun = dict.fromkeys(logs, 0)
    while ready := [
        log[begun[source]]
        for source, log in logs.items()
        if begun[source] < len(log) and _ready(log[begun[source]], ends)
    ]:
        event = min(ready, key=lambda event: (event.time, event.source))
        begun[event.source] += 1
        ends[event.source] = event.position
        found.append(event)
    return found


def mark_after(mark: str, hash: str) -> str:
    """The mark of a place: a digest of the mark before it and of the event there.

    So it stands for everything in the feed up to here, in this order, and for no other feed.
    """
    return sha256(f"{mark}{hash}".encode()).hexdigest()[:32]


def _ready(event: Waiting, ends: Mapping[str, int]) -> bool:
    others = ((source, position) for source, position in event.seen.items() if source != event.source)
    return all(position <= ends.get(source, position) for source, position in others)
