"""The example programs of the messaging guide, run as printed."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import kombu
import pytest
from cryptography.exceptions import InvalidSignature

from deploy.stack import Stack, operator
from muster.simulator.director import Director
from muster.simulator.results_by_chance import results
from shared.formats.packs import shipped_swiss
from shared.log.event import EMPTY_HEAD, canonical_json
from shared.log.log import Entry
from shared.messaging.envelope import add_cause
from shared.roles import INTEGRATION
from shared.tracing import cause_of_request
from tests import http
from tests.appending import append
from tests.conftest import BROKER_URL
from tests.eventlog.stories import STAMP
from tests.issuing import token_of
from tests.messaging import node
from tests.messaging.cut import wire_to
from tests.messaging.stage import KEYS
from tests.waiting import until

DOCS = Path(__file__).parents[2] / "docs"
REFERENCE, GUIDE = DOCS / "reference/messaging.md", DOCS / "how-to/subscribe.md"
EXAMPLE = DOCS / "examples/subscriber.py"
IN_NODE = DOCS / "examples/node"
RULESET = "star-wars-armada-1.1"


def program(page: Path) -> str:
    """Return the one Python program of a page."""
    (code,) = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    return code


def test_the_guides_verification_accepts_only_signed_events(stage):
    stage.append("cup", "cup", "anna")
    stage.append("open", "open")
    keys = {source: {key.kid: key.public} for source, key in KEYS.items()}
    guide: dict[str, Any] = {}
    exec(program(REFERENCE), guide)
    for line in stage.lines():
        event = json.loads(line)
        guide["check"](event, keys)
        for member, other in (("feedposition", 99), ("position", 7), ("tournament", "x"), ("hash", "0" * 64)):
            with pytest.raises(InvalidSignature):
                guide["check"]({**event, member: other}, keys)


class ClubSite:
    """A subscriber of the guide in a folder of its own, which may be killed and started again."""

    def __init__(self, program: Path, folder: Path, queue: str, env: dict[str, str]) -> None:
        (folder / program.name).write_text(program.read_text().replace("club-site.results", queue))
        self._command = [sys.executable if program.suffix == ".py" else "node", program.name]
        if program.suffix == ".mjs":
            for name in ("package.json", "package-lock.json"):
                shutil.copy(program.with_name(name), folder)
            node.install(folder)
        self._folder, self._env = folder, {**os.environ, **env}
        self.start()

    def start(self) -> None:
        with (self._folder / "out").open("a") as out, (self._folder / "trouble").open("a") as trouble:
            self._process = subprocess.Popen(self._command, cwd=self._folder, env=self._env, stdout=out, stderr=trouble)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def printed(self) -> list[str]:
        return (self._folder / "out").read_text().splitlines()

    def kept(self) -> list[str]:
        """Return the lines in the subscriber's database, which include one that a kill kept from being printed."""
        with contextlib.closing(sqlite3.connect(self._folder / "results.sqlite3")) as db:
            return [line for (line,) in db.execute("SELECT line FROM results")]

    def trouble(self) -> str:
        return (self._folder / "trouble").read_text()


def binding_lines(stack: Stack, headers: dict[str, str], tournament: str, night: str) -> set[str]:
    """Return the lines that the example subscriber should have printed, computed from the services."""
    url = f"{stack.urls['scoring']}/tournaments/{tournament}/games"
    games = [
        game for n in (1, 2, 3) for game in http.get(url, params={"round": n}, headers=headers).json().get("items", ())
    ]
    return {
        f"{night}, round {game['round']}, table {game['table']}: "
        f"{game['name_1']} {game['score']['values_1']['tournament_points']} – "
        f"{game['score']['values_2']['tournament_points']} {game['name_2']} (binding)"
        for game in games
        if game["kind"] == "game" and game["binds"]
    }


@pytest.mark.engine("postgresql", "rabbitmq")
@pytest.mark.parametrize(
    ("program", "night"),
    [
        pytest.param(EXAMPLE, "Friday night", id="python"),
        pytest.param(IN_NODE / "subscriber.mjs", "Saturday night", id="node", marks=pytest.mark.engine("node")),
    ],
)
def test_the_example_subscriber_prints_every_event_once(shared_stack_on_servers, program, night, tmp_path):
    muster = shared_stack_on_servers
    url, exchange = BROKER_URL, muster.env["MUSTER_EXCHANGE"]
    queue = f"{exchange}.{program.suffix[1:]}"
    token = token_of(muster.env, INTEGRATION, actor="club-site")
    host = Director.announce(operator(muster.urls, muster.issuer), name=night, ruleset=RULESET, tier="casual", rounds=3)
    host.open_venue("Back room", 4)
    host.join({"name": name} for name in ("Ana", "Ben", "Çem", "Dora", "Edda", "Finn", "Gil", "Hana"))
    battle = results(shipped_swiss(RULESET), Random(5))

    def play(number: int) -> None:
        host.pair()
        host.start(number)
        host.play(number, battle)

    def expected() -> set[str]:
        return binding_lines(muster, {"Authorization": f"Bearer {token}"}, host.id, night)

    def binding(lines: list[str]) -> set[str]:
        return {line for line in lines if line.startswith(night) and line.endswith("(binding)")}

    def all_told() -> bool:
        return binding(site.printed()) == expected()

    with wire_to(url) as (wire, through):
        env = {"BROKER_URL": through, "MUSTER_EXCHANGE": exchange, "TOKEN": token}
        site = ClubSite(
            program, tmp_path, queue, env | {f"{name.upper()}_URL": muster.urls[name] for name in muster.urls}
        )
        try:
            play(1)
            until(all_told)
            assert len(expected()) == 4
            host.close(1)
            assert wire.cut() == 1  # in the middle of the evening, and of whatever it was told
            play(2)
            assert wire.cut() <= 1
            until(all_told)
            assert len(expected()) == 8
            host.close(2)
            site.kill()
            with kombu.Connection(url) as connection, connection.channel() as channel:
                channel.queue_delete(queue)  # what it held is lost
            play(3)
            for seconds in (0.2, 0.4, 0.8, 1.6):  # wherever it is by then
                site.start()
                time.sleep(seconds)  # noqa: TID251 - it is killed at this moment
                site.kill()
            site.start()
            until(lambda: binding(site.kept()) == expected())
            assert len(expected()) == 12
        finally:
            site.kill()
            with kombu.Connection(url) as connection, connection.channel() as channel:
                channel.queue_delete(queue)
    assert [line for line, times in Counter(site.printed()).items() if times > 1] == []
    assert "trying again" in site.trouble()
    assert "Traceback" not in site.trouble()


def test_the_guide_shows_the_example_subscriber():
    assert program(GUIDE) == EXAMPLE.read_text()
    assert len(EXAMPLE.read_text().splitlines()) <= 90


def test_the_guide_describes_the_wire_format(stage):
    command = '{"by":{},"data":{},"decision":1,"type":"JoinPlayers","version":1}'
    append(
        stage.owner,
        "registration",
        "cup",
        EMPTY_HEAD,
        [Entry("PlayerJoined", 2, canonical_json({"name": "Anna", "player": "p1"}), command)],
        STAMP,
    )
    named = set(
        re.findall(r"`([a-z]+)`", REFERENCE.read_text().split("The attributes of the CloudEvent:")[1].split("##")[0])
    )
    sent = set(json.loads(add_cause(stage.lines()[0], cause_of_request(None, None))))
    assert named - {"registration", "pairing", "scoring"} <= sent
    # The rest is the specification's own.
    assert sent - named == {"specversion", "subject", "datacontenttype"}
