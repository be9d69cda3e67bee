"""Results of Dust Warfare from the table in the column `extra`: objectives, break points, lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from muster.cli.main import main

HEADER = "round,kind,player_1,player_2,winner,points_1,points_2,conceded_by,extra"


def standings(folder: Path, row: str, *options: str) -> Result:
    (folder / "p.csv").write_text("player\na\nb\n", "utf-8")
    (folder / "r.csv").write_text(f"{HEADER}\n{row}\n", "utf-8")
    files = ["--players", str(folder / "p.csv"), "--results", str(folder / "r.csv"), "--format", "json"]
    chosen = [word for option in options for word in ("--option", option)]
    return CliRunner().invoke(main, ["standings", "--ruleset", "dust-warfare-1.0", *files, *chosen])


def both(result: Result) -> dict[str, tuple[int, int]]:
    assert result.exit_code == 0, result.output
    return {row["player"]: (row["match_points"], row["break_points"]) for row in json.loads(result.stdout)}


KEY = "objective=Key_Positions noted_1=T1+T2 noted_2=T2+T5 controlled_1=T2+T5 controlled_2=T2"


@pytest.mark.clause("DW-EX-8", "DW-SCN-5", "DW-SCN-6", "DW-RES-1", "DW-RES-2", "DW-AMB-13", "DW-AMB-21", "DW-AMB-22")
@pytest.mark.parametrize(
    ("row", "one", "two"),
    [
        (f"1,game,a,b,,135,40,,{KEY}", (10, 135), (3, 40)),
        (f"1,game,a,b,,,,,{KEY} units_1=40 units_2=45+60+30+(50)", (10, 135), (3, 40)),
        ("1,game,a,b,,,,,spent=ODCD units_1=45+60+30+25 units_2=45/20+60+30+25", (6, 180), (6, 160)),
        ("1,game,a,b,,0,0,,objective=Critical_Positions inside_1=2+1+2+1+0 inside_2=0+0+1+2+2", (3, 0), (10, 0)),
        ("1,game,a,b,,0,45,,spent=OOOD target_dead_1=no target_dead_2=yes", (10, 0), (3, 45)),
        (
            "1,game,a,b,,45,40,,spent=OOOD target_dead_1=yes target_dead_2=yes target_points_1=40 target_points_2=45",
            (10, 45),
            (3, 40),
        ),
        ("1,game,a,b,,45,45,,objective=Assassination target_dead_1=no target_dead_2=no", (6, 45), (6, 45)),
        ("1,game,a,b,,45,45,,Objective=ASSASSINATION target_dead_1=no target_dead_2=no", (6, 45), (6, 45)),
        ("1,game,a,b,1,,,,units_1= units_2=45/(20)+(30)/15+12", (10, 12), (3, 0)),
        ("1,forfeit,a,b,,,,2,list_1=300 list_2=299", (10, 149), (3, 0)),
        ("1,game,a,b,,90,120,2,list_2=299", (10, 90), (3, 0)),
    ],
)
def test_facts_of_the_table_give_points_and_winner(
    tmp_path: Path, row: str, one: tuple[int, int], two: tuple[int, int]
) -> None:
    assert both(standings(tmp_path, row)) == {"a": one, "b": two}


@pytest.mark.clause("DW-AMB-2", "DW-AMB-19", "DW-AMB-21")
def test_options_that_count_them_otherwise(tmp_path: Path) -> None:
    apart = "1,game,a,b,1,,,,units_1= units_2=45/(20)+(30)/15+12"
    assert both(standings(tmp_path, apart, "hero_bp=separate"))["a"] == (10, 72)
    forfeit = "1,forfeit,a,b,,,,2,list_2=299"
    assert both(standings(tmp_path, forfeit, "forfeit_bp_rounding=up"))["a"] == (10, 150)
    conceded = "1,game,a,b,,90,120,2,list_2=299"
    assert both(standings(tmp_path, conceded, "concession_bp=larger"))["a"] == (10, 149)


@pytest.mark.clause("DW-SCN-3", "DW-SCN-4", "DW-RES-2")
@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("1,game,a,b,2,135,40,,", ""),
        (f"1,game,a,b,2,135,40,,{KEY}", "winner"),
        (f"1,game,a,b,,99,40,,{KEY} units_2=45+60", "points_1"),
        (f"1,game,a,b,,1,1,,{KEY} noted_1=T1+T3", "noted_1=T1+T3"),
        ("1,game,a,b,,1,1,,spent=OOOO", "at most 3 points on O"),
        ("1,game,a,b,,1,1,,spent=ODO", "4 points, 2 of each player"),
        ("1,game,a,b,1,1,1,,objective=Nonsense", "objective"),
        ("1,game,a,b,1,,1,,units_2=45)", "units_2=45)"),
        ("1,game,a,b,,1,1,,objective=Assassination target_dead_1=perhaps", "target_dead_1=perhaps"),
        ("1,game,a,b,1,251,0,,list_2=250", "points_1"),
        ("1,game,a,b,1,1,0,,list_2=401", "list_2"),
        ("1,bye,a,,,,,,spent=ODOC", "board"),
        ("1,forfeit,a,b,,149,,2,", ""),
        ("1,forfeit,a,b,,,,2,", "list_2=TOTAL"),
        ("1,forfeit,a,b,,,,2,list_1=300", "points_1"),
    ],
)
def test_impossible_facts_are_reported_with_their_place(tmp_path: Path, row: str, said: str) -> None:
    result = standings(tmp_path, row)
    assert result.exit_code == (2 if said else 0)
    assert said in result.stderr
    assert all("r.csv:2:" in line for line in result.stderr.splitlines())


@pytest.mark.clause("DW-TBL-4")
def test_one_battle_builder_lies_on_every_table_in_every_round(tmp_path: Path) -> None:
    told = "game,a,b,1,45,0,,spent=OOOD target_dead_1={} target_dead_2={}"
    against = "\n".join(f"{round},{told.format('yes', 'no')}" for round in (1, 2, 3))
    refused = standings(tmp_path, against)
    assert [line.split("r.csv:")[1].split(": ")[0] for line in refused.stderr.splitlines()] == [
        "2:winner",
        "3:winner",
        "4:winner",
    ]
    fitting = "\n".join(f"{round},{told.format('no', 'yes')}" for round in (1, 2, 3))
    assert both(standings(tmp_path, fitting)) == {"a": (30, 135), "b": (9, 0)}
