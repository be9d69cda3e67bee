"""Properties of every season."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.formats.packs import shipped
from shared.rules.tiebreakers import TIEBREAKERS, Criterion
from shared.season.checks import faults_of_season
from shared.season.counting import SEASON_PIECES
from shared.season.ruleset import Entered, Member, Ranking, Result, SeasonTable, TournamentResults
from shared.season.table import explain, moves, season_table
from tests.examples import examples
from tests.season.rules.seasons import seasons, tournaments
from tests.season.rules.story import rules

PACKS = list(shipped("season"))
each_pack = pytest.mark.parametrize("id", PACKS)


@each_pack
@given(season=seasons(), chance=st.randoms(use_true_random=False))
def test_order_of_input_does_not_matter(id, season, chance):
    ruleset = rules(id, counting={"best": 2}, rating={"system": "glicko2"})
    members, gathered = season
    expected = season_table(ruleset, members, gathered)

    def mixed(items):
        return tuple(chance.sample(list(items), len(items)))

    again = [
        msgspec.structs.replace(
            one, results=mixed([msgspec.structs.replace(result, games=mixed(result.games)) for result in one.results])
        )
        for one in mixed(gathered)
    ]
    everybody = [msgspec.structs.replace(member, entries=mixed(member.entries)) for member in mixed(members)]
    assert season_table(ruleset, everybody, again) == expected


@each_pack
@given(season=seasons(), best=st.integers(1, 3))
def test_additional_result_never_lowers_a_total_of_the_best(id, season, best):
    ruleset = rules(id, counting={"best": best})
    members, gathered = season
    after = {row.player: row.points for row in season_table(ruleset, members, gathered).rows}
    before = {row.player: row.points for row in season_table(ruleset, members, gathered[:-1]).rows}
    assert all(after[player] >= before[player] for player in before)


@given(season=seasons(), best=st.integers(1, 3))
def test_no_choice_of_n_results_is_worth_more(season, best):
    members, gathered = season
    for row in season_table(rules(counting={"best": best}), members, gathered).rows:
        able = [one.points for one in row.results if one.reason in ("", "not_best")]
        assert row.points == sum(sorted(able, reverse=True)[:best])
        assert sum(not one.reason for one in row.results) == min(best, len(able))


@each_pack
@given(season=seasons(), data=st.data())
def test_correction_equals_a_correct_first_result(id, season, data):
    """Nothing is carried from one table to the next, so replacing a tournament is a computation from scratch."""
    members, gathered = season
    ruleset = rules(id, rating={"system": "elo"})
    index = data.draw(st.integers(0, len(gathered) - 1))
    corrected = [*gathered[:index], data.draw(tournaments(index + 1)), *gathered[index + 1 :]]
    season_table(ruleset, members, gathered)
    table = season_table(ruleset, members, corrected)
    assert table == season_table(ruleset, members, corrected)
    assert follow(season_table(ruleset, members, gathered), table) == {
        (row.player, row.rank, row.points) for row in table.rows
    }


def follow(before: SeasonTable, after: SeasonTable) -> set[tuple[str, int, int | Fraction]]:
    """Return the table that results from the previous one by the reported moves."""
    stand = {row.player: (row.rank, row.points) for row in before.rows}
    for move in moves(before, after):
        if move.rank_after is None:
            del stand[move.player]
        else:
            stand[move.player] = move.rank_after, move.points_after
    return {(player, rank, points) for player, (rank, points) in stand.items()}


@each_pack
@given(season=seasons())
def test_merging_and_splitting_members_changes_nothing(id, season):
    members, gathered = season
    ruleset = rules(id)
    one, other, *rest = members
    merged = season_table(ruleset, [msgspec.structs.replace(one, entries=one.entries + other.entries), *rest], gathered)
    assert len(merged.rows) == len(members) - 1
    apart = [one, other, *rest]
    assert season_table(ruleset, apart, gathered) == season_table(ruleset, members, gathered)
    assert season_table(ruleset, [Member("z", one.entries), other, *rest], gathered).row("z").points == (
        season_table(ruleset, members, gathered).row(one.player).points
    )


@each_pack
@given(season=seasons())
def test_rank_is_one_more_than_members_ahead_and_is_explained(id, season):
    members, gathered = season
    ruleset = rules(id, divisions={"used": False})
    table = season_table(ruleset, members, gathered)
    for index, row in enumerate(table.rows):
        ahead = [other for other in table.rows if other.rank < row.rank]
        assert row.rank == len(ahead) + 1
        assert row.tied == (sum(other.rank == row.rank for other in table.rows) > 1)
        assert row.overall == row.rank
        found = explain(ruleset, table, row.player)
        assert (found.above is None) == (index == 0)
        if found.above is not None:
            assert bool(found.above.column) == (table.rows[index - 1].rank < row.rank)
    for above, below in pairwise(table.rows):
        assert above.points >= below.points


@pytest.mark.parametrize("games", ["every", "counted"])
@pytest.mark.parametrize("piece", sorted({**TIEBREAKERS, **SEASON_PIECES}))
@given(season=seasons())
@settings(max_examples=examples(25))
def test_every_criterion_ranks_every_season(piece, games, season):
    of = "" if piece in SEASON_PIECES or TIEBREAKERS[piece].of_nothing else "game_points"
    used = {
        name: value
        for name, value in {"full": 3, "cut_lowest": 1}.items()
        if piece in TIEBREAKERS and name in TIEBREAKERS[piece].settings
    }
    rule = Criterion(column="value", piece=piece, of=of, clause="X", **used)
    ruleset = rules(counting={"games": games, "best": 1})
    table = season_table(msgspec.structs.replace(ruleset, ranking=Ranking(criteria=[rule], clause="X")), *season)
    assert faults_of_season(msgspec.structs.replace(ruleset, ranking=Ranking(criteria=[rule], clause="X"))) == []
    for above, below in pairwise(table.rows):
        assert (above.rank == below.rank) == (above.compared == below.compared)
        assert above.compared >= below.compared


@given(season=seasons())
def test_points_of_shared_places_have_the_sum_of_the_places(season):
    _, gathered = season
    ruleset = rules(points={"participation": 0, "shared": "mean"}, weights={"by_hand": False}, counting={"best": 0})
    full = [
        msgspec.structs.replace(
            one, results=tuple(msgspec.structs.replace(result, status="active") for result in one.results)
        )
        for one in gathered
    ]
    apart = [
        msgspec.structs.replace(
            one,
            results=tuple(
                msgspec.structs.replace(result, place=place)
                for place, result in enumerate(sorted(one.results, key=lambda result: result.place), start=1)
            ),
        )
        for one in full
    ]
    everybody = [
        Member(name, tuple(Entered(one.tournament, name) for one in gathered))
        for name in {result.entry for one in gathered for result in one.results}
    ]
    shared, alone = (
        sum(row.points for row in season_table(ruleset, everybody, told_so).rows) for told_so in (full, apart)
    )
    assert shared == alone


def test_empty_season():
    for id in PACKS:
        assert season_table(rules(id), [], [TournamentResults("t1", 1, (Result("a", 1),))]).rows == ()
        assert [row.rank for row in season_table(rules(id), [Member("a"), Member("b")], []).rows] == [1, 1]
