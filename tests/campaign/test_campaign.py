"""Whole campaigns: after any choices, balances and ratings are right, steps follow in order, and replay is exact."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from msgspec.structs import replace

from shared.campaign.dice import DieRolled
from shared.campaign.evolve import evolve
from shared.campaign.group import group_rating
from shared.campaign.injuries import roll_injury
from shared.campaign.outcomes import GroupRatingFinalised, StepClosed
from shared.campaign.post_game_outcomes import CapsMoved, FoodMoved, ItemGained, PriceQuoted
from shared.campaign.roster import Group
from shared.campaign.steps import order_of
from tests.campaign.play import Play
from tests.campaign.rolls import faults_of_rolls
from tests.campaign.story import LOTS, RULES, a_group, in_step, of_kind, rules, thrown
from tests.examples import examples

OPTIONS: list[dict[str, Any]] = [
    {},
    {"post__build_and_doctor": "with_step_3", "reward__step": "before_injuries", "turf__formula": "arithmetic"},
    {"adv__over_maximum": "choose_other", "spc__incarcerated_injury": "only_if_escaped", "xp__loss": "undo_level"},
    {"injury__impossible_result": "full_recovery", "bye__post_game": "from_step_4", "scavenge__who": "all_living"},
]


def held(play: Play) -> None:
    """Check the invariants of every campaign."""
    assert play.unexplained == []
    for id, group in play.groups.items():
        events = play.said[id]
        read = [msgspec.json.decode(msgspec.json.encode(outcome), type=type(outcome)) for outcome in events]
        assert read == events
        again = evolve(Group(id, group.force), read)
        assert msgspec.json.encode(again) == msgspec.json.encode(group)
        moved = [entry for entry in events if isinstance(entry, CapsMoved | FoodMoved | ItemGained)]
        assert all(entry.reason and entry.clause for entry in moved)
        start = events[0].accepted.caps
        assert group.caps == start + sum(entry.amount for entry in of_kind(events, CapsMoved))
        food = sum(entry.amount for entry in of_kind(events, FoodMoved))
        assert group.clean + group.radiated == food
        assert group.rating == group_rating(play.rules, group)
        ids = [member.id for member in group.members] + [item.id for item in group.items]
        assert max(Counter(ids).values(), default=1) == 1
        everything = [*play.common, *events]
        assert list(faults_of_rolls(play.rules, everything, play.draws)) == []
        _steps_in_order(play, events)


def _steps_in_order(play: Play, events: list[Any]) -> None:
    order = order_of(play.rules)
    closed = [outcome for outcome in events if isinstance(outcome, StepClosed)]
    for before, after in pairwise(closed):
        if before.next is not None:
            assert after.step == before.next
    assert all(outcome.next == next(iter(order[order.index(outcome.step) + 1 :]), None) for outcome in closed)


@pytest.mark.clause("FS-PGP-1", "FS-PGP-2", "FS-PGP-3", "FS-PGP-5", "FS-RAT-3", "FS-AUD-2")
@pytest.mark.parametrize("options", OPTIONS)
@settings(max_examples=examples(6), deadline=None)
@given(seed=some.text(max_size=8))
def test_any_legal_sequence_keeps_the_invariants(options: dict[str, Any], seed: str) -> None:
    play = Play(rules(**options), 3, seed)
    for round in (1, 2):
        play.play_round(round)
    held(play)


@pytest.mark.clause("FS-AUD-2", "FS-RND-1", "FS-DICE-5", "FS-RAT-1")
def test_twelve_groups_over_ten_rounds_are_replayed_bit_for_bit() -> None:
    play = Play(RULES, 12, "a whole campaign")
    for round in range(1, 11):
        play.play_round(round)
    held(play)
    twin = Play(RULES, 12, "a whole campaign")
    for round in range(1, 11):
        twin.play_round(round)
    assert msgspec.json.encode(twin.groups) == msgspec.json.encode(play.groups)
    final = list(of_kind(play.said["g-00"], GroupRatingFinalised))
    assert len(final) == 11
    assert play.done > 500


def a_story() -> list[Any]:
    """Return an injury and its consequences."""
    group = in_step(a_group(ranks="vg"), "1", injured=("m-2",))
    return roll_injury(RULES, group, "m-2", thrown(6, 6), LOTS)


@pytest.mark.clause("FS-AUD-1", "FS-AUD-2")
def test_mismatched_rolls_and_outcomes_are_reported() -> None:
    rolled, injury, suffered = a_story()

    def wrong(*events: Any) -> list[tuple[str, str]]:
        return [(fault.where, fault.clause) for fault in faults_of_rolls(RULES, events)]

    assert wrong(rolled, injury, suffered) == []
    assert wrong(rolled) == [("/0", "FS-AUD-2")]
    assert wrong(injury) == [("/0", "FS-AUD-2")]
    assert wrong(rolled, replace(injury, roll="")) == [("/1", "FS-AUD-2"), ("/0", "FS-AUD-2")]
    assert wrong(rolled, rolled, injury) == [("/1/roll", "FS-AUD-1")]
    assert wrong(replace(rolled, total=13), injury) == [("/0/total", "FS-AUD-2")]
    assert wrong(replace(rolled, derived=(6, 7)), injury) == [("/0/derived", "FS-AUD-2")]
    assert wrong(replace(rolled, row=replace(rolled.row, least=10)), injury) == [("/0/row", "FS-AUD-2")]
    assert wrong(replace(rolled, dice=rolled.dice[:1]), injury) == [("/0", "FS-AUD-2")]
    assert wrong(replace(rolled, replaces="r-0"), injury) == [("/0/replaces", "FS-DICE-5")]
    assert wrong(CapsMoved(5, "scavenging", "FS-SCV-1")) == [("/0", "FS-AUD-2")]
    assert wrong(CapsMoved(100, "objective", "FS-GAM-10")) == []
    unrolled = PriceQuoted("jet", 10, (), (5, 4))
    assert wrong(unrolled) == [("/0", "FS-AUD-2")]
    once = rules(barter__opposed_roll="per_visit")
    assert list(faults_of_rolls(once, [unrolled])) == []  # one roll serves the whole visit
    assert [fault.where for fault in faults_of_rolls(once, [replace(unrolled, seller="m-1")])] == ["/0"]


@pytest.mark.clause("FS-AUD-1")
def test_a_recorded_roll_is_plain_data() -> None:
    rolled = a_story()[0]
    assert msgspec.json.decode(msgspec.json.encode(rolled), type=DieRolled) == rolled
