"""The embedded broker: kombu's filesystem transport, with four things put right for more than one process.

- A message appears whole: it is written under another name and renamed. (kombu's own is sometimes read half.)
- Messages of one publisher come in order: names start with nanoseconds. (kombu's own: milliseconds, then random.)
- A queue is a folder, listed once for many messages. (kombu's own lists every queue's files for each message.)
- Bindings appear whole, and are made again where their file is gone. (kombu's own truncates the file first, fails
  for ever on one that was left empty, and believes what the process has once written.)

Bindings are files in the control folder, shared by all processes. A message is gone from the disk once it is received:
what a process held when it was killed is found again by the sweep, not here.
"""

# kombu has types for a part of itself only.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import fcntl
import os
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import filesystem, virtual
from kombu.utils.json import dumps, loads

_number = count()


class UndecodableMessage(Exception):
    """A file in a queue's folder is no message; it was moved to the folder `undecodable` beside the queues."""


class Channel(filesystem.Channel):
    """A channel on a folder: `queues/<name>/` for messages, `control/` for bindings."""

    def __init__(self, connection: Any, **kwargs: Any) -> None:
        super().__init__(connection, **kwargs)
        self._listed: dict[str, deque[str]] = {}

    def _folder(self, queue: str) -> Path:
        return Path(self.transport_options["folder"]) / "queues" / queue

    def _new_queue(self, queue: str, **kwargs: Any) -> None:
        self._folder(queue).mkdir(parents=True, exist_ok=True)

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
            return [tuple(binding) for binding in loads(self._exchange_file(exchange).read_text())]
        except (FileNotFoundError, ValueError):  # nothing is bound yet, or a power cut left an empty file behind
            return []

    def _queue_bind(self, exchange: Any, routing_key: str, pattern: Any, queue: str) -> None:
        """Add a binding to the file of its exchange; callers are inside `declaring`."""
        binding, bound = (routing_key or "", pattern or "", queue or ""), self.get_table(exchange)
        if binding in bound:
            return
        file = self._exchange_file(exchange)
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f".{file.name}")
        part.write_text(dumps([binding, *bound]))
        part.replace(file)

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        folder = self._folder(queue)
        name = f"{time.time_ns():020d}.{os.getpid()}.{next(_number)}"
        part = folder / f".{name}"
        try:
            part.write_text(dumps(payload))
        except FileNotFoundError:  # bound, and deleted since
            self._new_queue(queue)
            part.write_text(dumps(payload))
        part.rename(folder / name)

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        folder = self._folder(queue)
        names = self._listed.get(queue)
        if not names:
            names = self._listed[queue] = deque(self._names(queue))
        while names:
            file = folder / names.popleft()
            try:
                text = file.read_text()
            except FileNotFoundError:  # another process was faster
                continue
            try:
                message = loads(text)
            except ValueError as error:
                aside = folder.parents[1] / "undecodable"
                aside.mkdir(exist_ok=True)
                file.rename(aside / f"{queue}.{file.name}")
                raise UndecodableMessage(f"{queue}: {file.name}: {error}") from error
            try:
                file.unlink()
            except FileNotFoundError:
                continue
            return message
        raise Empty

    def _names(self, queue: str) -> list[str]:
        try:
            return sorted(name for name in os.listdir(self._folder(queue)) if not name.startswith("."))
        except FileNotFoundError:
            return []

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
    with open(folder / "declare.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
