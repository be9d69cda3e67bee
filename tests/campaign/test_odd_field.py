"""An odd number of groups: a bye or a game of three (FS-RND-3, FS-RND-5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from shared.campaign.league import Standing
from shared.campaign.pairing import pair_round
from shared.rules.matching import Met, RematchCost, meetings_of_pairs
from shared.rules.model import Pairing
from tests.campaign.story import RULES, rules

THREE = rules(pairing__odd="game_of_three")


def table(*lines: tuple[str, int, int]) -> list[Standing]:
    return [Standing(rank, group, points, rating, 0) for rank, (group, points, rating) in enumerate(lines, 1)]


def met(*pairs: str) -> Met:
    return meetings_of_pairs([(1, one, two) for one, two in pairs], round=3)


def games(pairings: Iterable[Pairing]) -> list[set[str]]:
    return [set(pairing.players) for pairing in pairings]


def rematches(pairings: Iterable[Pairing], known: Met) -> int:
    return sum(two in known.get(one, ()) for pairing in pairings for one, two in combinations(pairing.players, 2))


FIVE = table(("A", 6, 900), ("B", 6, 800), ("C", 3, 890), ("D", 3, 700), ("E", 0, 710))


@pytest.mark.clause("FS-RND-5", "FS-RND-3")
def test_bye_candidate_joins_the_lowest_game() -> None:
    assert games(pair_round(RULES, FIVE, {})) == [{"A", "B"}, {"C", "D"}, {"E"}]
    first, three = pair_round(THREE, FIVE, {})
    assert (first.players, first.sides, first.reason) == (("A", "B"), (), "nearest rating at 6 points")
    assert (three.kind, three.sides) == ("game", (("C",), ("D",), ("E",)))
    assert (three.player_1, three.player_2, three.rematch) == ("C", "D", False)
    assert three.reason == "nearest rating at 3 points; E would be left over, and joins"


@pytest.mark.clause("FS-RND-5")
def test_three_groups_play_one_game_and_a_single_group_has_a_bye() -> None:
    assert [one.sides for one in pair_round(THREE, FIVE[:3], {})] == [(("A",), ("B",), ("C",))]
    assert [(one.kind, one.players) for one in pair_round(THREE, FIVE[:1], {})] == [("bye", ("A",))]
    assert pair_round(THREE, FIVE[:4], {}) == pair_round(RULES, FIVE[:4], {})


@pytest.mark.clause("FS-RND-5", "FS-RND-2")
def test_another_game_or_group_is_chosen_to_avoid_a_rematch() -> None:
    assert games(pair_round(THREE, FIVE, met("CE"))) == [{"A", "B", "E"}, {"C", "D"}]
    other = pair_round(THREE, FIVE, met("AE", "CE"))
    assert games(other) == [{"A", "C"}, {"E", "B", "D"}]
    assert other[-1].reason == "paired down: 6 points and 0; D joins, for fewer rematches than with E"


@pytest.mark.clause("FS-RND-5", "FS-RND-2")
def test_unavoidable_rematch_is_marked() -> None:
    three = pair_round(THREE, FIVE[:3], met("BC"))
    assert [(one.sides, one.rematch) for one in three] == [((("A",), ("B",), ("C",)), True)]


@pytest.mark.clause("FS-RND-5", "FS-RND-2")
def test_any_three_groups_may_meet_to_avoid_rematches() -> None:
    lines = table(
        *(
            (name, points, 500 + n)
            for n, (name, points) in enumerate(zip("ABCDEFG", (6, 6, 3, 3, 0, 0, 0), strict=True))
        )
    )
    known = {"A": "CDEG", "B": "DEF", "C": "ADEF", "D": "ABCE", "E": "ABCDFG", "F": "BCEG", "G": "AEF"}
    made = pair_round(
        THREE, lines, {group: dict.fromkeys(rivals, RematchCost(1, 0, 1)) for group, rivals in known.items()}
    )
    assert games(made) == [{"A", "F"}, {"D", "E"}, {"B", "C", "G"}]
    assert made[-1].reason == "three of an odd field, for the fewest rematches"
    assert [one.rematch for one in made] == [False, True, False]


@some.composite
def fields(draw: some.DrawFn) -> tuple[list[Standing], Met]:
    names = "ABCDEFG"[: draw(some.sampled_from((3, 5, 7)))]
    numbers = draw(some.lists(some.integers(0, 3), min_size=len(names), max_size=len(names)))
    points = sorted((3 * number for number in numbers), reverse=True)
    lines = table(*((name, each, 500 + 7 * n % 5) for n, (name, each) in enumerate(zip(names, points, strict=True))))
    return lines, met(*draw(some.lists(some.sampled_from(["".join(two) for two in combinations(names, 2)]))))


def rounds_of(names: Sequence[str]) -> Iterable[list[Sequence[str]]]:
    """Return every possible round with one game of three and games of two."""
    for three in combinations(names, 3):
        for pairs in _pairs([name for name in names if name not in three]):
            yield [three, *pairs]


def _pairs(names: list[str]) -> Iterable[list[Sequence[str]]]:
    if not names:
        yield []
    for other in names[1:]:
        for rest in _pairs([name for name in names[1:] if name != other]):
            yield [(names[0], other), *rest]


@pytest.mark.clause("FS-RND-5", "FS-RND-2")
@given(fields())
def test_all_groups_play_with_the_fewest_rematches(
    field: tuple[list[Standing], Met],
) -> None:
    lines, known = field
    made = pair_round(THREE, lines, known)
    assert sorted(len(one.players) for one in made) == [2] * (len(lines) // 2 - 1) + [3]
    assert sorted(player for one in made for player in one.players) == sorted(line.group for line in lines)
    assert made == pair_round(THREE, lines, known)
    least = min(
        sum(two in known.get(one, ()) for game in round for one, two in combinations(game, 2))
        for round in rounds_of([line.group for line in lines])
    )
    assert rematches(made, known) == least
    assert all(one.rematch == (rematches([one], known) > 0) for one in made)
