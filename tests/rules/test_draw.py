"""The recorded draw."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as some

from shared.rules.model import RecordedDraws, draw_order, make_draw
from shared.swiss.pairing import pair_round
from tests.rules.story import ARMADA, EXAMPLES, entered


@pytest.mark.clause("AR-EX-10")
@pytest.mark.parametrize(("seed", "purpose", "round", "group", "order", "digits"), EXAMPLES["AR-EX-10"])
def test_the_draws_of_the_digest(
    seed: str, purpose: str, round: int, group: list[str], order: list[str], digits: str
) -> None:
    assert draw_order(seed, purpose, round, group) == order
    assert sha256(f"{seed}|{purpose}|{round}|{order[0]}".encode()).hexdigest().startswith(digits)


@pytest.mark.clause("AR-EX-10", "AR-PAIR-1", "AR-PAIR-6")
def test_in_the_first_round_neighbours_in_the_draw_play_and_the_last_has_the_bye() -> None:
    paired = pair_round(ARMADA, entered("p1", "p2", "p3", "p4", "p5"), [], round=1, seed="AR-2015-001")
    assert [pairing.players for pairing in paired.pairings] == [("p2", "p5"), ("p3", "p1"), ("p4",)]
    assert paired.draws[0].order == ("p2", "p5", "p3", "p1", "p4")


@given(some.text(max_size=8), some.permutations(["a", "b", "c", "ä", "e"]))
def test_a_draw_depends_on_its_inputs_and_not_on_the_order_of_the_players(seed: str, players: list[str]) -> None:
    assert make_draw(seed, "bye", 2, players) == make_draw(seed, "bye", 2, sorted(players))
    assert sorted(draw_order(seed, "bye", 2, players)) == sorted(players)


GROUPS = some.lists(some.sampled_from("abcdef"), min_size=1, unique=True)


@pytest.mark.clause("FF-AMB-20")
@given(some.lists(some.tuples(some.sampled_from(["standings", "bye"]), GROUPS), max_size=6), GROUPS)
def test_the_first_recorded_draw_with_all_players_counts(
    known: list[tuple[str, list[str]]], players: list[str]
) -> None:
    draws = [make_draw("s", purpose, round, group) for round, (purpose, group) in enumerate(known, 1)]
    fitting = [draw for draw in draws if draw.purpose == "standings" and set(players) <= set(draw.group)]
    found = RecordedDraws(draws, "standings").of(players)
    assert (found is None) == (not fitting)
    if found is not None:
        assert (found.round, found.group) == (fitting[0].round, tuple(sorted(players)))
        assert list(found.order) == draw_order("s", "standings", found.round, players)
