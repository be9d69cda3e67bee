"""Processes die in the middle of their work: nothing acknowledged is lost, nothing happens twice, nobody has to act."""

from __future__ import annotations

import os
import signal
from random import Random

import pytest

from deploy.checks import port_faults
from deploy.process_manager import PROGRAMS
from deploy.stack import Stack
from tests.faults.conftest import SERVERS
from tests.faults.holds import check
from tests.faults.load import Load
from tests.faults.processes import children, kill
from tests.waiting import until


def test_a_web_process_is_killed_while_results_are_posted(stack: Stack) -> None:
    with Load(stack) as load:
        for _ in range(3):
            load.more(15)
            for child in children(stack.pids()["scoring"]):
                os.kill(child, signal.SIGKILL)
            load.over()
        load.more(15)
    check(stack, load)


def test_the_master_of_the_web_processes_is_killed(stack: Stack) -> None:
    with Load(stack) as load:
        for name in ("scoring", "pairing", "registration"):
            load.more(15)
            before = stack.pids()[name]
            os.kill(before, signal.SIGKILL)
            load.over()
            stack.wait_for_restart(name, before)
        load.more(15)
    check(stack, load)


def test_a_service_is_killed_again_and_again(stack: Stack) -> None:
    with Load(stack) as load:
        for name in ("scoring", "pairing") * 2:
            load.more(15)
            kill(load, name)
        load.more(15)
    check(stack, load)


def test_whatever_runs_is_killed_in_any_order(stack: Stack) -> None:
    random = Random(7)
    with Load(stack) as load:
        for name in random.choices(sorted(PROGRAMS), k=6):
            load.more(random.randrange(1, 12))
            kill(load, name)
        load.more(15)
    check(stack, load)


def test_everything_is_stopped_in_order_and_started_again(stack: Stack) -> None:
    with Load(stack) as load:
        load.more(30)
        stack.stop()
        load.over()
        stack.start()
        load.more(30)
    check(stack, load)


# On SQLite and the folder it goes in test_broker_folder.py, and takes the bindings along.
@pytest.mark.parametrize("stack", [SERVERS], indirect=True)
def test_the_power_goes(stack: Stack) -> None:
    with Load(stack) as load:
        load.more(30)
        stack.kill_all()
        load.over()
        stack.start()
        load.more(30)
    check(stack, load)


def test_the_process_manager_is_killed_and_everything_ends_with_it(stack: Stack) -> None:
    with Load(stack) as load:
        load.more(10)
        os.kill(stack.pids()["supervisor"], signal.SIGKILL)
        until(lambda: port_faults(stack.port_base, "127.0.0.1") == [])
        stack.kill_all()
        load.over()
        stack.start()
        load.more(10)
    check(stack, load)
