"""Packs for games that are not shipped, written without Python, on published tournaments and examples.

Sources of the results and expected values:
- Women's World Rapid Championship 2024, 110 players, 11 rounds: chess-results.com, tournament 1074691.
- UzChess Cup 2025, Masters, 10 players who all meet: chess-results.com, tournament 1175851.
- Magic: The Gathering Tournament Rules, appendix C: the numbers of its tables of examples.
"""

from __future__ import annotations

import csv
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from click.testing import CliRunner, Result

from muster.cli.main import main
from shared.formats.packs import load
from shared.rules.model import Entrant, Facts, Game, ImpossibleResult
from shared.swiss.game_parts import MarginTable
from shared.swiss.pairing import pair_round
from shared.swiss.roster_parts import Roster
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import score_game
from shared.swiss.standings import Row, rank, rows_as_json

DATA = Path(__file__).parent / "data"
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
GUIDE = EXAMPLES.parent / "how-to/write-a-pack.md"
REFERENCE = EXAMPLES.parent / "reference/packs.md"


def pack(name: str) -> Ruleset:
    return load((EXAMPLES / name).read_text("utf-8"), name)


CHESS, CARDS = pack("chess-club.yaml"), pack("collectible-cards.yaml")


def rows_of(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("event", ["womens_world_rapid_2024", "uzchess_cup_2025"])
def test_a_published_chess_tournament_has_its_published_tiebreaks(event: str, tmp_path: Path) -> None:
    expected = rows_of(f"{event}_expected.csv")
    players = tmp_path / "players.csv"
    players.write_text("\n".join(["player", *(row["player"] for row in expected)]) + "\n", "utf-8")
    arguments = ["standings", "--ruleset", str(EXAMPLES / "chess-club.yaml"), "--players", str(players)]
    arguments += ["--results", str(DATA / f"{event}.csv"), "--format", "json"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.stderr
    found = {row["player"]: row for row in json.loads(done.stdout)}
    assert len(found) == len(expected)
    for row in expected:
        shown = {column: str(found[row["player"]][column]) for column in row}
        assert shown == row


@pytest.mark.parametrize(("limit", "enough"), [("", Fraction(9, 2)), (", limit: 5/9", 5)])
def test_koya_points_of_ten_who_all_met(limit: str, enough: Fraction, tmp_path: Path) -> None:
    """Half of nine games is 4½ points; a limit of 5/9 is half a point more (FIDE C.07, articles 9.2 and 14.5)."""
    text = (EXAMPLES / "chess-club.yaml").read_text("utf-8")
    line = f"    - {{column: koya, piece: koya, of: half_points, divisor: 2, full: 2{limit}, clause: C07-9.2}}\n"
    (tmp_path / "pack.yaml").write_text(text.replace("    - {column: wins,", f"{line}    - {{column: wins,"), "utf-8")
    published = {row["player"]: Fraction(row["points"]) for row in rows_of("uzchess_cup_2025_expected.csv")}
    expected = dict.fromkeys(published, Fraction())
    for game in rows_of("uzchess_cup_2025.csv"):
        for side, other in (("1", "2"), ("2", "1")):
            if published[game[f"player_{other}"]] >= enough:
                expected[game[f"player_{side}"]] += Fraction(int(game[f"points_{side}"]), 2)
    players = tmp_path / "players.csv"
    players.write_text("\n".join(["player", *published]) + "\n", "utf-8")
    arguments = ["standings", "--ruleset", str(tmp_path / "pack.yaml"), "--players", str(players)]
    arguments += ["--results", str(DATA / "uzchess_cup_2025.csv"), "--format", "json"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.stderr
    assert {row["player"]: Fraction(str(row["koya"])) for row in json.loads(done.stdout)} == expected


@pytest.mark.parametrize(("one", "two", "where"), [(2, 1, "/points_2"), (3, -1, "/points_1"), (None, 2, "/points_1")])
def test_a_chess_game_shares_one_point(one: int | None, two: int, where: str) -> None:
    with pytest.raises(ImpossibleResult) as refused:
        score_game(CHESS, Facts(points_1=one, points_2=two))
    assert refused.value.faults[0].where == where


def test_a_conceding_side_has_no_points_and_the_other_wins() -> None:
    score = score_game(CHESS, Facts(points_1=1, points_2=1, conceded_by=2))
    assert (score.outcome_1, score.values_1, score.values_2) == ("win", {"half_points": 2}, {"half_points": 0})
    with pytest.raises(ImpossibleResult):
        score_game(CHESS, Facts(points_1=2, points_2=0, winner=2))
    silent = msgspec.structs.replace(CHESS, concession=msgspec.structs.replace(CHESS.concession, conceder={}))
    assert score_game(silent, Facts(points_1=1, points_2=1, conceded_by=2)) == score


def match(round: int, one: str, two: str | None, won: int = 0, lost: int = 0, drawn: int = 0) -> Game:
    """Return a match by games won, lost and drawn; without an opponent it is a bye."""
    reported = Facts("bye")
    if two is not None:
        reported = Facts(points_1=won, points_2=lost, extra={"games_drawn_1": drawn, "games_drawn_2": drawn})
    return Game(round, None, "game" if two else "bye", one, two, reported, score_game(CARDS, reported))


def ranked(games: list[Game]) -> dict[str, Row]:
    players = {name for game in games for name in (game.player_1, game.player_2) if name}
    last = max(game.round for game in games)
    return {row.player: row for row in rank(CARDS, [Entrant(p) for p in players], games, round=last, seed="s").rows}


@pytest.mark.parametrize(
    ("record", "points", "percentage"),
    [((6, 2, 0), 18, Fraction(18, 24)), ((4, 2, 2), 14, Fraction(14, 24)), ((5, 2, 1), 16, Fraction(16, 24)),
     ((1, 3, 0), 3, Fraction(1, 3))],
)  # fmt: skip
def test_match_points_and_opponents_match_points(
    record: tuple[int, int, int], points: int, percentage: Fraction
) -> None:
    """Source: appendix C, the records 6-2-0 and 4-2-2 of "Match points", 5-2-1 and 1-3-0 of the percentages."""
    scores = [(2, 0)] * record[0] + [(0, 2)] * record[1] + [(1, 1)] * record[2]
    games = [match(round, "player", f"o{round}", *score) for round, score in enumerate(scores, 1)]
    found = ranked(games)
    assert found["player"].values["match_points"] == points
    assert found["o1"].values["opponents_match_win"] == percentage


def test_a_bye_is_a_win_of_two_games_and_no_opponent() -> None:
    """Source: appendix C, 3-2-0 with a bye in the first round: 9 of 15 points."""
    games = [match(1, "player", None), match(2, "player", "a", 2, 1), match(3, "player", "b", 2, 0)]
    games += [match(4, "player", "c", 1, 2), match(5, "player", "d", 0, 2)]
    found = ranked(games)
    assert found["player"].values["match_points"] == 9
    assert found["a"].values["opponents_match_win"] == Fraction(9, 15)
    assert found["player"].values["opponents_match_win"] == (2 * Fraction(1, 3) + 2) / 4
    assert found["player"].values["game_win"] == Fraction(2 + 2 + 2 + 1, 2 + 3 + 2 + 3 + 2)
    assert found["a"].values["opponents_game_win"] == Fraction(7, 12)


def test_drawn_games_count_one_of_three_points() -> None:
    """Source: appendix C, "Game points": 2-0-1 is 7 points for one side and 1 for the other."""
    found = ranked([match(1, "a", "b", 2, 0, 1)])
    assert (found["a"].values["game_win"], found["b"].values["game_win"]) == (Fraction(7, 9), Fraction(1, 3))
    assert found["a"].values["opponents_game_win"] == Fraction(1, 3)
    text = (EXAMPLES / "collectible-cards.yaml").read_text("utf-8")
    own = "{column: game_win, piece: game_win, of: games_won, drawn: games_drawn, full: 3, floor: 1/3, clause: MTR-C}"
    without = load(text.replace(own, own.replace(", floor: 1/3", "")), "cards.yaml")
    rows = rank(without, [Entrant("a"), Entrant("b")], [match(1, "a", "b", 2, 0, 1)], round=1, seed="s").rows
    assert {row.player: row.values["game_win"] for row in rows} == {"a": Fraction(7, 9), "b": Fraction(1, 9)}


@pytest.mark.parametrize("ruleset", [CHESS, CARDS], ids=lambda ruleset: ruleset.id)
def test_whole_tournaments_are_paired_without_a_rematch(ruleset: Ruleset) -> None:
    field = [Entrant(f"p{index:02}") for index in range(11)]
    games: list[Game] = []
    byes: list[str] = []
    for round in range(1, 6):
        paired = pair_round(ruleset, field, games, round=round, seed="s")
        assert sorted(name for pairing in paired.pairings for name in pairing.players) == [e.player for e in field]
        assert all(pairing.reason and not pairing.rematch for pairing in paired.pairings)
        for pairing in paired.pairings:
            reported: Any = Facts("bye") if pairing.player_2 is None else Facts(points_1=2, points_2=0)
            games.append(
                Game(round, None, pairing.kind, *pairing.players, reported, score_game(ruleset, reported))
                if pairing.player_2
                else Game(round, None, "bye", pairing.player_1, None, reported, score_game(ruleset, reported))
            )
        byes.append(paired.pairings[-1].player_1)
    assert len(set(byes)) == 5
    shown = rows_as_json(rank(ruleset, field, games, round=5, seed="s"))
    assert not any(isinstance(value, float) for row in shown for value in row.values())


def test_faults_of_criteria_have_line_numbers(tmp_path: Path) -> None:
    text = (EXAMPLES / "collectible-cards.yaml").read_text("utf-8")
    text = text.replace("of: match_points, full: 3, floor: 1/3", "of: match_points, floor: 3/1", 1)
    text = text.replace("{column: game_win, piece: game_win, of: games_won", "{column: game_win, piece: game_win", 1)
    last = "piece: opponents_game_win, of: games_won, drawn: "
    text = text.replace(f"{last}games_drawn", f"{last}nothing, divisor: 0")
    path = tmp_path / "pack.yaml"
    path.write_text(text, "utf-8")
    done = CliRunner().invoke(main, ["ruleset", "check", str(path)])
    assert done.exit_code == 2
    lines = {line.split(":")[2]: int(line.split(":")[1]) for line in done.stderr.splitlines()}
    first = text[: text.index("{column: opponents_match_win")].count("\n") + 1
    assert lines == {
        "/standings/criteria/1/full": first,
        "/standings/criteria/1/floor": first,
        "/standings/criteria/2": first + 2,
        "/standings/criteria/3/drawn": first + 3,
        "/standings/criteria/3/divisor": first + 3,
    }


@pytest.mark.parametrize(
    ("piece", "setting", "fault"),
    [
        (
            "total, of: board",
            "floor: 1/3",
            "floor: 1/3, expected nothing: total does not use it; it is for game_win, ",
        ),
        ("total, of: board", "full: 3", "full: 3, expected nothing: total does not use it"),
        ("difference, of: board", "cut_lowest: 1", "cut_lowest: 1, expected nothing: difference does not use it"),
        ("buchholz, of: board", "drawn: board", "drawn: board, expected nothing: buchholz does not use it"),
        (
            "match_win, of: board, full: 9",
            "cut_highest: 1",
            "cut_highest: 1, expected nothing: match_win does not use it",
        ),
        (
            "buchholz, of: board",
            "limit: 3/5",
            "limit: 3/5, expected nothing: buchholz does not use it; it is for koya",
        ),
        ("koya, of: board, full: 9", "limit: half", "limit: half, expected a fraction from 0 to 1"),
        ("koya, of: board, full: 9", "limit: 3/2", "limit: 3/2, expected a fraction from 0 to 1"),
        ("koya, of: board", "limit: 1/3", "full: 0, expected a whole number, 1 or more"),
        ("wins", "of: board", "of: board, expected nothing: wins is made of outcomes"),
    ],
)
def test_a_setting_that_a_piece_does_not_use_is_a_fault(tmp_path: Path, piece: str, setting: str, fault: str) -> None:
    text = "".join(blocks_of(GUIDE.read_text("utf-8")))
    line = "    - {column: spread, piece: difference, of: board, clause: CLUB}\n"
    assert line in text
    done = checked(tmp_path, text.replace(line, f"    - {{column: x, piece: {piece}, {setting}, clause: CLUB}}\n"))
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert f"/standings/criteria/1/{fault}" in done.stderr


@pytest.mark.parametrize(
    ("piece", "setting", "value", "least"),
    [
        ("buchholz, of: board", "cut_lowest", -1, 0),
        ("buchholz, of: board", "cut_highest", -1, 0),
        ("buchholz, of: board", "divisor", 0, 1),
        ("match_win, of: board", "full", 0, 1),
    ],
)
def test_a_setting_below_its_minimum_is_a_fault(
    tmp_path: Path, piece: str, setting: str, value: int, least: int
) -> None:
    text = "".join(blocks_of(GUIDE.read_text("utf-8")))
    line = "    - {column: spread, piece: difference, of: board, clause: CLUB}\n"
    criterion = f"    - {{column: x, piece: {piece}, {setting}: {value}, clause: CLUB}}\n"
    done = checked(tmp_path, text.replace(line, criterion))
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert f"/standings/criteria/1/{setting}: {value}, expected a whole number, {least} or more" in done.stderr


@pytest.mark.parametrize(
    ("date", "good"),
    [
        ("2024", True),
        ("2024-02", True),
        ("2024-02-29", True),
        ("01.01.2024", False),
        ("2023-02-29", False),
        ("2024-13", False),
        ("20240101", False),
        ("2024-W01-1", False),
        ("soon", False),
    ],
)
def test_the_date_of_a_document_is_valid(tmp_path: Path, date: str, good: bool) -> None:
    text = "".join(blocks_of(GUIDE.read_text("utf-8"))).replace('date: "2026-01-01"', f'date: "{date}"')
    done = checked(tmp_path, text)
    assert (done.exit_code == 0) is good, done.stderr
    assert good or f"/document/date: {date}, expected a day as 2024-01-31" in done.stderr


def checked(folder: Path, text: str) -> Result:
    (folder / "pack.yaml").write_text(text, "utf-8")
    return CliRunner().invoke(main, ["ruleset", "check", str(folder / "pack.yaml")])


def blocks_of(guide: str) -> list[str]:
    """Return the parts of the pack in the guide, in order."""
    return re.findall(r"^```yaml\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)


def test_the_pack_of_the_guide_can_be_played(tmp_path: Path) -> None:
    pack, players, results = (tmp_path / name for name in ("scrabble.yaml", "players.csv", "results.csv"))
    pack.write_text("".join(blocks_of(GUIDE.read_text("utf-8"))), "utf-8")
    players.write_text("player\nAna\nBen\nCy\n", "utf-8")
    header = "round,kind,player_1,player_2,points_1,points_2\n"
    results.write_text(f"{header}1,game,Ana,Ben,401,380\n1,bye,Cy,,,\n", "utf-8")
    files = ["--ruleset", str(pack), "--players", str(players), "--results", str(results), "--format", "json"]
    assert CliRunner().invoke(main, ["ruleset", "check", str(pack)]).exit_code == 0
    rows = json.loads(CliRunner().invoke(main, ["standings", *files, "--option", "bye_spread=20"]).stdout)
    assert [(row["player"], row["wins"], row["spread"]) for row in rows] == [
        ("Ana", 1, 21),
        ("Cy", 1, 20),
        ("Ben", 0, -21),
    ]
    paired = json.loads(CliRunner().invoke(main, ["pair", *files]).stdout)
    assert [(row["player_1"], row.get("player_2")) for row in paired] == [("Cy", "Ana"), ("Ben", None)]


def additions(guide: str) -> list[str]:
    """Return the guide's additions for other games, in order."""
    return re.findall(r"^```yml\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)


def test_the_additions_of_the_guide_are_valid(tmp_path: Path) -> None:
    guide = GUIDE.read_text("utf-8")
    text, (matches, byes, rounds) = "".join(blocks_of(guide)), additions(guide)
    text = text.replace("fields: [winner, conceded_by]", "fields: [winner, conceded_by, extra]")
    text = text.replace("  decided_by: points\n", "  decided_by: points\n" + matches)
    text = text.replace("  one_a_round: true\n", "  one_a_round: true\n" + byes) + rounds
    assert all(addition in text for addition in (matches, byes, rounds))
    done = checked(tmp_path, text)
    assert (done.exit_code, done.stderr) == (0, "")
    club = load(text, "club.yaml")
    assert isinstance(club, Ruleset)
    extra = {"games_drawn_1": 1, "tokens_1": 4, "tokens_2": 1}
    assert score_game(club, Facts(points_1=2, points_2=0, extra=extra)).values_2["games_drawn"] == 1
    with pytest.raises(ImpossibleResult):
        score_game(club, Facts(points_1=2, points_2=0, extra=extra | {"tokens_2": 2}))
    assert score_game(club, Facts("bye", bye="requested")).values_1 == {"half_wins": 1, "board": 0}


def test_a_recorded_number_needs_a_clause(tmp_path: Path) -> None:
    text = "".join(blocks_of(GUIDE.read_text("utf-8")))
    done = checked(
        tmp_path, text.replace("  decided_by: points\n", "  decided_by: points\n  recorded: [{name: x, most: 1}]\n")
    )
    assert "/points/recorded/0/clause: nothing, expected text" in done.stderr
    assert done.stderr.count("\n") == 1


TWENTY_TO_NOTHING = """
points:
  {scheme: margin_table, points: half_wins, margin: board, full_fleet: 2000, equal: second_player, draws: even_rows,
   clause: CLUB, bands: [{least: 0, most: 150, winner: 10, loser: 10}, {least: 151, most: 300, winner: 11, loser: 9},
                         {least: 301, winner: 20, loser: 0}]}
"""


def test_a_margin_table_may_have_draws() -> None:
    """As in many battle games: 10 and 10 for a small difference, whoever is ahead."""
    blocks = [TWENTY_TO_NOTHING if "scheme:" in block else block for block in blocks_of(GUIDE.read_text("utf-8"))]
    battles = load("".join(blocks), "battles.yaml")
    even, won = (score_game(battles, Facts(points_1=one, points_2=500)) for one in (650, 651))
    assert (even.outcome_1, even.outcome_2, even.values_1) == ("draw", "draw", {"half_wins": 10, "board": 0})
    assert even.values_1 == even.values_2
    assert (won.outcome_1, won.values_1, won.values_2["half_wins"]) == ("win", {"half_wins": 11, "board": 151}, 9)
    assert score_game(battles, Facts(points_1=500, points_2=500, winner="draw")) == even
    for wrong in (Facts(points_1=650, points_2=500, winner=1), Facts(points_1=900, points_2=500, winner="draw")):
        with pytest.raises(ImpossibleResult) as refused:
            score_game(battles, wrong)
        assert [fault.where for fault in refused.value.faults] == ["/winner"]


def test_equal_scores_in_an_uneven_row_go_to_the_second_player() -> None:
    """So `equal` is required in addition to `even_rows`."""
    uneven = TWENTY_TO_NOTHING.replace("{least: 0, most: 150, winner: 10, loser: 10}, {least: 151", "{least: 0")
    blocks = [uneven if "scheme:" in block else block for block in blocks_of(GUIDE.read_text("utf-8"))]
    text = "".join(blocks).replace("conceded_by]", "conceded_by, second_player]")
    battles = load(text, "battles.yaml")
    score = score_game(battles, Facts(points_1=500, points_2=500, second_player=2))
    assert (score.outcome_2, score.values_2) == ("win", {"half_wins": 11, "board": 0})
    with pytest.raises(ImpossibleResult) as refused:
        score_game(battles, Facts(points_1=500, points_2=500))
    assert [fault.where for fault in refused.value.faults] == ["/second_player"]


def test_the_pages_name_every_field_that_a_pack_must_have() -> None:
    guide = GUIDE.read_text("utf-8") + REFERENCE.read_text("utf-8")
    named = {word for text in re.findall(r"`([^`\n]+)`", guide) for word in re.findall(r"\w+", text)}
    named |= {word for block in blocks_of(guide) for word in re.findall(r"(\w+):", block)}
    seen: set[type] = set()

    def missing(part: Any) -> set[str]:
        found = {name for inner in get_args(part) for name in missing(inner)}
        if isinstance(part, type) and issubclass(part, msgspec.Struct) and part not in seen:
            seen.add(part)
            for field in msgspec.structs.fields(part):
                if field.required:
                    found |= ({field.name} - named) | missing(field.type)
        return found

    apart = {"checks": Roster, "bands": MarginTable}
    seen |= {inner for name, part in apart.items() for inner in parts_of(part, name)}
    assert missing(Ruleset) == set()


def parts_of(part: type, name: str) -> set[type]:
    """Return the parts inside a field that the guide leaves to the other document."""
    field = next(field for field in msgspec.structs.fields(part) if field.name == name)
    inner = [found for outer in get_args(field.type) for found in (outer, *get_args(outer))]
    return {found for found in inner if isinstance(found, type)}
