"""Pairing and ranking in Dust Warfare, with options on and off. Seeds are searched for the draws of the examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as some

from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.rules.model import Entrant, Game, draw_order
from shared.swiss.pairing import pair_round
from shared.swiss.ruleset import Ruleset
from shared.swiss.standings import rank
from tests.rules.story import bye, entered, played, short

DUST = shipped_ruleset("dust-warfare-1.0")
EXAMPLES: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "data" / "dust_examples.yaml").read_text("utf-8"))


def with_options(**options: Any) -> Ruleset:
    return apply_options(DUST, options)


def won(round: int, one: str, two: str, points_1: int, points_2: int, winner: Any = 1) -> Game:
    return played(round, one, two, points_1, points_2, DUST, winner=winner)


def seed_where(purpose: str, round: int, order: list[str]) -> str:
    """Return a seed whose recorded draw gives this order. Draws are inputs of the examples."""
    seeds = (str(number) for number in range(1000))
    return next(seed for seed in seeds if draw_order(seed, purpose, round, order) == order)


@pytest.mark.clause("DW-PAIR-1", "DW-PAIR-5", "DW-PAIR-6", "DW-EX-10")
@pytest.mark.parametrize(("seed", "purpose", "round", "group", "order", "digits"), EXAMPLES["DW-EX-10"])
def test_recorded_draws(seed: str, purpose: str, round: int, group: list[str], order: list[str], digits: str) -> None:
    assert draw_order(seed, purpose, round, group) == order
    if purpose == "first-pairing":
        pairs = [pairing.players for pairing in pair_round(DUST, entered(*group), [], round=1, seed=seed).pairings]
        assert pairs == [("p5", "p4"), ("p3", "p1"), ("p2",)]
    else:
        games = [won(1, "p2", "p1", 9, 0), won(1, "p4", "p3", 9, 0), won(1, "p6", "p5", 9, 0), bye(1, "p7", DUST)]
        paired = pair_round(DUST, entered(*(f"p{n}" for n in range(1, 8))), games, round=2, seed=seed)
        assert paired.pairings[-1].players == ("p3",)


@pytest.mark.clause("DW-EX-4", "DW-AMB-9", "DW-TB-1")
def test_equal_at_the_top_is_drawn() -> None:
    games = [won(1, "Ana", "Ben", 150, 50), won(1, "Cy", "Dee", 150, 70)]
    games += [won(2, "Cy", "Ana", 100, 100, "draw"), won(2, "Dee", "Ben", 120, 40)]
    field = entered("Ana", "Ben", "Cy", "Dee")
    first, last = (seed_where("standings", 1, ["Cy", "Ana"]), seed_where("standings", 2, ["Ana", "Cy"]))
    after = rank(DUST, field, games, round=1, seed=first)
    assert short(after) == ["Cy 10/150", "Ana 10/150", "Dee 3/70", "Ben 3/50"]
    assert [row.tied for row in after.rows] == [True, True, False, False]
    pairs = [pairing.players for pairing in pair_round(DUST, field, games, round=2, seed="", standings=after).pairings]
    assert pairs == [("Cy", "Ana"), ("Dee", "Ben")]
    final = rank(DUST, field, games, round=2, seed=last)
    assert short(final) == ["Ana 16/250", "Cy 16/250", "Dee 13/190", "Ben 6/90"]


@pytest.mark.clause("DW-AMB-9")
def test_places_below_the_first_may_be_shared_and_are_still_paired_in_drawn_order() -> None:
    games = [won(1, "a", "b", 100, 50), won(1, "c", "d", 100, 50)]
    shared = with_options(unresolved_ties="shared")
    found = rank(shared, entered("a", "b", "c", "d"), games, round=1, seed="s")
    assert [row.rank for row in found.rows] == [1, 2, 3, 3]
    assert [row.tied for row in found.rows] == [True] * 4
    assert [list(draw.order) for draw in found.draws] == [
        draw_order("s", "standings", 1, group) for group in (["a", "c"], ["b", "d"])
    ]
    assert [row.rank for row in rank(DUST, entered("a", "b", "c", "d"), games, round=1, seed="s").rows] == [1, 2, 3, 4]


@pytest.mark.clause("DW-EX-9", "DW-AMB-17", "DW-AMB-10", "DW-PAIR-5")
def test_a_drop_after_round_one() -> None:
    games = [won(1, "Ana", "Ben", 100, 40), won(1, "Dee", "Eli", 90, 80), won(1, "Fay", "Gus", 70, 60, "draw")]
    field = entered("Ben", "Dee", "Eli", "Fay", "Gus")
    before = rank(DUST, [*field, Entrant("Ana")], games, round=1, seed="")
    assert short(before) == ["Ana 10/100", "Dee 10/90", "Fay 6/70", "Gus 6/60", "Eli 3/80", "Ben 3/40"]
    field.append(Entrant("Ana", status="dropped", dropped_after=1))
    paired = pair_round(DUST, field, games, round=2, seed=seed_where("bye", 2, ["Eli", "Ben"]))
    assert [set(pairing.players) for pairing in paired.pairings] == [{"Dee", "Fay"}, {"Gus", "Ben"}, {"Eli"}]
    games += [won(2, "Dee", "Fay", 120, 30), won(2, "Gus", "Ben", 50, 50, "draw"), bye(2, "Eli", DUST)]
    final = rank(DUST, field, games, round=2, seed="")
    assert short(final) == ["Dee 20/210", "Eli 13/80", "Gus 12/110", "Ana 10/100", "Fay 9/100", "Ben 9/90"]
    assert next(row.status for row in final.rows if row.player == "Ana") == "dropped"


@pytest.mark.clause("DW-PAIR-2", "DW-PAIR-3")
@given(some.permutations(range(8)), some.lists(some.integers(0, 200), min_size=8, max_size=8))
def test_without_earlier_meetings_neighbours_in_the_standings_play(order: list[int], points: list[int]) -> None:
    names = [f"p{number}" for number in order]
    games = [won(1, names[n], f"x{n}", points[n], 0, winner=1 if n % 2 else "draw") for n in range(8)]
    field = entered(*names)
    standings = rank(DUST, field, games, round=1, seed="s")
    listed = [row.player for row in standings.rows]
    pairs = [pairing.players for pairing in pair_round(DUST, field, games, round=2, seed="s").pairings]
    assert pairs == list(zip(listed[::2], listed[1::2], strict=True))


@pytest.mark.clause("DW-AMB-7")
def test_a_second_bye_is_possible_or_avoided() -> None:
    games = [bye(1, "a", DUST), won(1, "b", "c", 50, 10), bye(2, "c", DUST), won(2, "b", "a", 50, 10)]
    field = entered("a", "b", "c")
    assert pair_round(DUST, field, games, round=3, seed="1").pairings[-1].player_1 in ("a", "c")
    avoided = pair_round(with_options(avoid_repeat_byes="true"), field, games, round=3, seed="1")
    assert avoided.pairings[-1].player_1 == "b"


@pytest.mark.clause("DW-AMB-23")
def test_the_bye_may_move_to_avoid_a_rematch_of_the_last_pair() -> None:
    field = entered("a", "b", "c")
    games = [won(1, "a", "b", 100, 90), bye(1, "c", DUST), won(2, "a", "c", 80, 10), bye(2, "b", DUST)]
    seed = seed_where("bye", 3, ["b", "c"])
    rigid = pair_round(DUST, field, games, round=3, seed=seed)
    assert [pairing.players for pairing in rigid.pairings] == [("a", "c"), ("b",)]
    assert rigid.pairings[0].rematch
    moved = pair_round(with_options(bye_may_move=True), field, games, round=3, seed=seed)
    assert [set(pairing.players) for pairing in moved.pairings] == [{"b", "c"}, {"a"}]
    assert not moved.pairings[0].rematch


@pytest.mark.clause("DW-AMB-8")
def test_which_sheet_moves() -> None:
    games = [won(1, "a", "b", 150, 140), won(1, "c", "d", 100, 20), won(1, "e", "f", 90, 10)]
    later = [won(2, "a", "x", 10, 0), won(2, "b", "y", 150, 0), won(2, "c", "z", 1, 0), won(2, "d", "w", 0, 0, "draw")]
    field = entered(*"abcdef")

    def pairs(ruleset: Ruleset) -> list[tuple[str, ...]]:
        return [pairing.players for pairing in pair_round(ruleset, field, games + later, round=3, seed="").pairings]

    assert [row.player for row in rank(DUST, field, games + later, round=2, seed="").rows] == list("acbedf")
    assert pairs(DUST) == pairs(with_options(rematch_move="higher"))
    met = [*games, won(2, "a", "c", 160, 100), won(2, "b", "x", 150, 0)]
    listed = [row.player for row in rank(DUST, field, met, round=2, seed="").rows]
    assert listed[:4] == list("abce")
    lower = [pairing.players for pairing in pair_round(DUST, field, met, round=3, seed="").pairings]
    higher = [
        pairing.players
        for pairing in pair_round(with_options(rematch_move="higher"), field, met, round=3, seed="").pairings
    ]
    assert (lower[0], higher[0]) == (("a", "e"), ("b", "c"))
