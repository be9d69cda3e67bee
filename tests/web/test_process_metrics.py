"""What a service says of its own processes and its build, alone and where several share a folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from shared.metrics import Processes, exposition
from shared.version import VERSION
from tests.programs import run_program
from tests.web.fake import bearer

ROOT = Path(__file__).parents[2]
OF_A_PROCESS = {
    "process_cpu_seconds_total",
    "process_resident_memory_bytes",
    "process_virtual_memory_bytes",
    "process_open_fds",
    "process_max_fds",
    "process_start_time_seconds",
}

STAYS = """
import sys
from shared.metrics import CONNECTIONS, RELAY_PUBLISHED
CONNECTIONS.labels("in_use").inc(3)
RELAY_PUBLISHED.labels("scoring").inc()
print("ready", flush=True)
sys.stdin.read()
"""
SHOWS = 'from shared.metrics import exposition; print(exposition("")[0].decode())'


def samples(text):
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_a_process_tells_of_itself_and_its_build(client):
    found = samples(client.get("/metrics", headers=bearer("integration", "*")).text)
    own = {name for name, *labels in found if labels == [("pid", str(os.getpid()))]}
    assert own == OF_A_PROCESS
    (build,) = [dict(labels) for name, *labels in found if name == "muster_build_info"]
    assert build == {"version": VERSION, "python": ".".join(map(str, sys.version_info[:3]))}


def test_the_checks_of_readiness_are_measured_as_they_are_now(client):
    found = samples(client.get("/metrics", headers=bearer("integration", "*")).text)
    assert {value for (name, *_), value in found.items() if name == "muster_check_ok"} <= {0.0, 1.0}


def test_every_process_that_shares_the_folder_is_told_of_and_a_dead_one_is_forgotten(tmp_path):
    env = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}

    def shown():
        run = run_program([sys.executable, "-c", SHOWS], env=env, cwd=ROOT, check=True, capture_output=True, text=True)
        return samples(run.stdout)

    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    running = [subprocess.Popen([sys.executable, "-c", STAYS], env=env, cwd=ROOT, **pipes) for _ in range(2)]
    try:
        assert [process.stdout.readline() for process in running] == ["ready\n"] * 2
        both = shown()
        running[0].kill()
        running[0].wait()
        one = shown()
    finally:
        for process in running:
            process.kill()
            process.communicate()
    ids = [str(process.pid) for process in running]
    in_use = ("muster_database_connections", ("state", "in_use"))
    assert {dict(labels)["pid"] for name, *labels in both if name == "process_open_fds"} >= set(ids)
    assert both[in_use] == 6.0
    assert ids[0] not in {dict(labels).get("pid") for _, *labels in one}
    assert one[in_use] == 3.0  # what it had open is gone with it
    assert one[("muster_relay_published_total", ("source", "scoring"))] == 2.0  # what it did is not


def test_a_stranger_with_the_number_of_a_process_that_is_gone_is_none_of_ours(tmp_path):
    (tmp_path / f"counter_{os.getppid()}.db").touch()
    families = {family.name for family in Processes(tmp_path).collect()}
    assert families == {"muster_build_info"}


def test_what_is_shown_without_a_folder_is_one_process():
    assert exposition("")[0].count(b"process_start_time_seconds{") == 1
