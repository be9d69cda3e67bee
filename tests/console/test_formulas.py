"""What the offline commands write as CSV holds no formula, and they read it back as it was meant."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from click.testing import CliRunner

from muster.cli.main import main

FILES = ["--ruleset", "star-wars-armada-1.1", "--players", "players.csv", "--results", "results.csv"]
RESULTS = "round,table,kind,player_1,player_2,winner,points_1,points_2\n"


def rows(*arguments: str) -> list[list[str]]:
    result = CliRunner().invoke(main, [*arguments, *FILES, "--format", "csv"])
    assert result.exit_code == 0, result.output
    return list(csv.reader(io.StringIO(result.stdout)))


def test_what_pair_writes_is_no_formula_and_goes_back_into_results(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("players.csv").write_text("player\n'=cmd()\n@ben\n-5\n'neill\n", "utf-8")
    Path("results.csv").write_text(RESULTS, "utf-8")
    _, *paired = rows("pair", "--seed", "x")
    told = {player for row in paired for player in row[3:5]}
    assert told == {"'=cmd()", "'@ben", "-5", "'neill"}
    text = RESULTS + "".join(f"{row[0]},{row[1]},game,{row[3]},{row[4]},,200,{100 + int(row[1])}\n" for row in paired)
    Path("results.csv").write_text(text, "utf-8")
    _, *ranked = rows("standings")
    assert {row[1] for row in ranked} == told
    plain = CliRunner().invoke(main, ["standings", *FILES, "--format", "json"])
    assert all(name in plain.stdout for name in ('"=cmd()"', '"@ben"', '"-5"', '"\'neill"'))
