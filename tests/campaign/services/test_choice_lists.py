"""Several choices in one request, also across steps: all of them count, or none (FS-PGP-1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shared.campaign.state import CAMPAIGN, rules_at
from shared.campaign.tables import Rules
from tests.auditing import decided_again
from tests.campaign.services.games_story import Games, ready, roll
from tests.services.story import Answer, Json

New = Callable[..., Games]
SOURCES = ("registration", "pairing", "scoring")
DOWN = ({"m-2": {"down": "fall"}, "m-3": {"down": "fire"}}, {})
CLOSE_1: Json = {"does": "close_step", "of": {"step": "1"}}
INJURIES: tuple[Json, ...] = (
    {"does": "roll_injury", "of": {"member": "m-2"}, "rolls": [roll(12, 12)]},
    {"does": "roll_injury", "of": {"member": "m-3"}, "rolls": [roll(11, 12)]},
)


def after_game(games: New) -> Games:
    told = ready(games, "brotherhood_of_steel", "raiders")
    told.report("r1g1", deeds=DOWN)
    return told


def send(told: Games, *choices: Json, by: str = "p1") -> Answer:
    return told.post("/groups/p1/choices/list", {"choices": list(choices)}, by)


def audited(told: Games) -> list[Any]:
    return list(decided_again({source: told.club.log(told.id, source) for source in SOURCES}, "scoring"))


@pytest.mark.clause("FS-PGP-1")
def test_a_list_does_what_its_choices_do_one_by_one(games: New) -> None:
    award = {"does": "award_experience", "of": {}}
    closing = [{"does": "close_step", "of": {"step": step}} for step in ("1", "1b")]
    listed, single = after_game(games), after_game(games)
    answer = send(listed, *INJURIES, *closing, award)
    assert answer.status == 201
    for choice in INJURIES:
        assert single.post("/groups/p1/choices", choice, "p1").status == 201
    for step in ("1", "1b"):
        assert single.post(f"/groups/p1/steps/{step}/closing", {}, "p1").status == 201
    assert single.post("/groups/p1/choices", award, "p1").status == 201
    assert listed.group("p1") == single.group("p1")
    assert [event["type"] for event in answer.events] == [event.type for event in single.log][-len(answer.events) :]
    assert {event["data"]["cause"] for event in answer.events} == {"roll_injury", "close_step", "award_experience"}
    assert audited(listed) == []


@pytest.mark.clause("FS-PGP-1", "FS-INJ-1")
@pytest.mark.parametrize(
    ("choices", "status", "code", "where"),
    [
        ([INJURIES[0], CLOSE_1], 422, "choice-refused", "/choices/1/injured"),
        ([INJURIES[0], INJURIES[0]], 422, "choice-refused", "/choices/1/member"),
        ([*INJURIES, CLOSE_1, CLOSE_1], 409, "step-refused", "/choices/3/step"),
        ([{"does": "roll_injury", "of": {"member": "m-2"}}], 422, "dice-refused", "/choices/0/rolls/0"),
        ([{"does": "close_step", "of": {}}], 422, "choice-refused", "/choices/0/of"),
        ([{"does": "close_step", "of": {"step": ["1"]}}], 422, "choice-refused", "/choices/0/of"),
        ([{"does": "fly", "of": {}}], 422, "choice-refused", "/choices/0/does"),
        ([INJURIES[0], {"does": "end_turn", "of": {}}], 422, "choice-refused", "/choices/1/does"),
        ([], 422, "invalid-request", "/choices"),
        ([CLOSE_1] * 101, 422, "invalid-request", "/choices"),
    ],
)
def test_if_one_is_refused_none_is_made(games: New, choices: list[Json], status: int, code: str, where: str) -> None:
    told = after_game(games)
    before = told.log
    refused = send(told, *choices)
    assert (refused.status, refused.code) == (status, code), refused
    assert where in [fault["where"] for fault in refused.faults]
    assert told.log == before


@pytest.mark.clause("FS-PGP-1")
def test_only_the_group_itself_and_staff_send_a_list(games: New) -> None:
    told = after_game(games)
    assert send(told, *INJURIES, by="p2").code == "not-your-group"
    assert send(told, *INJURIES, by="organiser").status == 201


@pytest.mark.clause("FS-PGP-1", "FS-AUD-1", "FS-BAR-4")
def test_a_question_that_comes_twice_in_a_list_has_two_answers(games: New) -> None:
    told = after_game(games)
    told.until("4", "p1", "p2")
    told.post("/recruits", {})
    while pool := CAMPAIGN.of(told.state).pool:
        told.close_step(pool.order[0])
    fixed = next(key for key, merchant in _rules(told).merchants.items() if not merchant.find)
    lines = [offer.item for offer in _rules(told).merchants[fixed].goods][:2]
    quotes = [{"does": "quote_price", "of": {"line": line}, "service": True} for line in lines]
    seek = {"does": "seek_merchant", "of": {"merchant": fixed}}
    answer = send(told, seek, quotes[0], {"does": "decline_offer", "of": {}}, quotes[1])
    assert answer.status == 201, answer
    questions = [event["data"]["question"] for event in answer.events if event["type"] == "DieRolled"]
    assert len(questions) == len(set(questions))
    assert audited(told) == []


def _rules(told: Games) -> Rules:
    return rules_at(told.state.entries, 1)


@pytest.mark.clause("FS-REP-5", "FS-PGP-1")
def test_a_list_is_taken_back_as_a_whole_and_decided_again_as_a_whole(games: New) -> None:
    told = after_game(games)
    assert send(told, *INJURIES, CLOSE_1).status == 201
    first, *_ = told.get("/groups/p1/statements").body["items"]
    moves = [{"does": "move_item", "of": {"item": item.id}} for item in told.group("p1").items[:2]]
    assert send(told, *moves).status == 201
    statements = told.get("/groups/p1/statements").body["items"]
    assert [(one["does"], one["player_can"]) for one in statements] == [
        ("ChooseSeveral", False),
        ("ChooseSeveral", True),
    ]
    assert told.post(f"/groups/p1/statements/{statements[-1]['id']}/taking-back", {}, "p1").status == 201
    assert {item.holder for item in told.group("p1").items[:2]} != {""}
    assert send(told, *moves).status == 201
    taken = told.post(f"/groups/p1/statements/{first['id']}/taking-back", {"reason": "too early"})
    assert taken.status == 201, taken
    group = told.group("p1")
    assert group.phase is not None
    assert (group.phase.step, group.phase.injured) == ("1", ("m-2", "m-3"))
    assert {item.holder for item in group.items[:2]} == {""}
    assert send(told, *INJURIES, CLOSE_1).status == 201
    assert audited(told) == []


@pytest.mark.clause("FS-AUD-1", "FS-REP-5")
def test_a_die_of_a_list_that_does_not_stand_is_rolled_again(games: New) -> None:
    told = after_game(games)
    rolled = [event["data"] for event in send(told, *INJURIES, CLOSE_1).events if event["type"] == "DieRolled"]
    second = rolled[1]["roll"]
    assert told.post("/dice/dispute", {"rolls": [second], "reason": "two ones"}, "p2").status == 201
    body = {"rolls": [second], "stands": False, "reason": "two ones", "again": [roll(1, 1)]}
    assert told.post("/dice/ruling", body).status == 201
    group = told.group("p1")
    assert ("m-3" in group.ids, "m-2" in group.ids, group.phase.step if group.phase else "") == (False, True, "1b")
    assert audited(told) == []
