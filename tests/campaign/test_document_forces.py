"""The eight forces compared with chapter 11 of the rulebook: profiles, allowances, lists with prices, special rules."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import asdict

from shared.campaign.tables import Armor, BigGuns, SpecialRules
from shared.campaign.words import RANKS
from tests.campaign.documents import blocks, keys, named, rows
from tests.campaign.story import RULES

PROFILES = rows("profiles")
LISTS: list[dict[str, Any]] = blocks("force_lists")
FORCES = named(RULES.forces)
HUNTED = {"mutated": "hunts_mutated", "evil": "hunts_evil"}
SAID = {
    "one eaten feeds": "cannibals",
    "one killed feeds": "flesh_eaters",
    "searchers for a roll": "searches",
    "food for each": "appetite",
    "never gives up": "never_concedes",
    "is after": "high_tech",
    "caps": "jail_caps",
    "restaurant feeds": "restaurant",
    "Charisma": "barter",
    "a bonus food for every": "bonus_food_per",
}
"""A number or word of a special rule -> the member of the pack that holds it."""


def ranks_of(force: str, names: list[str]) -> tuple[Any, ...]:
    """Return name of a rank in the force -> its key."""
    own = {entry.name: rank for rank, entry in RULES.forces[FORCES[force]].ranks.items()}
    return tuple(own[name] for name in names)


def special_rules(printed: dict[str, Any]) -> SpecialRules:
    """Return the special rules of a force, and what other forces say about it."""
    force, fields = printed["force"], {}
    for rule, members in printed["special rules"].items():
        fields |= {SAID[word]: value for word, value in members.items() if word in SAID}
        fields |= {HUNTED[members["experience for"]]: True} if "experience for" in members else {}
        fields |= {"jams": True} if rule == "Maintenance" else {}
        fields |= {"successor": ranks_of(force, [members["successor"]])[0]} if "successor" in members else {}
        fields |= {"refuses": ranks_of(force, [members["never"]])} if "never" in members else {}
        for judged, face in members.get("judged evil up to", {}).items():
            fields |= {"judges": [FORCES[judged]], "evil_until": face}
    law = next(each["special rules"]["We are the law"] for each in LISTS if each["force"] == "Regulators")
    fields |= {"evil": True} if force in law["evil"] else {}
    if force == "Super Mutants":
        fields |= {"human": False, "wounds_by_option": True}  # 11.5; a Master begins above the maximum (FS-AMB-13)
    return msgspec.convert(fields, SpecialRules)


@pytest.mark.clause("FS-FRC-1", "FS-FRC-2", "FS-GRP-4", "FS-AMB-25")
def test_profiles_prices_and_starting_maxima() -> None:
    found = [
        [force.name, entry.name, *map(str, (*msgspec.structs.astuple(entry.profile), entry.caps, entry.start_most))]
        for force in RULES.forces.values()
        for entry in force.ranks.values()
    ]
    assert found == [list(row.values())[1:-1] for row in PROFILES]
    called = [entry.allowance_name for force in RULES.forces.values() for entry in force.ranks.values()]
    assert called == [row["allowance line"] for row in PROFILES]
    assert all(tuple(force.ranks) == RANKS for force in RULES.forces.values())


@pytest.mark.clause("FS-FRC-1", "FS-FRC-3", "FS-GRP-3", "FS-RAT-2")
def test_lists_and_prices_of_forces() -> None:
    goods = keys()
    for printed in LISTS:
        listed = {goods[name]: caps for name, caps in (printed["weapons"] | printed["armor"]).items()}
        force = RULES.forces[FORCES[printed["force"]]]
        assert list(force.goods) == list(listed), printed["force"]
        assert {key: RULES.goods[key].caps for key in force.goods} == listed, printed["force"]
    assert [printed["force"] for printed in LISTS] == list(FORCES)


@pytest.mark.clause("FS-FRC-1", "FS-GRP-5", "FS-GRP-8", "FS-AMB-26")
def test_members_and_big_guns() -> None:
    for printed in LISTS:
        guns = printed["big guns"]
        carried = ranks_of(printed["force"], guns["carried by"])
        by_option = ranks_of(printed["force"], guns.get("or by", []))
        force = RULES.forces[FORCES[printed["force"]]]
        assert force.big_guns == BigGuns(guns["one for each"], carried, by_option), printed["force"]
        assert force.most == printed["members"], printed["force"]


@pytest.mark.clause("FS-FRC-1", "FS-GRP-7")
def test_armor_duties() -> None:
    goods = keys()
    for printed in LISTS:
        worn = {
            name: Armor(duty, tuple(goods[of] for of in of)) for name, (duty, *of) in printed.get("worn", {}).items()
        }
        force = RULES.forces[FORCES[printed["force"]]]
        assert {entry.name: entry.armor for entry in force.ranks.values() if entry.armor != Armor()} == worn


@pytest.mark.clause("FS-FRC-1", "FS-GAM-3", "FS-GAM-4", "FS-GAM-11", "FS-XP-3", "FS-INJ-5", "FS-UPK-1", "FS-BAR-3")
@pytest.mark.clause("FS-SPC-1", "FS-SPC-2", "FS-SPC-3", "FS-SPC-4", "FS-SPC-5", "FS-SCV-2", "FS-REC-3", "FS-AMB-13")
def test_special_rules() -> None:
    for printed in LISTS:
        assert RULES.forces[FORCES[printed["force"]]].special == special_rules(printed), printed["force"]


@pytest.mark.clause("FS-GAM-3", "FS-GAM-4", "FS-XP-3", "FS-INJ-5", "FS-UPK-1", "FS-SPC-1", "FS-SPC-2", "FS-SPC-3")
def test_force_without_special_rules_is_human_and_eats_one_unit() -> None:
    plain = {name: value for name, value in asdict(SpecialRules()).items() if value}
    assert plain == {"human": True, "appetite": 1}
