"""The broker: RabbitMQ (`amqp://`, `amqps://`) or a folder (`filesystem://`). Only this module knows the difference.

The topology has one exchange for events, one queue for each consuming service, and dead-letter queues.

    muster.events   topic, durable     every event, under `<source>.<EventType>.<tournament>`
    muster.<s>      quorum queue       bound to it with `<source>.#` for each source that service s listens to
    muster.dead     direct, durable    refused messages, under the service's name, with the reason in headers
    muster.<s>.dead quorum queue       bound to muster.dead with the service's name

Queue names take their prefix from the exchange's name, so that two installations can share a broker.

The folder uses kombu's `filesystem` transport between processes of one machine. Messages that a killed process had
taken are lost; catch-up fetches their events. This module adds: messages appear whole and in order, one process
declares at a time, and unread messages are bounded.

AMQP messages are sanitized before the client library parses them. The consumer needs only the delivery tag, the routing
key and the body. The library would decode much more: headers that are not UTF-8, timestamps outside the calendar,
arrays nested a thousand deep, a body in any claimed encoding or compression. Each of these could end a worker, or keep
it busy for hours, before the consumer sees the message. So properties are dropped unread, routing keys are made
decodable, and bodies larger than any event are truncated.
"""

# kombu and amqp have types for a part of themselves only.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import fcntl
import os
import re
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from json import JSONDecodeError
from pathlib import Path
from struct import pack, unpack_from
from typing import Any
from uuid import uuid4

import msgspec
from amqp import spec
from amqp.exceptions import ChannelError, PreconditionFailed
from amqp.method_framing import frame_handler
from kombu.connection import Connection
from kombu.entity import Exchange, Queue
from kombu.exceptions import KombuError
from kombu.transport import filesystem, virtual
from kombu.utils.json import dumps

from shared.logs import RateLimitedLogger
from shared.messaging.envelope import LARGEST_MESSAGE
from shared.messaging.errors import BrokerUnavailable

DELIVERY_LIMIT = 100
"""Redeliveries (database unavailable, crash) after which RabbitMQ drops a message; catch-up fetches its event then."""
QUEUE_MESSAGES, QUEUE_BYTES = 20_000, 64 * 1024 * 1024
"""Limits of a service's queue; beyond them catch-up is faster. The oldest messages are dropped."""
FOLDER_MESSAGES, FOLDER_SECONDS = 2_000, 120.0
"""Limits of a queue in the folder, by number and age, because every poll lists all messages."""
DEAD_MESSAGES, DEAD_BYTES = 1_000, 16 * 1024 * 1024
"""Limits of a dead-letter queue. The oldest messages are dropped."""
DEAD_SUFFIX = ".dead"

_log = RateLimitedLogger("muster.messaging")


def queue_limits(queue: str) -> tuple[int, int]:
    """Return the maximum number of messages and of bytes in a queue of this name."""
    return (DEAD_MESSAGES, DEAD_BYTES) if queue.endswith(DEAD_SUFFIX) else (QUEUE_MESSAGES, QUEUE_BYTES)


@dataclass(frozen=True, slots=True)
class Topology:
    """The exchanges and queues of one installation. exchange: the name of the event exchange."""

    exchange: str = "muster.events"

    @property
    def prefix(self) -> str:
        return self.exchange.removesuffix(".events")

    @property
    def dead(self) -> str:
        return f"{self.prefix}.dead"

    def queue_name(self, service: str) -> str:
        return f"{self.prefix}.{service}"

    def dead_queue_name(self, service: str) -> str:
        return f"{self.prefix}.{service}{DEAD_SUFFIX}"

    def events_exchange(self) -> Exchange:
        """Return the event exchange. Publishers declare it too, because they may start first."""
        return Exchange(self.exchange, type="topic", durable=True)

    def dead_exchange(self) -> Exchange:
        """Return the dead-letter exchange."""
        return Exchange(self.dead, type="direct", durable=True)

    def queue(self, service: str) -> Queue:
        """Return the queue of one service. It has a single active consumer, so that replicas keep the order."""
        arguments = {
            "x-queue-type": "quorum",
            "x-single-active-consumer": True,
            "x-dead-letter-exchange": self.dead,
            "x-dead-letter-routing-key": service,
            "x-delivery-limit": DELIVERY_LIMIT,
            **_bounds(self.queue_name(service)),
        }
        return Queue(self.queue_name(service), durable=True, queue_arguments=arguments)

    def dead_queue(self, service: str) -> Queue:
        """Return the dead-letter queue of a service."""
        name = self.dead_queue_name(service)
        return Queue(name, durable=True, queue_arguments={"x-queue-type": "quorum", **_bounds(name)})

    def declare(self, channel: Any, service: str, sources: Iterable[str], as_they_are: Collection[str] = ()) -> Queue:
        """Declare the exchanges and queues that a service consumes from. Return its queue. Idempotent.

        as_they_are: names of queues that keep their existing arguments.
        """
        events, dead = self.events_exchange()(channel), self.dead_exchange()(channel)
        events.declare()
        dead.declare()
        refused = self.dead_queue(service)(channel)
        refused.queue_declare(passive=refused.name in as_they_are)
        refused.bind_to(dead, routing_key=service)
        queue = self.queue(service)(channel)
        queue.queue_declare(passive=queue.name in as_they_are)
        for source in sources:
            queue.bind_to(events, routing_key=f"{source}.#")
        return queue

    def renew(self, connection: Any, service: str) -> set[str]:
        """Delete queues of a service that were declared with other arguments, usually by an older version.

        RabbitMQ refuses to redeclare them. Nothing is lost, because catch-up fetches the events of deleted messages.
        Return the names of queues that cannot be deleted and must be used as they are.
        """
        kept = set()
        for queue in (self.dead_queue(service), self.queue(service)):
            try:
                with connection.channel() as channel:
                    queue(channel).queue_declare()
            except PreconditionFailed as refused:
                try:
                    with connection.channel() as channel:
                        number = channel.queue_delete(queue.name)
                    _log.warning("a queue is declared again, with limits", queue=queue.name, messages_dropped=number)
                except ChannelError as error:
                    kept.add(queue.name)
                    reasons = f"{refused.reply_text}; {error.reply_text}"
                    _log.error("a queue cannot be declared again and is used as it is", queue=queue.name, error=reasons)
        return kept


def _bounds(queue: str) -> dict[str, object]:
    messages, size = queue_limits(queue)
    return {"x-max-length": messages, "x-max-length-bytes": size, "x-overflow": "drop-head"}


DECLARING_SECONDS = 10.0
"""Maximum wait for another process that declares."""
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError, zlib.error)
"""Exceptions for a file that is not a message; the file has been deleted then."""
MESSAGE = ".msg"

_bindings = msgspec.json.Decoder(list[tuple[str, str, str]])


class _Bindings(virtual.BrokerState):
    """Bindings without a cache: they are in files that may be deleted at any time."""

    def has_binding(self, queue: str, exchange: str, routing_key: str) -> bool:
        return False


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Write a message to a temporary file and rename it: kombu's own files may be read half written, and lost."""
        file = Path(self.data_folder_out, f"{time.time_ns():020d}_{uuid4()}.{queue}{MESSAGE}")
        part = file.with_suffix(".part")
        try:
            part.write_text(dumps(payload))
            part.rename(file)
        except OSError:
            part.unlink(missing_ok=True)  # an incomplete message on a full disk
            raise


class Transport(filesystem.Transport):
    Channel = Channel

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        self.state = _Bindings()


def connection_to_folder(folder: Path, poll_seconds: float) -> Connection:
    """Return a connection to the broker in a folder, which is created if necessary."""
    queues, control = folder / "queues", folder / "control"
    for subfolder in (queues, control):
        subfolder.mkdir(parents=True, exist_ok=True)
    options: dict[str, Any] = {
        "data_folder_in": str(queues),
        "data_folder_out": str(queues),
        "control_folder": str(control),
        "polling_interval": poll_seconds,
    }
    return Connection(transport=Transport, transport_options=options)


@contextmanager
def declaring_in_folder(folder: Path) -> Iterator[None]:
    """Let one process at a time declare, because kombu reads and rewrites a file of bindings.

    Also delete unread messages above the limits, and binding files that a power cut has damaged.
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
        trim_folder(folder / "queues")
        yield


def trim_folder(queues: Path) -> None:
    """Delete the oldest messages of each queue above its limit, and messages that are too old, except dead letters."""
    found: dict[str, list[tuple[float, str]]] = defaultdict(list)
    with suppress(FileNotFoundError), os.scandir(queues) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):
                found[entry.name.partition(".")[2]].append((entry.stat(follow_symlinks=False).st_mtime, entry.path))
    for queue, messages in found.items():
        name, now = queue.removesuffix(MESSAGE), time.time()
        most = min(queue_limits(name)[0], FOLDER_MESSAGES)
        messages.sort(reverse=True)
        for number, (written, path) in enumerate(messages):
            if number >= most or (now - written > FOLDER_SECONDS and not name.endswith(DEAD_SUFFIX)):
                with suppress(OSError):
                    os.unlink(path)


METHOD, HEADER, BODY = 1, 2, 3
NO_PROPERTIES = b"\0\0"

_UNREADABLE = re.compile(rb"[^ -~]")

Frame = tuple[int, int, Any]
OnFrame = Callable[[Frame], bool]


def sanitizing_frame_handler(most: int) -> Callable[[Any, Any], OnFrame]:
    """Return a frame handler for `amqp.Connection` that drops properties and truncates bodies after `most` bytes."""

    def handler(connection: Any, callback: Any) -> OnFrame:
        handle = frame_handler(connection, callback)
        to_pass: dict[int, int] = {}  # channel -> bytes of the body that are still passed on
        to_come: dict[int, int] = {}  # channel -> bytes of the body that are still to come

        def on_frame(frame: Frame) -> bool:
            kind, channel, buffer = frame
            if kind == METHOD and unpack_from(">HH", buffer, 0) == spec.Basic.Deliver:
                return bool(handle((kind, channel, sanitize_names(bytes(buffer)))))
            if kind == HEADER:
                class_id, size = unpack_from(">HxxQ", buffer, 0)
                to_come[channel], to_pass[channel] = size, min(size, most)
                return bool(handle((kind, channel, pack(">HxxQ", class_id, to_pass[channel]) + NO_PROPERTIES)))
            if kind == BODY and channel in to_come:
                kept = bytes(buffer[: to_pass[channel]])
                to_pass[channel] -= len(kept)
                to_come[channel] -= len(buffer)
                if to_come[channel] <= 0:
                    del to_come[channel], to_pass[channel]
                if kept:
                    return bool(handle((kind, channel, kept)))
                connection.bytes_recv += 1  # the rest of an oversized body still proves that the broker is alive
                return False
            return bool(handle(frame))

        return on_frame

    return handler


def sanitize_names(deliver: bytes) -> bytes:
    """Return the arguments of basic.deliver with exchange and routing key in valid UTF-8, which the library requires.

    Other bytes become printable ASCII of the same length.
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


CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 10.0
GOODBYE_SECONDS = 2.0
"""Maximum wait for a broker when closing a connection."""


class Broker:
    """The broker of an installation; opens connections and holds none.

    url: `amqp://user:password@host:5672/vhost`, or `filesystem://` with `folder`. exchange: name of the event exchange.
    poll_ms: polling interval of an empty folder. confirm_ms: maximum wait of a batch for its confirms.
    """

    def __init__(
        self,
        url: str,
        exchange: str = "muster.events",
        folder: Path | str | None = None,
        poll_ms: int = 15,
        confirm_ms: int = 10_000,
    ) -> None:
        self._url = url
        self.embedded = url.startswith("filesystem")
        if self.embedded and folder is None:
            raise ValueError("the embedded broker needs a folder")
        self.topology = Topology(exchange)
        self.confirm_seconds = confirm_ms / 1000
        self._folder = Path(folder) if folder is not None else None
        self._poll_seconds = poll_ms / 1000

    @contextmanager
    def connect(
        self, heartbeat: int = 0, patience: float = CONNECT_SECONDS, bodies_only: bool = False
    ) -> Iterator[Connection]:
        """Open a connection for the block.

        heartbeat: seconds; the caller has to send the heartbeats. patience: seconds to wait for a broker that accepts
        the connection but does not answer. bodies_only: drop properties of messages, and truncate bodies one byte after
        LARGEST_MESSAGE. Raises BrokerUnavailable for all errors of the broker, including those inside the block.
        """
        try:
            connection = self._connection(heartbeat, patience, bodies_only)
        except OSError as error:
            raise BrokerUnavailable(f"{type(error).__name__}: {error}") from error
        errors = (*connection.connection_errors, *connection.channel_errors, KombuError, OSError, JSONDecodeError)
        try:
            connection.ensure_connection(max_retries=1, interval_start=0.0, timeout=patience)
            yield connection
        except errors as error:
            connection.collect()  # do not close it properly: the broker may not answer
            raise BrokerUnavailable(f"{type(error).__name__}: {error}") from error
        except BaseException:
            connection.collect()
            raise
        else:
            _close(connection)

    @contextmanager
    def declaring(self) -> Iterator[None]:
        """Enclose declarations; in a folder, one process at a time may declare."""
        with declaring_in_folder(self._folder) if self.embedded and self._folder else nullcontext():
            yield

    def _connection(self, heartbeat: int, patience: float, bodies_only: bool) -> Connection:
        if not self.embedded:
            # Every answer has a timeout, so that a frozen broker does not freeze this process.
            options: dict[str, Any] = {"read_timeout": ANSWER_SECONDS, "write_timeout": ANSWER_SECONDS}
            if bodies_only:
                options["frame_handler"] = sanitizing_frame_handler(LARGEST_MESSAGE + 1)
            return Connection(self._url, heartbeat=heartbeat, connect_timeout=patience, transport_options=options)
        assert self._folder is not None
        return connection_to_folder(self._folder, self._poll_seconds)


def _close(connection: Connection) -> None:
    sock = getattr(getattr(connection.connection, "transport", None), "sock", None)
    if sock is not None:
        sock.settimeout(GOODBYE_SECONDS)
    try:
        connection.release()
    except (TimeoutError, OSError, KombuError):
        connection.collect()
