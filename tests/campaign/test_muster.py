"""Before a game: fielded members, jams, evil judgements, objectives."""

from __future__ import annotations

from typing import Any

import pytest

from shared.campaign.muster import (
    is_evil,
    jam_rolls_due,
    judge_evil,
    judges,
    muster,
    roll_jam,
    roll_objective,
)
from shared.campaign.words import ChoiceRefused, DiceRefused
from tests.campaign.story import RULES, a_group, refused, rules, thrown, with_member


@pytest.mark.clause("FS-GAM-1")
@pytest.mark.parametrize(
    ("changes", "fielded"),
    [
        ({}, True),
        ({"injuries": ("eye_wound",)}, True),
        ({"injuries": ("eye_wound", "eye_wound")}, False),
        ({"injuries": ("crippled_leg",)}, True),
        ({"injuries": ("crippled_leg", "crippled_leg")}, False),
        ({"injuries": ("crippled_arm", "crippled_arm")}, True),
        ({"away": True}, False),
    ],
)
def test_reasons_to_stay_at_home(changes: dict[str, Any], fielded: bool) -> None:
    group = with_member(a_group(ranks="vg"), "m-2", **changes)
    if fielded:
        assert muster(RULES, group, ["m-2"]).fielded == ("m-2",)
    else:
        assert refused(ChoiceRefused, muster, RULES, group, ["m-1", "m-2"]) == [("/members/m-2", "FS-GAM-1")]


@pytest.mark.clause("FS-GAM-1", "FS-GRP-7", "FS-AMB-5")
def test_invalid_musters_are_refused() -> None:
    assert refused(ChoiceRefused, muster, RULES, a_group(), ["m-9"]) == [("/fielded/0", "FS-GAM-1")]
    assert refused(ChoiceRefused, muster, RULES, a_group(), ["m-1", "m-1"]) == [("/fielded/1", "FS-GAM-1")]
    assert refused(ChoiceRefused, muster, RULES, a_group("regulators"), ["m-1"]) == [("/members/m-1", "FS-GRP-7")]
    for chosen in ("cannot_move", "no_extra"):
        group = with_member(a_group(), "m-2", injuries=("crippled_leg",) * 2)
        assert muster(rules(injury__two_crippled_legs=chosen), group, ["m-2"]).fielded == ("m-2",)


@pytest.mark.clause("FS-GAM-2", "FS-GRP-8", "FS-AMB-28")
def test_big_gun_ratio_is_checked_at_every_muster() -> None:
    group = a_group(ranks="vggg", goods=[("flamer", "m-1")])
    assert refused(ChoiceRefused, muster, RULES, group, ["m-1"]) == [("/items", "FS-GRP-8")]
    assert muster(RULES, group, ["m-2"]).fielded == ("m-2",)
    assert muster(rules(force__big_gun_ratio="checked_on_purchase"), group, ["m-1"]).fielded == ("m-1",)


@pytest.mark.clause("FS-GAM-3")
@pytest.mark.parametrize(("face", "jammed"), [(11, False), (12, True)])
def test_neglected_weapons_may_jam(face: int, jammed: bool) -> None:
    goods = [("smg_10mm", "m-1"), ("brass_knuckles_knife", "m-1"), ("frag_grenade", "m-1"), ("smg_10mm", "m-2")]
    group = a_group(goods=goods)
    assert [item.id for item in jam_rolls_due(RULES, group, ["m-1"])] == ["i-100"]
    rolled, outcome = roll_jam(RULES, group, ["m-1"], "i-100", thrown(face))
    assert (outcome.jammed, outcome.roll) == (jammed, rolled.roll)
    assert refused(ChoiceRefused, roll_jam, RULES, group, ["m-1"], "i-101", thrown(1)) == [("/item", "FS-GAM-3")]
    due = {force for force in RULES.forces if jam_rolls_due(RULES, a_group(force, goods=goods), ["m-1"])}
    assert due == {"raiders", "super_mutants", "wasteland_survivors"}


@pytest.mark.clause("FS-GAM-4")
def test_evil_by_force_and_by_judgement() -> None:
    always = {force for force in RULES.forces if is_evil(RULES, a_group(force))}
    assert always == {"enclave", "talon_company", "super_mutants"}
    law, survivors = a_group("regulators"), a_group("wasteland_survivors")
    assert [judge_evil(RULES, law, survivors, thrown(face))[1].evil for face in (1, 4, 5, 12)] == [
        True,
        True,
        False,
        False,
    ]
    assert not judges(RULES, law, a_group("enclave"))
    assert refused(ChoiceRefused, judge_evil, RULES, law, a_group("raiders"), thrown(1)) == [("/rival", "FS-GAM-4")]
    assert is_evil(RULES, survivors, judged=True)


@pytest.mark.clause("FS-GAM-5")
def test_objectives_are_rolled_and_may_be_equal() -> None:
    for _ in range(2):
        rolled, outcome = roll_objective(RULES, thrown(4))
        assert (outcome.objective, outcome.roll) == ("A Spoonful of Whiskey", rolled.roll)
    assert refused(DiceRefused, roll_objective, RULES, thrown(13)) == [("/roll/dice/0/natural", "FS-DICE-1")]
    assert refused(DiceRefused, roll_objective, RULES, thrown(3, sides=6)) == [("/roll/dice/0/sides", "FS-DICE-1")]
