"""One service's database is put back, or lost, alone: nothing forks, and its peers give back what they hold."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner, Result

from deploy.stack import Stack, operator
from muster.cli.main import main
from shared.settings import SERVICES
from tests import http
from tests.faults.auditor import Auditor
from tests.faults.backup import Backup
from tests.faults.conftest import EMBEDDED
from tests.faults.holds import check, eventually, settle
from tests.faults.load import Load, one_round


@contextmanager
def stopped(stack: Stack, unready: Sequence[str] = ()) -> Iterator[None]:
    """Nothing of a stack runs meanwhile. unready: services that are not expected to become ready afterwards."""
    stack.stop()
    yield
    stack.start(unready)


def some_results(stack: Stack, results: int = 12) -> Load:
    """A load that has ended, everything of it copied everywhere."""
    with Load(stack) as load:
        load.more(results)
    settle(Auditor(stack), load.tournaments)
    return load


def muster(stack: Stack, *arguments: str) -> Result:
    """What a command of an operator prints, and how it ends."""
    token = operator(stack.urls, stack.issuer).token
    env = {
        "MUSTER_TOKEN": token,
        **{f"{name.upper()}_URL": url for name, url in stack.urls.items()},
    }
    return CliRunner().invoke(main, list(arguments), env=env)


GOES = ("/players/p1/drop", {"reason": "has to leave"}, "known to nobody else")


def command(stack: Stack, load: Load, service: str, path: str, body: object, key: str) -> httpx.Response:
    """What the last tournament's organiser is answered, without patience."""
    director = load.tournaments[-1]
    headers = {"Authorization": f"Bearer {director.organiser.token}", "Idempotency-Key": key.replace(" ", "-")}
    return http.post(f"{stack.urls[service]}/tournaments/{director.id}{path}", json=body, headers=headers)


def held_back(stack: Stack, service: str) -> str:
    """What readiness says of a service that takes no command, once it has asked its peers, which may be starting."""
    auditor = Auditor(stack)
    eventually(lambda: auditor.ready(service)["status"] == "failed", partial(auditor.ready, service))
    ready = auditor.ready(service)
    own_copies = ready["checks"]["own_copies"]
    assert (own_copies["ok"], own_copies["needed"]) == (False, True)
    assert own_copies["detail"]["advice"] == f"muster recover --service {service}"
    return " ".join(peer["trouble"] for peer in own_copies["detail"].values() if "trouble" in peer)


@pytest.mark.fault("a database is put back to an earlier time, and its recovery is killed")
def test_put_back_alone_it_takes_no_command_until_it_has_recovered(stack: Stack, tmp_path: Path) -> None:
    service = "registration"
    before = some_results(stack)
    yesterday = Backup(stack.settings(service).database_url, tmp_path)
    with stopped(stack):
        yesterday.take()
    today = some_results(stack)
    end = Auditor(stack).end(service)
    with stopped(stack, unready=[service]):
        yesterday.put_back()
    assert f"at feed position {end}, where this database has none" in held_back(stack, service)
    answer = command(stack, today, service, "/players", {"name": "Late"}, "late")
    assert (answer.status_code, answer.json()["code"]) == (503, "behind-own-copies")
    assert answer.headers["Retry-After"]
    assert Auditor(stack).get(service, f"/tournaments/{before.tournaments[0].id}/heads")  # reading goes on
    for moment in (0.02, 0.1, 0.3):
        asked = threading.Thread(target=muster, args=(stack, "recover", "--service", service))
        asked.start()
        time.sleep(moment)  # noqa: TID251 - it is killed at this moment
        stack.kill("registration", wait=False)
        asked.join()
        eventually(lambda: Auditor(stack).get(service, "/healthz"), "it is started again")
    result = muster(stack, "recover", "--service", service)
    assert result.exit_code == 0, result.output
    assert Auditor(stack).end(service) == end
    check(stack, before)  # commands of both times stand there once, and are answered as they were
    check(stack, today)
    yesterday.forget()


@pytest.mark.fault("two databases are lost")
@pytest.mark.parametrize("stack", [EMBEDDED], indirect=True)
def test_databases_that_are_lost_come_back_from_the_one_that_is_left(stack: Stack, tmp_path: Path) -> None:
    load = some_results(stack)
    ends = {name: Auditor(stack).end(name) for name in SERVICES}
    stack.kill_all()
    for name in ("pairing", "scoring"):
        Backup(stack.settings(name).database_url, tmp_path).lose()
    stack.start(["pairing", "scoring"])
    assert "where this database has none" in held_back(stack, "scoring")
    result = muster(stack, "recover")
    assert result.exit_code == 0, result.output
    told = [line.partition(":")[0] for line in result.output.splitlines() if "taken back" in line]
    assert told == ["pairing", "scoring"]
    assert {name: Auditor(stack).end(name) for name in SERVICES} == ends
    check(stack, load)


@pytest.mark.parametrize("stack", [EMBEDDED], indirect=True)
def test_what_no_peer_had_is_lost_and_may_be_sent_again(stack: Stack, tmp_path: Path) -> None:
    with Load(stack) as load:
        one_round(load)
    settle(Auditor(stack), load.tournaments)
    for name, pid in stack.pids().items():
        if name not in ("supervisor", "registration"):  # nobody copies any more
            os.killpg(pid, signal.SIGSTOP)
    assert (first := command(stack, load, "registration", *GOES)).status_code == 201
    stack.kill_all()
    settings = stack.settings("registration")
    Backup(settings.database_url, tmp_path).lose()
    shutil.rmtree(settings.broker_folder)  # what was published is lost with it
    stack.start(["registration"])
    assert muster(stack, "recover").exit_code == 0
    settle(Auditor(stack), load.tournaments)
    assert (again := command(stack, load, "registration", *GOES)).status_code == 201
    assert "Idempotent-Replayed" not in again.headers  # it was appended anew, where it had stood
    assert [event["id"] for event in again.json()["events"]] == [event["id"] for event in first.json()["events"]]
