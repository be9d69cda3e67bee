"""Somebody sets the clock of the machine: work goes on, and events say what the clock said."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from deploy.stack import Stack
from tests.faults.auditor import Auditor
from tests.faults.clock import Clock
from tests.faults.conftest import EMBEDDED, SERVERS
from tests.faults.holds import check
from tests.faults.load import Load
from tests.faults.processes import kill

pytestmark = pytest.mark.engine("clock")

ABOUT = timedelta(minutes=5)


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> Clock:
    return Clock(tmp_path_factory.mktemp("clock"))


@pytest.fixture(scope="module", params=[EMBEDDED, SERVERS])
def stack(request: pytest.FixtureRequest, clock: Clock, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    env = request.getfixturevalue("servers_env") if request.param == "servers" else {}
    with Stack(tmp_path_factory.mktemp("stack"), env={**env, **clock.env}) as stack:
        yield stack


def ahead(auditor: Auditor, load: Load) -> timedelta:
    """How far the youngest result says that the clock of scoring is ahead of the true time."""
    (time,) = auditor.rows(
        "scoring",
        "SELECT time FROM events WHERE source = 'scoring' AND tournament = :id ORDER BY position DESC LIMIT 1",
        id=load.tournaments[-1].id,
    )[0]
    return datetime.fromisoformat(time) - datetime.now(UTC)


@pytest.mark.parametrize(
    "jump",
    [pytest.param(timedelta(days=1), id="forward a day"), pytest.param(timedelta(hours=-1), id="back an hour")],
)
@pytest.mark.fault("the clock jumps and jumps back")
def test_the_clock_jumps_and_jumps_back(stack: Stack, clock: Clock, jump: timedelta) -> None:
    auditor = Auditor(stack)
    before = stack.pids()
    with Load(stack) as load:
        for there in (jump, timedelta()):
            load.more(15)
            clock.set(there)
            load.over()
            load.more(15)
        assert stack.pids() == before  # nobody had to be started again
        clock.set(jump)
        kill(load, "scoring")  # who leads the relay next reads a lease of another time
        load.more(15)
        assert abs(ahead(auditor, load) - jump) < ABOUT
        clock.set(timedelta())
        load.more(5)
    check(stack, load)
