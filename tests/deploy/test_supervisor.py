"""The supervisor with real processes: what dies comes back, what is stopped leaves nothing behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.supervisor import Backoff
from tests.waiting import PATIENCE, until

SLEEP = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(600)"]
DEAF = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)",
]
# A parent with a child of its own, like gunicorn with its workers; the child's id is what it prints.
FAMILY = [
    sys.executable,
    "-c",
    "import subprocess, sys, time\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
    "print('child', child.pid, flush=True)\n"
    "time.sleep(600)",
]
FAILS = [sys.executable, "-c", "import sys; print('out of luck'); sys.exit(7)"]


def _hears_hangups() -> None:
    """Whoever runs these tests with nohup has handed on that a hang-up is ignored, which a supervisor keeps to."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Run:
    """A supervisor in a process of its own, and what it said so far."""

    def __init__(self, folder: Path, programs: dict[str, list[str]], leash: bool = False, **backoff: float) -> None:
        self.pids_file = folder / "pids"
        self.log = folder / "log"
        command = [sys.executable, "-m", "tests.deploy.supervise", str(self.pids_file)]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, json.dumps(programs), json.dumps({"grace": 2.0, **backoff})],
                env={**os.environ, "LEASH": "1" if leash else ""},
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                preexec_fn=_hears_hangups,
            )

    def said(self) -> str:
        return self.log.read_text()

    def pids(self) -> dict[str, int]:
        if not self.pids_file.exists():
            return {}
        return {name: int(pid) for name, pid in (line.split() for line in self.pids_file.read_text().splitlines())}

    def until(self, true: Callable[[], object]) -> None:
        until(true, self.said)

    def until_said(self, text: str, times: int = 1) -> None:
        self.until(lambda: self.said().count(text) >= times)

    def child_of_family(self) -> int:
        self.until_said("child ")
        return int(self.said().rsplit("child ", 1)[1].split()[0])


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Run]]:
    runs: list[Run] = []

    def begin(programs: dict[str, list[str]], **options: float) -> Run:
        runs.append(Run(tmp_path, programs, **options))  # type: ignore[arg-type]
        return runs[-1]

    yield begin
    for run in runs:
        run.process.kill()
        run.process.wait()
        assert run.process.stdin is not None
        run.process.stdin.close()


def alive(pid: int) -> bool:
    try:
        # A dead process that nobody has asked about yet is dead.
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_program_that_is_killed_runs_again_under_the_same_name(start):
    run = start({"one": SLEEP, "two": SLEEP})
    run.until_said("up", times=2)
    before = run.pids()

    os.kill(before["one"], signal.SIGKILL)

    run.until_said("up", times=3)
    after = run.pids()
    assert after["one"] != before["one"]
    assert after["two"] == before["two"]
    assert "one was killed by SIGKILL; starting it again" in run.said()


def test_what_a_dead_program_had_started_is_gone_before_it_starts_again(start):
    run = start({"web": FAMILY})
    grandchild = run.child_of_family()

    os.kill(run.pids()["web"], signal.SIGKILL)

    run.until_said("child", times=2)
    assert not alive(grandchild)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_asked_to_stop_it_stops_everything_and_leaves_nothing(start, number):
    run = start({"one": SLEEP, "web": FAMILY})
    run.until_said("up")
    everyone = [*run.pids().values(), run.child_of_family()]

    run.process.send_signal(number)

    assert run.process.wait(PATIENCE) == 0
    run.until(lambda: not any(map(alive, everyone)))
    assert not run.pids_file.exists()


def test_a_program_deaf_to_sigterm_is_killed_after_the_grace(start):
    run = start({"deaf": DEAF}, grace=0.5)
    run.until_said("deaf")
    pid = run.pids()["deaf"]

    run.process.terminate()

    assert run.process.wait(PATIENCE) == 0
    assert not alive(pid)
    assert "did not stop in time" in run.said()


def test_a_second_ctrl_c_does_not_wait_for_the_grace(start):
    run = start({"deaf": DEAF}, grace=60.0)
    run.until_said("| deaf")

    run.process.send_signal(signal.SIGINT)
    run.until_said("stopping")
    run.process.send_signal(signal.SIGINT)

    assert run.process.wait(PATIENCE) == 0


def test_killed_outright_the_supervisor_leaves_nobody_behind(start):
    run = start({"one": SLEEP, "deaf": DEAF, "web": FAMILY}, grace=0.5)
    run.until_said("up")
    run.until_said("| deaf")
    everyone = [*run.pids().values(), run.child_of_family()]

    run.process.kill()

    run.until(lambda: not any(map(alive, everyone)))


def test_a_guard_that_was_killed_is_replaced_and_knows_everybody(start):
    run = start({"one": SLEEP, "two": SLEEP})
    run.until_said("up", times=2)
    programs = set(run.pids().values())
    (guard,) = children_of(run.process.pid) - programs

    os.kill(guard, signal.SIGKILL)
    run.until(lambda: children_of(run.process.pid) - programs - {guard})
    run.process.kill()

    run.until(lambda: not any(map(alive, programs)))


def test_when_whoever_holds_the_leash_is_gone_it_stops(start):
    run = start({"one": SLEEP}, leash=True)
    run.until_said("up")
    pid = run.pids()["one"]

    run.process.stdin.close()

    assert run.process.wait(PATIENCE) == 0
    assert not alive(pid)


def down(run: Run) -> dict[str, dict[str, object]]:
    file = run.pids_file.with_name("down.json")
    return json.loads(file.read_text()) if file.exists() else {}


def test_a_program_that_keeps_dying_is_down_and_the_others_go_on(start):
    run = start({"bad": FAILS, "good": SLEEP}, deaths=3, first_delay=0.02, longest_delay=0.05, longest_pause=0.2)
    run.until_said("| up")
    good = run.pids()["good"]

    run.until_said("DOWN: bad ended with 7", times=5)

    assert run.pids()["good"] == good
    assert down(run).keys() == {"bad"}
    assert down(run)["bad"]["how"] == "ended with 7"
    assert int(str(down(run)["bad"]["deaths"])) >= 8
    run.process.terminate()
    assert run.process.wait(PATIENCE) == 0
    assert down(run) == {}


def test_a_program_that_was_down_and_lives_is_up_again(start, tmp_path):
    mended = tmp_path / "mended"
    program = f"import os, sys, time; os.path.exists({str(mended)!r}) or sys.exit(7); time.sleep(600)"
    run = start(
        {"bad": [sys.executable, "-c", program]},
        deaths=2, first_delay=0.02, longest_delay=0.05, longest_pause=0.1, recovered=0.5,
    )  # fmt: skip
    run.until_said("DOWN: bad")
    mended.write_text("")
    run.until_said("bad is UP again")
    assert down(run) == {}
    os.kill(run.pids()["bad"], signal.SIGKILL)
    run.until_said("bad was killed by SIGKILL; starting it again")


def test_restarts_come_slower_and_slower(start):
    run = start({"bad": FAILS}, deaths=4, first_delay=0.1, longest_delay=0.4, longest_pause=1.0)

    run.until_said("DOWN", times=3)
    lines = [line.partition("again")[2] for line in run.said().splitlines() if "again" in line]
    assert [line.partition(",")[0] for line in lines[:7]] == [
        *("", " in 0.1 s", " in 0.2 s", " in 0.4 s"),
        *(" in 0.4 s", " in 0.8 s", " in 1 s"),
    ]


def test_a_pause_is_never_longer_than_a_minute():
    assert [Backoff().pause(tries) for tries in (0, 1, 2, 3, 4, 50, 10_000)] == [5, 10, 20, 40, 60, 60, 60]


def test_a_data_folder_that_takes_nothing_stops_nobody(start, tmp_path):
    run = start({"one": SLEEP, "bad": FAILS}, deaths=2, first_delay=0.02, longest_delay=0.05)
    run.until_said("| up")
    for name in ("pids", "pids.new", "down.json", "down.json.new"):  # no file can be written where a folder is
        run.until(lambda path=tmp_path / name: made_a_folder(path))
        (tmp_path / name / "full").touch()
    run.until_said("DOWN: bad", times=2)
    run.until_said("could not be written")
    assert alive_under(run.process.pid, "time.sleep(600)")


def made_a_folder(path: Path) -> bool:
    """Whether there is a folder now; the supervisor may be quicker to write its file anew."""
    path.unlink(missing_ok=True)
    try:
        path.mkdir()
    except FileExistsError:
        return False
    return True


def alive_under(parent: int, command: str) -> bool:
    return any(command in Path(f"/proc/{pid}/cmdline").read_text() for pid in children_of(parent))


def test_a_program_that_is_to_run_once_is_not_started_again(start):
    run = start({"once": [sys.executable, "-c", "print('hello, world')"], "one": SLEEP})
    run.until_said("hello")
    run.until(lambda: "once" not in run.pids())

    run.process.terminate()

    assert run.process.wait(PATIENCE) == 0
    assert run.said().count("hello, world") == 1


def test_every_line_carries_the_name_of_who_wrote_it(start):
    program = "import sys; sys.stdout.write('first\\nsec'); sys.stdout.flush(); sys.stdout.write('ond\\nlast')"
    run = start({"once": [sys.executable, "-c", program]})
    run.until_said("last")

    run.process.terminate()
    run.process.wait(PATIENCE)

    lines = [line.split(None, 1)[1] for line in run.said().splitlines()]
    assert [line for line in lines if line.startswith("once")] == ["once   | first", "once   | second", "once   | last"]


def children_of(parent: int) -> set[int]:
    """The processes whose parent is this one, zombies left out."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.add(int(stat.parent.name))
    return found
