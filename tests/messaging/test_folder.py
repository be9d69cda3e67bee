"""The embedded broker: whole messages, in order, between processes, in any order of start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time

import pytest

from shared.messaging.broker import Broker
from shared.messaging.catch_up import CatchUp
from shared.messaging.consumer import Consumer
from shared.messaging.publisher import Outgoing, Publisher
from tests.messaging.stage import running
from tests.waiting import PATIENCE, until

PUBLISHER = """
import sys
from shared.messaging.broker import Broker
from shared.messaging.publisher import Outgoing, Publisher
broker = Broker("filesystem://", folder=sys.argv[1])
publisher = Publisher(broker)
for number in range(int(sys.argv[3])):
    body = (sys.argv[2] + ":" + str(number) + "x" * 20000).encode()
    publisher.publish([Outgoing(broker.topology.exchange, "registration.X.cup", body, "", "text/plain")])
"""
DECLARER = """
import sys
from shared.messaging.broker import Broker
sys.stdin.read()
broker = Broker("filesystem://", folder=sys.argv[1])
with broker.connect() as connection, broker.declaring():
    broker.topology.declare(connection.channel(), sys.argv[2], ["registration", "scoring"])
"""


@pytest.fixture
def broker(tmp_path):
    return Broker("filesystem://", folder=tmp_path / "broker", poll_ms=5)


class Listener:
    """A queue of one's own; `bodies` is what came."""

    def __init__(self, broker, service):
        self.bodies = []
        self._broker = broker
        self._service = service

    def run(self, stop):
        with self._broker.connect() as connection:
            channel = connection.channel()
            with self._broker.declaring():
                queue = self._broker.topology.declare(channel, self._service, ["registration"])

            def on_message(message):
                self.bodies.append(bytes(message.body) if isinstance(message.body, bytes) else message.body.encode())
                message.ack()

            from kombu import Consumer as Receiver

            with Receiver(channel, queues=[queue], on_message=on_message, auto_declare=False):
                self.ready = True
                while not stop.is_set():
                    try:
                        connection.drain_events(timeout=0.1)
                    except TimeoutError:
                        continue

    ready = False


def test_messages_of_several_processes_are_whole_and_in_order(broker, tmp_path):
    listener = Listener(broker, "pairing")
    with running(listener):
        until(lambda: listener.ready)
        publishers = [
            subprocess.Popen([sys.executable, "-c", PUBLISHER, str(tmp_path / "broker"), name, "150"]) for name in "ab"
        ]
        assert [publisher.wait(PATIENCE) for publisher in publishers] == [0, 0]
        until(lambda: len(listener.bodies) == 300)
    assert all(body.endswith(b"x" * 20000) for body in listener.bodies)
    for name in (b"a", b"b"):
        numbers = [int(body[2:].rstrip(b"x")) for body in listener.bodies if body.startswith(name)]
        assert numbers == list(range(150))


def test_every_service_gets_its_own_messages(broker):
    first, second = Listener(broker, "pairing"), Listener(broker, "scoring")
    with running(first, second):
        until(lambda: first.ready and second.ready)
        Publisher(broker).publish([Outgoing("muster.events", "registration.X.cup", b"1", "", "text/plain")])
        Publisher(broker).publish([Outgoing("muster.events", "nobody.X.cup", b"2", "", "text/plain")])
        until(lambda: first.bodies == second.bodies == [b"1"])


def test_concurrent_declarations_keep_all_bindings(tmp_path):
    """Without a lock, only the last binding would be in the control file."""
    folder = tmp_path / "broker"
    services = [f"s{number}" for number in range(6)]
    starters = [
        subprocess.Popen([sys.executable, "-c", DECLARER, str(folder), name], stdin=subprocess.PIPE)
        for name in services
    ]
    for starter in starters:
        assert starter.stdin is not None
        starter.stdin.close()
    assert [starter.wait(PATIENCE) for starter in starters] == [0] * 6
    bound = {queue for _, _, queue in json.loads((folder / "control" / "muster.events.exchange").read_text())}
    assert bound == {f"muster.{name}" for name in services}


@pytest.mark.parametrize("text", ["", '{"half a mess', "[]", "{}", '{"body": 1}', "[" * 100_000, "\0\xff"])
def test_files_that_are_not_messages_are_deleted(broker, stage, tmp_path, text):
    with broker.connect() as connection, broker.declaring():
        broker.topology.declare(connection.channel(), "pairing", ["registration"])
    (queues(tmp_path) / "0_x.muster.pairing.msg").write_text(text)
    stage.append("cup", "anna")
    publisher = Publisher(broker)
    for arrival in stage.arrivals():
        publisher.publish([Outgoing("muster.events", arrival.address, arrival.body, "", "text/plain")])
    inbox = stage.inbox()
    with running(Consumer("pairing", broker, inbox, idle_seconds=0.1), CatchUp(inbox, stage.upstream(), every=0.5)):
        until(stage.same)
        until(lambda: not list(queues(tmp_path).iterdir()))


def queues(folder):
    return folder / "broker" / "queues"


@pytest.mark.parametrize("queue", ["muster.pairing", "muster.pairing.dead"])
def test_unread_messages_are_bounded_and_dead_letters_do_not_expire(broker, tmp_path, monkeypatch, queue):
    monkeypatch.setattr("shared.messaging.broker.FOLDER_MESSAGES", 20)
    with broker.declaring():
        queues(tmp_path).mkdir()
    for number in range(50):
        file = queues(tmp_path) / f"{number}_x.{queue}.msg"
        file.write_text("")
        os.utime(file, (time.time() - 1000 + number, time.time() - 1000 + number))
    with broker.declaring():
        left = {file.name.partition("_")[0] for file in queues(tmp_path).iterdir()}
    assert left == ({str(number) for number in range(30, 50)} if queue.endswith("dead") else set())


def test_an_empty_control_file_is_written_again(broker, tmp_path):
    control = tmp_path / "broker" / "control" / "muster.events.exchange"
    for damage in (b"", b"[["):
        with broker.connect() as connection, broker.declaring():
            broker.topology.declare(connection.channel(), "pairing", ["registration"])
        control.write_bytes(damage)
        Publisher(broker).publish([Outgoing("muster.events", "registration.X.cup", b"1", "", "text/plain")])
        with broker.connect() as connection, broker.declaring():
            broker.topology.declare(connection.channel(), "pairing", ["registration"])
        assert [queue for _, _, queue in json.loads(control.read_text())] == ["muster.pairing"]


def test_the_embedded_broker_needs_a_folder():
    with pytest.raises(ValueError, match="folder"):
        Broker("filesystem://")


def test_a_stopped_consumer_returns_unacknowledged_messages(broker, stage):
    with broker.connect() as connection:
        channel = connection.channel()
        with broker.declaring():
            queue = broker.topology.declare(channel, "pairing", ["registration"])
        publisher = Publisher(broker)
        publisher.publish(
            [Outgoing("muster.events", "registration.X.cup", b"%d" % n, "", "text/plain") for n in range(3)]
        )
        for _ in range(2):
            assert channel.basic_get(queue.name) is not None
    listener = Listener(broker, "pairing")
    with running(listener):
        until(lambda: len(listener.bodies) == 3)
    assert sorted(listener.bodies) == [b"0", b"1", b"2"]


def test_many_threads_may_publish(broker):
    listener = Listener(broker, "pairing")
    with running(listener):
        until(lambda: listener.ready)

        def publish():
            publisher = Publisher(broker)
            for number in range(40):
                publisher.publish([Outgoing("muster.events", "registration.X.c", b"%d" % number, "", "text/plain")])
            publisher.close()

        threads = [threading.Thread(target=publish) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        until(lambda: len(listener.bodies) == 160)
