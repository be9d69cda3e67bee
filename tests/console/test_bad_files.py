"""What a tired organiser hands in: every fault in one run, with its place and clause, exit code 2, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from muster.cli.main import main
from shared.formats.packs import shipped_text
from tests.examples import examples

ARMADA, DUST, FACTIONS = "star-wars-armada-1.1", "dust-warfare-1.0", "fallout-factions-comp-1.0"
HEADER = "round,table,kind,player_1,player_2,winner,points_1,points_2,scenario,conceded_by"
PLAYERS = "player\nana\nben\ncy\ndee\neli\n"
GAME = "1,1,game,ana,ben,,210,150,,"


def told(*arguments: str) -> list[str]:
    """The lines of the faults, and that there was nothing else."""
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert all(", expected " in line for line in result.stderr.splitlines())
    return result.stderr.splitlines()


def of_files(ruleset: str, players: str | bytes, results: str | bytes) -> list[str]:
    """The faults of two files, the same from both commands that read them."""
    for name, content in (("players.csv", players), ("results.csv", results)):
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    files = ["--ruleset", ruleset, "--players", "players.csv", "--results", "results.csv"]
    told_by = [told(command, *files, "--output", "made") for command in ("standings", "pair")]
    assert told_by[0] == told_by[1]
    assert not Path("made").exists()
    return told_by[0]


def table(*rows: str) -> str:
    return "\n".join([HEADER, *rows]) + "\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.clause("AR-PAIR-7", "AR-RES-7", "AR-AMB-18", "AR-BYE-1")
def test_armada() -> None:
    rows = [
        GAME,
        "1,2,game,cy,ana,,1,0,,",  # ana for the second time
        "1,,bye,dee,eli,,,,,",  # a bye for two
        "2,,bye,ana,,,,,,",
        "2,,bye,ben,,,,,,",  # nobody had to sit out
        "2,1,game,cy,dee,,9,9,,",  # equal, and nobody was second
        "3,1,forfeit,ana,cy,,,,,",  # by whom?
        "3,2,spare,ben,staff,,9,8,,",
    ]
    assert of_files(ARMADA, PLAYERS, table(*rows)) == [
        "results.csv:3:player_2: 'ana', expected once a round; the first in round 1 is in row 2",
        "results.csv:4:player_2: 'eli', expected nothing: a bye is for one player (AR-BYE-1)",
        "results.csv:6:kind: bye, expected one player left over in round 2; the first is in row 5 (AR-PAIR-7)",
        "results.csv:7:winner: nothing, expected 1 or 2, the second player, who wins (AR-RES-7)",
        "results.csv:8:conceded_by: nothing, expected 1 or 2, the side that forfeits (AR-AMB-18)",
        "results.csv:9:kind: spare, expected one of game, bye, forfeit, no_show, double_no_show (AR-AMB-18)",
    ]


@pytest.mark.clause("FF-RES-1", "FF-RES-2", "FF-AMB-7", "FF-AMB-8", "FF-AMB-14", "FF-PAIR-4", "FF-BYE-1")
def test_factions() -> None:
    rows = [
        "1,1,game,ana,ben,,26,0,Confrontation,",  # 25 at most
        "1,2,game,cy,dee,,10,5,Raid,",  # the round has another scenario
        "2,1,game,ana,cy,,5,0,Crossroads,",  # cannot be
        "2,,bye,eli,,,,7,,",  # points of nobody
        "3,1,forfeit,ana,fay,,,,Scavenge,",
        "3,2,game,ben,cy,,15,15,Scavenge,",  # more tokens than there are
        "3,3,game,dee,eli,2,15,10,Scavenge,",  # the points say the other
        "4,1,game,ana,eli,,5,0,Moria,",
        "5,1,game,ana,ben,,44,3,Raid,",
    ]
    found = of_files(FACTIONS, PLAYERS + "fay\n", table(*rows))
    places = [(line.split(": ")[0].removeprefix("results.csv:"), line[line.rfind("(") + 1 : -1]) for line in found]
    assert places == [
        ("2:points_1", "FF-AMB-7"),
        ("3:scenario", "FF-AMB-8"),
        ("3:points_1", "FF-AMB-7"),
        ("3:points_2", "FF-AMB-7"),
        ("4:points_1", "FF-AMB-7"),
        ("5:points_2", "FF-RES-1"),
        ("6:conceded_by", "FF-AMB-14"),
        ("7:points_1", "FF-AMB-7"),
        ("8:winner", "FF-RES-2"),
        ("9:scenario", "FF-RES-1"),
        ("10:points_1", "FF-AMB-7"),
        ("10:points_1", "FF-AMB-7"),
    ]


@pytest.mark.clause("DW-FOR-2", "DW-PAIR-5")
def test_dust() -> None:
    rows = [
        "1,1,forfeit,ana,ben,,,,,",
        "1,,bye,cy,dee,,,,,",
        "2,,bye,cy,,,,,,",
        "2,,bye,dee,,,,,,",
        "2,1,game,cy,ben,1,30,20,,",
    ]
    assert [line.split(": ")[0] for line in of_files(DUST, PLAYERS, table(*rows))] == [
        "results.csv:2:conceded_by",
        "results.csv:3:player_2",
        "results.csv:5:kind",
        "results.csv:6:player_1",
    ]


def test_each_venue_has_an_odd_player() -> None:
    Path("players.csv").write_text("player,venue\nana,hall\nben,hall\ncy,hall\ndee,shop\n", "utf-8")
    Path("results.csv").write_text(table(GAME, "1,,bye,cy,,,,,,", "1,,bye,dee,,,,,,"), "utf-8")
    arguments = ["standings", "--ruleset", ARMADA, "--players", "players.csv", "--results", "results.csv"]
    assert CliRunner().invoke(main, arguments).exit_code == 0


COLUMNS = ", ".join(HEADER.split(","))
SAVE = "a file in UTF-8: save it as CSV UTF-8"
WHOLE = "a whole number, {} or more, in digits alone"


@pytest.mark.parametrize(
    ("players", "results", "expected"),
    [
        (PLAYERS.encode("utf-16"), table(GAME).encode("utf-16-le"), [
            f"players.csv:1:: 0xFF, expected {SAVE}", f"results.csv:1:: 0x00, expected {SAVE}"]),
        ("player\nben\nJosé\n".encode("latin-1"), HEADER, [f"players.csv:3:: 0xE9, expected {SAVE}"]),
        (b"PK\x03\x04\x14\x00\x06\x00", HEADER, [f"players.csv:1:: 0x00, expected {SAVE}"]),
        ("Our players\nplayer\nana\n", "Results,,,\n" + table(GAME), [
            "players.csv:1:: Our players, expected a first row of columns: player, name, faction, venue, club, status, "
            "dropped_after",
            f"results.csv:1:: Results, expected a first row of columns: {COLUMNS}, coins_1, coins_2, extra"]),
        (PLAYERS + "player\nfay\n", table(GAME, HEADER, "1,2,game,cy,dee,,1,2,,"), [
            "players.csv:7:: player, expected the row of columns once, at the top",
            f"results.csv:3:: {HEADER}, expected the row of columns once, at the top"]),
        ("player,shoe\nana,43\n", HEADER.replace("kind,", ""), [
            "players.csv:1:shoe: shoe, expected one of these columns: player, name, faction, venue, club, status, "
            "dropped_after, or --ignore-column",
            "results.csv:1:kind: nothing, expected the column kind"]),
        (PLAYERS, table("1.0,1,game,ana,ben,,210.0,2-Jan,,"), [
            f"results.csv:2:round: '1.0', expected {WHOLE.format(1)}",
            f"results.csv:2:points_1: '210.0', expected {WHOLE.format(0)}",
            f"results.csv:2:points_2: '2-Jan', expected {WHOLE.format(0)}"]),
        ("player\nAna\nJose\u0301\n", table("1,1,game,ana,Jos\u00e9,,2,1,,", "2,1,game,Ana,zoe,,2,1,,"), [
            "results.csv:2:player_1: 'ana', expected a player of the players file, perhaps 'Ana'",
            "results.csv:2:player_2: 'Jos\u00e9', expected a player of the players file, "
            "perhaps 'Jose\u0301'",
            "results.csv:3:player_2: 'zoe', expected a player of the players file"]),
        (PLAYERS, table("1,1,game,ana,BYE,,2,1,,", "1,2,rest,ben,cy,,,,,"), [
            "results.csv:2:player_2: 'BYE', expected a player of the players file; for a bye the kind "
            "bye, and nobody here",
            "results.csv:3:kind: 'rest', expected one of game, bye, forfeit, no_show, double_no_show (AR-AMB-18)"]),
        (PLAYERS, table("3,1,game,ana,cy,,2,1,,", "1,1,game,ana,ben,,2,1,,", "7,1,game,ana,dee,,2,1,,"), [
            "results.csv:2:round: 3, expected every round from 1 on; nothing of round 2 is here",
            "results.csv:4:round: 7, expected every round from 1 on; nothing of round 6 is here"]),
        ("player,status,dropped_after\nana,,\nben,dropped,1\n", table(GAME, "2,1,game,ana,ben,,9,8,,"), [
            "results.csv:3:player_2: 'ben', expected no round after 1, the last one played"]),
        (PLAYERS, table(GAME, GAME.replace("ana,ben", "ben,ana")), [
            "results.csv:3:player_1: 'ben', expected once a round; the first in round 1 is in row 2",
            "results.csv:3:player_2: 'ana', expected once a round; the first in round 1 is in row 2"]),
    ],
)  # fmt: skip
def test_files_of_another_making(players: str | bytes, results: str | bytes, expected: list[str]) -> None:
    assert of_files(ARMADA, players, results) == expected


def test_rows_without_values_and_outer_spaces_do_no_harm() -> None:
    Path("players.csv").write_text(" player , name\n ana ,\nben\u00a0,\n , \n,\n", "utf-8")
    Path("results.csv").write_text(table(" 1 , 1 , game , ana , ben ,, 210 , 150 ,,", ",,,,,,,,,"), "utf-8")
    arguments = ["standings", "--ruleset", ARMADA, "--players", "players.csv", "--results", "results.csv"]
    done = CliRunner().invoke(main, [*arguments, "--format", "csv"])
    assert [line.split(",")[:3] for line in done.stdout.splitlines()[1:]] == [["1", "ana", "7"], ["2", "ben", "3"]]


def test_what_is_no_file() -> None:
    Path("players.csv").write_text(PLAYERS, "utf-8")
    Path("folder").mkdir()
    files = ["standings", "--ruleset", ARMADA, "--players"]
    assert told(*files, "folder", "--results", "none.csv") == [
        "folder: is a directory, expected a file that can be read",
        "none.csv: no such file or directory, expected a file that can be read",
    ]
    assert told(*files, "-", "--results", "-") == ["--results: -, expected a file, as --players is standard input"]
    Path("results.csv").write_text(table(GAME), "utf-8")
    written = told(*files, "players.csv", "--results", "results.csv", "--output", "folder")
    assert written == ["folder: is a directory, expected a file that can be written"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("least: 51,", "least: 60,", "/points/bands/2/least: 60, expected 51, without a gap"),
        ("least: 51,", "least: 50,", "/points/bands/2/least: 50, expected 51, without an overlap"),
        (
            "{least: 221, w",
            "{least: 221, most: 300, w",
            "/points/bands/5/most: 300, expected a last",
        ),
        ("piece: total", "piece: magic", "/standings/criteria/0/piece: magic, expected one of against"),
        (
            "{least: 33, r",
            "{least: 33, most: 64, r",
            "/rounds/table/1/most: 64, expected a last row",
        ),
    ],
)
def test_a_pack_with_a_fault_is_refused_wherever_it_is_used(old: str, new: str, said: str) -> None:
    text = shipped_text(ARMADA).replace(old, new, 1)
    Path("pack.yaml").write_text(text, "utf-8")
    Path("players.csv").write_text(PLAYERS, "utf-8")
    Path("results.csv").write_text(table(GAME), "utf-8")
    line = text[: text.index(new)].count("\n") + 1
    files = ["--ruleset", "pack.yaml", "--players", "players.csv", "--results", "results.csv"]
    for arguments in (["ruleset", "check", "pack.yaml"], ["standings", *files], ["pair", *files]):
        found = told(*arguments)
        assert len(found) == 1
        assert found[0].startswith(f"pack.yaml:{line}:{said}")


def test_every_fault_of_a_pack_is_reported_in_one_run() -> None:
    text = shipped_text(ARMADA)
    for old, new in (("least: 51,", "least: 60,"), ("piece: total", "piece: magic"),
                     ("{least: 33, r", "{least: 33, most: 64, r"), ("swiss\n", "swiss\ncolour: red\n")):  # fmt: skip
        text = text.replace(old, new, 1)
    Path("pack.yaml").write_text(text, "utf-8")
    assert len(told("ruleset", "check", "pack.yaml")) == 4


GOOD = table(
    GAME, "1,2,game,cy,dee,2,9,9,,", "1,,bye,eli,,,,,,", "2,1,forfeit,ana,cy,,,,,1", "2,2,game,ben,dee,,0,300,,2"
)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    ruleset=some.sampled_from([ARMADA, DUST, FACTIONS]),
    where=some.integers(0, len(GOOD)),
    gone=some.integers(0, 12),
    put=some.binary(max_size=6) | some.sampled_from([b",", b"\n", b'"', b"-1", b"1e9", b"9" * 30, b"bye", b"draw"]),
)
def test_whatever_is_changed_in_a_file_is_read_or_refused(ruleset: str, where: int, gone: int, put: bytes) -> None:
    changed = GOOD.encode()[:where] + put + GOOD.encode()[where + gone :]
    Path("players.csv").write_bytes(PLAYERS.encode())
    Path("results.csv").write_bytes(changed)
    files = ["--ruleset", ruleset, "--players", "players.csv", "--results", "results.csv", "--format", "json"]
    for command in ("standings", "pair"):
        result = CliRunner().invoke(main, [command, *files])
        assert isinstance(result.exception, SystemExit | None)
        assert result.exit_code in (0, 2)
        assert bool(result.stdout) == (result.exit_code == 0)
        assert bool(result.stderr) == (result.exit_code == 2)
