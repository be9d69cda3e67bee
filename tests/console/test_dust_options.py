"""Every option of Dust Warfare with each of its values: a small tournament is ranked and paired under it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from muster.cli.main import main
from shared.formats.packs import shipped_ruleset
from shared.rules.parts import Option

DUST = shipped_ruleset("dust-warfare-1.0")
HEADER = "round,kind,player_1,player_2,winner,points_1,points_2,conceded_by,extra"
PLAYERS = ["a,,", "b,,", "c,,", "d,,", "e,dropped,2", "f,disqualified,2"]
ROWS = [
    "1,game,a,b,1,140,60,,",
    "1,game,c,d,draw,90,75,,",
    "1,game,e,f,1,10,0,,",
    "2,game,a,c,,90,20,2,list_2=299",
    "2,forfeit,e,f,,,,2,list_2=299",
    "2,no_show,b,d,,,,2,",
]


def call(folder: Path, command: str, players: list[str], rows: list[str], *options: str) -> list[dict[str, Any]]:
    (folder / "p.csv").write_text("\n".join(["player,status,dropped_after", *players]) + "\n", "utf-8")
    (folder / "r.csv").write_text("\n".join([HEADER, *rows]) + "\n", "utf-8")
    files = ["--players", str(folder / "p.csv"), "--results", str(folder / "r.csv"), "--format", "json"]
    chosen = [word for option in options for word in ("--option", option)]
    result = CliRunner().invoke(main, [command, "--ruleset", DUST.id, *files, *chosen])
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


def points(rows: list[dict[str, Any]]) -> dict[str, tuple[int, int]]:
    return {row["player"]: (row["match_points"], row["break_points"]) for row in rows}


def values(option: Option) -> list[str]:
    """Every value of an option, or some where there is no end of them."""
    if option.key == "ap_limit":
        return ["299", "400"]  # the lists in the rows are told as 299
    match option.kind:
        case "flag":
            return ["true", "false"]
        case "rounds":
            return ["3-16:4,17-32:4:2:3", "3-256:4:4:2"]
        case "whole":
            return [*(option.choices or []), str(option.least), str(option.most or 200)]
        case _:
            return [str(choice) for choice in option.choices]


EVERY = [(option.key, value) for option in DUST.options for value in values(option)]


@pytest.mark.clause("DW-AMB-2", "DW-AMB-3", "DW-AMB-4", "DW-AMB-6", "DW-AMB-7", "DW-AMB-8", "DW-AMB-9", "DW-AMB-10")
@pytest.mark.clause("DW-AMB-11", "DW-AMB-16", "DW-AMB-17", "DW-AMB-19", "DW-AMB-21", "DW-AMB-23", "DW-AMB-25")
@pytest.mark.parametrize(("key", "value"), EVERY)
def test_every_value_of_every_option_plays(tmp_path: Path, key: str, value: str) -> None:
    ranked = call(tmp_path, "standings", PLAYERS, ROWS, f"{key}={value}")
    assert {row["player"] for row in ranked} >= {"a", "b", "c", "d", "e"}
    paired = call(tmp_path, "pair", PLAYERS, ROWS, f"{key}={value}")
    assert sorted(player for row in paired for player in (row["player_1"], row.get("player_2"))) == list("abcd")


def test_the_digest_names_these_options() -> None:
    assert {option.key for option in DUST.options} == {
        *("forfeit_bp_rounding", "dq_listed", "bracket", "bye_bp", "avoid_repeat_byes", "rematch_move"),
        *("unresolved_ties", "time_call", "no_show_mp", "concession_bp", "hero_bp", "bye_may_move", "extra_minutes"),
        *("ap_limit", "rounds_table"),
    }


@pytest.mark.clause("DW-AMB-17", "DW-AMB-2", "DW-AMB-19", "DW-AMB-6")
@pytest.mark.parametrize(
    ("option", "player", "expected"),
    [
        ("no_show_mp=3", "d", (9, 75)),
        ("no_show_mp=0", "d", (6, 75)),
        ("bye_bp=0", "b", (13, 60)),
        ("bye_bp=half", "b", (13, 260)),
        ("bye_bp=75", "b", (13, 135)),
        ("forfeit_bp_rounding=down", "e", (20, 159)),
        ("forfeit_bp_rounding=up", "e", (20, 160)),
        ("concession_bp=larger", "a", (20, 289)),
        ("concession_bp=table", "a", (20, 230)),
    ],
)
def test_what_an_option_is_worth(tmp_path: Path, option: str, player: str, expected: tuple[int, int]) -> None:
    assert points(call(tmp_path, "standings", PLAYERS, ROWS, option))[player] == expected


@pytest.mark.clause("DW-AMB-23", "DW-AMB-7")
def test_where_a_bye_goes(tmp_path: Path) -> None:
    three = ["a,,", "b,,", "c,,"]
    games = ["1,game,a,b,1,100,90,,", "1,bye,c,,,,,,", "2,game,a,c,1,80,10,,", "2,bye,b,,,,,,"]
    (rigid, bye) = call(tmp_path, "pair", three, games)
    assert "second meeting" in rigid["reason"]
    assert bye["player_1"] in ("b", "c")
    (game, moved) = call(tmp_path, "pair", three, games, "bye_may_move=true")
    assert ({game["player_1"], game["player_2"]}, moved["player_1"]) == ({"b", "c"}, "a")
    (_, avoided) = call(tmp_path, "pair", three, games, "avoid_repeat_byes=true")
    assert avoided["player_1"] == "a"
