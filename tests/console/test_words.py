"""Words as the field has them: a tie, a coin flip, names of packs and factions in any case."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from muster.cli.main import main
from shared.formats.packs import load, shipped_text
from shared.rules.model import PackRefused

HEADER = "round,kind,player_1,player_2,winner,points_1,points_2,conceded_by,extra"


def standings(folder: Path, ruleset: str, *rows: str, form: str = "json") -> Result:
    (folder / "p.csv").write_text("player\na\nb\n", "utf-8")
    (folder / "r.csv").write_text("\n".join([HEADER, *rows]) + "\n", "utf-8")
    files = ["--players", str(folder / "p.csv"), "--results", str(folder / "r.csv"), "--format", form]
    return CliRunner().invoke(main, ["standings", "--ruleset", ruleset, *files])


@pytest.mark.clause("DW-RES-1")
@pytest.mark.parametrize("word", ["tie", "Tie", "draw", "DRAW"])
def test_a_tie_of_dust_warfare_is_said_as_the_field_says_it(tmp_path: Path, word: str) -> None:
    result = standings(tmp_path, "dust-warfare-1.0", f"1,game,a,b,{word},50,60,,")
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)
    assert {row["player"]: (row["match_points"], row["break_points"]) for row in rows} == {"a": (6, 50), "b": (6, 60)}


@pytest.mark.parametrize(
    ("ruleset", "row", "expected"),
    [
        ("dust-warfare-1.0", "1,game,a,b,nobody,50,60,,", "one of 1, 2, tie, or nothing"),
        ("dust-warfare-1.0", "1,game,a,b,,50,60,,", "1, 2 or tie"),
        ("dust-warfare-1.0", "1,forfeit,a,b,tie,149,,2,", "winner: tie,"),
        ("star-wars-armada-1.1", "1,game,a,b,tie,50,60,,end=rounds", "one of 1, 2, draw, or nothing"),
    ],
)
def test_refusals_say_the_word_of_the_ruleset(tmp_path: Path, ruleset: str, row: str, expected: str) -> None:
    result = standings(tmp_path, ruleset, row)
    assert (result.exit_code, result.stdout) == (2, "")
    assert expected in result.stderr


def test_what_settles_a_tie_of_the_standings_is_no_drawn_game(tmp_path: Path) -> None:
    table = standings(tmp_path, "dust-warfare-1.0", "1,game,a,b,tie,50,50,,", form="table").stdout
    assert table.count("coin flip") == 2
    assert "drawn" not in table


@pytest.mark.parametrize("id", ["Dust-Warfare-1.0", "DUST-WARFARE-1.0"])
def test_a_pack_is_named_in_any_case(tmp_path: Path, id: str) -> None:
    assert standings(tmp_path, id, "1,game,a,b,1,50,50,,").exit_code == 0
    shown = CliRunner().invoke(main, ["ruleset", "show", id])
    assert yaml.safe_load(shown.stdout)["id"] == "dust-warfare-1.0"
    assert CliRunner().invoke(main, ["clauses", "--ruleset", id]).exit_code == 0
    assert CliRunner().invoke(main, ["ruleset", "show", "Dust-Warfare-2.0"]).exit_code == 2


@pytest.mark.clause("AR-ROS-2")
@pytest.mark.parametrize(("faction", "code"), [("Rebel", 0), ("REBEL", 0), ("rebel", 0), ("Rebels", 2)])
def test_a_faction_is_named_in_any_case(tmp_path: Path, faction: str, code: int) -> None:
    roster = yaml.safe_load(shipped_text("star-wars-armada-1.1"))["roster"]["example"] | {"faction": faction}
    (tmp_path / "fleet.json").write_text(json.dumps(roster), "utf-8")
    checked = CliRunner().invoke(
        main, ["roster", "check", "--ruleset", "Star-Wars-Armada-1.1", str(tmp_path / "fleet.json")]
    )
    assert checked.exit_code == code, checked.output


def test_a_catalogue_names_pack_and_factions_in_any_case(tmp_path: Path) -> None:
    item = {"in_list": "units", "name": "The Gunners", "points": 19, "factions": ["Allies"]}
    (tmp_path / "cards.yaml").write_text(
        yaml.safe_dump({"ruleset": "Dust-Warfare-1.0", "document": "cards", "items": [item]}), "utf-8"
    )
    unit = {"section": "platoon", "name": "The Gunners", "points": 19}
    for faction, code in (("ALLIES", 0), ("axis", 2)):
        files = ["--catalogue", str(tmp_path / "cards.yaml"), str(tmp_path / "list.json")]
        (tmp_path / "list.json").write_text(json.dumps({"faction": faction, "army_total": 19, "units": [unit]}))
        checked = CliRunner().invoke(
            main,
            [*("roster", "check", "--ruleset", "dust-warfare-1.0"), *files],
        )
        assert checked.exit_code == code, checked.output


def test_an_objective_is_named_in_any_case(tmp_path: Path) -> None:
    dead = "objective=ASSASSINATION target_dead_1=no target_dead_2=yes"
    rows = json.loads(standings(tmp_path, "dust-warfare-1.0", f"1,game,a,b,,45,0,,{dead}").stdout)
    assert [(row["player"], row["match_points"]) for row in rows] == [("a", 10), ("b", 3)]


def test_impossible_words_of_a_pack_are_reported() -> None:
    text = shipped_text("dust-warfare-1.0").replace("  draw: tie\n", "  draw: '2'\n  columns: {elo: Rating}\n")
    with pytest.raises(PackRefused) as refused:
        load(text, "pack.yaml")
    assert [fault.where.rpartition(":")[2] for fault in refused.value.faults] == ["/words/draw", "/words/columns/elo"]


@pytest.mark.clause("FF-TB-2", "FF-TB-4")
def test_factions_says_total_point_score_and_flips_a_coin(tmp_path: Path) -> None:
    files = ["--players", str(tmp_path / "p.csv"), "--results", str(tmp_path / "r.csv")]
    (tmp_path / "p.csv").write_text("player\na\nb\n", "utf-8")
    (tmp_path / "r.csv").write_text(
        "round,kind,player_1,player_2,points_1,points_2,scenario\n1,game,a,b,9,9,Melee\n",
        "utf-8",
    )
    table = CliRunner().invoke(main, ["standings", "--ruleset", "fallout-factions-comp-1.0", *files]).stdout
    assert "total point score" in table.splitlines()[0]
    assert table.count("coin flip") == 2


def test_a_pack_calls_its_columns_as_the_field_does(tmp_path: Path) -> None:
    own = shipped_text("dust-warfare-1.0").replace("  draw: tie\n", "  draw: tie\n  columns: {break_points: Kills}\n")
    (tmp_path / "own.yaml").write_text(own, "utf-8")
    table = standings(tmp_path, str(tmp_path / "own.yaml"), "1,game,a,b,1,50,60,,", form="table").stdout
    assert table.splitlines()[0].split() == ["rank", "player", "match", "points", "Kills", "note"]
    json_of = json.loads(standings(tmp_path, str(tmp_path / "own.yaml"), "1,game,a,b,1,50,60,,").stdout)
    assert "break_points" in json_of[0]
