"""Transports that need no server: kombu's filesystem and SQLAlchemy ones, and the embedded broker made of the first.

The experiment behind docs/decisions/0010-embedded-broker.md. One process publishes, another receives, as a relay
and a consumer do. Run it alone with `python -m bench.transports`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import kombu
from rich.console import Console

from bench.engines import Places
from bench.findings import Found, Table
from bench.machine import this_machine
from bench.plan import Plan
from bench.samples import Row, in_turns, row_of
from bench.tables import header, show
from shared.clock import utc_now
from shared.messaging.folder import Transport, declaring

POLL_SECONDS = 0.01
BODY = "x" * 600
"""About as long as an event on the wire."""
EXCHANGE = kombu.Exchange("muster.events", type="topic", durable=True)


def embedded(folder: Path) -> kombu.Connection:
    """The embedded broker: shared/messaging/folder.py."""
    options = {"folder": str(folder), "control_folder": str(folder / "control"), "polling_interval": POLL_SECONDS}
    return kombu.Connection(transport=Transport, transport_options=options)


def filesystem(folder: Path) -> kombu.Connection:
    """kombu's own filesystem transport, with a faster poll and folders of its own."""
    options = {
        "data_folder_in": str(folder / "data"),
        "data_folder_out": str(folder / "data"),
        "processed_folder": str(folder / "processed"),
        "control_folder": str(folder / "control"),
        "store_processed": True,
        "polling_interval": POLL_SECONDS,
    }
    for name in ("data", "processed", "control"):
        (folder / name).mkdir(exist_ok=True)
    return kombu.Connection("filesystem://", transport_options=options)


def sqlalchemy(folder: Path) -> kombu.Connection:
    """kombu's SQLAlchemy transport on a SQLite file."""
    connection = kombu.Connection(f"sqla+sqlite:///{folder}/broker.sqlite3")
    connection.transport.polling_interval = POLL_SECONDS  # as an option it ends in create_engine, which refuses it
    return connection


TRANSPORTS: dict[str, Callable[[Path], kombu.Connection]] = {
    "Muster's, made of filesystem": embedded,
    "kombu filesystem": filesystem,
    "kombu sqlalchemy": sqlalchemy,
}


def queue(name: str) -> kombu.Queue:
    return kombu.Queue(name, EXCHANGE, routing_key="registration.#", durable=True)


def declare(connection: kombu.Connection, folder: Path, *names: str) -> Any:
    """Declare on this side, as every process has to; returns a channel."""
    channel = connection.channel()
    with declaring(folder):
        for name in names:
            queue(name)(channel).declare()
    return channel


@dataclass
class Received:
    """What the receiving process saw. latencies: milliseconds, in order of arrival; order: the numbers that came."""

    order: list[int]
    latencies: list[float]
    seconds: float


def publish(folder: Path, transport: str, count: int, pause: float, names: Sequence[str]) -> None:
    """The publishing process. pause: seconds between two messages."""
    with TRANSPORTS[transport](folder) as connection:
        channel = declare(connection, folder, *names)
        producer = kombu.Producer(channel)
        for number in range(count):
            producer.publish(
                f"{number} {time.time()} {BODY}".encode(),
                exchange=EXCHANGE.name,
                routing_key="registration.PlayerJoined.cup",
                content_type="text/plain",
                content_encoding="utf-8",
            )
            time.sleep(pause)


def receive(folder: Path, transport: str, count: int, seconds: float = 5.0) -> Received:
    """Receive in this process until `count` came, or nothing has come for `seconds`."""
    got = Received([], [], 0.0)
    first = last = 0.0

    def take(message: Any) -> None:
        nonlocal first, last
        last = time.time()
        first = first or last
        body = message.body if isinstance(message.body, str) else bytes(message.body).decode()
        number, sent = body.split(" ", 2)[:2]
        got.order.append(int(number))
        got.latencies.append((time.time() - float(sent)) * 1000)
        message.ack()

    with TRANSPORTS[transport](folder) as connection:
        channel = declare(connection, folder, "receiver")
        started = time.time()
        with kombu.Consumer(channel, [queue("receiver")(channel)], on_message=take, auto_declare=False):
            while len(got.order) < count and time.time() - max(started, last) < seconds:
                try:
                    connection.drain_events(timeout=0.5)
                except (TimeoutError, ValueError):  # ValueError: a file that was read half
                    continue
        got.seconds = max(last - first, 1e-9)
    return got


def publisher(folder: Path, transport: str, count: int, pause: float, *names: str) -> subprocess.Popen[bytes]:
    """Start the publishing process."""
    arguments = ["publish", str(folder), transport, str(count), str(pause), *names]
    return subprocess.Popen([sys.executable, "-m", "bench.transports", *arguments], cwd=Path(__file__).parents[1])


def rate(folder: Path, transport: str, count: int) -> float:
    """Messages a second from one process to another, both at full speed, counted from the first arrival."""
    with TRANSPORTS[transport](folder) as connection:
        declare(connection, folder, "receiver")
    process = publisher(folder, transport, count, 0.0, "receiver")
    got = receive(folder, transport, count)
    process.wait()
    return len(got.order) / got.seconds


def latency(folder: Path, transport: str, count: int) -> list[float]:
    """Milliseconds from publish to receipt, fifty messages a second."""
    with TRANSPORTS[transport](folder) as connection:
        declare(connection, folder, "receiver")
    process = publisher(folder, transport, count, 0.02, "receiver")
    got = receive(folder, transport, count)
    process.wait()
    return got.latencies


def disorder(folder: Path, transport: str, count: int) -> float:
    """Of a burst that waits in the queue: how many come before one that was published earlier (percent)."""
    publisher(folder, transport, count, 0.0, "receiver").wait()
    order = receive(folder, transport, count).order
    return 100 * sum(later < earlier for earlier, later in pairwise(order)) / max(1, len(order) - 1)


def backlog(folder: Path, transport: str, count: int) -> float:
    """Messages a second while `count` of them wait for somebody else who does not fetch them."""
    publisher(folder, transport, count, 0.0, "receiver", "absent").wait()
    got = receive(folder, transport, count)
    return len(got.order) / got.seconds


def lost(folder: Path, transport: str, number: int) -> float:
    """How many of `number` messages are gone after a receiver that held ten of them was killed (SIGKILL)."""
    publisher(folder, transport, number, 0.0, "receiver").wait()
    arguments = ["hold", str(folder), transport, "10"]
    holder = subprocess.Popen(
        [sys.executable, "-m", "bench.transports", *arguments], stdout=subprocess.PIPE, cwd=Path(__file__).parents[1]
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    return number - len(receive(folder, transport, number, 3.0).order)


def hold(folder: Path, transport: str, number: int) -> None:
    """Take so many messages, acknowledge none, and wait to be killed."""
    with TRANSPORTS[transport](folder) as connection:
        channel = declare(connection, folder, "receiver")
        taken: list[Any] = []
        consumer = kombu.Consumer(channel, [queue("receiver")(channel)], on_message=taken.append, auto_declare=False)
        consumer.qos(prefetch_count=number)
        with consumer:
            while len(taken) < number:
                connection.drain_events(timeout=30)
            print("held", flush=True)
            time.sleep(600)


def run(plan: Plan) -> list[Table]:
    """Every transport in turns."""
    rounds, probe = plan.size(3, 1), plan.probe()
    count = {name: plan.size(200, 30) if "sqlalchemy" in name else plan.size(3000, 200) for name in TRANSPORTS}
    rates: dict[str, list[float]] = {name: [] for name in TRANSPORTS}
    waits: dict[str, list[float]] = {name: [] for name in TRANSPORTS}
    mixed: dict[str, list[float]] = {name: [] for name in TRANSPORTS}
    behind: dict[str, list[float]] = {name: [] for name in TRANSPORTS}
    gone: dict[str, list[float]] = {name: [] for name in TRANSPORTS}
    for name in in_turns(list(TRANSPORTS), rounds, probe):
        plan.say(f"transports: {name}")
        place = plan.places.empty_folder
        rates[name].append(rate(place("rate"), name, count[name]))
        waits[name] += latency(place("latency"), name, plan.size(150, 20))
        mixed[name].append(disorder(place("disorder"), name, count[name]))
        behind[name].append(backlog(place("backlog"), name, count[name]))
        gone[name].append(lost(place("lost"), name, 30))
    return [
        Table("Published by one process, received by another", _rows(rates, "messages/s"), disk=probe.seen()),
        Table("The same while as many wait for somebody who is not there", _rows(behind, "messages/s")),
        Table("From publish to receipt, fifty a second", _rows(waits, "ms", tail=True)),
        Table("A burst that waits: next to each other in the wrong order", _rows(mixed, "% of pairs")),
        Table("Gone after a receiver that held ten of thirty was killed", _rows(gone, "messages")),
    ]


def _rows(values: dict[str, list[float]], unit: str, *, tail: bool = False) -> list[Row]:
    return [row_of(name, unit, samples, tail=tail) for name, samples in values.items()]


def main() -> None:
    """The processes of the experiment, and the experiment itself."""
    if sys.argv[1:2] == ["publish"]:
        _, _, folder, transport, count, pause, *names = sys.argv
        publish(Path(folder), transport, int(count), float(pause), names)
    elif sys.argv[1:2] == ["hold"]:
        _, _, folder, transport, count = sys.argv
        hold(Path(folder), transport, int(count))
    else:
        console, machine, quick = Console(width=120), this_machine("", ""), "--quick" in sys.argv
        for line in header(machine):
            console.print(line, highlight=False)
        with Places() as places:
            date, started, load = utc_now(), time.monotonic(), os.getloadavg()[0]
            tables = run(Plan(quick, machine, places, console))
        show(console, Found("transports", date, time.monotonic() - started, quick, load, machine, tables))


if __name__ == "__main__":
    main()
