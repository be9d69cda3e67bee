"""Rosters of Dust Warfare and Armada with and without the operator's catalogue."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from shared.formats.options import from_json
from shared.formats.packs import shipped_ruleset
from shared.rules.model import PackRefused
from shared.rules.parts import to_json
from shared.swiss.roster import check_roster, with_catalogue, with_catalogue_values, with_legal_example
from shared.swiss.ruleset import Ruleset

UNITS = """
ruleset: dust-warfare-1.0
document: the operator's own list
items:
  - {in_list: units, name: Officers, points: 45, factions: [allies], fields: {section: command}}
  - {in_list: units, name: Walker, points: 60}
  - {in_list: options, name: Radio, points: 5}
"""
CARDS = """
ruleset: star-wars-armada-1.1
document: the operator's own list
items:
  - {in_list: ships, name: Frigate, points: 51, factions: [rebel], fields: {size: small}}
  - {in_list: upgrades, name: Gunners, points: 7}
"""


def army(**officers: Any) -> dict[str, Any]:
    """Return an army of officers with a radio, and a walker, with the correct total."""
    unit = {
        "section": "command",
        "name": "Officers",
        "points": 45,
        "options": [{"name": "Radio", "points": 5}],
    } | officers
    walker = {"section": "platoon", "name": "Walker", "points": 60}
    total = unit["points"] + sum(option["points"] for option in unit["options"]) + 60
    return {"faction": "allies", "army_total": total, "units": [unit, walker]}


def places(ruleset: Ruleset, roster: dict[str, Any]) -> list[tuple[str, str]]:
    return [(fault.where, fault.clause) for fault in check_roster(ruleset, roster)]


def dust() -> Ruleset:
    return with_catalogue(shipped_ruleset("dust-warfare-1.0"), UNITS, "units.yaml")


@pytest.mark.clause("DW-ROS-2", "DW-ROS-5")
@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({}, []),
        ({"name": "officers"}, []),
        ({"name": "Proxy"}, ["/units/0/name"]),
        ({"points": 40}, ["/units/0/points"]),
        ({"section": "platoon"}, ["/units/0/section"]),
        ({"options": [{"name": "Radio", "points": 4}]}, ["/units/0/options/0/points"]),
        ({"options": [{"name": "Laser", "points": 4}], "points": 1}, ["/units/0/points", "/units/0/options/0/name"]),
    ],
)
def test_units_are_those_of_the_catalogue(changed: dict[str, Any], where: list[str]) -> None:
    assert places(dust(), army(**changed)) == [(place, "DW-ROS-5") for place in where]


@pytest.mark.clause("DW-ROS-5")
def test_a_unit_of_another_faction() -> None:
    assert places(dust(), army() | {"faction": "axis"}) == [("/units/0/name", "DW-ROS-5")]


def fleet(*, upgrade: str = "Gunners", **frigate: Any) -> dict[str, Any]:
    """Return a fleet of one frigate with an upgrade, with the correct total."""
    ship = {"name": "Frigate", "points": 51, "upgrades": [{"name": upgrade, "points": 7}]} | frigate
    return {
        "faction": "rebel",
        "fleet_total": 28 + ship["points"] + sum(upgrade["points"] for upgrade in ship["upgrades"]),
        "commanders": [{"name": "Leader", "points": 28}],
        "ships": [ship],
        "objectives": [{"name": kind, "category": kind} for kind in ("assault", "defense", "navigation")],
    }


@pytest.mark.clause("AR-AMB-20")
def test_without_a_catalogue_names_and_prices_are_taken_as_written() -> None:
    """Neither document lists products. The organiser's catalogue is enforced if there is one."""
    assert places(shipped_ruleset("dust-warfare-1.0"), army(name="Whoever", points=99)) == []
    assert places(shipped_ruleset("star-wars-armada-1.1"), fleet(name="Whoever", points=99)) == []


@pytest.mark.clause("AR-ROS-5", "AR-ROS-6")
@pytest.mark.parametrize(
    ("roster", "where"),
    [
        (fleet(), []),
        (fleet(name="FRIGATE"), []),
        (fleet(name="Proxy"), ["/ships/0/name"]),
        (fleet() | {"faction": "imperial"}, ["/ships/0/name"]),
        (fleet(points=50), ["/ships/0/points"]),
        (fleet(size="large"), ["/ships/0/size"]),
        (fleet(upgrade="Ion Fog"), ["/ships/0/upgrades/0/name"]),
    ],
)
def test_ships_and_upgrades_of_a_fleet(roster: dict[str, Any], where: list[str]) -> None:
    armada = with_catalogue(shipped_ruleset("star-wars-armada-1.1"), CARDS, "cards.yaml")
    assert places(armada, roster) == [(place, "AR-ROS-5") for place in where]
    assert from_json(to_json(armada)) == armada


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        (UNITS, "{", ["units.yaml:2"]),
        (UNITS, "", ["units.yaml:1"]),
        (UNITS, "- a list", ["units.yaml:1"]),
        ("ruleset: dust-warfare-1.0", "ruleset: star-wars-armada-1.1", ["units.yaml:2:/ruleset"]),
        ("points: 45", "points: -1", ["units.yaml:5:/items/0/points"]),
        ("points: 45", "points: 4.5", ["units.yaml:5:/items/0/points"]),
        ("name: Walker", "name: officers", ["units.yaml:6:/items/1/name"]),
        ("in_list: options", "in_list: option", ["units.yaml:7:/items/2/in_list"]),
        ("name: Radio", "price: 3", ["units.yaml:7:/items/2/price", "units.yaml:7:/items/2/name"]),
    ],
)
def test_an_invalid_catalogue_is_refused_with_line_numbers(old: str, new: str, reported: list[str]) -> None:
    with pytest.raises(PackRefused) as refused:
        with_catalogue(shipped_ruleset("dust-warfare-1.0"), UNITS.replace(old, new), "units.yaml")
    assert set(reported) <= {fault.where for fault in refused.value.faults}
    assert all(str(fault.expected) for fault in refused.value.faults)


def test_every_fault_of_a_catalogue_is_reported_together() -> None:
    text = (
        UNITS.replace("dust-warfare", "rust-warfare").replace("points: 60", "points: -60").replace("Radio", "Radio\n")
    )
    with pytest.raises(PackRefused) as refused:
        with_catalogue_values(shipped_ruleset("dust-warfare-1.0"), yaml.safe_load(text.replace("options", "x")), "/c")
    assert [fault.where for fault in refused.value.faults] == ["/c/ruleset", "/c/items/1/points", "/c/items/2/in_list"]


@pytest.mark.clause("DW-ROS-5")
def test_catalogues_add_up_without_repeating_items() -> None:
    more = UNITS.replace("Officers", "Snipers").replace("Walker", "Tank").replace("Radio", "Smoke")
    both = with_catalogue(dust(), more, "more.yaml")
    assert len(both.roster.catalogue) == 6
    assert places(both, army()) == []
    with pytest.raises(PackRefused) as refused:
        with_catalogue(dust(), more.replace("Tank", "Walker"), "more.yaml")
    assert [fault.where for fault in refused.value.faults] == ["more.yaml:6:/items/1/name"]


@pytest.mark.parametrize("text", [UNITS, UNITS.replace("Walker", "Bulldog")])
def test_the_example_of_a_pack_is_kept_only_if_legal(text: str) -> None:
    known = with_legal_example(with_catalogue(shipped_ruleset("dust-warfare-1.0"), text, "units.yaml"))
    assert check_roster(known, known.roster.example) == [] or not known.roster.example
    assert from_json(to_json(known)) == known
