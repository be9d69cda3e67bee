"""A hundred thousand messages that are no events, while tournaments are played: they leave next to nothing behind."""

from __future__ import annotations

import itertools
import os
import socket
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import kombu
import pytest

from deploy.stack import Stack
from shared.settings import SERVICES
from tests.faults.auditor import Auditor
from tests.faults.holds import broker_of, check, eventually, hears
from tests.faults.load import Load
from tests.waiting import PATIENCE
from tests.warm_processes import importing

JUNK = 100_000
KEPT = JUNK // 5
"""At most so many of them may be left anywhere."""
LOG_BYTES = 100_000
"""That the workers may write about it; ten thousand are usual. Copies of what the load does are not about it."""
CASES = 1_000

COPIED = b"] copied "
"""In the line of a worker that has copied events of a peer."""

BODIES = (
    b"\xff\xfe\xff",
    b'{"id":"\xff"}',
    b"{}",
    b'{"specversion":"1.0"',
    b"[" * 2_000,
    b'{"specversion":"1.0","id":"t-nobody.scoring.1","source":"scoring","type":"ResultReported"}',
)


def pour(stack: Stack, service: str) -> None:
    """Put the junk into the queue of a service, as fast as it goes: in a process that plays no tournaments."""
    broker, settings = broker_of(stack), stack.settings(service)
    queue = broker.topology.queue_name(service)
    into_folder, into_rabbitmq = (settings.broker_folder / "queues", queue), (settings.broker_url, queue)
    target, args = (fill, into_folder) if broker.embedded else (publish, into_rabbitmq)
    pouring = importing(__name__).Process(target=target, args=args)
    pouring.start()
    pouring.join()
    assert pouring.exitcode == 0


def fill(folder: Path, queue: str) -> None:
    """Put the junk into a queue of a folder."""
    for number, body in enumerate(itertools.islice(itertools.cycle(BODIES), JUNK)):
        (folder / f"{int(time.monotonic() * 1000)}_{os.getpid()}-{number}.{queue}.msg").write_bytes(body)


def publish(url: str, queue: str) -> None:
    """Send the junk to a queue of RabbitMQ."""
    # A broker that holds the pouring up for a second has not gone, as the library believes unless told otherwise.
    patient = {"socket_settings": {socket.TCP_USER_TIMEOUT: int(PATIENCE * 1_000)}}
    with kombu.Connection(url, transport_options=patient) as connection, connection.channel() as channel:
        for body in itertools.islice(itertools.cycle(BODIES), JUNK):
            channel.basic_publish(channel.prepare_message(body), exchange="", routing_key=queue)


def waiting(stack: Stack, service: str) -> int:
    """How many messages of a service nobody has taken yet."""
    broker = broker_of(stack)
    with broker.connect() as connection:
        return _depth(connection.channel(), broker.topology.queue_name(service))


def left(stack: Stack, service: str) -> Iterator[int]:
    """How many messages stand in each place where refused ones are put."""
    broker = broker_of(stack)
    with broker.connect() as connection:
        yield _depth(connection.channel(), broker.topology.dead_queue_name(service))


def lines_of_workers(stack: Stack, start: int) -> bytes:
    """Return what was logged after a byte of the stack's log, except for requests and copies."""
    with stack.log.open("rb") as log:
        log.seek(start)
        return b"".join(line for line in log if b"] request  " not in line and COPIED not in line)


def _depth(channel: kombu.transport.virtual.Channel, queue: str) -> int:
    return int(channel.queue_declare(queue, passive=True).message_count)


@pytest.mark.timeout(900)
@pytest.mark.fault("100,000 junk messages")
def test_a_hundred_thousand_junk_messages(stack: Stack) -> None:
    auditor = Auditor(stack)
    before, written = stack.pids(), stack.log.stat().st_size
    with Load(stack) as load:
        load.more(10)
        pour(stack, "pairing")
        load.over()
        load.more(20)
        wait = partial(waiting, stack, "pairing")
        while (rest := wait()) >= 100:
            eventually(lambda rest=rest: wait() < rest, lambda: f"{wait()} wait", pause=2.0)
    assert stack.pids() == before  # no worker died of any
    check(stack, load)
    assert all(number <= KEPT for number in left(stack, "pairing"))
    assert len(lines_of_workers(stack, written)) < LOG_BYTES
    for name in SERVICES:
        ((cases,),) = auditor.rows(name, "SELECT count(*) FROM quarantine")
        assert cases <= CASES
        hears(auditor, name)
