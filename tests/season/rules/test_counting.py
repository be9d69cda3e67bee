"""Results that count: the best n, and reasons for exclusion."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from shared.season.counting import MemberResult, records_of_season
from shared.season.ruleset import Entered, GamePlayed, Member, Result, TournamentResults
from shared.season.table import season_table
from tests.season.rules.story import members, order, placed, played, points, ranks, rules

THREE = [placed(1, "Ana Ben"), placed(2, "Ben Ana"), placed(3, "Ana Ben")]


def left(ruleset, member: Member, *gathered: TournamentResults) -> list[str]:
    (row,) = season_table(ruleset, [member], gathered).rows
    return [one.reason for one in row.results]


@pytest.mark.clause("SEA-BEST")
@pytest.mark.parametrize(
    ("counting", "found"),
    [
        ({"best": 0}, ["", "", ""]),
        ({"best": 1}, ["", "not_best", "not_best"]),
        ({"best": 2}, ["", "not_best", ""]),
        ({"best": 9}, ["", "", ""]),
        ({"best": 0, "best_per_cent": 50}, ["", "not_best", ""]),
        ({"best": 0, "best_per_cent": 10}, ["", "not_best", "not_best"]),
        ({"best": 0, "best_per_cent": 10, "of": 20}, ["", "not_best", ""]),
        ({"best": 0, "best_per_cent": 100}, ["", "", ""]),
        ({"best": 1, "best_per_cent": 100}, ["", "not_best", "not_best"]),
    ],
)
def test_best_results_count_and_earlier_ones_first_among_equals(counting, found):
    assert left(rules(counting=counting), members("Ana")[0], *THREE) == found


@pytest.mark.clause("SEA-MIN")
@pytest.mark.parametrize(("below", "found"), [("last", [(1, "Ben"), (2, "Ana")]), ("ranked", [(1, "Ana"), (2, "Ben")])])
def test_member_with_too_few_tournaments_is_listed_last(below, found):
    ruleset = rules(counting={"minimum": 2, "below": below})
    gathered = [placed(1, "Ana Ben"), placed(2, "Cy Di Ed Fay Ben")]
    assert ranks(ruleset, "Ana Ben", *gathered) == found
    ana = season_table(ruleset, members("Ana Ben"), gathered).row("Ana")
    assert (ana.listed_last, ana.attended) == (below == "last", 1)
    assert ana.barred == (("too_few",) if below == "last" else ())


@pytest.mark.clause("SEA-LEFT", "SEA-MIN")
@pytest.mark.parametrize(("counts", "found", "attended"), [(True, "", 1), (False, "dropped_out", 0)])
def test_tournament_left_early_counts_by_option(counts, found, attended):
    ruleset = rules(counting={"dropped_out": counts})
    gathered = TournamentResults("t1", 1, (Result("Ana", 4, status="dropped"),))
    row = season_table(ruleset, members("Ana"), [gathered]).row("Ana")
    assert ([one.reason for one in row.results], row.attended) == ([found], attended)


@pytest.mark.clause("SEA-JOIN")
@pytest.mark.parametrize(("counts", "found"), [(True, ["", "", ""]), (False, ["before_joining", "before_joining", ""])])
def test_tournaments_before_joining_count_by_option(counts, found):
    assert left(rules(counting={"before_joining": counts}), members("Ana", joined=3)[0], *THREE) == found


@pytest.mark.clause("SEA-DQ")
def test_disqualification_excludes_that_tournament():
    gathered = [TournamentResults("t1", 1, (Result("Ana", 1, status="disqualified"), Result("Ben", 2)))]
    row = season_table(rules(), members("Ana Ben"), gathered).row("Ana")
    assert (row.points, row.attended, row.results[0].reason, row.results[0].points) == (0, 0, "disqualified", 0)
    assert row.barred == ("disqualified",)


@pytest.mark.clause("SEA-DQ")
def test_member_disqualified_from_the_season_is_listed_last():
    cast = [*members("Ana", status="disqualified"), *members("Ben"), *members("Cy", status="dropped")]
    table = season_table(rules(), cast, [placed(1, "Ana Ben Cy")])
    assert [(row.rank, row.player, row.barred) for row in table.rows] == [
        (1, "Ben", ()),
        (2, "Cy", ("left",)),
        (3, "Ana", ("disqualified",)),
    ]


@pytest.mark.clause("SEA-MIN")
def test_absent_player_has_no_points():
    gathered = TournamentResults("t1", 1, (Result("Ana", 5, attended=False), Result("Ben", 1)))
    row = season_table(rules(), members("Ana"), [gathered]).row("Ana")
    assert (row.points, row.attended, row.results[0].reason) == (0, 0, "absent")


@pytest.mark.clause("SEA-ID")
def test_two_entries_of_one_person_are_one_member():
    apart = members("Ana Anna")
    gathered = [placed(1, "Ana Ben Cy"), placed(2, "Ben Anna Cy")]
    assert points(rules(), "Ana Anna", *gathered) == {"Ana": 9, "Anna": 6}
    merged = Member("Ana", apart[0].entries + apart[1].entries)
    table = season_table(rules(), [merged], gathered)
    assert [(row.player, row.points, row.attended) for row in table.rows] == [("Ana", 15, 2)]


@pytest.mark.clause("SEA-ID")
def test_better_of_two_entries_in_one_tournament_counts():
    merged = Member("Ana", (Entered("t1", "Ana"), Entered("t1", "Anna")))
    row = season_table(rules(), [merged], [placed(1, "Ben Anna Cy Ana")]).row("Ana")
    assert [(one.entry, one.reason) for one in row.results] == [("Anna", ""), ("Ana", "twice")]
    assert (row.points, row.attended) == (6, 1)


@pytest.mark.clause("SEA-ID")
def test_duplicate_entry_counts_once():
    told = Member("Ana", (Entered("t1", "Ana"), Entered("t1", "Ana")))
    row = season_table(rules(), [told], [placed(1, "Ana Ben")]).row("Ana")
    assert [(one.entry, one.reason) for one in row.results] == [("Ana", "")]


@pytest.mark.clause("SEA-ID")
def test_entry_of_an_unknown_tournament_is_ignored():
    told = [Member("Ana", (Entered("t1", "Ana"), Entered("elsewhere", "Ana"), Entered("t1", "nobody")))]
    assert season_table(rules(), told, [placed(1, "Ana")]).row("Ana").attended == 1


@pytest.mark.clause("SEA-GAMES")
@pytest.mark.parametrize(("games", "first"), [("every", "Ben"), ("counted", "Ana")])
def test_tiebreakers_consider_every_game_or_those_that_count(games, first):
    ruleset = rules("season-league", counting={"best": 1, "games": games}, divisions={"used": False})
    ana, ben = (GamePlayed("win", "Ben"),), (GamePlayed("loss", "Ana"), GamePlayed("win", "x"))
    gathered = [
        TournamentResults("t1", 1, (Result("Ana", 1, games=ana), Result("Ben", 2, games=ben))),
        TournamentResults("t2", 2, (Result("Ana", 3, games=()), Result("Ben", 1, games=(GamePlayed("win", "y"),)))),
    ]
    assert order(season_table(ruleset, members("Ana Ben"), gathered))[0] == (1, first)


def test_results_of_a_released_tournament_do_not_count():
    table = season_table(rules(), members("Ana Ben"), THREE[:2])
    assert [len(row.results) for row in table.rows] == [2, 2]
    assert season_table(rules(), members("Ana Ben"), []).rows[0].points == 0


def test_counted_result_has_weight_and_place():
    gathered = msgspec.structs.replace(THREE[0], weight=50)
    (one,) = season_table(rules(), members("Ben"), [gathered]).row("Ben").results
    assert (one.tournament, one.place, one.field, one.points, one.weight) == ("t1", 2, 2, Fraction(3, 2), 50)


@pytest.mark.clause("SEA-GAMES", "SEA-TIE-1")
def test_games_are_numbered_through_the_season_including_byes():
    ruleset, gathered, cast = rules(), [played(1, "Ana>Ben Ana"), played(2, "Ben>Ana Ana>Ben Ben")], members("Ana Ben")
    table = season_table(ruleset, cast, gathered)
    own = {
        row.player: [
            MemberResult(one, mine, "") for one in gathered for mine in one.results if mine.entry == row.player
        ]
        for row in table.rows
    }
    records = records_of_season(ruleset, cast, own, {row.player: row.results for row in table.rows})
    found = [(one.round, one.opponent, one.outcome, one.bye) for one in records["Ana"]]
    assert found == [
        (1, "Ben", "win", False),
        (2, None, "win", True),
        (3, "Ben", "loss", False),
        (4, "Ben", "win", False),
    ]
