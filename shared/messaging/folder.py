"""The embedded broker: kombu's `filesystem` transport, between processes of one machine.

It loses what a killed process had taken; catch-up brings that. Added here: messages appear whole and in order, one
process declares at a time, and what nobody reads is bounded.
"""

# kombu has types for a part of itself only.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import fcntl
import os
import time
import zlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
from kombu.connection import Connection
from kombu.transport import filesystem, virtual
from kombu.utils.json import dumps

from shared.messaging.topology import DEAD_SUFFIX, FOLDER_MESSAGES, FOLDER_SECONDS, limits_of

DECLARING_SECONDS = 10.0
"""For the process that declares at the moment."""
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError, zlib.error)
"""Raised for a file that is no message; it is gone then."""
MESSAGE = ".msg"

_bindings = msgspec.json.Decoder(list[tuple[str, str, str]])


class _Bindings(virtual.BrokerState):
    """Bindings are in files that anybody may delete: a process does not believe what it has once declared."""

    def has_binding(self, queue: str, exchange: str, routing_key: str) -> bool:
        return False


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Write a message under another name first: of fifty that kombu writes, some are read too early, and lost."""
        file = Path(self.data_folder_out, f"{time.time_ns():020d}_{uuid4()}.{queue}{MESSAGE}")
        part = file.with_suffix(".part")
        try:
            part.write_text(dumps(payload))
            part.rename(file)
        except OSError:
            part.unlink(missing_ok=True)  # half of a message on a full disk
            raise


class Transport(filesystem.Transport):
    Channel = Channel

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        self.state = _Bindings()


def connection_to(folder: Path, poll_seconds: float) -> Connection:
    """Return a connection to the broker in a folder, which is made if it is missing."""
    queues, control = folder / "queues", folder / "control"
    for made in (queues, control):
        made.mkdir(parents=True, exist_ok=True)
    options: dict[str, Any] = {
        "data_folder_in": str(queues),
        "data_folder_out": str(queues),
        "control_folder": str(control),
        "polling_interval": poll_seconds,
    }
    return Connection(transport=Transport, transport_options=options)


@contextmanager
def declaring(folder: Path) -> Iterator[None]:
    """Let one process at a time declare: kombu reads a file of bindings and writes it again.

    Also delete what nobody reads, and files of bindings that a power cut left damaged.
    """
    folder.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + DECLARING_SECONDS
    with (folder / "declare.lock").open("w") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.01)
        for file in (folder / "control").glob("*.exchange"):
            try:
                _bindings.decode(file.read_bytes())
            except (msgspec.MsgspecError, ValueError):
                file.unlink()
        trim(folder / "queues")
        yield


def trim(queues: Path) -> None:
    """Delete the oldest messages of each queue beyond its bound, and those that nobody has read for long.

    Dead letters have no age: they wait for a person.
    """
    found: dict[str, list[tuple[float, str]]] = defaultdict(list)
    with suppress(FileNotFoundError), os.scandir(queues) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):
                found[entry.name.partition(".")[2]].append((entry.stat(follow_symlinks=False).st_mtime, entry.path))
    for queue, messages in found.items():
        name, now = queue.removesuffix(MESSAGE), time.time()
        most = min(limits_of(name)[0], FOLDER_MESSAGES)
        messages.sort(reverse=True)
        for number, (written, path) in enumerate(messages):
            if number >= most or (now - written > FOLDER_SECONDS and not name.endswith(DEAD_SUFFIX)):
                with suppress(OSError):
                    os.unlink(path)
