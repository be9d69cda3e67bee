"""Step 1: injuries, re-rolls, jail, blind members."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from shared.campaign.facts import Deeds, Played, SideReport
from shared.campaign.injuries import (
    check_jail,
    choose_clean_home,
    dismiss_blind,
    jail_bounty,
    reroll_injury,
    roll_injury,
    take_injury,
)
from shared.campaign.post_game import close_step, is_eliminated, open_post_game
from shared.campaign.post_game_outcomes import CapsMoved
from shared.campaign.roster import Group
from shared.campaign.tables import Rules
from shared.campaign.words import ChoiceRefused, DiceRefused
from tests.campaign.story import LOTS, RULES, a_group, kinds, refused, rules, then, thrown, with_member

DOWN = Deeds("m-2", down="rival", by="x-1")


def played(*deeds: Deeds, **side: Any) -> Played:
    return Played("win", SideReport("raiders-1", 1, members=deeds, **side), leader="m-1", rival="p2")


def opened(group: Group, *deeds: Deeds, ruleset: Rules = RULES, jailer: bool = False, **more: Any) -> Group:
    return then(
        group, open_post_game(ruleset, group, 1, played(*deeds, **more), LOTS, jailers=["p2"] if jailer else [])
    )


def rolled(group: Group, total: int, ruleset: Rules = RULES, replaces: str = "", member: str = "m-2") -> Any:
    dice = thrown(total // 2, total - total // 2, replaces=replaces)
    return roll_injury(ruleset, group, member, dice, LOTS)


@pytest.mark.clause("FS-INJ-1")
@pytest.mark.parametrize("row", RULES.injuries)
def test_every_row_of_the_injury_table(row: Any) -> None:
    for total in (row.least, row.most):
        group = opened(a_group(ranks="vg"), Deeds("m-1"), DOWN)
        group = then(group, rolled(group, total))
        if row.injury == "dead":
            assert group.member("m-2") is None
        else:
            assert group.member("m-2").injuries == (() if row.injury == "full_recovery" else (row.injury,))
        assert not group.phase.injured
        assert refused(ChoiceRefused, roll_injury, RULES, group, "m-2", thrown(1, 1), LOTS) == [("/member", "FS-INJ-1")]


@pytest.mark.clause("FS-INJ-1", "FS-PGP-1")
def test_only_members_taken_down_roll_once() -> None:
    group = opened(a_group(ranks="vgg"), Deeds("m-1"), DOWN)
    assert refused(ChoiceRefused, roll_injury, RULES, group, "m-1", thrown(5, 5), LOTS) == [("/member", "FS-INJ-1")]
    assert refused(ChoiceRefused, close_step, RULES, group, "1", LOTS) == [("/injured", "FS-INJ-1")]
    assert refused(DiceRefused, roll_injury, RULES, group, "m-2", thrown(13, 1), LOTS) == [
        ("/roll/dice/0/natural", "FS-DICE-1")
    ]
    group = then(group, rolled(group, 12))
    assert then(group, close_step(RULES, group, "1", LOTS)).phase.step == "1b"


@pytest.mark.clause("FS-PGP-6", "FS-LDR-2", "FS-INJ-1")
def test_death_loses_equipment_and_replaces_a_leader_at_once() -> None:
    group = a_group(ranks="veg", goods=[("smg_10mm", "m-1"), "flamer"])
    group = opened(group, Deeds("m-1", down="fall"))
    events = rolled(group, 2, member="m-1")
    assert kinds(events) == ["DieRolled", "InjuryRolled", "MemberRemoved", "LeaderAppointed"]
    assert events[2].roll == events[0].roll
    group = then(group, events)
    assert (group.leader, [item.good for item in group.items]) == ("m-2", ["flamer"])


@pytest.mark.clause("FS-INJ-2", "FS-DICE-5", "FS-AMB-6")
@pytest.mark.parametrize("injury", ["crippled_leg", "crippled_arm", "eye_wound"])
def test_third_injury_of_a_limb_is_rerolled(injury: str) -> None:
    total = next(row.least for row in RULES.injuries if row.injury == injury)
    had = with_member(a_group(ranks="vg"), "m-2", injuries=(injury, injury))
    group = opened(had, DOWN)
    events = rolled(group, total)
    group = then(group, events)
    assert refused(ChoiceRefused, close_step, RULES, group, "1", LOTS) == [("/injured", "FS-INJ-2")]
    assert refused(DiceRefused, roll_injury, RULES, group, "m-2", thrown(6, 6), LOTS) == [
        ("/roll/replaces", "FS-DICE-5")
    ]
    group = then(group, rolled(group, 12, replaces=events[0].roll))
    assert group.member("m-2").injuries == (injury, injury, "scarred")
    ruleset = rules(injury__impossible_result="full_recovery")
    group = opened(had, DOWN, ruleset=ruleset)
    spared = then(group, rolled(group, total, ruleset))
    assert spared.member("m-2").injuries == (injury, injury)
    assert then(spared, close_step(ruleset, spared, "1", LOTS)).phase.step == "1b"


@pytest.mark.clause("FS-INJ-2", "FS-AMB-7")
def test_attribute_injuries_add_up_and_may_count_as_limbs() -> None:
    group = opened(with_member(a_group(ranks="vg"), "m-2", injuries=("crippled_arms_strength",) * 2), DOWN)
    assert then(group, rolled(group, 15)).member("m-2").injuries == ("crippled_arms_strength",) * 3
    assert not rolled(group, 7)[1].again
    crippled_limbs = rules(injury__attribute_rows_count_as_limbs=True)
    assert rolled(group, 15, crippled_limbs)[1].again
    assert rolled(group, 7, crippled_limbs)[1].again


@pytest.mark.clause("FS-INJ-3")
def test_doctor_turf_gives_one_final_reroll() -> None:
    group = opened(a_group(ranks="vg", turfs=["doctor"]), DOWN)
    first = rolled(group, 2)
    group = then(group, first)
    assert group.member("m-2") is not None
    group = then(group, reroll_injury(RULES, group, "m-2"))
    group = then(group, rolled(group, 3, replaces=first[0].roll))
    assert group.member("m-2") is None
    group = opened(a_group(ranks="vg", turfs=["doctor"]), DOWN)
    group = then(group, rolled(group, 12))
    assert then(group, take_injury(RULES, group, "m-2", LOTS)).member("m-2").injuries == ("scarred",)
    assert then(group, close_step(RULES, group, "1", LOTS)).member("m-2").injuries == ("scarred",)
    assert refused(ChoiceRefused, take_injury, RULES, group, "m-1", LOTS) == [("/member", "FS-INJ-3")]


@pytest.mark.clause("FS-INJ-3", "FS-INJ-5")
def test_rerolls_expire_with_step_1_and_exclude_prisoners() -> None:
    group = opened(a_group(ranks="vg", turfs=["doctor"]), DOWN)
    group = then(group, rolled(group, 12))
    jailed = with_member(group, "m-2", away=True)
    assert refused(ChoiceRefused, reroll_injury, RULES, jailed, "m-2") == [("/members/m-2", "FS-INJ-5")]
    group = then(group, close_step(RULES, group, "1", LOTS))
    assert group.phase.rerolls == 0
    later = replace(group, phase=replace(group.phase, step="3"))
    assert refused(ChoiceRefused, reroll_injury, RULES, later, "m-2") == [("/rerolls", "FS-INJ-3")]
    visited = replace(later, phase=replace(later.phase, rerolls=1))
    assert then(visited, reroll_injury(RULES, visited, "m-2")).member("m-2").injuries == ()
    prisoner = with_member(visited, "m-2", away=True)
    assert refused(ChoiceRefused, reroll_injury, RULES, prisoner, "m-2") == [("/members/m-2", "FS-INJ-5")]


@pytest.mark.clause("FS-INJ-3")
def test_each_reroll_is_for_one_injury() -> None:
    deeds = (Deeds("m-1", down="fire"), DOWN)
    group = opened(a_group(ranks="vg", turfs=["doctor"]), *deeds)
    for member in ("m-1", "m-2"):
        group = then(group, rolled(group, 12, member=member))
    group = then(group, reroll_injury(RULES, group, "m-1"))
    assert refused(ChoiceRefused, reroll_injury, RULES, group, "m-2") == [("/rerolls", "FS-INJ-3")]
    two = opened(a_group(ranks="vg", turfs=["doctor", "doctor"]), *deeds)
    assert two.phase.rerolls == 2


@pytest.mark.clause("FS-AMB-32")
def test_options_for_the_doctors_reroll() -> None:
    ruleset = rules(turf__doctor_reroll="passive_except_dead")
    group = opened(a_group(ranks="vg", turfs=["doctor"]), DOWN, ruleset=ruleset)
    assert then(group, rolled(group, 2, ruleset)).member("m-2") is None
    scarred = then(group, rolled(group, 12, ruleset))
    assert scarred.phase.open_injuries
    assert kinds(reroll_injury(ruleset, scarred, "m-2")) == ["RerollUsed"]
    ruleset = rules(turf__doctor_reroll="needs_visit")
    group = opened(a_group(ranks="vg", turfs=["doctor"]), DOWN, ruleset=ruleset)
    assert then(group, rolled(group, 12, ruleset)).member("m-2").injuries == ("scarred",)


@pytest.mark.clause("FS-INJ-3", "FS-SPC-3")
def test_the_vault_gives_one_of_three_things() -> None:
    group = opened(a_group("vault_residents", "vg"), DOWN)
    group = then(group, rolled(group, 12))
    assert group.member("m-2").injuries == ()
    lab = then(group, choose_clean_home(RULES, group, "medical_lab"))
    assert then(lab, reroll_injury(RULES, lab, "m-2")).phase.open_injuries[0].again
    assert refused(ChoiceRefused, choose_clean_home, RULES, lab, "restaurant") == [("/choice", "FS-SPC-3")]
    shot = with_member(group, "m-1", rads=12)
    assert then(shot, choose_clean_home(RULES, shot, "radaway", "m-1")).member("m-1").rads == 2
    food = then(group, choose_clean_home(RULES, group, "restaurant"))
    assert (food.phase.home, food.phase.rerolls) == ("restaurant", 0)
    raiders = opened(a_group(ranks="vg"), DOWN)
    assert refused(ChoiceRefused, choose_clean_home, RULES, raiders, "restaurant") == [("/choice", "FS-SPC-3")]


@pytest.mark.clause("FS-SPC-4")
def test_killed_overseer_is_replaced_by_a_new_leader() -> None:
    group = opened(a_group("vault_residents", "veg", goods=[("minigun", "m-1")]), Deeds("m-1", down="creature"))
    group = then(group, rolled(group, 2, member="m-1"))
    group = then(group, close_step(RULES, group, "1", LOTS))
    new = group.members[-1]
    assert (new.rank, new.xp, group.leader, list(group.items)) == ("veteran", 50, new.id, [])
    assert new.id not in ("m-1", "m-2", "m-3")


@pytest.mark.clause("FS-INJ-5", "FS-XP-2")
def test_member_beaten_in_melee_by_regulators_may_go_to_jail() -> None:
    beaten = Deeds("m-2", down="rival", by="x-1", melee=True)
    group = opened(a_group(ranks="vg"), Deeds("m-1"), beaten, jailer=True)
    assert refused(ChoiceRefused, check_jail, RULES, group, "m-2", thrown(4)) == [("/member", "FS-INJ-5")]
    group = then(group, rolled(group, 24))
    assert refused(ChoiceRefused, close_step, RULES, group, "1", LOTS) == [("/jail", "FS-INJ-5")]
    assert refused(ChoiceRefused, check_jail, RULES, group, "m-1", thrown(4)) == [("/member", "FS-INJ-5")]
    assert kinds(check_jail(RULES, group, "m-2", thrown(4))) == ["DieRolled", "JailEscaped"]
    jailed = then(group, check_jail(RULES, group, "m-2", thrown(5)))
    assert jailed.member("m-2").away
    bounty = jail_bounty(RULES, a_group("regulators"), "r-1")
    assert isinstance(bounty, CapsMoved)
    assert (bounty.amount, bounty.roll) == (25, "r-1")
    free = opened(replace(jailed, phase=None), Deeds("m-1"))
    assert not free.member("m-2").away
    dead = opened(a_group(ranks="vg"), Deeds("m-1"), beaten, jailer=True)
    dead = then(dead, rolled(dead, 2))
    assert then(dead, close_step(RULES, dead, "1", LOTS)).phase.step == "1b"
    assert not opened(a_group(ranks="vg"), beaten).phase.jail


@pytest.mark.clause("FS-AMB-49")
def test_jailed_member_is_spared_the_injury_by_option() -> None:
    ruleset = rules(spc__incarcerated_injury="only_if_escaped")
    group = opened(a_group(ranks="vg"), Deeds("m-2", down="rival", by="x-1", melee=True), jailer=True, ruleset=ruleset)
    assert refused(ChoiceRefused, roll_injury, ruleset, group, "m-2", thrown(1, 1), LOTS) == [("/member", "FS-INJ-1")]
    jailed = then(group, check_jail(ruleset, group, "m-2", thrown(12)))
    assert then(jailed, close_step(ruleset, jailed, "1", LOTS)).phase.step == "1b"
    escaped = then(group, check_jail(ruleset, group, "m-2", thrown(1)))
    assert refused(ChoiceRefused, close_step, ruleset, escaped, "1", LOTS) == [("/injured", "FS-INJ-1")]


@pytest.mark.clause("FS-INJ-1")
@pytest.mark.parametrize("how", ["kill", "send_away"])
def test_blind_members_may_be_dismissed_and_leave_their_equipment(how: Any) -> None:
    group = with_member(a_group(ranks="vg", goods=[("smg_10mm", "m-2")]), "m-2", injuries=("eye_wound",) * 2)
    group = opened(group, Deeds("m-1"))
    after = then(group, dismiss_blind(RULES, group, "m-2", how, LOTS))
    assert (after.member("m-2"), after.items[0].holder) == (None, "")
    assert refused(ChoiceRefused, dismiss_blind, RULES, group, "m-1", how, LOTS) == [("/member", "FS-INJ-1")]


@pytest.mark.clause("FS-AMB-54")
def test_a_group_without_members() -> None:
    group = opened(a_group(ranks="v"), Deeds("m-1", down="fire"))
    group = then(group, rolled(group, 2, member="m-1"))
    assert (group.members, group.leader) == ((), "")
    assert is_eliminated(RULES, group)
    assert not is_eliminated(rules(group__wiped_out="new_group_500"), group)
    assert not is_eliminated(RULES, a_group())
