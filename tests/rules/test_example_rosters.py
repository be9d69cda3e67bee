"""The example roster of a pack is legal under every option."""

from __future__ import annotations

import pytest

from shared.formats.options import apply_options
from shared.formats.packs import load, shipped, shipped_ruleset, shipped_text
from shared.rules.model import PackRefused
from shared.swiss.roster import advice_on_roster, check_roster
from shared.swiss.roster_checks import points_of

ARMADA, DUST = "star-wars-armada-1.1", "dust-warfare-1.0"


@pytest.mark.parametrize("id", shipped("swiss"))
def test_every_shipped_pack_with_lists_shows_a_legal_roster(id: str) -> None:
    ruleset = shipped_ruleset(id)
    assert bool(ruleset.roster.example) == bool(ruleset.roster.fields)
    assert check_roster(ruleset, ruleset.roster.example) == []
    assert advice_on_roster(ruleset, ruleset.roster.example) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("fleet_total: 300", "fleet_total: 299", "/roster/example/fleet_total 299"),
        ("faction: rebel", "faction: hutt", "/roster/example/faction hutt"),
        ("{name: Nebulon-B, points: 57}", "{name: Nebulon-B, points: x}", "/roster/example/ships/1/points x"),
        ("category: defense}", "category: defence}", "/roster/example/objectives 0"),
    ],
)
def test_an_example_that_is_illegal_is_a_fault_of_the_pack(old: str, new: str, said: str) -> None:
    text = shipped_text(ARMADA).replace(old, new)
    with pytest.raises(PackRefused) as found:
        load(text, "own.yaml")
    fault = found.value.faults[0]
    file, line, pointer = fault.where.split(":")
    first, last = (text[: text.index(mark)].count("\n") + 1 for mark in ("  example:", "result:\n"))
    assert file == "own.yaml"
    assert first < int(line) < last
    assert f"{pointer} {fault.said}".startswith(said)
    assert fault.clause


def test_a_pack_needs_no_example() -> None:
    text = shipped_text(ARMADA)
    start, end = text.index("  example:"), text.index("result:\n")
    assert load(text[:start] + text[end:], "own.yaml").roster.example == {}


@pytest.mark.parametrize("limit", [1, 99, 250, 399])
def test_an_option_that_lowers_the_limit_lowers_the_example(limit: int) -> None:
    roster = apply_options(shipped_ruleset(DUST), {"ap_limit": limit}).roster
    assert roster.example["army_total"] == points_of(roster.example["units"]) == min(limit, 390)
    assert [unit["name"] for unit in roster.example["units"]] == [
        unit["name"] for unit in shipped_ruleset(DUST).roster.example["units"]
    ]


def test_an_option_of_one_part_lowers_that_part_and_the_sum() -> None:
    example = apply_options(shipped_ruleset(ARMADA), {"squadron_limit": 40}).roster.example
    assert points_of(example["squadrons"]) == 40
    assert points_of(example["ships"]) == 190
    assert example["fleet_total"] == 250


def test_an_example_that_cannot_be_made_legal_is_left_out() -> None:
    text = shipped_text(ARMADA).replace(
        "options:\n",
        "options:\n  - {key: commanders, name: Commanders, kind: whole, default: 1, until: announcement,\n"
        "     sets: [/roster/checks/2/least], clause: AR-ROS-3}\n",
    )
    ruleset = load(text, "own.yaml")
    assert ruleset.roster.example
    assert apply_options(ruleset, {"commanders": 2}).roster.example == {}


@pytest.mark.clause("FF-ROS-5")
def test_an_example_of_a_class_that_has_no_limit_is_a_fault_of_the_pack() -> None:
    text = shipped_text("fallout-factions-comp-1.0")
    assert "unstated: legend," in text
    with pytest.raises(PackRefused) as refused:
        load(text.replace("unstated: legend,", "unstated: companion,"), "own.yaml")
    assert [(fault.said, fault.clause) for fault in refused.value.faults] == [("nothing", "FF-ROS-5")]
