"""Files of a round that is still being played: standings that say so, and nothing to pair from."""

from __future__ import annotations

import json

import pytest

ARMADA, FACTIONS, DUST = "star-wars-armada-1.1", "fallout-factions-comp-1.0", "dust-warfare-1.0"
HEADER = "round,table,kind,player_1,player_2,winner,points_1,points_2,scenario"
FIRST = ("1,1,game,ana,ben,,180,60,", "1,2,game,cy,dee,,100,40,", "1,,bye,eli,,,,,")
HALF = (*FIRST, "2,1,game,ana,cy,,200,10,", "2,2,game,ben,eli,,,,", "2,,bye,dee,,,,,")
WHY = "provisional: round 2 is being played, 1 game has no result yet (row 6)"


@pytest.fixture
def told(run, tmp_path):
    """Call a command on these rows; five players."""

    def called(command: str, *rows: str, ruleset: str = ARMADA, options: tuple[str, ...] = ()):
        (tmp_path / "p.csv").write_text("player\nana\nben\ncy\ndee\neli\n")
        (tmp_path / "r.csv").write_text("\n".join((HEADER, *rows)) + "\n")
        files = ("--players", str(tmp_path / "p.csv"), "--results", str(tmp_path / "r.csv"))
        return run(command, "--ruleset", ruleset, *files, *options)

    return called


def test_standings_of_a_round_that_is_being_played_say_so(told):
    shown = told("standings", *HALF)
    assert (shown.exit_code, shown.stderr) == (0, WHY + "\n")
    assert shown.stdout.endswith("\nprovisional\n")
    rows = json.loads(told("standings", *HALF, options=("--format", "json")).stdout)
    assert [row["provisional"] for row in rows] == [True] * 5
    assert {row["player"]: row["tournament_points"] for row in rows} == {
        "ana": 17,
        "ben": 2,
        "cy": 8,
        "dee": 11,
        "eli": 8,
    }
    plain = told("standings", *HALF, options=("--format", "csv"))
    assert plain.stdout.startswith("rank,player,tournament_points,margin_of_victory,strength_of_schedule,tied,status\n")
    assert plain.stderr == WHY + "\n"


def test_standings_of_whole_rounds_have_no_such_member(told):
    shown = told("standings", *FIRST, options=("--format", "json"))
    assert shown.stderr == ""
    assert not any("provisional" in row for row in json.loads(shown.stdout))


def test_a_round_of_which_nothing_is_known_leaves_the_standings_of_the_round_before(told):
    begun = ("2,1,game,ana,cy,,,,", "2,2,game,ben,eli,,,,")
    before, shown = told("standings", *FIRST), told("standings", *FIRST, *begun)
    assert shown.stdout.startswith(before.stdout)
    assert shown.stderr == "provisional: round 2 is being played, 2 games have no result yet (rows 5, 6)\n"


def test_nothing_is_paired_from_a_round_that_is_being_played(told):
    refused = told("pair", *HALF)
    assert (refused.exit_code, refused.stdout) == (2, "")
    place, said = refused.stderr.split(": ", 1)
    assert place.endswith("r.csv:6:points_1")
    assert said == "nothing, expected every result of round 2\n"


@pytest.mark.parametrize("command", ["standings", "pair"])
def test_a_game_without_a_result_before_the_last_round_is_refused(told, command):
    refused = told(command, "1,1,game,ana,ben,,,,", *FIRST[1:], "2,1,game,ana,cy,,200,10,")
    assert refused.exit_code == 2
    assert "r.csv:2:points_1: nothing, expected the result, since round 2 has begun" in refused.stderr


def test_a_round_of_ten_thousand_digits_is_a_fault(told):
    refused = told("standings", *FIRST, "9" * 10_000 + ",1,game,ana,cy,,,,")
    assert refused.exit_code == 2
    assert "a whole number, 1 or more" in refused.stderr


@pytest.mark.parametrize(("ruleset", "winner"), [(FACTIONS, ""), (DUST, "1")])
def test_every_ruleset_has_games_that_are_being_played(told, ruleset, winner):
    scenario = "melee" if ruleset == FACTIONS else ""
    rows = [
        f"1,1,game,ana,ben,{winner},12,6,{scenario}",
        f"1,2,game,cy,dee,,,,{scenario}",
        f"1,,bye,eli,,,,,{scenario}",
    ]
    shown = told("standings", *rows, ruleset=ruleset)
    assert shown.exit_code == 0
    assert "provisional: round 1 is being played, 1 game has no result yet (row 3)" in shown.stderr
    assert told("pair", *rows, ruleset=ruleset).exit_code == 2


def test_an_incomplete_result_is_not_an_open_game(told):
    refused = told("standings", *FIRST[1:], "1,1,game,ana,ben,,180,,")
    assert refused.exit_code == 2
    assert "r.csv:4:points_2" in refused.stderr


@pytest.mark.parametrize("command", ["standings", "pair"])
def test_two_or_more_of_whom_the_last_round_says_nothing_are_named(told, command):
    shown = told(command, *FIRST, "2,1,game,ana,cy,,200,10,", "2,,bye,dee,,,,,")
    assert shown.exit_code == 0
    assert "warning: " in shown.stderr
    assert "nothing is here of 2 active players: ben, eli" in shown.stderr
    assert told(command, *FIRST, "2,1,game,ana,cy,,200,10,", "2,2,game,dee,eli,,90,60,").stderr == ""


def test_a_running_bracket_keeps_all_its_players(run, tmp_path):
    """Twenty players of Dust Warfare, cut to four after two rounds: one semi-final is over."""
    ids = [f"p{number:02}" for number in range(1, 21)]
    rows = [f"1,{n},game,{ids[n - 1]},{ids[20 - n]},1,{100 - n},10," for n in range(1, 11)]
    rows += [f"2,{n},game,{ids[2 * n - 2]},{ids[2 * n - 1]},1,{100 - n},10," for n in range(1, 11)]
    (tmp_path / "p.csv").write_text("player\n" + "\n".join(ids) + "\n")
    plan = ("--option", "rounds_table=3-256:4:4:2", "--format", "json", "--seed", "s")

    def ranked(*more: str) -> list[str]:
        (tmp_path / "r.csv").write_text("\n".join((HEADER, *rows, *more)) + "\n")
        files = ("--players", str(tmp_path / "p.csv"), "--results", str(tmp_path / "r.csv"))
        shown = run("standings", "--ruleset", DUST, *files, *plan)
        assert shown.exit_code == 0, shown.stderr
        return [row["player"] for row in json.loads(shown.stdout)]

    one, two, three, four = ranked()[:4]
    assert ranked(f"3,1,game,{one},{four},,,,", f"3,2,game,{two},{three},,,,")[:4] == [one, two, three, four]
    half = ranked(f"3,1,game,{one},{four},2,10,50,", f"3,2,game,{two},{three},,,,")
    assert half[:4] == [two, three, four, one]
