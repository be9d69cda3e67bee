"""A process stops for a while and goes on, as on a machine that swaps, or whose virtual machine is moved."""

from __future__ import annotations

import os
import signal
import time

import pytest

from deploy.stack import Stack
from tests.faults.holds import check
from tests.faults.load import Load

SECONDS = 6.0
"""Longer than a lease of the relay lasts, and than others wait for an answer of this service."""


@pytest.mark.parametrize("name", ["scoring", "pairing"])
@pytest.mark.fault("a process is frozen")
def test_a_process_is_frozen(stack: Stack, name: str) -> None:
    before = stack.pids()
    with Load(stack) as load:
        load.more(10)
        os.killpg(before[name], signal.SIGSTOP)
        try:
            time.sleep(SECONDS)  # noqa: TID251 - as long as it is frozen
        finally:
            os.killpg(before[name], signal.SIGCONT)
        load.over()
        load.more(15)
    assert stack.pids() == before
    check(stack, load)
