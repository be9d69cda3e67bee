"""Corrections of everything that a group has, entered in the ledger after its phase."""

from __future__ import annotations

import pytest

from shared.campaign.group import group_rating
from shared.campaign.state import CAMPAIGN, rules_at
from tests.campaign.services.conftest import NewGames
from tests.campaign.services.games_story import Games, ready, wrong
from tests.services.story import Json

BECAUSE: Json = {"reason": "the wrong line", "clause": "FS-REP-5"}


@pytest.fixture
def over(games: NewGames) -> Games:
    """A campaign after its first round."""
    told = ready(games, "raiders", "raiders")
    told.report("r1g1")
    told.finish("p1", "p2")
    return told


def entry(kind: str, **more: object) -> Json:
    return {"entry": kind, **more, **BECAUSE}


def history(told: Games, member: str) -> list[Json]:
    """Return what a member's history says of corrections: what, and why."""
    items = told.get(f"/groups/p1/members/{member}/history").body["items"]
    return [
        {"type": item["type"], "why": item["data"].get("reason") if "entry" in item["data"] else item["data"]["ruling"]}
        for item in items
        if "entry" in item["data"] or item["data"].get("ruling")
    ]


@pytest.mark.clause("FS-REP-5", "FS-INJ-1", "FS-ADV-1", "FS-PRK-1", "FS-RAD-1")
def test_a_member_is_corrected_and_its_history_says_why(over: Games) -> None:
    answer = over.enter(
        "p1",
        entry("injury_gained", member="m-2", injury="Eye wound"),
        entry("advancement_gained", member="m-2", advancement="S"),
        entry("advancement_gained", member="m-2", advancement="explorer"),
        entry("rads", member="m-2", amount=3),
    )
    assert answer.status == 201, answer
    member = over.group("p1").member("m-2")
    assert member is not None
    assert (member.injuries, member.raised["S"], member.rads) == (("eye_wound",), 1, 3)
    assert ([perk.perk for perk in member.perks], member.gained) == (["explorer"], ("S", "explorer"))
    back = over.enter(
        "p1",
        entry("injury_lost", member="m-2", injury="eye_wound"),
        entry("advancement_lost", member="m-2", advancement="Explorer"),
        entry("advancement_lost", member="m-2", advancement="S"),
        entry("rads", member="m-2", amount=-3),
    )
    assert back.status == 201, back
    member = over.group("p1").member("m-2")
    assert member is not None
    assert (member.injuries, member.raised, member.perks, member.gained, member.rads) == ((), {}, (), (), 0)
    assert history(over, "m-2") == [{"type": "MemberCorrected", "why": "the wrong line"}] * 8


@pytest.mark.clause("FS-REP-5", "FS-PGP-6", "FS-LDR-1")
def test_a_death_is_entered_and_undone(over: Games) -> None:
    before = over.group("p1").member("m-2")
    assert over.enter("p1", entry("death", member="m-2")).types[0] == "MemberRemoved"
    assert over.group("p1").member("m-2") is None
    assert over.enter("p1", entry("death_undone", member="m-2")).types[0] == "MemberCorrected"
    assert over.group("p1").member("m-2") == before
    assert [one["type"] for one in history(over, "m-2")] == ["MemberRemoved", "MemberCorrected"]
    leader = over.group("p1").leader
    assert over.enter("p1", entry("death", member=leader)).status == 201
    assert over.group("p1").leader not in ("", leader)


@pytest.mark.clause("FS-REP-5", "FS-REC-4", "FS-GRP-13")
def test_a_wrong_recruit_is_replaced(over: Games) -> None:
    over.enter("p1", entry("member_gained", rank="green", name="Ana"))
    ana = over.group("p1").members[-1]
    assert (ana.name, ana.rank) == ("Ana", "green")
    over.enter("p1", entry("member_lost", member=ana.id), entry("member_gained", rank="experienced", name="Ana"))
    other = over.group("p1").members[-1]
    assert (other.rank, other.id != ana.id, over.group("p1").member(ana.id)) == ("experienced", True, None)


@pytest.mark.clause("FS-REP-5", "FS-TRF-1")
def test_a_wrong_turf_is_replaced(over: Games) -> None:
    held = over.group("p1").turfs
    answer = over.enter("p1", entry("turf_lost", turf=held[0].id), entry("turf_gained", turf="Hotel"))
    assert answer.types[:2] == ["TurfLost", "TurfGained"]
    assert [event["data"]["ruling"] for event in answer.events[:2]] == ["the wrong line"] * 2
    turfs = over.group("p1").turfs
    assert (turfs[:-1], turfs[-1].turf) == (held[1:], "hotel")


@pytest.mark.clause("FS-REP-5", "FS-RAT-3", "FS-LGE-2")
def test_the_preview_shows_rating_and_table(over: Games) -> None:
    gifts = [entry("turf_gained", turf="Hotel")] * 9
    shown = over.enter("p2", *gifts, preview=True)
    assert shown.status == 200, shown
    rating = shown.body["moves"]["groups"][0]["balances"]["rating"]
    answer = over.enter("p2", *gifts)
    assert answer.types[9:] == ["GroupRatingFinalised", "StandingsRecorded"]
    group = over.group("p2")
    assert rating["after"] == group.rating == group_rating(rules_at(over.state.entries, 1), group)
    assert CAMPAIGN.of(over.state).ratings[1]["p2"] == rating["after"]
    assert f"/{rating['after']}/" in next(line for line in over.table() if " p2 " in line)


@pytest.mark.clause("FS-REP-5")
@pytest.mark.parametrize(
    ("wrong_entry", "where"),
    [
        ({"entry": "injury_gained", "member": "m-2", "injury": "a cold"}, "injury"),
        ({"entry": "injury_gained", "member": "m-2"}, "injury"),
        ({"entry": "injury_lost", "member": "m-2", "injury": "eye_wound"}, "injury"),
        ({"entry": "injury_gained", "member": "m-99", "injury": "eye_wound"}, "member"),
        ({"entry": "death", "member": "m-99"}, "member"),
        ({"entry": "death_undone", "member": "m-2"}, "member"),
        ({"entry": "death_undone", "member": "m-99"}, "member"),
        ({"entry": "member_gained", "rank": "king"}, "rank"),
        ({"entry": "member_lost"}, "member"),
        ({"entry": "advancement_gained", "member": "m-2", "advancement": "X"}, "advancement"),
        ({"entry": "advancement_lost", "member": "m-2", "advancement": "S"}, "advancement"),
        ({"entry": "rads", "member": "m-2"}, "amount"),
        ({"entry": "rads", "member": "m-2", "amount": -1}, "amount"),
        ({"entry": "rads", "member": "m-2", "amount": 1000}, "amount"),
        ({"entry": "turf_gained", "turf": "a castle"}, "turf"),
        ({"entry": "turf_lost", "turf": "t-999"}, "turf"),
    ],
)
def test_impossible_corrections_are_refused_whole(over: Games, wrong_entry: Json, where: str) -> None:
    heads = len(over.log)
    answer = over.enter("p1", entry("caps", amount=1), {**wrong_entry, **BECAUSE})
    assert (answer.code, [at for at, _ in wrong(answer)]) == ("choice-refused", [f"/entries/1/{where}"])
    assert len(over.log) == heads
