"""Step 3: scavenging and visits to turfs."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from shared.campaign.encounters import Meeting, no_dice, resolve_encounter
from shared.campaign.facts import Deeds
from shared.campaign.food import Upkeep, settle_upkeep
from shared.campaign.injuries import reroll_injury, roll_injury
from shared.campaign.outcomes import MemberRemoved
from shared.campaign.post_game_outcomes import FoodMoved, ItemGained, ScavengingRolled
from shared.campaign.roster import Group, HeldPerk, OpenRoll
from shared.campaign.scavenging import scavenge, shift_find, spend_kept, visit_turf
from shared.campaign.words import ChoiceRefused, DiceRefused, StepRefused
from tests.campaign.rolls import faults_of_rolls
from tests.campaign.story import (
    LOTS,
    RULES,
    a_group,
    in_step,
    kinds,
    of_kind,
    out,
    refused,
    rules,
    then,
    thrown,
    with_member,
)


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
def test_results_of_scavenging(first: int, second: int, food: Any, caps: int) -> None:
    group = out()
    events = scavenge(RULES, group, "m-2", thrown(first), thrown(second))
    after = then(group, events)
    assert after.caps == caps
    assert [(moved.food, moved.amount) for moved in of_kind(events, FoodMoved)] == ([food] if food else [])
    assert all(outcome.roll in {events[0].roll, events[3].roll} for outcome in events if hasattr(outcome, "roll"))
    assert after.phase.acted == {"m-2": ("scavenged",)}


@pytest.mark.clause("FS-SCV-1", "FS-DICE-1")
@pytest.mark.parametrize(("first", "second", "got"), [(6, 12, 15), (2, 12, 3), (10, 12, 3)])
def test_member_taken_down_finds_less(first: int, second: int, got: int) -> None:
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
def test_special_finds(second: int, good: str) -> None:
    group = out()
    events = scavenge(RULES, group, "m-2", thrown(12), thrown(second))
    assert [gained.item.good for gained in of_kind(events, ItemGained)] == [good]
    assert next(of_kind(events, ItemGained)).item.found


@pytest.mark.clause("FS-AMB-35")
def test_options_for_clubs_and_pistols() -> None:
    group, club = out(), rules(scavenge__club_item="tire_iron_lead_pipe")
    assert then(group, scavenge(club, group, "m-2", thrown(12), thrown(8))).items[0].good == "tire_iron_lead_pipe"
    ruleset = rules(scavenge__pistol_item="any_pistol_of_choice")
    found = scavenge(ruleset, group, "m-2", thrown(12), thrown(11), good="laser_pistol")
    assert then(group, found).items[0].good == "laser_pistol"
    unnamed = scavenge(ruleset, group, "m-2", thrown(12), thrown(11))
    assert then(group, unnamed).items[0].good == "pistol_10mm_chinese"


@pytest.mark.clause("FS-SCV-1", "FS-INJ-1")
def test_encounters_are_played_at_the_table() -> None:
    group = out()
    group = then(group, scavenge(RULES, group, "m-2", thrown(1)))
    assert group.phase.encounters == ("m-2",)
    assert refused(ChoiceRefused, settle_upkeep, RULES, group, Upkeep(), LOTS) == [("/encounters", "FS-SCV-1")]
    fought = Meeting("m-2", "creatures_killed", "giant_ants", 1)
    won = then(group, resolve_encounter(RULES, group, fought, lambda *asked: thrown(5, 6)))
    assert (won.caps, won.phase.encounters) == (11, ())
    assert then(group, resolve_encounter(RULES, group, Meeting("m-2", "escaped"), no_dice)).phase.encounters == ()
    beaten = then(group, resolve_encounter(RULES, group, Meeting("m-2", "member_killed"), no_dice))
    assert beaten.phase.injured == ("m-2",)
    assert then(beaten, roll_injury(RULES, beaten, "m-2", thrown(1, 1), LOTS)).member("m-2") is None


@pytest.mark.clause("FS-SCV-1", "FS-PGP-4", "FS-VIS-1", "FS-INJ-5", "FS-AMB-34")
def test_restrictions_of_scavenging() -> None:
    group = out(Deeds("m-1"), Deeds("m-3"), turfs=["bar"])
    asked = (scavenge, RULES, group, "m-2", thrown(6), thrown(6))
    assert refused(ChoiceRefused, *asked) == [("/members/m-2", "FS-SCV-1")]
    assert then(group, scavenge(rules(scavenge__who="all_living"), group, "m-2", thrown(6), thrown(6))).caps == 15
    group = then(group, scavenge(RULES, group, "m-1", thrown(6), thrown(6)))
    assert refused(ChoiceRefused, scavenge, RULES, group, "m-1", thrown(6), thrown(6)) == [("/members/m-1", "FS-PGP-4")]
    asked = (visit_turf, RULES, group, "m-1", "t-900", [thrown(1)])
    assert refused(ChoiceRefused, *asked) == [("/members/m-1", "FS-PGP-4")]
    assert ("/members/m-9", "FS-PGP-4") in refused(ChoiceRefused, scavenge, RULES, group, "m-9", thrown(6), thrown(6))
    jailed = with_member(group, "m-3", away=True)
    assert refused(ChoiceRefused, scavenge, RULES, jailed, "m-3", thrown(6), thrown(6)) == [
        ("/members/m-3", "FS-INJ-5")
    ]
    late = in_step(a_group(), "4")
    assert refused(StepRefused, scavenge, RULES, late, "m-1", thrown(6), thrown(6)) == [("/step", "FS-PGP-1")]


def test_superfluous_dice_are_refused() -> None:
    group = out()
    assert refused(ChoiceRefused, scavenge, RULES, group, "m-1", thrown(6)) == [("/second", "FS-SCV-1")]
    assert refused(ChoiceRefused, scavenge, RULES, group, "m-1", thrown(1), thrown(1)) == [("/second", "FS-SCV-1")]
    assert refused(DiceRefused, scavenge, RULES, group, "m-1", thrown(6), thrown(6, 6)) == [("/roll/dice", "FS-SCV-1")]
    assert refused(DiceRefused, scavenge, RULES, group, "m-1", thrown(3, sides=6)) == [
        ("/roll/dice/0/sides", "FS-DICE-1")
    ]


def an_explorer(**more: Any) -> Group:
    return with_member(out(**more), "m-2", perks=(HeldPerk("explorer"),))


@pytest.mark.clause("FS-SCV-2")
def test_explorer_shifts_the_die_after_the_roll() -> None:
    group = an_explorer()
    events = scavenge(RULES, group, "m-2", thrown(5))
    assert kinds(events) == ["DieRolled", "ScavengingOpened", "MemberActed"]
    waits = then(group, events)
    assert (waits.radiated, [open.face for open in waits.phase.open_finds]) == (0, [5])
    assert refused(ChoiceRefused, scavenge, RULES, group, "m-2", thrown(5), thrown(12)) == [("/second", "FS-SCV-2")]
    assert refused(ChoiceRefused, scavenge, RULES, waits, "m-2", thrown(5)) == [("/members/m-2", "FS-PGP-4")]
    assert refused(ChoiceRefused, settle_upkeep, RULES, waits, Upkeep(), LOTS) == [("/open_finds", "FS-SCV-2")]
    for shift, caps, radiated in ((-1, 0, 6), (0, 0, 6), (1, 30, 0)):
        after = then(waits, shift_find(RULES, waits, "m-2", shift, thrown(12)))
        assert (after.caps, after.radiated, after.phase.open_finds) == (caps, radiated, ())
    assert refused(ChoiceRefused, shift_find, RULES, waits, "m-2", 2, thrown(12)) == [("/shift", "FS-SCV-2")]
    assert refused(ChoiceRefused, shift_find, RULES, waits, "m-1", 0) == [("/member", "FS-SCV-2")]
    gone = then(waits, MemberRemoved("m-2", "dead", "lost", "FS-INJ-1"))
    assert gone.phase.open_finds == ()


@pytest.mark.clause("FS-SCV-2")
@pytest.mark.parametrize(("face", "shift", "second", "found"), [(12, 1, (1,), "jet"), (1, -1, (), ""), (2, -1, (), "")])
def test_shift_stays_within_the_table(face: int, shift: int, second: tuple[int, ...], found: str) -> None:
    group = an_explorer()
    waits = then(group, scavenge(RULES, group, "m-2", thrown(face)))
    after = then(waits, shift_find(RULES, waits, "m-2", shift, thrown(*second) if second else None))
    assert [item.good for item in after.items] == ([found] if found else [])
    assert after.phase.encounters == (() if found else ("m-2",))


@pytest.mark.clause("FS-SCV-2", "FS-GAM-10")
def test_free_roll_of_an_explorer_is_used_at_the_roll() -> None:
    group = an_explorer(extra_finds=1)
    waits = then(group, scavenge(RULES, group, "m-2", thrown(5), free=True))
    assert (waits.phase.extra_finds, waits.phase.acted) == (0, {})
    after = then(waits, shift_find(RULES, waits, "m-2", 0, thrown(12)))
    assert (after.phase.extra_finds, after.radiated) == (0, 6)


@pytest.mark.clause("FS-SCV-2", "FS-AMB-35")
def test_pistol_is_named_before_the_shifted_roll() -> None:
    ruleset, group = rules(scavenge__pistol_item="any_pistol_of_choice"), an_explorer()
    waits = then(group, scavenge(ruleset, group, "m-2", thrown(11), good="laser_pistol"))
    assert then(waits, shift_find(ruleset, waits, "m-2", 1, thrown(11))).items[0].good == "laser_pistol"


@pytest.mark.clause("FS-SCV-2")
@pytest.mark.parametrize(("force", "found"), [("wasteland_survivors", [0, 0, 0, 1, 1, 1, 1, 2]), ("raiders", [0] * 8)])
def test_bonus_food_of_survivors(force: str, found: list[int]) -> None:
    group, clean = out(ranks="vggggggg", force=force), []
    for id in group.ids:
        group = then(group, scavenge(RULES, group, id, thrown(6), thrown(1)))
        clean.append(group.clean)
    assert clean == found


@pytest.mark.clause("FS-SCV-2")
def test_visits_and_free_rolls_do_not_count_for_bonus_food() -> None:
    group = out(ranks="vgggg", force="wasteland_survivors", turfs=["bar"], extra_finds=2)
    group = then(group, scavenge(RULES, group, "m-4", thrown(6), thrown(1), free=True))
    group = then(group, visit_turf(RULES, group, "m-1", "t-900", [thrown(1)]))
    for id in ("m-2", "m-3", "m-4"):
        group = then(group, scavenge(RULES, group, id, thrown(6), thrown(1)))
    assert group.clean == 0
    events = scavenge(RULES, group, "m-5", thrown(6), thrown(1))
    assert [(moved.food, moved.amount, moved.clause) for moved in of_kind(events, FoodMoved)] == [
        ("clean", 1, "FS-SCV-2")
    ]
    group = then(group, events)
    assert then(group, scavenge(RULES, group, "m-4", thrown(6), thrown(1), free=True)).clean == 1


@pytest.mark.clause("FS-GAM-10")
def test_free_roll_does_not_use_the_activity() -> None:
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
    assert visit("t-900", thrown(4), choice="invention", good="smg_10mm").items == ()
    asked = (visit_turf, RULES, group, "m-1", "t-900", [thrown(1)])
    assert refused(ChoiceRefused, *asked, choice="invention", good="laser_pistol") == [("/good", "FS-TRF-2")]
    half = visit("t-901", choice="half_price_weapon", good="smg_10mm")
    assert (half.caps, half.items[0].paid) == (7, 13)
    asked = (visit_turf, RULES, group, "m-1", "t-901", [])
    assert refused(ChoiceRefused, *asked, choice="half_price_weapon", good="flamer") == [("/good", "FS-TRF-2")]
    assert refused(ChoiceRefused, *asked, choice="invention") == [("/choice", "FS-VIS-1")]
    assert visit("t-902", thrown(1, 12)).caps == 20 + 7 * 8
    assert refused(ChoiceRefused, visit_turf, RULES, group, "m-1", "t-902", choice="build") == [("/choice", "FS-VIS-1")]
    kept = visit("t-902", choice="keep")
    assert ([item.good for item in kept.items], kept.caps) == (["nuka_cola_quantum"], 20)
    learned = out(turfs=["nuka_cola_plant"], goods=["schematics_nuka_grenade"])
    after = then(learned, visit_turf(RULES, learned, "m-1", "t-900", choice="build"))
    assert [item.good for item in after.items] == ["schematics_nuka_grenade", "nuka_grenade"]
    assert visit("t-903", thrown(7, 8)).items[0].good == "lucky_baseball_cap"


@pytest.mark.clause("FS-TRF-2", "FS-AUD-2")
def test_kept_quantum_is_sold_or_built_later() -> None:
    group = in_step(a_group(goods=["nuka_cola_quantum", "smg_10mm"]), "5")
    sold = spend_kept(RULES, group, "i-100", "sell", thrown(1, 12))
    assert (then(group, sold).caps, [item.good for item in then(group, sold).items]) == (7 * 8, ["smg_10mm"])
    assert list(faults_of_rolls(RULES, sold)) == []
    assert refused(ChoiceRefused, spend_kept, RULES, group, "i-100", "build") == [("/choice", "FS-TRF-2")]
    assert refused(ChoiceRefused, spend_kept, RULES, group, "i-100", "sell") == [("/rolls", "FS-TRF-2")]
    assert refused(ChoiceRefused, spend_kept, RULES, group, "i-101", "sell", thrown(1, 1)) == [("/item", "FS-TRF-2")]
    assert refused(ChoiceRefused, spend_kept, RULES, group, "i-9", "build") == [("/item", "FS-TRF-2")]
    learned = in_step(a_group(goods=["nuka_cola_quantum", "schematics_nuka_grenade"]), "3")
    made = then(learned, spend_kept(RULES, learned, "i-100", "build"))
    assert [item.good for item in made.items] == ["schematics_nuka_grenade", "nuka_grenade"]
    assert refused(StepRefused, spend_kept, RULES, a_group(goods=["nuka_cola_quantum"]), "i-100", "build")


@pytest.mark.clause("FS-AMB-32")
def test_visited_doctor_gives_a_reroll_in_step_3() -> None:
    ruleset = rules(turf__doctor_reroll="needs_visit")
    group = with_member(out(turfs=["doctor"]), "m-2", injuries=("scarred",))
    group = replace(group, phase=replace(group.phase, suffered=(OpenRoll("m-2", "scarred", "r-old"),)))
    assert refused(ChoiceRefused, reroll_injury, ruleset, group, "m-2") == [("/rerolls", "FS-INJ-3")]
    group = then(group, visit_turf(ruleset, group, "m-1", "t-900", [thrown(1, 1)]))
    group = then(group, reroll_injury(ruleset, group, "m-2"))
    assert group.member("m-2").injuries == ()
    group = then(group, roll_injury(ruleset, group, "m-2", thrown(12, 12, replaces="r-old"), LOTS))
    assert (group.member("m-2").injuries, group.phase.open_injuries) == ((), ())


@pytest.mark.clause("FS-SCV-1", "FS-SCV-2")
def test_unshifted_die_records_shift_zero() -> None:
    events = scavenge(RULES, out(), "m-2", thrown(9), thrown(3))
    rolled = next(of_kind(events, ScavengingRolled))
    assert (rolled.finds, rolled.shift) == ("caps", 0)
    assert ScavengingRolled("m-2", "caps", "r-1").shift == 0


@pytest.mark.clause("FS-AMB-35")
@pytest.mark.parametrize("face", range(1, 13))
def test_each_face_of_the_special_die_finds_its_row(face: int) -> None:
    row = next(row for row in RULES.finds.special if face in range(row.least, row.most + 1))
    found = RULES.options.club_item if row.choice == "club" else row.item
    gained = next(of_kind(scavenge(RULES, out(), "m-2", thrown(12), thrown(face)), ItemGained))
    assert gained.item.good == found


@pytest.mark.clause("FS-SCV-1")
def test_row_of_caps_finds_caps() -> None:
    rows = [replace(row, food="clean") if row.finds == "caps" else row for row in RULES.finds.scavenging]
    ruleset = replace(RULES, finds=replace(RULES.finds, scavenging=type(RULES.finds.scavenging)(rows)))
    assert kinds(scavenge(ruleset, out(), "m-2", thrown(9), thrown(3)))[-1] == "CapsMoved"
