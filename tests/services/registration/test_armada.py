"""An event of Star Wars: Armada as it is announced: its document, its options, its fleets."""

from __future__ import annotations

from typing import Any

import pytest

from tests.services.registration.story import FLEET, Evening
from tests.services.story import NOBODY

BANDS = [{"least": 0, "most": 139, "winner": 6, "loser": 5}, {"least": 140, "winner": 10, "loser": 1}]
LARGER = {"fleet_limit": 400, "squadron_limit": 134, "margin_table": BANDS}


@pytest.mark.clause("AR-SET-1", "AR-TB-4")
def test_log_and_views_name_the_document_and_the_options(announce) -> None:
    evening = announce(options={"sos": "tome"})
    for ruleset in (
        evening.get("/ruleset", by=NOBODY).body["ruleset"],
        evening.get("/log").lines[0]["data"]["ruleset"],
    ):
        document = ruleset["document"]
        assert (document["version"], document["date"]) == ("1.1", "2015-06-24")
        assert ruleset["chosen"] == {"sos": "tome"}
        assert ruleset["standings"]["criteria"][2]["piece"] == "schedule_mean"


@pytest.mark.clause("AR-ROS-7")
@pytest.mark.parametrize("tier", ["casual", "competitive", "premier"])
def test_a_fleet_is_locked_at_every_tier(announce, tier: str) -> None:
    evening = announce(tier=tier, **({"rounds": 3} if tier == "casual" else {}))
    evening.join("Ana", "Ben", "Cy")
    evening.do("p1", "roster", {"roster": FLEET}, by="p1")
    evening.begin("p1", "p2", "p3")
    smaller = FLEET | {"squadrons": [], "fleet_total": 210}
    for player in ("p1", "p2", "p3"):  # who has the bye has not played yet, and is locked too
        assert evening.do(player, "roster", {"roster": smaller}, by=player).code == "roster-locked"


@pytest.mark.clause("AR-AMB-19")
@pytest.mark.parametrize("left_out", ["squadron_limit", "margin_table"])
def test_larger_fleets_need_the_organisers_own_tables(club, left_out: str) -> None:
    options = {key: value for key, value in LARGER.items() if key != left_out}
    body = {"name": "Wave 2", "ruleset": "star-wars-armada-1.1", "options": options}
    refused = club.ask("POST", "/tournaments", body, token=club.token("operator"))
    assert (refused.code, refused.places) == ("ruleset-option-refused", ["/options/fleet_limit"])
    assert left_out in refused.faults[0]["expected"]
    assert refused.faults[0]["clause"] == "AR-AMB-19"


@pytest.mark.clause("AR-AMB-19", "AR-ROS-1", "AR-ROS-2")
def test_larger_fleets_are_legal_once_they_have_them(announce) -> None:
    def fleet(squadrons: int) -> dict[str, Any]:
        return FLEET | {
            "ships": [*FLEET["ships"], {"name": "MC80", "points": 56}],
            "squadrons": [{"name": "X-wing", "points": squadrons}],
            "fleet_total": 266 + squadrons,
        }

    evening: Evening = announce(options=LARGER)
    evening.join("Ana")
    assert evening.do("p1", "roster", {"roster": fleet(134)}, by="p1").types == ["RosterSubmitted", "RosterAccepted"]
    refused = evening.do("p1", "roster", {"roster": fleet(135)}, by="p1")
    assert [fault["clause"] for fault in refused.faults] == ["AR-ROS-1", "AR-ROS-2"]
