"""Two relays of one service: one leads, the other takes over when it dies, or when it sleeps for too long."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import psycopg
import pytest
from sqlalchemy.engine import make_url

from deploy.stack import ROOT, Stack
from tests.conftest import POSTGRESQL_URL, conninfo
from tests.faults.auditor import Auditor
from tests.faults.conftest import SERVERS
from tests.faults.holds import check, eventually
from tests.faults.load import Load
from tests.faults.processes import children, without

NAME = "scoring"


@dataclass(frozen=True)
class Leader:
    """Who publishes scoring's events."""

    pid: int
    token: int


def leader(auditor: Auditor) -> Leader:
    """Whom the lease names."""
    ((holder, token),) = auditor.rows("scoring", "SELECT holder, token FROM relay WHERE name = 'relay'")
    return Leader(int(holder.rsplit(":", 2)[1]), token)


@contextmanager
def second_worker(stack: Stack) -> Iterator[subprocess.Popen[bytes]]:
    """Run another worker of scoring, as a program of its own, which nobody starts again."""
    env = {**stack.env, "MUSTER_SERVICE": "scoring"}
    with stack.log.open("ab") as log:
        process = subprocess.Popen(
            (sys.executable, "-m", "services.scoring.worker"), cwd=ROOT, env=env, stdout=log, stderr=log
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def web_processes(stack: Stack) -> list[int]:
    """Return the processes that answer for scoring; each has a relay."""
    return children(stack.pids()[NAME])


def leads(auditor: Auditor, pids: Sequence[int]) -> Leader:
    """Wait until the relay of one of these processes leads."""
    return eventually(lambda: now if (now := leader(auditor)).pid in pids else None, f"one of {pids} leads")


def test_the_leader_dies_and_the_other_takes_over(stack: Stack) -> None:
    auditor = Auditor(stack)
    with second_worker(stack) as other, Load(stack) as load:
        load.more(10)
        first = leader(auditor)
        assert first.pid in web_processes(stack)
        with without(stack, NAME):
            load.over()
            second = leads(auditor, [other.pid])
            assert second.token > first.token
        load.more(10)
        assert leader(auditor) == second  # the one that came back stands by
        other.kill()
        load.over()
        other.wait()
        assert leads(auditor, web_processes(stack)).token > second.token
        load.more(10)
    check(stack, load)


def fallen_asleep(connection: psycopg.Connection, database: str, pid: int) -> bool:
    """Put a process to sleep; where that was not inside a transaction, wake it up again."""
    query = "SELECT pid, xact_start FROM pg_stat_activity WHERE datname = %s AND state = 'idle in transaction'"
    os.kill(pid, signal.SIGSTOP)
    before = set(connection.execute(query, [database]).fetchall())
    time.sleep(0.1)  # noqa: TID251 - other transactions end
    if before & set(connection.execute(query, [database]).fetchall()):
        return True
    os.kill(pid, signal.SIGCONT)
    return False


# On SQLite whoever sleeps inside a transaction holds the one lock for writing until somebody ends it.
@pytest.mark.parametrize("stack", [SERVERS], indirect=True)
def test_a_leader_that_sleeps_inside_a_transaction_leads_no_more(stack: Stack) -> None:
    auditor = Auditor(stack)
    database = make_url(stack.settings("scoring").database_url).database or ""
    with (
        psycopg.connect(conninfo(POSTGRESQL_URL), autocommit=True) as connection,
        second_worker(stack) as other,
        Load(stack) as load,
    ):
        with without(stack, NAME):
            first = leads(auditor, [other.pid])
        load.more(10)
        try:
            eventually(partial(fallen_asleep, connection, database, first.pid), "the leader sleeps in a transaction")
            second = leads(auditor, web_processes(stack))
            assert second.token > first.token
            load.more(10)
        finally:
            os.kill(first.pid, signal.SIGCONT)
            load.over()
        load.more(10)
        assert leader(auditor) == second
        with without(stack, NAME):
            load.over()
            third = leads(auditor, [other.pid])  # it had found out by itself, and waited
        assert third.token > second.token
        load.more(10)
    check(stack, load)
