"""Reports of campaign games over HTTP and their consequences for the groups."""

from __future__ import annotations

from typing import Any

import pytest

from tests.campaign.services.conftest import NewGames
from tests.campaign.services.games_story import Games, endings, given, ready, roll, wrong
from tests.services.story import Answer, Json


@pytest.mark.clause("FS-REP-5", "FS-RND-1", "FS-GAM-8", "FS-AUD-1")
def test_a_players_report_waits_for_the_opponent(told: Games) -> None:
    assert told.report("r1g1", by="p1").types == ["ResultReported"]
    assert told.step("p1") == ""
    assert told.confirm("r1g1", by="p1").code == "own-report"
    answer = told.confirm("r1g1", by="p2")
    assert answer.types == ["ResultConfirmed", "DieRolled", "GameEnded", "PostGameOpened", "PostGameOpened"]
    end = answer.events[1]["data"]
    assert (end["purpose"], end["total"], end["roll"]) == ("FS-GAM-8", 12 + 2 + 3, "s3")
    assert end["modifiers"] == [{"source": "uncontrolled_markers", "value": 2}, {"source": "turn", "value": 3}]
    assert answer.events[2]["data"]["turn"] == 8
    assert endings(told) == ["win", "loss"]
    assert told.get("/games/r1g1").body["score"] == {
        "outcome_1": "win",
        "outcome_2": "loss",
        "values_1": {"league_points": 3, "vp": 3},
        "values_2": {"league_points": 0, "vp": 1},
        "groups": [
            {"group": "p1", "outcome": "win", "values": {"league_points": 3, "vp": 3}},
            {"group": "p2", "outcome": "loss", "values": {"league_points": 0, "vp": 1}},
        ],
    }


@pytest.mark.clause("FS-REP-5")
def test_an_identical_report_confirms_and_a_report_by_staff_binds(told: Games, games: NewGames) -> None:
    told.report("r1g1", by="p1")
    assert told.report("r1g1", by="p1").events == []
    assert told.report("r1g1", by="p2").types[0] == "ResultConfirmed"
    other = ready(games, "raiders", "raiders")
    assert other.report("r1g1").types[:2] == ["ResultReported", "ResultConfirmed"]
    assert other.step("p1") == "1"


@pytest.mark.clause("FS-REP-1", "FS-GAM-5", "FS-GAM-4")
def test_recorded_dice_are_added_to_a_report(games: NewGames) -> None:
    told = games("regulators", "wasteland_survivors")
    for group, face in (("p1", 3), ("p2", 7)):
        told.muster("r1g1", group)
        told.objective("r1g1", group, roll(face))
    told.evil("r1g1", "p1", roll(2))
    deeds = (
        {"m-1": {"wounds": 1, "kills": 1, "took": ["m-3"], "evil": 1}},
        {"m-3": {"down": "rival", "by": "m-1", "melee": True}},
    )
    assert told.report("r1g1", deeds=deeds).status == 201
    sides = told.of("ResultReported")[0]["facts"]["report"]["sides"]
    assert [(side["objective"], side.get("evil", False)) for side in sides] == [(3, False), (7, True)]


@pytest.mark.clause("FS-REP-1")
def test_sides_of_a_report_may_be_in_any_order(told: Games) -> None:
    report = told.told("r1g1")
    report["sides"].reverse()
    assert told.say_result("r1g1", {"kind": "game", "report": report}).status == 201
    assert [side["group"] for side in told.of("ResultReported")[0]["facts"]["report"]["sides"]] == ["p1", "p2"]
    assert endings(told) == ["win", "loss"]


def test_the_reporter_is_the_default_roller_of_the_last_die(told: Games) -> None:
    told.report("r1g1", by="p1", end_roll=roll(12, by="", seen="p2"))
    assert told.confirm("r1g1", by="p2").events[1]["data"]["rolled_by"] == "p1"


@pytest.mark.clause("FS-GAM-9", "FS-GAM-10")
@pytest.mark.parametrize(
    ("lines", "ended", "rewards"),
    [
        (((5,), (4,)), ["win", "loss"], [True, False]),
        (((5,), (5,)), ["draw", "draw"], [True, True]),
        (((4,), (4,)), ["draw", "draw"], [False, False]),
        (((), ()), ["draw", "draw"], [False, False]),
    ],
    ids=["a win", "five all", "four all", "nothing"],
)
def test_the_winner_and_the_right_to_a_reward(told: Games, lines: Any, ended: list[str], rewards: list[bool]) -> None:
    assert told.report("r1g1", lines=lines).status == 201
    assert endings(told) == ended
    assert [told.group(id).phase.played.reward for id in ("p1", "p2")] == rewards  # type: ignore[union-attr]


@pytest.mark.clause("FS-GAM-9", "FS-REP-2", "FS-GRP-5")
def test_a_destroyed_side_may_win(told: Games) -> None:
    all_down = {f"m-{n}": {"down": "fire"} for n in range(1, 5)}
    told.report("r1g1", deeds=(all_down, {}), lines=((4,), (1,)))
    assert endings(told) == ["win", "loss"]
    assert told.group("p1").phase.injured == ("m-1", "m-2", "m-3", "m-4")  # type: ignore[union-attr]


@pytest.mark.clause("FS-INJ-4", "FS-AMB-54")
def test_a_group_without_survivors_is_out(told: Games) -> None:
    gone = {f"m-{n}": {"down": "terrain", "removed": True} for n in range(1, 5)}
    answer = told.report("r1g1", deeds=(gone, {}))
    assert answer.types.count("MemberRemoved") == 4
    assert told.group("p1").members == ()
    told.finish("p2")
    assert told.of("RoundClosed")


@pytest.mark.clause("FS-GAM-11", "FS-AMB-48")
def test_a_concession_loses_regardless_of_points(told: Games) -> None:
    report = {"sides": ({"conceded": True}, {}), "last_turn": 2, "end_roll": None}
    answer = told.report("r1g1", lines=((5,), ()), **report)
    assert answer.types == ["ResultReported", "ResultConfirmed", "PostGameOpened", "PostGameOpened"]
    assert endings(told) == ["loss", "win"]
    assert told.points() == {"p1": 0, "p2": 3}


@pytest.mark.clause("FS-AMB-47", "FS-REP-4")
def test_lines_may_use_absolute_numbers(games: NewGames) -> None:
    told = ready(games, "raiders", "raiders", options={"vp__line_numbering": "absolute"})
    assert wrong(told.report("r1g1", lines=((1,), (1,)))) == [("/sides/0/lines", "FS-REP-4")]
    assert told.report("r1g1", lines=((1,), (5,))).status == 201


@pytest.mark.clause("FS-ADD-1", "FS-ITM-2", "FS-AUD-1")
def test_doses_are_used_up_and_checked(games: NewGames) -> None:
    told = games("raiders", "raiders")
    told.muster("r1g1", "p1")
    told.muster("r1g1", "p2")
    held = given(told, "p1", ("jet", "m-1"), ("stimpak", "m-2"))
    for group in ("p1", "p2"):
        told.objective("r1g1", group, roll(1))
    deeds = {"m-1": {"doses": [{"item": held[0], "roll": roll(12)}]}, "m-2": {"used": [held[1]]}}, {}
    answer = told.report("r1g1", deeds=deeds)
    assert answer.status == 201, answer
    [addicted] = told.of("AddictionRolled")
    assert (addicted["drug"], addicted["addicted"]) == ("jet", True)
    assert [lost["item"] for lost in told.of("ItemLost")] == held
    assert told.group("p1").member("m-1").addictions == ("jet",)  # type: ignore[union-attr]
    rolls = [event["roll"] for event in told.of("DieRolled")]
    assert len(rolls) == len(set(rolls))


@pytest.mark.clause("FS-AMB-4", "FS-INJ-1")
def test_injuries_rolled_at_the_table_are_part_of_the_report(games: NewGames) -> None:
    told = ready(games, "raiders", "raiders", options={"injury__roll_time": "at_table"})
    down: Json = {"m-2": {"down": "fall"}}
    assert wrong(told.report("r1g1", deeds=(down, {}))) == [("/sides/0/members/1/injury", "FS-AMB-4")]
    down["m-2"]["injury"] = roll(12, 13)
    assert wrong(told.report("r1g1", deeds=(down, {}))) == [("/sides/0/members/1/injury/dice/1/natural", "FS-DICE-1")]
    down["m-2"]["injury"] = roll(6, 6)
    answer = told.report("r1g1", deeds=(down, {}))
    assert {"InjuryRolled", "InjurySuffered"} <= set(answer.types)
    assert told.group("p1").member("m-2").injuries == ("scarred",)  # type: ignore[union-attr]
    assert told.group("p1").phase.injured == ()  # type: ignore[union-attr]


def test_a_repeated_campaign_report_takes_effect_once(told: Games) -> None:
    body = {"facts": {"kind": "game", "report": told.told("r1g1")}}
    answers: list[Answer] = [told.post("/games/r1g1/result", body, Idempotency_Key="once") for _ in range(2)]
    assert answers[0].body == answers[1].body
    assert len(told.of("GameEnded")) == 1


@pytest.mark.clause("FS-XP-3", "FS-REP-4")
def test_what_the_report_proves_is_recorded_unless_a_reason_says_otherwise(games: NewGames) -> None:
    """Two of four mutants stand at the end; the Enclave neither counts them nor the one that it took down."""
    told = ready(games, "enclave", "super_mutants")
    deeds = (
        {"m-1": {"wounds": 2, "models": 1, "kills": 1, "took": ["m-3"]}},
        {"m-3": {"down": "rival", "by": "m-1"}, "m-4": {"down": "fall"}},
    )
    refused = told.report("r1g1", deeds=deeds, sides=({"left": 1}, {}))
    assert (refused.status, refused.code) == (422, "game-report-refused")
    assert [(fault["where"], fault["clause"]) for fault in refused.faults] == [
        ("/facts/report/sides/0/left", "FS-XP-3")
    ]
    said = told.report("r1g1", deeds=deeds, sides=({"left": 1, "otherwise": "m-2 left the table early"}, {}))
    assert said.status == 201
    side = told.get("/games/r1g1").body["facts"]["report"]["sides"][0]
    assert (side["left"], side["otherwise"], side["members"][0]["mutated"]) == (1, "m-2 left the table early", 1)
    assert told.void("r1g1").status == 201
    assert told.report("r1g1", deeds=deeds).status == 201
    assert told.get("/games/r1g1").body["facts"]["report"]["sides"][0]["left"] == 2
    told.until("2", "p1", "p2")
    awarded = told.post("/groups/p1/choices", {"does": "award_experience", "of": {}})
    changes = [event["data"] for event in awarded.events if event["type"] == "ExperienceChanged"]
    assert {(change["member"], change["reason"], change["amount"]) for change in changes} >= {
        ("m-1", "mutated", 1),
        (told.group("p1").leader, "mutated_left", -2),
    }
