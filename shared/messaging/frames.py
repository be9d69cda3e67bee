"""What a stranger may put into an AMQP message, made harmless before the client library reads it.

The consumer needs three things of a message: its delivery tag, its routing key and its body. The library would decode
much more: a header that is no UTF-8, a timestamp beyond the calendar, arrays nested a thousand deep, a body in the
encoding or compression that it claims to have. Each of these ends a worker, or keeps it busy for hours, before the
consumer has seen the message. So properties are left out unread, a routing key is made readable, and of a body that
is larger than any event no more than its beginning is kept.
"""

# kombu and amqp have types for a part of themselves only.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import re
from collections.abc import Callable
from struct import pack, unpack_from
from typing import Any

from amqp import spec
from amqp.method_framing import frame_handler

METHOD, HEADER, BODY = 1, 2, 3
NO_PROPERTIES = b"\0\0"

_UNREADABLE = re.compile(rb"[^ -~]")

Frame = tuple[int, int, Any]
OnFrame = Callable[[Frame], bool]


def harmless_frames(most: int) -> Callable[[Any, Any], OnFrame]:
    """A frame handler for `amqp.Connection`: messages without properties, bodies cut behind `most` bytes."""

    def handler(connection: Any, callback: Any) -> OnFrame:
        handle = frame_handler(connection, callback)
        wanted: dict[int, int] = {}  # channel -> bytes of the body that are still passed on
        coming: dict[int, int] = {}  # channel -> bytes of the body that are still to come

        def on_frame(frame: Frame) -> bool:
            kind, channel, buffer = frame
            if kind == METHOD and unpack_from(">HH", buffer, 0) == spec.Basic.Deliver:
                return bool(handle((kind, channel, readable_names(bytes(buffer)))))
            if kind == HEADER:
                class_id, size = unpack_from(">HxxQ", buffer, 0)
                coming[channel], wanted[channel] = size, min(size, most)
                return bool(handle((kind, channel, pack(">HxxQ", class_id, wanted[channel]) + NO_PROPERTIES)))
            if kind == BODY and channel in coming:
                kept = bytes(buffer[: wanted[channel]])
                wanted[channel] -= len(kept)
                coming[channel] -= len(buffer)
                if coming[channel] <= 0:
                    del coming[channel], wanted[channel]
                if kept:
                    return bool(handle((kind, channel, kept)))
                connection.bytes_recv += 1  # the rest of a body that is too large; it tells that the broker lives
                return False
            return bool(handle(frame))

        return on_frame

    return handler


def readable_names(deliver: bytes) -> bytes:
    """The arguments of basic.deliver with exchange and routing key in UTF-8, as the library insists they are.

    What is no UTF-8 becomes printable ASCII of the same length.
    """
    at = 4
    at += 1 + deliver[at]  # consumer tag
    at += 8 + 1  # delivery tag, redelivered
    names = []
    start = at
    for _ in range(2):
        length = deliver[at]
        name = deliver[at + 1 : at + 1 + length]
        names.append(bytes([length]) + _readable(name))
        at += 1 + length
    return deliver[:start] + b"".join(names) + deliver[at:]


def _readable(name: bytes) -> bytes:
    try:
        name.decode()
    except UnicodeDecodeError:
        return _UNREADABLE.sub(b"?", name)
    return name
