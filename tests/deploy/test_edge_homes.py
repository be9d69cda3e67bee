"""Two processes of a service behind the edge: commands of a tournament meet in one, also when that one is killed."""

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

from deploy.stack import Stack, operator
from muster.simulator.director import Director
from shared.roles import OPERATOR
from shared.settings import SERVICES
from tests import http
from tests.deploy.edge import RunningEdge, edge_of, two_ports
from tests.door.running import Service
from tests.issuing import token_of

pytestmark = pytest.mark.engine("edge")

POSTED = 15
"""Players whom each of four clients enters while the process is killed."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))])
def databases(request) -> dict[str, str]:
    if request.param == "sqlite":
        return {}
    urls = request.getfixturevalue("postgresql_urls")
    return {f"{service.upper()}_DATABASE_URL": urls() for service in SERVICES}


@contextmanager
def behind_an_edge(databases: dict[str, str]) -> Iterator[tuple[Stack, RunningEdge, dict[int, int]]]:
    """Run a Muster with a second process of registration behind an edge; port -> the gunicorn that listens there."""
    address = two_ports()
    env = {
        **databases,
        "MUSTER_TRUSTED_PROXIES": "1",
        "MUSTER_PUBLIC_URL": f"https://localhost:{address}",
        "MUSTER_RATE_LIMIT": "off",
    }
    with Stack(env=env) as stack:
        peers = {f"{name.upper()}_URL": url for name, url in stack.urls.items()}
        with Service(stack.data, "registration", **env, **peers) as second:
            assert second.process is not None
            first = stack.settings("registration").port
            ports = {name: [stack.settings(name).port] for name in SERVICES}
            ports["registration"].append(second.port)
            with edge_of(ports, address) as edge:
                yield stack, edge, {first: stack.pids()["registration"], second.port: second.process.pid}


def entering(edge: RunningEdge, tournament: str) -> list[int]:
    """The ports of the processes that were asked to enter players of a tournament, in order; one when all went well."""
    lines = [json.loads(line) for line in edge.log.read_text().splitlines() if line[:1] + line[-1:] == "{}"]
    path = f"/registration/tournaments/{tournament}/players"
    wanted = [line["upstream"] for line in lines if (line["method"], line["path"]) == ("POST", path)]
    return [int(upstream.rpartition(":")[2]) for asked in wanted for upstream in asked.split(", ")]


def worker_of(master: int) -> int:
    """Return the process that answers for a gunicorn."""
    [found] = Path(f"/proc/{master}/task/{master}/children").read_text().split()
    return int(found)


def test_commands_are_neither_lost_nor_doubled_when_the_process_that_has_them_is_killed(databases):
    with behind_an_edge(databases) as (stack, edge, masters):
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
            before = worker_of(masters[killed])
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
            assert worker_of(masters[killed]) != before
