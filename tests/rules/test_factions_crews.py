"""Crews of Fallout: Factions that are illegal or legal against first appearance. See `test_factions_rosters`."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from muster.cli.main import main
from shared.refusals import Fault
from shared.swiss.roster import check_roster
from tests.rules.factions import FACTIONS


def crew(**parts: Any) -> dict[str, Any]:
    """Return the example crew with other parts and the correct Rating."""
    return deepcopy(FACTIONS.roster.example) | parts


def faults(roster: dict[str, Any]) -> list[tuple[str, str]]:
    return [(fault.where, fault.clause) for fault in check_roster(FACTIONS, roster)]


def said(roster: dict[str, Any]) -> list[Fault]:
    return check_roster(FACTIONS, roster)


def with_model(**changes: Any) -> dict[str, Any]:
    """Return the example crew with its last grunt (35) changed."""
    roster = crew()
    roster["models"][-1] |= changes
    return roster


def with_perk(**perk: Any) -> dict[str, Any]:
    """Return the example crew whose champion has a perk instead of the modification, at the same 5 points."""
    roster = crew()
    champion = roster["models"][1]
    champion |= {"modifications": [], "perks": [perk], "points": 53 - perk.get("points", 0)}
    return roster


@pytest.mark.clause("FF-ROS-4")
class TestLegends:
    def test_a_legend_among_the_models_is_paid_for_in_caps(self) -> None:
        assert faults(with_model(name="Mason", **{"class": "legend"})) == []
        assert faults(with_model(name="mason", **{"class": "Legend"})) == []
        (fault,) = said(crew(legend=[]) | {"models": with_model(**{"class": "legend"})["models"]})
        assert (fault.where, fault.clause) == ("/models/4", "FF-ROS-4")
        assert fault.said == "Third Runner"

    def test_three_of_the_class_are_two_too_many(self) -> None:
        roster = crew()
        for model in roster["models"][2:]:
            model |= {"name": "Mason", "class": "legend"}
        assert faults(roster) == [("/models/3", "FF-ROS-4"), ("/models/4", "FF-ROS-4")]

    @pytest.mark.parametrize("caps", [{}, {"points": 0}])
    def test_a_legend_costs_caps(self, caps: dict[str, int]) -> None:
        assert faults(crew(legend=[{"name": "Mason", **caps}])) == [("/legend/0/points", "FF-ROS-4")]
        assert faults(crew(legend=[{"points": 12}])) == [("/legend/0/name", "FF-ROS-4")]
        assert faults(crew(legend=[])) == []


@pytest.mark.clause("FF-ROS-6")
class TestPricesOfPerks:
    def test_a_perk_states_its_requisite_and_its_points(self) -> None:
        assert faults(with_perk(name="Rooted", requisite=5, points=5)) == []
        assert faults(with_perk(name="Rooted", points=5)) == [("/models/1/perks/0/requisite", "FF-ROS-6")]
        assert faults(with_perk(name="Rooted", requisite=0, points=0)) == [("/models/1/perks/0/requisite", "FF-ROS-6")]
        assert faults(with_perk(name="Rooted", requisite="five", points=5)) == [
            ("/models/1/perks/0/requisite", "FF-ROS-6")
        ]
        assert faults(with_perk(name="Rooted", requisite=5)) == [("/models/1/perks/0/points", "FF-ROS-6")]
        assert faults(with_perk(name="Rooted")) == [("/models/1/perks/0/requisite", "FF-ROS-6")]

    @pytest.mark.parametrize(("name", "price"), [("Big Leagues", 4), ("Lone Wanderer", 5), ("Four Leaf Clover", 6)])
    def test_a_price_in_the_document_overrides_the_requisite(self, name: str, price: int) -> None:
        requisite = 3 if name == "Four Leaf Clover" else price
        assert faults(with_perk(name=name, requisite=requisite, points=price)) == []
        assert faults(with_perk(name=name.upper(), requisite=3, points=3)) == [("/models/1/perks/0/points", "FF-ROS-6")]


@pytest.mark.clause("FF-ROS-3", "FF-ROS-8", "FF-ROS-9")
def test_models_and_their_purchases_have_a_price() -> None:
    roster = crew(rating=238)
    del roster["models"][0]["upgrades"][0]["points"]
    del roster["models"][1]["modifications"][0]["points"]
    assert faults(roster) == [
        ("/models/0/upgrades/0/points", "FF-ROS-3"),
        ("/models/1/modifications/0/points", "FF-ROS-3"),
    ]
    assert faults(crew(rating=213) | {"models": with_model(points=0)["models"]}) == [("/models/4/points", "FF-ROS-3")]


@pytest.mark.clause("FF-ROS-10")
@pytest.mark.parametrize(
    ("chem", "where"),
    [
        ({"name": "Jet", "kind": "Common", "points": 8}, []),
        ({"name": "Jet", "kind": "common"}, ["/chems/0/points"]),
        ({"name": "Jet", "kind": "common", "points": 0}, ["/chems/0/points"]),
        ({"name": "Jet", "points": 8}, ["/chems/0/kind"]),
        ({"name": "Jet", "kind": "home-made", "points": 8}, ["/chems/0/kind"]),
        ({"kind": "common", "points": 8}, ["/chems/0/name"]),
    ],
)
def test_a_chem_has_a_name_a_price_and_the_kind_common(chem: dict[str, Any], where: list[str]) -> None:
    assert faults(crew(chems=[chem])) == [(place, "FF-ROS-10") for place in where]


@pytest.mark.clause("FF-ROS-21")
def test_a_leader_needs_the_perk_natural_leader() -> None:
    roster = crew()
    roster["models"][0]["profile_perks"] = [{"name": "Toughness"}]
    assert faults(roster) == [("/models", "FF-ROS-21")]
    roster["models"][3]["profile_perks"] = [{"name": "natural leader"}]
    assert faults(roster) == []


@pytest.mark.clause("FF-ROS-11", "FF-ROS-12")
@pytest.mark.parametrize("packet", ["Spooktober!", "spooktober! Rules Packet"])
def test_the_packet_with_the_centaur_is_for_super_mutants_alone(packet: str) -> None:
    supplements = [{"name": packet}]
    assert faults(crew(faction="Super Mutants", supplements=supplements)) == []
    assert faults(crew(faction="Survivors", supplements=supplements)) == [("/supplements/0/name", "FF-ROS-12")]


@pytest.mark.clause("FF-ROS-9")
def test_a_training_table_may_raise_by_more_than_one() -> None:
    roster = crew()
    upgrade = roster["models"][0]["upgrades"][0]
    for before, after, where in ((6, 8, []), (7, 9, []), (6, 10, ["to"]), (6, 6, ["to"]), (6, 5, ["to"])):
        upgrade |= {"from": before, "to": after}
        assert faults(roster) == [(f"/models/0/upgrades/0/{place}", "FF-ROS-9") for place in where]


@pytest.mark.clause("FF-ROS-9")
@pytest.mark.parametrize(("before", "where"), [(8, []), (9, ["/models/0/upgrades/0/to"])])
def test_an_upgrade_without_a_target_raises_by_one(before: int, where: list[str]) -> None:
    roster = crew()
    upgrade = roster["models"][0]["upgrades"][0]
    upgrade["from"] = before
    del upgrade["to"]
    assert faults(roster) == [(place, "FF-ROS-9") for place in where]


RELEASES = """
ruleset: fallout-factions-comp-1.0
document: what came out lately
items:
  - {in_list: supplements, name: Companion Supplement, released: 2025-03-07}
  - {in_list: supplements, name: Legends of the Wasteland, released: 2025-03-07EARLY}
"""


@pytest.mark.clause("FF-ROS-14", "FF-AMB-5")
def test_an_early_item_is_legal_from_its_own_day(tmp_path: Path) -> None:
    both = {"supplements": [{"name": "Companion Supplement"}, {"name": "Legends of the Wasteland"}]}
    (tmp_path / "crew.json").write_text(json.dumps(crew(**both)), "utf-8")

    def checked(early: str, day: str) -> Result:
        (tmp_path / "releases.yaml").write_text(RELEASES.replace("EARLY", early), "utf-8")
        catalogue = ["--catalogue", str(tmp_path / "releases.yaml"), "--first-day", day]
        return CliRunner().invoke(
            main, ["roster", "check", str(tmp_path / "crew.json"), "--ruleset", FACTIONS.id, *catalogue]
        )

    late = checked("", "2025-03-10")
    assert late.exit_code == 2
    assert "/supplements/0/name" in late.stderr
    assert "/supplements/1/name" in late.stderr
    let_in = checked(", legal_from: 2025-03-10", "2025-03-10")
    assert let_in.exit_code == 2
    assert (
        "/supplements/0/name: Companion Supplement, expected what is legal on 2025-03-10, not from 2025-03-21"
        in let_in.stderr
    )
    assert "/supplements/1/name" not in let_in.stderr
    before = checked(", legal_from: 2025-03-10", "2025-03-09")
    assert "Legends of the Wasteland, expected what is legal on 2025-03-09, not from 2025-03-10 on" in before.stderr
    wrong = checked(", legal_from: tomorrow", "2025-03-09")
    assert wrong.exit_code == 2
    assert "/items/1/legal_from: tomorrow" in wrong.stderr


def test_the_command_line_reports_every_fault_of_a_crew_with_its_clause(tmp_path: Path) -> None:
    """Typical disputes: nothing was paid, nothing was stated, and there is no leader."""
    roster = crew(legend=[{"name": "Mason"}], chems=[{"name": "Jet"}], supplements=[{"name": "Spooktober!"}])
    roster["models"][0] |= {"profile_perks": [], "perks": [{"name": "Action Boy"}]}
    roster["models"][1] |= {"modifications": [], "perks": [{"name": "Four Leaf Clover", "requisite": 3, "points": 3}]}
    for model in roster["models"][2:]:
        model["class"] = "legend"
    roster["rating"] = 241
    (tmp_path / "crew.json").write_text(json.dumps(roster), "utf-8")
    result = CliRunner().invoke(main, ["roster", "check", str(tmp_path / "crew.json"), "--ruleset", FACTIONS.id])
    assert result.exit_code == 2
    for place, clause in (
        ("/legend/0/points", "FF-ROS-4"),
        ("/models/2", "FF-ROS-4"),
        ("/models/4", "FF-ROS-4"),
        ("/models/0/perks/0/requisite", "FF-ROS-6"),
        ("/models/1/perks/0/points", "FF-ROS-6"),
        ("/models: nothing", "FF-ROS-21"),
        ("/chems/0/points", "FF-ROS-10"),
        ("/chems/0/kind", "FF-ROS-10"),
        ("/supplements/0/name", "FF-ROS-12"),
    ):
        assert any(place in line and clause in line for line in result.stderr.splitlines()), (place, result.stderr)
    assert len(result.stderr.splitlines()) == 10
