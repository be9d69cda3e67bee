"""What a report proves: experience of single forces, and circumstances that forbid to concede (FS-XP-3, FS-GAM-11)."""

from __future__ import annotations

from typing import Any

import pytest

from shared.campaign.dice import Die, Thrown
from shared.campaign.facts import Deeds, GameReport, Search, SideReport
from shared.campaign.proven import with_proven
from shared.campaign.roster import Group
from tests.campaign.story import RULES, a_group

KILLER = Deeds("m-1", wounds=1, models=1, kills=1, took=("m-2",))
VICTIM = Deeds("m-2", "rival", by="m-1", melee=True)
SHOT = Deeds("m-2", "rival", by="m-1")
STANDING = (Deeds("m-1"), Deeds("m-2"))
OWN = (KILLER, Deeds("m-2"))


def report(own: tuple[Deeds, ...], theirs: tuple[Deeds, ...], side: Any = None, rival: Any = None) -> GameReport:
    sides = (SideReport("A", 1, members=own, **(side or {})), SideReport("B", 1, members=theirs, **(rival or {})))
    return GameReport(sides, 8)


def groups(force: str, rival: str, **more: Any) -> dict[str, Group]:
    return {"A": a_group(force, "vg", id="A", **more), "B": a_group(rival, "vg", id="B")}


@pytest.mark.clause("FS-XP-3", "FS-GAM-4", "FS-REP-2")
@pytest.mark.parametrize(
    ("forces", "theirs", "values"),
    [
        (("regulators", "super_mutants"), (Deeds("m-1"), VICTIM), {"evil": 1}),
        (("regulators", "super_mutants"), (Deeds("m-1"), SHOT), {}),
        (("regulators", "vault_residents"), (Deeds("m-1"), VICTIM), {}),
        (("raiders", "super_mutants"), (Deeds("m-1"), VICTIM), {}),
        (("enclave", "super_mutants"), (Deeds("m-1"), SHOT), {"mutated": 1, "left": 1}),
        (("enclave", "super_mutants"), (Deeds("m-1", fled=True), SHOT), {"mutated": 1}),
        (("enclave", "raiders"), (Deeds("m-1"), SHOT), {}),
    ],
    ids=["evil", "not-in-melee", "not-evil", "other-force", "mutants", "fled", "no-mutants"],
)
def test_what_is_left_out_is_taken_from_the_report(forces: Any, theirs: Any, values: dict[str, int]) -> None:
    completed, faults = with_proven(RULES, report(OWN, theirs), groups(*forces), (), ())
    side = completed.sides[0]
    found = {name: getattr(side.members[0], name) for name in ("evil", "mutated", "high_tech")}
    found |= {"missed": side.missed, "left": side.left}
    assert ({name: value for name, value in found.items() if value}, faults) == (values, [])


@pytest.mark.clause("FS-XP-3", "FS-ENC-2")
def test_a_weapon_that_a_search_found_counts_for_and_against() -> None:
    """A twelve and Luck reach the laser pistol of a dead scavenger."""
    laser = {"searches": (Search("dead_scavenger", "m-1", Thrown("", (Die(12, 12),))),)}
    zealots = groups("brotherhood_of_steel", "raiders")
    found, _ = with_proven(RULES, report(STANDING, STANDING, laser), zealots, (), ())
    assert [deeds.high_tech for deeds in found.sides[0].members] == [1, 0]
    lost, _ = with_proven(RULES, report(STANDING, STANDING, {}, laser), zealots, (), ())
    assert (lost.sides[0].missed, lost.sides[1].missed) == (1, 0)


@pytest.mark.clause("FS-XP-3")
@pytest.mark.parametrize(
    ("otherwise", "said", "places"),
    [
        ("", (), []),
        ("", [("A", "m-1", "evil")], ["/sides/0/members/0/evil"]),
        ("it was a brawl of all", [("A", "m-1", "evil")], []),
    ],
    ids=["left-out", "less", "less-with-a-reason"],
)
def test_less_than_proven_needs_a_reason(otherwise: str, said: Any, places: list[str]) -> None:
    told = report(OWN, (Deeds("m-1"), VICTIM), {"otherwise": otherwise})
    completed, faults = with_proven(RULES, told, groups("regulators", "super_mutants"), (), said)
    assert [(fault.where, fault.clause) for fault in faults] == [(place, "FS-XP-3") for place in places]
    assert completed.sides[0].members[0].evil == (0 if said else 1)


@pytest.mark.clause("FS-GAM-11")
@pytest.mark.parametrize(
    ("forces", "goods", "otherwise", "present"),
    [
        (("brotherhood_of_steel", "raiders"), [("laser_pistol", "m-1")], "", ("high_tech_in_play",)),
        (("brotherhood_of_steel", "raiders"), [("laser_pistol", "")], "", ()),
        (("brotherhood_of_steel", "raiders"), [("laser_pistol", "m-1")], "it was lost in a river", ()),
        (("enclave", "super_mutants"), [], "", ("mutated_present",)),
        (("enclave", "raiders"), [], "", ()),
    ],
    ids=["armed", "in-the-stash", "with-a-reason", "mutants", "no-mutants"],
)
def test_what_forbids_to_concede_is_taken_from_the_report(
    forces: Any, goods: Any, otherwise: str, present: Any
) -> None:
    told = report(STANDING, STANDING, {"conceded": True, "otherwise": otherwise})
    completed, _ = with_proven(RULES, told, groups(*forces, goods=goods), (), ())
    assert completed.present == present
