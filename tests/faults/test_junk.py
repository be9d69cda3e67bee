"""A hundred thousand messages that are no events, while tournaments are played: they leave next to nothing behind."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator
from pathlib import Path

import kombu
import pytest

from deploy.stack import Stack
from shared.settings import SERVICES
from tests.faults.auditor import Auditor
from tests.faults.holds import broker_of, check, eventually, hears
from tests.faults.load import Load

JUNK = 100_000
KEPT = JUNK // 5
"""At most so many of them may be left anywhere."""
LOG_BYTES = 5_000_000
CASES = 1_000
SECONDS = 400.0
"""For all of it to be read; what never ends fails."""

BODIES = (
    b"\xff\xfe\xff",
    b'{"id":"\xff"}',
    b"{}",
    b'{"specversion":"1.0"',
    b"[" * 2_000,
    b'{"specversion":"1.0","id":"t-nobody.scoring.1","source":"scoring","type":"ResultReported"}',
)


def pour(stack: Stack, service: str) -> None:
    """Put the junk into the queue of a service, as fast as it goes."""
    broker = broker_of(stack)
    queue = broker.topology.queue_name(service)
    bodies = itertools.islice(itertools.cycle(BODIES), JUNK)
    if broker.embedded:
        folder = stack.settings(service).broker_folder / "queues" / queue
        for number, body in enumerate(bodies):
            part = folder / f".{number}"
            part.write_bytes(body)
            part.rename(folder / f"{time.time_ns():020d}.{os.getpid()}.{number}")
        return
    with kombu.Connection(stack.settings(service).broker_url) as connection, connection.channel() as channel:
        for body in bodies:
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
    if broker.embedded:
        aside: Path = stack.settings(service).broker_folder / "undecodable"
        yield sum(1 for _ in aside.iterdir()) if aside.is_dir() else 0


def lines_of_workers(stack: Stack, start: int) -> bytes:
    """What the workers have written behind a byte of the stack's log; requests are lines of the web side."""
    with stack.log.open("rb") as log:
        log.seek(start)
        return b"".join(line for line in log if b".worker" in line[:40])


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
        eventually(lambda: waiting(stack, "pairing") < 100, lambda: f"{waiting(stack, 'pairing')} wait", SECONDS)
    assert stack.pids() == before  # no worker died of any
    check(stack, load)
    assert all(number <= KEPT for number in left(stack, "pairing"))
    assert len(lines_of_workers(stack, written)) < LOG_BYTES
    for name in SERVICES:
        ((cases,),) = auditor.rows(name, "SELECT count(*) FROM quarantine")
        assert cases <= CASES
        hears(auditor, name)
