"""Fleets: legal ones, and violations of every clause."""

from __future__ import annotations

from typing import Any

import pytest

from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.swiss.roster import check_roster
from tests.rules.story import ARMADA, EXAMPLES

CATEGORIES = ["assault", "defense", "navigation"]


def fleet(total: int = 300, squadrons: int = 100, commanders: int = 1, objectives: int = 3) -> dict[str, Any]:
    """Return a fleet of one ship with an upgrade, squadrons and commanders, worth `total`."""
    led = [{"name": f"Commander {index}", "points": 20} for index in range(commanders)]
    ship = total - squadrons - 20 * commanders
    return {
        "faction": "rebel",
        "fleet_total": total,
        "commanders": led,
        "ships": [{"name": "Ship", "points": ship - 5, "upgrades": [{"name": "Upgrade", "points": 5}]}],
        "squadrons": [{"name": "Squadron", "points": squadrons}] if squadrons else [],
        "objectives": [{"name": f"Card {kind}", "category": kind} for kind in CATEGORIES[:objectives]],
    }


def clauses(roster: dict[str, Any]) -> list[str]:
    return [fault.clause for fault in check_roster(ARMADA, roster)]


@pytest.mark.clause("AR-EX-9", "AR-ROS-1", "AR-ROS-2", "AR-ROS-3")
@pytest.mark.parametrize(("total", "squadrons", "commanders", "objectives", "broken"), EXAMPLES["AR-EX-9"]["fleets"])
def test_the_fleets_of_the_digest(
    total: int, squadrons: int, commanders: int, objectives: int, broken: list[str]
) -> None:
    assert clauses(fleet(total, squadrons, commanders, objectives)) == broken


@pytest.mark.clause("AR-ROS-4")
@pytest.mark.parametrize("faction", ["scum", "", None])
def test_one_of_the_two_factions(faction: str | None) -> None:
    roster = fleet() | {"faction": faction}
    if faction is None:
        del roster["faction"]
    assert clauses(roster) == ["AR-ROS-4"]


@pytest.mark.clause("AR-ROS-6")
def test_the_list_names_every_card_and_the_total() -> None:
    roster = fleet()
    roster["ships"][0]["upgrades"][0]["name"] = ""
    del roster["objectives"][1]["name"]
    roster["fleet_total"] = 290
    assert [(fault.where, fault.clause) for fault in check_roster(ARMADA, roster)] == [
        ("/fleet_total", "AR-ROS-6"),
        ("/ships/0/upgrades/0/name", "AR-ROS-6"),
        ("/objectives/1/name", "AR-ROS-6"),
    ]


@pytest.mark.clause("AR-ROS-3")
def test_each_category_needs_exactly_one_card() -> None:
    roster = fleet()
    roster["objectives"][2]["category"] = "assault"
    assert clauses(roster) == ["AR-ROS-3", "AR-ROS-3"]


def test_every_fault_of_a_roster_is_reported_together() -> None:
    roster = fleet(total=420, squadrons=134, commanders=0, objectives=1) | {"faction": "hutt"}
    expected = ["AR-ROS-1", "AR-ROS-2", "AR-ROS-3", "AR-ROS-3", "AR-ROS-3", "AR-ROS-4"]
    assert clauses(roster) == expected


def test_an_empty_roster_reports_missing_parts() -> None:
    assert set(clauses({})) == {"AR-ROS-3", "AR-ROS-4", "AR-ROS-6"}


def test_a_roster_of_the_wrong_shape_is_refused() -> None:
    roster = {
        "faction": 3,
        "fleet_total": "300",
        "ships": {},
        "squadrons": [5, {"points": -1, "x": 1.5}, {"points": []}],
        "proxies": [],
    }
    assert [fault.where for fault in check_roster(ARMADA, roster)] == [
        "/faction",
        "/fleet_total",
        "/ships",
        "/squadrons/0",
        "/squadrons/1/points",
        "/squadrons/1/x",
        "/squadrons/2/points",
        "/proxies",
    ]


@pytest.mark.clause("AR-AMB-19")
def test_other_limits_can_be_set_with_a_margin_table() -> None:
    table = "0-59:6:5,60-139:7:4,140-219:8:3,220-299:9:2,300+:10:1"
    larger = apply_options(ARMADA, {"fleet_limit": 400, "squadron_limit": 134, "margin_table": table})
    assert check_roster(larger, fleet(400, 134)) == []
    assert [fault.clause for fault in check_roster(larger, fleet(401, 135))] == ["AR-ROS-1", "AR-ROS-2"]


@pytest.mark.clause("A4-SET", "A4-SQD", "A4-FAC")
@pytest.mark.parametrize(
    ("total", "squadrons", "faction", "broken"),
    [
        (400, 134, "separatist", []),
        (300, 134, "republic", []),
        (401, 134, "rebel", ["A4-SET"]),
        (400, 135, "imperial", ["A4-SQD"]),
        (400, 0, "hutt", ["A4-FAC"]),
    ],
)
def test_the_fleets_of_400_points(total: int, squadrons: int, faction: str, broken: list[str]) -> None:
    roster = fleet(total, squadrons) | {"faction": faction}
    edition = shipped_ruleset("star-wars-armada-400")
    assert [fault.clause for fault in check_roster(edition, roster)] == broken


@pytest.mark.clause("A4-SQD", "AR-AMB-19")
def test_the_organiser_may_set_the_squadrons_of_400_points() -> None:
    edition = apply_options(shipped_ruleset("star-wars-armada-400"), {"squadron_limit": 200})
    assert check_roster(edition, fleet(400, 200)) == []
