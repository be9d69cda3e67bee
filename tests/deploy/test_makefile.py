"""The menu: the targets that are promised, what each installs first, and nothing twice."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.programs import run_program

ROOT = Path(__file__).parents[2]
PROMISED = ("setup", "run", "test", "demo", "bench", "lint")

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="no make on this machine")


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A checkout with nothing set up, as far as make can tell."""
    for name in ("Makefile", "pyproject.toml", "requirements.lock", "requirements-dev.lock", "requirements-uv.lock"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def would(folder: Path, *arguments: str) -> str:
    """What make would do there."""
    # Without what the make that runs these tests hands down.
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = run_program(["make", "-n", *arguments], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def set_up(folder: Path, *stamps: str) -> None:
    (folder / ".venv/bin").mkdir(parents=True, exist_ok=True)
    if not (folder / ".venv/bin/python").exists():
        (folder / ".venv/bin/python").symlink_to(sys.executable)
    for stamp in (".made", *stamps):
        (folder / ".venv" / stamp).touch()


@pytest.mark.parametrize("target", PROMISED)
def test_every_promised_target_sets_everything_up_first(fresh, target):
    steps = would(fresh, target)
    assert "find-python.sh" in steps
    assert steps.index("-m venv") < steps.index("install_locked requirements.lock") < steps.index("-e .")


@pytest.mark.parametrize("target", ["run", "demo"])
def test_running_needs_nothing_of_development(fresh, target):
    assert "requirements-dev.lock" not in would(fresh, target)


@pytest.mark.parametrize("target", ["setup", "test", "lint", "bench"])
def test_development_has_it_all(fresh, target):
    assert "install_locked requirements-dev.lock" in would(fresh, target)


def test_the_second_time_nothing_is_installed(fresh):
    set_up(fresh, ".runtime", ".development")
    assert "pip" not in would(fresh, "run")
    assert "pip" not in would(fresh, "test")


def test_a_lock_that_changed_is_installed_again(fresh):
    set_up(fresh, ".runtime", ".development")
    os.utime(fresh / "requirements.lock", (2**32, 2**32))
    steps = would(fresh, "setup")
    assert "install_locked requirements.lock" in steps
    assert "install_locked requirements-dev.lock" in steps
    assert "-m venv" not in steps


def test_an_environment_whose_python_is_gone_is_made_again(fresh):
    set_up(fresh, ".runtime", ".development")
    (fresh / ".venv/bin/python").unlink()
    assert "-m venv" in would(fresh, "run")


@pytest.fixture
def somebody_elses() -> Iterator[Path]:
    """A checkout that anybody may enter, with an environment that only its owner may change."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o777)
        shutil.copytree(ROOT / "deploy", folder / "deploy", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("Makefile", "pyproject.toml", "requirements.lock", "requirements-dev.lock"):
            shutil.copy(ROOT / name, folder)
        (folder / ".venv/bin").mkdir(parents=True)
        (folder / ".venv").chmod(0o555)
        yield folder
        (folder / ".venv").chmod(0o755)


@pytest.mark.parametrize("stamped", [False, True], ids=["begun by root", "broken by now"])
def test_an_environment_of_somebody_else_is_told_in_a_line(somebody_elses, stamped):
    if stamped:
        (somebody_elses / ".venv").chmod(0o755)
        for stamp in (".made", ".runtime"):
            (somebody_elses / ".venv" / stamp).touch()
        (somebody_elses / ".venv").chmod(0o555)
    as_another = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = [*as_another, "make", "-s", "run"]
    done = run_program(command, cwd=somebody_elses, env=env, capture_output=True, text=True)
    assert done.returncode == 2
    told = [line for line in done.stderr.splitlines() if not line.startswith("make: ***")] or done.stderr.splitlines()
    assert len(told) == 1
    assert ".venv belongs to somebody else; remove it (sudo rm -r .venv) and start again" in told[0]


def test_a_reason_is_followed_by_a_word_about_the_line_that_make_adds():
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = run_program(["make", "run"], cwd=ROOT, env={**env, "MUSTER_PORT_BASE": "80"}, capture_output=True, text=True)
    said = done.stderr.splitlines()
    assert done.returncode == 2
    assert said[0].startswith("MUSTER_PORT_BASE: 80")
    assert said[1] == "The reason is above; make adds only that it stopped:"
    assert "Error 2" in said[2]


def test_nothing_is_installed_without_a_hash():
    for line in (ROOT / "Makefile").read_text().splitlines():
        if "$(PIP)" in line:
            assert "--require-hashes" in line or "--no-deps --no-build-isolation --no-index" in line
    for name in ("requirements.lock", "requirements-dev.lock"):
        lines = (ROOT / name).read_text().splitlines()
        pinned = [number for number, line in enumerate(lines) if line[:1].isalnum()]
        assert len(pinned) > 20
        assert all("==" in lines[number] and "--hash=sha256:" in lines[number + 1] for number in pinned)
        assert not any("://" in line for line in lines)
