"""What files may look like: further columns, words in any case; and who is called what in what is printed."""

from __future__ import annotations

import json

import pytest

from muster.cli.results_csv import MOST_GUESSES

RULES = ("--ruleset", "star-wars-armada-1.1")
PLAYERS = "player,name,status,dropped_after\np1,Ana,,\np2,Ben,Active,\np3,,,\np4,Dee,DROPPED,1\n"
RESULTS = (
    "round,table,kind,player_1,player_2,winner,points_1,points_2,extra\n"
    "1,1,Game,p1,p2,,180,60,END=Time\n1,2,GAME,p3,p4,,100,40,End=TIME\n"
)


@pytest.fixture
def files(tmp_path):
    """Options for two files with these texts."""

    def written(players: str = PLAYERS, results: str = RESULTS) -> list[str]:
        (tmp_path / "p.csv").write_text(players)
        (tmp_path / "r.csv").write_text(results)
        return ["--players", str(tmp_path / "p.csv"), "--results", str(tmp_path / "r.csv")]

    return written


@pytest.mark.parametrize("command", ["standings", "pair"])
def test_words_are_taken_in_any_case(run, files, command):
    told = run(command, *RULES, *files())
    plain = run(command, *RULES, *files(PLAYERS.casefold(), RESULTS.casefold()))
    assert told.exit_code == plain.exit_code == 0, told.stderr
    assert told.stdout.casefold() == plain.stdout.casefold()


@pytest.mark.parametrize("written", ["Treasure Hunt", "treasure hunt", "TREASURE HUNT"])
def test_scenarios_are_taken_in_any_case(run, files, written):
    rows = f"round,kind,player_1,player_2,points_1,points_2,scenario\n1,game,p1,p2,10,5,{written}\n"
    told = run("standings", "--ruleset", "fallout-factions-comp-1.0", *files(results=rows))
    assert told.exit_code == 0, told.stderr


@pytest.mark.parametrize("command", ["standings", "pair"])
def test_a_column_that_is_to_be_ignored_is_let_through_and_nothing_else(run, files, command):
    wider = [text.replace("\n", ",x\n").replace(",x\n", ",E-mail\n", 1) for text in (PLAYERS, RESULTS)]
    refused = run(command, *RULES, *files(*wider))
    assert refused.exit_code == 2
    assert refused.stderr.count("E-mail: E-mail, expected one of these columns") == 2
    assert "--ignore-column" in refused.stderr
    assert run(command, *RULES, *files(*wider), "--ignore-column", "Phone").exit_code == 2
    taken = run(command, *RULES, *files(*wider), "--ignore-column", "Phone", "--ignore-column", "E-mail")
    assert (taken.exit_code, taken.stdout) == (0, run(command, *RULES, *files()).stdout)


def test_a_column_that_is_read_cannot_be_ignored(run, files):
    refused = run("standings", *RULES, *files(), "--ignore-column", "table")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "--ignore-column: 'table', expected a column that is not read anyway\n",
    )


def test_a_table_shows_names_where_the_file_has_them(run, files):
    header, first, *_ = run("standings", *RULES, *files()).stdout.splitlines()
    assert header.split()[:3] == ["rank", "player", "name"]
    assert first.split()[:3] == ["1", "p1", "Ana"]
    nameless = "player\np1\np2\np3\np4\n"
    assert " name " not in run("standings", *RULES, *files(nameless)).stdout
    header, first, *_ = run("pair", *RULES, *files()).stdout.splitlines()
    assert "player 1  name 1  player 2  name 2  reason" in header
    assert "Ana" in first
    assert "name 1" not in run("pair", *RULES, *files(nameless)).stdout


def test_csv_and_json_keep_their_members_and_names_come_last_where_asked_for(run, files):
    def lines(command: str, *more: str) -> list[list[str]]:
        return [
            line.split(",") for line in run(command, *RULES, *files(), "--format", "csv", *more).stdout.splitlines()
        ]

    for command, added in (("standings", ["name"]), ("pair", ["name_1", "name_2"])):
        plain, named = lines(command), lines(command, "--names")
        assert [line[: -len(added)] for line in named] == plain
        assert named[0][-len(added) :] == added
    assert [line[-1] for line in lines("standings", "--names")[1:]] == ["Ana", "", "Dee", "Ben"]
    ranked = run("standings", *RULES, *files(), "--format", "json", "--names").stdout
    assert [row["name"] for row in json.loads(ranked)] == ["Ana", "", "Dee", "Ben"]
    assert all("name" not in row for row in json.loads(run("standings", *RULES, *files(), "--format", "json").stdout))
    assert lines("pair", "--names")[1][-2:] == ["Ana", ""]


def test_who_may_be_meant_is_said_of_the_first_unknown_players_alone(run, files):
    many = range(1, MOST_GUESSES + 3)
    players = "player\n" + "".join(f"player-{number:03}\n" for number in many)
    rows = "".join(f"{number},game,Player_{number:03},nobody,,1,0\n" for number in many)
    told = run("standings", *RULES, *files(players, "round,kind,player_1,player_2,winner,points_1,points_2\n" + rows))
    guessed = [line for line in told.stderr.splitlines() if "perhaps 'player-" in line]
    assert told.exit_code == 2
    assert 0 < len(guessed) < MOST_GUESSES
