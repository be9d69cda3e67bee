"""`muster standings` and `muster pair`: files in, text out, every fault with its place."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from muster.cli.main import main
from tests.programs import run_program

REAL = Path(__file__).parents[1] / "data" / "armada-2025"
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
HEADER = "round,table,kind,player_1,player_2,winner,points_1,points_2,scenario,conceded_by"
PLAYERS = "player\nana\nben\ncy\ndee\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Call `muster` with files given as text."""
    monkeypatch.chdir(tmp_path)

    def call(command: str, players: str | bytes, results: str | bytes, *more: str, ruleset: str = "1.1") -> Result:
        for name, content in (("players.csv", players), ("results.csv", results)):
            Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
        id = ruleset if ruleset.endswith("yaml") else f"star-wars-armada-{ruleset}"
        arguments = [command, "--ruleset", id, "--players", "players.csv", "--results", "results.csv", *more]
        return CliRunner().invoke(main, arguments)

    return call


def results(*rows: str) -> str:
    return "\n".join([HEADER, *rows]) + "\n"


def faults(result: Result) -> list[str]:
    assert result.exit_code == 2, result.output
    assert not result.stdout
    return result.stderr.splitlines()


def test_a_real_tournament_comes_out_as_it_was_recorded() -> None:
    arguments = ["standings", "--ruleset", "star-wars-armada-400", "--format", "csv"]
    arguments += ["--players", str(REAL / "players.csv"), "--results", str(REAL / "results.csv")]
    found = list(csv.DictReader(io.StringIO(CliRunner().invoke(main, arguments).stdout)))
    expected = list(csv.DictReader(io.StringIO((REAL / "expected.csv").read_text("utf-8"))))
    columns = ("tournament_points", "margin_of_victory")
    assert len(found) == len(expected) == 147
    assert {row["player"]: [row[name] for name in columns] for row in found} == {
        row["player"]: [row[name] for name in columns] for row in expected
    }
    assert [int(row["rank"]) for row in found] == list(range(1, 148))


SLOW_TO_IMPORT = ("flask", "marshmallow", "sqlalchemy", "kombu", "httpx", "services", "networkx", "rustworkx")
LOADED = (
    "import sys; from muster.cli.main import main; main(standalone_mode=False); print(*sys.modules, file=sys.stderr)"
)


@pytest.mark.parametrize("command", ["standings", "pair"])
def test_the_command_itself_loads_nothing_that_it_does_not_need(command: str) -> None:
    arguments = ["--ruleset", "star-wars-armada-400", "--format", "json"]
    arguments += ["--players", str(REAL / "players.csv"), "--results", str(REAL / "results.csv")]
    whole = [sys.executable, "-c", LOADED, command, *arguments]
    done = run_program(whole, capture_output=True, check=True, cwd=Path(__file__).parents[2], text=True)
    assert json.loads(done.stdout)
    assert {name.partition(".")[0] for name in done.stderr.split()} & {*SLOW_TO_IMPORT} == set()


def test_json_of_standings(run) -> None:
    table = results("1,1,game,ana,ben,,210,150,,", "1,2,bye,cy,,,,,,", "2,1,game,ana,cy,1,100,100,,")
    rows = json.loads(run("standings", "player\nana\nben\ncy\n", table, "--format", "json").stdout)
    assert rows == [
        {
            "rank": 1,
            "player": "cy",
            "tournament_points": 13,
            "margin_of_victory": 61,
            "strength_of_schedule": 12,
            "tied": False,
        },
        {
            "rank": 2,
            "player": "ana",
            "tournament_points": 12,
            "margin_of_victory": 60,
            "strength_of_schedule": 16,
            "tied": False,
        },
        {
            "rank": 3,
            "player": "ben",
            "tournament_points": 3,
            "margin_of_victory": 0,
            "strength_of_schedule": 12,
            "tied": False,
        },
    ]


@pytest.mark.clause("AR-TB-4", "AR-AMB-4")
def test_fractions_are_decimal_strings_and_options_take_effect(run) -> None:
    table = results("1,1,game,ana,ben,,210,150,,", "2,1,bye,ana,,,,,,", "3,1,bye,ana,,,,,,")
    rows = json.loads(run("standings", "player\nana\nben\n", table, "--format", "json", "--option", "sos=tome").stdout)
    assert [row["strength_of_schedule"] for row in rows] == [1, "7.666667"]


def test_standings_before_any_round_and_ties_that_only_the_draw_separates(run) -> None:
    first = run("standings", PLAYERS, HEADER, "--format", "json", "--seed", "a")
    rows = json.loads(first.stdout)
    assert all(row["tied"] for row in rows)
    assert first.stdout == run("standings", PLAYERS, HEADER, "--format", "json", "--seed", "a").stdout
    orders = {run("standings", PLAYERS, HEADER, "--format", "json", "--seed", seed).stdout for seed in "abcdefgh"}
    assert len(orders) > 3


def test_byte_order_mark_line_ends_blank_lines_and_any_order_of_columns(run) -> None:
    plain = run("standings", PLAYERS, results("1,1,game,ana,ben,,210,150,,"), "--format", "csv")
    names = b"\xef\xbb\xbfname,player\r\nAna,ana\r\n,ben\r\n\r\n,cy\r\n,dee\r\n"
    columns = "points_2,points_1,player_2,player_1,kind,round"
    other = run("standings", names, f"\ufeff{columns}\r\n150,210,ben,ana,game,1\r\n", "--format", "csv")
    assert other.exit_code == plain.exit_code == 0
    assert other.stdout == plain.stdout


def test_the_status_of_players(run) -> None:
    players = "player,status,dropped_after\nana,active,\nben,dropped,1\ncy,disqualified,\n"
    table = results("1,1,game,ana,ben,,210,150,,")
    rows = list(csv.DictReader(io.StringIO(run("standings", players, table, "--format", "csv").stdout)))
    assert [(row["player"], row["status"]) for row in rows] == [("ana", ""), ("ben", "dropped")]
    shown = run("standings", players, table).stdout.splitlines()
    assert " ".join(shown[0].split()) == "rank player tournament points margin of victory strength of schedule note"
    assert shown[2].endswith("dropped")


def test_explanations_add_up(run) -> None:
    table = results("1,1,game,ana,ben,,210,150,,", "2,1,bye,ana,,,,,,")
    rows = json.loads(run("standings", "player\nana\nben\n", table, "--format", "json", "--explain").stdout)
    assert rows[0]["explain"]["tournament_points"] == {
        "value": "15",
        "clause": "AR-TB-1",
        "from": [{"round": 1, "opponent": "ben", "value": "7"}, {"round": 2, "opponent": "", "value": "8"}],
    }
    text = run("standings", "player\nana\nben\n", table, "--explain").stdout
    assert "tournament points 15 = 7 (round 1, ben) + 8 (round 2, no opponent)" in text
    assert faults(run("standings", PLAYERS, HEADER, "--explain", "--format", "csv"))


def test_the_next_round(run) -> None:
    table = results("1,1,game,ana,ben,,210,150,,", "1,2,game,cy,dee,,120,100,,", "1,3,bye,eli,,,,,,")
    players = PLAYERS + "eli\n"
    rows = json.loads(run("pair", players, table, "--format", "json", "--seed", "s").stdout)
    assert [(row["round"], row.get("table"), row["kind"]) for row in rows] == [
        (2, 1, "game"),
        (2, 2, "game"),
        (2, None, "bye"),
    ]
    assert rows[-1]["player_1"] == "ben"
    assert "player_2" not in rows[-1]
    assert all(row["reason"] for row in rows)
    text = run("pair", players, table, "--format", "csv", "--seed", "s").stdout.splitlines()
    assert text[0] == "round,table,kind,player_1,player_2"
    assert text[-1] == "2,,bye,ben,"


def test_a_pairing_tells_what_it_was_made_from(run) -> None:
    table = results("1,1,game,ana,ben,,210,150,,", "1,2,game,cy,dee,,120,100,,", "1,3,bye,eli,,,,,,")
    players = PLAYERS + "eli\n"
    rows = json.loads(run("pair", players, table, "--format", "json", "--seed", "s", "--explain").stdout)
    plain = json.loads(run("pair", players, table, "--format", "json", "--seed", "s").stdout)
    assert [{key: row[key] for key in row if key != "explain"} for row in rows] == plain
    assert rows[-1]["explain"]["ben"]["met"] == ["ana"]
    assert rows[-1]["explain"]["ben"]["tournament_points"] == 3
    text = run("pair", players, table, "--seed", "s", "--explain").stdout
    assert "   ben: rank 5, tournament points 3, margin of victory 0, strength of schedule 7; has met ana" in text
    assert "draw: seed 's', purpose pairing, round 2: " in text
    assert faults(run("pair", PLAYERS, HEADER, "--explain", "--format", "csv"))


@pytest.mark.clause("AR-EX-10", "AR-PAIR-1", "AR-PAIR-6")
def test_the_first_round_is_the_draw_of_the_seed(run) -> None:
    text = run("pair", "player\np1\np2\np3\np4\np5\n", HEADER, "--seed", "AR-2015-001", "--format", "csv").stdout
    assert text.splitlines()[1:] == ["1,1,game,p2,p5", "1,2,game,p3,p1", "1,,bye,p4,"]


def test_output_goes_to_the_named_file(run) -> None:
    assert run("pair", PLAYERS, HEADER, "--format", "csv", "--output", "round.csv").stdout == ""
    assert Path("round.csv").read_text().startswith("round,table")
    assert run("pair", PLAYERS, HEADER, "--output", "-").stdout


GAME = "1,1,game,ana,ben,,210,150,,"


@pytest.mark.parametrize(
    ("players", "table", "expected"),
    [
        ("", HEADER, ["players.csv:1:: nothing, expected a first row of columns: player, name,"]),
        ("player\n", HEADER, ["players.csv:2:player: nothing, expected a row for each player"]),
        (PLAYERS, "", ["results.csv:1:: nothing, expected a first row of columns: round, table,"]),
        ("player,elo\nana,9\n", HEADER, ["players.csv:1:elo: elo, expected one of these columns: player, name,"]),
        ("name\nAna\n", HEADER, ["players.csv:1:player: nothing, expected the column player"]),
        ("player,player\na,b\n", HEADER, ["players.csv:1:player: player, expected each column once"]),
        (
            "player\nana\nben\nana\n",
            HEADER,
            ["players.csv:4:player: 'ana', expected each player once; the first is in row 2"],
        ),
        ("player,name\nana\n", HEADER, ["players.csv:2:: 1, expected 2 values, one for each column"]),
        ("player,status\nana,ill\nben,\n", HEADER, ["players.csv:2:status: 'ill'"]),
        (
            "player,dropped_after\nana,x\nben,2\n",
            HEADER,
            [
                "players.csv:2:dropped_after: 'x'",
                "players.csv:2:dropped_after: x, expected nothing, or the status dropped",
                "players.csv:3:dropped_after: 2, expected nothing, or the status dropped",
            ],
        ),
        (
            PLAYERS,
            HEADER.replace("kind", "sort"),
            ["results.csv:1:sort: sort, expected one of", "results.csv:1:kind: nothing, expected the column kind"],
        ),
        (
            PLAYERS,
            results(GAME, "1,2,game,cy,ana,,1,0,,"),
            ["results.csv:3:player_2: 'ana', expected once a round; the first in round 1 is in row 2"],
        ),
        (PLAYERS, results("1,1,game,ana,zoe,,1,0,,"), ["results.csv:2:player_2: 'zoe', expected a player"]),
        (PLAYERS, results("1,1,game,ana,ana,,1,0,,"), ["results.csv:2:player_2: 'ana', expected two"]),
        (PLAYERS, results("1,1,game,ana,,,1,0,,"), ["results.csv:2:player_2: nothing, expected a player"]),
        (PLAYERS, results("1,1,bye,ana,ben,,,,,"), ["results.csv:2:player_2: 'ben', expected nothing: a bye"]),
        (PLAYERS, results("1,1,bye,ana,,,8,,,"), ["results.csv:2:points_1: 8"]),
        (PLAYERS, results("one,x,game,ana,ben,,1,0,,"), ["results.csv:2:round: 'one'", "results.csv:2:table: 'x'"]),
        (PLAYERS, results("0,1,game,ana,ben,,1,0,,"), ["results.csv:2:round: '0'"]),
        (
            PLAYERS,
            results("1,1,game,ana,ben,,-1,1.5,,"),
            ["results.csv:2:points_1: '-1'", "results.csv:2:points_2: '1.5'"],
        ),
        (
            PLAYERS,
            results("1,1,match,ana,ben,3,1,0,,no"),
            ["results.csv:2:kind: 'match'", "results.csv:2:winner: '3'", "results.csv:2:conceded_by: 'no'"],
        ),
        (PLAYERS, results("1,1,game,ana,ben,,9,9,,"), ["results.csv:2:winner: nothing"]),
        (PLAYERS, results("1,1,game,ana,ben,draw,9,9,,"), ["results.csv:2:winner: draw"]),
        (PLAYERS, results("1,1,forfeit,ana,ben,,,,,"), ["results.csv:2:conceded_by: nothing"]),
        (PLAYERS, results("1,1,spare,ana,staff,,9,8,,"), ["results.csv:2:kind: spare"]),
        (
            "player,status,dropped_after\nana,,\nben,dropped,1\n",
            results("1,1,game,ana,ben,,9,8,,", "2,1,game,ana,ben,,9,8,,"),
            ["results.csv:3:player_2: 'ben', expected no round after 1"],
        ),
        (PLAYERS, results("1,1,game,ana"), ["results.csv:2:: 4, expected 10 values, one for each column"]),
        (b"player\n\xff\n", HEADER, ["players.csv:2:: 0xFF, expected a file in UTF-8"]),
        (
            'player\n"ana\n',
            HEADER,
            ['players.csv:2:: "ana, expected CSV with quotes in pairs'],
        ),
    ],
)
def test_bad_files_are_refused_with_the_place_of_every_fault(run, players, table, expected: list[str]) -> None:
    for command in ("standings", "pair"):
        found = faults(run(command, players, table))
        assert len(found) == len(expected), found
        for line, start in zip(found, expected, strict=True):
            assert line.startswith(start)
            assert ", expected " in line


def test_faults_of_both_files_are_reported_together(run) -> None:
    found = faults(
        run("standings", "player\nana\nana\n", results("x,1,game,ana,zoe,,1,0,,", "1,1,game,ana,ben,,5,5,,"))
    )
    assert [line.split(": ")[0] for line in found] == [
        "players.csv:3:player",
        "results.csv:2:player_2",
        "results.csv:2:round",
        "results.csv:3:player_2",
        "results.csv:3:winner",
    ]


@pytest.mark.parametrize(
    ("more", "start"),
    [
        (["--option", "sos=mean"], "--option sos: mean"),
        (["--option", "cheese=1"], "--option cheese: 1, expected one of"),
        (["--option", "sos"], "--option: 'sos'"),
        (["--ruleset", "chess"], "--ruleset: chess"),
        (["--ruleset", "none.yaml"], "none.yaml: no such file"),
        (["--players", "nobody.csv"], "nobody.csv: no such file"),
    ],
)
def test_bad_arguments_are_refused(run, more: list[str], start: str) -> None:
    found = faults(run("standings", PLAYERS, results(GAME), *more))
    assert len(found) == 1
    assert found[0].startswith(start)


def test_one_player_cannot_be_paired(run) -> None:
    assert faults(run("pair", "player\nana\n", HEADER))[0].startswith("players.csv:1:status:")


def test_a_forfeit_and_a_survivor_with_the_lower_score(run) -> None:
    table = results("1,1,forfeit,ana,ben,2,0,140,,1", "1,2,game,cy,dee,1,400,420,,")
    rows = json.loads(run("standings", PLAYERS, table, "--format", "json", ruleset="400").stdout)
    assert [(row["player"], row["tournament_points"], row["margin_of_victory"]) for row in rows] == [
        ("ben", 8, 140),
        ("cy", 6, 0),
        ("dee", 5, 0),
        ("ana", 0, 0),
    ]


@pytest.mark.clause("AR-RES-2", "AR-RES-6")
def test_a_winner_behind_without_a_whole_fleet_is_a_slip_of_the_pen(run) -> None:
    table = results("1,1,game,ana,ben,2,200,100,,")
    assert faults(run("standings", PLAYERS, table))[0].startswith(
        "results.csv:2:winner: 2, expected 1, who has the higher score: 200 against 100"
    )


@pytest.mark.clause("AR-RES-1")
def test_two_whole_fleets_without_a_winner_are_ranked_with_a_warning(run) -> None:
    done = run("standings", PLAYERS, results("1,1,game,ana,ben,,345,315,,"), "--format", "json")
    assert done.exit_code == 0
    assert "(AR-RES-1)" in done.stderr


@pytest.mark.clause("AR-AMB-18")
def test_a_forfeit_is_a_concession_where_the_organiser_says_so_of_absences(run) -> None:
    table = results("1,1,forfeit,ana,ben,,,,,1", "1,2,game,cy,dee,,150,100,,")
    rows = json.loads(run("standings", PLAYERS, table, "--format", "json", "--option", "no_show=concession").stdout)
    values = ("player", "tournament_points", "margin_of_victory", "strength_of_schedule")
    assert [tuple(row[name] for name in values) for row in rows] == [
        ("ben", 10, 300, 0),
        ("cy", 6, 50, 4),
        ("dee", 4, 0, 6),
        ("ana", 0, 0, 10),
    ]


@pytest.mark.clause("AR-AMB-18")
def test_the_players_file_decides_who_has_dropped(run) -> None:
    rounds = ["1,1,forfeit,ana,ben,,,,,1", "1,2,game,cy,dee,,150,100,,", "2,1,forfeit,cy,ana,,,,,2"]
    rounds += ["2,2,game,dee,ben,,90,30,,"]
    paired = json.loads(run("pair", PLAYERS, results(*rounds), "--format", "json").stdout)
    assert "ana" in {player for row in paired for player in (row["player_1"], row.get("player_2"))}


WITH_PARTS = HEADER + ",extra\n"


@pytest.mark.clause("AR-EX-1", "AR-RES-1", "AR-RES-5", "AR-RES-6", "AR-DOC-1")
def test_a_game_of_fleets_is_scored_from_destroyed_points_and_objective(run) -> None:
    table = WITH_PARTS + "1,1,game,ana,ben,,,,,,destroyed_1=108 objective_1=30 destroyed_2=90 objective_2=15\n"
    table += "1,2,game,cy,dee,,,135,,,end=defeated_2 objective_1=30 list_2=285\n"
    rows = json.loads(run("standings", PLAYERS, table, "--format", "json").stdout)
    values = ("player", "tournament_points", "margin_of_victory")
    assert [tuple(row[name] for name in values) for row in rows] == [
        ("cy", 9, 195),
        ("ana", 6, 33),
        ("ben", 4, 0),
        ("dee", 1, 0),
    ]


@pytest.mark.clause("AR-RES-5", "AR-RES-6", "AR-SCN-1", "AR-RES-1")
def test_parts_of_a_score_that_cannot_be_are_named_in_the_file(run) -> None:
    rows = [
        "1,1,game,ana,ben,,,90,,,destroyed_1=287 objective_1=0 list_2=287 end=time",
        "2,1,game,ana,ben,,150,90,,,destroyed_1=108 objective_1=30 end=late",
        "3,1,game,ana,ben,,150,90,,,second_player=3 end",
    ]
    told = faults(run("standings", PLAYERS, WITH_PARTS + "\n".join(rows) + "\n"))
    assert [line.split(", expected")[0] for line in told] == [
        "results.csv:2:extra: destroyed_1 287",
        "results.csv:3:extra: end late",
        "results.csv:3:points_1: 150",
        "results.csv:4:extra: 'second_player=3'",
        "results.csv:4:extra: 'end'",
    ]


MET_OFTEN = [
    "1,,game,ana,ben,,2,0,,", "1,,game,cy,dee,,2,0,,", "2,,game,ana,cy,,2,0,,", "2,,game,ben,dee,,2,0,,",
    "3,,game,ana,dee,,2,0,,", "3,,game,ben,cy,,2,0,,", "4,,game,ana,ben,,0,2,,", "4,,game,cy,dee,,2,0,,",
    "5,,game,ben,ana,,2,0,,", "5,,game,cy,dee,,2,0,,",
]  # fmt: skip


def test_players_who_have_met_least_often_meet_again_first(run):
    chess = str(EXAMPLES / "chess-club.yaml")
    made = run("pair", PLAYERS, results(*MET_OFTEN), "--format", "json", "--explain", ruleset=chess)
    rows = json.loads(made.stdout)
    assert [{row["player_1"], row["player_2"]} for row in rows] == [{"ben", "cy"}, {"ana", "dee"}]
    assert all(row["reason"].endswith("; second meeting; fewest possible") for row in rows)
    assert rows[0]["explain"]["ben"]["meetings"] == {"ana": 3, "cy": 1, "dee": 1}
    text = run("pair", PLAYERS, results(*MET_OFTEN), "--explain", ruleset=chess).stdout
    assert "has met ana (3 times), cy, dee\n" in text


HEAD_TO_HEAD = ["1,,game,ana,ben,,2,0,,", "1,,game,cy,dee,,1,1,,", "2,,game,ana,cy,,1,1,,", "2,,game,ben,dee,,2,0,,",
                "3,,game,ana,dee,,1,1,,", "3,,game,ben,cy,,2,0,,"]  # fmt: skip
CIRCLE = ["1,,game,ana,ben,,2,0,,", "1,,game,cy,dee,,2,0,,", "2,,game,ben,cy,,2,0,,", "2,,game,ana,dee,,2,0,,",
          "3,,game,cy,ana,,2,0,,", "3,,game,ben,dee,,2,0,,"]  # fmt: skip


def with_head_to_head(folder: Path) -> str:
    """The chess club's pack, with games between tied players before the number of wins, which says otherwise."""
    text = (EXAMPLES / "chess-club.yaml").read_text("utf-8")
    start, end = text.index("    - {column: buchholz_cut_1"), text.index("    - {column: wins")
    pack = folder / "head-to-head.yaml"
    pack.write_text(f"{text[:start]}    - {{column: met, piece: head_to_head, clause: CLUB}}\n{text[end:]}", "utf-8")
    return str(pack)


def test_head_to_head_shows_the_value_by_which_tied_players_were_compared(run, tmp_path):
    pack = with_head_to_head(tmp_path)
    done = run("standings", PLAYERS, results(*HEAD_TO_HEAD), "--format", "json", "--explain", ruleset=pack)
    rows = json.loads(done.stdout)
    shown = [(row["rank"], row["player"], row["points"], row["met"], row["wins"]) for row in rows]
    assert shown == [(1, "ana", 2, 1, 1), (2, "ben", 2, 0, 2), (3, "cy", 1, 0, 0), (3, "dee", 1, 0, 0)]
    assert [share["value"] for share in rows[1]["explain"]["met"]["from"]] == ["0", "0", "0"]

    circle = run("standings", PLAYERS, results(*CIRCLE), "--format", "json", "--explain", ruleset=pack)
    rows = json.loads(circle.stdout)
    assert [(row["player"], row["met"]) for row in rows] == [("ana", 1), ("ben", 1), ("cy", 1), ("dee", "")]
    assert "met" not in rows[3]["explain"]
    assert run("standings", PLAYERS, results(*CIRCLE), "--format", "csv", ruleset=pack).stdout.endswith(
        "4,dee,0,,0,false,\n"
    )
