"""What `make run` says when it cannot start: a line each, naming what to change, and nothing is left half started."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy import checks
from deploy import checks as belonging
from deploy.greeting import console_of, lines
from deploy.stack import ROOT, free_ports, issuer_of
from muster.cli.main import main
from shared.roles import ORGANISER
from shared.settings import load
from shared.web.refusals import TokenExpired
from shared.web.tokens import Verifier
from tests.databases import migrated
from tests.programs import run_program


def run(data: Path, *, migrate: bool = False, **env: str) -> subprocess.CompletedProcess[str]:
    """Run it where it is expected to refuse: with exit code 2 and no traceback.

    migrate: with the real databases, which everything else does without.
    """
    settings = {"MUSTER_DATA": str(data), "MUSTER_PORT_BASE": str(free_ports()), **env}
    done = run_program(
        [sys.executable, "-m", "deploy.run" if migrate else "tests.deploy.small_muster"],
        env={**os.environ, **settings},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_a_taken_port_is_named_with_the_variable_that_moves_it(tmp_path):
    base = free_ports()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", base + 2))
        taken.listen()
        said = run(tmp_path, MUSTER_PORT_BASE=str(base)).stderr.splitlines()
    assert len(said) == 1
    assert f"port {base + 2} (pairing)" in said[0]
    assert "MUSTER_PORT_BASE" in said[0]


@pytest.mark.parametrize("address", ["999.1.1.1", "192.0.2.7", "a..b"])
def test_an_address_that_this_machine_does_not_have_is_named(address):
    (line,) = checks.port_faults(free_ports(), address)
    assert line.startswith(f"MUSTER_BIND: {address} is no address of this machine; expected 127.0.0.1, 0.0.0.0")


@pytest.mark.parametrize("place", ["below a file", "nowhere"])
def test_a_folder_that_cannot_be_written_is_named(tmp_path, place):
    (tmp_path / "file").write_text("")
    data = {"below a file": tmp_path / "file" / "var", "nowhere": Path("/proc/muster")}[place]
    said = run(data).stderr.splitlines()
    assert len(said) == 1
    assert said[0].startswith(f"MUSTER_DATA: {data / 'secrets.json'}; expected a writable folder (")


def test_a_folder_that_cannot_be_written_is_named_with_secrets_from_outside(tmp_path):
    (tmp_path / "file").write_text("")
    (line,) = checks.folder_faults(tmp_path / "file" / "var")
    assert line.startswith("MUSTER_DATA: ")
    assert "cannot be written" in line


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    run_program(["mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", str(folder)], check=True)
    yield folder
    run_program(["umount", str(folder)], check=True)


@pytest.mark.engine("mount")
def test_a_read_only_disk_is_one_line(small_disk):
    run_program(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    (line,) = run(small_disk).stderr.splitlines()
    assert line == (f"MUSTER_DATA: {small_disk / 'secrets.json'}; expected a writable folder (read-only file system)")


@pytest.mark.engine("mount")
def test_a_full_disk_is_one_line(small_disk):
    (line,) = run(small_disk, migrate=True).stderr.splitlines()
    assert line.startswith("REGISTRATION_DATABASE_URL: ")
    assert line.endswith("could not be brought up to date: database or disk is full")
    for file in small_disk.iterdir():
        file.unlink()
    (small_disk / "filling").write_bytes(b"1" * (64 << 10))
    (line,) = run(small_disk).stderr.splitlines()
    assert "no space left on device" in line


def brought_up_to_date(data: Path) -> None:
    settings, faults = checks.settings_of_all({**os.environ, "MUSTER_DATA": str(data)})
    assert faults == []
    for service, of_service in settings.items():
        migrated(of_service.database_url, service).close()


def test_databases_that_were_put_in_each_others_place_are_one_line(tmp_path):
    brought_up_to_date(tmp_path)
    registration, scoring = tmp_path / "registration.sqlite3", tmp_path / "scoring.sqlite3"
    registration.rename(tmp_path / "aside")
    scoring.rename(registration)
    (tmp_path / "aside").rename(scoring)
    (line,) = run(tmp_path, migrate=True).stderr.splitlines()
    assert line.startswith("REGISTRATION_DATABASE_URL: ")
    assert line.endswith("it is the database of scoring; name the one of registration, or put its file back")


def test_a_file_that_is_no_database_is_one_line(tmp_path):
    brought_up_to_date(tmp_path)
    (tmp_path / "pairing.sqlite3").write_text("a letter to a friend")
    (line,) = run(tmp_path, migrate=True).stderr.splitlines()
    assert line.startswith("PAIRING_DATABASE_URL: ")
    assert line.endswith("could not be brought up to date: file is not a database")


def test_keys_of_another_muster_are_one_line(tmp_path):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for data in (ours, theirs):
        brought_up_to_date(data)
        settings, _ = checks.settings_of_all({"MUSTER_DATA": str(data)})
        key = settings["registration"].personal_key
        belonging.mark_databases(settings.values(), key)
        assert belonging.foreign_databases(settings.values(), key) == []
    (ours / "secrets.json").write_bytes((theirs / "secrets.json").read_bytes())
    before = (ours / "scoring.sqlite3").read_bytes()
    (line,) = run(ours, migrate=True).stderr.splitlines()
    assert line.startswith(f"MUSTER_DATA: registration.sqlite3, pairing.sqlite3, scoring.sqlite3 in {ours} belong to ")
    assert (ours / "scoring.sqlite3").read_bytes() == before

    (ours / "pairing.sqlite3").write_bytes((theirs / "pairing.sqlite3").read_bytes())
    (line,) = run(ours, migrate=True).stderr.splitlines()
    assert line.startswith(f"MUSTER_DATA: registration.sqlite3, scoring.sqlite3 in {ours} belong to ")


def test_keys_that_are_lost_can_be_given_up(tmp_path):
    brought_up_to_date(tmp_path)
    env = {"MUSTER_DATA": str(tmp_path)}
    old = checks.settings_of_all(env)[0]
    belonging.mark_databases(old.values(), old["registration"].personal_key)
    (tmp_path / "secrets.json").unlink()
    assert checks.settings_of_all(env)[1]
    new, faults = checks.settings_of_all({**env, "MUSTER_NEW_KEYS": "1"})
    key = new["registration"].personal_key
    assert (faults, len(belonging.foreign_databases(new.values(), key))) == ([], 1)
    belonging.mark_databases(new.values(), key)
    assert belonging.foreign_databases(new.values(), key) == []


def test_every_wrong_variable_is_named_at_once_and_only_once(tmp_path):
    said = run(tmp_path, MUSTER_PORT_BASE="lots", MUSTER_LOG_FORMAT="xml", SCORING_DATABASE_URL="mysql://x/y").stderr
    variables = [line.partition(":")[0] for line in said.splitlines()]
    assert sorted(variables) == ["MUSTER_LOG_FORMAT", "MUSTER_PORT_BASE", "SCORING_DATABASE_URL"]


def test_two_runs_do_not_share_a_folder(tmp_path):
    held = checks.take_folder(tmp_path)
    assert held is not None
    try:
        (line,) = run(tmp_path).stderr.splitlines()
        assert "another Muster runs" in line
    finally:
        os.close(held)


def test_settings_that_do_not_exist_any_more_are_refused_by_name(tmp_path):
    said = run(tmp_path, MUSTER_RESTARTS="3", MUSTER_LEASH="stdin").stderr.splitlines()
    assert [line.partition(":")[0] for line in said] == ["MUSTER_RESTARTS", "MUSTER_LEASH"]


def test_a_python_that_is_too_old_is_named_in_one_line(tmp_path):
    old = "import sys; sys.version_info = (3, 9, 18); sys.version = '3.9.18 (main)'; import deploy.run"
    done = run_program([sys.executable, "-c", old], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == "Muster needs Python 3.11 or newer; this is Python 3.9.18\n"


def fake_python(folder: Path, name: str, version: str) -> None:
    """A `python3.x` that answers the questions of find-python.sh as a Python of that version would."""
    minor = int(version.split(".")[1])
    (folder / name).write_text(f'#!/bin/sh\ncase "$2" in *print*) echo {version};; *) exit {int(minor < 11)};; esac\n')
    (folder / name).chmod(0o755)


def find_python(folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    command = ["/bin/sh", str(ROOT / "deploy/find-python.sh")]
    return run_program(command, env={"PATH": str(folder), **env}, capture_output=True, text=True)


def test_the_newest_suitable_python_is_taken(tmp_path):
    for name, version in {"python3": "3.9.18", "python3.11": "3.11.7", "python3.13": "3.13.0"}.items():
        fake_python(tmp_path, name, version)
    assert find_python(tmp_path).stdout == f"{tmp_path}/python3.13\n"


def test_where_every_python_is_too_old_one_line_says_so(tmp_path):
    fake_python(tmp_path, "python3", "3.9.18")
    done = find_python(tmp_path)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "found python3 3.9.18" in line
    assert "PYTHON=" in line


@pytest.mark.parametrize("print_token", [True, False])
def test_the_greeting_shows_addresses_and_on_a_terminal_a_token_for_a_day(tmp_path, print_token):
    env = {"MUSTER_DATA": str(tmp_path), "MUSTER_PORT_BASE": "9000"}
    settings = load("registration", env)
    shown = lines(settings, 1_800_000_000, None, issuer_of(env), print_token=print_token)
    assert [word for line in shown for word in line.split() if word.startswith("http")] == [
        "http://127.0.0.1:9001/docs",
        "http://127.0.0.1:9002/docs",
        "http://127.0.0.1:9003/docs",
        "http://127.0.0.1:9001/tournaments",
    ]
    printed = [line.strip() for line in shown if line.strip().startswith("ey")]
    callers = [Verifier(settings.token_keys, clock=lambda: 1_800_086_399).verify(token) for token in printed]
    assert [(caller.role, caller.tournament) for caller in callers] == [(ORGANISER, "*")] * print_token
    for token in printed:
        with pytest.raises(TokenExpired):
            Verifier(settings.token_keys, clock=lambda: 1_800_086_401).verify(token)


def test_the_greeting_begins_with_the_link_of_the_organiser_and_ends_with_that_of_the_operator(tmp_path):
    env = {"MUSTER_DATA": str(tmp_path), "MUSTER_PORT_BASE": "9000"}
    settings = load("registration", env)
    shown = lines(settings, 1_800_000_000, None, issuer_of(env), console_of(env))
    addresses = [word for line in shown for word in line.split() if word.startswith("http")]
    first, *_, last = (address.partition("?code=")[0] for address in addresses)
    assert first == "http://127.0.0.1:9000/organiser/come-in"
    assert last == "http://127.0.0.1:9000/operator/come-in"
    assert (shown[1].strip(), shown[-1].strip()) == (addresses[0], addresses[-1])
    assert console_of({**env, "MUSTER_CONSOLE": "0"}) == ""


def test_the_greeting_says_where_the_data_are(tmp_path):
    env = {"MUSTER_DATA": str(tmp_path)}
    elsewhere = {**env, "REGISTRATION_DATABASE_URL": "postgresql://registration@db/registration"}
    here, there = (lines(load("registration", env), 1_800_000_000, None, None)[0] for env in (env, elsewhere))
    assert here.endswith(f"Its data stay in {tmp_path}")
    assert there.endswith(f"Its data stay in your databases, its keys in {tmp_path}")


def test_every_greeting_says_how_to_ask_this_muster_and_how_to_start_another(tmp_path):
    data = tmp_path / "a league"
    settings = load("registration", {"MUSTER_DATA": str(data), "MUSTER_PORT_BASE": "9000"})
    first, later = (lines(settings, 1_800_000_000, played, None) for played in ("t-1", None))
    assert [line for line in first if line not in later] == [
        "  example       http://127.0.0.1:9003/tournaments/t-1/standings"
    ]
    assert f"  export MUSTER_DATA='{data}' MUSTER_PORT_BASE=9000" in later
    command = next(line for line in later if " up " in line)
    asked = shlex.split(command)[1:]
    assert asked == ["up", "--data", f"{data}-2", "--port-base", "10000"]
    main.make_context("muster", asked)


def test_where_nothing_was_chosen_the_greeting_asks_for_no_variables():
    settings = load("registration", {})
    assert not [line for line in lines(settings, 1_800_000_000, None, None) if "export" in line]


def test_secrets_that_are_missing_beside_databases_are_not_made_anew(tmp_path):
    """With other keys nobody's link would be good, and personal data could not be opened."""
    (tmp_path / "registration.sqlite3").touch()
    faults = checks.settings_of_all({"MUSTER_DATA": str(tmp_path)})[1]
    assert faults[0].startswith(f"MUSTER_DATA: {tmp_path / 'secrets.json'}; expected the file as it was backed up")
    assert faults[0].endswith("as there are databases that it belongs to")
    assert not (tmp_path / "secrets.json").exists()
