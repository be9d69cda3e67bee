"""Advancement rolls, active and inactive perks, and current attribute values."""

from __future__ import annotations

from typing import Any

import pytest

from shared.campaign.experience import (
    choose_attribute,
    choose_perk,
    may_raise,
    open_perks,
    roll_advancement,
)
from shared.campaign.roster import Group, HeldPerk, armor_save, attribute, has_perk, rank_for_gear, rank_name
from shared.campaign.words import ChoiceRefused
from tests.campaign.story import RULES, a_group, in_step, refused, rules, then, thrown, with_member


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
def test_perks_are_chosen_and_some_rolls_waive_the_requirement(total: int, waived: bool) -> None:
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
def test_a_perk_cannot_be_taken_twice() -> None:
    group = owed(perks=(HeldPerk("explorer"),))
    assert "explorer" not in open_perks(RULES, group, group.member("m-2"), waived=True)
    assert len(open_perks(RULES, group, group.member("m-2"), waived=True)) == 18


@pytest.mark.clause("FS-PRK-1", "FS-AMB-14")
def test_requirements_are_minimums_or_maximums_by_option() -> None:
    group = a_group(ranks="ve")
    minimum = open_perks(RULES, group, group.member("m-2"), waived=False)
    assert "better_criticals" in minimum
    assert "ninja" not in minimum
    maximum = open_perks(rules(perk__requirement="maximum"), group, group.member("m-1"), waived=False)
    assert "ninja" in maximum
    assert "better_criticals" not in maximum


@pytest.mark.clause("FS-PRK-2", "FS-AMB-15", "FS-LDR-1", "FS-LDR-2")
def test_a_perk_is_inactive_while_its_requirement_is_not_met() -> None:
    group = with_member(a_group(ranks="ve"), "m-2", perks=(HeldPerk("gunslinger"), HeldPerk("ninja", True)))
    hurt = with_member(group, "m-2", injuries=("eye_wound",))
    assert has_perk(RULES, group, group.member("m-2"), "gunslinger")
    assert not has_perk(RULES, hurt, hurt.member("m-2"), "gunslinger")
    assert has_perk(RULES, hurt, hurt.member("m-2"), "ninja")
    assert not has_perk(rules(perk__waived_requirement="dormant"), hurt, hurt.member("m-2"), "ninja")
    assert has_perk(RULES, group, group.member("m-1"), "leader")
    assert not has_perk(RULES, group, group.member("m-2"), "leader")


@pytest.mark.clause("FS-ADV-2", "FS-DICE-5")
def test_gain_beyond_the_maximum_is_rerolled() -> None:
    group = owed(ranks="vv")
    events = roll_advancement(RULES, group, "m-2", thrown(7, 8))
    assert events[1].again
    group = then(group, events)
    assert group.member("m-2").advances == 2
    again = thrown(1, 3, replaces=events[0].roll)
    assert then(group, roll_advancement(RULES, group, "m-2", again)).member("m-2").raised == {"I": 1}


@pytest.mark.clause("FS-ADV-1", "FS-PRK-1")
@pytest.mark.parametrize(("gains", "again"), [("perk", True), ("perk_any", False)])
def test_perk_is_rerolled_if_no_requirement_is_met(gains: str, again: bool) -> None:
    group = owed()
    met = open_perks(RULES, group, group.member("m-2"), waived=False)
    group = with_member(group, "m-2", perks=tuple(HeldPerk(perk) for perk in met))
    least = next(row.least for row in RULES.advancement.rows if row.gains == gains)
    assert roll_advancement(RULES, group, "m-2", thrown(least - 1, 1))[1].again is again


@pytest.mark.clause("FS-ADV-2", "FS-AMB-12")
def test_gain_beyond_the_maximum_may_be_replaced_by_option() -> None:
    ruleset, group = rules(adv__over_maximum="choose_other"), owed(ranks="vv")
    group = then(group, roll_advancement(ruleset, group, "m-2", thrown(7, 8)))
    assert refused(ChoiceRefused, choose_attribute, ruleset, group, "m-2", "W") == [("/attribute", "FS-AMB-12")]
    assert then(group, choose_attribute(ruleset, group, "m-2", "L")).member("m-2").raised == {"L": 1}


@pytest.mark.clause("FS-ADV-2", "FS-AMB-13")
@pytest.mark.parametrize(("most", "can"), [(3, [False, False]), (4, [True, False]), (5, [True, True])])
def test_super_mutants_have_their_own_maximum_of_wounds(most: int, can: list[bool]) -> None:
    ruleset, group = rules(adv__super_mutant_wounds_max=most), a_group("super_mutants", "ev")
    assert [may_raise(ruleset, group, member, "W") for member in group.members] == can
    assert attribute(ruleset, group, group.members[1], "W") == 4


@pytest.mark.clause("FS-INJ-2", "FS-RAD-1")
def test_current_attribute_values() -> None:
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
    from shared.campaign.roster import band

    assert " ".join(f"{name}{change}" for name, change in band(RULES, rads).changes.items()) == changes
    assert not band(RULES, rads).dies
    assert band(RULES, 26).dies


@pytest.mark.clause("FS-AMB-24", "FS-AMB-25", "FS-AMB-51")
def test_options_for_names_ranks_and_armor() -> None:
    other = rules(force__rank_names="allowance_lines")
    names = [rank_name(ruleset, "brotherhood_of_steel", "green") for ruleset in (RULES, other)]
    assert names == ["Initiate", "Apprentices"]
    risen = with_member(a_group(ranks="vg"), "m-2", level=7)
    assert rank_for_gear(RULES, risen.member("m-2")) == "green"
    assert rank_for_gear(rules(rank__promotion="by_level_label"), risen.member("m-2")) == "experienced"
    for chosen, saves in (("per_force", [3, 5]), (3, [3, 3]), (5, [5, 5])):
        ruleset = rules(data__trench_coat_armor=chosen)
        assert [armor_save(ruleset, force, "trench_coat") for force in ("enclave", "regulators")] == saves
    assert [armor_save(RULES, "raiders", good) for good in ("power_armor", "jet")] == [7, 0]
