"""A season on the command line: announced, shown, exported, verified and replayed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from muster.cli import export, tournament
from muster.cli.main import main
from tests.console.in_process import client
from tests.season.story import LEAGUE, Season


@pytest.fixture
def run(muster, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Call `muster` with the services of this process, as an operator."""
    operator = muster.token("operator")
    for module in (export, tournament):
        monkeypatch.setattr(module, "connect", lambda *_, **more: client(muster, operator, **more))
    return lambda *arguments: CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_announce_show_export_and_verify_a_season(muster, run, tmp_path: Path):
    result = run("tournament", "announce", "League", "--ruleset", LEAGUE, "--play", "season", "--format", "json")
    assert result.exit_code == 0, result.output
    season = Season(muster, json.loads(result.stdout)["id"])
    season.count(season.cup("Ana", "Ben", "Cy", "Dee", rounds=2))
    ahead = json.loads(run("tournament", "season", season.id, "--format", "json").stdout)
    assert [row["provisional"] for row in ahead] == [True] * 4
    assert season.follow().status == 201
    shown = run("tournament", "season", season.id, "--format", "json")
    assert shown.exit_code == 0, shown.output
    rows = json.loads(shown.stdout)
    table = season.table()["items"]
    assert [(row["rank"], row["division"], row["player"], row["points"], row["rating"]) for row in rows] == [
        (row["rank"], row["division"], row["name"], row["points"], row["rating"]["rating"]) for row in table
    ]
    assert rows[0]["player"] == "Ana"
    assert not any("provisional" in row for row in rows)
    first = run("tournament", "season", season.id, "--number", 1, "--format", "csv")
    assert first.stdout.splitlines()[0].startswith("rank,division,player,points")
    assert "Season (recorded)" in run("tournament", "season", season.id).stdout
    assert run("tournament", "season", season.id, "--number", 99).exit_code == 2
    file = tmp_path / "season.jsonl"
    assert run("export", season.id, "--output", file).exit_code == 0
    verified = run("verify", file)
    assert verified.exit_code == 0, verified.output
    replayed = json.loads(run("replay", file, "--format", "json").stdout)
    assert [row["player"] for row in replayed] == [row["player"] for row in rows]


def test_season_commands_refuse_a_swiss_tournament(muster, run):
    told = run("tournament", "season", muster.announce().id)
    assert told.exit_code == 2
    assert "format" in told.stderr
