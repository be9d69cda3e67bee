"""Steps 7 and 8: custom weapons, the doctor, and healing between games."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from shared.campaign.post_game import close_step
from shared.campaign.roster import Group, attribute
from shared.campaign.words import BalanceTooLow, ChoiceRefused, StepRefused
from shared.campaign.workshop import build, build_target, see_doctor, use_bag, use_radaway
from tests.campaign.story import EXAMPLES, LOTS, RULES, a_group, in_step, refused, rules, then, thrown, with_member

PARTS = ["requirements_dart_gun", "schematics_dart_gun", "requirements_dart_gun"]


def bench(goods: list[str] = PARTS, step: str = "7", **changes: Any) -> Group:
    """Return a group whose second member has I 6 and L 5."""
    group = a_group(ranks="ve", goods=goods)
    return in_step(with_member(group, "m-2", raised={"I": 1}, **changes), step)


@pytest.mark.clause("FS-EX-11", "FS-BLD-1", "FS-BLD-2")
@pytest.mark.parametrize(("face", "result"), EXAMPLES["FS-EX-11"]["attempts"].items())
def test_example_of_building(face: int, result: str) -> None:
    group = bench()
    assert build_target(RULES, group, "m-2") == EXAMPLES["FS-EX-11"]["target"]
    events = build(RULES, group, "m-2", "i-100", thrown(face))
    after = then(group, events)
    assert events[1].result == result
    assert (after.item("i-100") is None) is (result != "kept")
    assert after.count("dart_gun") == (result == "built")
    assert after.member("m-2").xp == 25 + (result == "built")
    assert after.count("schematics_dart_gun") == 1


@pytest.mark.clause("FS-AMB-42")
def test_failure_by_three_follows_the_option() -> None:
    ruleset = rules(build__fail_by_three="destroy_parts")
    results = [build(ruleset, bench(), "m-2", "i-100", thrown(face))[1].result for face in (8, 9, 10)]
    assert results == ["kept", "destroyed", "destroyed"]


@pytest.mark.clause("FS-BLD-1", "FS-PGP-4")
def test_one_attempt_for_each_set_of_parts() -> None:
    group = bench()
    group = then(group, build(RULES, group, "m-2", "i-100", thrown(7)))
    assert refused(ChoiceRefused, build, RULES, group, "m-2", "i-100", thrown(7)) == [("/parts", "FS-BLD-1")]
    group = then(group, build(RULES, group, "m-2", "i-102", thrown(1)))
    assert group.count("dart_gun") == 1
    assert refused(ChoiceRefused, build, RULES, group, "m-2", "i-101", thrown(1)) == [("/parts", "FS-BLD-1")]
    bare = bench(["requirements_dart_gun", "schematics_nuka_grenade"])
    assert refused(ChoiceRefused, build, RULES, bare, "m-2", "i-100", thrown(1)) == [("/parts", "FS-BLD-1")]
    assert refused(StepRefused, build, RULES, bench(step="5"), "m-2", "i-100", thrown(1)) == [("/step", "FS-PGP-1")]


@pytest.mark.clause("FS-XP-6", "FS-XP-1")
def test_a_weapon_built_may_reach_a_level_at_once() -> None:
    group = bench(xp=26, level=8)
    group = then(group, build(RULES, group, "m-2", "i-100", thrown(1)))
    assert (group.member("m-2").level, group.member("m-2").advances) == (9, 1)
    assert refused(ChoiceRefused, close_step, RULES, group, "7", LOTS) == [("/members/m-2", "FS-XP-5")]


def clinic(step: str = "8", caps: int = 100, acted: Any = None, **changes: Any) -> Group:
    group = with_member(a_group(ranks="vg", caps=caps), "m-2", **changes)
    return in_step(group, step, acted=acted or {})


@pytest.mark.clause("FS-DOC-1")
def test_three_treatments() -> None:
    group = clinic(injuries=("eye_wound", "scarred"), addictions=("jet", "psycho"), rads=12)
    healed = then(group, see_doctor(RULES, group, "m-2", "heal_injury", "eye_wound"))
    assert (healed.caps, healed.member("m-2").injuries) == (25, ("scarred",))
    cured = then(group, see_doctor(RULES, group, "m-2", "remove_addiction"))
    assert (cured.caps, cured.member("m-2").addictions) == (50, ())
    clear = then(group, see_doctor(RULES, group, "m-2", "remove_radiation"))
    assert (clear.caps, clear.member("m-2").rads) == (50, 0)
    assert refused(ChoiceRefused, see_doctor, RULES, clear, "m-2", "remove_addiction") == [("/member", "FS-DOC-1")]


@pytest.mark.clause("FS-DOC-1", "FS-PGP-3", "FS-PGP-4", "FS-AMB-43")
def test_restrictions_of_the_doctor() -> None:
    hurt = {"injuries": ("scarred",)}

    def wrong(did: str, ruleset: Any = RULES) -> Any:
        group = clinic(acted={"m-2": (did,)}, **hurt)
        return refused(ChoiceRefused, see_doctor, ruleset, group, "m-2", "heal_injury", "scarred")

    for did in ("scavenged", "built", "traded", "accompanied", "searched"):
        assert wrong(did) == [("/members/m-2", "FS-PGP-4")]
    assert see_doctor(RULES, clinic(acted={"m-2": ("visited_turf",)}, **hurt), "m-2", "heal_injury", "scarred")
    assert wrong("visited_turf", rules(doctor__excludes_turf=True)) == [("/members/m-2", "FS-PGP-4")]
    poor = clinic(caps=74, **hurt)
    assert refused(BalanceTooLow, see_doctor, RULES, poor, "m-2", "heal_injury", "scarred") == [("/caps", "FS-PGP-3")]
    group = clinic(**hurt)
    assert refused(ChoiceRefused, see_doctor, RULES, group, "m-2", "heal_injury", "eye") == [("/injury", "FS-DOC-1")]
    assert refused(ChoiceRefused, see_doctor, RULES, group, "m-2", "surgery") == [("/treatment", "FS-DOC-1")]
    assert refused(ChoiceRefused, see_doctor, RULES, group, "m-1", "remove_radiation") == [("/member", "FS-DOC-1")]


@pytest.mark.clause("FS-AMB-3")
def test_building_and_doctor_in_step_3_by_option() -> None:
    ruleset = rules(post__build_and_doctor="with_step_3")
    assert build(ruleset, bench(step="3"), "m-2", "i-100", thrown(1))
    assert refused(StepRefused, build, ruleset, bench(), "m-2", "i-100", thrown(1)) == [("/step", "FS-PGP-1")]
    assert see_doctor(ruleset, clinic("3", rads=1), "m-2", "remove_radiation")
    assert close_step(ruleset, in_step(a_group(), "6"), "6", LOTS)[-1].next == "9"


@pytest.mark.clause("FS-AMB-43")
def test_dice_set_the_price_of_a_cure_by_option() -> None:
    ruleset, group = rules(doctor__addiction_price="4D12"), clinic(addictions=("jet",))
    after = then(group, see_doctor(ruleset, group, "m-2", "remove_addiction", throw=thrown(1, 2, 3, 4)))
    assert (after.caps, after.member("m-2").addictions) == (90, ())
    assert refused(ChoiceRefused, see_doctor, ruleset, group, "m-2", "remove_addiction") == [("/roll", "FS-AMB-43")]
    poor = replace(group, caps=47)
    assert refused(ChoiceRefused, see_doctor, ruleset, poor, "m-2", "remove_addiction", "", thrown(1, 1, 1, 1)) == [
        ("/caps", "FS-AMB-43")
    ]
    asked = (see_doctor, RULES, group, "m-2", "remove_addiction", "", thrown(1))
    assert refused(ChoiceRefused, *asked) == [("/roll", "FS-AMB-43")]


@pytest.mark.clause("FS-ITM-1", "FS-ITM-2")
def test_doctors_bag_cannot_heal_eyes() -> None:
    group = a_group(ranks="vg", goods=["doctors_bag", "radaway"])
    group = in_step(with_member(group, "m-2", injuries=("eye_wound", "crippled_leg")), "2")
    after = then(group, use_bag(RULES, group, "i-100", "m-2", "crippled_leg"))
    assert (after.member("m-2").injuries, after.count("doctors_bag")) == (("eye_wound",), 0)
    assert refused(ChoiceRefused, use_bag, RULES, group, "i-100", "m-2", "eye_wound") == [("/injury", "FS-ITM-1")]
    assert refused(ChoiceRefused, use_bag, RULES, group, "i-101", "m-2", "crippled_leg") == [("/item", "FS-ITM-1")]


@pytest.mark.clause("FS-EX-11", "FS-ITM-1", "FS-RAD-1")
def test_example_of_rads() -> None:
    group = in_step(with_member(a_group(ranks="vg", goods=["radaway"]), "m-2", rads=6), "3")
    assert attribute(RULES, group, group.member("m-2"), "E") == 3
    after = then(group, use_radaway(RULES, group, "i-100", "m-2"))
    assert (after.member("m-2").rads, after.items) == (0, ())
    assert attribute(RULES, after, after.member("m-2"), "E") == 4
    assert refused(ChoiceRefused, use_radaway, RULES, after, "i-100", "m-2") == [("/item", "FS-ITM-1")]
