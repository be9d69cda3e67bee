"""Every process is stopped in order and started again, one after another, while results come in."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.process_manager import PROGRAMS
from deploy.stack import Stack
from shared.log.migrate import upgrade_database
from shared.log.schema import open_database
from shared.settings import SERVICES
from tests.faults.auditor import Auditor
from tests.faults.conftest import EMBEDDED, SERVERS
from tests.faults.holds import check, eventually
from tests.faults.load import Load
from tests.faults.processes import children, kill

TURNED_AWAY = {"ConnectError", "ReadError", "ClosedUnanswered"}
"""While the only process restarts: refused, reset before it was taken, closed before an answer; none ends half-way."""
NEWER = Path(__file__).parents[1] / "eventlog/moving"
"""A revision of newer code, which adds, and moves data."""


@pytest.mark.fault("every process is restarted in turn")
def test_every_process_is_restarted_in_turn(stack: Stack) -> None:
    with Load(stack) as load:
        for name in sorted(PROGRAMS):
            load.more(5)
            kill(load, name, signal.SIGTERM)
        load.more(10)
    check(stack, load)
    assert load.ledger.broken.keys() <= TURNED_AWAY


@pytest.fixture(scope="module")
def several(servers_env: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """On the engines of production."""
    with Stack(tmp_path_factory.mktemp("several"), env=servers_env) as stack:
        yield stack


def web_masters(stack: Stack) -> dict[str, int]:
    """Return the process that starts the web processes of each service."""
    return {name: stack.pids()[name] for name in PROGRAMS}


@pytest.mark.engine("postgresql", "rabbitmq")
@pytest.mark.fault("web processes are replaced in turn by SIGHUP")
def test_web_processes_are_replaced_and_nobody_notices(several: Stack) -> None:
    auditor, masters = Auditor(several), web_masters(several)
    with Load(several) as load:
        for name in PROGRAMS:
            load.more(5)
            master = several.pids()[name]
            old = set(children(master))
            os.kill(master, signal.SIGHUP)
            load.over()
            eventually(lambda master=master, old=old: not old & set(children(master)), f"{name} has new processes")
            assert auditor.get(name, "/healthz").json()["status"] == "ok"
        load.more(10)
        assert web_masters(several) == masters
    check(several, load)
    # Its relay and consumer are threads of the process that is replaced: a copy may be behind for a moment.
    unavailable = load.ledger.unavailable.keys() - {"not-yet-seen"}
    assert (load.ledger.broken, unavailable) == ({}, set())


@pytest.fixture(params=[EMBEDDED, SERVERS])
def upgraded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack of its own, since its databases do not come back from the newer schema."""
    env = request.getfixturevalue("engine_env") if request.param == "servers" else {}
    few = {"MUSTER_WEB_THREADS": "2"}  # PostgreSQL has connections for so many, and no more
    with Stack(tmp_path_factory.mktemp("upgraded"), env={**env, **few}) as stack:
        yield stack


@pytest.mark.fault("a newer version migrates every database under load")
def test_a_newer_version_migrates_first_and_the_older_one_works_on(upgraded: Stack) -> None:
    auditor, before = Auditor(upgraded), upgraded.pids()
    with Load(upgraded) as load:
        for name in SERVICES:
            load.more(5)
            database = open_database(upgraded.settings(name).database_url)
            upgrade_database(database, name, extra_folders=[NEWER])
            database.close()
        load.over()
        load.more(10)
        assert upgraded.pids() == before
        for name in SERVICES:
            eventually(lambda name=name: auditor.ready(name)["checks"]["schema"]["detail"]["newer"], f"{name} says so")
    check(upgraded, load)
    upgraded.stop()
    upgraded.start()  # as the older one: its own migration leaves the newer schema as it is
    assert upgraded.output(500).count("is at log_9001 of newer code, and stays there") == len(SERVICES)
    with Load(upgraded) as load:
        load.more(5)
    check(upgraded, load)
