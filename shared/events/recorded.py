"""A recorded event: one row of a log, and the bytes that its hash is made of."""

from __future__ import annotations

from hashlib import sha256

import msgspec
import orjson

from shared.refusals import Refusal

GENESIS = "0" * 64
"""`prev_hash` of the first event of every log."""
LARGEST_EVENT = 256 * 1024
"""Bytes of canonical data, and of a command, that one event may hold; larger things are pages, appended together."""


class EventTooLarge(Refusal):
    """An event would exceed 256 KB; the request holds more than one statement should."""

    code = "event-too-large"


def size_of(text: str) -> int:
    """Bytes of a text of an event."""
    return len(text) if text.isascii() else len(text.encode())


class Envelope(msgspec.Struct, frozen=True, gc=False):
    """What everybody may see of an event.

    position: 1, 2, 3 … in its `(source, tournament)` without gaps. time: RFC 3339, UTC, milliseconds.
    seen: canonical JSON as text, exactly what was hashed. prev_hash, hash: 64 lower-case hex digits.
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


class Recorded(Envelope, frozen=True, gc=False):
    """One event as it stands in a log; never changed once appended.

    data: canonical JSON as text. command: on the first event of a command, what was asked for, as canonical JSON
    (`command_record.py`); else empty. salt: 32 random hex digits, so that nobody guesses what is hidden.
    """

    salt: str
    data: str
    command: str = ""


class Hidden(Envelope, frozen=True, gc=False):
    """An event of which the envelope alone is shown. content: the digest of what is not."""

    content: str


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


def content_hash(salt: str, data: str, command: str) -> str:
    """SHA-256 over what an event holds, in hex: salt, data and command, a line each."""
    return sha256(f"{salt}\n{data}\n{command}".encode()).hexdigest()


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
    content: str,
) -> str:
    """SHA-256 over the previous hash and the canonical JSON of the envelope with `content`, in hex.

    The object is put together from members in RFC 8785 order; `seen` is canonical already and goes in as it is.
    """
    if not _plain(actor + command_id + id + source + time + tournament + type):
        actor, command_id, id, source, time, tournament, type = map(
            _escaped, (actor, command_id, id, source, time, tournament, type)
        )
    text = (
        f'{prev_hash}{{"actor":"{actor}","command_id":"{command_id}",'
        f'"content":"{content}","id":"{id}","position":{position},"seen":{seen},"source":"{source}",'
        f'"time":"{time}","tournament":"{tournament}","type":"{type}","version":{version}}}'
    )
    return sha256(text.encode()).hexdigest()


def content_of(event: Recorded | Hidden) -> str:
    """The digest of what an event holds."""
    return event.content if isinstance(event, Hidden) else content_hash(event.salt, event.data, event.command)


def hidden(event: Recorded) -> Hidden:
    """What is shown of an event to somebody who may not see what it holds."""
    envelope = {name: getattr(event, name) for name in Envelope.__struct_fields__}
    return Hidden(**envelope, content=content_of(event))


def hash_of(event: Recorded | Hidden) -> str:
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
        content_of(event),
    )


def _plain(text: str) -> bool:
    """Whether RFC 8785 writes a text as it is: printable ASCII without quotes and backslashes."""
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text


def _escaped(text: str) -> str:
    """A text as RFC 8785 writes it between quotes."""
    return orjson.dumps(text)[1:-1].decode()
