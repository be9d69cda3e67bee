"""A recorded event: one row of a log, and the bytes that its hash is made of."""

from __future__ import annotations

from hashlib import sha256

import msgspec
import orjson

from shared.refusals import Refusal

GENESIS = "0" * 64
"""`prev_hash` of the first event of every log."""
LARGEST_EVENT = 256 * 1024
"""Bytes of canonical data that one event may hold; larger things are pages, appended together."""
LARGEST_COMMAND = 4 * 1024 * 1024
"""Bytes of a command on its first event. A command is one statement and has no pages: a round of 5,000 pairings that is
published has a megabyte. A message with more could pass the 16 MiB that RabbitMQ takes by default.
"""


class EventTooLarge(Refusal):
    """An event would exceed 256 KB, or its command 4 MB; the request holds more than one statement should."""

    code = "event-too-large"


def size_of(text: str) -> int:
    """Bytes of a text of an event."""
    return len(text) if text.isascii() else len(text.encode())


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """One event of a log; never changed once appended.

    position: 1, 2, 3 … in its `(source, tournament)` without gaps. time: RFC 3339, UTC, milliseconds.
    actor, seen, data: canonical JSON as text, exactly what was hashed (actor: `actors.py`). prev_hash, hash: 64
    lower-case hex digits. command: on the first event of a command, what was asked for, as canonical JSON
    (`command_record.py`); else empty.
    """

    source: str
    tournament: str
    position: int
    id: str
    type: str
    version: int
    time: str
    actor: str
    command_id: str
    seen: str
    prev_hash: str
    hash: str
    data: str
    command: str = ""


class Head(msgspec.Struct, frozen=True, gc=False):
    """How far a log reaches: its last position and hash; position 0 with the genesis hash when empty."""

    position: int = 0
    hash: str = GENESIS


EMPTY = Head()


_seen = msgspec.json.Decoder(dict[str, int])


def seen_of(text: str) -> dict[str, int]:
    """What `seen` of an event says: source -> position. Raises msgspec.MsgspecError where it says something else."""
    return _seen.decode(text)


def event_id(source: str, tournament: str, position: int) -> str:
    """The id of the event at a place; unique because a place holds one event for ever."""
    return f"{tournament}.{source}.{position}"


def chain_hash(
    prev_hash: str,
    source: str,
    tournament: str,
    position: int,
    id: str,
    type: str,
    version: int,
    time: str,
    actor: str,
    command_id: str,
    seen: str,
    data: str,
    command: str,
) -> str:
    """Return the SHA-256 of the previous hash and the canonical JSON of the event, in hex.

    The object is put together from its members in RFC 8785 order; `actor`, `command`, `data` and `seen` are canonical
    already. An event without a command has no such member.
    """
    if not _plain(command_id + id + source + time + tournament + type):
        command_id, id, source, time, tournament, type = map(_escaped, (command_id, id, source, time, tournament, type))
    asked = f'"command":{command},' if command else ""
    text = (
        f'{prev_hash}{{"actor":{actor},{asked}"command_id":"{command_id}","data":{data},"id":"{id}",'
        f'"position":{position},"seen":{seen},"source":"{source}","time":"{time}","tournament":"{tournament}",'
        f'"type":"{type}","version":{version}}}'
    )
    return sha256(text.encode()).hexdigest()


def hash_of(event: Recorded) -> str:
    """The hash that an event's own members give; equal to `event.hash` unless something was changed."""
    return chain_hash(
        event.prev_hash,
        event.source,
        event.tournament,
        event.position,
        event.id,
        event.type,
        event.version,
        event.time,
        event.actor,
        event.command_id,
        event.seen,
        event.data,
        event.command,
    )


def _plain(text: str) -> bool:
    """Whether RFC 8785 writes a text as it is: printable ASCII without quotes and backslashes."""
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text


def _escaped(text: str) -> str:
    """A text as RFC 8785 writes it between quotes."""
    return orjson.dumps(text)[1:-1].decode()
