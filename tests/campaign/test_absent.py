"""Steps closed by the organiser for absent players."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from shared.campaign.choices import close_for_absent
from shared.campaign.dice import DieRolled
from shared.campaign.evolve import evolve
from shared.campaign.experience import award_experience
from shared.campaign.food import affordable_upkeep, upkeep_bill
from shared.campaign.outcomes import MemberRemoved
from shared.campaign.post_game_outcomes import CapsMoved, ScavengingRolled
from shared.campaign.roster import Group, HeldPerk, OpenRoll, Quote, Visit
from shared.campaign.scavenging import scavenge
from shared.campaign.tables import Rules
from shared.campaign.words import StepRefused
from shared.tournament.draws import SeededDraws
from tests.campaign.rolls import faults_of_rolls
from tests.campaign.story import (
    LOTS,
    RULES,
    a_group,
    dice,
    in_step,
    kinds,
    of_kind,
    refused,
    rules,
    then,
    thrown,
    with_member,
)


def closed(group: Group, seed: str = "s", ruleset: Rules = RULES) -> Group:
    return then(group, close_for_absent(ruleset, group, dice(SeededDraws(seed))))


@pytest.mark.clause("FS-PGP-5", "FS-INJ-1", "FS-INJ-5", "FS-AUD-2", "FS-AMB-49")
def test_service_rolls_injuries_and_jail_checks_reproducibly() -> None:
    group = in_step(a_group(ranks="vggg"), "1", injured=("m-2", "m-3"), jail=("m-3",))
    ends = set()
    for seed in map(str, range(80)):
        events = close_for_absent(RULES, group, dice(SeededDraws(seed)))
        assert events == close_for_absent(RULES, group, dice(SeededDraws(seed)))
        assert list(faults_of_rolls(RULES, events, SeededDraws(seed))) == []
        assert {rolled.source for rolled in of_kind(events, DieRolled)} == {"service"}
        after = then(group, events)
        assert (after.phase.step, after.phase.injured, after.phase.jail) == ("1b", (), ())
        ends |= {injury for member in after.members for injury in member.injuries}
        ends |= {"dead" for _ in of_kind(events, MemberRemoved)} | {"jail" for member in after.members if member.away}
    assert {"dead", "jail", "scarred"} <= ends
    spared = rules(spc__incarcerated_injury="only_if_escaped")
    first = close_for_absent(spared, in_step(a_group(ranks="vg"), "1", injured=("m-2",), jail=("m-2",)), dice())
    assert kinds(first)[:2] in (["DieRolled", "JailEscaped"], ["DieRolled", "MemberIncarcerated"])


@pytest.mark.clause("FS-PGP-5", "FS-INJ-2")
def test_open_results_are_taken_and_impossible_ones_rerolled() -> None:
    blind = with_member(a_group(ranks="vg", turfs=["doctor"]), "m-2", injuries=("eye_wound",) * 2)
    group = in_step(blind, "1", open_injuries=(OpenRoll("m-2", "eye_wound", "r-0", True),), rerolls=1)
    after = closed(group)
    assert (after.phase.step, after.phase.open_injuries, after.phase.rerolls) == ("1b", (), 0)


@pytest.mark.clause("FS-PGP-5", "FS-SCV-2", "FS-AUD-2")
def test_absent_explorers_die_is_not_shifted() -> None:
    group = with_member(in_step(a_group(ranks="vg", caps=50), "3"), "m-1", perks=(HeldPerk("explorer"),))
    rolled = scavenge(RULES, group, "m-1", thrown(6))
    waits = then(group, rolled)
    events = close_for_absent(RULES, waits, dice())
    assert [(found.finds, found.shift) for found in of_kind(events, ScavengingRolled)] == [("caps", 0)]
    assert list(faults_of_rolls(RULES, [*rolled, *events], LOTS)) == []
    assert then(waits, events).phase.step == "4"


@pytest.mark.clause("FS-PGP-5", "FS-GAM-10")
@pytest.mark.parametrize("objective", range(1, 13))
def test_reward_of_an_absent_player_is_claimed_with_service_dice(objective: int) -> None:
    group = with_member(in_step(a_group(ranks="vgg"), "1b"), "m-2", injuries=("scarred", "eye_wound"))
    side = replace(group.phase.played.side, objective=objective)
    group = replace(group, phase=replace(group.phase, played=replace(group.phase.played, side=side, reward=True)))
    events = close_for_absent(RULES, group, dice())
    assert "RewardClaimed" in kinds(events)
    assert ("DieRolled" in kinds(events)) == (objective in (6, 7, 9, 11))
    assert list(faults_of_rolls(RULES, events, LOTS)) == []
    assert then(group, events).phase.step == "2"
    lost = replace(group, phase=replace(group.phase, played=replace(group.phase.played, reward=False)))
    assert kinds(close_for_absent(RULES, lost, dice())) == ["StepClosed"]


@pytest.mark.clause("FS-PGP-5", "FS-GAM-10")
def test_reward_that_the_group_cannot_hold_is_forgone_on_record() -> None:
    ruleset = rules(force__big_gun_ratio="checked_on_purchase")
    group = in_step(a_group(ranks="vg"), "1b")
    side = replace(group.phase.played.side, objective=7)
    group = replace(group, phase=replace(group.phase, played=replace(group.phase.played, side=side, reward=True)))
    ends = {(kinds(close_for_absent(ruleset, group, dice(SeededDraws(str(seed)))))[-2]) for seed in range(40)}
    assert "ItemGained" in ends
    assert ends <= {"ItemGained", "RewardForgone"}


@pytest.mark.clause("FS-PGP-5", "FS-XP-1", "FS-ADV-1", "FS-PRK-1", "FS-AMB-12")
def test_experience_is_awarded_and_advancements_take_the_first_legal_choice() -> None:
    group = in_step(with_member(a_group(ranks="vg"), "m-2", xp=2), "2")
    perks = set()
    for seed in map(str, range(60)):
        member = closed(group, seed).member("m-2")
        assert (member.level, member.advances) == (1, 0)
        assert sum(member.raised.values()) + len(member.perks) == 1
        perks |= {held.perk for held in member.perks}
    assert perks == {"adamantium_skeleton", "cannibal"}
    awarded = then(group, award_experience(RULES, group))
    assert closed(awarded).member("m-2").xp == 3
    full = dict.fromkeys("SPECIAL", 10)
    other = with_member(a_group(ranks="vg"), "m-2", advances=1, raised=full)
    ruleset = rules(adv__over_maximum="choose_other")
    chosen = {frozenset(closed(in_step(other, "7"), str(seed), ruleset).member("m-2").raised) for seed in range(30)}
    assert frozenset({*full, "W"}) in chosen


@pytest.mark.clause("FS-PGP-5", "FS-UPK-2")
def test_food_is_paid_before_maintenance_and_nothing_optional_happens() -> None:
    poor = in_step(a_group(ranks="vgggg", caps=8), "3")
    upkeep = affordable_upkeep(RULES, poor)
    assert (upkeep.hungry, upkeep.neglected) == (("m-3", "m-4", "m-5"), ("m-1", "m-2", "m-3", "m-4", "m-5"))
    assert upkeep_bill(RULES, poor, upkeep).caps == 6
    after = closed(poor)
    assert (after.caps, after.phase.step) == (2, "4")
    rich = closed(in_step(a_group(ranks="vgggg", caps=100, turfs=["bar"]), "3"))
    assert (rich.caps, rich.phase.visited, rich.phase.acted) == (60, (), {})
    met = in_step(a_group(ranks="vg", caps=50), "3", encounters=("m-2",))
    assert kinds(close_for_absent(RULES, met, dice()))[0] == "EncounterResolved"


@pytest.mark.clause("FS-PGP-5", "FS-BAR-4")
def test_nothing_is_bought() -> None:
    visit = Visit("fixed", quote=Quote("smg_10mm", 5))
    group = in_step(a_group(caps=50), "5", visit=visit)
    events = close_for_absent(RULES, group, dice())
    assert kinds(events) == ["OfferDeclined", "StepClosed"]
    assert not list(of_kind(events, CapsMoved))
    assert [closed(in_step(a_group(), step)).phase.step for step in ("6", "7", "8")] == ["7", "8", "9"]


@pytest.mark.clause("FS-PGP-2", "FS-PGP-5")
def test_one_group_cannot_close_recruits() -> None:
    assert refused(StepRefused, close_for_absent, RULES, in_step(a_group(), "4"), "s", "r") == [("/step", "FS-PGP-1")]
    assert refused(StepRefused, close_for_absent, RULES, a_group(), "s", "r") == [("/step", "FS-PGP-1")]


def test_event_about_a_removed_member_raises() -> None:
    group = in_step(with_member(a_group(ranks="vg"), "m-2", xp=2), "2")
    events = close_for_absent(RULES, group, dice())
    with pytest.raises((LookupError, AssertionError)):
        evolve(replace(group, members=group.members[:1]), events)
