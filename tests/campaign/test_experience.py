"""Experience, levels, advancement and perks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from shared.rules.campaign.advancement import (
    choose_attribute,
    choose_perk,
    may_raise,
    open_perks,
    roll_advancement,
)
from shared.rules.campaign.attributes import armor_save, attribute, has_perk, rank_for_gear, rank_name
from shared.rules.campaign.experience import award_experience, change_xp, level_at, raise_to_next_level
from shared.rules.campaign.outcomes import LevelReached
from shared.rules.campaign.refusals import ChoiceRefused
from shared.rules.campaign.reported import Deeds
from shared.rules.campaign.roster import Group, HeldPerk
from shared.rules.campaign.tables import Rules
from tests.campaign.story import EXAMPLES, RULES, a_group, in_step, of_kind, refused, rules, then, thrown, with_member


def awarded(group: Group, told: Rules = RULES, deaths: tuple[str, ...] = ()) -> Group:
    return then(group, award_experience(told, group, deaths))


def xp_of(*deeds: Deeds, ranks: str = "ggg", told: Rules = RULES, deaths: Any = (), **more: Any) -> list[int]:
    force, ending, side = more.get("force", "raiders"), more.get("ending", "loss"), more.get("side", {})
    group = in_step(a_group(force, ranks), "2", *deeds, ending=ending, side=side)
    after = awarded(group, told, deaths)
    return [member.xp - before.xp for member, before in zip(after.members, group.members, strict=True)]


@pytest.mark.clause("FS-EX-4", "FS-XP-1", "FS-XP-4", "FS-XP-5", "FS-ADV-1")
def test_the_member_of_the_document() -> None:
    example = EXAMPLES["FS-EX-4"]
    group = with_member(a_group(ranks="ve"), "m-2", xp=example["xp"], level=example["level"])
    group = in_step(group, "2", Deeds("m-2", **example["deeds"]), ending="loss")
    said = award_experience(RULES, group)
    assert [outcome.level for outcome in of_kind(said, LevelReached)] == example["reached"]
    group = then(group, said)
    assert [group.member("m-2").xp, group.member("m-2").advances] == [example["after"], 2]
    for total, raised in example["rolls"].items():
        before = attribute(RULES, group, group.member("m-2"), raised)
        group = then(group, roll_advancement(RULES, group, "m-2", thrown(total - 1, 1)))
        assert attribute(RULES, group, group.member("m-2"), raised) == before + 1
    assert group.member("m-2").advances == 0
    assert refused(ChoiceRefused, roll_advancement, RULES, group, "m-2", thrown(1, 1)) == [("/member", "FS-XP-5")]
    one = in_step(with_member(group, "m-2", xp=14, level=4), "2", Deeds("m-2", wounds=4))
    assert awarded(one, rules(xp__level_count="one_per_game")).member("m-2").advances == 1


@pytest.mark.clause("FS-EX-4", "FS-XP-5")
def test_a_starting_experienced_needs_27_for_the_first_advancement() -> None:
    group = a_group(ranks="ve")
    assert not list(of_kind(change_xp(RULES, group, "m-2", 1, "x", "FS-XP-1"), LevelReached))
    needed = EXAMPLES["FS-EX-4"]["next_of_a_starting_experienced"] - 25
    assert [said.level for said in of_kind(change_xp(RULES, group, "m-2", needed, "x", "FS-XP-1"), LevelReached)] == [9]


@pytest.mark.clause("FS-XP-5", "FS-GRP-11")
def test_starting_levels() -> None:
    assert [member.level for member in a_group(ranks="gev").members] == [0, 8, 14]
    assert [member.level for member in a_group(ranks="gev", told=rules(start__experienced_xp=21)).members] == [0, 7, 14]
    assert [level_at(RULES, xp) for xp in (2, 3, 99, 100, 500)] == [0, 1, 19, 20, 20]


@pytest.mark.clause("FS-XP-1")
@pytest.mark.parametrize(
    ("deeds", "earned"),
    [
        ({}, 1),
        ({"wounds": 2, "kills": 1}, 4),
        ({"computers": 1, "locks": 2}, 4),
    ],
)
def test_what_a_game_earns(deeds: dict[str, Any], earned: int) -> None:
    assert xp_of(Deeds("m-2", **deeds)) == [0, earned, 0]


@pytest.mark.clause("FS-XP-1")
def test_the_leader_of_the_winning_group_earns_one_more_if_fielded() -> None:
    assert xp_of(Deeds("m-1"), Deeds("m-2"), ending="win") == [2, 1, 0]
    assert xp_of(Deeds("m-1"), Deeds("m-2"), ending="draw") == [1, 1, 0]
    assert xp_of(Deeds("m-2"), ending="win") == [0, 1, 0]


@pytest.mark.clause("FS-XP-2")
def test_who_was_taken_down_and_lives_has_survived() -> None:
    down = Deeds("m-2", down="rival", wounds=1)
    assert xp_of(down) == [0, 2, 0]
    assert xp_of(down, told=rules(xp__survive="not_taken_down")) == [0, 1, 0]
    gone = in_step(a_group(ranks="vg"), "2", Deeds("m-9", wounds=5))
    assert [member.xp for member in awarded(gone).members] == [50, 0]


def test_other_readings_of_wounds_and_kills() -> None:
    deeds = Deeds("m-2", wounds=3, models=2, kills=2, took=("x-1",))
    assert xp_of(deeds) == [0, 6, 0]
    assert xp_of(deeds, told=rules(xp__wound="per_model")) == [0, 5, 0]
    assert xp_of(deeds, told=rules(xp__kill="dead_on_injury_table")) == [0, 5, 0]
    assert xp_of(deeds, told=rules(xp__kill="dead_on_injury_table"), deaths=("x-1",)) == [0, 6, 0]


@pytest.mark.clause("FS-XP-3")
def test_force_extras() -> None:
    tech = [Deeds("m-1"), Deeds("m-2", high_tech=2), Deeds("m-3", high_tech=1, down="rival")]
    assert xp_of(*tech, force="brotherhood_of_steel", ranks="vgg", side={"missed": 3}) == [-2, 2, 1]
    assert xp_of(*tech, force="raiders", ranks="vgg", side={"missed": 3}) == [1, 1, 1]
    assert xp_of(Deeds("m-1"), Deeds("m-2", mutated=2), force="enclave", side={"left": 1}) == [0, 3, 0]
    assert xp_of(Deeds("m-2", evil=2), force="regulators") == [0, 3, 0]


@pytest.mark.clause("FS-XP-5")
def test_losses_stop_at_nothing_and_take_no_level() -> None:
    group = in_step(a_group("enclave", "gg"), "2", Deeds("m-2"), side={"left": 5})
    assert awarded(group).member("m-1").xp == 0
    high = in_step(with_member(a_group("enclave", "vg"), "m-1", xp=50, level=14), "2", Deeds("m-2"), side={"left": 5})
    assert (awarded(high).member("m-1").xp, awarded(high).member("m-1").level) == (45, 14)
    assert awarded(high, rules(xp__loss="undo_level")).member("m-1").level == 13


@pytest.mark.clause("FS-XP-6")
def test_a_level_as_a_reward() -> None:
    group = a_group(ranks="vg")
    after = then(group, raise_to_next_level(RULES, group, group.member("m-2")))
    assert (after.member("m-2").xp, after.member("m-2").level, after.member("m-2").advances) == (3, 1, 1)
    told = rules(reward__level_gain="roll_only")
    after = then(group, raise_to_next_level(told, group, group.member("m-2")))
    assert (after.member("m-2").xp, after.member("m-2").level, after.member("m-2").advances) == (0, 1, 1)


@pytest.mark.clause("FS-XP-4", "FS-XP-5")
@given(some.lists(some.integers(0, 30), max_size=12))
def test_each_level_is_reached_once_and_in_order(gains: list[int]) -> None:
    group, reached = a_group(ranks="g"), []
    for gain in gains:
        said = change_xp(RULES, group, "m-1", gain, "x", "FS-XP-1")
        reached += [outcome.level for outcome in of_kind(said, LevelReached)]
        group = then(group, said)
    assert reached == list(range(1, level_at(RULES, sum(gains)) + 1))
    assert group.member("m-1").advances == len(reached)


def owed(ranks: str = "vg", force: str = "raiders", **changes: Any) -> Group:
    return in_step(with_member(a_group(force, ranks), "m-2", advances=2, **changes), "2")


@pytest.mark.clause("FS-ADV-1")
@pytest.mark.parametrize(
    ("totals", "gains"),
    [
        *(((4, 5), "I"), ((6, 7), "E"), ((10, 11), "C"), ((12,), "A"), ((13,), "P"), ((14,), "S"), ((15, 16), "W")),
        *(((19, 20), "AP"), ((21, 22), "L")),
    ],
)
def test_the_advancement_table(totals: tuple[int, ...], gains: str) -> None:
    for total in totals:
        group = owed()
        after = then(group, roll_advancement(RULES, group, "m-2", thrown(total // 2, total - total // 2)))
        assert after.member("m-2").raised == {gains: 1}
        assert after.member("m-2").advances == 1


@pytest.mark.clause("FS-ADV-1", "FS-PRK-1", "FS-PRK-3")
@pytest.mark.parametrize(("total", "waived"), [(2, True), (3, True), (8, False), (17, False), (18, False), (24, True)])
def test_perks_are_chosen_and_some_rolls_waive_what_they_require(total: int, waived: bool) -> None:
    group = owed()
    group = then(group, roll_advancement(RULES, group, "m-2", thrown(total // 2, total - total // 2)))
    assert refused(ChoiceRefused, roll_advancement, RULES, group, "m-2", thrown(1, 1)) == [("/member", "FS-ADV-1")]
    assert refused(ChoiceRefused, choose_perk, RULES, group, "m-2", "leader") == [("/perk", "FS-PRK-1")]
    if waived:
        after = then(group, choose_perk(RULES, group, "m-2", "ninja"))
        assert after.member("m-2").perks == (HeldPerk("ninja", True),)
    else:
        assert refused(ChoiceRefused, choose_perk, RULES, group, "m-2", "ninja") == [("/perk", "FS-PRK-1")]
        after = then(group, choose_perk(RULES, group, "m-2", "explorer"))
        assert after.member("m-2").perks == (HeldPerk("explorer"),)
    assert after.member("m-2").advances == 1
    assert refused(ChoiceRefused, choose_perk, RULES, after, "m-2", "cannibal") == [("/member", "FS-ADV-1")]


@pytest.mark.clause("FS-PRK-1")
def test_a_perk_is_had_once() -> None:
    group = owed(perks=(HeldPerk("explorer"),))
    assert "explorer" not in open_perks(RULES, group, group.member("m-2"), waived=True)
    assert len(open_perks(RULES, group, group.member("m-2"), waived=True)) == 18


@pytest.mark.clause("FS-PRK-1")
def test_requirements_are_a_minimum_or_read_as_a_maximum() -> None:
    group = a_group(ranks="ve")
    minimum = open_perks(RULES, group, group.member("m-2"), waived=False)
    assert "better_criticals" in minimum
    assert "ninja" not in minimum
    maximum = open_perks(rules(perk__requirement="maximum"), group, group.member("m-1"), waived=False)
    assert "ninja" in maximum
    assert "better_criticals" not in maximum


@pytest.mark.clause("FS-PRK-2")
def test_a_perk_sleeps_while_its_requirement_is_not_met() -> None:
    group = with_member(a_group(ranks="ve"), "m-2", perks=(HeldPerk("gunslinger"), HeldPerk("ninja", True)))
    hurt = with_member(group, "m-2", injuries=("eye_wound",))
    assert has_perk(RULES, group, group.member("m-2"), "gunslinger")
    assert not has_perk(RULES, hurt, hurt.member("m-2"), "gunslinger")
    assert has_perk(RULES, hurt, hurt.member("m-2"), "ninja")
    assert not has_perk(rules(perk__waived_requirement="dormant"), hurt, hurt.member("m-2"), "ninja")
    assert has_perk(RULES, group, group.member("m-1"), "leader")
    assert not has_perk(RULES, group, group.member("m-2"), "leader")


@pytest.mark.clause("FS-ADV-2", "FS-DICE-5")
def test_a_gain_beyond_the_maximum_is_rolled_again() -> None:
    group = owed(ranks="vv")
    said = roll_advancement(RULES, group, "m-2", thrown(7, 8))
    assert said[1].again
    group = then(group, said)
    assert group.member("m-2").advances == 2
    again = thrown(1, 3, replaces=said[0].roll)
    assert then(group, roll_advancement(RULES, group, "m-2", again)).member("m-2").raised == {"I": 1}


@pytest.mark.clause("FS-ADV-2")
def test_a_gain_beyond_the_maximum_may_be_another_where_the_organiser_says_so() -> None:
    told, group = rules(adv__over_maximum="choose_other"), owed(ranks="vv")
    group = then(group, roll_advancement(told, group, "m-2", thrown(7, 8)))
    assert refused(ChoiceRefused, choose_attribute, told, group, "m-2", "W") == [("/attribute", "FS-AMB-12")]
    assert then(group, choose_attribute(told, group, "m-2", "L")).member("m-2").raised == {"L": 1}


@pytest.mark.clause("FS-ADV-2")
@pytest.mark.parametrize(("most", "can"), [(3, [False, False]), (4, [True, False]), (5, [True, True])])
def test_wounds_of_super_mutants_have_a_maximum_of_their_own(most: int, can: list[bool]) -> None:
    told, group = rules(adv__super_mutant_wounds_max=most), a_group("super_mutants", "ev")
    assert [may_raise(told, group, member, "W") for member in group.members] == can
    assert attribute(told, group, group.members[1], "W") == 4


@pytest.mark.clause("FS-INJ-2", "FS-RAD-1")
def test_present_values() -> None:
    group = with_member(a_group(ranks="v"), "m-1", injuries=("crippled_body", "crippled_body"), rads=16)
    assert [attribute(RULES, group, group.member("m-1"), name) for name in "SPECIAL"] == [5, 6, 1, 6, 6, 4, 6]
    cap = a_group(ranks="v", goods=[("lucky_baseball_cap", "m-1")])
    assert attribute(RULES, cap, cap.member("m-1"), "L") == 7
    stashed = a_group(ranks="v", goods=["lucky_baseball_cap"])
    assert attribute(RULES, stashed, stashed.member("m-1"), "L") == 6


@pytest.mark.clause("FS-RAD-1")
@pytest.mark.parametrize(
    ("rads", "changes"),
    [
        *((0, ""), (5, ""), (6, "E-1"), (10, "E-1"), (11, "E-2 A-1"), (15, "E-2 A-1"), (16, "E-3 A-2 S-1")),
        *((20, "E-3 A-2 S-1"), (21, "E-3 A-2 S-2"), (25, "E-3 A-2 S-2")),
    ],
)
def test_radiation_bands(rads: int, changes: str) -> None:
    from shared.rules.campaign.attributes import band

    assert " ".join(f"{name}{change}" for name, change in band(RULES, rads).changes.items()) == changes
    assert not band(RULES, rads).dies
    assert band(RULES, 26).dies


def test_names_ranks_and_armor_that_the_organiser_may_read_otherwise() -> None:
    other = rules(force__rank_names="allowance_lines")
    names = [rank_name(told, "brotherhood_of_steel", "green") for told in (RULES, other)]
    assert names == ["Initiate", "Apprentices"]
    risen = with_member(a_group(ranks="vg"), "m-2", level=7)
    assert rank_for_gear(RULES, risen.member("m-2")) == "green"
    assert rank_for_gear(rules(rank__promotion="by_level_label"), risen.member("m-2")) == "experienced"
    saves = [
        armor_save(rules(data__trench_coat_armor=chosen), "enclave", "trench_coat") for chosen in ("per_force", 3, 5)
    ]
    assert saves == [3, 3, 5]
    assert [armor_save(RULES, "raiders", good) for good in ("power_armor", "jet")] == [7, 0]
