"""Names are accepted instead of keys, in any case; a refusal shows the possible names."""

from __future__ import annotations

from typing import Any

import pytest

from shared.campaign import tables
from shared.campaign.choices import decide
from shared.campaign.dice import SampleDice
from shared.campaign.group import Enlisted, Submission, accept_group
from shared.campaign.ledger import LedgerEntry, ruled_entries
from shared.campaign.muster import judge_evil, muster
from shared.campaign.steps import DecisionContext, faults_of_activity
from shared.campaign.tables import Rules
from shared.campaign.words import ChoiceRefused, GroupRefused
from shared.refusals import Expected, expects, one_of
from tests.campaign.story import LOTS, RULES, a_group, in_step, kinds, out, rules, shop, thrown


def expected_by(error: type[Any], ask: Any, *given: Any) -> Expected:
    """Return what the first fault of a refusal expects."""
    with pytest.raises(error) as no:
        ask(*given)
    expected = no.value.faults[0].expected
    assert isinstance(expected, Expected)
    return expected


def test_names_in_a_table_are_unique() -> None:
    for names in (table(RULES) for table in {*tables.NAMES_OF_MEMBER.values(), tables.forces}):
        for key, called_so in names.items():
            assert {tables.key_of(names, one) for one in (key, key.upper(), *called_so)} == {key}


@pytest.mark.clause("FS-GRP-3")
def test_group_submission_accepts_names_and_faults_show_names() -> None:
    submission = Submission("super mutants", (Enlisted("veteran", goods=("combat  SHOTGUN",)),), ("Sledgehammer",))
    group = accept_group(RULES, "p1", submission).accepted.state
    assert (group.force, [item.good for item in group.items]) == (
        "super_mutants",
        ["combat_shotgun", "baseball_bat_sledgehammer_nail_board"],
    )
    foreign = Submission("Raiders", (Enlisted("veteran", goods=("laser_pistol",)),))
    expected = expected_by(GroupRefused, accept_group, RULES, "p1", foreign)
    assert expected.code == "one-of"
    assert expected.data["values"][:2] == ["Brass Knuckles / Knife", "Tire Iron / Lead Pipe"]
    assert str(expected).startswith("one of Brass Knuckles / Knife, Tire Iron / Lead Pipe, Baseball Bat")
    assert "_" not in str(expected)
    unknown = Submission("raiders", (Enlisted("veteran", goods=("crown",)),))
    assert "Hunting Rifle" in expected_by(GroupRefused, accept_group, RULES, "p1", unknown).data["values"]
    mutants = Submission("mutants", ())
    assert "Super Mutants" in expected_by(GroupRefused, accept_group, RULES, "p1", mutants).data["values"]


def context(group: Any, ruleset: Rules = RULES) -> DecisionContext:
    return DecisionContext(ruleset, group, SampleDice(), LOTS)


@pytest.mark.clause("FS-FRC-3", "FS-BAR-1", "FS-TRF-2", "FS-PRK-1", "FS-PGP-3")
def test_choices_accept_names_and_faults_show_names() -> None:
    bought = decide(context(shop()), "buy_from_list", {"good": "hunting rifle"})
    assert kinds(bought) == ["CapsMoved", "ItemGained"]
    assert kinds(decide(context(shop()), "seek_merchant", {"merchant": "Fixed Merchant"})) == [
        *("MerchantSought", "MemberActed")
    ]
    for group, does, of, name in (
        (shop(), "buy_from_list", {"good": "crown"}, "10mm SMG"),
        (shop(), "seek_merchant", {"merchant": "the pope"}, "Doc Hoff"),
        (out(turfs=["gunsmith"]), "visit_turf", {"member": "m-1", "turf": "t-900", "choice": "half_price_weapon",
                                                 "good": "flamer"}, "Hunting Rifle"),
    ):  # fmt: skip
        assert name in str(expected_by(ChoiceRefused, decide, context(group), does, of))
    entry = LedgerEntry("item_gained", "found", "FS-REP-3", good="Doctor's Bag")
    assert kinds(ruled_entries(RULES, in_step(a_group(), "3"), [entry])) == ["ItemGained"]
    held = a_group(goods=["smg_10mm"])
    lost = LedgerEntry("item_lost", "lost", "FS-REP-3", item="i-9")
    only = expected_by(ChoiceRefused, ruled_entries, RULES, held, [lost])
    assert only == one_of([expects("item-of-good", item="i-100", good="10mm SMG")])
    assert str(only) == "i-100 (10mm SMG)"
    two = expected_by(ChoiceRefused, ruled_entries, RULES, a_group(goods=["smg_10mm", "flamer"]), [lost])
    assert str(two).startswith("one of i-100 (10mm SMG), i-101 (")
    none = expected_by(ChoiceRefused, ruled_entries, RULES, a_group(), [lost])
    assert (none, str(none)) == (expects("nothing"), "nothing")


@pytest.mark.clause("FS-GRP-7", "FS-GAM-4", "FS-PGP-4")
def test_faults_are_expressed_in_words() -> None:
    bare = a_group("talon_company", "v")
    armor = expected_by(ChoiceRefused, muster, RULES, bare, ["m-1"])
    assert armor == expects("one-of", values=["Combat Armor", "Metal Armor"])
    worn = Submission("super_mutants", (Enlisted("veteran", goods=("power_armor",)),))
    with pytest.raises(GroupRefused) as no:
        accept_group(RULES, "p1", worn)
    assert "Power Armor" in {fault.said for fault in no.value.faults}
    judge = (judge_evil, RULES, a_group("regulators"), a_group("raiders"), thrown(3))
    assert expected_by(ChoiceRefused, *judge) == expects("value", value="Wasteland Survivors")
    ruleset = rules(doctor__excludes_turf=True)
    for activity, code in (
        ("scavenged", "member-who-has-not-scavenged"),
        ("searched", "member-who-has-not-searched"),
        ("visited_turf", "member-who-has-not-visited-turf"),
    ):
        group = shop(force="super_mutants", acted={"m-2": (activity,)})
        (fault,) = faults_of_activity(ruleset, group, "m-2", "saw_doctor")
        right = fault.data["right"] if fault.code == "or-option" else fault.expected
        assert (fault.said, right) == (activity, Expected(code))
        assert str(fault.expected).startswith("a member who has not ")
