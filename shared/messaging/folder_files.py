"""The files of the embedded broker, which anybody may have written: read without waiting and without trust, set aside,
and kept within bounds of number and bytes.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import time
from base64 import b64decode, b64encode
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from shared.messaging.wire import LARGEST_MESSAGE

LARGEST_FILE = LARGEST_MESSAGE * 4 // 3 + 16 * 1024
"""Bytes of a message in a file: its body in base64, and what stands around it."""
LARGEST_BINDINGS = 1024 * 1024
ASIDE_FILES = 200
"""Files that are no messages are kept to be looked at: the last so many, and of each no more than its beginning."""
ASIDE_BYTES = 64 * 1024
ABANDONED_SECONDS = 3600.0
"""A file whose writer was killed before it got its name."""
SHORT_OF_MEANS = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EINTR}
"""Not the file's fault."""

_number = count()
_set_aside = count()


class NoMessage(ValueError):
    """What lies there is no message, or no file that can be read at once."""


class _Address(msgspec.Struct, frozen=True):
    exchange: str
    routing_key: str


class _Properties(msgspec.Struct, frozen=True):
    delivery_info: _Address
    body_encoding: str
    message_id: str | None = None


class _Message(msgspec.Struct, frozen=True, rename={"content_type": "content-type"}):
    properties: _Properties
    body: str | None = None
    content_type: str | None = None
    headers: dict[str, Any] | None = None


_message = msgspec.json.Decoder(_Message)
_bindings = msgspec.json.Decoder(list[tuple[str, str, str]])


def read_whole(file: Path, most: int) -> bytes:
    """The bytes of a regular file. Raises FileNotFoundError; NoMessage for a link, a pipe, a folder, a file that may
    not be read or has more than `most` bytes; OSError where this process lacks the means."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise NoMessage("no regular file")
            if found.st_size > most:
                raise NoMessage(f"{found.st_size} bytes; {most} at most are expected")
            with os.fdopen(os.dup(descriptor), "rb") as stream:
                return stream.read(most)
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        raise
    except OSError as error:
        if error.errno in SHORT_OF_MEANS:
            raise
        raise NoMessage(f"{type(error).__name__}: {error.strerror}") from error


def message_in(text: bytes) -> dict[str, Any]:
    """The message in a file, as kombu's virtual channels hold one, made of nothing but what was expected there.

    Headers are texts; one that asks for the body to be decompressed is left out. Raises NoMessage.
    """
    try:
        found = _message.decode(text)
        if found.properties.body_encoding != "base64":
            raise NoMessage("its body is not in base64")
        body = b64decode(found.body or "", validate=True)
    except NoMessage:
        raise
    except Exception as error:  # whatever reading the bytes of a stranger may raise
        raise NoMessage(f"{type(error).__name__}: {error}") from error
    headers = {name: value for name, value in (found.headers or {}).items() if isinstance(value, str)}
    headers.pop("compression", None)
    address = {
        "exchange": found.properties.delivery_info.exchange,
        "routing_key": found.properties.delivery_info.routing_key,
    }
    return {
        "body": b64encode(body).decode(),
        "content-encoding": None,
        "content-type": found.content_type,
        "headers": headers,
        "properties": {
            "body_encoding": "base64",
            "delivery_info": address,
            "delivery_tag": f"{os.getpid()}.{next(_number)}",
            "message_id": found.properties.message_id,
        },
    }


def bindings_in(text: bytes) -> list[tuple[str, str, str]]:
    """The bindings in a control file: routing key, pattern, queue. Raises NoMessage."""
    try:
        return _bindings.decode(text)
    except Exception as error:
        raise NoMessage(f"{type(error).__name__}: {error}") from error


def set_aside(file: Path, aside: Path, name: str) -> bool:
    """Move what is no message to the folder `aside`, cut, and keep that folder within its bounds; where that cannot be
    done, remove it. Returns whether it is out of the way."""
    try:
        aside.mkdir(exist_ok=True)
        place = aside / name[:200]
        if place.exists() or place.is_symlink():
            place = aside / f"{name[:170]}.{time.time_ns()}"
        file.rename(place)
        if place.is_file() and not place.is_symlink() and place.stat().st_size > ASIDE_BYTES:
            os.truncate(place, ASIDE_BYTES)
        if next(_set_aside) % (ASIDE_FILES // 4) == 0:  # to list a full folder costs more than to move a file into it
            drop_oldest(aside, ASIDE_FILES, ASIDE_FILES * ASIDE_BYTES)
    except FileNotFoundError:
        return True  # somebody was faster
    except OSError:
        return remove(file)
    return True


def remove(file: Path) -> bool:
    """Remove a file, a link, or a folder with what is in it; returns whether it is gone."""
    try:
        if file.is_dir() and not file.is_symlink():
            shutil.rmtree(file)
        else:
            file.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def drop_oldest(folder: Path, most: int, most_bytes: int) -> int:
    """Remove the oldest files of a folder, by their names or where those are no times by their age, until no more than
    so many files and bytes are left; returns how many were removed."""
    now, found = time.time(), []
    with os.scandir(folder) as entries:
        for entry in entries:
            try:
                facts = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            if not entry.name.startswith("."):
                found.append((facts.st_mtime, entry.name, facts.st_size))
            elif now - facts.st_mtime > ABANDONED_SECONDS:
                remove(folder / entry.name)
    found.sort(reverse=True)
    kept, size, dropped = 0, 0, 0
    for _, name, bytes_ in found:
        kept, size = kept + 1, size + bytes_
        if kept > most or size > most_bytes:
            dropped += remove(folder / name)
    return dropped
