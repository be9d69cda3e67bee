"""The broker behind a URL: RabbitMQ (`amqp://`, `amqps://`) or a folder (`filesystem://`). Differences end here."""

# kombu has types for a part of itself only.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from kombu.connection import Connection
from kombu.exceptions import KombuError

from shared.messaging import folder as embedded
from shared.messaging.errors import BrokerUnavailable
from shared.messaging.frames import harmless_frames
from shared.messaging.topology import Topology
from shared.messaging.wire import LARGEST_MESSAGE

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
        with embedded.declaring(self._folder) if self.embedded and self._folder else nullcontext():
            yield

    def _connection(self, heartbeat: int, patience: float, bodies_only: bool) -> Connection:
        if not self.embedded:
            # Every answer is waited for with an end: a broker that froze must not freeze us (declare, cancel, close).
            options: dict[str, Any] = {"read_timeout": ANSWER_SECONDS, "write_timeout": ANSWER_SECONDS}
            if bodies_only:
                options["frame_handler"] = harmless_frames(LARGEST_MESSAGE + 1)
            return Connection(self._url, heartbeat=heartbeat, connect_timeout=patience, transport_options=options)
        assert self._folder is not None
        return embedded.connection_to(self._folder, self._poll_seconds)


def _say_goodbye(connection: Connection) -> None:
    sock = getattr(getattr(connection.connection, "transport", None), "sock", None)
    if sock is not None:
        sock.settimeout(GOODBYE_SECONDS)
    try:
        connection.release()
    except (TimeoutError, OSError, KombuError):
        connection.collect()
