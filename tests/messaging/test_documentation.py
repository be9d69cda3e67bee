"""The programs in docs/messaging.md are run as they stand there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import kombu
import pytest
from cryptography.exceptions import InvalidSignature

from deploy.operator import operator
from deploy.stack import Stack
from muster.simulator.director import Director
from muster.simulator.plausible import results
from shared.eventlog.append import Entry, append
from shared.events.canonical import canonical
from shared.events.recorded import EMPTY
from shared.formats.pack import shipped_swiss
from shared.messaging.wire import because_of
from shared.roles import INTEGRATION
from shared.tracing import taken_in
from tests.eventlog.stories import STAMP
from tests.issuing import token_of
from tests.messaging.cut import wire_to
from tests.messaging.stage import KEYS, until

GUIDE = Path(__file__).parents[2] / "docs" / "messaging.md"
EXAMPLE = GUIDE.parent / "examples" / "subscriber.py"
RULESET = "star-wars-armada-1.1"


def programs() -> list[str]:
    return re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)


def test_the_check_of_the_guide_takes_what_is_vouched_for_and_nothing_else(stage):
    stage.append("cup", "cup", "anna")
    stage.append("open", "open")
    keys = {source: {key.kid: key.public} for source, key in KEYS.items()}
    guide: dict[str, Any] = {}
    exec(programs()[1], guide)
    for line in stage.lines():
        event = json.loads(line)
        guide["check"](event, keys)
        for member, other in (("feedposition", 99), ("position", 7), ("tournament", "x"), ("hash", "0" * 64)):
            with pytest.raises(InvalidSignature):
                guide["check"]({**event, member: other}, keys)


@pytest.fixture
def muster(rabbitmq_exchange) -> Iterator[Stack]:
    url, exchange = rabbitmq_exchange
    with Stack(env={"BROKER_URL": url, "MUSTER_EXCHANGE": exchange, "MUSTER_CATCH_UP_SECONDS": "0.3"}) as stack:
        yield stack


class ClubSite:
    """The subscriber of the guide in a folder of its own, which may be killed and started again."""

    def __init__(self, folder: Path, queue: str, env: dict[str, str]) -> None:
        (folder / "subscriber.py").write_text(EXAMPLE.read_text().replace("club-site.results", queue))
        self._folder, self._env = folder, {**os.environ, **env}
        self.start()

    def start(self) -> None:
        with (self._folder / "out").open("a") as out, (self._folder / "trouble").open("a") as trouble:
            command = [sys.executable, "subscriber.py"]
            self._process = subprocess.Popen(command, cwd=self._folder, env=self._env, stdout=out, stderr=trouble)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def printed(self) -> list[str]:
        return (self._folder / "out").read_text().splitlines()

    def trouble(self) -> str:
        return (self._folder / "trouble").read_text()


def binding_lines(stack: Stack, headers: dict[str, str], tournament: str) -> set[str]:
    """What a club's site should have printed by now, by the services themselves."""
    url = f"{stack.urls['scoring']}/tournaments/{tournament}/games"
    games = [
        game for n in (1, 2, 3) for game in httpx.get(url, params={"round": n}, headers=headers).json().get("items", ())
    ]
    return {
        f"Friday night, round {game['round']}, table {game['table']}: "
        f"{game['name_1']} {game['score']['values_1']['tournament_points']} – "
        f"{game['score']['values_2']['tournament_points']} {game['name_2']} (binding)"
        for game in games
        if game["kind"] == "game" and game["binds"]
    }


@pytest.mark.engine("rabbitmq")
def test_the_subscriber_of_the_guide_loses_nothing_and_prints_nothing_twice(muster, rabbitmq_exchange, tmp_path):
    url, exchange = rabbitmq_exchange
    queue = f"{exchange}.club-site"
    token = token_of(muster.env, INTEGRATION, actor="club-site")
    host = Director.announce(
        operator(muster.urls, muster.issuer), name="Friday night", ruleset=RULESET, tier="casual", rounds=3
    )
    host.open_venue("Back room", 4)
    host.join({"name": name} for name in ("Ana", "Ben", "Çem", "Dora", "Edda", "Finn", "Gil", "Hana"))
    battle = results(shipped_swiss(RULESET), Random(5))

    def play(number: int) -> None:
        host.pair()
        host.start(number)
        host.play(number, battle)

    def expected() -> set[str]:
        return binding_lines(muster, {"Authorization": f"Bearer {token}"}, host.id)

    def all_told() -> bool:
        return {line for line in site.printed() if line.endswith("(binding)")} == expected()

    with wire_to(url) as (wire, through):
        env = {"BROKER_URL": through, "MUSTER_EXCHANGE": exchange, "TOKEN": token}
        site = ClubSite(tmp_path, queue, env | {f"{name.upper()}_URL": muster.urls[name] for name in muster.urls})
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
            site.start()
            until(all_told)
            assert len(expected()) == 12
        finally:
            site.kill()
            with kombu.Connection(url) as connection, connection.channel() as channel:
                channel.queue_delete(queue)
    assert [line for line, times in Counter(site.printed()).items() if times > 1] == []
    assert "trying again" in site.trouble()
    assert "Traceback" not in site.trouble()


def test_the_guide_shows_the_subscriber_as_it_is_run():
    assert programs()[0] == EXAMPLE.read_text()
    assert len(EXAMPLE.read_text().splitlines()) <= 90


def test_what_the_guide_says_of_the_wire_is_so(stage):
    command = '{"by":{},"data":{},"decision":1,"type":"JoinPlayers","version":1}'
    append(
        stage.owner,
        "registration",
        "cup",
        EMPTY,
        [Entry("PlayerJoined", 2, canonical({"name": "Anna", "player": "p1"}), command)],
        STAMP,
    )
    named = set(
        re.findall(r"`([a-z]+)`", GUIDE.read_text().split("The attributes of the CloudEvent:")[1].split("##")[0])
    )
    sent = set(json.loads(because_of(stage.lines()[0], taken_in(None, None))))
    assert named - {"registration", "pairing", "scoring"} <= sent
    # The rest is the specification's own.
    assert sent - named == {"specversion", "subject", "datacontenttype", "dataschema"}
