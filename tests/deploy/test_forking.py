"""Programs that are forked from what imported them: each is as one that was started by itself, only sooner."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from deploy import forking
from deploy.stack import ROOT, Stack
from tests.programs import run_program

pytestmark = pytest.mark.skipif(not forking.AVAILABLE, reason="programs are executed on this system")

BEGIN = """
import os, sys
from pathlib import Path
from deploy import forking, programs
from deploy.forking import Forked
from shared.settings import SERVICES
folder = Path(sys.argv[1])
env = {"PROMETHEUS_MULTIPROC_DIR": str(folder), "PYTHONPATH": str(folder), "SAID": "here"}
sys.path.insert(0, str(folder))
"""


def answer(tmp_path: Path, code: str, program: str = "", **env: str) -> str:
    """What a process says that runs this code. program: what `Forked(["program"], env)` becomes."""
    (tmp_path / "program.py").write_text(program)
    done = run_program(
        [sys.executable, "-c", BEGIN + code, str(tmp_path)],
        cwd=ROOT, env={**os.environ, **env}, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout + done.stderr


@pytest.mark.parametrize("sqlite", [True, False])
def test_what_is_imported_once_starts_no_thread_and_opens_nothing_but_measurements(tmp_path, sqlite):
    code = f"""
forking.preload(programs.imports([*SERVICES, "console"], {sqlite}))
links = [os.readlink(f"/proc/self/fd/{{name}}") for name in forking._imported]
print(len(os.listdir("/proc/self/task")), all(".db (deleted)" in link for link in links), len(links) > 0)
"""
    assert answer(tmp_path, code).split() == ["1", "True", "True"]


def test_a_program_has_the_environment_that_it_was_given_and_no_other(tmp_path):
    program = "import os, sys; print(sorted(os.environ), os.environ['SAID'], sys.argv[1:])"
    said = answer(tmp_path, 'Forked(["program", "one", "two"], env).wait()', program, SECRET="kept")
    assert said == "['PROMETHEUS_MULTIPROC_DIR', 'PYTHONPATH', 'SAID'] here ['one', 'two']\n"


@pytest.mark.parametrize(
    ("program", "code"),
    [("", 0), ("raise SystemExit(3)", 3), ("1 / 0", 1), ("import os; os.kill(os.getpid(), 9)", -9)],
    ids=["ends", "exits", "fails", "is killed"],
)
def test_how_it_ended_is_known(tmp_path, program, code):
    said = answer(tmp_path, 'print(Forked(["program"], env).wait())', program)
    assert said.splitlines()[0] == str(code)
    assert ("ZeroDivisionError" in said) == (code == 1)


def test_it_holds_no_descriptor_of_whoever_forked_it(tmp_path):
    code = """
forking.preload([])
lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT)
end, other = os.pipe()
Forked(["program"], env).wait()
"""
    program = "import os; print(sorted(os.listdir('/dev/fd'))[:-1])"  # the last is what reads the list
    assert answer(tmp_path, code, program) == "['0', '1', '2']\n"


def test_signals_end_it_as_if_it_had_been_started_by_itself(tmp_path):
    code = """
import signal
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
    signal.signal(number, lambda *_: None)
Forked(["program"], env).wait()
"""
    program = """
import signal
print([signal.getsignal(one).__name__ for one in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGINT)
       if callable(signal.getsignal(one))], signal.pthread_sigmask(signal.SIG_BLOCK, ()))
"""
    assert "SIG_DFL" not in (said := answer(tmp_path, code, program))
    assert said == "['default_int_handler'] set()\n"


@pytest.mark.parametrize("opened", [True, False])
def test_a_program_begins_when_its_gate_is_opened_and_never_when_that_closes(tmp_path, opened):
    code = f"""
gate, key = os.pipe()
reading, writing = os.pipe()
forked = Forked(["program"], env, gate, writing)
os.close(writing)
if {opened}:
    os.write(key, b"go")
os.close(key)
print(forked.wait(), os.read(reading, 100), os.getpgid(0) == os.getpid())
"""
    program = "import os; print(os.getpgid(0) == os.getpid())"
    assert answer(tmp_path, code, program).startswith("0 b'True\\n'" if opened else "1 b''")


def test_each_measures_into_a_file_of_its_own(tmp_path):
    code = """
forking.preload(["shared.metrics"])
own = folder / "own"
own.mkdir()
for number in range(2):
    Forked(["program"], {**env, "PROMETHEUS_MULTIPROC_DIR": str(own)}).wait()
print(sorted(file.name.rpartition("_")[0] for file in own.glob("counter*")))
from prometheus_client import CollectorRegistry, multiprocess
registry = CollectorRegistry()
multiprocess.MultiProcessCollector(registry, str(own))
print(registry.get_sample_value("muster_relay_published_total", {"source": "scoring"}))
"""
    program = "from shared.metrics import RELAY_PUBLISHED; RELAY_PUBLISHED.labels('scoring').inc()"
    assert answer(tmp_path, code, program) == "['counter', 'counter']\n2.0\n"


def test_no_program_of_a_whole_muster_imports_anything_of_weight_by_itself(tmp_path):
    """What each of six processes would import again is imported once, before they are forked."""
    with Stack(tmp_path, env={"PYTHONPROFILEIMPORTTIME": "1", "MUSTER_CONSOLE": "1"}) as stack:
        pass
    lines = [line for line in stack.log.read_text().splitlines() if " | import time:" in line]
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}
    assert "services" in imported  # its entry point
    assert not imported & {"flask", "sqlalchemy", "kombu", "amqp", "httpx", "httpcore", "h11", "cryptography", "rich"}
