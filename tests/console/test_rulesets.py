"""`muster ruleset`: list, show, check."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from services.console.cli import COMMANDS, main
from shared.rules.pack import load, shipped_ids, shipped_ruleset, shipped_text
from shared.rules.ruleset import from_json

ARMADA = "star-wars-armada-1.1"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["ruleset", *arguments])


def test_list_names_every_shipped_ruleset() -> None:
    rows = json.loads(run("list", "--format", "json").stdout)
    assert [row["id"] for row in rows] == list(shipped_ids())
    assert all(id in run("list").stdout for id in shipped_ids())


def test_show_gives_the_pack_or_what_a_tournament_would_hold() -> None:
    assert run("show", ARMADA).stdout == shipped_text(ARMADA)
    assert from_json(json.loads(run("show", ARMADA, "--format", "json").stdout)) == shipped_ruleset(ARMADA)
    shown = run("show", ARMADA, "--option", "sos=tome").stdout
    assert "schedule_mean" in shown
    assert run("show", "chess").exit_code == 2


def test_check_accepts_a_pack_and_tells_the_lines_of_a_broken_one(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(shipped_text(ARMADA), "utf-8")
    assert run("check", str(good)).exit_code == 0
    text = shipped_text(ARMADA).replace("least: 51,", "least: 60,").replace("piece: total", "piece: sum", 1)
    bad.write_text(text, "utf-8")
    result = run("check", str(bad))
    assert result.exit_code == 2
    line = text[: text.index("least: 60,")].count("\n") + 1
    assert f"{bad}:{line}:/points/bands/2/least: gap" in result.stderr
    assert len(result.stderr.splitlines()) == 2
    assert run("check", str(tmp_path / "none.yaml")).exit_code == 2


def test_a_pack_of_ones_own_can_be_played_by(tmp_path: Path) -> None:
    pack = tmp_path / "mine.yaml"
    pack.write_text(shipped_text(ARMADA).replace(f"id: {ARMADA}", "id: mine-1"), "utf-8")
    assert load(pack.read_text("utf-8"), "mine.yaml").id == "mine-1"
    assert "id: mine-1" in run("show", str(pack)).stdout


def test_every_command_of_the_table_exists() -> None:
    for name in COMMANDS:
        assert CliRunner().invoke(main, [name, "--help"]).exit_code == 0
    assert CliRunner().invoke(main, ["dance"]).exit_code == 2
