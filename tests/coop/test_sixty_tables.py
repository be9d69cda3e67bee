"""An event with sixty tables over HTTP on both databases: played, ranked, verified, and explained."""

from __future__ import annotations

from random import Random

import pytest

from tests.auditing import failures, logs_of
from tests.coop.story import CONDITION, new_night


@pytest.mark.clause("AB-RNK-1", "AB-REP-4", "AB-PWR-5")
def test_sixty_tables(muster_on):
    night, chance = new_night(muster_on, 240), Random(7)
    tables = night.tables()
    assert {len(survivors) for survivors in tables.values()} == {4}
    for session, survivors in tables.items():
        rest = f"/sessions/{session}"
        first = {"scenario": "fixture-one", "loyal_faction": "North", "first_player": survivors[0]}
        night.do("scoring", f"{rest}/setup", first)
        night.session = session
        goals = night.history("GoalsRevealed")[0]["goals"]
        kills = [{"move": "survivor_killed", "survivor": chance.choice(survivors)} for _ in range(chance.randrange(8))]
        upgrades = [{"move": "upgrade_gained", "survivor": survivors[0]}] * 6
        night.move({"move": "card_revealed"}, {"move": "enemies_activated"}, *kills, by=survivors[1])
        night.move(*upgrades, *({"move": "goal_completed", "goal": goal} for goal in goals[:2]), by=survivors[2])
        if chance.random() < 0.5:
            night.move({"move": "condition_met", "condition": CONDITION}, by=survivors[3])
        else:
            night.do("scoring", f"{rest}/ending", {"outcome": "unfinished", "reason": "the hall closes"})
        night.confirm(by=survivors[0])
        night.confirm(by=survivors[1])
    night.do("pairing", "/session-rounds/1/close")
    night.do("scoring", "/session-rounds/1/ranking")
    night.do("scoring", "/conclusion", {})
    ranking = night.ranking(1)
    assert len(ranking["tables"]) == 60
    assert len(ranking["survivors"]) == 240
    outcomes = [row["outcome"] for row in ranking["tables"]]
    assert outcomes == sorted(outcomes, key=["victory", "unfinished"].index)
    assert failures(logs_of(night)) == []
    assert night.types()[-1] == "SessionConfirmed"
