"""The disk under the embedded Muster is full, or fails: commands are refused, and nothing acknowledged is lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deploy.stack import Stack
from shared.settings import SERVICES
from tests import http
from tests.faults.auditor import Auditor
from tests.faults.disk import Disk
from tests.faults.holds import check, eventually
from tests.faults.load import Load

pytestmark = pytest.mark.engine("mount")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    (tmp_path / "data").mkdir()
    with Disk(tmp_path / "image", tmp_path / "data") as disk:
        yield disk


@pytest.fixture
def stack(disk: Disk, tmp_path: Path) -> Iterator[Stack]:
    stack = Stack(disk.folder)
    stack.log = tmp_path / "stack.log"
    with stack:
        yield stack


@contextmanager
def nobody_runs(pids: dict[str, int]) -> Iterator[None]:
    """Everything of a stack but its supervisor is stopped meanwhile."""
    groups = [pid for name, pid in pids.items() if name != "supervisor"]
    for group in groups:
        os.killpg(group, signal.SIGSTOP)
    try:
        yield
    finally:
        for group in groups:
            os.killpg(group, signal.SIGCONT)


def refused(load: Load) -> None:
    """Wait until a command has been answered 503, which callers repeat."""
    before = load.ledger.statuses[503]
    eventually(lambda: load.ledger.statuses[503] > before, "a command is refused")


@pytest.mark.fault("the disk is full")
def test_the_disk_is_full(stack: Stack, disk: Disk) -> None:
    auditor = Auditor(stack)
    with Load(stack) as load:
        load.more(20)
        before = stack.pids()
        disk.fill()
        refused(load)
        for name in SERVICES:  # what is known can still be read
            assert auditor.get(name, f"/tournaments/{load.tournaments[0].id}/heads").json()["heads"]
            assert http.get(f"{stack.urls[name]}/healthz").status_code == 200
            ready = http.get(f"{stack.urls[name]}/readyz")
            assert (ready.status_code, ready.json()["checks"]["disk"]["ok"]) == (503, False)
        disk.make_room()
        load.over()
        load.more(20)
        assert stack.pids() == before  # nobody had to be started again
    check(stack, load)


@pytest.mark.fault("processes die while the disk is full")
def test_processes_die_while_the_disk_is_full(stack: Stack, disk: Disk) -> None:
    with Load(stack) as load:
        load.more(10)
        before = stack.pids()
        disk.fill()
        refused(load)
        for name in ("pairing", "scoring"):
            os.killpg(before[name], signal.SIGKILL)
        refused(load)
        disk.make_room()
        load.over()
        load.more(20)
        assert stack.pids()["supervisor"] == before["supervisor"]
    check(stack, load)


@pytest.mark.fault("the disk fails and is read-only until it is repaired")
def test_the_disk_is_read_only(stack: Stack, disk: Disk) -> None:
    auditor = Auditor(stack)
    with Load(stack) as load:
        load.more(20)
        before = stack.pids()
        # Made to give up in the moment of an fsync, ext4 may call that done and not hold it (aborted_disk.py shows it).
        with nobody_runs(before):
            disk.sync()
            disk.fail()
        refused(load)
        for name in SERVICES:
            assert auditor.get(name, f"/tournaments/{load.tournaments[0].id}/heads").json()["heads"]
            ready = f"{stack.urls[name]}/readyz"  # the first failed write of the journal makes it read-only
            eventually(lambda ready=ready: not http.get(ready).json()["checks"]["disk"]["ok"], f"{name} sees the disk")
        assert stack.pids() == before
        stack.stop()
        disk.repair()
        load.over()
        stack.start()
        load.more(20)
    check(stack, load)
