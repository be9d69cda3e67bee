"""Late rulings: corrections of the league, and ledger entries."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shared.campaign.state import CAMPAIGN
from shared.log.event import Actor, actor_json, canonical_json
from tests.auditing import decided_again, failures
from tests.campaign.services.games_story import NO_SHOW, Games, given, ready, roll, wrong
from tests.services.story import Json
from tests.state.logs import rechained

KILLED = {"wound": 3, "kill": 1}


def late(told: Games, **more: Any) -> Json:
    """Return a report without members, as late corrections accept it."""
    report = told.told("r1g1", **more)
    for side in report["sides"]:
        del side["members"]
    return {"kind": "game", "report": report | {"end_roll": None}}


@pytest.mark.clause("FS-REP-5", "FS-LGE-3")
def test_a_late_correction_changes_only_the_league(told: Games) -> None:
    told.report("r1g1")
    told.finish("p1", "p2")
    groups = CAMPAIGN.of(told.state).groups
    preview = told.correct("r1g1", late(told, lines=((), (2,))), preview=True)
    assert preview.status == 200
    assert preview.body["moves"]["standings"]["rounds_recorded_anew"] == [1]
    assert {
        move["player"]: move["values"]["league_points"] for move in preview.body["moves"]["standings"]["ranks"]
    } == {
        "p1": {"before": 3, "after": 0},
        "p2": {"before": 0, "after": 3},
    }
    assert not told.of("ResultCorrected")
    answer = told.correct("r1g1", late(told, lines=((), (2,))))
    assert answer.types == ["ResultCorrected", "StandingsRecorded"]
    assert told.points() == {"p1": 0, "p2": 3}
    assert CAMPAIGN.of(told.state).groups == groups


@pytest.mark.parametrize("closed", [False, True])
def test_an_organiser_overrides_a_head_referee_in_a_campaign(told: Games, closed: bool) -> None:
    told.rule("r1g1", {"kind": "game", "report": told.told("r1g1")}, by="head_referee")
    if closed:
        told.finish("p1", "p2")
    facts = late(told, lines=((), (2,))) if closed else {"kind": "game", "report": told.told("r1g1", lines=((), (2,)))}
    assert told.correct("r1g1", facts).code == "ruling-final"
    answer = told.override("r1g1", facts)
    assert (answer.status, answer.types[0]) == (201, "RulingOverridden"), answer
    assert told.get("/games/r1g1").body["ruling"] == "organiser"


@pytest.mark.clause("FS-REP-5")
@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"deeds": ({"m-1": {"kills": 1, "wounds": 1}}, {})}, "/sides/0/members"),
        ({"sides": ({}, {"freed": [{"member": "m-1", "roll": roll(1)}]})}, "/sides/1/freed"),
        ({"encounters": [{"met": "slaves"}]}, "/encounters"),
        ({"end_roll": roll(11)}, "/end_roll"),
    ],
)
def test_applied_effects_cannot_be_corrected(told: Games, change: Json, where: str) -> None:
    told.report("r1g1")
    told.until("3", "p1")
    answer = told.correct("r1g1", {"kind": "game", "report": told.told("r1g1", **change)})
    assert wrong(answer) == [(where, "FS-REP-5")]
    assert told.correct("r1g1", late(told, lines=((1,), (5,)))).code == "game-report-refused"


@pytest.mark.clause("FS-REP-5", "FS-PGP-3")
def test_effects_of_a_late_ruling_are_entered_in_the_ledger(told: Games) -> None:
    told.report("r1g1")
    entry = {"entry": "caps", "amount": 25, "reason": "the bounty was forgotten", "clause": "FS-INJ-5"}
    early = told.enter("p1", entry)
    assert (early.code, wrong(early)) == ("step-refused", [("/group", "FS-REP-5")])
    told.until("3", "p1", "p2")
    before = told.group("p1")
    answer = told.enter(
        "p1",
        entry,
        {"entry": "food", "amount": 2, "food": "radiated", "reason": "found", "clause": "FS-SCV-1"},
        {"entry": "item_gained", "good": "Doctor's Bag", "reason": "loot", "clause": "FS-REP-3"},
        {"entry": "item_lost", "item": before.items[0].id, "reason": "lost", "clause": "FS-PGP-6"},
        {"entry": "experience", "member": "m-3", "deeds": KILLED, "reason": "a kill", "clause": "FS-XP-1"},
        {"entry": "caps", "amount": -5, "reason": "paid twice", "clause": "FS-UPK-1"},
    )
    assert answer.types == [
        *("CapsMoved", "FoodMoved", "ItemGained", "ItemLost", "ExperienceChanged", "LevelReached", "CapsMoved")
    ]
    after = told.group("p1")
    assert (after.caps, after.radiated) == (before.caps + 20, before.radiated + 2)
    assert after.item(before.items[0].id) is None
    assert {event["data"]["cause"] for event in answer.events} == {"ruling"}


@pytest.mark.clause("FS-REP-5", "FS-PGP-3", "FS-XP-5", "FS-GRP-10")
@pytest.mark.parametrize(
    ("entry", "code", "where"),
    [
        ({"entry": "caps", "amount": -1000}, "balance-too-low", "/entries/1/caps"),
        ({"entry": "caps"}, "choice-refused", "/entries/1/amount"),
        ({"entry": "food", "amount": -1000}, "balance-too-low", "/entries/1/clean"),
        ({"entry": "item_gained", "good": "crown"}, "choice-refused", "/entries/1/good"),
        ({"entry": "item_lost", "item": "i-99"}, "choice-refused", "/entries/1/item"),
        ({"entry": "experience", "member": "m-9", "deeds": KILLED}, "choice-refused", "/entries/1/member"),
        ({"entry": "experience", "member": "m-3", "amount": 500}, "choice-refused", "/entries/1/amount"),
        ({"entry": "experience", "member": "m-3"}, "choice-refused", "/entries/1/deeds"),
        ({"entry": "experience", "member": "m-3", "deeds": {"kill": 31}}, "choice-refused", "/entries/1/deeds/kill"),
        (
            {"entry": "experience", "member": "m-3", "deeds": {"survived": 2}},
            "choice-refused",
            "/entries/1/deeds/survived",
        ),
        ({"entry": "experience", "member": "m-3", "deeds": {"evil": 1}}, "choice-refused", "/entries/1/deeds/evil"),
        (
            {"entry": "experience", "member": "m-3", "deeds": {"high_tech_missed": 30}},
            "choice-refused",
            "/entries/1/deeds",
        ),
        ({"entry": "experience_unearned", "member": "m-3", "amount": -2}, "choice-refused", "/entries/1/amount"),
        ({"entry": "experience_unearned", "member": "m-3", "amount": 1}, "choice-refused", "/entries/1/amount"),
    ],
)
def test_impossible_entries_are_refused_together(told: Games, entry: Json, code: str, where: str) -> None:
    told.report("r1g1")
    told.until("3", "p1")
    because = {"reason": "so ruled", "clause": "FS-REP-5"}
    answer = told.enter("p1", {"entry": "caps", "amount": 1, **because}, {**entry, **because})
    assert (answer.code, [at for at, _ in wrong(answer)]) == (code, [where])


def test_an_entry_needs_reason_clause_and_organiser(told: Games) -> None:
    told.report("r1g1")
    told.until("3", "p1")
    assert (
        told.enter("p1", {"entry": "caps", "amount": 1, "reason": "", "clause": "FS-REP-5"}).code == "invalid-request"
    )
    assert told.enter("p1", {"entry": "caps", "amount": 1, "reason": "so", "clause": "mine"}).code == "invalid-request"
    entry = {"entry": "caps", "amount": 1, "reason": "so", "clause": "FS-REP-5"}
    assert told.enter("p1", entry, by="p1").code == "forbidden"
    assert told.enter("p9", entry).code == "group-unknown"


@pytest.mark.clause("FS-XP-5", "FS-REP-5", "FS-AUD-2")
def test_removed_experience_removes_levels_and_advancements(told: Games) -> None:
    told.report("r1g1")
    told.until("3", "p1", "p2")
    because = {"member": "m-3", "reason": "of another game", "clause": "FS-XP-1"}
    told.enter("p1", {"entry": "experience", "deeds": {"wound": 9}, **because})
    member = told.group("p1").member("m-3")
    assert member is not None
    assert (member.xp, member.level, member.advances) == (10, 3, 3)
    undo = {"entry": "experience_unearned", "amount": -9, **because}
    before = [event.position for event in told.log]
    preview = told.enter("p1", undo, preview=True)
    assert [event["type"] for event in preview.events] == ["ExperienceChanged", "LevelsTakenBack"]
    (group,) = preview.body["moves"]["groups"]
    (moved,) = group["members"]
    assert (moved["member"], moved["xp"], moved["level"], moved["advances"]) == (
        "m-3",
        *({"before": 10, "after": 1}, {"before": 3, "after": 0}, {"before": 3, "after": 0}),
    )
    assert group["balances"]["rating"]["before"] - group["balances"]["rating"]["after"] == 9
    assert [event.position for event in told.log] == before
    answer = told.enter("p1", undo)
    assert answer.types == ["ExperienceChanged", "LevelsTakenBack"]
    member = told.group("p1").member("m-3")
    assert member is not None
    assert (member.xp, member.level, member.advances) == (1, 0, 0)
    assert (
        told.enter("p1", {"entry": "experience_unearned", "amount": -2, **because}, preview=True).code
        == "choice-refused"
    )
    sources = ("registration", "pairing", "scoring")
    found = decided_again({source: told.club.log(told.id, source) for source in sources}, "scoring")
    assert [failure for failure in found if failure.code == "decision"] == []


@pytest.mark.clause("FS-REP-5")
@pytest.mark.parametrize("late_one", [False, True])
def test_shown_facts_of_a_game_can_be_sent_back(games: Any, late_one: bool) -> None:
    told = ready(games, "brotherhood_of_steel", "vault_residents", goods={"p1": [["laser_pistol"]]})
    drug = given(told, "p1", ("jet", "m-1"))[0]
    dose = {"item": drug, "roll": roll(3)}
    down = {"m-2": {"down": "rival", "by": "m-1", "melee": True}}
    deeds = ({"m-1": {"wounds": 1, "models": 1, "kills": 1, "took": ["m-2"], "doses": [dose]}}, down)
    assert told.report("r1g1", lines=((1, 2), ()), deeds=deeds).status == 201
    if late_one:
        told.finish("p1", "p2")
    shown = told.get("/games/r1g1").body["facts"]
    assert shown["report"]["sides"][0]["objective"] == 1
    answer = told.correct("r1g1", shown)
    assert (answer.status, answer.types) == (201, [])
    shown["report"]["sides"][1] |= {"lines": [3], "vp": 3}
    answer = told.correct("r1g1", shown)
    assert answer.types[0] == "ResultCorrected", answer
    assert told.get("/games/r1g1").body["facts"] == shown
    shown["report"]["sides"][0] |= {"objective": 2, "evil": True}
    assert wrong(told.correct("r1g1", shown)) == [("/sides/0/objective", "FS-GAM-5"), ("/sides/0/evil", "FS-GAM-4")]


def test_shown_facts_of_a_no_show_can_be_sent_back(told: Games) -> None:
    told.say_result("r1g1", NO_SHOW)
    shown = told.get("/games/r1g1").body["facts"]
    answer = told.correct("r1g1", shown)
    assert (answer.status, answer.types) == (201, [])


@pytest.mark.clause("FS-AUD-2")
@pytest.mark.parametrize(
    ("by", "amount", "code"),
    [("organiser", 2, ""), ("organiser", -5000, "decision"), ("player", 2, "authority"), ("referee", 2, "authority")],
)
def test_the_audit_finds_a_forbidden_entry(told: Games, by: str, amount: int, code: str) -> None:
    """An audit applies the rules of the command to an event that was written into the log."""
    told.report("r1g1")
    told.finish("p1", "p2")
    assert told.enter("p1", {"entry": "caps", "amount": 1, "reason": "so ruled", "clause": "FS-REP-5"}).status == 201
    logs = {source: told.club.log(told.id, source) for source in ("registration", "pairing", "scoring")}
    entered = logs["scoring"][-1]
    record, data = json.loads(entered.command), json.loads(entered.data)
    record["data"]["entries"][0]["amount"] = data["amount"] = amount
    actor = entered.actor if by == "organiser" else actor_json(Actor("p1", by))
    members = {"data": canonical_json(data), "command": canonical_json(record), "actor": actor}
    forged = {**logs, "scoring": rechained(logs["scoring"], {entered.position: members})}
    found = {failure.code for failure in failures(forged) if failure.event == entered.id}
    assert code in found if code else not found
