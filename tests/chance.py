"""Everything that is left to chance in this process, drawn from a seed: whole campaigns are the same in every run.

Who sits where, which die falls and whom the draw favours follow from secrets of draws; ids, keys and salts are drawn
apart from them, so that one request more moves no die. With a seed, "among the many something happened" holds always or
never.
"""

from __future__ import annotations

import datetime
import os
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from unittest import mock

from muster.simulator import director
from shared import clock
from shared.service import draws

BEGIN = datetime.datetime(2026, 3, 1, 9, tzinfo=datetime.UTC)
TICK = datetime.timedelta(milliseconds=250)


@contextmanager
def seeded_chance(seed: str) -> Iterator[None]:
    """Draw the bytes of `secrets`, `uuid4` and `SystemRandom` from a seed, and let the time of events tick per look.

    It is for services in this process; simulated phones send one after another. Within one Muster use each seed once:
    the same seed makes the same idempotency keys.
    """
    source = random.Random(seed)
    ticking = mock.Mock(wraps=datetime.datetime)
    ticking.now.side_effect = _Ticks().now
    with (
        mock.patch.object(os, "urandom", source.randbytes),  # uuid4
        mock.patch.object(random, "_urandom", source.randbytes),  # SystemRandom, and with it all of secrets
        seeded_draws(f"draws of {seed}"),
        mock.patch.object(clock, "datetime", ticking),
        mock.patch.object(director, "ThreadPoolExecutor", _one_at_a_time),
    ):
        yield


@contextmanager
def seeded_draws(seed: str) -> Iterator[None]:
    """Draw the secrets of draws alone from a seed: dice, lots and pairings are the same in every run."""
    source = random.Random(seed)
    with mock.patch.object(draws, "secrets", mock.Mock(token_hex=lambda size: source.randbytes(size).hex())):
        yield


def _one_at_a_time(_phones: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1)


class _Ticks:
    """A clock that goes on by a tick whenever it is read."""

    def __init__(self) -> None:
        self._now = BEGIN

    def now(self, zone: datetime.tzinfo) -> datetime.datetime:
        self._now += TICK
        return self._now.astimezone(zone)
