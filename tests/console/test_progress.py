"""Progress of large files: for people at a terminal, and for nobody else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from muster.cli import output
from muster.cli.output import MANY, show_waiting
from tests.programs import run_program
from tests.waiting import until

ROOT = Path(__file__).parents[2]


@pytest.fixture
def large(tmp_path: Path) -> list[str]:
    """A command on a field with as many games as are worth a bar."""
    players, results = tmp_path / "p.csv", tmp_path / "r.csv"
    ids = [f"p{number}" for number in range(2 * MANY)]
    players.write_text("\n".join(["player", *ids]) + "\n")
    rows = [
        f"1,game,{one},{two},{100 + number % 200},40"
        for number, (one, two) in enumerate(zip(ids[::2], ids[1::2], strict=True))
    ]
    results.write_text("\n".join(["round,kind,player_1,player_2,points_1,points_2", *rows]) + "\n")
    asked = [sys.executable, "-m", "muster.cli.main", "standings", "--ruleset", "star-wars-armada-1.1"]
    return [*asked, "--players", str(players), "--results", str(results), "--format", "csv"]


def test_a_terminal_shows_how_far_it_is(large: list[str]) -> None:
    ours, theirs = pty.openpty()
    done = run_program(large, cwd=ROOT, stdout=subprocess.PIPE, stderr=theirs, check=True)
    os.close(theirs)
    shown = os.read(ours, 65_536).decode()
    os.close(ours)
    assert "reading results" in shown
    assert f"{MANY}/{MANY}" in shown
    assert f"ranking {2 * MANY:,} players" in shown
    assert done.stdout.startswith(b"rank,player,")


def test_progress_is_only_shown_on_a_terminal(large: list[str]) -> None:
    done = run_program(large, cwd=ROOT, capture_output=True, check=True)
    assert done.stderr == b""


class Output:
    """The text on standard error since it was made."""

    def __init__(self, capsys) -> None:
        self._capsys, self._text = capsys, ""

    def so_far(self) -> str:
        self._text += self._capsys.readouterr().err
        return self._text


def test_who_waits_for_a_service_sees_signs_of_life(monkeypatch, capsys):
    monkeypatch.setattr(output, "RARELY", 0.02)
    told = Output(capsys)
    with show_waiting("scoring: rebuilding"):
        until(lambda: told.so_far().count("\n") >= 2)
    first, *more = told.so_far().splitlines()
    assert (first, bool(more)) == ("scoring: rebuilding … 0 s", True)


def test_a_terminal_has_one_line_of_them_that_is_gone_in_the_end(monkeypatch, capsys):
    monkeypatch.setattr(output, "SOON", 0.02)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    told = Output(capsys)
    with show_waiting("scoring: rebuilding"):
        until(told.so_far)
    line = told.so_far()
    assert "\n" not in line
    assert line.startswith("\rscoring: rebuilding … 0 s")
    assert line.endswith("\r\x1b[K")


def test_work_that_is_done_at_once_says_nothing(capsys):
    with show_waiting("scoring: rebuilding"):
        pass
    assert capsys.readouterr().err == ""
