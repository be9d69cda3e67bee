"""The embedded broker: kombu's filesystem transport, with some things put right for more than one process.

- A message appears whole: it is written under another name and renamed. (kombu's own is sometimes read half.)
- Messages of one publisher come in order: names start with nanoseconds. (kombu's own: milliseconds, then random.)
- A queue is a folder, listed once for many messages. (kombu's own lists every queue's files for each message.)
- Bindings appear whole, and are made again where their file is gone. (kombu's own truncates the file first, fails
  for ever on one that was left empty, and believes what the process has once written.)
- Whatever lies in its folders that is no message of ours is set aside, and a folder that nobody reads is bounded.

Bindings are files in the control folder, shared by all processes. A message is gone from the disk once it is received:
what a process held when it was killed is found again by catch-up, not here.
"""

# kombu has types for a part of itself only.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import fcntl
import os
import re
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import filesystem, virtual
from kombu.utils.json import dumps

from shared.logs import RationedLogger
from shared.messaging.folder_files import (
    LARGEST_BINDINGS,
    LARGEST_FILE,
    NoMessage,
    bindings_in,
    drop_oldest,
    message_in,
    read_whole,
    set_aside,
)
from shared.messaging.topology import limits_of

LOOKED_AT = 500
"""After so many messages put into a queue, or so many bytes, its bounds are looked at."""
LOOKED_AT_BYTES = 8 * 1024 * 1024
DECLARING_SECONDS = 10.0
"""For the process that declares at the moment."""
ASIDE = "undecodable"

_QUEUE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}", re.ASCII)
_number = count()
_log = RationedLogger("muster.messaging")


class UndecodableMessage(Exception):
    """What lies in a queue's folder is no message; it was moved to the folder `undecodable` beside the queues."""


class QoS(virtual.QoS):
    """What was received and not acknowledged; where it cannot be put back (the disk is full) catch-up finds it."""

    def restore_unacked(self) -> list[Any]:
        """Put it back into its queues; kombu's own would write what is left into a temporary file."""
        if lost := super().restore_unacked():
            _log.error("messages could not be put back into their queues", number=len(lost), error=str(lost[0][0]))
        return []


class Channel(filesystem.Channel):
    """A channel on a folder: `queues/<name>/` for messages, `control/` for bindings."""

    QoS = QoS

    def __init__(self, connection: Any, **kwargs: Any) -> None:
        super().__init__(connection, **kwargs)
        self._listed: dict[str, deque[str]] = {}
        self._stuck: set[str] = set()
        self._put_since: dict[str, tuple[int, int]] = {}

    @property
    def _root(self) -> Path:
        return Path(self.transport_options["folder"])

    def _folder(self, queue: str) -> Path:
        return self._root / "queues" / queue

    def _new_queue(self, queue: str, **kwargs: Any) -> None:
        folder = self._folder(queue)
        if not folder.is_dir() and (folder.exists() or folder.is_symlink()):
            set_aside(folder, self._root / ASIDE, f"queues.{queue}")
        folder.mkdir(parents=True, exist_ok=True)

    def _has_queue(self, queue: str, **kwargs: Any) -> bool:
        return self._folder(queue).is_dir()

    def queue_bind(
        self, queue: str, exchange: str | None = None, routing_key: str = "", arguments: Any = None, **kwargs: Any
    ) -> None:
        if self.state.has_binding(queue, exchange, routing_key):
            self._queue_bind(exchange, *self.typeof(exchange).prepare_bind(queue, exchange, routing_key, arguments))
        else:
            super().queue_bind(queue, exchange, routing_key, arguments, **kwargs)

    def get_table(self, exchange: Any) -> list[Any]:
        try:
            found = bindings_in(read_whole(self._exchange_file(exchange), LARGEST_BINDINGS))
        except (FileNotFoundError, NoMessage):  # nothing is bound yet, or a power cut or somebody else left rubbish
            return []
        kind = self.typeof(exchange)
        # The pattern is made from the key again, and a key with many wildcards takes for ever to match.
        return [
            kind.prepare_bind(queue, exchange, key, None)
            for key, _, queue in found
            if _QUEUE.fullmatch(queue) and len(key) < 256 and key.count("#") < 3
        ]

    def _queue_bind(self, exchange: Any, routing_key: str, pattern: Any, queue: str) -> None:
        """Add a binding to the file of its exchange; callers are inside `declaring`."""
        bound = [(key or "", form or "", name or "") for key, form, name in self.get_table(exchange)]
        binding = (routing_key or "", pattern or "", queue or "")
        if binding in bound:
            return
        file = self._exchange_file(exchange)
        if file.is_dir() or file.is_symlink():
            set_aside(file, self._root / ASIDE, f"control.{file.name}")
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f".{file.name}")
        part.write_text(dumps([binding, *bound]))
        part.replace(file)

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        folder = self._folder(queue)
        name = f"{time.time_ns():020d}.{os.getpid()}.{next(_number)}"
        part, text = folder / f".{name}", dumps(payload)
        self._bound(queue, len(text))
        try:
            try:
                part.write_text(text)
            except FileNotFoundError:  # bound, and deleted since
                self._new_queue(queue)
                part.write_text(text)
            part.rename(folder / name)
        except OSError:
            with suppress(OSError):  # half of a message on a full disk
                part.unlink(missing_ok=True)
            raise

    def _bound(self, queue: str, size: int) -> None:
        """Look now and then whether anybody reads the queue; the oldest messages make room: catch-up knows them."""
        number, bytes_ = self._put_since.get(queue, (LOOKED_AT, 0))
        if number < LOOKED_AT and bytes_ < LOOKED_AT_BYTES:
            self._put_since[queue] = (number + 1, bytes_ + size)
            return
        self._put_since[queue] = (1, size)
        try:
            dropped = drop_oldest(self._folder(queue), *limits_of(queue))
        except (FileNotFoundError, NotADirectoryError):
            return
        if dropped:
            _log.error("a queue that nobody reads has dropped its oldest messages", queue=queue, number=dropped)

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        folder = self._folder(queue)
        names = self._listed.get(queue)
        if not names:
            names = self._listed[queue] = deque(self._names(queue))
        while names:
            file = folder / names.popleft()
            try:
                message = message_in(read_whole(file, LARGEST_FILE))
                file.unlink()
            except FileNotFoundError:  # another process was faster
                continue
            except NoMessage as error:
                if not set_aside(file, self._root / ASIDE, f"{queue}.{file.name}"):
                    self._stuck.add(file.name)  # nothing can be done about it; the others have their turn
                raise UndecodableMessage(f"{queue}: {file.name}: {error}") from error
            return message
        raise Empty

    def _names(self, queue: str) -> list[str]:
        try:
            names = os.listdir(self._folder(queue))
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(name for name in names if not name.startswith(".") and name not in self._stuck)

    def _size(self, queue: str) -> int:
        return len(self._names(queue))

    def _purge(self, queue: str) -> int:
        names = self._names(queue)
        for name in names:
            (self._folder(queue) / name).unlink(missing_ok=True)
        return len(names)


class Transport(filesystem.Transport):
    """What kombu's Connection takes as `transport`."""

    Channel = Channel

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        self.state = virtual.BrokerState()  # kombu's own is one for every folder that a process opens


@contextmanager
def declaring(folder: Path) -> Iterator[None]:
    """One process at a time declares, for a binding is added by reading a file and writing it anew."""
    folder.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + DECLARING_SECONDS
    descriptor = _lock_file(folder / "declare.lock")
    try:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.01)
        yield
    finally:
        os.close(descriptor)


def _lock_file(file: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        return os.open(file, flags, 0o600)
    except OSError:  # a folder, a link
        set_aside(file, file.parent / ASIDE, file.name)
        return os.open(file, flags, 0o600)
