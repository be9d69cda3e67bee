"""A die that does not stand is rolled again, and what hung on it is decided again (FS-AUD-1, FS-REP-5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shared.campaign.state import CAMPAIGN
from tests.auditing import decided_again
from tests.campaign.services.games_story import Games, ready, roll
from tests.services.story import Answer, Json

New = Callable[..., Games]
SOURCES = ("registration", "pairing", "scoring")


def denied(games: New, *faces: int) -> tuple[Games, str]:
    """Return a campaign in which p1 rolled the injury of m-2 with these faces and p2 denied it, and the roll."""
    told = ready(games, "brotherhood_of_steel", "raiders")
    told.report("r1g1", deeds=({"m-2": {"down": "fall"}}, {}))
    die = choose(told, "roll_injury", {"member": "m-2"}, roll(*faces)).events[0]["data"]["roll"]
    assert told.post("/dice/dispute", {"rolls": [die], "reason": "I saw two ones"}, "p2").status == 201
    return told, die


def choose(told: Games, does: str, of: Json, *rolls: Json, **more: Any) -> Answer:
    answer = told.post("/groups/p1/choices", {"does": does, "of": of, "rolls": list(rolls), **more}, "p1")
    assert answer.status == 201, answer
    return answer


def rule(told: Games, *rolls: str, preview: bool = False, **more: Any) -> Answer:
    """Rule that rolls do not stand."""
    body = {"rolls": list(rolls), "stands": False, "reason": "two saw two ones", **more}
    return told.post("/dice/ruling" + ("?preview=true" if preview else ""), body)


def rolled_by(answer: Answer) -> list[Json]:
    """Return the rolls in the answer to a command."""
    return [event["data"] for event in answer.events if event["type"] == "DieRolled"]


def audited(told: Games) -> list[Any]:
    return list(decided_again({source: told.club.log(told.id, source) for source in SOURCES}, "scoring"))


@pytest.mark.clause("FS-AUD-1", "FS-REP-5", "FS-INJ-1")
def test_the_same_question_is_asked_again_and_what_hung_on_it_is_decided_again(games: New) -> None:
    told, die = denied(games, 12, 12)
    assert told.post("/groups/p1/steps/1/closing", {}, "p1").status == 201
    before = told.log
    foreseen = rule(told, die, preview=True)
    assert (foreseen.status, "groups" in foreseen.body["moves"]) == (200, True)
    assert told.log == before
    ruled = rule(told, die, again=[roll(1, 1)])
    assert ruled.types[:4] == ["DiceRuled", "StatementTakenBack", "StatementDecidedAgain", "DieRolled"]
    again = [event["data"].get("stands", True) for event in ruled.events if event["type"] == "StatementDecidedAgain"]
    assert again == [False, True]
    (rolled,) = rolled_by(ruled)
    first = next(event for event in told.of("DieRolled") if event["roll"] == die)
    assert rolled["question"] == first["question"].removesuffix(", 1") + ", 2"
    faces = [one["natural"] for one in rolled["dice"]]
    assert (rolled["rolled_by"], rolled["witnessed_by"], faces) == ("p1", "p2", [1, 1])
    group = told.group("p1")
    assert ("m-2" in group.ids, group.phase.step if group.phase else "") == (False, "1b")
    listed = {line["id"]: line for line in told.get("/dice?group=p1").body["items"]}
    assert (listed[die]["standing"], bool(listed[die]["discarded_by"])) == ("rejected", True)
    assert audited(told) == []


@pytest.mark.clause("FS-AUD-1")
def test_the_service_rolls_the_new_die_if_no_one_did(games: New) -> None:
    told, die = denied(games, 12, 12)
    (rolled,) = rolled_by(rule(told, die))
    assert rolled["source"] == "service"
    assert rule(told, die).types == []


@pytest.mark.clause("FS-AUD-1", "FS-SCV-1")
def test_other_dice_of_the_same_choice_stay(games: New) -> None:
    told = ready(games, "brotherhood_of_steel", "raiders")
    told.report("r1g1")
    told.until("3", "p1")
    first, second = rolled_by(choose(told, "scavenge", {"member": "m-1"}, roll(6), roll(12)))
    caps = told.group("p1").caps
    assert told.post("/dice/dispute", {"rolls": [first["roll"]], "reason": "a two"}, "p2").status == 201
    rolled = rolled_by(rule(told, first["roll"], again=[roll(6, by="p2", seen="p1")]))
    assert [(one["question"][-1], one["dice"], one["rolled_by"]) for one in rolled] == [
        ("2", first["dice"], "p2"),
        ("1", second["dice"], "p1"),
    ]
    assert told.group("p1").caps == caps
    assert audited(told) == []


@pytest.mark.clause("FS-AUD-1", "FS-REP-5")
def test_later_statements_that_no_longer_hold_are_listed_first(games: New) -> None:
    told, die = denied(games, 12, 12)
    told.until("3", "p1", "p2")
    choose(told, "scavenge", {"member": "m-2"}, roll(6), roll(12))
    before = told.log
    refused = rule(told, die, again=[roll(1, 1)])
    assert (refused.status, refused.code) == (409, "statements-fall")
    assert [fault["clause"] for fault in refused.faults] == ["FS-PGP-4"]
    assert told.log == before
    assert rule(told, die, again=[roll(1, 1)], drop=True).status == 201
    assert "m-2" not in told.group("p1").ids
    assert "scavenge" not in [known.does for known in CAMPAIGN.of(told.state).phases["p1"].statements]
    assert audited(told) == []


@pytest.mark.clause("FS-AUD-1")
def test_no_one_chooses_between_the_old_and_the_new_die(games: New) -> None:
    told, die = denied(games, 12, 12)
    rule(told, die, again=[roll(1, 1)])
    refused = told.post("/dice/ruling", {"rolls": [die], "stands": True, "reason": "heard again"})
    assert (refused.status, refused.code) == (422, "dice-refused")


@pytest.mark.clause("FS-AUD-1")
@pytest.mark.parametrize(
    ("again", "where"),
    [
        ([roll(1)], "/roll/dice"),
        ([roll(1, 13)], "/roll/dice/1/natural"),
        ([roll(1, 1, seen="p1")], "/again/0/witnessed_by"),
        ([roll(1, 1, by="p9")], "/again/0/rolled_by"),
        ([roll(1, 1), roll(2)], "/again"),
    ],
)
def test_wrong_new_dice_are_refused(games: New, again: list[Json], where: str) -> None:
    told, die = denied(games, 12, 12)
    before = told.log
    refused = rule(told, die, again=again)
    assert (refused.status, [fault["where"] for fault in refused.faults]) == (422, [where]), refused
    assert told.log == before


@pytest.mark.clause("FS-AUD-1")
def test_a_die_of_a_finished_phase_is_only_marked(games: New) -> None:
    told, die = denied(games, 12, 12)
    told.finish("p1", "p2")
    assert rule(told, die, again=[roll(1, 1)]).code == "dice-refused"
    assert rule(told, die).types == ["DiceRuled"]


@pytest.mark.clause("FS-AUD-1", "FS-GAM-5")
def test_an_objective_that_does_not_stand_is_rolled_again_before_the_game(games: New) -> None:
    told = ready(games, "brotherhood_of_steel", "raiders")
    die = next(line["id"] for line in told.get("/dice?group=p1").body["items"])
    again = {"group": "p1", "roll": roll(7, by="p1", seen="p2")}
    assert told.post("/games/r1g1/objective", again, "p1").code == "already-rolled"
    assert rule(told, die).types == ["DiceRuled"]
    assert told.post("/games/r1g1/objective", again, "p1").types == ["DieRolled", "ObjectiveRolled"]
    assert CAMPAIGN.of(told.state).mustered["p1"].face == 7
    assert told.post("/games/r1g1/objective", again, "p1").code == "already-rolled"
