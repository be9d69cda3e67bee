"""Improbable values of a report: each limit with its clause, tested at the edge."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from shared.campaign.facts import Deeds, Encounter, Freed, GameReport, Search, SideReport, Terrain
from shared.campaign.report import improbable_in_report
from shared.campaign.roster import Group
from tests.campaign.story import RULES, a_group, thrown

NOTHING: Any = {}


def report(first: Any = NOTHING, second: Any = NOTHING, *, side: Any = NOTHING, **more: Any) -> GameReport:
    """Return a report of A against B, whose m-1 is a veteran with three Wounds and m-2 a Green.

    first, second: further members of the deeds of A's m-1 and B's.
    """
    one = SideReport("A", 1, (1, 2), 3, members=(Deeds("m-1", **first), Deeds("m-2")), **side)
    two = SideReport("B", 1, (1,), 1, members=(Deeds("m-1", **second), Deeds("m-2")))
    return GameReport((one, two), more.pop("last_turn", 8), thrown(12), **more)


def asked_back(game_report: GameReport, **groups: Group) -> list[tuple[str, str]]:
    known = {id: replace(groups.get(id) or a_group(ranks="vg"), id=id) for id in "AB"}
    found = improbable_in_report(RULES, game_report, known)
    assert all(fault.said and str(fault.expected) for fault in found)
    return [(fault.where, fault.clause) for fault in found]


WOUNDS, KILLS = ("/sides/0/members/0/wounds", "FS-XP-1"), ("/sides/0/members/0/kills", "FS-ENC-5")


@pytest.mark.clause("FS-XP-1", "FS-ENC-5")
def test_wounds_are_limited_by_rivals_and_creatures() -> None:
    """A veteran and a Green have four Wounds together; a Stimpak may have restored one."""
    assert asked_back(report({"wounds": 4})) == []
    assert asked_back(report({"wounds": 5})) == [WOUNDS]
    assert asked_back(report({"wounds": 5}, {"used": ("i-1",)})) == []
    ants = (Encounter("giant_ants", 3),)
    assert asked_back(report({"wounds": 7}, encounters=ants)) == []
    assert asked_back(report({"wounds": 8}, encounters=ants)) == [WOUNDS]
    assert asked_back(report({"wounds": 10}, encounters=(Encounter("radscorpions", 3),))) == []
    assert asked_back(report({"wounds": 50})) == [WOUNDS]
    master = a_group("super_mutants", "vg")
    assert asked_back(report({"wounds": 6}), B=master) == []


@pytest.mark.clause("FS-ENC-5")
def test_kills_other_than_rivals_are_limited_by_encounters() -> None:
    kill = {"wounds": 1, "kills": 1}
    assert asked_back(report(kill)) == [KILLS]
    assert asked_back(report(kill, encounters=(Encounter("ghouls"),))) == []
    assert asked_back(report(kill, encounters=(Encounter("slaves"),))) == []
    assert asked_back(report(kill, encounters=(Encounter("dead_scavenger"),))) == [KILLS]
    rival = {"wounds": 3, "kills": 1, "took": ("m-1",)}
    assert asked_back(report(rival, {"down": "rival", "by": "m-1"})) == []
    assert asked_back(report({"wounds": 4, "models": 3})) == [("/sides/0/members/0/models", "FS-XP-1")]


@pytest.mark.clause("FS-XP-1")
@pytest.mark.parametrize("name", ["computers", "locks"])
def test_computers_and_locks_are_limited_by_terrain_or_turns(name: str) -> None:
    place = (f"/sides/0/members/0/{name}", "FS-XP-1")
    assert asked_back(report({name: 8})) == []
    assert asked_back(report({name: 9})) == [place]
    counted = Terrain(**{name: 2})
    assert asked_back(report({name: 2}, terrain=counted)) == []
    assert asked_back(report({name: 3}, terrain=counted)) == [place]
    assert asked_back(report({name: 9}, terrain=Terrain(9, 9))) == []


@pytest.mark.clause("FS-RAD-1", "FS-REP-2")
def test_rads_are_limited_by_the_lethal_number() -> None:
    assert asked_back(report({"rads": 26})) == []
    assert asked_back(report({"rads": 27})) == [("/sides/0/members/0/rads", "FS-RAD-1")]
    cured = a_group(ranks="vg", goods=[("radaway", "m-1")])
    assert asked_back(report({"rads": 36, "used": ("i-100",)}), A=cured) == []


@pytest.mark.clause("FS-XP-3")
def test_high_tech_weapons_are_limited_by_those_present() -> None:
    zealots = a_group("brotherhood_of_steel", "vg")
    armed = a_group(ranks="vg", goods=[("laser_pistol", "m-2"), ("plasma_rifle", ""), ("smg_10mm", "m-1")])
    missed, held = ("/sides/0/missed", "FS-XP-3"), ("/sides/0/members/0/high_tech", "FS-XP-3")
    assert asked_back(report(side={"missed": 1}), A=zealots, B=armed) == []
    assert asked_back(report(side={"missed": 2}), A=zealots, B=armed) == [missed]
    assert asked_back(report({"high_tech": 2}), A=zealots, B=armed) == [held]
    loot = asked_back(report(side={"missed": 2, "loot": ("laser_rifle",)}), A=zealots, B=armed)
    assert loot == [("/sides/0/loot/0", "FS-REP-3")]
    outpost = (Encounter("enclave_outpost"),)
    assert asked_back(report(side={"missed": 2}, encounters=outpost), A=zealots, B=armed) == []


@pytest.mark.clause("FS-XP-3")
def test_mutated_models_left_are_limited_by_survivors() -> None:
    enclave, mutants = a_group("enclave", "vg"), a_group("super_mutants", "vg", centaurs=1)
    place = ("/sides/0/left", "FS-XP-3")
    assert asked_back(report(side={"left": 3}), A=enclave, B=mutants) == []
    assert asked_back(report(side={"left": 4}), A=enclave, B=mutants) == [place]
    assert asked_back(report({}, {"down": "fall"}, side={"left": 3}), A=enclave, B=mutants) == [place]
    yao = (Encounter("yao_guai"),)
    assert asked_back(report(side={"left": 4}, encounters=yao), A=enclave, B=mutants) == []


@pytest.mark.clause("FS-REP-3", "FS-ENC-2")
def test_loot_other_than_searches_is_improbable() -> None:
    places = [("/sides/0/loot/0", "FS-REP-3"), ("/sides/0/loot/1", "FS-REP-3")]
    assert asked_back(report(side={"loot": ("power_armor", "gatling_laser")})) == places
    searched = report(
        side={"searches": (Search("dead_scavenger", "m-1", thrown(12)),)}, encounters=(Encounter("dead_scavenger"),)
    )
    assert asked_back(searched) == []


@pytest.mark.clause("FS-ENC-1", "FS-ENC-2", "FS-ENC-3", "FS-ENC-5")
def test_encounters_are_limited_by_copies_in_the_deck() -> None:
    def cards(*encounters: tuple[str, int]) -> list[tuple[str, str]]:
        return asked_back(report(encounters=tuple(Encounter(met, number) for met, number in encounters)))

    assert cards(("dead_scavenger", 1), ("dead_scavenger", 1), ("enclave_outpost", 1), ("slaves", 3)) == []
    assert cards(*[("dead_scavenger", 1)] * 3) == [("/encounters/2/met", "FS-ENC-2")]
    assert cards(("enclave_outpost", 1), ("enclave_outpost", 1)) == [("/encounters/1/met", "FS-ENC-3")]
    assert cards(("slaves", 4)) == [("/encounters/0/number", "FS-ENC-1")]
    assert cards(("molerats", 6), ("deathclaw", 1)) == []
    assert cards(("molerats", 7)) == [("/encounters/0/number", "FS-ENC-5")]
    nine = tuple(Freed("m-1", thrown(1)) for _ in range(9))
    crowd = report(side={"freed": nine}, encounters=(Encounter("slaves", 9),))
    assert asked_back(crowd) == [("/encounters/0/number", "FS-ENC-1")]


@pytest.mark.clause("FS-GAM-8")
def test_turns_after_fourteen_are_improbable() -> None:
    assert asked_back(report(last_turn=14)) == []
    assert asked_back(report(last_turn=15)) == [("/last_turn", "FS-GAM-8")]
