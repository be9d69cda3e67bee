"""The order of the post-game phase, rewards, and moves of items between games."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from shared.campaign.experience import award_experience
from shared.campaign.food import Upkeep, settle_upkeep
from shared.campaign.group import group_rating
from shared.campaign.muster import objective_by
from shared.campaign.post_game import close_step, move_item, organiser_entry
from shared.campaign.post_game_outcomes import CapsMoved, ItemGained
from shared.campaign.rewards import Claim, claim_reward, claim_turf, forgo_reward, reward_dice
from shared.campaign.roster import Group, Step
from shared.campaign.steps import NAMES, order_of, room_for, step_closed
from shared.campaign.tables import Rules
from shared.campaign.words import BalanceTooLow, ChoiceRefused, StepRefused
from shared.tournament.draws import SeededDraws
from tests.campaign.story import (
    LOTS,
    RULES,
    a_group,
    in_step,
    kinds,
    of_kind,
    refused,
    rules,
    then,
    thrown,
    with_member,
)


def won(objective: int, ranks: str = "vgg", force: str = "raiders", reward: bool = True, **more: Any) -> Group:
    """Return a group in step 1b that rolled an objective."""
    group = in_step(a_group(force, ranks, **more), "1b")
    played = replace(group.phase.played, side=replace(group.phase.played.side, objective=objective), reward=reward)
    return replace(group, phase=replace(group.phase, played=played))


def claimed(group: Group, seed: str = "s", ruleset: Rules = RULES, **claim: Any) -> Group:
    return then(group, claim_reward(ruleset, group, Claim(**claim), SeededDraws(seed)))


def wrong(group: Group, ruleset: Rules = RULES, **claim: Any) -> list[tuple[str, str]]:
    return refused(ChoiceRefused, claim_reward, ruleset, group, Claim(**claim), LOTS)


@pytest.mark.clause("FS-PGP-1", "FS-AMB-3", "FS-AMB-46")
def test_the_order_of_the_steps() -> None:
    assert order_of(RULES) == ("1", "1b", "2", "3", "4", "5", "6", "7", "8", "9")
    assert order_of(rules(reward__step="before_injuries"))[:3] == ("1b", "1", "2")
    assert order_of(rules(post__build_and_doctor="with_step_3"))[-3:] == ("5", "6", "9")
    assert set(NAMES) == set(get_args(Step))
    assert [step_closed(RULES, step).next for step in order_of(RULES)] == [*order_of(RULES)[1:], None]


@pytest.mark.clause("FS-PGP-1", "FS-RAT-3")
def test_steps_close_in_order_and_the_last_finalises_the_rating() -> None:
    group = in_step(a_group(ranks="vg", caps=50), "1")
    for step in order_of(RULES):
        for other in order_of(RULES):
            if other != step:
                assert refused(StepRefused, close_step, RULES, group, other, LOTS) == [("/step", "FS-PGP-1")]
        if step == "2":
            assert refused(ChoiceRefused, close_step, RULES, group, "2", LOTS) == [("/experience", "FS-XP-1")]
            group = then(group, award_experience(RULES, group))
        if step == "3":
            group = then(group, settle_upkeep(RULES, group, Upkeep(), LOTS))
        events = [step_closed(RULES, "4")] if step == "4" else close_step(RULES, group, step, LOTS)
        group = then(group, events)
    assert group.phase is None
    assert group.rating == group_rating(RULES, group) > 0
    assert refused(StepRefused, close_step, RULES, group, "9", LOTS) == [("/step", "FS-PGP-1")]


@pytest.mark.clause("FS-GAM-10")
def test_reward_is_for_the_winner_and_given_once() -> None:
    assert wrong(won(1, reward=False)) == [("/reward", "FS-GAM-10")]
    group = claimed(won(1))
    assert group.caps == 100
    assert wrong(group) == [("/reward", "FS-GAM-10")]
    assert refused(StepRefused, claim_reward, RULES, in_step(a_group(), "2"), Claim(), LOTS) == [("/step", "FS-PGP-1")]


@pytest.mark.clause("FS-GAM-10")
@pytest.mark.parametrize(
    ("objective", "face", "good", "goods"),
    [
        (6, 9, "", ["frag_grenade"] * 5),
        (7, 1, "", ["requirements_rock_it_launcher"]),
        (7, 12, "", ["schematics_rock_it_launcher"]),
        (9, 3, "", ["radaway"] * 2),
        (11, 5, "jet", ["jet"] * 3),
        (11, 5, "mentats", ["mentats"] * 3),
    ],
)
def test_rewards_of_goods_by_dice(objective: int, face: int, good: str, goods: list[str]) -> None:
    group = won(objective)
    assert reward_dice(RULES, group) == "1D6"
    events = claim_reward(RULES, group, Claim(good=good, roll=thrown(face)), LOTS)
    assert [gained.item.good for gained in of_kind(events, ItemGained)] == goods
    assert {gained.roll for gained in of_kind(events, ItemGained)} == {events[0].roll}
    assert wrong(group, good=good) == [("/roll", "FS-GAM-10")]


@pytest.mark.clause("FS-GAM-10", "FS-AMB-28")
def test_rewards_without_dice() -> None:
    hurt = with_member(won(2), "m-2", injuries=("scarred", "eye_wound"))
    assert claimed(hurt, member="m-2", injury="eye_wound").member("m-2").injuries == ("scarred",)
    assert wrong(hurt, member="m-2", injury="crippled_leg") == [("/injury", "FS-GAM-10")]
    assert claimed(won(4)).phase.half_maintenance
    assert claimed(won(5), good="missile_launcher").items[0].good == "missile_launcher"
    assert wrong(won(5), good="laser_rifle") == [("/good", "FS-GAM-10")]
    counted = rules(force__big_gun_ratio="checked_on_purchase")
    assert wrong(won(5), counted, good="missile_launcher") == [("/items", "FS-GRP-8")]
    assert claimed(won(8)).items[0].good == "nuka_grenade"
    assert [member.rank for member in claimed(won(10)).members] == ["veteran", "green", "green", "green"]
    joined = claimed(won(10))
    assert (joined.members[-1].id, joined.serial) == (f"m-{won(10).serial + 1}", won(10).serial + 1)
    assert wrong(won(10, ranks="v" * 15)) == [("/members", "FS-GRP-5")]
    assert wrong(won(11), roll=thrown(1)) == [("/good", "FS-GAM-10")]
    assert claimed(won(12)).phase.extra_finds == 1
    assert wrong(won(1), roll=thrown(1)) == [("/roll", "FS-GAM-10")]
    assert reward_dice(RULES, won(1)) == ""


@pytest.mark.clause("FS-GAM-10")
@pytest.mark.parametrize("objective", [1, 3, 4, 8, 10, 12])
def test_reward_without_dice_or_choice_is_given_when_the_step_closes(objective: int) -> None:
    events = close_step(RULES, won(objective), "1b", LOTS)
    claiming = claim_reward(RULES, won(objective), Claim(), LOTS)
    assert events == [*claiming, step_closed(RULES, "1b")]
    before = claimed(won(objective))
    assert close_step(RULES, before, "1b", LOTS) == [step_closed(RULES, "1b")]
    assert close_step(RULES, won(objective, reward=False), "1b", LOTS) == [step_closed(RULES, "1b")]


@pytest.mark.clause("FS-GAM-10")
@pytest.mark.parametrize("objective", [2, 5, 6, 7, 9, 11])
def test_reward_with_dice_or_choice_must_be_claimed_or_forgone(objective: int) -> None:
    group = with_member(won(objective), "m-2", injuries=("scarred", "eye_wound"))
    assert refused(ChoiceRefused, close_step, RULES, group, "1b", LOTS) == [("/reward", "FS-GAM-10")]
    events = forgo_reward(RULES, group)
    assert kinds(events) == ["RewardForgone"]
    after = then(group, events)
    assert wrong(after) == [("/reward", "FS-GAM-10")]
    assert refused(ChoiceRefused, forgo_reward, RULES, after) == [("/reward", "FS-GAM-10")]
    assert close_step(RULES, after, "1b", LOTS) == [step_closed(RULES, "1b")]


@pytest.mark.clause("FS-GAM-10")
def test_impossible_reward_is_forgone_on_record() -> None:
    full, unhurt = won(10, ranks="v" * 15), won(2)
    for group in (full, unhurt):
        forgone, end = close_step(RULES, group, "1b", LOTS)
        assert (forgone.objective, forgone.reason) == (claimable(group), "impossible")
        assert end == step_closed(RULES, "1b")
    single = with_member(won(2), "m-2", injuries=("scarred",))  # nothing to choose from
    assert then(single, close_step(RULES, single, "1b", LOTS)).member("m-2").injuries == ()


def claimable(group: Group) -> str:
    return objective_by(RULES, group.phase.played.side.objective).objective


@pytest.mark.clause("FS-GAM-10", "FS-XP-6", "FS-DICE-4", "FS-AMB-46")
def test_random_member_below_the_last_level_gains_a_level() -> None:
    gained = set()
    for seed in range(30):
        after = claimed(with_member(won(3), "m-1", xp=100, level=20), str(seed))
        gained |= {member.id for member in after.members if member.advances}
    assert gained == {"m-2", "m-3"}
    roll_only = claimed(won(3, ranks="g"), ruleset=rules(reward__level_gain="roll_only"))
    assert (roll_only.members[0].xp, roll_only.members[0].level) == (0, 1)
    done = with_member(won(3, ranks="v"), "m-1", xp=100, level=20)
    assert wrong(done) == [("/member", "FS-XP-6")]


@pytest.mark.clause("FS-AMB-33")
def test_winner_rolls_a_new_turf_by_option() -> None:
    ruleset, group = rules(turf__gain="winner_rolls_new"), won(1, turfs=["bar"] * 3)
    assert refused(ChoiceRefused, claim_turf, RULES, group, thrown(1, 1)) == [("/turf", "FS-AMB-33")]
    after = then(group, claim_turf(ruleset, group, thrown(1, 1)))
    assert [owned.turf for owned in after.turfs] == ["bar"] * 3 + ["scrapyard"]
    assert refused(ChoiceRefused, claim_turf, ruleset, after, thrown(1, 1)) == [("/turf", "FS-AMB-33")]


@pytest.mark.clause("FS-PGP-7", "FS-GRP-7", "FS-GRP-8")
def test_items_move_between_members_and_stash() -> None:
    group = a_group("talon_company", "vg", goods=["smg_10mm", "minigun"])
    after = then(group, move_item(RULES, group, "i-100", "m-1"))
    assert (after.items[0].holder, group_rating(RULES, after)) == ("m-1", group_rating(RULES, group))
    assert then(after, move_item(RULES, after, "i-100")).items[0].holder == ""
    assert refused(ChoiceRefused, move_item, RULES, group, "i-101", "m-1") == [("/members/m-1", "FS-GRP-8")]
    assert move_item(RULES, group, "i-101", "m-2")
    assert refused(ChoiceRefused, move_item, RULES, group, "i-9", "m-2") == [("/item", "FS-PGP-7")]
    assert refused(ChoiceRefused, move_item, RULES, group, "i-100", "m-9") == [("/holder", "FS-PGP-7")]
    mutants = a_group("super_mutants", goods=["power_armor"])
    assert refused(ChoiceRefused, move_item, RULES, mutants, "i-100", "m-1") == [("/members/m-1", "FS-GRP-7")]


@pytest.mark.clause("FS-GRP-9", "FS-GRP-10")
def test_fourth_stimpak_is_refused() -> None:
    assert room_for(RULES, a_group(goods=["stimpak"] * 2), "stimpak") == []
    assert [fault.clause for fault in room_for(RULES, a_group(goods=["stimpak"] * 3), "stimpak")] == ["FS-GRP-10"]
    assert room_for(RULES, a_group(goods=["frag_grenade"] * 9), "frag_grenade") == []
    assert [RULES.goods[good].single_use for good in ("frag_grenade", "nuka_grenade")] == [False, True]


@pytest.mark.clause("FS-AMB-2", "FS-AMB-30")
def test_organiser_entries() -> None:
    sixth = in_step(a_group(caps=30), "6")
    assert refused(StepRefused, organiser_entry, RULES, in_step(a_group(), "5"), 1, (), "x") == [("/step", "FS-PGP-1")]
    assert refused(ChoiceRefused, organiser_entry, RULES, sixth, -10, (), "a gun") == [("/step", "FS-AMB-2")]
    ruleset = rules(post__hired_guns="operator_rules")
    events = organiser_entry(ruleset, sixth, -10, ("stimpak",), "a hired gun")
    after = then(sixth, events)
    assert (after.caps, after.items[0].good) == (20, "stimpak")
    assert all(moved.reason and moved.clause == "FS-AMB-2" for moved in of_kind(events, CapsMoved))
    assert refused(ChoiceRefused, organiser_entry, ruleset, sixth, 0, ("crown",), "") == [
        ("/goods/0", "FS-AMB-2"),
        ("/reason", "FS-AMB-2"),
    ]
    assert refused(BalanceTooLow, organiser_entry, ruleset, sixth, -31, (), "much") == [("/caps", "FS-PGP-3")]
    third = in_step(a_group(), "3")
    assert refused(ChoiceRefused, organiser_entry, RULES, third, 5, (), "x") == [("/step", "FS-AMB-30")]
    assert then(third, organiser_entry(rules(turf__free_trader_text="operator_text"), third, 5, (), "x")).caps == 5
