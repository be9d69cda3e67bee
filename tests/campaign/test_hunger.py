"""Step 3: flesh of members and enemies."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from shared.campaign.facts import Deeds
from shared.campaign.food import draw_fighters, eat_blind, eat_own, feast, fighters, food_is_short, free_meals
from shared.campaign.words import ChoiceRefused
from shared.tournament.draws import SeededDraws
from tests.campaign.story import LOTS, RULES, kinds, out, refused, rules, then, with_member


@pytest.mark.clause("FS-SPC-1", "FS-XP-6", "FS-PGP-6")
def test_raiders_eat_their_own() -> None:
    group = with_member(out(ranks="vgg", goods=[("smg_10mm", "m-3")]), "m-2", xp=1)
    assert food_is_short(RULES, group)
    assert fighters(RULES, group) == ("m-1", "m-3")
    events = eat_own(RULES, group, "m-1", LOTS)
    after = then(group, events)
    assert (after.member("m-3"), after.member("m-1").xp, free_meals(RULES, after)) == (None, 52, 5)
    assert after.items[0].holder == ""
    assert ("/step", "FS-SPC-1") in refused(ChoiceRefused, eat_own, RULES, after, "m-1", LOTS)
    lost = then(group, eat_own(RULES, group, "m-3", LOTS))
    assert (lost.member("m-3"), lost.phase.injured, free_meals(RULES, lost)) == (None, ("m-1",), 0)


@pytest.mark.clause("FS-SPC-1", "FS-DICE-4")
def test_two_members_worth_least_fight() -> None:
    group = out(ranks="vgg")
    assert fighters(RULES, group) == ("m-2", "m-3")
    after = then(group, eat_own(RULES, group, "m-3", LOTS))
    assert (after.member("m-2"), after.member("m-3").xp) == (None, 2)
    four = out(ranks="vggg")
    assert refused(ChoiceRefused, eat_own, RULES, four, "m-2", LOTS) == [("/winner", "FS-SPC-1")]
    drawn = [then(four, draw_fighters(RULES, four, SeededDraws(str(seed)))) for seed in range(30)]
    assert len({frozenset(fighters(RULES, group)) for group in drawn}) == 3
    assert refused(ChoiceRefused, draw_fighters, RULES, drawn[0], LOTS) == [("/members", "FS-SPC-1")]
    assert refused(ChoiceRefused, draw_fighters, RULES, group, LOTS) == [("/members", "FS-SPC-1")]
    assert refused(ChoiceRefused, fighters, RULES, out(ranks="v")) == [("/members", "FS-SPC-1")]


@pytest.mark.clause("FS-SPC-1", "FS-XP-1")
def test_consequences_of_the_cannibal_fight() -> None:
    tough = with_member(out(ranks="vgg"), "m-2", xp=1, raised={"W": 2})
    for ruleset, of_weak, of_tough in ((RULES, 2, 4), (rules(xp__wound="per_model"), 2, 2)):
        assert then(tough, eat_own(ruleset, tough, "m-1", LOTS)).member("m-1").xp == 50 + of_weak
        lone = replace(tough, members=tough.members[:2])
        assert then(lone, eat_own(ruleset, lone, "m-1", LOTS)).member("m-1").xp == 50 + of_tough


@pytest.mark.clause("FS-AMB-56")
def test_meals_of_flesh_that_are_refused() -> None:
    fed = replace(out(ranks="vgg"), clean=3)
    assert refused(ChoiceRefused, eat_own, RULES, fed, "m-2", LOTS) == [("/food", "FS-AMB-56")]
    assert then(fed, eat_own(rules(spc__cannibals_when="any_time"), fed, "m-2", LOTS)).member("m-3") is None
    assert ("/force", "FS-SPC-1") in refused(ChoiceRefused, eat_own, RULES, out(force="enclave"), "m-2", LOTS)
    assert refused(ChoiceRefused, eat_own, RULES, out(ranks="vgg"), "m-1", LOTS) == [("/winner", "FS-SPC-1")]


TAKEN = Deeds("m-1", took=("m-7", "m-8", "m-9"))


@pytest.mark.clause("FS-SPC-2", "FS-AMB-50")
def test_mutants_eat_killed_humans() -> None:
    group, humans, dead = out(TAKEN, force="super_mutants"), {"p2": "raiders"}, ["m-5", "m-6"]
    by_taking = rules(spc__flesh_eaters_need="taken_down")
    assert free_meals(RULES, then(group, feast(RULES, group, humans, dead))) == 4
    assert free_meals(RULES, then(group, feast(by_taking, group, humans, dead))) == 6
    assert refused(ChoiceRefused, feast, RULES, group, {"p2": "super_mutants"}, dead) == [("/rival", "FS-SPC-2")]
    assert refused(ChoiceRefused, feast, RULES, group, humans, []) == [("/rival", "FS-SPC-2")]
    assert ("/force", "FS-SPC-2") in refused(ChoiceRefused, feast, RULES, out(), humans, ["m-5"])
    fed = then(group, feast(RULES, group, humans, dead))
    assert refused(ChoiceRefused, feast, RULES, fed, humans, ["m-5"]) == [("/step", "FS-SPC-2")]


@pytest.mark.clause("FS-SPC-2", "FS-AMB-50")
def test_mutants_with_several_rivals_eat_their_own_kills_only() -> None:
    took = Deeds("m-1", took=("p2/m-1", "p3/m-1", "p4/m-1"))
    group = out(took, force="super_mutants")
    met = {"p2": "raiders", "p3": "super_mutants", "p4": "vault_residents"}
    dead = ["p2/m-1", "p2/m-2", "p3/m-1"]  # p2/m-2 fell to somebody else, p3/m-1 is no human, p4/m-1 lives
    assert free_meals(RULES, then(group, feast(RULES, group, met, dead))) == 2
    by_taking = rules(spc__flesh_eaters_need="taken_down")
    assert free_meals(RULES, then(group, feast(by_taking, group, met, dead))) == 4


@pytest.mark.clause("FS-SPC-2")
def test_allies_each_eat_their_own_kills_only() -> None:
    alone = out(Deeds("m-1", took=("m-1",)), force="super_mutants")
    allied = replace(alone, phase=replace(alone.phase, played=replace(alone.phase.played, allies=("p3",))))
    assert free_meals(RULES, then(alone, feast(RULES, alone, {"p2": "raiders"}, ["m-1", "m-2"]))) == 4
    assert free_meals(RULES, then(allied, feast(RULES, allied, {"p2": "raiders"}, ["m-1", "m-2"]))) == 2


@pytest.mark.clause("FS-SPC-1", "FS-SPC-2", "FS-AMB-50")
@pytest.mark.parametrize(("force", "fed"), [("raiders", 5), ("super_mutants", 2)])
def test_blind_members_are_eaten_without_a_fight(force: str, fed: int) -> None:
    """An eaten member is removed with its equipment kept by the group; no one gains experience, and it does not use up
    the cannibal fight.
    """
    group = with_member(out(force=force, goods=[("smg_10mm", "m-2")]), "m-2", injuries=("eye_wound",) * 2)
    events = eat_blind(RULES, group, "m-2", LOTS)
    fed_by_the_blind = then(group, events)
    assert free_meals(RULES, fed_by_the_blind) == fed
    assert (fed_by_the_blind.member("m-2"), fed_by_the_blind.items[0].holder) == (None, "")
    assert kinds(events) == ["MemberRemoved", "MembersSated"]
    assert (fed_by_the_blind.phase.ate_own, fed_by_the_blind.phase.feasted) == (False, False)
    one_eye = with_member(group, "m-2", injuries=("eye_wound",))
    assert refused(ChoiceRefused, eat_blind, RULES, one_eye, "m-2", LOTS) == [("/member", "FS-AMB-50")]
    others = with_member(out(force="enclave"), "m-2", injuries=("eye_wound",) * 2)
    assert refused(ChoiceRefused, eat_blind, RULES, others, "m-2", LOTS) == [("/member", "FS-AMB-50")]
    if force == "super_mutants":
        assert feast(RULES, fed_by_the_blind, {"p2": "raiders"}, ["m-5"])
    assert refused(ChoiceRefused, eat_blind, RULES, group, "m-3", LOTS) == [("/member", "FS-AMB-50")]
