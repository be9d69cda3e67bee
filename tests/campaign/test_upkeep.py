"""Step 3: food, maintenance, and sales to pay for them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as some
from msgspec.structs import replace

from shared.campaign.dice import halve
from shared.campaign.facts import Deeds
from shared.campaign.food import (
    Upkeep,
    affordable_upkeep,
    cheapest_upkeep,
    critical_failure_from,
    emergency_sale,
    free_meals,
    sell_food,
    settle_upkeep,
    upkeep_bill,
)
from shared.campaign.outcomes import RadsChanged
from shared.campaign.post_game import close_step
from shared.campaign.post_game_outcomes import CapsMoved
from shared.campaign.scavenging import scavenge, visit_turf
from shared.campaign.words import BalanceTooLow, ChoiceRefused
from tests.campaign.story import EXAMPLES, LOTS, RULES, of_kind, out, refused, rules, then, thrown, with_member


@pytest.mark.clause("FS-EX-8", "FS-UPK-1", "FS-UPK-2", "FS-UPK-5", "FS-UPK-6", "FS-UPK-7")
@pytest.mark.parametrize("example", EXAMPLES["FS-EX-8"]["groups"])
def test_example_of_upkeep(example: dict[str, Any]) -> None:
    ranks = "v" + "g" * (example["members"] - 1)
    half = example.get("half", False)
    group = out(ranks=ranks, force=example["force"], turfs=example.get("turfs", []), caps=60, half_maintenance=half)
    group = replace(group, clean=example["clean"], radiated=example["radiated"], centaurs=example.get("centaurs", 0))
    upkeep = cheapest_upkeep(RULES, group)
    assert len(upkeep.guests) == example.get("guests", 0)
    owed = upkeep_bill(RULES, group, upkeep)
    assert (owed.bought, owed.caps) == (example["bought"], example["caps"])
    events = settle_upkeep(RULES, group, upkeep, LOTS)
    after = then(group, events)
    assert group.caps - after.caps == example["caps"]
    assert sum(changed.amount for changed in of_kind(events, RadsChanged)) == example["rads"]
    assert all(moved.reason and moved.clause for moved in of_kind(events, CapsMoved))
    if "eaten" in example:
        assert group.clean - after.clean == example["eaten"]


@pytest.mark.clause("FS-UPK-1", "FS-PGP-1", "FS-SCV-1")
def test_upkeep_is_paid_once_and_after_all_visits() -> None:
    group = out(caps=100, clean=9)
    assert refused(ChoiceRefused, close_step, RULES, group, "3", LOTS) == [("/upkeep", "FS-UPK-1")]
    group = then(group, settle_upkeep(RULES, group, Upkeep(), LOTS))
    assert (group.caps, group.clean) == (85, 6)
    assert refused(ChoiceRefused, settle_upkeep, RULES, group, Upkeep(), LOTS) == [("/step", "FS-UPK-1")]
    assert refused(ChoiceRefused, scavenge, RULES, group, "m-1", thrown(6), thrown(6)) == [("/step", "FS-UPK-1")]
    assert then(group, close_step(RULES, group, "3", LOTS)).phase.step == "4"


@pytest.mark.clause("FS-UPK-2")
def test_no_one_is_left_out_while_upkeep_is_affordable() -> None:
    rich = out(caps=100)
    asked = (settle_upkeep, RULES, rich)
    assert refused(ChoiceRefused, *asked, Upkeep(hungry=("m-2",)), LOTS) == [("/hungry", "FS-UPK-2")]
    assert refused(ChoiceRefused, *asked, Upkeep(neglected=("m-2",)), LOTS) == [("/neglected", "FS-UPK-2")]
    poor = out(caps=12)
    assert refused(BalanceTooLow, settle_upkeep, RULES, poor, Upkeep(hungry=("m-1", "m-2", "m-3")), LOTS) == [
        ("/caps", "FS-PGP-3")
    ]
    everybody = ("m-1", "m-2", "m-3")
    after = then(poor, settle_upkeep(RULES, poor, Upkeep(hungry=everybody, neglected=("m-3",)), LOTS))
    assert (after.caps, [member.unfed for member in after.members]) == (2, [1, 1, 1])
    assert [member.unmaintained for member in after.members] == [0, 0, 1]


@pytest.mark.clause("FS-UPK-2")
def test_food_bought_for_others_is_not_left_for_hungry_members() -> None:
    """Two buy their food for 6 caps, three are maintained for 15; another meal costs 3."""
    enough, short = out(caps=6 + 15 + 3), out(caps=6 + 15 + 2)
    upkeep = Upkeep(hungry=("m-3",))
    assert refused(ChoiceRefused, settle_upkeep, RULES, enough, upkeep, LOTS) == [("/hungry", "FS-UPK-2")]
    after = then(short, settle_upkeep(RULES, short, upkeep, LOTS))
    assert (after.caps, [member.unfed for member in after.members]) == (2, [0, 0, 1])


@pytest.mark.clause("FS-UPK-3", "FS-PGP-6")
def test_third_phase_without_food_kills_and_a_meal_resets() -> None:
    group = with_member(with_member(out(goods=[("smg_10mm", "m-2")]), "m-2", unfed=2), "m-3", unfed=2)
    group = replace(group, caps=3 + 15)
    upkeep = Upkeep(hungry=("m-1", "m-2"))
    after = then(group, settle_upkeep(RULES, group, upkeep, LOTS))
    assert after.member("m-2") is None
    assert after.items[0].holder == ""
    assert [after.member("m-1").unfed, after.member("m-3").unfed] == [1, 0]


@pytest.mark.clause("FS-UPK-4")
def test_neglect_lowers_the_critical_failure_face() -> None:
    group = with_member(out(caps=0), "m-2", unmaintained=1)
    everybody = ("m-1", "m-2", "m-3")
    after = then(group, settle_upkeep(RULES, group, Upkeep(hungry=everybody, neglected=everybody), LOTS))
    assert [critical_failure_from(RULES, member.unmaintained) for member in after.members] == [11, 10, 11]
    paid = with_member(out(caps=50), "m-2", unmaintained=2)
    assert then(paid, settle_upkeep(RULES, paid, Upkeep(), LOTS)).member("m-2").unmaintained == 0


@pytest.mark.clause("FS-UPK-5", "FS-RAD-1", "FS-INJ-4", "FS-PGP-6", "FS-AMB-36")
def test_radiated_food() -> None:
    group = replace(out(Deeds("m-1"), force="super_mutants", caps=50), radiated=6)
    upkeep = Upkeep(radiated={"m-1": 2, "m-2": 1})
    after = then(group, settle_upkeep(RULES, group, upkeep, LOTS))
    assert [member.rads for member in after.members] == [1, 1, 0]
    per_unit = then(group, settle_upkeep(rules(upkeep__radiated_food="per_unit"), group, upkeep, LOTS))
    assert [member.rads for member in per_unit.members] == [2, 1, 0]
    burnt = with_member(group, "m-2", rads=25)
    assert then(burnt, settle_upkeep(RULES, burnt, upkeep, LOTS)).member("m-2") is None


@pytest.mark.clause("FS-UPK-6", "FS-SPC-3", "FS-AMB-31")
def test_free_meals() -> None:
    assert free_meals(RULES, out(ranks="vgggg", turfs=["super_duper_mart"])) == 3
    assert free_meals(RULES, out(ranks="vgggg", turfs=["super_duper_mart"] * 2)) == 6
    assert free_meals(rules(turf__super_duper_mart="needs_visit"), out(turfs=["super_duper_mart"])) == 0
    ruleset, group = rules(turf__super_duper_mart="needs_visit"), out(turfs=["super_duper_mart"])
    assert free_meals(ruleset, then(group, visit_turf(ruleset, group, "m-1", "t-900"))) == 2
    assert free_meals(RULES, out(force="vault_residents", home="restaurant")) == 4
    group = out(caps=99)
    assert refused(ChoiceRefused, settle_upkeep, RULES, group, Upkeep(guests=("m-1",)), LOTS) == [
        ("/guests", "FS-UPK-6")
    ]


@pytest.mark.parametrize(
    ("upkeep", "wrong"),
    [
        (Upkeep(hungry=("m-9",)), [("/hungry", "FS-UPK-1")]),
        (Upkeep(neglected=("m-1", "m-1")), [("/neglected", "FS-UPK-1")] * 2),
        (Upkeep(radiated={"m-1": 2}), [("/radiated/m-1", "FS-UPK-5"), ("/radiated", "FS-UPK-5")]),
        (Upkeep(guests=("m-1",), hungry=("m-1",)), [("/hungry", "FS-UPK-1"), ("/guests", "FS-UPK-6")]),
        (Upkeep(centaurs_radiated=1), [("/centaurs_radiated", "FS-UPK-1"), ("/radiated", "FS-UPK-5")]),
    ],
)
def test_invalid_upkeep_is_refused(upkeep: Upkeep, wrong: Any) -> None:
    assert refused(ChoiceRefused, settle_upkeep, RULES, out(caps=99), upkeep, LOTS) == wrong


@pytest.mark.clause("FS-UPK-2", "FS-PGP-3")
def test_sale_of_surplus_food() -> None:
    group = replace(out(), clean=5)
    after = then(group, sell_food(RULES, group, "clean", 2))
    assert (after.clean, after.caps) == (3, 6)
    assert refused(BalanceTooLow, sell_food, RULES, group, "radiated", 1) == [("/radiated", "FS-PGP-3")]
    for amount in (0, 3):
        assert refused(ChoiceRefused, sell_food, RULES, group, "clean", amount) == [("/amount", "FS-UPK-2")]
    paid = replace(group, caps=20)
    paid = then(paid, settle_upkeep(RULES, paid, Upkeep(), LOTS))
    assert then(paid, sell_food(RULES, paid, "clean", 2)).caps == 11


@pytest.mark.clause("FS-UPK-1", "FS-AMB-37")
def test_cost_of_centaurs() -> None:
    group = out(ranks="v", force="super_mutants", centaurs=2)
    assert [
        upkeep_bill(ruleset, group, Upkeep()).maintenance_caps for ruleset in (RULES, rules(upkeep__centaur_caps=5))
    ] == [
        5,
        15,
    ]
    assert upkeep_bill(RULES, group, Upkeep()).clean == 6


@pytest.mark.clause("FS-UPK-8", "FS-AMB-38")
def test_equipment_is_sold_for_upkeep() -> None:
    group = out(ranks="v", goods=["hunting_rifle"])
    events = emergency_sale(RULES, group, "i-100", thrown(3), thrown(9))
    assert then(group, events).caps == 18 + (2 + 6) - (5 + 9)
    assert then(group, events).items == ()
    flat = rules(upkeep__emergency_sale="flat_half")
    assert then(group, emergency_sale(flat, group, "i-100")).caps == 18
    none = rules(upkeep__emergency_sale="none")
    assert refused(ChoiceRefused, emergency_sale, none, group, "i-100") == [("/item", "FS-UPK-8")]
    rich = replace(group, caps=50)
    assert refused(ChoiceRefused, emergency_sale, flat, rich, "i-100") == [("/caps", "FS-UPK-8")]
    mutants = out(ranks="v", force="super_mutants", goods=["hunting_rifle"])
    assert ("/item", "FS-UPK-8") in refused(ChoiceRefused, emergency_sale, flat, mutants, "i-100")


@pytest.mark.clause("FS-PGP-3", "FS-UPK-1", "FS-UPK-2")
@given(
    some.sampled_from(sorted(RULES.forces)),
    some.integers(1, 8),
    some.integers(0, 80),
    some.integers(0, 12),
    some.integers(0, 12),
    some.booleans(),
)
def test_cheapest_upkeep_feeds_all_or_is_unaffordable(
    force: str, members: int, caps: int, clean: int, radiated: int, half: bool
) -> None:
    group = out(ranks="v" * members, force=force, caps=caps, half_maintenance=half)
    group = replace(group, clean=clean, radiated=radiated)
    upkeep = cheapest_upkeep(RULES, group)
    owed = upkeep_bill(RULES, group, upkeep)
    assume(owed.caps <= caps)
    after = then(group, settle_upkeep(RULES, group, upkeep, LOTS))
    assert after.caps == caps - owed.caps
    assert min(after.clean, after.radiated) >= 0
    eaten = members * RULES.forces[force].special.appetite
    assert clean + radiated + owed.bought - after.clean - after.radiated == eaten
    assert owed.maintenance_caps == (halve(5 * members) if half else 5 * members)
    assert {member.unfed for member in after.members} == {0}


@pytest.mark.clause("FS-PGP-3", "FS-PGP-5", "FS-UPK-2", "FS-UPK-3")
@given(
    some.sampled_from(sorted(RULES.forces)),
    some.integers(0, 8),
    some.integers(0, 45),
    some.integers(0, 9),
    some.integers(0, 9),
    some.integers(0, 3),
    some.integers(0, 3),
    some.booleans(),
)
def test_affordable_upkeep_can_always_be_paid(
    force: str, members: int, caps: int, clean: int, radiated: int, centaurs: int, sated: int, half: bool
) -> None:
    group = out(ranks="v" * members, force=force, caps=caps, half_maintenance=half, sated=sated)
    group = replace(group, clean=clean, radiated=radiated, centaurs=centaurs)
    if not members:
        group = replace(group, leader="")
    after = then(group, settle_upkeep(RULES, group, affordable_upkeep(RULES, group), LOTS))
    assert min(after.caps, after.clean, after.radiated) >= 0
    assert after.phase.paid


@pytest.mark.clause("FS-UPK-1", "FS-UPK-2")
def test_centaurs_go_hungry_only_as_a_last_resort() -> None:
    group = out(ranks="v", force="super_mutants", centaurs=2, caps=14)
    upkeep = Upkeep(hungry=("m-1",), neglected=("m-1",), centaurs_hungry=2)
    assert refused(ChoiceRefused, settle_upkeep, RULES, group, upkeep, LOTS) == [
        *(("/hungry", "FS-UPK-2"), ("/centaurs_hungry", "FS-UPK-2"), ("/neglected", "FS-UPK-2"))
    ]
    poor = replace(group, caps=2)
    assert then(poor, settle_upkeep(RULES, poor, upkeep, LOTS)).caps == 2
    wrong = replace(upkeep, centaurs_hungry=3)
    assert refused(ChoiceRefused, settle_upkeep, RULES, poor, wrong, LOTS) == [("/centaurs_hungry", "FS-UPK-1")]
