"""Values of games of Dust Warfare: byes, forfeits, concessions, absences, with options on and off."""

from __future__ import annotations

from typing import Any

import pytest

from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.rules.model import Entrant, Facts, Game, ImpossibleResult, OptionsRefused
from shared.swiss.pairing import pair_round
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import bye_score, repeatedly_absent, score_game
from shared.swiss.standings import rank
from tests.rules.story import entered, played, short

DUST = shipped_ruleset("dust-warfare-1.0")


def with_options(**options: Any) -> Ruleset:
    return apply_options(DUST, options)


def won(round: int, one: str, two: str, points_1: int, points_2: int, winner: Any = 1) -> Game:
    return played(round, one, two, points_1, points_2, DUST, winner=winner)


def faults(ruleset: Ruleset = DUST, **facts: Any) -> list[tuple[str, str]]:
    with pytest.raises(ImpossibleResult) as refused:
        score_game(ruleset, Facts(**facts))
    return [(fault.where, fault.clause) for fault in refused.value.faults]


@pytest.mark.clause("DW-AMB-6", "DW-BYE-1")
def test_break_points_of_a_bye() -> None:
    assert bye_score(DUST).values_1 == {"match_points": 10, "break_points": 0}
    assert bye_score(with_options(bye_bp="120")).values_1["break_points"] == 120
    assert bye_score(with_options(bye_bp="half", ap_limit=301)).values_1["break_points"] == 150
    assert (
        score_game(with_options(bye_bp="half", ap_limit=300), Facts("no_show", conceded_by=1)).values_2["break_points"]
        == 150
    )
    with pytest.raises(OptionsRefused):
        with_options(bye_bp="third")


@pytest.mark.clause("DW-FOR-1", "DW-FOR-2", "DW-AMB-1", "DW-AMB-2", "DW-AMB-20", "DW-COND-1")
def test_forfeits() -> None:
    reported: dict[str, Any] = {"kind": "forfeit", "conceded_by": 2, "extra": {"list_2": 299}}
    assert score_game(DUST, Facts(**reported)).values_1 == {"match_points": 10, "break_points": 149}
    assert score_game(with_options(forfeit_bp_rounding="up"), Facts(**reported)).values_1["break_points"] == 150
    assert score_game(DUST, Facts(**reported)).values_2 == {"match_points": 3, "break_points": 0}
    assert faults(**reported, points_1=150) == [("/points_1", "DW-FOR-2")]
    of_first: dict[str, Any] = {"kind": "forfeit", "conceded_by": 1, "extra": {"list_1": 299}}
    assert faults(**of_first, points_2=150) == [("/points_2", "DW-FOR-2")]
    assert score_game(with_options(forfeit_bp_rounding="up"), Facts(**reported, points_1=150)).outcome_1 == "win"
    assert faults(kind="forfeit", conceded_by=2) == [("/extra/list_2", "DW-FOR-2")]
    assert faults(kind="forfeit", conceded_by=1, extra={"list_2": 299}) == [("/extra/list_1", "DW-FOR-2")]
    assert score_game(DUST, Facts("forfeit", conceded_by=2, points_1=149)).values_1["break_points"] == 149
    assert faults(kind="forfeit", points_1=149) == [("/conceded_by", "DW-FOR-2")]
    assert faults(kind="forfeit", conceded_by=2, points_1=149, points_2=10, winner=2) == [
        ("/points_2", "DW-FOR-2"),
        ("/winner", "DW-FOR-2"),
    ]
    both = score_game(DUST, Facts("double_forfeit"))  # other than those of who did not come
    assert both.values_1 == both.values_2 == {"match_points": 3, "break_points": 0}
    assert (both.outcome_1, both.outcome_2) == ("loss", "loss")


@pytest.mark.clause("DW-AMB-17")
def test_absent_players_get_nothing_or_the_points_of_a_loss() -> None:
    absent = score_game(DUST, Facts("no_show", conceded_by=2))
    assert absent.values_2 == {"match_points": 0, "break_points": 0}
    assert absent.values_1 == {"match_points": 10, "break_points": 0}
    neither = score_game(DUST, Facts("double_no_show"))
    assert neither.values_1 == neither.values_2 == {"match_points": 0, "break_points": 0}
    paid = with_options(no_show_mp="3")
    assert score_game(paid, Facts("no_show", conceded_by=2)).values_2 == {"match_points": 3, "break_points": 0}
    assert score_game(paid, Facts("double_no_show")).values_1["match_points"] == 3
    assert repeatedly_absent(DUST, [("no_show", "a"), ("no_show", "b"), ("no_show", "a")]) == {"a": "DW-AMB-17"}


@pytest.mark.clause("DW-AMB-19")
def test_concessions() -> None:
    reported: dict[str, Any] = {"points_1": 90, "points_2": 120, "conceded_by": 2}
    known: dict[str, Any] = {**reported, "extra": {"list_2": 299}}
    for facts in (reported, known):
        assert score_game(DUST, Facts(**facts)).values_1 == {"match_points": 10, "break_points": 90}
        assert score_game(DUST, Facts(**facts)).values_2 == {"match_points": 3, "break_points": 0}
    larger = with_options(concession_bp="larger")
    assert score_game(larger, Facts(**known)).values_1["break_points"] == 149
    assert score_game(larger, Facts(**{**known, "points_1": 200})).values_1["break_points"] == 200
    assert faults(larger, **reported) == [("/extra/list_2", "DW-AMB-19")]
    assert faults(**reported, winner=2, end="time") == [("/end", "DW-AMB-19"), ("/winner", "DW-AMB-19")]


@pytest.mark.clause("DW-AMB-19")
@pytest.mark.parametrize(("conceder", "where"), [(1, "/points_2"), (2, "/points_1")])
def test_a_concession_requires_the_score_on_the_table(conceder: Any, where: str) -> None:
    larger = with_options(concession_bp="larger")
    for reported in ({}, {where.strip("/"): None, f"points_{conceder}": 40}):
        assert faults(conceded_by=conceder, **reported) == [(where, "DW-AMB-19")]
        assert faults(larger, conceded_by=conceder, extra={f"list_{conceder}": 299}, **reported) == [
            (where, "DW-AMB-19")
        ]
    nothing = score_game(DUST, Facts(conceded_by=2, points_1=0))
    assert (nothing.values_1["break_points"], nothing.values_2["break_points"]) == (0, 0)


@pytest.mark.clause("DW-DQ-1", "DW-AMB-3")
def test_a_disqualified_player_leaves_the_standings_or_is_shown_last() -> None:
    games = [won(1, "a", "b", 200, 0), won(1, "c", "d", 100, 90)]
    field = [Entrant("a", status="disqualified"), *entered("b", "c", "d")]
    assert short(rank(DUST, field, games, round=1, seed="")) == ["c 10/100", "d 3/90", "b 3/0"]
    listed = rank(with_options(dq_listed="true"), field, games, round=1, seed="")
    assert [row.player for row in listed.rows] == ["c", "d", "b", "a"]
    assert listed.rows[-1].status == "disqualified"
    paired = pair_round(DUST, field, games, round=2, seed="")
    assert "a" not in {player for pairing in paired.pairings for player in pairing.players}


@pytest.mark.clause("DW-RES-1", "DW-RES-2")
@pytest.mark.parametrize(
    ("facts", "where"),
    [
        ({"points_1": 401, "points_2": 500, "winner": 1}, ["/points_1", "/points_2"]),
        ({"points_1": 251, "points_2": 0, "winner": 1, "extra": {"list_2": 250}}, ["/points_1"]),
        ({"points_1": 0, "points_2": 0, "winner": 1, "extra": {"list_2": 401, "lists": 3}}, ["/extra/lists"]),
        ({"points_1": 0, "points_2": 0, "winner": 1, "extra": {"list_2": 401}}, ["/extra/list_2"]),
        ({"points_1": 10, "points_2": 10, "winner": 1, "second_player": 2}, ["/second_player"]),
        ({"points_1": 500, "conceded_by": 2}, ["/points_1"]),
    ],
)
def test_impossible_break_points_are_refused(facts: dict[str, Any], where: list[str]) -> None:
    found = faults(**facts)
    assert [place for place, _ in found] == where
    assert all(clause for _, clause in found)
