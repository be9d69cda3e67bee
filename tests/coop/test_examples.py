"""Every worked example of the rules digest, from a table by id."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from shared.coop.ranking import CountedSession, rank_tables
from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from tests.coop.story import Night, operator_data
from tests.services.story import Json

EXAMPLES = yaml.safe_load((Path(__file__).parent / "data" / "examples.yaml").read_text("utf-8"))
CASES = [(id, case) for id, cases in EXAMPLES["play"].items() for case in cases]
BONDS = shipped_ruleset("atomic-bonds")


def moves(night: Night, verb: str, about: Any) -> list[list[Json]]:
    """Return the requests of a step of an example."""
    one: dict[str, Json] = {
        "kill": {"move": "survivor_killed", "survivor": about},
        "goal": {"move": "goal_completed", "goal": about},
        "reveal": {"move": "card_revealed", "card": about},
        "opposing": {"move": "opposing_activated", "enemies_on_map": about},
        "first_player": {"move": "first_player_chosen", "player": about},
        "upgrade": {"move": "upgrade_gained", "survivor": "p1"},
    }
    if verb == "upgrade":
        return [[one[verb]]] * int(about)
    if verb == "reveal":
        return [[one[verb]]]
    if verb == "opposing":
        return [[{"move": "enemies_activated"}], [one[verb]]]
    return [[one[verb]]]


@pytest.mark.clause("AB-EX-2", "AB-EX-3", "AB-EX-4", "AB-EX-5", "AB-EX-6", "AB-EX-7", "AB-EX-8", "AB-EX-9")
@pytest.mark.clause("AB-PWR-1", "AB-PWR-3", "AB-PWR-4", "AB-KIL-1", "AB-KIL-3", "AB-GOAL-1", "AB-GOAL-2", "AB-GOAL-3")
@pytest.mark.clause("AB-GOAL-4", "AB-GOAL-5", "AB-ACT-3", "AB-ACT-6", "AB-END-2", "AB-END-3")
@pytest.mark.parametrize(("id", "case"), CASES, ids=[f"{id}-{number}" for number, (id, _) in enumerate(CASES)])
def test_play(new, id: str, case: Json):
    night = new(3, data=operator_data(**case.get("side", {})))
    night.set_up(goals=case.get("goals", ["g01", "g02", "g03", "g04"]))
    if case["at"]:
        night.move_to(case["at"])
    for verb, about, position in case["steps"]:
        if verb == "card":
            night.end_round(about)
        else:
            for move in moves(night, verb, about):
                night.move(*move)
        assert night.position == position, (id, verb, about)
    ended = night.state["ended"]
    assert (ended["outcome"] if ended else "") == case.get("ends", "")
    if "refused" in case:
        *_, last = moves(night, *case["refused"])
        code = "session-ended" if case.get("ends") else "impossible-move"
        answer = night.refuse_move(409 if case.get("ends") else 422, code, *last)
        if case.get("ends"):
            assert answer.data["event"] == "SessionLost"
            assert answer.data["clause"] == "AB-END-3"


@pytest.mark.clause("AB-EX-1", "AB-SET-1", "AB-SET-2", "AB-SET-3", "AB-SET-5", "AB-SET-6", "AB-SET-7", "AB-SET-8")
def test_set_up(new):
    night = new(3)
    night.set_up(goals=None)
    state = night.state
    assert len(state["goals_open"]) == 4
    assert state["camp_tokens"] == {"supply": 7, "gained": 0, "on_map": ["Crossroads Camp"]}
    assert (state["position"], state["last_space"], state["opposing_faction"]) == (0, 9, "South")
    assert night.history("MutationsDealt") == [{"session": "r1t1", "cards": 3}]
    assert night.types() == [
        "SessionSetUpStarted",
        "LoyalFactionChosen",
        "PowerTokenPlaced",
        "GoalsRevealed",
        "CampTokenPlaced",
        "MutationsDealt",
        "FirstPlayerChosen",
        "SessionStarted",
        "RoundBegan",
    ]


@pytest.mark.clause("AB-EX-10", "AB-PWR-2", "AB-CMP-1")
def test_loyal_reward_moves_no_token(night):
    night.move_to(4)
    reward = {"move": "quest_reward", "faction": "North", "reward": "one C.A.M.P. token"}
    assert night.move(reward).types == ["LoyalRewardResolved"]
    night.move({"move": "camp_gained", "survivor": "p1"})
    assert night.position == 4
    assert (night.state["camp_tokens"]["supply"], night.state["camp_tokens"]["gained"]) == (6, 1)


@pytest.mark.clause("AB-EX-10", "AB-PWR-2", "AB-CMP-1")
def test_loyal_reward_gives_its_camp_token_in_the_same_move(night):
    night.move_to(4)
    reward = {"move": "quest_reward", "faction": "North", "reward": "one C.A.M.P. token", "token_for": "p1"}
    assert night.move(reward).types == ["LoyalRewardResolved", "CampTokenGained"]
    assert night.position == 4
    assert (night.state["camp_tokens"]["supply"], night.state["camp_tokens"]["gained"]) == (6, 1)
    for wrong, where in (
        (reward | {"token_for": "p9"}, "token_for"),
        ({"move": "quest_reward", "faction": "North", "reward": "one C.A.M.P. token", "from_space": "x"}, "token_for"),
        ({"move": "quest_reward", "faction": "South", "token_for": "p1"}, "token_for"),
        (reward | {"from_space": "Crossroads Camp"}, "from_space"),
    ):
        answer = night.refuse_move(422, "impossible-move", wrong)
        assert [fault["where"] for fault in answer.faults] == [f"/moves/0/{where}"]


def counted_session(
    name: str, outcome: str, rounds: int, position: int, goals: int, spaces: int = 10
) -> CountedSession:
    return CountedSession(
        session=name,
        survivors=(name.lower(),),
        outcome=outcome,
        rounds=rounds,
        rounds_ended=rounds,
        position=position,
        spaces=spaces,
        goals=goals,
    )


@pytest.mark.clause("AB-EX-11", "AB-RNK-1", "AB-RNK-2", "AB-RNK-3", "AB-RNK-4")
@pytest.mark.parametrize("defeats", ["order", "same_keys"])
def test_ranking(defeats: str):
    options = {"ab.rank.defeats": "same_keys"} if defeats == "same_keys" else {}
    rules = apply_options(BONDS, options).ranking
    tables = [counted_session(name, *values) for name, values in EXAMPLES["ranking"]["tables"].items()]
    ranked = rank_tables(reversed(tables), rules)
    assert [row.session for row in ranked] == EXAMPLES["ranking"][defeats]
    assert [row.rank for row in ranked] == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.clause("AB-EX-12", "AB-RNK-2")
def test_unequal_tracks_are_compared_as_shares():
    ranked = rank_tables(
        [counted_session("ten", "victory", 7, 4, 2), counted_session("twelve", "victory", 7, 4, 2, 12)], BONDS.ranking
    )
    assert [(row.session, row.rank, row.share) for row in ranked] == [
        ("twelve", 1, Fraction(4, 11)),
        ("ten", 2, Fraction(4, 9)),
    ]


@pytest.mark.clause("AB-EX-12", "AB-REP-2")
def test_summary_checks_position_against_advances(new):
    night = new(3, options={"ab.report.detail": "summary"})
    night.set_up(goals=["g01", "g02", "g03", "g04"])
    numbers = {"outcome": "victory", "rounds": 7, "completed": ["g01", "g02", "g03"], "kills": 3, "cards": 3}
    refused = night.refused(422, "impossible-move", "report", {"told": {**numbers, "position": 3}}, "p1")
    assert [(fault["where"], fault["expected"], fault["clause"]) for fault in refused.faults] == [
        ("/told/position", "4 to 6, after 6 spaces forward and 1 extra goals", "AB-REP-2")
    ]
    for position in (4, 5, 6):
        night.do("scoring", "/sessions/r1t1/report", {"told": {**numbers, "position": position}}, "p1")
        assert night.state["told"]["position"] == position
