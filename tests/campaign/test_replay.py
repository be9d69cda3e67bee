"""An exported campaign on the command line: replayed league tables, and verification."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from muster.cli.main import main
from shared.log.cloudevents import to_wire
from shared.log.event import Recorded
from tests.campaign.forging import change, forged
from tests.campaign.simulated import simulated

Logs = dict[str, list[Recorded]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    """Play four groups over three rounds."""
    return simulated(tmp_path_factory.mktemp("played"), 4, 3, "for the replay")


@pytest.fixture(scope="module")
def file(played: Logs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the exported logs."""
    file = tmp_path_factory.mktemp("exported") / "league.jsonl"
    file.write_bytes(b"".join(to_wire(event) + b"\n" for log in played.values() for event in log))
    return file


@pytest.mark.clause("FS-LGE-2", "FS-LGE-3")
def test_the_command_line_replays_the_league_table_of_each_round(played: Logs, file: Path) -> None:
    recorded = {
        data["round"]: data["rows"]
        for data in (json.loads(row.data) for row in played["scoring"] if row.type == "StandingsRecorded")
    }
    assert set(recorded) == {1, 2, 3}
    for round, rows in recorded.items():
        result = CliRunner().invoke(main, ["replay", str(file), "--round", str(round), "--format", "json"])
        assert result.exit_code == 0, result.stderr
        shown = json.loads(result.stdout)
        joined = [json.loads(row.data) for row in played["registration"] if row.type == "PlayerJoined"]
        names = {data["player"]: data["name"] for data in joined}
        assert [(row["rank"], row["player"]) for row in shown] == [(row["rank"], names[row["player"]]) for row in rows]
        for row, wanted in zip(shown, rows, strict=True):
            assert {name: row[name] for name in ("league_points", "group_rating", "total_vp")} == wanted["values"]
    latest = CliRunner().invoke(main, ["replay", str(file)])
    assert "group rating" in latest.stdout
    assert CliRunner().invoke(main, ["replay", str(file), "--format", "csv"]).stdout.startswith("rank,player,league_")
    assert CliRunner().invoke(main, ["replay", str(file), "--round", "4"]).exit_code == 2


@pytest.mark.clause("FS-LGE-3")
def test_the_table_of_an_open_round_is_provisional(played: Logs, tmp_path: Path) -> None:
    last = max(row.position for row in played["scoring"] if row.type == "RoundClosed" and '"round":2' in row.data)
    scoring = [row for row in played["scoring"] if row.position <= last + 40]
    part = tmp_path / "part.jsonl"
    logs = {**played, "scoring": scoring}
    part.write_bytes(b"".join(to_wire(event) + b"\n" for log in logs.values() for event in log))
    result = CliRunner().invoke(main, ["replay", str(part), "--format", "json"])
    assert result.exit_code == 0, result.stderr
    assert "provisional" in result.stderr
    rows = json.loads(result.stdout)
    assert rows
    assert all(row["provisional"] for row in rows)


def test_the_command_line_verifies(played: Logs, file: Path) -> None:
    result = CliRunner().invoke(main, ["verify", str(file)])
    assert result.exit_code == 0, result.stderr
    assert ": OK, " in result.stdout
    logs, position = forged(played, "scoring", change("CapsMoved", _ten_more, _scavenged))
    file = file.with_name("forged.jsonl")
    file.write_bytes(b"".join(to_wire(event) + b"\n" for log in logs.values() for event in log))
    found = CliRunner().invoke(main, ["verify", str(file)])
    assert found.exit_code == 1
    assert f"scoring {position} (" in found.stderr


def _ten_more(data: Any) -> None:
    data["amount"] += 10


def _scavenged(data: Any) -> bool:
    return data["reason"] == "scavenging"
