"""What a group loses when a step closes: it is listed, and closing needs a word (FS-PGP-1)."""

from __future__ import annotations

from typing import Any

import pytest

from shared.campaign.choices import decide, left_open
from shared.campaign.dice import GUESS
from shared.campaign.facts import Deeds
from shared.campaign.roster import Group, Item, OpenRoll
from shared.campaign.steps import DecisionContext
from shared.campaign.tables import Rules
from shared.campaign.words import LeavesOpen
from tests.campaign.story import RULES, a_group, dice, in_step, out, refused, rules, then


def context(group: Group, ruleset: Rules = RULES, **more: Any) -> DecisionContext:
    return DecisionContext(ruleset, group, dice(), GUESS, groups={group.id: group}, **more)


def left(group: Group, ruleset: Rules = RULES) -> list[tuple[str, dict[str, Any], str]]:
    """Return what closing the open step would lose: the choice, what of it, its clause."""
    return [(one.does, dict(one.of), one.clause) for one in left_open(context(group, ruleset))]


WAITS = (OpenRoll("m-2", "dead", "r-1"), OpenRoll("m-3", "scarred", "r-2", final=True))


@pytest.mark.clause("FS-PGP-1", "FS-INJ-3")
@pytest.mark.parametrize(
    ("rerolls", "waiting", "named"),
    [
        (1, WAITS, [("reroll_injury", {"member": "m-2"}, "FS-INJ-3")]),
        (0, WAITS, []),
        (1, WAITS[1:], []),
        (1, (), []),
    ],
    ids=["usable", "none", "final", "nothing-to-roll-again"],
)
def test_a_reroll_that_can_still_be_used_is_left_open(rerolls: int, waiting: Any, named: Any) -> None:
    group = in_step(a_group(ranks="vgg", turfs=["doctor"]), "1", rerolls=rerolls, open_injuries=waiting)
    assert left(group) == named


@pytest.mark.clause("FS-PGP-1", "FS-SPC-3")
def test_the_benefit_of_the_vault_is_left_open_once() -> None:
    group = in_step(a_group("vault_residents"), "1")
    assert left(group) == [("choose_clean_home", {}, "FS-SPC-3")]
    after = then(group, decide(context(group), "choose_clean_home", {"choice": "restaurant"}))
    assert left(after) == []


@pytest.mark.clause("FS-PGP-1", "FS-AMB-33")
def test_a_turf_that_was_won_is_left_open() -> None:
    new_turf = rules(turf__gain="winner_rolls_new")
    assert left(in_step(a_group(), "1b"), new_turf) == [("claim_turf", {}, "FS-AMB-33")]
    assert left(in_step(a_group(), "1b", ending="loss"), new_turf) == []
    assert left(in_step(a_group(), "1b")) == []


@pytest.mark.clause("FS-PGP-1", "FS-GAM-10", "FS-SCV-1")
def test_a_free_scavenging_roll_is_left_open_until_it_is_used() -> None:
    group = out(ranks="vg", extra_finds=1, caps=100)
    idle = [("scavenge", {"member": id}, "FS-SCV-1") for id in ("m-1", "m-2")]
    free = ("scavenge", {"free": True}, "FS-GAM-10")
    assert left(group) == [idle[0], free, idle[1]]
    paid = then(group, decide(context(group), "settle_upkeep", {}, leave=True))
    assert left(paid) == [free]


@pytest.mark.clause("FS-PGP-1", "FS-UPK-1", "FS-SCV-1")
def test_upkeep_needs_a_word_while_members_stay_idle() -> None:
    """No one goes out after upkeep, so it would lose the outings as closing the step would."""
    group = out(Deeds("m-1"), Deeds("m-2"), ranks="vgg", caps=100, acted={"m-1": ("scavenged",)})
    assert refused(LeavesOpen, decide, context(group), "settle_upkeep", {}) == [("/leave", "FS-SCV-1")]
    busy = out(Deeds("m-1"), Deeds("m-2"), ranks="vgg", caps=100, acted=dict.fromkeys(["m-1", "m-2"], ("scavenged",)))
    assert then(busy, decide(context(busy), "settle_upkeep", {})).phase.paid


@pytest.mark.clause("FS-PGP-1", "FS-BLD-1", "FS-SPC-5")
def test_an_attempt_to_build_and_a_search_are_left_open() -> None:
    parts = next(key for key, good in RULES.goods.items() if good.parts_for)
    schematic = next(key for key, good in RULES.goods.items() if good.schematic_for == RULES.goods[parts].parts_for)
    group = in_step(a_group(items=(Item("i-1", parts), Item("i-2", schematic))), "7")
    assert left(group) == [("build", {"parts": "i-1"}, "FS-BLD-1")]
    searching = next(key for key, force in RULES.forces.items() if force.special.searches)
    assert left(in_step(a_group(searching), "5")) == [("search_building", {}, "FS-SPC-5")]
