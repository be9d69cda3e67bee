"""Crews of Fallout: Factions: legal ones, and violations of every clause."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from muster.cli.main import main
from shared.formats.options import apply_options
from shared.refusals import one_of
from shared.swiss.roster import advice_on_roster, check_roster, expected_weekday, legal_from, with_catalogue
from tests.rules.factions import EXAMPLES, FACTIONS

FULL: dict[str, Any] = {
    "faction": "Survivors",
    "rating": 250,
    "models": [
        {
            "name": "Boss",
            "class": "leader",
            "points": 80,
            "profile_perks": [{"name": "Natural Leader"}],
            "perks": [
                {"name": "Big Leagues", "requisite": 4, "points": 4},
                {"name": "Lone Wanderer", "requisite": 5, "points": 5},
            ],
        },
        {
            "name": "Second",
            "class": "champion",
            "points": 74,
            "profile_perks": [{"name": "Toughness"}],
            "perks": [{"name": "Four Leaf Clover", "kind": "luck", "requisite": 3, "points": 6}],
            "modifications": [{"name": "Scope", "points": 10}],
        },
        {"name": "Hand", "class": "grunt", "points": 60, "modifications": [{"name": "Stock", "points": 11}]},
    ],
    "chems": [{"name": "Jet", "kind": "common", "points": 20}],
}
"""The crew of FF-EX-8: models 214, perks 4 + 5 + 6, modifications 21; chems for 20 Caps."""


def crew(**more: Any) -> dict[str, Any]:
    return deepcopy(FULL) | more


def clauses(roster: dict[str, Any], **options: Any) -> list[str]:
    ruleset = apply_options(FACTIONS, options) if options else FACTIONS
    return [fault.clause for fault in check_roster(ruleset, roster)]


def raised(statistic: str, before: int, after: int) -> dict[str, Any]:
    """Return the crew with a free upgrade of its grunt, who then has no modification."""
    roster = crew(rating=239)
    roster["models"][2] |= {
        "modifications": [],
        "upgrades": [{"name": statistic, "from": before, "to": after, "points": 0}],
    }
    return roster


@pytest.mark.clause("FF-EX-8", "FF-ROS-1", "FF-ROS-3", "FF-ROS-5", "FF-ROS-6", "FF-ROS-10")
def test_the_crew_of_the_digest_is_legal() -> None:
    assert check_roster(FACTIONS, FULL) == []
    assert advice_on_roster(FACTIONS, FULL) == []


@pytest.mark.clause("FF-EX-8", "FF-ROS-1")
def test_one_point_over() -> None:
    roster = crew(rating=251)
    roster["models"][0]["perks"].pop()
    roster["models"][0]["upgrades"] = [{"name": "Agility", "from": 5, "to": 6, "points": 6}]
    assert clauses(roster) == ["FF-ROS-1"]


@pytest.mark.clause("FF-EX-8", "FF-ROS-5")
def test_a_grunt_may_not_buy_two_and_a_champion_may() -> None:
    roster = crew(rating=252)
    roster["models"][2]["perks"] = [{"name": "Rooted", "requisite": 2, "points": 2}]
    assert clauses(roster) == ["FF-ROS-1", "FF-ROS-5"]
    assert len(FULL["models"][1]["perks"]) + len(FULL["models"][1]["modifications"]) == 2


@pytest.mark.clause("FF-ROS-5")
@pytest.mark.parametrize(("model", "rank"), [(0, "leader"), (1, "champion"), (2, "leader"), (2, "champion")])
def test_leaders_and_champions_buy_at_most_two(model: int, rank: str) -> None:
    roster = crew()
    free = {"name": "Strap", "points": 0}
    roster["models"][model]["class"] = rank
    bought = roster["models"][model].setdefault("modifications", [])
    while len(bought) + len(roster["models"][model].get("perks", [])) < 2:
        bought.append(free)
    assert clauses(roster) == []
    bought.append(free)
    assert clauses(roster) == ["FF-ROS-5"]


@pytest.mark.clause("FF-ROS-5")
def test_a_grunt_buys_at_most_one() -> None:
    roster = crew()
    assert len(roster["models"][2]["modifications"]) == 1
    roster["models"][2]["modifications"].append({"name": "Strap", "points": 0})
    assert clauses(roster) == ["FF-ROS-5"]


@pytest.mark.clause("FF-ROS-5", "FF-ROS-4")
def test_a_legend_buys_nothing_and_comes_alone() -> None:
    legend = {"name": "Hero", "points": 5, "perks": [{"name": "Rooted", "requisite": 1, "points": 1}]}
    assert clauses(crew(legend=[legend], chems=[])) == ["FF-ROS-5"]
    two = [{"name": "Hero", "points": 5}, {"name": "Other", "points": 5}]
    assert clauses(crew(legend=two, chems=[])) == ["FF-ROS-4"]
    roster = crew(legend=[{"name": "Hand", "points": 5}], chems=[])
    roster["models"][2]["class"] = "legend"
    assert clauses(roster) == ["FF-ROS-5"]


@pytest.mark.clause("FF-ROS-2", "FF-ROS-5")
def test_a_model_has_a_class() -> None:
    roster = crew()
    del roster["models"][2]["class"]
    roster["models"][1]["class"] = "boss"
    assert [fault.where for fault in check_roster(FACTIONS, roster)] == ["/models/1/class", "/models/2/class"]


@pytest.mark.clause("FF-EX-8", "FF-ROS-7")
def test_the_same_perk_twice_and_an_innate_one() -> None:
    roster = crew(rating=248)
    roster["models"][1]["perks"][0] = {"name": "big leagues", "requisite": 4, "points": 4, "kind": "innate"}
    assert clauses(roster) == ["FF-ROS-7", "FF-ROS-7"]


@pytest.mark.clause("FF-ROS-6")
def test_a_luck_perk_costs_twice_its_requisite() -> None:
    roster = crew(rating=247)
    roster["models"][1]["perks"][0]["points"] = 3
    assert [(fault.clause, str(fault.expected)) for fault in check_roster(FACTIONS, roster)] == [("FF-ROS-6", "6")]


@pytest.mark.clause("FF-EX-8", "FF-ROS-9")
@pytest.mark.parametrize(
    ("statistic", "before", "after", "broken"),
    [
        ("Strength", 8, 9, []),
        ("Strength", 9, 10, ["FF-ROS-9"]),
        ("Luck", 4, 5, ["FF-ROS-9"]),
        ("Health", 1, 2, ["FF-ROS-9"]),
        ("Beauty", 1, 2, ["FF-ROS-9"]),
        ("Agility", 5, 7, []),
        ("Agility", 8, 10, ["FF-ROS-9"]),
        ("Agility", 5, 5, ["FF-ROS-9"]),
        ("Agility", 5, 4, ["FF-ROS-9"]),
    ],
)
def test_upgrades(statistic: str, before: int, after: int, broken: list[str]) -> None:
    assert clauses(raised(statistic, before, after)) == broken


@pytest.mark.clause("FF-ROS-9")
def test_a_statistic_is_raised_once_with_its_value() -> None:
    roster = raised("Agility", 5, 6)
    roster["models"][2]["class"] = "champion"
    roster["models"][2]["upgrades"].append({"name": "Agility", "points": 0})
    assert clauses(roster) == ["FF-ROS-9", "FF-ROS-9"]


@pytest.mark.clause("FF-EX-8", "FF-AMB-18", "FF-ROS-4", "FF-ROS-10")
def test_legend_and_chems_share_the_caps_unless_the_organiser_says_otherwise() -> None:
    def with_chems(caps: int) -> dict[str, Any]:
        jet = {"name": "Jet", "kind": "common", "points": caps}
        return crew(legend=[{"name": "Hero", "points": 12}], chems=[jet])

    assert clauses(with_chems(8)) == []
    assert clauses(with_chems(9)) == ["FF-AMB-18"]
    assert clauses(with_chems(9), legend_outside_budget="true") == []
    assert clauses(with_chems(21), legend_outside_budget="true") == ["FF-ROS-10"]


@pytest.mark.clause("FF-ROS-10", "FF-ROS-11", "FF-ROS-12", "FF-ROS-19", "FF-ROS-21")
def test_fields_outside_the_kit_are_refused() -> None:
    roster = crew(
        faction="Raiders of the Moon",
        chems=[{"name": "Ultra Jet", "kind": "rare", "points": 5}],
        supplements=[{"name": "Legends of the Wasteland"}, {"name": "Moon Rules"}],
        ploys=[{"name": "Ambush", "list": "Standard"}, {"name": "Howl", "list": "The Pack"}],
    )
    del roster["models"][0]["profile_perks"]
    assert sorted(clauses(roster)) == ["FF-ROS-10", "FF-ROS-11", "FF-ROS-12", "FF-ROS-19", "FF-ROS-21"]
    (rare,) = [fault for fault in check_roster(FACTIONS, roster) if fault.clause == "FF-ROS-10"]
    assert (rare.said, rare.expected) == ("rare", one_of(["common"]))
    roster["models"][2]["profile_perks"] = [{"name": "Natural Leader"}]
    assert "FF-ROS-21" not in clauses(roster)


@pytest.mark.clause("FF-ROS-11")
@pytest.mark.parametrize(
    "faction",
    [
        "The Pack",
        "The Operators",
        "The Disciples",
        "Brotherhood of Steel",
        "Super Mutants",
        "Survivors",
        "Wasteland Raiders",
    ],
)
def test_the_seven_lists(faction: str) -> None:
    assert clauses(crew(faction=faction)) == []


@pytest.mark.clause("FF-ROS-13")
def test_scribes_have_the_changed_rating() -> None:
    scribe = {"name": "Scribe", "weapon": "Laser Pistol", "class": "grunt", "points": 14}
    other = {"name": "Scribe with 10mm Pistol", "class": "grunt", "points": 18}
    leader = {"name": "Paladin", "class": "leader", "points": 60, "profile_perks": [{"name": "Natural Leader"}]}
    roster = {"faction": "Brotherhood of Steel", "rating": 92, "models": [leader, scribe, other]}
    assert [(fault.where, str(fault.expected), fault.clause) for fault in check_roster(FACTIONS, roster)] == [
        ("/models/2/points", "19", "FF-ROS-13")
    ]


@pytest.mark.clause("FF-ROS-3")
def test_the_rating_of_a_model_is_the_sum_of_its_parts() -> None:
    roster = crew()
    roster["models"][0]["rating"] = 88
    assert [(fault.where, fault.clause) for fault in check_roster(FACTIONS, roster)] == [
        ("/models/0/rating", "FF-ROS-3")
    ]
    roster["models"][0]["rating"] = 89
    assert clauses(roster) == []
    assert clauses(crew(rating=249)) == ["FF-ROS-3"]


@pytest.mark.clause("FF-ROS-20")
def test_a_perk_without_effect_is_legal_but_reported_as_advice() -> None:
    roster = crew()
    roster["models"][0]["perks"][0]["name"] = "Gun Nut"
    assert clauses(roster) == []
    assert [(fault.where, fault.clause) for fault in advice_on_roster(FACTIONS, roster)] == [
        ("/models/0/perks/0/name", "FF-ROS-20")
    ]


CATALOGUE = """
ruleset: fallout-factions-comp-1.0
document: a club's own sheet
items:
  - {in_list: modifications, name: Scope, points: 10, factions: [Survivors]}
  - {in_list: modifications, name: Stock, points: 11}
  - {in_list: perks, name: Big Leagues, points: 4, fields: {requisite: 4}}
"""


@pytest.mark.clause("FF-ROS-8", "FF-ROS-6", "FF-SET-1")
def test_a_catalogue_defines_names_prices_and_factions() -> None:
    modifications = "\n".join(line for line in CATALOGUE.splitlines() if "perks" not in line)
    known = with_catalogue(FACTIONS, modifications, "club.yaml")
    assert check_roster(known, FULL) == []
    roster = crew(faction="The Pack")
    roster["models"][2]["modifications"][0] |= {"points": 10}
    roster["models"][0]["modifications"] = [{"name": "Laser", "points": 1}]
    roster["models"][0]["perks"].pop()
    roster["rating"] = 245
    assert [(fault.where, fault.clause) for fault in check_roster(known, roster)] == [
        ("/models/0/modifications/0/name", "FF-ROS-8"),
        ("/models/1/modifications/0/name", "FF-ROS-8"),
        ("/models/2/modifications/0/points", "FF-ROS-8"),
    ]
    perks = with_catalogue(FACTIONS, CATALOGUE, "club.yaml")
    assert [fault.where for fault in check_roster(perks, FULL)] == ["/models/0/perks/1/name", "/models/1/perks/0/name"]


@pytest.mark.clause("FF-EX-8", "FF-ROS-14", "FF-AMB-5", "FF-ROS-15")
@pytest.mark.parametrize(("released", "kind", "fourteen", "seven"), EXAMPLES["FF-EX-8"]["dates"])
def test_a_release_is_legal_after_the_delay(released: str, kind: Any, fourteen: str, seven: str) -> None:
    day = date.fromisoformat(released)
    assert legal_from(FACTIONS, day) == date.fromisoformat(fourteen)
    assert legal_from(apply_options(FACTIONS, {"legality_delay_days": "7"}), day) == date.fromisoformat(seven)
    assert expected_weekday(FACTIONS, day, kind) == ""


@pytest.mark.clause("FF-ROS-15")
@pytest.mark.parametrize(
    ("released", "kind", "usual"), [("2025-03-06", "electronic", "friday"), ("2025-03-07", "errata", "tuesday")]
)
def test_a_release_on_an_unusual_weekday_is_accepted_with_advice(
    tmp_path: Path, released: str, kind: str, usual: str
) -> None:
    item = {"in_list": "supplements", "name": "Companion Supplement", "released": released, "release": kind}
    catalogue = {"ruleset": "fallout-factions-comp-1.0", "document": "releases", "items": [item]}
    (tmp_path / "catalogue.json").write_text(json.dumps(catalogue), "utf-8")
    crew = {"supplements": [{"name": "Companion Supplement"}]}
    checked = roster_check(tmp_path, crew, "--catalogue", str(tmp_path / "catalogue.json"))
    assert checked.exit_code == 0
    assert f"expected a {usual}" in checked.stdout
    assert "FF-ROS-15" in checked.stdout


@pytest.mark.clause("FF-REG-2", "FF-AMB-22")
def test_lists_are_due_a_week_before() -> None:
    assert FACTIONS.legality is not None
    assert FACTIONS.legality.lists_due(date(2025, 3, 21)) == date(2025, 3, 14)


@pytest.mark.clause("FF-ROS-4")
def test_two_legends_are_one_too_many(tmp_path: Path) -> None:
    legends = [{"name": "One", "points": 5}, {"name": "Two", "points": 5}]
    checked = roster_check(tmp_path, {"legend": legends, "chems": []})
    assert checked.exit_code == 2
    assert "/legend: 2, expected 0 to 1 of legend" in checked.stderr
    assert "FF-ROS-4" in checked.stderr
    assert roster_check(tmp_path, {"legend": legends[:1], "chems": []}).exit_code == 0


@pytest.mark.clause("FF-ROS-14", "FF-AMB-5", "FF-EX-8")
@pytest.mark.parametrize(
    ("released", "legal", "legal_after_a_week"),
    [
        ("2025-03-07", "2025-03-21", "2025-03-14"),
        ("2025-03-04", "2025-03-18", "2025-03-11"),
        ("2025-02-20", "2025-03-06", "2025-02-27"),
    ],
)
def test_a_recent_release_is_not_legal_yet(tmp_path: Path, released: str, legal: str, legal_after_a_week: str) -> None:
    catalogue = {
        "ruleset": "fallout-factions-comp-1.0",
        "document": "releases",
        "items": [{"in_list": "supplements", "name": "Companion Supplement", "released": released}],
    }
    (tmp_path / "catalogue.json").write_text(json.dumps(catalogue), "utf-8")
    held = ["--catalogue", str(tmp_path / "catalogue.json"), "--first-day"]
    crew = {"supplements": [{"name": "Companion Supplement"}]}
    for more, day in (([], legal), (["--option", "legality_delay_days=7"], legal_after_a_week)):
        assert roster_check(tmp_path, crew, *more, *held, day).exit_code == 0
        early = roster_check(tmp_path, crew, *more, *held, str(date.fromisoformat(day) - timedelta(days=1)))
        assert early.exit_code == 2
        assert f"not from {day} on" in early.stderr
        assert "FF-ROS-14" in early.stderr


def roster_check(folder: Path, parts: dict[str, Any], *more: str) -> Result:
    """Run `muster roster check` on the example crew with some parts changed."""
    (folder / "crew.json").write_text(json.dumps(FACTIONS.roster.example | parts), "utf-8")
    return CliRunner().invoke(main, ["roster", "check", str(folder / "crew.json"), "--ruleset", FACTIONS.id, *more])
