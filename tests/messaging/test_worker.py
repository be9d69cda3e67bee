"""The worker: it stops when told to, and it does not go on with a part that died or hangs."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import httpx
import pytest

from shared.messaging.status import status_served
from shared.messaging.sweep import Lag
from shared.messaging.worker import Worker

PROGRAM = """
import sys, threading, time
from shared.messaging.worker import run_worker

class Part:
    beat = 0.0
    def __init__(self, name, fault=None):
        self.name, self.fault = name, fault
    def run(self, stop):
        sys.stdout.write(f"running {self.name}\\n"); sys.stdout.flush()
        if self.fault:
            time.sleep(0.3)
            raise self.fault
        while not stop.wait(0.05):
            self.beat = time.monotonic()
        time.sleep(0.2)
        sys.stdout.write(f"finished {self.name}\\n"); sys.stdout.flush()

fault = RuntimeError("a fault") if "fault" in sys.argv else None
sys.exit(run_worker([Part("relay"), Part("consumer", fault), Part("sweep")], sys.argv[1].split(",")))
"""


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_it_finishes_every_part_and_ends_well(number):
    worker = start("relay,consumer,sweep")
    assert worker.stdout is not None
    for _ in range(3):
        assert worker.stdout.readline().startswith("running")
    worker.send_signal(number)
    out, _ = worker.communicate(timeout=60)
    assert worker.returncode == 0
    assert sorted(out.split()[1::2]) == ["consumer", "relay", "sweep"]


def test_a_part_that_dies_ends_the_worker_with_its_traceback():
    worker = start("relay,consumer,sweep", "fault")
    out, err = worker.communicate(timeout=60)
    assert worker.returncode == 1
    assert "a fault" in out + err
    assert "finished relay" in out
    assert "finished sweep" in out


def test_only_the_parts_named_run():
    worker = start("consumer")
    assert worker.stdout is not None
    assert worker.stdout.readline() == "running consumer\n"
    worker.terminate()
    out, _ = worker.communicate(timeout=60)
    assert (out, worker.returncode) == ("finished consumer\n", 0)


class Alive:
    def __init__(self, name, beat):
        self.name, self.beat = name, beat

    def lag(self):
        return {"scoring": Lag(3, 0.5)}


def test_health_checks_and_prometheus_are_answered():
    parts = [Alive("relay", time.monotonic()), Alive("sweep", time.monotonic())]
    with status_served(("127.0.0.1", 0), parts, hangs_seconds=60) as port:
        answer = httpx.get(f"http://127.0.0.1:{port}/healthz")
        assert answer.status_code == 200
        assert answer.json()["lag"] == {"scoring": {"behind": 3, "checked": 0.5, "error": ""}}
        parts[0].beat -= 61
        answer = httpx.get(f"http://127.0.0.1:{port}/healthz")
        assert answer.status_code == 503
        assert answer.json()["seconds_since_sign_of_life"]["relay"] >= 61
        assert "muster_outbox_depth" in httpx.get(f"http://127.0.0.1:{port}/metrics").text
        assert httpx.get(f"http://127.0.0.1:{port}/nothing").status_code == 404


class Hanging:
    name = "relay"
    beat = 0.0

    def __init__(self):
        self.released = threading.Event()

    def run(self, stop):
        self.released.wait(5)


def test_a_part_that_hangs_ends_the_worker(capfd):
    part = Hanging()
    worker = Worker([part], hangs_seconds=0.2)
    threading.Timer(1.5, part.released.set).start()
    assert worker.run() == 1
    assert "Thread" in capfd.readouterr().err  # where every thread stood


class Ending:
    name = "sweep"
    beat = 0.0

    def run(self, stop):
        time.sleep(0.1)


def test_a_part_that_just_ends_ends_the_worker():
    assert Worker([Ending()]).run() == 1
