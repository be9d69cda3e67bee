"""The league table, byes, and pairings."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as some

from shared.campaign.league import LeagueGame, Standing, bye, league_table, no_show
from shared.campaign.pairing import faults_of_next_round, pair_round
from shared.campaign.words import StepRefused
from shared.rules.matching import Met, RematchCost, meetings_of_pairs
from tests.campaign.story import EXAMPLES, RULES, a_group, in_step, refused, rules

EXAMPLE = EXAMPLES["FS-EX-12"]


def game(text: str) -> LeagueGame:
    one, first, second, two = re.fullmatch(r"(\w) (\d+)-(\d+) (\w)", text).groups()
    vp = (int(first), int(second))
    endings = ("draw", "draw") if vp[0] == vp[1] else ("win", "loss") if vp[0] > vp[1] else ("loss", "win")
    return LeagueGame((one, two), endings, vp)


GAMES = [game(text) for text in EXAMPLE["games"]]


@pytest.mark.clause("FS-EX-12", "FS-LGE-1", "FS-LGE-2")
def test_the_table_of_the_example() -> None:
    table = league_table(RULES, EXAMPLE["ratings"], GAMES)
    assert [line.group for line in table] == EXAMPLE["order"]
    assert {line.group: line.points for line in table} == EXAMPLE["points"]
    assert {line.group: line.vp for line in table} == EXAMPLE["vp"]
    assert [line.rank for line in table] == [1, 2, 3, 4]


@pytest.mark.clause("FS-LGE-2", "FS-AMB-59")
def test_tiebreaks_follow_the_option() -> None:
    by = rules(league__tiebreaks=["head_to_head", "total_vp"])
    assert [line.group for line in league_table(by, EXAMPLE["ratings"], GAMES)] == ["A", "B", "C", "D"]
    by = rules(league__tiebreaks=["total_vp"])
    assert [line.group for line in league_table(by, {**EXAMPLE["ratings"], "A": 999}, GAMES)] == ["B", "A", "C", "D"]
    by = rules(league__tiebreaks=["group_rating"])
    table = league_table(by, EXAMPLE["ratings"], GAMES)
    assert [(line.rank, line.group, line.tied) for line in table][:3] == [
        (1, "A", True),
        (1, "B", True),
        (3, "C", False),
    ]


@pytest.mark.clause("FS-LGE-1", "FS-RND-3", "FS-RND-4", "FS-AMB-55", "FS-AMB-59")
def test_points_for_byes_and_absences() -> None:
    ratings = {"A": 500, "B": 400, "C": 300}
    games = [bye("A"), no_show("B", "C")]
    assert [line.points for line in league_table(RULES, ratings, games)] == [3, 3, 0]
    assert [line.points for line in league_table(rules(bye__league_points=1), ratings, games)] == [1, 1, 0]
    by = rules(league__points={"win": 2, "draw": 1, "loss": 1})
    assert {line.group: line.points for line in league_table(by, ratings, games)} == {"A": 3, "B": 3, "C": 1}
    assert [line.withdrawn for line in league_table(RULES, ratings, games, {"B"})] == [False, True, False]


@pytest.mark.clause("FS-LGE-3")
@given(some.permutations(GAMES))
def test_the_table_does_not_depend_on_the_order_of_games(games: list[LeagueGame]) -> None:
    assert league_table(RULES, EXAMPLE["ratings"], games) == league_table(RULES, EXAMPLE["ratings"], GAMES)


def table(*lines: tuple[str, int, int]) -> list[Standing]:
    return [Standing(rank, group, points, rating, 0) for rank, (group, points, rating) in enumerate(lines, 1)]


def pairs(by: object, table: list[Standing], met: Met, **more: object) -> list[tuple[str | None, ...]]:
    return [(pairing.player_1, pairing.player_2) for pairing in pair_round(by, table, met, **more)]


LINES = table(("A", 6, 900), ("B", 6, 700), ("C", 6, 880), ("D", 6, 720), ("E", 3, 1000), ("F", 0, 990))


@pytest.mark.clause("FS-RND-2", "FS-AMB-60")
def test_groups_with_equal_points_and_nearest_ratings_meet() -> None:
    assert sorted(pairs(RULES, LINES, {})) == [("A", "C"), ("D", "B"), ("E", "F")]
    met = meetings_of_pairs([(1, "A", "C")], round=3)
    assert ("A", "C") not in pairs(RULES, LINES, met)
    nearest = rules(pairing__method="nearest_rating")
    assert sorted(pairs(nearest, LINES, {})) == [("A", "C"), ("D", "B"), ("E", "F")]
    six = table(("A", 9, 500), ("B", 0, 510), ("C", 9, 900), ("D", 0, 910))
    assert [{*pair} for pair in pairs(nearest, six, {})] == [{"D", "C"}, {"B", "A"}]
    assert [{*pair} for pair in pairs(RULES, six, {})] == [{"C", "A"}, {"D", "B"}]
    manual = rules(pairing__method="manual")
    assert refused(StepRefused, pair_round, manual, LINES, {}) == [("/pairings", "FS-RND-2")]


@pytest.mark.clause("FS-RND-2")
def test_rematch_only_if_unavoidable() -> None:
    two = table(("A", 3, 500), ("B", 0, 510))
    pairing = pair_round(RULES, two, meetings_of_pairs([(1, "A", "B")], round=3))[0]
    assert pairing.rematch


@pytest.mark.clause("FS-RND-2", "FS-RND-3")
@pytest.mark.parametrize(
    ("names", "rounds", "times", "byes"), [("ABCDEF", 12, {2, 3}, {0}), ("ABCDE", 15, {2, 3, 4}, {3})]
)
def test_long_league_spreads_meetings_and_byes(names: str, rounds: int, times: set[int], byes: set[int]) -> None:
    """The same group always wins, so points alone would repeat the same pairings."""
    points, rested = dict.fromkeys(names, 0), Counter()
    games: list[tuple[int, str, str]] = []
    for round in range(1, rounds + 1):
        lines = table(*((name, points[name], 500) for name in sorted(names, key=lambda name: -points[name])))
        met = meetings_of_pairs(games, round)
        for made in pair_round(RULES, lines, met, list(rested.elements())):
            points[min(made.players)] += 3
            if made.player_2 is None:
                rested[made.player_1] += 1
            else:
                assert not met.get(made.player_1, {}).get(made.player_2, RematchCost()).running
                games.append((round, made.player_1, made.player_2))
    assert {
        again.earlier for others in meetings_of_pairs(games, rounds + 1).values() for again in others.values()
    } <= times
    assert {rested[name] for name in names} == byes


@pytest.mark.clause("FS-RND-3", "FS-RND-4")
def test_lowest_group_without_a_bye_rests_and_withdrawn_groups_are_not_paired() -> None:
    assert pairs(RULES, LINES[:5], {})[-1] == ("E", None)
    assert pairs(RULES, LINES[:5], {}, had_bye={"E"})[-1] == ("D", None)
    assert pairs(RULES, LINES[:3], {}, had_bye={"A", "B", "C"})[-1] == ("C", None)
    assert {name for pair in pairs(RULES, LINES, {}, left_out={"A", "B"}) for name in pair} == {"C", "D", "E", "F"}


@pytest.mark.clause("FS-RND-2", "FS-RND-3")
def test_another_group_rests_to_avoid_a_rematch() -> None:
    three, met = LINES[:3], meetings_of_pairs([(1, "A", "B")], round=3)
    first, bye = pair_round(RULES, three, met)
    assert {first.player_1, first.player_2, bye.player_1} == {"A", "C", "B"}
    assert not first.rematch
    assert (bye.player_1, bye.reason) == ("B", "the bye of C would bring about a rematch")
    assert pairs(RULES, three, met, had_bye={"B"})[-1] == ("A", None)
    assert pairs(RULES, three, met, had_bye={"A", "B"})[-1] == ("C", None)  # unavoidable
    everybody = meetings_of_pairs([(1, "A", "B"), (1, "A", "C"), (1, "B", "C")], round=3)
    assert pairs(RULES, three, everybody)[-1] == ("C", None)


@pytest.mark.clause("FS-RND-1")
def test_a_round_waits_for_every_post_game_phase() -> None:
    groups = {"A": a_group(), "B": in_step(a_group(), "5")}
    assert [fault.where for fault in faults_of_next_round(RULES, groups, {"A", "B"}, 2)] == ["/groups/B"]
    assert list(faults_of_next_round(RULES, groups, {"A"}, 5)) == []


@pytest.mark.clause("FS-LGE-3", "FS-AMB-59")
@pytest.mark.parametrize("rounds", [1, 12])
def test_number_of_rounds_is_limited(rounds: int) -> None:
    by = rules(campaign__rounds=rounds)
    assert list(faults_of_next_round(by, {}, (), rounds)) == []
    assert [fault.where for fault in faults_of_next_round(by, {}, (), rounds + 1)] == ["/round"]
