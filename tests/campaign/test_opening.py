"""Opening of the post-game phase: consequences of the report for members and goods."""

from __future__ import annotations

from typing import Any

import pytest

from shared.campaign.facts import Deeds, Dose, Played, SideReport
from shared.campaign.injuries import check_jail, roll_injury
from shared.campaign.post_game import faults_of_correction, open_after_bye, open_post_game
from shared.campaign.report import injury_at_table
from shared.campaign.roster import Group
from shared.campaign.tables import Rules
from shared.campaign.words import ChoiceRefused, StepRefused
from tests.campaign.story import LOTS, RULES, a_group, in_step, refused, rules, then, thrown, with_member

DOWN = Deeds("m-2", down="rival", by="x-1")


def played(*deeds: Deeds, **side: Any) -> Played:
    return Played("win", SideReport("raiders-1", 1, members=deeds, **side), leader="m-1", rival="p2")


def opened(group: Group, *deeds: Deeds, ruleset: Rules = RULES, jailer: bool = False, **more: Any) -> Group:
    return then(
        group, open_post_game(ruleset, group, 1, played(*deeds, **more), LOTS, jailers=["p2"] if jailer else [])
    )


@pytest.mark.clause("FS-INJ-4", "FS-PGP-6", "FS-RAD-1")
def test_deaths_without_an_injury_roll() -> None:
    group = a_group(ranks="vgg", goods=[("smg_10mm", "m-2")])
    fallen = opened(group, Deeds("m-2", down="terrain", removed=True))
    assert (fallen.member("m-2"), fallen.phase.injured, fallen.items) == (None, (), ())
    burnt = opened(with_member(group, "m-2", rads=25), Deeds("m-2", rads=1))
    assert burnt.member("m-2") is None
    glowing = opened(with_member(group, "m-2", rads=24), Deeds("m-2", rads=1))
    assert glowing.member("m-2").rads == 25


@pytest.mark.clause("FS-REP-2", "FS-REP-3", "FS-ADD-1", "FS-ITM-1", "FS-ITM-2")
def test_consequences_of_the_report() -> None:
    goods = [("jet", "m-1"), ("radaway", "m-1"), ("stimpak", "m-1"), ("psycho", "m-2")]
    group = with_member(a_group(ranks="vg", goods=goods), "m-1", rads=3)
    deeds = Deeds("m-1", rads=4, doses=(Dose("i-100", thrown(6)),), used=("i-101", "i-102"))
    group = opened(group, deeds, Deeds("m-2", doses=(Dose("i-103", thrown(5)),)), loot=("power_fist",))
    assert (group.member("m-1").rads, group.member("m-1").addictions) == (0, ())
    assert group.member("m-2").addictions == ("psycho",)
    assert [item.good for item in group.items] == ["power_fist"]
    assert [member.rank for member in group.members] == ["veteran", "green"]
    stocked = opened(a_group(ranks="vg", goods=["stimpak"] * 2), Deeds("m-1"), loot=("stimpak", "stimpak", "jet"))
    assert (stocked.count("stimpak"), stocked.count("jet")) == (3, 1)


@pytest.mark.clause("FS-REP-5")
@pytest.mark.parametrize("step", ["1", "1b", "2", "3", "9"])
def test_report_can_be_replaced_until_step_2_closes(step: str) -> None:
    group = in_step(a_group(), step)
    late = [("/step", "FS-REP-5")]
    found = [(fault.where, fault.clause) for fault in faults_of_correction(group, 1)]
    assert found == ([] if step in ("1", "1b", "2") else late)
    assert [(fault.where, fault.clause) for fault in faults_of_correction(group, 2)] == late
    assert [(fault.where, fault.clause) for fault in faults_of_correction(a_group(), 1)] == late


@pytest.mark.clause("FS-AMB-4")
def test_injuries_are_rolled_at_the_table_by_option() -> None:
    ruleset, group = rules(injury__roll_time="at_table"), a_group(ranks="vg")
    game = played(Deeds("m-1"), DOWN)
    assert refused(ChoiceRefused, open_post_game, ruleset, group, 1, game, LOTS) == [("/injuries/m-2", "FS-AMB-4")]
    group = then(group, open_post_game(ruleset, group, 1, game, "s", at_table={"m-2": thrown(6, 6)}))
    assert group.member("m-2").injuries == ("scarred",)
    given = {"m-2": thrown(6, 6)}
    assert refused(ChoiceRefused, open_post_game, RULES, a_group(ranks="vg"), 1, game, "s", at_table=given) == [
        ("/injuries/m-2", "FS-AMB-4")
    ]


@pytest.mark.clause("FS-AMB-4", "FS-AMB-49")
def test_member_who_may_be_jailed_rolls_no_injury_at_the_table() -> None:
    ruleset = rules(injury__roll_time="at_table", spc__incarcerated_injury="only_if_escaped")
    group, beaten = a_group(ranks="vg"), Deeds("m-2", down="rival", by="m-9", melee=True)
    free = then(group, open_post_game(ruleset, group, 1, played(Deeds("m-1"), beaten), "s", jailers=["p2"]))
    assert (free.phase.jail, free.phase.injured) == (("m-2",), ("m-2",))
    free = then(free, check_jail(ruleset, free, "m-2", thrown(1)))
    assert then(free, roll_injury(ruleset, free, "m-2", thrown(6, 6), LOTS)).member("m-2").injuries == ("scarred",)
    assert injury_at_table(ruleset, beaten, jailer=False)
    assert injury_at_table(rules(injury__roll_time="at_table"), beaten, jailer=True)


@pytest.mark.clause("FS-RND-1", "FS-RND-3", "FS-AMB-55")
def test_one_phase_at_a_time_and_phases_after_a_bye() -> None:
    open_ = in_step(a_group(), "3")
    assert refused(StepRefused, open_post_game, RULES, open_, 2, played(), LOTS) == [("/phase", "FS-RND-1")]
    assert refused(StepRefused, open_after_bye, RULES, open_, 2) == [("/phase", "FS-RND-1")]
    group = then(a_group(ranks="vg"), open_after_bye(RULES, a_group(ranks="vg"), 2))
    assert (group.phase.step, group.phase.played.fielded) == ("3", ("m-1", "m-2"))
    assert open_after_bye(rules(bye__post_game="from_step_4"), a_group(), 2)[0].phase.step == "4"
    assert open_after_bye(rules(bye__post_game="none"), a_group(), 2) == []


@pytest.mark.clause("FS-ADD-1")
@pytest.mark.parametrize(
    ("addictions", "doses", "face", "addicted"),
    [
        ((), ("psycho",), 4, False),
        ((), ("psycho",), 5, True),
        (("jet",), ("psycho",), 3, False),
        (("jet",), ("psycho",), 4, True),
        (("jet",), ("jet", "psycho"), 4, False),
    ],
)
def test_withdrawal_lowers_all_attributes_in_the_game(
    addictions: tuple[str, ...], doses: tuple[str, ...], face: int, addicted: bool
) -> None:
    goods = [("jet", "m-2"), ("psycho", "m-2")]
    items = {"jet": "i-100", "psycho": "i-101"}
    group = with_member(a_group(ranks="vg", goods=goods), "m-2", addictions=addictions)
    taken = tuple(Dose(items[drug], thrown(face if drug == "psycho" else 1)) for drug in doses)
    after = opened(group, Deeds("m-1"), Deeds("m-2", doses=taken))
    assert ("psycho" in after.member("m-2").addictions) is addicted
