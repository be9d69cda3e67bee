"""The worker: it stops on request, restarts dead parts, and exits if a part hangs."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest

from shared.messaging import status as pulse_module
from shared.messaging import worker as worker_module
from shared.messaging.catch_up import Lag
from shared.messaging.status import Down, part_statuses, serve_status
from shared.messaging.worker import Worker
from tests import http
from tests.waiting import PATIENCE, until

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
sys.exit(run_worker([Part("relay"), Part("consumer", fault), Part("catch_up")], sys.argv[1].split(",")))
"""


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_finishes_every_part(number):
    worker = start("relay,consumer,catch_up")
    assert worker.stdout is not None
    for _ in range(3):
        assert worker.stdout.readline().startswith("running")
    worker.send_signal(number)
    out, _ = worker.communicate(timeout=PATIENCE)
    assert worker.returncode == 0
    assert sorted(out.split()[1::2]) == ["catch_up", "consumer", "relay"]


def test_a_dead_part_is_restarted_and_the_others_continue():
    worker = start("relay,consumer,catch_up", "fault")
    assert worker.stdout is not None
    said: list[str] = []
    while said.count("running consumer\n") < 3:
        said.append(worker.stdout.readline())
        assert said[-1], said
    worker.terminate()
    out, err = worker.communicate(timeout=PATIENCE)
    assert worker.returncode == 0
    assert "a fault" in "".join(said) + out + err
    for part in ("relay", "catch_up"):
        assert said.count(f"running {part}\n") == 1
        assert f"finished {part}" in out


def test_only_the_named_parts_run():
    worker = start("consumer")
    assert worker.stdout is not None
    assert worker.stdout.readline() == "running consumer\n"
    worker.terminate()
    out, _ = worker.communicate(timeout=PATIENCE)
    assert (out, worker.returncode) == ("finished consumer\n", 0)


class Alive:
    def __init__(self, name, beat):
        self.name, self.beat = name, beat

    def lag(self):
        return {"scoring": Lag(3, 0.5)}


def test_health_checks_and_prometheus_are_answered():
    parts = [Alive("relay", time.monotonic()), Alive("catch_up", time.monotonic())]
    down: dict[str, Down] = {}
    client = http.Client()  # whether it is right, on however busy a machine
    with client, serve_status(("127.0.0.1", 0), parts, hangs_seconds=60, down=down) as port:
        answer = client.get(f"http://127.0.0.1:{port}/healthz")
        assert answer.status_code == 200
        assert answer.json()["lag"] == {"scoring": {"behind": 3, "checked": 0.5, "error": ""}}
        assert answer.json()["status"] == "ok"
        down["relay"] = Down(3, 0.0, "it died")
        answer = client.get(f"http://127.0.0.1:{port}/healthz")
        assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
        assert answer.json()["down"]["relay"]["deaths"] == 3
        parts[0].beat -= 61
        answer = client.get(f"http://127.0.0.1:{port}/healthz")
        assert answer.status_code == 503
        assert answer.json()["seconds_since_sign_of_life"]["relay"] >= 61
        assert "muster_outbox_depth" in client.get(f"http://127.0.0.1:{port}/metrics").text
        assert client.get(f"http://127.0.0.1:{port}/nothing").status_code == 404


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


class Mortal:
    """A part that dies `times` times, or of something worse."""

    beat = 0.0

    def __init__(self, name, times=1_000_000, error=RuntimeError):
        self.name, self.times, self.error, self.runs = name, times, error, 0

    def run(self, stop):
        self.runs += 1
        if self.runs <= self.times:
            raise self.error("private")
        while not stop.wait(0.02):
            self.beat = time.monotonic()


@contextmanager
def running(worker):
    codes = []
    thread = threading.Thread(target=lambda: codes.append(worker.run()))
    thread.start()
    try:
        yield codes
    finally:
        worker.stop.set()
        thread.join(PATIENCE)


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(worker_module, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(worker_module, "LONGEST_PAUSE", 0.05)
    monkeypatch.setattr(worker_module, "SETTLED_SECONDS", 0.5)


@pytest.mark.usefixtures("impatient")
def test_a_part_that_keeps_dying_is_reported_and_the_others_continue():
    relay, consumer = Mortal("relay", 0), Mortal("consumer")
    worker = Worker([relay, consumer])
    with running(worker) as codes:
        until(lambda: consumer.runs > 20)
        assert worker.down["consumer"].deaths > 10
        assert "RuntimeError" in worker.down["consumer"].why
        assert "private" not in worker.down["consumer"].why
        beat = relay.beat
        until(lambda: relay.beat > beat, "the other part goes on")
    assert (relay.runs, codes) == (1, [0])


@pytest.mark.usefixtures("impatient")
def test_a_restarted_part_is_healthy_after_a_while():
    consumer = Mortal("consumer", 12)
    worker = Worker([consumer])
    with running(worker):
        until(lambda: consumer.runs == 13)
        until(lambda: not worker.down)


def test_pauses_between_restarts_grow_to_a_minute(monkeypatch):
    paused = []
    worker = Worker([Mortal("consumer")])
    monkeypatch.setattr(worker, "_pause", lambda part, deaths, seconds, why: paused.append(seconds))
    with running(worker):
        until(lambda: len(paused) > 9)
    assert paused[:9] == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_a_base_exception_ends_the_worker():
    assert Worker([Mortal("consumer", error=SystemExit)]).run() == 1


@pytest.mark.usefixtures("impatient")
def test_the_states_of_parts_are_stored_for_readyz(stage, monkeypatch):
    monkeypatch.setattr(pulse_module, "PULSE_SECONDS", 0.05)
    relay, consumer = Mortal("relay", 0), Mortal("consumer")
    worker = Worker([relay, consumer])

    def said():
        with stage.copy.reading() as connection:
            return {part.name: part for part in part_statuses(connection)}

    with running(worker), pulse_module.report_parts(stage.copy, worker.parts, worker.down, worker.changed):
        until(lambda: said().get("consumer") and said()["consumer"].deaths > 3)
        found = said()
        assert found["relay"].trouble == ""
        until(lambda: said()["relay"].beat > found["relay"].beat, "the pulse goes on")
        assert "RuntimeError" in found["consumer"].trouble
    assert said() == {}  # it stopped as it was told, and nobody waits for it
