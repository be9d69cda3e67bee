"""The offline commands take an improbable score, and say so where a person sees it; the simulator reports none."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from msgspec import convert

from muster.cli.main import main
from muster.simulator.results_by_chance import Table, plausible_result
from shared.formats.packs import shipped_ruleset
from shared.rules.model import Facts
from shared.swiss.scoring import improbable_faults

HEADER = "round,table,kind,player_1,player_2,winner,points_1,points_2\n"


@pytest.mark.parametrize("command", ["standings", "pair"])
def test_a_line_of_warning_and_the_same_exit_code(command, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("players.csv").write_text("player\nana\nben\ncy\ndee\n", "utf-8")
    files = ["--ruleset", "star-wars-armada-1.1", "--players", "players.csv", "--results", "results.csv"]
    Path("results.csv").write_text(HEADER + "1,1,game,ana,ben,,1500,150\n1,2,game,cy,dee,,200,150\n", "utf-8")
    wild = CliRunner().invoke(main, [command, *files, "--format", "json"])
    assert wild.exit_code == 0
    assert wild.stderr.splitlines() == [
        "warning: results.csv:2:points_1: 1500, "
        "expected at most 600: 300 for the other fleet and 300 for objectives (AR-SCN-1)"
    ]
    Path("results.csv").write_text(HEADER + "1,1,game,ana,ben,,600,150\n1,2,game,cy,dee,,200,150\n", "utf-8")
    assert CliRunner().invoke(main, [command, *files, "--format", "json"]).stderr == ""


@pytest.mark.parametrize("id", ["star-wars-armada-1.1", "star-wars-armada-400"])
@given(seed=st.integers(0, 10**9), skills=st.tuples(*[st.integers(0, 100)] * 2), conceder=st.sampled_from([None, 1, 2]))
def test_the_simulator_reports_nothing_improbable(id, seed, skills, conceder) -> None:
    ruleset = shipped_ruleset(id)
    facts = plausible_result(ruleset, Table(skills=skills, conceder=conceder), Random(seed))
    assert improbable_faults(ruleset, convert(facts, Facts)) == []
