"""Given byes, and rounds that count for more, have the values of the pack everywhere.

The pack of a chess club has three kinds of byes: awarded before the start (a win), requested by a player (half of it),
and made by pairing (half of it).
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as some

from muster.cli.main import main
from shared.formats.packs import from_values, load
from shared.rules.model import Entrant, Facts, Game, ImpossibleResult, PackRefused
from shared.rules.parts import to_json
from shared.swiss.pairing import pair_round, pair_with_given_byes
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import score_game, score_in_round
from shared.swiss.standings import explain, rank
from tests.examples import examples

CHESS = (Path(__file__).parents[2] / "docs" / "examples" / "chess-club.yaml").read_text("utf-8")
HALF = "outcome: draw, values: {half_points: 1}, clause: CLUB"
BYES = f"""  awarded: {{outcome: win, values: {{half_points: 2}}, clause: CLUB}}
  requested: {{{HALF}}}
"""
DOUBLE = "round_worth: [{round: 3, of: [half_points], times: 2, clause: CLUB}]\n"
BONUS = "round_worth: [{round: 2, plus: {half_points: 3}, clause: CLUB}]\n"


def club_text(more: str = "") -> str:
    text = CHESS.replace(
        "  outcome: win\n  values: {half_points: 2}\n", "  outcome: draw\n  values: {half_points: 1}\n"
    )
    return text.replace("  may_move: true\n", "  may_move: true\n" + BYES) + more


def club(more: str = "") -> Ruleset:
    ruleset = load(club_text(more), "club.yaml")
    assert isinstance(ruleset, Ruleset)
    return ruleset


CLUB = club()


def bye(ruleset: Ruleset, round: int, player: str, kind: Any = None) -> Game:
    reported = Facts("bye", bye=kind)
    return Game(
        round,
        None,
        "bye",
        player,
        None,
        reported,
        score_in_round(ruleset, score_game(ruleset, reported), round, reported),
    )


def game(ruleset: Ruleset, round: int, one: str, two: str, points: int, **reported: Any) -> Game:
    facts = Facts(points_1=points, points_2=2 - points, **reported)
    return Game(round, None, "game", one, two, facts, score_in_round(ruleset, score_game(ruleset, facts), round, facts))


@pytest.mark.parametrize(
    ("kind", "outcome", "worth"), [(None, "draw", 1), ("requested", "draw", 1), ("awarded", "win", 2)]
)
def test_each_kind_of_bye_has_its_own_value(kind: Any, outcome: str, worth: int):
    score = score_game(CLUB, Facts("bye", bye=kind))
    assert (score.outcome_1, score.values_1, score.outcome_2) == (outcome, {"half_points": worth}, None)


def test_an_unknown_kind_of_bye_is_refused():
    plain = load(CHESS, "chess.yaml")
    with pytest.raises(ImpossibleResult) as refused:
        score_game(plain, Facts("bye", bye="awarded"))  # type: ignore[arg-type]
    assert [fault.where for fault in refused.value.faults] == ["/bye"]
    with pytest.raises(ImpossibleResult):
        score_game(CLUB, Facts(points_1=2, points_2=0, bye="awarded"))


NAMES = ("a", "b", "c", "d", "e")


@some.composite
def tournaments(draw: some.DrawFn) -> list[list[tuple[str, Any, Any]]]:
    """Draw rounds: two players and the points of the first; or a player, None and the kind of a bye."""
    rounds = []
    for _ in range(draw(some.integers(1, 4))):
        left, pairings = list(draw(some.permutations(NAMES))), []
        while left:
            if len(left) == 1 or draw(some.booleans()):
                pairings.append((left.pop(), None, draw(some.sampled_from((None, "awarded", "requested")))))
            else:
                pairings.append((left.pop(), left.pop(), draw(some.integers(0, 2))))
        rounds.append(pairings)
    return rounds


@settings(max_examples=examples(60), deadline=None)
@given(tournaments(), some.integers(1, 4), some.integers(1, 3), some.integers(0, 4))
def test_totals_and_tiebreakers_use_the_values_of_byes_and_rounds(
    rounds: list[list[tuple[str, Any, Any]]], special: int, times: int, plus: int
):
    """Recomputed independently: halves by hand, byes without an opponent, wins by outcome."""
    rule: dict[str, Any] = {"round": special, "clause": "X"}
    rule |= {"of": ["half_points"], "times": times} if times > 1 else {}
    rule |= {"plus": {"half_points": plus}} if plus else {}
    pack = from_values(to_json(CLUB) | {"round_worth": [rule] if len(rule) > 2 else []}, "")
    assert isinstance(pack, Ruleset)
    games, halves, wins = [], dict.fromkeys(NAMES, 0), dict.fromkeys(NAMES, 0)
    met: dict[str, list[str | None]] = {name: [] for name in NAMES}
    for number, pairings in enumerate(rounds, 1):
        for one, two, said in pairings:
            games.append(bye(pack, number, one, said) if two is None else game(pack, number, one, two, said))
            worth = {one: {None: 1, "requested": 1, "awarded": 2}[said]} if two is None else {one: said, two: 2 - said}
            met[one].append(two)
            if two is not None:
                met[two].append(one)
            for player, points in worth.items():
                halves[player] += points * times + plus if number == special else points
                wins[player] += points == 2
    standings = rank(pack, [Entrant(name) for name in NAMES], games, round=len(rounds), seed="s")
    for row in standings.rows:
        schedule = sorted(halves[other] if other else 0 for other in met[row.player])
        expected = (halves[row.player], sum(schedule), sum(schedule[1:]), wins[row.player])
        columns = ("points", "buchholz", "buchholz_cut_1", "wins")
        assert tuple(row.values[column] for column in columns) == (*(Fraction(n, 2) for n in expected[:3]), expected[3])
    made = explain(pack, [Entrant(name) for name in NAMES], games, round=len(rounds))
    for name in NAMES:
        assert Fraction(made(name)[0].value) == Fraction(halves[name], 2)


@pytest.mark.parametrize(
    ("given", "others"),
    [
        ("abcd", [("bye", "e")]),
        ("abcde", []),
        ("abc", [("game", "d", "e")]),
    ],
)
def test_files_give_a_single_remaining_player_the_ordinary_bye(
    given: str, others: list[tuple[str, ...]], tmp_path: Path
):
    (tmp_path / "club.yaml").write_text(club_text(), "utf-8")
    (tmp_path / "players.csv").write_text("player\na\nb\nc\nd\ne\n", "utf-8")
    (tmp_path / "results.csv").write_text("round,kind,player_1,player_2,points_1,points_2\n", "utf-8")
    arguments = ["pair", "--ruleset", str(tmp_path / "club.yaml"), "--players", str(tmp_path / "players.csv")]
    arguments += ["--results", str(tmp_path / "results.csv"), "--format", "json"]
    done = CliRunner().invoke(main, [*arguments, *(part for name in given for part in ("--bye", f"{name}=awarded"))])
    if not others:
        assert done.exit_code == 2
        assert done.stderr == "--bye: 5, expected one player or more without a given bye\n"
        return
    rows = json.loads(done.stdout)
    found = [(row["kind"], *sorted(row[side] for side in ("player_1", "player_2") if side in row)) for row in rows]
    assert [one for one in found if one[0] != "awarded_bye"] == others
    assert sum(row["kind"] == "awarded_bye" for row in rows) == len(given)
    assert given != "abcd" or rows[0]["reason"] == "everybody else has a given bye"


def test_an_absent_player_gets_no_additions_of_a_round():
    bonus = club(BONUS)
    absent = Facts("no_show", conceded_by=2)
    score = score_in_round(bonus, score_game(bonus, absent), 2, absent)
    assert (score.values_1, score.values_2) == ({"half_points": 4}, {"half_points": 0})
    nobody = Facts("double_no_show")
    assert score_in_round(bonus, score_game(bonus, nobody), 2, nobody) == score_game(bonus, nobody)
    given_up = Facts(points_1=0, points_2=2, conceded_by=1)
    assert score_in_round(bonus, score_game(bonus, given_up), 2, given_up).values_1 == {"half_points": 3}
    assert score_in_round(bonus, score_game(bonus, absent), 1, absent) == score_game(bonus, absent)


def test_the_others_are_paired_around_given_byes():
    """Nine players: one has an awarded bye, one is away on Saturday. Of the other seven one is left over."""
    field = [Entrant(f"p{number}") for number in range(9)]
    byes: Any = {"p3": "awarded", "p0": "requested"}

    def pair(entrants: list[Entrant]):
        return pair_round(CLUB, entrants, [], round=1, seed="s")

    made = pair_with_given_byes(byes, field, 1, pair)
    assert [(one.player_1, one.bye) for one in made.pairings[-2:]] == [("p3", "awarded"), ("p0", "requested")]
    alone = pair_round(CLUB, [one for one in field if one.player not in byes], [], round=1, seed="s")
    assert made.pairings[:-2] == alone.pairings
    assert sorted(player for one in made.pairings for player in one.players) == [one.player for one in field]


def test_a_given_bye_counts_when_repeated_byes_are_avoided():
    field = [Entrant(name) for name in "abc"]
    games = [bye(CLUB, 1, "c", "requested"), game(CLUB, 1, "a", "b", 2)]
    assert pair_round(CLUB, field, games, round=2, seed="s").pairings[-1].player_1 == "b"


@pytest.mark.parametrize(
    ("part", "value", "where"),
    [
        ("bye", {"awarded": {"outcome": "win", "values": {"points": 2}, "clause": "X"}}, "/bye/awarded/values/points"),
        ("bye", {"awarded": {"outcome": "win", "clause": "X"}}, "/bye/awarded/values"),
        ("bye", {"promised": {"outcome": "win", "values": {}, "clause": "X"}}, "/bye/promised"),
        ("bye", {"requested": {"outcome": "draw", "values": {}, "most": 0, "clause": "X"}}, "/bye/requested/most"),
        ("result", {"fields": ["bye"]}, "/result/fields/0"),
        ("round_worth", [{"round": 1, "clause": "X"}], "/round_worth/0"),
        ("round_worth", [{"round": 0, "plus": {"half_points": 1}, "clause": "X"}], "/round_worth/0/round"),
        ("round_worth", [{"round": 1, "plus": {"points": 1}, "clause": "X"}], "/round_worth/0/plus/points"),
        ("round_worth", [{"round": 1, "times": 2, "clause": "X", "plus": {"half_points": 1}}], "/round_worth/0"),
        ("round_worth", [{"round": 1, "times": 2, "of": ["points"], "clause": "X"}], "/round_worth/0/of/0"),
        ("round_worth", [{"round": 1, "times": 0, "of": ["half_points"], "clause": "X"}], "/round_worth/0/times"),
    ],
)
def test_invalid_settings_of_a_pack_are_refused(part: str, value: Any, where: str):
    data = to_json(CLUB)
    data[part] = data[part] | value if isinstance(value, dict) else value
    with pytest.raises(PackRefused) as refused:
        from_values(data, "")
    assert [fault.where for fault in refused.value.faults] == [where]


def test_percentages_require_rounds_of_equal_value():
    """Twice the points of a round would exceed the possible points."""
    cards = (Path(__file__).parents[2] / "docs" / "examples" / "collectible-cards.yaml").read_text("utf-8")
    with pytest.raises(PackRefused) as refused:
        load(cards + "round_worth: [{round: 3, of: [match_points], times: 2, clause: X}]\n", "cards.yaml")
    assert [fault.where.split(":")[2] for fault in refused.value.faults] == ["/standings/criteria/1/of"]


# Files

PLAYERS = "player\nAna\nBen\nCy\nDee\nEd\n"
HEADER = "round,kind,player_1,player_2,points_1,points_2\n"
ROUNDS = """1,awarded_bye,Ana,,,
1,requested_bye,Ed,,,
1,game,Ben,Cy,2,0
1,bye,Dee,,,
2,Requested_Bye,Cy,,,
2,game,Ana,Ben,1,1
2,game,Dee,Ed,0,2
"""


def muster(folder: Path, command: str, rows: str, *more: str, pack: str = "") -> Result:
    for name, text in (("club.yaml", pack or club_text()), ("players.csv", PLAYERS), ("results.csv", HEADER + rows)):
        (folder / name).write_text(text, "utf-8")
    files = ["--ruleset", "club.yaml", "--players", "players.csv", "--results", "results.csv", "--format", "json"]
    files = [str(folder / name) if "." in name else name for name in files]
    return CliRunner().invoke(main, [command, *files, *more])


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("", {"Ana": "1.5", "Ben": "1.5", "Ed": "1.5", "Cy": "0.5", "Dee": "0.5"}),
        (BONUS, {"Ana": "3", "Ben": "3", "Ed": "3", "Cy": "2", "Dee": "2"}),
        (BONUS.replace("plus: {half_points: 3}", "times: 2, of: [half_points]"),
         {"Ana": "2", "Ben": "2", "Ed": "2.5", "Cy": "1", "Dee": "0.5"}),
    ],
)  # fmt: skip
def test_files_name_the_kinds_of_byes(tmp_path: Path, more: str, expected: dict[str, str]):
    done = muster(tmp_path, "standings", ROUNDS, pack=club_text(more))
    assert done.exit_code == 0, done.stderr
    assert {row["player"]: str(row["points"]) for row in json.loads(done.stdout)} == expected


def test_a_file_with_an_unknown_kind_of_bye_is_refused(tmp_path: Path):
    done = muster(tmp_path, "standings", "1,awarded_bye,Ana,,,\n1,game,Ben,Cy,2,0\n", pack=CHESS)
    assert done.exit_code == 2
    assert "results.csv:2:kind: awarded_bye, expected a bye of the pairing" in done.stderr
    done = muster(tmp_path, "standings", "1,awarded_bye,Ana,Ben,,\n")
    assert "player_2: 'Ben', expected nothing: a bye is for one player" in done.stderr


def test_pair_leaves_out_players_with_a_bye(tmp_path: Path):
    done = muster(tmp_path, "pair", ROUNDS, "--bye", "Ana=requested", "--bye", "Ed=awarded")
    assert done.exit_code == 0, done.stderr
    rows = json.loads(done.stdout)
    assert [(row["kind"], row["player_1"]) for row in rows[-2:]] == [("requested_bye", "Ana"), ("awarded_bye", "Ed")]
    assert sorted(row["player_1"] for row in rows[:-2] if "player_2" not in row) == ["Ben"]
    again = muster(tmp_path, "pair", ROUNDS, "--bye", "Ana=requested", "--bye", "Ed=awarded")
    assert again.stdout == done.stdout


@pytest.mark.parametrize("said", ["Ana", "Ana=bought", "Zoe=awarded", "=awarded"])
def test_pair_refuses_an_impossible_bye(tmp_path: Path, said: str):
    done = muster(tmp_path, "pair", ROUNDS, "--bye", said)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("--bye: ")


def test_a_player_has_at_most_one_bye_in_a_round(tmp_path: Path):
    assert muster(tmp_path, "pair", ROUNDS, "--bye", "Ana=awarded", "--bye", "Ana=requested").exit_code == 2


ONCE = club_text().replace(f"requested: {{{HALF}}}", f"requested: {{{HALF}, most: 1, clauses: {{most: CLUB-3}}}}")
"""The same club, where a player may ask for one bye."""
PLAYED = ROUNDS + "3,game,Ana,Ed,2,0\n3,game,Ben,Dee,1,1\n"


def test_requested_byes_are_limited_by_the_pack(tmp_path: Path):
    asked = (*("--bye", "Ed=requested"), *("--bye", "Ana=requested"), *("--bye", "Cy=awarded"))
    done = muster(tmp_path, "pair", ROUNDS, *asked, pack=ONCE)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.splitlines() == ["--bye: 'Ed=requested', expected at most 1 for a player, who had 1 (CLUB-3)"]
    assert muster(tmp_path, "pair", ROUNDS, *asked).exit_code == 0, "without a limit there is none"
    assert muster(tmp_path, "pair", ROUNDS, *asked[2:], pack=ONCE).exit_code == 0


def test_a_file_with_too_many_requested_byes_is_refused(tmp_path: Path):
    assert muster(tmp_path, "standings", PLAYED + "3,requested_bye,Cy,,,\n").exit_code == 0
    done = muster(tmp_path, "standings", PLAYED + "3,requested_bye,Cy,,,\n", pack=ONCE)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.removeprefix(str(tmp_path)).splitlines() == [
        "/results.csv:11:kind: requested_bye, expected at most 1 for a player, who had 1 (CLUB-3)"
    ]
    assert muster(tmp_path, "standings", PLAYED + "3,awarded_bye,Cy,,,\n", pack=ONCE).exit_code == 0
