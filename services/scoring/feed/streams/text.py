"""Server-sent events as text (the HTML standard, 9.2): what a stream of the feed says. Pure.

A block with an id and without data is no event to a browser, and still moves the place from which it comes back.
"""

from __future__ import annotations

from collections.abc import Iterable

import orjson

from services.scoring.feed.lines import Line

MEDIA_TYPE = "text/event-stream"
LAST_EVENT_ID = "Last-Event-ID"
"""Header in which a client that comes back sends the id of what it had last."""
PROBLEM = "problem"
"""Type of the event behind which the stream ends, and the client has to do something first."""
HEARTBEAT = b":\n\n"
"""A comment."""


def beginning(cursor: str, retry: int) -> bytes:
    """How a stream begins. cursor: where. retry: milliseconds until a client comes back that has lost it."""
    return f"retry: {retry}\n".encode() + place(cursor)


def place(cursor: str) -> bytes:
    """That all up to there is read: a comment for whoever counts silence, and an id."""
    return f":\nid: {cursor}\n\n".encode()


def events(lines: Iterable[Line]) -> bytes:
    """Events, one after the other. Their JSON has no line breaks, as `data` must not."""
    return b"".join(f"id: {line.cursor}\nevent: {line.type}\ndata: ".encode() + line.json + b"\n\n" for line in lines)


def problem(members: dict[str, object]) -> bytes:
    """Why the stream ends. members: of the problem. It has no id: the place of the client stays where it is."""
    return f"event: {PROBLEM}\ndata: ".encode() + orjson.dumps(members) + b"\n\n"
