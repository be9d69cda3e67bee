"""What is built works outside the repository: the wheel and the source archive, on every Python that is found here."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from pathlib import Path

import httpx
import pytest
from packaging.requirements import Requirement

from deploy.install_locked import environment, pip
from deploy.stack import free_ports
from shared.version import VERSION
from tests import http
from tests.deploy import interpreters
from tests.programs import run_program
from tests.waiting import PATIENCE, until

pytestmark = pytest.mark.engine("git")
ROOT = Path(__file__).parents[2]
PACKAGES = ("services", "shared", "muster", "deploy")
UV = Path(sys.executable).with_name("uv")
PLAYERS = "player,name\nana,Ana\nben,Ben\n"
RESULTS = "round,table,kind,player_1,player_2,winner,points_1,points_2,conceded_by,extra\n1,1,game,ana,ben,1,90,40,,\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the archives of Muster and its client. Built of a copy, so that the repository stays clean."""
    source, made = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    for name in tracked():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    whole = [UV, "build", "--quiet", "--offline", "--no-build-isolation", "--python", sys.executable, "--out-dir", made]
    for project in (source, source / "clients/python"):
        done = run_program(whole, cwd=project, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return made


def tracked() -> list[str]:
    """The files of the repository, whatever else lies in its folder."""
    listed = run_program(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def wheel_of(built: Path) -> Path:
    (wheel,) = built.glob("muster_tabletop-*.whl")
    return wheel


def client_of(built: Path) -> Path:
    (wheel,) = built.glob("muster_tabletop_client-*.whl")
    return wheel


def test_no_file_is_in_both_wheels_and_muster_asks_for_the_version_of_its_client(built: Path) -> None:
    with zipfile.ZipFile(client_of(built)) as client, zipfile.ZipFile(wheel_of(built)) as wheel:
        modules = {name for name in client.namelist() if ".dist-info/" not in name}
        assert {"muster_client/py.typed", "muster_client/generated/scoring.py"} < modules
        assert not modules & set(wheel.namelist())
        said, asking = metadata(client), metadata(wheel)
    assert (said["Version"], said["License-Expression"]) == (VERSION, "Apache-2.0")
    assert sorted(re.split("[<>]", need)[0] for need in said.get_all("Requires-Dist") or []) == ["httpx", "msgspec"]
    needs = map(Requirement, asking.get_all("Requires-Dist") or [])
    (needed,) = (need for need in needs if need.name == "muster-tabletop-client")
    assert needed.specifier.contains(VERSION, prereleases=True)


def metadata(wheel: zipfile.ZipFile) -> Message:
    (name,) = (name for name in wheel.namelist() if name.endswith("METADATA"))
    return Parser().parsestr(wheel.read(name).decode())


RUNNING = "{}.{}".format(*sys.version_info)
OTHERS = [pytest.param(version, marks=pytest.mark.engine(f"python{version}")) for version in ("3.12", "3.13")]


@pytest.fixture(scope="module", params=[RUNNING, *(one for one in OTHERS if one.values != (RUNNING,))])
def installed(request: pytest.FixtureRequest, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has the wheel and what the lock names, and nothing of the repository."""
    python = sys.executable if request.param == RUNNING else interpreters.found(request.param)
    assert python is not None  # the mark has asked
    venv = tmp_path_factory.mktemp("venv")
    listed = run_program(pip("config", "list"), capture_output=True, text=True, check=True).stdout
    env = environment(os.environ, listed)
    lock = ["--require-hashes", "-r", ROOT / "requirements.lock"]
    for step in (
        ["venv", "--quiet", "--allow-existing", "--python", python, venv],
        ["pip", "install", "--quiet", "--python", venv / "bin/python", *lock],
        [  # compiles whatever is installed by then, which six processes would otherwise do at once
            *("pip", "install", "--quiet", "--compile-bytecode", "--python", venv / "bin/python"),
            *("--no-deps", wheel_of(built), client_of(built)),
        ],
    ):
        done = run_program([UV, *step], env=env, cwd=venv, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return venv / "bin"


@pytest.fixture
def run(installed: Path, tmp_path: Path):
    """Runs `muster` in an empty folder, without anything that would lead it back here."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MUSTER", "VIRTUAL"))}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        whole = [installed / "muster", *arguments]
        return run_program(whole, cwd=tmp_path, env=env, capture_output=True, text=True)

    return run


def test_the_archives_hold_every_file_that_the_packages_need(built: Path) -> None:
    needed = {name for name in tracked() if name.startswith(tuple(f"{package}/" for package in PACKAGES))}
    needed = {name for name in needed if not name.endswith(("README.md", ".sh"))}  # the script finds a Python for make
    with zipfile.ZipFile(wheel_of(built)) as wheel:
        assert needed - set(wheel.namelist()) == set()
    (archive,) = built.glob("muster_tabletop-*.tar.gz")
    with tarfile.open(archive) as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    assert needed | {"pyproject.toml", "README.md", "LICENSE"} <= names


def test_the_wheel_says_what_it_is(built: Path) -> None:
    with zipfile.ZipFile(wheel_of(built)) as wheel:
        said = metadata(wheel)
    assert (said["Name"], said["Version"], said["License-Expression"]) == ("muster-tabletop", VERSION, "Apache-2.0")
    needs = [need for need in said.get_all("Requires-Dist") or [] if "extra ==" not in need]
    assert [need for need in needs if not (">=" in need and "<" in need)] == []
    assert "Muster runs tabletop tournaments" in said.get_payload()


def test_it_says_its_version(run) -> None:
    told = run("--version")
    assert (told.returncode, told.stdout) == (0, f"muster {VERSION}\n")


def test_it_knows_its_rulesets_and_ranks_by_one(run, tmp_path: Path) -> None:
    listed = run("ruleset", "list")
    assert listed.returncode == 0, listed.stderr
    assert {"dust-warfare-1.0", "star-wars-armada-1.1", "fallout-skirmish"} <= set(listed.stdout.split())
    (tmp_path / "players.csv").write_text(PLAYERS)
    (tmp_path / "results.csv").write_text(RESULTS)
    files = ("--players", "players.csv", "--results", "results.csv")
    told = run("standings", "--ruleset", "dust-warfare-1.0", *files, "--format", "csv")
    assert told.returncode == 0, told.stderr
    assert [line.split(",")[1] for line in told.stdout.splitlines()[1:]] == ["ana", "ben"]


@pytest.fixture
def up(installed: Path, tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """The whole of Muster, started from the wheel in an empty folder: its port base, and the folder of its data."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MUSTER", "VIRTUAL"))}
    base, data = free_ports(), tmp_path / "data"
    whole = [installed / "muster", "up", "--port-base", str(base), "--data", data, "--no-demo"]
    with subprocess.Popen(whole, cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True) as process:
        yield base, data
        process.send_signal(signal.SIGTERM)
        said, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said


def test_it_runs_the_whole_of_muster(up: tuple[int, Path]) -> None:
    base, data = up
    with http.Client() as client:

        def ready() -> bool:
            try:
                return all(client.get(f"http://127.0.0.1:{base + n}/readyz").status_code == 200 for n in (1, 2, 3))
            except httpx.TransportError:
                return False

        until(ready, "the three services are ready", pause=0.2)
        assert client.get(f"http://127.0.0.1:{base + 1}/openapi.json").json()["info"]["version"] == VERSION
        assert client.get(f"http://127.0.0.1:{base + 1}/rulesets").json()["items"]
    assert {file.name for file in data.glob("*.sqlite3")} >= {"registration.sqlite3", "scoring.sqlite3"}
