"""The broker behind a URL: RabbitMQ (`amqp://`, `amqps://`) or a folder (`filesystem://`). Differences end here.

Names on it: one exchange for events, one queue a consuming service, one place for what is refused.

    muster.events   topic, durable     every event, under `<source>.<EventType>.<tournament>`
    muster.<s>      quorum queue       bound to it with `<source>.#` for each source that service s listens to
    muster.dead     direct, durable    what a consumer refused, under the service's name, with headers that say why
    muster.<s>.dead quorum queue       bound to muster.dead with the service's name

The queues take their prefix from the exchange's name, so that two installations can share a broker.

The folder is kombu's `filesystem` transport, between processes of one machine. It loses what a killed process had
taken; catch-up brings that. Added here: messages appear whole and in order, one process declares at a time, and what
nobody reads is bounded.

What a stranger may put into an AMQP message is made harmless before the client library reads it. The consumer needs
three things of a message: its delivery tag, its routing key and its body. The library would decode much more: a header
that is no UTF-8, a timestamp beyond the calendar, arrays nested a thousand deep, a body in the encoding or compression
that it claims to have. Each of these ends a worker, or keeps it busy for hours, before the consumer has seen the
message. So properties are left out unread, a routing key is made readable, and of a body that is larger than any event
no more than its beginning is kept.
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
"""Redeliveries (a database that is away, a crash) after which RabbitMQ gives a message up; catch-up brings it then."""
QUEUE_MESSAGES, QUEUE_BYTES = 20_000, 64 * 1024 * 1024
"""What waits in the queue of a service at most: behind that catch-up is faster. The oldest make room."""
FOLDER_MESSAGES, FOLDER_SECONDS = 2_000, 120.0
"""What waits in a queue of the embedded broker at most, and for how long: each look lists all of it."""
DEAD_MESSAGES, DEAD_BYTES = 1_000, 16 * 1024 * 1024
"""Dead letters that wait for a person, of each service. The oldest make room."""
DEAD_SUFFIX = ".dead"

_log = RateLimitedLogger("muster.messaging")


def queue_limits(queue: str) -> tuple[int, int]:
    """How many messages and how many bytes may wait in a queue of this name."""
    return (DEAD_MESSAGES, DEAD_BYTES) if queue.endswith(DEAD_SUFFIX) else (QUEUE_MESSAGES, QUEUE_BYTES)


@dataclass(frozen=True, slots=True)
class Topology:
    """What one installation declares. exchange: the name of the exchange of events."""

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
        """The exchange of events; publishers declare it too, for they may start first."""
        return Exchange(self.exchange, type="topic", durable=True)

    def dead_exchange(self) -> Exchange:
        """The exchange of refused messages."""
        return Exchange(self.dead, type="direct", durable=True)

    def queue(self, service: str) -> Queue:
        """The queue of one service. One consumer at a time gets its messages, so that replicas do not mix the order:
        the others stand by."""
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
        """The queue that keeps what `service` refused until a person has looked at it."""
        name = self.dead_queue_name(service)
        return Queue(name, durable=True, queue_arguments={"x-queue-type": "quorum", **_bounds(name)})

    def declare(self, channel: Any, service: str, sources: Iterable[str], as_they_are: Collection[str] = ()) -> Queue:
        """Declare everything that `service` consumes from; returns its queue. Declaring twice changes nothing.

        as_they_are: queues that stay as somebody else declared them.
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
        """Delete the queues of `service` that were declared with other arguments, by an older version mostly.

        RabbitMQ refuses to declare them anew, and nothing is lost with them: catch-up brings what was in one. Returns
        the names of those that may not be deleted, and have to be used as they are.
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
                    _log.warning("a queue is declared anew, with bounds", queue=queue.name, messages_dropped=number)
                except ChannelError as error:
                    kept.add(queue.name)
                    said = f"{refused.reply_text}; {error.reply_text}"
                    _log.error("a queue cannot be declared anew and is used as it is", queue=queue.name, error=said)
        return kept


def _bounds(queue: str) -> dict[str, object]:
    messages, size = queue_limits(queue)
    return {"x-max-length": messages, "x-max-length-bytes": size, "x-overflow": "drop-head"}


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


def connection_to_folder(folder: Path, poll_seconds: float) -> Connection:
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
def declaring_in_folder(folder: Path) -> Iterator[None]:
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
        trim_folder(folder / "queues")
        yield


def trim_folder(queues: Path) -> None:
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
    """A frame handler for `amqp.Connection`: messages without properties, bodies cut behind `most` bytes."""

    def handler(connection: Any, callback: Any) -> OnFrame:
        handle = frame_handler(connection, callback)
        wanted: dict[int, int] = {}  # channel -> bytes of the body that are still passed on
        coming: dict[int, int] = {}  # channel -> bytes of the body that are still to come

        def on_frame(frame: Frame) -> bool:
            kind, channel, buffer = frame
            if kind == METHOD and unpack_from(">HH", buffer, 0) == spec.Basic.Deliver:
                return bool(handle((kind, channel, sanitize_names(bytes(buffer)))))
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


def sanitize_names(deliver: bytes) -> bytes:
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


CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 10.0
GOODBYE_SECONDS = 2.0
"""How long closing may wait for a broker that does not answer any more."""


class Broker:
    """Where messages go; opens connections, holds none.

    url: `amqp://user:password@host:5672/vhost`, or `filesystem://` with `folder`. exchange: of the events.
    poll_ms: between two looks into an empty folder. confirm_ms: how long a batch may wait for its confirms.
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
        """A connection, open for the block. heartbeat: seconds; whoever asks for one has to keep it beating.

        patience: seconds that a broker which takes the connection and then says nothing is waited for.
        bodies_only: messages come without properties, and bodies that are too large end a byte behind LARGEST_MESSAGE.
        Raises BrokerUnavailable for everything that goes wrong with the broker inside the block, too.
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
            connection.collect()  # without a goodbye: nobody may be there to answer it
            raise BrokerUnavailable(f"{type(error).__name__}: {error}") from error
        except BaseException:
            connection.collect()
            raise
        else:
            _say_goodbye(connection)

    @contextmanager
    def declaring(self) -> Iterator[None]:
        """Declarations belong inside; in a folder one process at a time can make them."""
        with declaring_in_folder(self._folder) if self.embedded and self._folder else nullcontext():
            yield

    def _connection(self, heartbeat: int, patience: float, bodies_only: bool) -> Connection:
        if not self.embedded:
            # Every answer is waited for with an end: a broker that froze must not freeze us (declare, cancel, close).
            options: dict[str, Any] = {"read_timeout": ANSWER_SECONDS, "write_timeout": ANSWER_SECONDS}
            if bodies_only:
                options["frame_handler"] = sanitizing_frame_handler(LARGEST_MESSAGE + 1)
            return Connection(self._url, heartbeat=heartbeat, connect_timeout=patience, transport_options=options)
        assert self._folder is not None
        return connection_to_folder(self._folder, self._poll_seconds)


def _say_goodbye(connection: Connection) -> None:
    sock = getattr(getattr(connection.connection, "transport", None), "sock", None)
    if sock is not None:
        sock.settimeout(GOODBYE_SECONDS)
    try:
        connection.release()
    except (TimeoutError, OSError, KombuError):
        connection.collect()
