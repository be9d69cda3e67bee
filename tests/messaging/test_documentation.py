"""The subscriber in docs/messaging.md is run as it stands there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import kombu
import pytest
from cryptography.exceptions import InvalidSignature

from shared.eventlog.append import Entry, append
from shared.events.canonical import canonical
from shared.events.recorded import EMPTY
from shared.messaging.broker import Broker
from shared.messaging.relay import Relay
from tests.eventlog.stories import STAMP
from tests.messaging.stage import KEYS, SIGNERS, running, until

GUIDE = Path(__file__).parents[2] / "docs" / "messaging.md"


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


@pytest.mark.engine("rabbitmq")
def test_the_subscriber_of_the_guide_prints_what_it_says(stage, rabbitmq_exchange, tmp_path):
    url, exchange = rabbitmq_exchange
    program, _ = programs()
    assert len([line for line in program.splitlines() if line.strip()]) <= 20
    queue = f"{exchange}.club-site"
    (tmp_path / "subscriber.py").write_text(program.replace("club-site.results", queue))
    subscriber = subprocess.Popen(
        [sys.executable, str(tmp_path / "subscriber.py")],
        env={**os.environ, "BROKER_URL": url, "MUSTER_EXCHANGE": exchange},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        with kombu.Connection(url) as connection:

            def bound():
                with connection.channel() as channel:
                    try:
                        return channel.queue_declare(queue, passive=True).consumer_count == 1
                    except connection.channel_errors:
                        return False

            until(bound)
            kinds = ["ResultReported", "ResultConfirmed", "RoundClosed", "ResultConfirmed"]
            entries = [Entry(kind, 1, canonical({"table": number})) for number, kind in enumerate(kinds, 1)]
            append(stage.owner, "scoring", "cup", EMPTY, entries, STAMP)
            with running(Relay(stage.owner, "scoring", Broker(url, exchange), SIGNERS["scoring"])):
                assert subscriber.stdout is not None
                lines = [subscriber.stdout.readline().split(" ", 2) for _ in range(2)]
            with stage.owner.writing() as database:
                database.exec_driver_sql("UPDATE relay SET published = 0")  # everything comes once more
            with running(Relay(stage.owner, "scoring", Broker(url, exchange), SIGNERS["scoring"])):
                until(lambda: bound() and _left(connection, queue) == 0)
    finally:
        subscriber.terminate()
        rest, _ = subscriber.communicate(timeout=30)
        with kombu.Connection(url) as connection, connection.channel() as channel:
            channel.queue_delete(queue)
    assert [(tournament, position, json.loads(data)) for tournament, position, data in lines] == [
        ("cup", "2", {"table": 2}),
        ("cup", "4", {"table": 4}),
    ]
    assert rest == ""


def _left(connection, queue):
    with connection.channel() as channel:
        return channel.queue_declare(queue, passive=True).message_count


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
    sent = set(json.loads(stage.lines()[0]))
    assert named - {"registration", "pairing", "scoring"} <= sent
    # The rest is the specification's own.
    assert sent - named == {"specversion", "subject", "datacontenttype", "dataschema"}
