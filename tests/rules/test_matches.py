"""Matches of several games: recorded values and possible matches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as some

from muster.cli.main import main
from shared.formats.packs import load, shipped_swiss
from shared.rules.model import Facts, ImpossibleResult, PackRefused
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import asked_facts, improbable_faults, ruleset_in_round, score_game

TEXT = (Path(__file__).parents[2] / "docs" / "examples" / "collectible-cards.yaml").read_text("utf-8")
RECORDED = "{name: games_drawn, counted: once, most: 3, clause: MTR-C}"
MATCH = "{best_of: 3, most_games: 5, drawn: games_drawn, clause: MTR-2.1}"


def cards(recorded: str = RECORDED, match: str = MATCH) -> Ruleset:
    assert TEXT.count(RECORDED) == TEXT.count(MATCH) == 1
    ruleset = load(TEXT.replace(RECORDED, recorded).replace(MATCH, match), "cards.yaml")
    assert isinstance(ruleset, Ruleset)
    return ruleset


CARDS = cards()


def match_facts(one: int, two: int, drawn: int | None = None, **further: int) -> Facts:
    extra = {} if drawn is None else {"games_drawn_1": drawn}
    return Facts(points_1=one, points_2=two, extra=extra | further)


def refused(ruleset: Ruleset, facts: Facts) -> list[tuple[str, str, str]]:
    with pytest.raises(ImpossibleResult) as refusal:
        score_game(ruleset, facts)
    return [(fault.where, fault.said, str(fault.expected)) for fault in refusal.value.faults]


def test_three_drawn_games_are_three_games_for_both():
    """An intentional 0-0-3, reported for one side or both: each drawn game counts once, with a point for each."""
    for facts in (match_facts(0, 0, 3), match_facts(0, 0, 3, games_drawn_2=3), match_facts(0, 0, games_drawn_2=3)):
        score = score_game(CARDS, facts)
        assert (score.outcome_1, score.outcome_2) == ("draw", "draw")
        assert score.values_1 == score.values_2 == {"match_points": 1, "games_won": 0, "games_drawn": 3}
        assert improbable_faults(CARDS, facts) == []


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (match_facts(7, 9), [("/points_1", "7", "at most 2: the best of 3 is decided then"),
                      ("/points_2", "9", "at most 2: the best of 3 is decided then")]),
        (match_facts(3, 0), [("/points_1", "3", "at most 2: the best of 3 is decided then")]),
        (match_facts(2, 2), [("/points_1", "2", "at most 3 together with the 2 of the other side")]),
        (match_facts(0, 0, 4), [("/extra/games_drawn_1", "4", "0 to 3")]),
        (match_facts(2, 1, 3), [("/points_1", "6", "at most 5, drawn ones too")]),
        (match_facts(0, 0, 3, games_drawn_2=1),
         [("/extra/games_drawn_1", "3", "the same on both sides, or on one side only; the other side has 1")]),
    ],
)  # fmt: skip
def test_impossible_matches_are_refused(facts: Facts, expected: list[tuple[str, str, str]]):
    assert refused(CARDS, facts) == expected


def test_impossible_conceded_matches_are_refused():
    facts = Facts(points_1=7, points_2=0, conceded_by=2)
    assert refused(CARDS, facts) == [("/points_1", "7", "at most 2: the best of 3 is decided then")]


def test_a_match_with_too_many_games_is_questioned():
    """2-1 with a drawn game is possible, because a drawn game is played again; it is rare."""
    facts = match_facts(2, 1, 1)
    assert score_game(CARDS, facts).outcome_1 == "win"
    assert [
        (doubt.where, doubt.said, str(doubt.expected), doubt.clause) for doubt in improbable_faults(CARDS, facts)
    ] == [("/extra/games_drawn_1", "4", "at most 3, the games of a match", "MTR-2.1")]
    assert improbable_faults(CARDS, match_facts(1, 1, 1)) == improbable_faults(CARDS, match_facts(1, 0)) == []


def test_a_match_in_which_every_game_is_played():
    four = cards(match="{most_games: 4, drawn: games_drawn, clause: CLUB}")
    assert score_game(four, match_facts(4, 0)).outcome_1 == "win"
    assert score_game(four, match_facts(2, 2)).outcome_1 == "draw"
    assert refused(four, match_facts(4, 1)) == [("/points_1", "5", "at most 4, drawn ones too")]
    assert improbable_faults(four, match_facts(3, 1)) == []


@given(some.integers(0, 9), some.integers(0, 9), some.integers(0, 9))
def test_possible_matches_are_accepted(one: int, two: int, drawn: int):
    """Played out game by game: a match ends when one side has won two, and drawn games decide nothing."""
    possible = one <= 2 and two <= 2 and one + two <= 3 and drawn <= 3 and one + two + drawn <= 5
    try:
        score = score_game(CARDS, match_facts(one, two, drawn))
    except ImpossibleResult:
        assert not possible
    else:
        assert possible
        assert score.values_1["games_drawn"] == score.values_2["games_drawn"] == drawn


def test_recorded_numbers_are_bounded_by_side_and_together():
    tokens = cards(RECORDED + "\n    - {name: tokens, most: 4, together: 6, clause: CLUB}")
    assert score_game(tokens, match_facts(2, 0, tokens_1=4, tokens_2=2)).values_2["tokens"] == 2
    assert refused(tokens, match_facts(2, 0, tokens_1=5)) == [("/extra/tokens_1", "5", "0 to 4")]
    assert refused(tokens, match_facts(2, 0, tokens_1=3, tokens_2=4)) == [
        ("/extra/tokens_1", "3", "at most 6 together with the 4 of the other side")
    ]
    open_ended = cards(RECORDED + "\n    - {name: tokens, most: 4, clause: CLUB}")
    assert score_game(open_ended, match_facts(2, 0, tokens_1=4, tokens_2=4)).values_1["tokens"] == 4


@pytest.mark.clause("FF-RES-4")
def test_five_search_tokens_are_five_in_all():
    factions = shipped_swiss("fallout-factions-comp-1.0")
    facts: dict[str, Any] = {"points_1": 10, "points_2": 5, "scenario": "Treasure Hunt"}
    taken = Facts(**facts, extra={"search_tokens_1": 3, "search_tokens_2": 2})
    assert score_game(factions, taken).values_1["search_tokens"] == 3
    assert refused(factions, Facts(**facts, extra={"search_tokens_1": 3, "search_tokens_2": 3})) == [
        ("/extra/search_tokens_1", "3", "at most 5 together with the 3 of the other side")
    ]


def test_the_last_rounds_may_be_longer_matches(tmp_path: Path):
    match = "{best_of: 3, most_games: 5, later: [{from_round: 2, best_of: 5}], drawn: games_drawn, clause: MTR-2.1}"
    longer = cards(match=match)
    assert refused(ruleset_in_round(longer, 1), match_facts(3, 1)) == [
        ("/points_1", "3", "at most 2: the best of 3 is decided then")
    ]
    assert score_game(ruleset_in_round(longer, 2), match_facts(3, 1)).values_1["match_points"] == 3
    assert score_game(longer, match_facts(3, 2)).values_1["games_won"] == 3  # recorded in any round
    assert [asked.most for asked in asked_facts(ruleset_in_round(longer, 2)) if asked.where == "/points_1"] == [3]
    (tmp_path / "cards.yaml").write_text(TEXT.replace(MATCH, match), "utf-8")
    (tmp_path / "players.csv").write_text("player\na\nb\nc\nd\n", "utf-8")
    rows = ["round,kind,player_1,player_2,points_1,points_2", "1,game,a,b,3,1", "1,game,c,d,2,1", "2,game,a,c,3,2"]
    (tmp_path / "results.csv").write_text("\n".join([*rows, "2,game,b,d,3,0", ""]), "utf-8")
    arguments = ["standings", "--ruleset", str(tmp_path / "cards.yaml"), "--players", str(tmp_path / "players.csv")]
    done = CliRunner().invoke(main, [*arguments, "--results", str(tmp_path / "results.csv")])
    assert done.exit_code == 2
    assert [line.split(":")[1] for line in done.stderr.splitlines()] == ["2"]


@pytest.mark.parametrize(
    ("recorded", "match", "expected"),
    [
        (RECORDED.replace("most: 3", "most: 0"), MATCH, ["/points/recorded/0/most"]),
        (RECORDED.replace("most: 3", "most: 3, together: 3"), MATCH, ["/points/recorded/0/together"]),
        ("{name: a, most: 3, together: 7, clause: C}", "{best_of: 3, clause: C}", ["/points/recorded/0/together"]),
        ("{name: games_won, most: 3, clause: C}", "{best_of: 3, clause: C}", ["/points/recorded/0/name"]),
        (RECORDED, "{clause: C}", ["/points/match"]),
        (RECORDED, "{best_of: -1, clause: C}", ["/points/match/best_of"]),
        (RECORDED, "{best_of: 5, most_games: 4, clause: C}", ["/points/match/most_games"]),
        (RECORDED, "{best_of: 3, drawn: draws, clause: C}", ["/points/match/drawn"]),
        (RECORDED.replace("counted: once", "counted: for_each"), MATCH, ["/points/match/drawn"]),
        (RECORDED, "{best_of: 3, wins: 2, clause: C}", ["/points/match/wins"]),
        (
            RECORDED,
            "{best_of: 3, later: [{from_round: 1, best_of: 5}], clause: C}",
            ["/points/match/later/0/from_round"],
        ),
        (
            RECORDED,
            "{best_of: 3, later: [{from_round: 4, best_of: 5, most_games: 4}], clause: C}",
            ["/points/match/later/0/most_games"],
        ),
    ],
)
def test_invalid_settings_of_a_pack_are_refused(recorded: str, match: str, expected: list[str]):
    with pytest.raises(PackRefused) as refusal:
        cards(recorded, match)
    criteria = [fault.where.split(":")[2] for fault in refusal.value.faults]
    assert [where for where in criteria if not where.startswith("/standings")] == expected
