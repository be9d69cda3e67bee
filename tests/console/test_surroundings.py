"""The `muster` command where things are not as usual: pipes that close, full disks, narrow terminals, plain locales."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from click.testing import CliRunner

from muster.cli.main import main
from tests.programs import run_program

ROOT = Path(__file__).parents[2]
EVENING = ROOT / "docs/examples/evening"
NIGHT = Path(__file__).parents[1] / "state/data/armada-night.jsonl"
MUSTER = [sys.executable, "-m", "muster.cli.main"]
FILES = ["--ruleset", "fallout-factions-comp-1.0", "--players", "players.csv", "--results", "results.csv"]
PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""A locale that knows ASCII alone, and a Python that believes it."""


def ran(*arguments: str, folder: Path = EVENING, env: dict[str, str] | None = None, **more: object):
    around = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    return run_program([*MUSTER, *arguments], cwd=folder, env=around, **streams)  # type: ignore[call-overload]


def on_terminal(columns: int, *arguments: str) -> list[str]:
    """The lines that a terminal of this width is shown."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    size = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    around = {**size, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([*MUSTER, *arguments], cwd=EVENING, env=around, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 65_536):
            shown += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert process.wait() == 0
    return shown.decode().splitlines()


@pytest.mark.parametrize("arguments", [["ruleset", "show", "star-wars-armada-1.1"], ["ruleset", "list"]])
def test_a_closed_pipe_ends_the_command_silently(arguments: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = ran(*arguments, stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_full_disk_is_one_line() -> None:
    with open("/dev/full", "wb") as full:
        done = ran("standings", *FILES, stdout=full)
    assert (done.returncode, done.stderr) == (
        2,
        b"standard output: no space left on device, expected room to write\n",
    )
    done = ran("standings", *FILES, "--output", "/dev/full")
    assert (done.returncode, done.stderr) == (
        2,
        b"/dev/full: no space left on device, expected a file that can be written\n",
    )


def test_names_of_any_script_are_read_and_shown_where_the_locale_knows_ascii_alone(tmp_path: Path) -> None:
    (tmp_path / "players.csv").write_text("player,name\na,José\nb,Žofie 木\n", "utf-8")
    (tmp_path / "results.csv").write_text("round,kind,player_1,player_2,points_1,points_2\n1,game,a,b,3,1\n", "utf-8")
    files = ["--ruleset", "star-wars-armada-1.1", "--players", "players.csv", "--results", "results.csv"]
    done = ran("standings", *files, folder=tmp_path, env=PLAIN)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Jos\\xe9" in done.stdout
    written = ran("standings", *files, "--output", "out.txt", folder=tmp_path, env=PLAIN)
    assert written.returncode == 0
    assert "Žofie 木" in (tmp_path / "out.txt").read_text("utf-8")
    usual = ran("standings", *files, folder=tmp_path, env={"LANG": "C"})
    assert "Žofie 木" in usual.stdout.decode("utf-8")
    help = ran("--help", env=PLAIN)
    assert (help.returncode, help.stderr) == (0, b"")


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.parametrize("command", ["standings", "pair"])
def test_a_narrow_terminal_breaks_lines_between_words(columns: int, command: str) -> None:
    shown = on_terminal(columns, command, *FILES)
    assert max(map(len, shown)) <= columns
    piped = ran(command, *FILES).stdout.decode()
    assert set(" ".join(shown).split()) == set(piped.split())


def test_a_pipe_gets_a_table_as_wide_as_it_is() -> None:
    lines = ran("pair", *FILES, env={"COLUMNS": "40"}).stdout.decode().splitlines()
    assert len(lines) == 4
    assert max(map(len, lines)) > 120


@pytest.mark.parametrize(
    "arguments",
    [
        ["standings", "--ruleset", "star-wars-armada-1.1", "--players", "{}", "--results", "results.csv"],
        ["pair", "--ruleset", "{}.yaml", "--players", "players.csv", "--results", "results.csv"],
        ["ruleset", "check", "{}"],
        ["roster", "check", "{}", "--ruleset", "star-wars-armada-1.1"],
        ["roster", "check", "fleet.json", "--ruleset", "star-wars-armada-1.1", "--catalogue", "{}"],
        ["verify", "{}"],
        ["replay", "{}"],
        ["tournament", "join", "t-1", "--players", "{}"],
        ["tournament", "announce", "x", "--pack", "{}"],
        ["tournament", "announce", "x", "--ruleset", "atomic-bonds", "--operator-data", "{}"],
        ["play", "--pack", "{}"],
        ["tournament", "list", "--token-file", "{}"],
        ["standings", *FILES, "--output", "{}"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_file_that_is_a_folder_is_named_in_a_line(arguments: list[str], tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(EVENING)
    for name in ("folder", "folder.yaml"):
        (tmp_path / name).mkdir()
    told = CliRunner().invoke(main, [one.format(tmp_path / "folder") for one in arguments])
    assert told.exit_code == 2, told.output
    assert told.stdout == ""
    about = [line for line in told.stderr.splitlines() if f"{tmp_path}/folder" in line]
    assert len(about) == 1
    assert "is a directory, expected a file that can be" in about[0]


def test_a_folder_that_is_a_file_is_named_in_a_line() -> None:
    done = ran("up", "--data", "players.csv")
    assert done.returncode == 2
    assert b"'players.csv' is a file" in done.stderr


def test_completion_is_what_the_shell_asks_for() -> None:
    script = ran(env={"_MUSTER_COMPLETE": "bash_source"})
    assert b"complete -o nosort -F" in script.stdout
    asked = {"_MUSTER_COMPLETE": "bash_complete", "COMP_WORDS": "muster tournament st", "COMP_CWORD": "2"}
    assert ran(env=asked).stdout == b"plain,standings\n"
