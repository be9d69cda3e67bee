"""More games than tables, offline: waves, or no numbers; and what is paired is the same."""

from __future__ import annotations

import csv
import json

import pytest


@pytest.fixture
def told(run, tmp_path):
    """Pair the first round of seven players."""

    def called(*options: str):
        (tmp_path / "p.csv").write_text("player,name\n" + "".join(f"p{n},Player {n}\n" for n in range(1, 8)))
        (tmp_path / "r.csv").write_text("round,kind,player_1,player_2,points_1,points_2\n")
        files = ("--players", str(tmp_path / "p.csv"), "--results", str(tmp_path / "r.csv"))
        shown = run("pair", "--ruleset", "star-wars-armada-1.1", *files, *options)
        assert shown.exit_code == 0, shown.stderr
        return shown.stdout

    return called


def places(text: str) -> list[tuple[int | None, int | None]]:
    return [(row.get("table"), row.get("wave")) for row in json.loads(text)]


def test_every_game_has_its_own_table_without_a_number_of_tables(told):
    assert places(told("--format", "json")) == [(1, None), (2, None), (3, None), (None, None)]


def test_with_fewer_tables_games_follow_one_another(told):
    assert places(told("--format", "json", "--tables", "2")) == [(1, 1), (2, 1), (1, 2), (None, None)]
    assert places(told("--format", "json", "--tables", "9")) == [(1, 1), (2, 1), (3, 1), (None, None)]
    header, *rows = csv.reader(told("--format", "csv", "--tables", "1", "--names").splitlines())
    assert header == ["round", "table", "kind", "player_1", "player_2", "wave", "name_1", "name_2"]
    assert [(row[1], row[5]) for row in rows] == [("1", "1"), ("1", "2"), ("1", "3"), ("", "")]
    assert "wave" in told("--tables", "2").splitlines()[0]
    assert "wave" not in told("--tables", "3").splitlines()[0]


def test_without_numbers(told):
    assert places(told("--format", "json", "--tables", "0")) == [(None, None)] * 4
    header, *rows = csv.reader(told("--format", "csv", "--tables", "0").splitlines())
    assert header == ["round", "table", "kind", "player_1", "player_2"]
    assert {row[1] for row in rows} == {""}
    assert "table" not in told("--tables", "0").splitlines()[0]


@pytest.mark.clause("FF-AMB-28")
def test_the_tables_make_no_difference_to_who_meets_whom(told):
    def met(*options: str) -> list[tuple[str, str]]:
        return [(row["player_1"], row.get("player_2")) for row in json.loads(told("--format", "json", *options))]

    assert met() == met("--tables", "2") == met("--tables", "0")


@pytest.mark.clause("AR-TBL-1")
def test_tables_of_the_results_are_not_played_at_again_where_the_ruleset_avoids_it(run, tmp_path):
    """Table 3 is new to p3 and p4, who come first; from the top down p5 would sit at table 2 again."""
    (tmp_path / "p.csv").write_text("player\n" + "".join(f"p{n}\n" for n in range(1, 7)))
    played = ("1,1,game,p6,p3,40,150", "1,2,game,p5,p4,40,150", "1,3,game,p1,p2,150,40")
    header = "round,table,kind,player_1,player_2,points_1,points_2"
    (tmp_path / "r.csv").write_text("\n".join((header, *played)))
    files = ("--players", str(tmp_path / "p.csv"), "--results", str(tmp_path / "r.csv"))
    shown = run("pair", "--ruleset", "star-wars-armada-1.1", *files, "--seed", "0", "--format", "json")
    assert [(row["table"], row["player_1"], row["player_2"]) for row in json.loads(shown.stdout)] == [
        (3, "p4", "p3"),
        (1, "p1", "p5"),
        (2, "p2", "p6"),
    ]
