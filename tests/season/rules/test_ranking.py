"""The order of members: criteria in sequence, shared ranks, divisions, explanations."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from shared.rules.tiebreakers import Criterion
from shared.season.ruleset import GamePlayed, Ranking, Result, TournamentResults
from shared.season.table import explain, season_table
from tests.season.rules.story import members, order, placed, played, ranks, rules


def by(piece: str, of: str = "", **fields: object):
    """Return the season by points, ranked by one value only."""
    rule = Criterion(column=piece, piece=piece, of=of, clause="X", **fields)  # type: ignore[arg-type]
    return msgspec.structs.replace(rules(), ranking=Ranking(criteria=[rule], clause="X"))


def values(ruleset, names: str, *gathered) -> dict[str, object]:
    table = season_table(ruleset, members(names), gathered)
    return {row.player: row.values[ruleset.ranking.criteria[0].column] for row in table.rows}


THREE = [placed(1, "Ana Ben Cy"), placed(2, "Ben Ana Cy"), placed(3, "Ana Cy Ben")]


@pytest.mark.clause("SEA-TIE-1", "SEA-TIE-2", "SEA-TIE-4")
@pytest.mark.parametrize(
    ("piece", "of", "found"),
    [
        ("season_points", "", {"Ana": 24, "Ben": 19, "Cy": 14}),
        ("all_points", "", {"Ana": 24, "Ben": 19, "Cy": 14}),
        ("places", "", {"Ana": 2, "Ben": 1, "Cy": 0}),
        ("places", "2", {"Ana": 1, "Ben": 1, "Cy": 1}),
        ("best_result", "", {"Ana": 9, "Ben": 9, "Cy": 6}),
        ("best_result", "3", {"Ana": 6, "Ben": 4, "Cy": 4}),
        ("best_result", "4", {"Ana": 0, "Ben": 0, "Cy": 0}),
        ("latest_result", "", {"Ana": 9, "Ben": 4, "Cy": 6}),
        ("latest_result", "2", {"Ana": 6, "Ben": 9, "Cy": 4}),
        ("latest_result", "4", {"Ana": 0, "Ben": 0, "Cy": 0}),
        ("attendance", "", {"Ana": 3, "Ben": 3, "Cy": 3}),
    ],
)
def test_values_from_results(piece, of, found):
    assert values(by(piece, of), "Ana Ben Cy", *THREE) == found


@pytest.mark.clause("SEA-RANK")
def test_value_is_divided_by_the_ruleset():
    assert values(by("season_points", divisor=2), "Ana Ben Cy", *THREE) == {"Ana": 12, "Ben": Fraction(19, 2), "Cy": 7}


@pytest.mark.clause("SEA-TIE-4")
def test_latest_result_is_0_if_missed():
    assert values(by("latest_result"), "Ana Ben", placed(1, "Ben Ana"), placed(2, "Ana Cy Di")) == {"Ana": 9, "Ben": 0}


def test_all_points_include_results_not_among_the_best():
    one = msgspec.structs.replace(by("all_points"), counting=msgspec.structs.replace(rules().counting, best=1))
    table = season_table(one, members("Ana"), THREE)
    assert (table.rows[0].points, table.rows[0].values) == (9, {"all_points": 24})


@pytest.mark.clause("SEA-TIE-3", "SEA-TIE-5", "SEA-TIE-6", "SEA-TIE-7")
@pytest.mark.parametrize(
    ("piece", "of", "found"),
    [
        ("wins", "", {"Ana": 3, "Ben": 1, "Cy": 1}),
        ("head_to_head", "", {"Ana": 3, "Ben": 0, "Cy": 0}),
        ("total", "game_points", {"Ana": 6, "Ben": 3, "Cy": 3}),
        ("schedule_sum", "game_points", {"Ana": 9, "Ben": 15, "Cy": 9}),
        ("sonneborn_berger", "game_points", {"Ana": 9, "Ben": 1.5, "Cy": 1.5}),
    ],
)
def test_values_from_games_of_all_tournaments(piece, of, found):
    told = [played(1, "Ana>Ben Ben=Cy Cy"), played(2, "Ana>Ben Ana>Cy Ben")]
    assert values(by(piece, of), "Ana Ben Cy", *told) == found


@pytest.mark.clause("SEA-TIE-7")
def test_scores_of_games():
    games = (GamePlayed("win", "Ben", score=21, against=10), GamePlayed("loss", "Cy", score=3, against=8))
    told = TournamentResults("t1", 1, (Result("Ana", 1, games=games),))
    assert values(by("difference", "score"), "Ana", told) == {"Ana": 6}
    assert values(by("total", "score", divisor=2), "Ana", told) == {"Ana": 12}


@pytest.mark.clause("SEA-ID")
def test_unclaimed_opponents_are_ignored():
    told = played(1, "Ana>Ben Ana>Cy")
    assert values(by("schedule_sum", "game_points"), "Ana Ben", told) == {"Ana": 0, "Ben": 4}
    assert values(by("wins"), "Ana Ben", told) == {"Ana": 2, "Ben": 0}


@pytest.mark.clause("SEA-RANK")
def test_equal_members_share_a_rank():
    table = season_table(by("season_points"), members("Ana Ben Cy Di"), [placed(1, "Di Ana=Ben Cy")])
    assert [(row.rank, row.player, row.tied) for row in table.rows] == [
        (1, "Di", False),
        (2, "Ana", True),
        (2, "Ben", True),
        (4, "Cy", False),
    ]


@pytest.mark.clause("SEA-RANK", "SEA-TIE-1")
def test_later_criterion_breaks_ties():
    tournaments = [placed(1, "Ana Ben Cy Di Ed Fay Gil Hal"), placed(2, "Ben Cy Di Ana"), placed(3, "Cy Ana")]
    assert ranks(rules(points={"participation": 0}, counting={"best": 1}), "Ana Ben", *tournaments) == [
        (1, "Ana"),
        (2, "Ben"),
    ]


def test_lower_value_is_better_by_pack():
    assert ranks(by("places", "3", lowest_first=True), "Ana Cy", *THREE) == [(1, "Ana"), (2, "Cy")]


@pytest.mark.clause("SEA-RANK")
def test_each_division_has_its_own_ranking():
    cast = [*members("Ana Ben", division="First"), *members("Cy Di", division="Second"), *members("Ed")]
    league = rules("season-league")
    table = season_table(league, cast, [played(1, "Cy>Di Cy>Ana Ben>Ana Cy>Ed Ed>Di")])
    assert [(row.division, row.rank, row.overall, row.player) for row in table.rows] == [
        ("First", 1, 3, "Ben"),
        ("First", 2, 4, "Ana"),
        ("Second", 1, 1, "Cy"),
        ("Second", 2, 2, "Ed"),
        ("Second", 3, 4, "Di"),
    ]
    highest = msgspec.structs.replace(league, divisions=msgspec.structs.replace(league.divisions, entry="highest"))
    assert season_table(highest, members("Ed"), []).rows[0].division == "First"
    with pytest.raises(KeyError):
        season_table(league, members("Ana", division="Third"), [])
    unused = msgspec.structs.replace(league, divisions=msgspec.structs.replace(league.divisions, used=False))
    assert {row.division for row in season_table(unused, cast, []).rows} == {""}


@pytest.mark.clause("SEA-DIV-1")
def test_tournament_of_a_division_counts_for_its_members_only():
    cast = [*members("Ana", division="First"), *members("Cy", division="Second")]
    league = rules("season-league")
    gathered = [played(1, "Ana>Cy", division="First"), played(2, "Cy>Ana")]
    table = season_table(league, cast, gathered)
    assert [(row.player, row.points, row.results[0].reason) for row in table.rows] == [
        ("Ana", 3, ""),
        ("Cy", 3, "other_division"),
    ]


def test_explanation_of_results_values_and_neighbours():
    gathered = [placed(1, "Ana Ben Cy Di"), placed(2, "Ben Ana Cy"), placed(3, "Di")]
    ruleset = rules(counting={"best": 1})
    table = season_table(ruleset, members("Ana Ben Cy"), gathered)
    assert order(table) == [(1, "Ana"), (1, "Ben"), (3, "Cy")]
    ben = explain(ruleset, table, "Ben")
    assert [(one.tournament, one.place, one.points, one.reason, one.clause) for one in ben.results] == [
        ("t1", 2, "6", "not_best", "SEA-BEST"),
        ("t2", 1, "9", "", "SEA-PLACE-1"),
    ]
    assert [(one.column, one.value, one.clause) for one in ben.values][:2] == [
        ("points", "9", "SEA-BEST"),
        ("first_places", "1", "SEA-TIE-1"),
    ]
    assert (ben.above.player, ben.above.column, ben.tied) == ("Ana", "", True)
    assert (ben.below.player, ben.below.column, ben.below.own, ben.below.theirs) == ("Cy", "points", "9", "4")
    assert explain(ruleset, table, "Cy").below is None
    with pytest.raises(KeyError):
        explain(ruleset, table, "Di")


@pytest.mark.clause("SEA-TIE-3")
def test_explanation_shows_the_compared_value():
    """Ana beat Cy, who is tied with no one; Ben beat Ana. Between Ana and Ben that is 0 against 1."""
    league = rules("season-league", divisions={"used": False})
    table = season_table(league, members("Ana Ben Cy"), [played(1, "Ana>Cy Ben>Ana Ana>x Ben>y Cy>Ben")])
    told = explain(league, table, "Ana")
    assert [row.player for row in table.rows] == ["Ben", "Ana", "Cy"]
    assert (told.above.column, told.above.own, told.above.theirs, told.above.clause) == (
        "head_to_head",
        "0",
        "1",
        "SEA-TIE-3",
    )


def test_explanation_of_members_listed_last():
    ruleset = rules(counting={"minimum": 2}, eligibility={"clubs": ["Owls"]})
    people = [*members("Ana", club="Owls"), *members("Ben"), *members("Cy", status="disqualified")]
    table = season_table(ruleset, people, [placed(1, "Cy Ana Ben"), placed(2, "Cy Ben")])
    ana = explain(ruleset, table, "Ana")
    assert (ana.above.player, ana.above.column, ana.above.own, ana.above.theirs) == ("Ben", "attended", "1", "2")
    assert (ana.below.player, ana.below.column, ana.below.theirs) == ("Cy", "status", "disqualified")
    assert [(one.reason, one.clause) for one in explain(ruleset, table, "Ben").barred] == [("club", "SEA-ELIG")]
    assert [(row.player, row.listed_last) for row in table.rows] == [("Ben", False), ("Ana", True), ("Cy", True)]


def test_member_who_left_is_ranked_as_before():
    people = [*members("Ana"), *members("Ben", status="dropped"), *members("Cy")]
    table = season_table(rules(), people, [placed(1, "Ana Ben Cy")])
    told = explain(rules(), table, "Ben")
    assert (told.rank, told.above.column, told.below.column) == (2, "points", "points")
    assert [(one.reason, one.clause) for one in told.barred] == [("left", "SEA-ELIG")]


@pytest.mark.clause("SEA-DIV-1", "SEA-LEFT", "SEA-JOIN")
def test_each_reason_has_its_clause():
    ruleset = rules("season-league", counting={"dropped_out": False, "before_joining": False})
    people = members("Ana", joined=3, division="First")
    gathered = [
        TournamentResults("t1", 1, (Result("Ana", 1),)),
        TournamentResults("t3", 3, (Result("Ana", 1, status="dropped"),)),
        TournamentResults("t4", 4, (Result("Ana", 1),), division="Second"),
    ]
    found = explain(ruleset, season_table(ruleset, people, gathered), "Ana").results
    assert [(one.reason, one.clause) for one in found] == [
        ("before_joining", "SEA-JOIN"),
        ("dropped_out", "SEA-LEFT"),
        ("other_division", "SEA-DIV-1"),
    ]
