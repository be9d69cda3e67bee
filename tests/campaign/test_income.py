"""Step 3: scavenging, turf visits, flesh, food and maintenance, emergency sales."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as some
from msgspec.structs import replace

from shared.rules.campaign.dice import halved
from shared.rules.campaign.emergency import emergency_sale
from shared.rules.campaign.hunger import eat_blind, eat_own, feast, fighters, food_is_short
from shared.rules.campaign.income_outcomes import CapsMoved, FoodMoved, ItemGained
from shared.rules.campaign.injuries import reroll_injury, roll_injury
from shared.rules.campaign.outcomes import RadsChanged
from shared.rules.campaign.post_game import close_step
from shared.rules.campaign.refusals import BalanceTooLow, ChoiceRefused, DiceRefused, StepRefused
from shared.rules.campaign.reported import Deeds
from shared.rules.campaign.roster import Group, HeldPerk, OpenRoll
from shared.rules.campaign.scavenging import resolve_encounter, scavenge
from shared.rules.campaign.upkeep import (
    Upkeep,
    bill,
    critical_failure_from,
    easiest,
    places,
    sell_food,
    settle_upkeep,
)
from shared.rules.campaign.visits import visit_turf
from tests.campaign.story import (
    EXAMPLES,
    RULES,
    a_group,
    in_step,
    of_kind,
    refused,
    rules,
    then,
    thrown,
    with_member,
)


def out(*deeds: Deeds, ranks: str = "vgg", force: str = "raiders", **more: Any) -> Group:
    """A group in step 3; by default everybody played."""
    phase = {key: more.pop(key) for key in ("half_maintenance", "sated", "home", "extra_finds", "acted") if key in more}
    return in_step(a_group(force, ranks, **more), "3", *deeds, **phase)


@pytest.mark.clause("FS-SCV-1", "FS-AUD-1")
@pytest.mark.parametrize(
    ("first", "second", "food", "caps"),
    [
        (2, 12, ("radiated", 6), 0),
        (5, 1, ("radiated", 1), 0),
        (6, 11, None, 30),
        (9, 3, None, 10),
        (10, 8, ("clean", 4), 0),
        (11, 8, ("clean", 4), 0),
    ],
)
def test_what_is_scavenged(first: int, second: int, food: Any, caps: int) -> None:
    group = out()
    said = scavenge(RULES, group, "m-2", thrown(first), thrown(second))
    after = then(group, said)
    assert after.caps == caps
    assert [(moved.food, moved.amount) for moved in of_kind(said, FoodMoved)] == ([food] if food else [])
    assert all(outcome.roll in {said[0].roll, said[3].roll} for outcome in said if hasattr(outcome, "roll"))
    assert after.phase.acted == {"m-2": ("scavenged",)}


@pytest.mark.clause("FS-SCV-1", "FS-DICE-1")
@pytest.mark.parametrize(("first", "second", "got"), [(6, 12, 15), (2, 12, 3), (10, 12, 3)])
def test_who_was_taken_down_finds_less(first: int, second: int, got: int) -> None:
    group = out(Deeds("m-2", down="fall"))
    after = then(group, scavenge(RULES, group, "m-2", thrown(first), thrown(second)))
    assert after.caps + after.clean + after.radiated == got


@pytest.mark.clause("FS-SCV-1")
@pytest.mark.parametrize(
    ("second", "good"),
    [
        (1, "jet"),
        (3, "jet"),
        (4, "combat_shotgun"),
        (7, "baseball_bat_sledgehammer_nail_board"),
        (10, "pistol_10mm_chinese"),
        (12, "pistol_10mm_chinese"),
    ],
)
def test_something_special(second: int, good: str) -> None:
    group = out()
    said = scavenge(RULES, group, "m-2", thrown(12), thrown(second))
    assert [gained.item.good for gained in of_kind(said, ItemGained)] == [good]
    assert next(of_kind(said, ItemGained)).item.found


def test_clubs_and_pistols_as_the_organiser_reads_them() -> None:
    group, club = out(), rules(scavenge__club_item="tire_iron_lead_pipe")
    assert then(group, scavenge(club, group, "m-2", thrown(12), thrown(8))).items[0].good == "tire_iron_lead_pipe"
    told = rules(scavenge__pistol_item="any_pistol_of_choice")
    found = scavenge(told, group, "m-2", thrown(12), thrown(11), good="laser_pistol")
    assert then(group, found).items[0].good == "laser_pistol"
    assert refused(ChoiceRefused, scavenge, told, group, "m-2", thrown(12), thrown(11)) == [("/good", "FS-AMB-35")]


@pytest.mark.clause("FS-SCV-1", "FS-INJ-1")
def test_creatures_are_met_at_the_table() -> None:
    group = out()
    group = then(group, scavenge(RULES, group, "m-2", thrown(1)))
    assert group.phase.encounters == ("m-2",)
    assert refused(ChoiceRefused, settle_upkeep, RULES, group, Upkeep(), "s") == [("/encounters", "FS-SCV-1")]
    won = then(group, resolve_encounter(RULES, group, "m-2", "creatures_killed", thrown(5, 6)))
    assert (won.caps, won.member("m-2").xp, won.phase.encounters) == (11, 0, ())
    assert then(group, resolve_encounter(RULES, group, "m-2", "escaped")).phase.encounters == ()
    beaten = then(group, resolve_encounter(RULES, group, "m-2", "member_killed"))
    assert beaten.phase.injured == ("m-2",)
    assert then(beaten, roll_injury(RULES, beaten, "m-2", thrown(1, 1), "s")).member("m-2") is None
    assert refused(ChoiceRefused, resolve_encounter, RULES, group, "m-1", "escaped") == [("/member", "FS-SCV-1")]
    assert refused(ChoiceRefused, resolve_encounter, RULES, group, "m-2", "creatures_killed") == [("/roll", "FS-SCV-1")]


@pytest.mark.clause("FS-SCV-1", "FS-PGP-4", "FS-VIS-1", "FS-INJ-5")
def test_who_may_scavenge() -> None:
    group = out(Deeds("m-1"), Deeds("m-3"), turfs=["bar"])
    asked = (scavenge, RULES, group, "m-2", thrown(6), thrown(6))
    assert refused(ChoiceRefused, *asked) == [("/members/m-2", "FS-SCV-1")]
    assert then(group, scavenge(rules(scavenge__who="all_living"), group, "m-2", thrown(6), thrown(6))).caps == 15
    group = then(group, scavenge(RULES, group, "m-1", thrown(6), thrown(6)))
    assert refused(ChoiceRefused, scavenge, RULES, group, "m-1", thrown(6), thrown(6)) == [("/members/m-1", "FS-PGP-4")]
    asked = (visit_turf, RULES, group, "m-1", "t-900", [thrown(1)])
    assert refused(ChoiceRefused, *asked) == [("/members/m-1", "FS-PGP-4")]
    jailed = with_member(group, "m-3", away=True)
    assert refused(ChoiceRefused, scavenge, RULES, jailed, "m-3", thrown(6), thrown(6)) == [
        ("/members/m-3", "FS-INJ-5")
    ]
    late = in_step(a_group(), "4")
    assert refused(StepRefused, scavenge, RULES, late, "m-1", thrown(6), thrown(6)) == [("/step", "FS-PGP-1")]


def test_dice_that_a_row_does_not_ask_for() -> None:
    group = out()
    assert refused(ChoiceRefused, scavenge, RULES, group, "m-1", thrown(6)) == [("/second", "FS-SCV-1")]
    assert refused(ChoiceRefused, scavenge, RULES, group, "m-1", thrown(1), thrown(1)) == [("/second", "FS-SCV-1")]
    assert refused(DiceRefused, scavenge, RULES, group, "m-1", thrown(6), thrown(6, 6)) == [("/roll/dice", "FS-SCV-1")]
    assert refused(DiceRefused, scavenge, RULES, group, "m-1", thrown(3, sides=6)) == [
        ("/roll/dice/0/sides", "FS-DICE-1")
    ]


@pytest.mark.clause("FS-SCV-2")
def test_an_explorer_moves_the_result_by_one() -> None:
    group = with_member(out(), "m-2", perks=(HeldPerk("explorer"),))
    assert then(group, scavenge(RULES, group, "m-2", thrown(5), thrown(12), shift=1)).caps == 30
    assert then(group, scavenge(RULES, group, "m-2", thrown(2), shift=-1)).phase.encounters
    assert then(group, scavenge(RULES, group, "m-2", thrown(12), thrown(1), shift=1)).items
    assert refused(ChoiceRefused, scavenge, RULES, group, "m-2", thrown(5), shift=2) == [("/shift", "FS-SCV-2")]
    assert refused(ChoiceRefused, scavenge, RULES, group, "m-1", thrown(5), shift=1) == [("/shift", "FS-SCV-2")]


@pytest.mark.clause("FS-SCV-2")
@pytest.mark.parametrize(("force", "found"), [("wasteland_survivors", [0, 0, 0, 1, 1, 1, 1, 2]), ("raiders", [0] * 8)])
def test_survivors_find_more_food_together(force: str, found: list[int]) -> None:
    group, clean = out(ranks="vggggggg", force=force), []
    for id in group.ids:
        group = then(group, scavenge(RULES, group, id, thrown(6), thrown(1)))
        clean.append(group.clean)
    assert clean == found


@pytest.mark.clause("FS-GAM-10")
def test_a_roll_by_reward_comes_besides_what_a_member_does() -> None:
    group = out(extra_finds=1)
    group = then(group, scavenge(RULES, group, "m-2", thrown(6), thrown(2)))
    group = then(group, scavenge(RULES, group, "m-2", thrown(6), thrown(2), free=True))
    assert group.caps == 10
    asked = (scavenge, RULES, group, "m-2", thrown(6), thrown(2))
    assert refused(ChoiceRefused, *asked, free=True) == [("/free", "FS-GAM-10")]


@pytest.mark.clause("FS-TRF-2", "FS-VIS-1")
def test_a_turf_is_visited_once_by_one_member() -> None:
    group = out(turfs=["bar", "bar", "super_duper_mart"])
    group = then(group, visit_turf(RULES, group, "m-1", "t-900", [thrown(9)]))
    assert (group.caps, group.phase.visited) == (30, ("t-900",))
    assert refused(ChoiceRefused, visit_turf, RULES, group, "m-2", "t-900", [thrown(9)]) == [("/turf", "FS-TRF-2")]
    assert refused(ChoiceRefused, visit_turf, RULES, group, "m-2", "t-902") == [("/turf", "FS-TRF-2")]
    assert refused(ChoiceRefused, visit_turf, RULES, group, "m-2", "t-7") == [("/turf", "FS-TRF-2")]
    assert refused(ChoiceRefused, visit_turf, RULES, group, "m-2", "t-901") == [("/rolls", "FS-TRF-2")]
    group = then(group, visit_turf(RULES, group, "m-2", "t-901", [thrown(1)]))
    assert group.caps == 40


@pytest.mark.clause("FS-TRF-2", "FS-VIS-1")
def test_turfs_with_a_choice() -> None:
    group = out(turfs=["tinkerer", "gunsmith", "nuka_cola_plant", "fashion_store"], caps=20)

    def visit(turf: str, *throws: Any, **more: Any) -> Group:
        return then(group, visit_turf(RULES, group, "m-1", turf, throws, **more))

    assert visit("t-900", thrown(3), choice="invention", good="smg_10mm").items[0].good == "smg_10mm"
    assert visit("t-900", thrown(4), choice="invention").items == ()
    asked = (visit_turf, RULES, group, "m-1", "t-900", [thrown(1)])
    assert refused(ChoiceRefused, *asked, choice="invention", good="laser_pistol") == [("/good", "FS-TRF-2")]
    half = visit("t-901", choice="half_price_weapon", good="smg_10mm")
    assert (half.caps, half.items[0].paid) == (7, 13)
    asked = (visit_turf, RULES, group, "m-1", "t-901", [])
    assert refused(ChoiceRefused, *asked, choice="half_price_weapon", good="flamer") == [("/good", "FS-TRF-2")]
    assert refused(ChoiceRefused, *asked, choice="invention") == [("/choice", "FS-VIS-1")]
    assert visit("t-902", thrown(1, 12)).caps == 20 + 7 * 8
    assert refused(ChoiceRefused, visit_turf, RULES, group, "m-1", "t-902", choice="build") == [("/choice", "FS-VIS-1")]
    learned = out(turfs=["nuka_cola_plant"], goods=["schematics_nuka_grenade"])
    after = then(learned, visit_turf(RULES, learned, "m-1", "t-900", choice="build"))
    assert [item.good for item in after.items] == ["schematics_nuka_grenade", "nuka_grenade"]
    assert visit("t-903", thrown(7, 8)).items[0].good == "lucky_baseball_cap"


def test_a_doctor_visited_in_step_3_lets_an_injury_of_this_phase_be_rolled_again() -> None:
    told = rules(turf__doctor_reroll="needs_visit")
    group = with_member(out(turfs=["doctor"]), "m-2", injuries=("scarred",))
    group = replace(group, phase=replace(group.phase, suffered=(OpenRoll("m-2", "scarred", "r-old"),)))
    assert refused(ChoiceRefused, reroll_injury, told, group, "m-2") == [("/rerolls", "FS-INJ-3")]
    group = then(group, visit_turf(told, group, "m-1", "t-900", [thrown(1, 1)]))
    group = then(group, reroll_injury(told, group, "m-2"))
    assert group.member("m-2").injuries == ()
    group = then(group, roll_injury(told, group, "m-2", thrown(12, 12, replaces="r-old"), "s"))
    assert (group.member("m-2").injuries, group.phase.open_injuries) == ((), ())


@pytest.mark.clause("FS-EX-8", "FS-UPK-1", "FS-UPK-2", "FS-UPK-5", "FS-UPK-6", "FS-UPK-7")
@pytest.mark.parametrize("example", EXAMPLES["FS-EX-8"]["groups"])
def test_the_upkeep_of_the_example(example: dict[str, Any]) -> None:
    ranks = "v" + "g" * (example["members"] - 1)
    half = example.get("half", False)
    group = out(ranks=ranks, force=example["force"], turfs=example.get("turfs", []), caps=60, half_maintenance=half)
    group = replace(group, clean=example["clean"], radiated=example["radiated"], centaurs=example.get("centaurs", 0))
    upkeep = easiest(RULES, group)
    assert len(upkeep.guests) == example.get("guests", 0)
    owed = bill(RULES, group, upkeep)
    assert (owed.bought, owed.caps) == (example["bought"], example["caps"])
    said = settle_upkeep(RULES, group, upkeep, "s")
    after = then(group, said)
    assert group.caps - after.caps == example["caps"]
    assert sum(changed.amount for changed in of_kind(said, RadsChanged)) == example["rads"]
    assert all(moved.reason and moved.clause for moved in of_kind(said, CapsMoved))
    if "eaten" in example:
        assert group.clean - after.clean == example["eaten"]


@pytest.mark.clause("FS-UPK-1", "FS-PGP-1", "FS-SCV-1")
def test_upkeep_comes_once_and_after_all_visits() -> None:
    group = out(caps=100, clean=9)
    assert refused(ChoiceRefused, close_step, RULES, group, "3", "s") == [("/upkeep", "FS-UPK-1")]
    group = then(group, settle_upkeep(RULES, group, Upkeep(), "s"))
    assert (group.caps, group.clean) == (85, 6)
    assert refused(ChoiceRefused, settle_upkeep, RULES, group, Upkeep(), "s") == [("/step", "FS-UPK-1")]
    assert refused(ChoiceRefused, scavenge, RULES, group, "m-1", thrown(6), thrown(6)) == [("/step", "FS-UPK-1")]
    assert then(group, close_step(RULES, group, "3", "s")).phase.step == "4"


@pytest.mark.clause("FS-UPK-2")
def test_nobody_is_left_out_while_it_can_be_paid() -> None:
    rich = out(caps=100)
    asked = (settle_upkeep, RULES, rich)
    assert refused(ChoiceRefused, *asked, Upkeep(hungry=("m-2",)), "s") == [("/hungry", "FS-UPK-2")]
    assert refused(ChoiceRefused, *asked, Upkeep(neglected=("m-2",)), "s") == [("/neglected", "FS-UPK-2")]
    poor = out(caps=12)
    assert refused(BalanceTooLow, settle_upkeep, RULES, poor, Upkeep(hungry=("m-1", "m-2", "m-3")), "s") == [
        ("/caps", "FS-PGP-3")
    ]
    everybody = ("m-1", "m-2", "m-3")
    after = then(poor, settle_upkeep(RULES, poor, Upkeep(hungry=everybody, neglected=("m-3",)), "s"))
    assert (after.caps, [member.unfed for member in after.members]) == (2, [1, 1, 1])
    assert [member.unmaintained for member in after.members] == [0, 0, 1]


@pytest.mark.clause("FS-UPK-3", "FS-PGP-6")
def test_three_times_unfed_is_death_and_one_meal_ends_hunger() -> None:
    group = with_member(with_member(out(goods=[("smg_10mm", "m-2")]), "m-2", unfed=2), "m-3", unfed=2)
    group = replace(group, caps=3 + 15)
    upkeep = Upkeep(hungry=("m-1", "m-2"))
    after = then(group, settle_upkeep(RULES, group, upkeep, "s"))
    assert after.member("m-2") is None
    assert after.items[0].holder == ""
    assert [after.member("m-1").unfed, after.member("m-3").unfed] == [1, 0]


@pytest.mark.clause("FS-UPK-4")
def test_neglect_brings_critical_failures_nearer_until_it_ends() -> None:
    group = with_member(out(caps=0), "m-2", unmaintained=1)
    everybody = ("m-1", "m-2", "m-3")
    after = then(group, settle_upkeep(RULES, group, Upkeep(hungry=everybody, neglected=everybody), "s"))
    assert [critical_failure_from(RULES, member.unmaintained) for member in after.members] == [11, 10, 11]
    paid = with_member(out(caps=50), "m-2", unmaintained=2)
    assert then(paid, settle_upkeep(RULES, paid, Upkeep(), "s")).member("m-2").unmaintained == 0


@pytest.mark.clause("FS-UPK-5", "FS-RAD-1", "FS-INJ-4", "FS-PGP-6")
def test_radiated_food() -> None:
    group = replace(out(Deeds("m-1"), force="super_mutants", caps=50), radiated=6)
    upkeep = Upkeep(radiated={"m-1": 2, "m-2": 1})
    after = then(group, settle_upkeep(RULES, group, upkeep, "s"))
    assert [member.rads for member in after.members] == [1, 1, 0]
    per_unit = then(group, settle_upkeep(rules(upkeep__radiated_food="per_unit"), group, upkeep, "s"))
    assert [member.rads for member in per_unit.members] == [2, 1, 0]
    burnt = with_member(group, "m-2", rads=25)
    assert then(burnt, settle_upkeep(RULES, burnt, upkeep, "s")).member("m-2") is None


@pytest.mark.clause("FS-UPK-6", "FS-SPC-3")
def test_free_places() -> None:
    assert places(RULES, out(ranks="vgggg", turfs=["super_duper_mart"])) == 3
    assert places(RULES, out(ranks="vgggg", turfs=["super_duper_mart"] * 2)) == 6
    assert places(rules(turf__super_duper_mart="needs_visit"), out(turfs=["super_duper_mart"])) == 0
    told, group = rules(turf__super_duper_mart="needs_visit"), out(turfs=["super_duper_mart"])
    assert places(told, then(group, visit_turf(told, group, "m-1", "t-900"))) == 2
    assert places(RULES, out(force="vault_residents", home="restaurant")) == 4
    group = out(caps=99)
    assert refused(ChoiceRefused, settle_upkeep, RULES, group, Upkeep(guests=("m-1",)), "s") == [
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
def test_food_that_is_not_shared_out_so(upkeep: Upkeep, wrong: Any) -> None:
    assert refused(ChoiceRefused, settle_upkeep, RULES, out(caps=99), upkeep, "s") == wrong


@pytest.mark.clause("FS-UPK-2", "FS-PGP-3")
def test_food_is_sold() -> None:
    group = replace(out(), clean=3)
    after = then(group, sell_food(RULES, group, "clean", 2))
    assert (after.clean, after.caps) == (1, 6)
    assert refused(BalanceTooLow, sell_food, RULES, group, "radiated", 1) == [("/radiated", "FS-PGP-3")]
    assert refused(ChoiceRefused, sell_food, RULES, group, "clean", 0) == [("/amount", "FS-UPK-2")]


@pytest.mark.clause("FS-UPK-1")
def test_what_centaurs_cost() -> None:
    group = out(ranks="v", force="super_mutants", centaurs=2)
    assert [bill(told, group, Upkeep()).maintenance_caps for told in (RULES, rules(upkeep__centaur_caps=5))] == [5, 15]
    assert bill(RULES, group, Upkeep()).clean == 6


@pytest.mark.clause("FS-UPK-8")
def test_equipment_is_sold_for_upkeep() -> None:
    group = out(ranks="v", goods=["hunting_rifle"])
    said = emergency_sale(RULES, group, "i-100", thrown(3), thrown(9))
    assert then(group, said).caps == 18 + (2 + 6) - (5 + 9)
    assert then(group, said).items == ()
    flat = rules(upkeep__emergency_sale="flat_half")
    assert then(group, emergency_sale(flat, group, "i-100")).caps == 18
    none = rules(upkeep__emergency_sale="none")
    assert refused(ChoiceRefused, emergency_sale, none, group, "i-100") == [("/item", "FS-UPK-8")]
    rich = replace(group, caps=50)
    assert refused(ChoiceRefused, emergency_sale, flat, rich, "i-100") == [("/caps", "FS-UPK-8")]
    mutants = out(ranks="v", force="super_mutants", goods=["hunting_rifle"])
    assert ("/item", "FS-UPK-8") in refused(ChoiceRefused, emergency_sale, flat, mutants, "i-100")


@pytest.mark.clause("FS-SPC-1", "FS-XP-6", "FS-PGP-6")
def test_raiders_eat_their_own() -> None:
    group = with_member(out(ranks="vgg", goods=[("smg_10mm", "m-3")]), "m-2", xp=1)
    assert food_is_short(RULES, group)
    assert fighters(RULES, group, "s") == ("m-1", "m-3")
    said = eat_own(RULES, group, "m-1", 5, "s")
    after = then(group, said)
    assert (after.member("m-3"), after.member("m-1").xp, places(RULES, after)) == (None, 55, 5)
    assert after.member("m-1").advances == 1
    assert after.items[0].holder == ""
    assert ("/step", "FS-SPC-1") in refused(ChoiceRefused, eat_own, RULES, after, "m-1", 2, "s")
    lost = then(group, eat_own(RULES, group, "m-3", 0, "s"))
    assert (lost.member("m-3"), lost.phase.injured, places(RULES, lost)) == (None, ("m-1",), 0)


@pytest.mark.clause("FS-SPC-1", "FS-DICE-4")
def test_two_worth_equally_little_fight_each_other() -> None:
    group = out(ranks="vgg")
    assert fighters(RULES, group, "s") == ("m-2", "m-3")
    after = then(group, eat_own(RULES, group, "m-3", 2, "s"))
    assert (after.member("m-2"), after.member("m-3").xp) == (None, 2)
    four = {frozenset(fighters(RULES, out(ranks="vggg"), str(seed))) for seed in range(30)}
    assert len(four) == 3
    assert refused(ChoiceRefused, fighters, RULES, out(ranks="v"), "s") == [("/members", "FS-SPC-1")]


def test_when_nobody_is_eaten() -> None:
    fed = replace(out(ranks="vgg"), clean=3)
    assert refused(ChoiceRefused, eat_own, RULES, fed, "m-2", 1, "s") == [("/food", "FS-AMB-56")]
    assert then(fed, eat_own(rules(spc__cannibals_when="any_time"), fed, "m-2", 1, "s")).member("m-3") is None
    assert ("/force", "FS-SPC-1") in refused(ChoiceRefused, eat_own, RULES, out(force="enclave"), "m-2", 1, "s")
    assert refused(ChoiceRefused, eat_own, RULES, out(ranks="vgg"), "m-1", 1, "s") == [("/winner", "FS-SPC-1")]


@pytest.mark.clause("FS-SPC-2")
def test_mutants_eat_killed_humans() -> None:
    group = out(force="super_mutants")
    assert places(RULES, then(group, feast(RULES, group, "raiders", 2, 3))) == 4
    assert places(RULES, then(group, feast(rules(spc__flesh_eaters_need="taken_down"), group, "raiders", 2, 3))) == 6
    assert refused(ChoiceRefused, feast, RULES, group, "super_mutants", 2, 2) == [("/rival", "FS-SPC-2")]
    assert refused(ChoiceRefused, feast, RULES, group, "raiders", 0, 2) == [("/rival", "FS-SPC-2")]
    assert ("/force", "FS-SPC-2") in refused(ChoiceRefused, feast, RULES, out(), "raiders", 1, 1)
    fed = then(group, feast(RULES, group, "raiders", 2, 3))
    assert refused(ChoiceRefused, feast, RULES, fed, "raiders", 1, 1) == [("/step", "FS-SPC-2")]


@pytest.mark.clause("FS-SPC-1", "FS-SPC-2")
@pytest.mark.parametrize(("force", "fed"), [("raiders", 5), ("super_mutants", 2)])
def test_the_blind_are_eaten_without_a_fight(force: str, fed: int) -> None:
    group = with_member(out(force=force), "m-2", injuries=("eye_wound",) * 2)
    assert places(RULES, then(group, eat_blind(RULES, group, "m-2", "s"))) == fed
    assert refused(ChoiceRefused, eat_blind, RULES, group, "m-3", "s") == [("/member", "FS-AMB-50")]


@pytest.mark.clause("FS-PGP-3", "FS-UPK-1", "FS-UPK-2")
@given(
    some.sampled_from(sorted(RULES.forces)),
    some.integers(1, 8),
    some.integers(0, 80),
    some.integers(0, 12),
    some.integers(0, 12),
    some.booleans(),
)
def test_the_easiest_upkeep_feeds_everybody_or_cannot_be_paid(
    force: str, members: int, caps: int, clean: int, radiated: int, half: bool
) -> None:
    group = out(ranks="v" * members, force=force, caps=caps, half_maintenance=half)
    group = replace(group, clean=clean, radiated=radiated)
    upkeep = easiest(RULES, group)
    owed = bill(RULES, group, upkeep)
    assume(owed.caps <= caps)
    after = then(group, settle_upkeep(RULES, group, upkeep, "s"))
    assert after.caps == caps - owed.caps
    assert min(after.clean, after.radiated) >= 0
    eaten = members * RULES.forces[force].special.appetite
    assert clean + radiated + owed.bought - after.clean - after.radiated == eaten
    assert owed.maintenance_caps == (halved(5 * members) if half else 5 * members)
    assert {member.unfed for member in after.members} == {0}
