"""`--explain` under every ruleset: the games of each value, the reason and the draws of each pairing."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from muster.cli.main import main
from shared.formats.packs import shipped
from shared.rules.model import draw_order
from shared.swiss.ruleset import Ruleset
from tests.rules.tournaments import beating, row_of, text_of

PLAYERS = ["ana", "ben", "cy", "dee", "eli"]
every_ruleset = pytest.mark.parametrize("ruleset", shipped("swiss").values(), ids=lambda ruleset: ruleset.id)


def explained(ruleset: Ruleset, command: str, form: str, folder: Path) -> str:
    """What is told of two rounds in which ana and cy won, and eli and dee had a bye."""
    scenario = ruleset.scenarios[0].name if ruleset.scenarios else ""
    won = beating(ruleset, scenario)[0]
    rows = [row_of(1, "1", "ana", "ben", won), row_of(1, "2", "cy", "dee", won), {"round": "1", "kind": "bye"}]
    rows += [row_of(2, "1", "ana", "cy", won), row_of(2, "2", "eli", "ben", won), {"round": "2", "kind": "bye"}]
    rows[2] |= {"player_1": "eli", "scenario": scenario}
    rows[5] |= {"player_1": "dee", "scenario": scenario}
    (folder / "players.csv").write_text("\n".join(["player", *PLAYERS]) + "\n", "utf-8")
    (folder / "results.csv").write_text(text_of(rows), "utf-8")
    arguments = [command, "--ruleset", ruleset.id, "--seed", "s", "--explain", "--format", form]
    arguments += ["--players", str(folder / "players.csv"), "--results", str(folder / "results.csv")]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.stderr
    return done.stdout


@every_ruleset
def test_every_value_names_its_games(ruleset: Ruleset, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = json.loads(explained(ruleset, "standings", "json", tmp_path))
    met = {"ana": ["ben", "cy"], "ben": ["ana", "eli"], "cy": ["dee", "ana"], "dee": ["cy", ""], "eli": ["", "ben"]}
    for row in rows:
        assert set(ruleset.columns) <= set(row["explain"])
        for value in row["explain"].values():
            assert [share["round"] for share in value["from"]] == [1, 2]
            assert [share["opponent"] for share in value["from"]] == met[row["player"]]
            assert sum(Fraction(share["value"]) for share in value["from"]) == Fraction(value["value"])
            assert value["clause"]
        assert row["tied"] == ("draw" in row)
        if row["tied"]:
            assert row["draw"]["order"] == draw_order("s", "standings", 2, row["draw"]["order"])
            assert row["player"] in row["draw"]["order"]
    text = explained(ruleset, "standings", "table", tmp_path)
    assert text.count("(round 1, ben)") == len(rows[0]["explain"])
    assert text.count("draw: ") == len({tuple(row["draw"]["order"]) for row in rows if "draw" in row})


@every_ruleset
def test_every_pairing_has_its_reason_and_its_draws(ruleset: Ruleset, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = json.loads(explained(ruleset, "pair", "json", tmp_path))
    assert sorted(player for row in rows for player in row["explain"]) == PLAYERS
    text = explained(ruleset, "pair", "table", tmp_path)
    for row in rows:
        assert row["reason"]
        assert f": {row['reason']}\n" in text
        for player, told in row["explain"].items():
            assert told["met"] == {"ana": ["ben", "cy"], "ben": ["ana", "eli"], "cy": ["ana", "dee"],
                                   "dee": ["cy"], "eli": ["ben"]}[player]  # fmt: skip
            for draw in told["draws"]:
                assert player in draw["order"]
                made = draw_order(draw["seed"], draw["purpose"], draw["round"], draw["order"])
                assert (draw["seed"], draw["round"], draw["order"]) == ("s", 3, made)
    drawn = {(draw["purpose"], *draw["order"]) for row in rows for told in row["explain"].values()
             for draw in told["draws"]}  # fmt: skip
    assert text.count("draw: ") == len(drawn)
