"""Building a group: legal and illegal lists, and the rating."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from msgspec.structs import replace

from shared.campaign.dice import DieRolled
from shared.campaign.group import (
    Enlisted,
    Submission,
    accept_group,
    appoint_leader,
    base_value,
    big_guns_allowed,
    faults_of_missing_armor,
    faults_of_submission,
    finalise_rating,
    group_cost,
    group_rating,
)
from shared.campaign.rewards import roll_turf, take_turf, visit_yield
from shared.campaign.roster import Item, OwnedTurf
from shared.campaign.tables import Rules
from shared.campaign.words import ChoiceRefused, DiceRefused, GroupRefused
from shared.tournament.draws import SeededDraws
from tests.campaign.story import EXAMPLES, LOTS, RULES, a_group, refused, rules, then, thrown, with_member


def handed_in(force: str, members: dict[str, int], stash: Sequence[str] = (), armor: str = "") -> Submission:
    ranks = [rank for rank, number in members.items() for _ in range(number)]
    worn = (armor,) if armor else ()
    enlisted = tuple(Enlisted(rank, goods=worn if rank != "green" else ()) for rank in ranks)
    return Submission(force, enlisted, tuple(stash))


def clauses(submission: Submission, ruleset: Rules = RULES) -> list[str]:
    faults = faults_of_submission(ruleset, submission)
    assert all(fault.where.startswith("/") and fault.said and str(fault.expected) for fault in faults)
    return [fault.clause for fault in faults]


@pytest.mark.clause("FS-EX-1", "FS-RAT-1", "FS-GRP-2", "FS-GRP-11", "FS-GRP-12", "FS-GRP-13", "FS-AMB-1")
@pytest.mark.parametrize(("xp", "key"), [(25, "rating"), (21, "rating_with_21")])
def test_example_group_of_the_document(xp: int, key: str) -> None:
    ruleset, example = rules(start__experienced_xp=xp), EXAMPLES["FS-EX-1"]
    accepted = accept_group(ruleset, "g-1", handed_in(example["force"], example["members"], example["goods"]))
    group = then(a_group(), accepted)
    assert (group_cost(ruleset, group), group.caps) == (example["cost"], example["caps"])
    assert not any(member.perks for member in group.members)
    assert len({member.id for member in group.members} | {item.id for item in group.items}) == 18
    group = replace(group, turfs=tuple(OwnedTurf(f"t-{n}", turf) for n, turf in enumerate(example["turfs"])))
    assert group_rating(ruleset, group) == example[key]
    assert group_rating(ruleset, replace(group, caps=999, clean=9, radiated=9)) == example[key]
    assert group_rating(ruleset, replace(group, centaurs=2)) == example[key] + 100


@pytest.mark.clause("FS-EX-1", "FS-GRP-4", "FS-GRP-5")
def test_other_forces_cannot_have_the_example_group() -> None:
    example = EXAMPLES["FS-EX-1"]
    for force, clause in example["not_by"].items():
        assert clause in clauses(handed_in(force, example["members"]))


@pytest.mark.clause("FS-EX-2", "FS-GRP-1")
@pytest.mark.parametrize("example", EXAMPLES["FS-EX-2"]["lists"])
def test_brotherhood_lists(example: dict[str, Any]) -> None:
    members = EXAMPLES["FS-EX-2"]["members"]
    submission = handed_in("brotherhood_of_steel", members, example["stash"], "power_armor")
    assert clauses(submission) == example["faults"]
    if not example["faults"]:
        assert accept_group(RULES, "g-1", submission).accepted.caps == example["caps"]


@pytest.mark.clause("FS-EX-2", "FS-GRP-8", "FS-DICE-2")
@pytest.mark.parametrize(("force", "most"), EXAMPLES["FS-EX-2"]["big_guns"].items())
def test_big_guns_allowed_for_nine_members(force: str, most: int) -> None:
    assert big_guns_allowed(RULES, a_group(force, "ggggeeevv")) == most


@pytest.mark.clause("FS-GRP-1")
@pytest.mark.parametrize(("stash", "faults"), [(["flamer"] * 4 + ["frag_grenade"] * 4, []), (None, ["FS-GRP-1"])])
def test_five_hundred_caps_are_accepted_and_more_refused(stash: list[str] | None, faults: list[str]) -> None:
    goods = stash if stash is not None else ["flamer"] * 4 + ["frag_grenade"] * 4 + ["brass_knuckles_knife"]
    submission = handed_in("raiders", {"veteran": 2}, goods)
    assert clauses(submission) == faults
    if faults:
        assert refused(GroupRefused, accept_group, RULES, "g-1", submission) == [("/members", "FS-GRP-1")]


@pytest.mark.clause("FS-GRP-3")
@pytest.mark.parametrize("good", ["stimpak", "jet", "schematics_dart_gun", "plasma_rifle", "leather_armor", "sword"])
def test_starting_group_buys_from_its_own_list_only(good: str) -> None:
    assert clauses(handed_in("raiders", {"veteran": 1}, [good])) == ["FS-GRP-3"]


@pytest.mark.clause("FS-GRP-4", "FS-GRP-5", "FS-GRP-6")
@pytest.mark.parametrize("force", RULES.forces)
def test_starting_group_has_a_maximum_for_each_rank(force: str) -> None:
    for rank, entry in RULES.forces[force].ranks.items():
        enough = {**({} if rank == "veteran" else {"veteran": 1}), rank: entry.start_most}
        assert "FS-GRP-4" not in clauses(handed_in(force, enough))
        assert "FS-GRP-4" in clauses(handed_in(force, {**enough, rank: entry.start_most + 1}))
    assert clauses(handed_in(force, {"veteran": 1})) == []
    assert clauses(handed_in(force, {"green": 1})) == ["FS-GRP-6"]


@pytest.mark.clause("FS-GRP-5")
def test_a_ninth_super_mutant_is_refused() -> None:
    assert clauses(handed_in("super_mutants", {"green": 5, "experienced": 2, "veteran": 1})) == []
    assert "FS-GRP-5" in clauses(handed_in("super_mutants", {"green": 5, "experienced": 3, "veteran": 1}))


@pytest.mark.clause("FS-GRP-7", "FS-AMB-27")
def test_forbidden_and_required_armor() -> None:
    mutants = Submission("super_mutants", (Enlisted("veteran", goods=("power_armor",)),))
    assert set(clauses(mutants)) == {"FS-GRP-3", "FS-GRP-7"}
    submission = handed_in("regulators", {"green": 1, "veteran": 1})
    assert clauses(submission) == []
    assert [fault.where for fault in faults_of_missing_armor(RULES, a_group("regulators", "vg"))] == [
        "/members/m-1",
        "/members/m-2",
    ]
    assert faults_of_missing_armor(RULES, a_group("regulators", "v", goods=[("trench_coat", "m-1")])) == []
    assert faults_of_missing_armor(RULES, a_group("vault_residents", "vg")) == []
    refusing = faults_of_submission(rules(force__missing_armor="refuse_at_registration"), submission)
    assert [(fault.where, fault.clause) for fault in refusing] == [
        ("/members/0", "FS-GRP-7"),
        ("/members/1", "FS-GRP-7"),
    ]


@pytest.mark.clause("FS-GRP-8", "FS-AMB-26", "FS-AMB-28")
def test_ranks_and_numbers_of_big_gun_carriers() -> None:
    def talon(rank: str, ruleset: Rules = RULES) -> list[str]:
        others = tuple(Enlisted("green") for _ in range(3))
        gunner = Enlisted(rank, goods=("minigun",))
        return clauses(Submission("talon_company", (*others, gunner, Enlisted("veteran"))), ruleset)

    assert (talon("green"), talon("experienced"), talon("veteran")) == ([], ["FS-GRP-8"], ["FS-GRP-8"])
    assert talon("experienced", rules(force__talon_big_guns="merc_and_veteran_merc")) == []
    four = tuple(Enlisted("green", goods=("flamer",) * (n == 0)) for n in range(3))
    assert clauses(Submission("raiders", (*four, Enlisted("veteran")))) == ["FS-GRP-8"]
    stashed = Submission("raiders", (Enlisted("veteran"),), ("flamer",))
    assert clauses(stashed) == []
    assert clauses(stashed, rules(force__big_gun_ratio="checked_on_purchase")) == ["FS-GRP-8"]


@pytest.mark.clause("FS-GRP-8", "FS-AMB-26")
@pytest.mark.parametrize(("rank", "allowed"), [("experienced", True), ("veteran", False)])
def test_refused_big_gun_names_the_option_that_would_allow_it(rank: str, allowed: bool) -> None:
    others = tuple(Enlisted("green") for _ in range(3))
    talon = Submission("talon_company", (*others, Enlisted(rank, goods=("minigun",)), Enlisted("veteran")))
    (fault,) = faults_of_submission(RULES, talon)
    assert ("fs.force.talon_big_guns=merc_and_veteran_merc" in str(fault.expected)) == allowed


def test_unknown_names_are_reported() -> None:
    assert clauses(Submission("chess", ())) == ["FS-GRP-3"]
    unknown = Submission("raiders", (Enlisted("king", goods=("crown",)),))
    assert [fault.where for fault in faults_of_submission(RULES, unknown)] == ["/members/0/rank", "/members/0/goods/0"]


@pytest.mark.clause("FS-RAT-2", "FS-AMB-23", "FS-AMB-41")
def test_base_values() -> None:
    values = {"smg_10mm": 25, "dart_gun": 20, "lucky_baseball_cap": 30, "nuka_cola_quantum": 0, "metal_armor": 40}
    assert {good: base_value(RULES, good) for good in values} == values
    assert base_value(rules(rating__custom_weapon_value=0), "dart_gun") == 0
    assert base_value(rules(data__sample_profiles="section_5_5"), "smg_10mm") == 10


@pytest.mark.clause("FS-RAT-1", "FS-RAT-2", "FS-AMB-40", "FS-AMB-41")
def test_paid_prices_count_by_option() -> None:
    group = replace(a_group(ranks="v"), items=(Item("i-1", "smg_10mm", paid=31), Item("i-2", "smg_10mm", found=True)))
    assert group_cost(RULES, group) == 100
    assert group_cost(rules(rating__equipment_value="paid"), group) == 106
    recruit = with_member(a_group(ranks="vg"), "m-2", paid=40)
    assert [group_cost(RULES, recruit), group_cost(rules(recruit__rating_cost="paid_40"), recruit)] == [60, 90]


@pytest.mark.clause("FS-RAT-3")
def test_rating_is_finalised() -> None:
    group = a_group(ranks="v", turfs=["bar"])
    assert then(group, finalise_rating(RULES, group)).rating == 150


@pytest.mark.clause("FS-LDR-1")
def test_highest_charisma_leads_and_ties_are_drawn() -> None:
    group = replace(a_group(ranks="gve"), leader="")
    assert [event.member for event in appoint_leader(RULES, group, LOTS, 0)] == ["m-2"]
    equals = replace(a_group(ranks="gvv"), leader="")
    appointed = appoint_leader(RULES, equals, LOTS, 0)[0]
    assert appointed.member == appointed.drawn[0]
    assert set(appointed.drawn) == {"m-2", "m-3"}
    assert {appoint_leader(RULES, equals, SeededDraws(str(n)), 0)[0].member for n in range(20)} == {"m-2", "m-3"}
    assert appoint_leader(RULES, replace(equals, members=()), LOTS, 0) == []


@pytest.mark.clause("FS-LDR-3", "FS-AMB-58")
def test_leader_stays_unless_the_option_replaces_it() -> None:
    group = with_member(a_group(ranks="ve"), "m-1", injuries=("scarred",) * 3)
    assert appoint_leader(RULES, group, LOTS, 1) == []
    events = appoint_leader(rules(leader__reappoint="whenever_charisma_exceeded"), group, LOTS, 1)
    assert [outcome.member for outcome in events] == ["m-2"]
    assert appoint_leader(rules(leader__reappoint="whenever_charisma_exceeded"), a_group(ranks="vv"), LOTS, 1) == []


@pytest.mark.clause("FS-TRF-1", "FS-EX-7")
def test_starting_turfs_are_rolled_and_may_repeat() -> None:
    group = replace(a_group(), turfs=())
    for _ in range(3):
        events = roll_turf(RULES, group, thrown(4, 8))
        assert isinstance(events[0], DieRolled)
        assert events[1].roll == events[0].roll
        group = then(group, events)
    assert [owned.turf for owned in group.turfs] == [EXAMPLES["FS-EX-7"]["found"][12]] * 3
    assert len({owned.id for owned in group.turfs}) == 3
    assert refused(ChoiceRefused, roll_turf, RULES, group, thrown(4, 8)) == [("/turfs", "FS-TRF-1")]
    assert refused(DiceRefused, roll_turf, RULES, a_group(), thrown(4)) == [("/roll/dice", "FS-TRF-1")]


@pytest.mark.clause("FS-EX-7", "FS-TRF-2", "FS-AMB-29")
@pytest.mark.parametrize("visit", EXAMPLES["FS-EX-7"]["visits"])
def test_yield_of_visits(visit: dict[str, Any]) -> None:
    turf = next(turf for turf in RULES.turfs if turf.turf == visit["turf"])
    throws = [thrown(*faces) for faces in visit["faces"]]
    found = visit_yield(RULES, turf, throws, "m-1")
    assert (found.caps, found.food, found.item) == (visit["caps"], visit.get("food", 0), visit.get("item", ""))
    if "arithmetic" in visit:
        assert visit_yield(rules(turf__formula="arithmetic"), turf, throws, "m-1").caps == visit["arithmetic"]


@pytest.mark.clause("FS-TRF-2")
@pytest.mark.parametrize("turf", RULES.turfs)
@given(face=some.integers(1, 12))
def test_no_visit_yields_less_than_nothing(turf: Any, face: int) -> None:
    from shared.campaign.dice import parse_formula
    from shared.campaign.rewards import visit_dice

    found = visit_yield(RULES, turf, [thrown(*[face] * parse_formula(text).count) for text in visit_dice(turf)], "m-1")
    assert found.caps >= 0
    assert found.food >= 0


@pytest.mark.clause("FS-AMB-33")
def test_turf_changes_hands_only_by_option() -> None:
    winner, loser = a_group(), a_group(turfs=["bar"])
    assert refused(ChoiceRefused, take_turf, RULES, winner, loser, "t-900") == [("/turf", "FS-AMB-33")]
    taking = rules(turf__gain="winner_takes_losers")
    gained, lost = take_turf(taking, winner, loser, "t-900")
    assert [owned.turf for owned in then(winner, gained).turfs] == ["bar"]
    assert then(loser, lost).turfs == ()
    assert refused(ChoiceRefused, take_turf, taking, winner, loser, "t-1") == [("/turf", "FS-AMB-33")]
