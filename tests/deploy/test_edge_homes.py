"""Two web processes behind the edge: commands of a tournament meet in one, also when that one is killed."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deploy.operator import operator
from deploy.ports import free_ports
from deploy.stack import Stack
from muster.simulator.director import Director
from shared.roles import OPERATOR
from shared.settings import PORT_OFFSETS, SERVICES
from tests import http
from tests.deploy.edge import RunningEdge, edge_of, two_ports
from tests.issuing import token_of

pytestmark = pytest.mark.engine("edge")

STEP = 4
TWO = {"MUSTER_WEB_WORKERS": "2", "MUSTER_WEB_PORT_STEP": str(STEP)}
POSTED = 15
"""Players whom each of four clients enters while the process is killed."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))])
def databases(request) -> dict[str, str]:
    if request.param == "sqlite":
        return {}
    urls = request.getfixturevalue("postgresql_urls")
    return {f"{service.upper()}_DATABASE_URL": urls() for service in SERVICES}


@contextmanager
def behind_an_edge(databases: dict[str, str]) -> Iterator[tuple[Stack, RunningEdge]]:
    address, base = two_ports(), free_ports(3 * STEP)
    env = {
        "MUSTER_TRUSTED_PROXIES": "1",
        "MUSTER_PUBLIC_URL": f"https://localhost:{address}",
        "MUSTER_RATE_LIMIT": "off",
    }
    with Stack(port_base=base, env={**databases, **TWO, **env}) as stack:
        ports = {name: base + PORT_OFFSETS[name] for name in SERVICES}
        with edge_of(ports, address, TWO) as edge:
            yield stack, edge


def entering(edge: RunningEdge, tournament: str) -> list[int]:
    """The ports of the processes that were asked to enter players of a tournament, in order; one when all went well."""
    lines = [json.loads(line) for line in edge.log.read_text().splitlines() if line[:1] + line[-1:] == "{}"]
    path = f"/registration/tournaments/{tournament}/players"
    wanted = [line["upstream"] for line in lines if (line["method"], line["path"]) == ("POST", path)]
    return [int(upstream.rpartition(":")[2]) for asked in wanted for upstream in asked.split(", ")]


def listening(stack: Stack, port: int) -> int:
    """The process that alone takes what comes to a port of its own; the master, which holds all ports, is not it."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    inode = next(line[9] for line in lines if line[1].endswith(f":{port:04X}") and line[3] == "0A")
    master = stack.pids()["registration"]
    children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
    held = {pid: {os.readlink(fd) for fd in Path(f"/proc/{pid}/fd").iterdir()} for pid in children}
    [found] = [pid for pid, files in held.items() if f"socket:[{inode}]" in files]
    return int(found)


def test_commands_are_neither_lost_nor_doubled_when_the_process_that_has_them_is_killed(databases):
    with behind_an_edge(databases) as (stack, edge):
        ruleset = "star-wars-armada-1.1"
        organiser = operator(stack.urls, stack.issuer)
        cups: dict[int, list[str]] = defaultdict(list)
        headers = {"Authorization": f"Bearer {token_of(stack.env, OPERATOR)}"}
        with http.Client(base_url=edge.url, verify=edge.tls, headers=headers) as client:
            while len(cups) < 2:  # until each process has a tournament
                cup = Director.announce(organiser, name="Club night", ruleset=ruleset, tier="casual", rounds=2).id
                for name in ("Ada", "Bela", "Cleo"):
                    made = client.post(f"/registration/tournaments/{cup}/players", json={"name": name})
                    assert made.status_code == 201, made.text
                home, *others = entering(edge, cup)
                assert set(others) == {home}
                cups[home].append(cup)

            killed, cup = next((home, found[0]) for home, found in cups.items())
            before = listening(stack, killed)
            begun, answers = threading.Event(), {}

            def enter(who: str) -> None:
                for number in range(POSTED):
                    key = {"Idempotency-Key": f"{who[-1]}-{number}"} if "with" in who else {}
                    answers[f"{who} {number}"] = client.post(
                        f"/registration/tournaments/{cup}/players", json={"name": f"{who} {number}"}, headers=key
                    ).status_code
                    if number == 3:
                        begun.set()

            clients = [threading.Thread(target=enter, args=(who,)) for who in ("with a", "with b", "out c", "out d")]
            for one in clients:
                one.start()
            begun.wait()
            os.kill(before, signal.SIGKILL)
            for one in clients:
                one.join()

            entered = [
                player["name"] for player in organiser.plain.items("registration", f"/tournaments/{cup}/players")
            ]
            assert len(entered) == len(set(entered))
            assert {answers[name] for name in answers if name.startswith("with")} == {201}
            assert {name for name, status in answers.items() if status == 201} <= set(entered)
            assert set(answers.values()) <= {201, 503}  # a client without a key has to look for itself

            number = 0
            while entering(edge, cup)[-1] != killed or not number:  # home again, once another one listens there
                number += 1
                client.post(f"/registration/tournaments/{cup}/players", json={"name": f"Late {number}"})
            assert listening(stack, killed) != before
