"""Metrics of messaging: waiting messages, and the delay of copies."""

from __future__ import annotations

import time

from shared.messaging.consumer import Consumer
from shared.metrics import REGISTRY
from tests.messaging.stage import COPIER, OWNER, running
from tests.waiting import until


def copies_timed() -> float:
    return REGISTRY.get_sample_value("muster_copy_seconds_count", {"source": OWNER}) or 0


def waiting() -> float | None:
    return REGISTRY.get_sample_value("muster_queue_messages", {"source": COPIER})


def test_waiting_messages_are_counted_and_copies_from_messages_are_timed(stage, broker):
    before = copies_timed()
    first = Consumer(COPIER, broker, stage.inbox())
    with running(first):
        until(lambda: first.connected)  # its queue is there, and nobody reads it from here on
    stage.append("cup", "cup", *"abcdefghi")
    with running(stage.relay(broker)):
        until(lambda: _published(stage) == 10)
    slow = Consumer(COPIER, broker, stage.inbox(), batch=1)
    # The broker gives it two messages and it takes none.
    slow._collect = lambda connection: time.sleep(0.01)  # noqa: TID251 - a slow consumer
    with running(slow):
        until(lambda: slow.connected and 8 <= (waiting() or 0) <= 10)
    with running(Consumer(COPIER, broker, stage.inbox())):
        until(stage.same)
    assert copies_timed() > before


def _published(stage) -> int:
    with stage.owner.reading() as connection:
        return connection.value("SELECT published FROM relay")
