"""Reports of games of three and more groups: permissions, preparation, refusals, no-shows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.campaign.services.conftest import NewGames
from tests.campaign.services.games_story import BOTH_AWAY, Games, roll, wrong
from tests.campaign.services.sides_story import Sides, seat_in_sides
from tests.services.story import Json

THREE: Sides = [["p1"], ["p2"], ["p3"]]
TWO: Sides = [["p1", "p2"], ["p3", "p4"]]
FORCES = ("raiders", "vault_residents", "raiders", "vault_residents")
NOTHING = ({}, {}, {}, {})


def away(place: int) -> Json:
    return {"kind": "no_show", "conceded_by": place}


def in_sides(games: NewGames, sides: Sides, *forces: str, **more: Any) -> Games:
    """Return a campaign with these sides in r1g1."""
    told = games(*(forces or FORCES[: sum(map(len, sides))]), paired=None, **more)
    told.paired_as(1, seat_in_sides("r1g1", sides))
    return told


def ready(games: NewGames, sides: Sides, *forces: str, **more: Any) -> Games:
    """Return the same with all preparation recorded."""
    told = in_sides(games, sides, *forces, **more)
    for group in told.players("r1g1"):
        assert told.muster("r1g1", group).status == 201
    while due := told.due("r1g1"):
        _, _, group, what, *_ = due[0].split("/")
        assert told.post(f"/games/r1g1/{what}", {"group": group}).status == 201
    return told


def report(told: Games, lines: Any, by: str = "organiser", deeds: Any = NOTHING, sides: Any = NOTHING) -> Any:
    number = len(told.players("r1g1"))
    return told.report("r1g1", by=by, lines=lines, deeds=deeds[:number], sides=sides[:number])


def endings(told: Games) -> list[str]:
    phases = [told.group(id).phase for id in told.players("r1g1")]
    return [phase.played.ending for phase in phases if phase]


@pytest.mark.clause("FS-REP-5")
def test_a_report_of_a_game_of_three_waits_for_another_group(games: NewGames) -> None:
    told = ready(games, THREE)
    assert report(told, ((1,), (2,), ()), by="p2").types == ["ResultReported"]
    assert told.get("/games/r1g1").body["reported_by"] == "p2"
    assert told.confirm("r1g1", by="p2").code == "own-report"
    assert told.confirm("r1g1", by="p4").code == "forbidden"
    answer = told.confirm("r1g1", by="p3")
    assert answer.types == ["ResultConfirmed", "DieRolled", "GameEnded", *["PostGameOpened"] * 3]
    assert answer.events[0]["data"]["side"] == 3
    assert endings(told) == ["loss", "win", "loss"]
    assert told.dispute("r1g1", by="p1").types[0] == "ResultDisputed"


@pytest.mark.clause("FS-REP-5")
def test_an_ally_cannot_confirm_a_report(games: NewGames) -> None:
    told = ready(games, TWO)
    lines = ((1,), (2,), (), (1,))
    report(told, lines, by="p1")
    assert report(told, lines, by="p2").events == []
    assert told.confirm("r1g1", by="p2").code == "own-report"
    assert report(told, lines, by="p4").types[0] == "ResultConfirmed"
    assert endings(told) == ["win", "win", "loss", "loss"]


@pytest.mark.clause("FS-LGE-1", "FS-AMB-55")
def test_a_no_show_is_reported_by_place_and_gives_others_a_bye(games: NewGames) -> None:
    told = in_sides(games, THREE)
    assert told.say_result("r1g1", away(3)).types[-3:] == ["PostGameOpened"] * 3
    assert (endings(told), told.points()) == (["bye", "bye", "no_show"], {"p1": 3, "p2": 3, "p3": 0})
    assert told.void("r1g1").types == ["ResultVoided", *["GroupRestored"] * 3]
    assert told.say_result("r1g1", BOTH_AWAY).types[-3:] == ["PostGameOpened"] * 3
    assert (endings(told), told.points()) == (["no_show"] * 3, {"p1": 0, "p2": 0, "p3": 0})


@pytest.mark.clause("FS-LGE-1")
@pytest.mark.parametrize(("sides", "place"), [(THREE, 4), ([["p1"], ["p2"]], 3)])
def test_a_no_show_must_be_a_group_of_the_game(games: NewGames, sides: Sides, place: int) -> None:
    told = in_sides(games, sides)
    assert wrong(told.say_result("r1g1", away(place))) == [("/facts/conceded_by", "FS-LGE-1")]


@pytest.mark.clause("FS-GAM-1", "FS-GAM-5", "FS-REP-1")
def test_a_game_in_sides_waits_for_all_preparation(games: NewGames) -> None:
    told = in_sides(games, THREE)
    for group in ("p1", "p2"):
        told.muster("r1g1", group)
        told.objective("r1g1", group, roll(1, by=group, seen="p3"))
    assert told.due("r1g1") == ["/groups/p3/fielded"]
    told.muster("r1g1", "p3", by="p3")
    assert told.objective("r1g1", "p3", roll(1, by="p3", seen="p4"), by="p3").code == "dice-refused"
    assert told.objective("r1g1", "p3", roll(1, by="p3", seen="p2"), by="p3").status == 201
    assert told.due("r1g1") == []
    two = told.told("r1g1", lines=((), (), ()), deeds=({}, {}, {}), sides=({}, {}, {}))
    missing = {**two, "sides": two["sides"][:2]}
    assert wrong(told.say_result("r1g1", {"kind": "game", "report": missing})) == [("/sides", "FS-REP-1")]
    turned = {**two, "sides": two["sides"][::-1]}
    assert told.say_result("r1g1", {"kind": "game", "report": turned}).status == 201
    kept = told.of("ResultReported")[0]["facts"]["report"]["sides"]
    assert [side["group"] for side in kept] == ["p1", "p2", "p3"]


@pytest.mark.clause("FS-AUD-1")
def test_dice_need_a_witness_of_the_game(games: NewGames) -> None:
    told = ready(games, TWO)
    facts = told.told("r1g1", lines=((), (), (), ()), deeds=NOTHING, sides=NOTHING)
    for by, seen, code in (("p2", "p5", "dice-refused"), ("p2", "p4", "")):
        made = {"kind": "game", "report": {**facts, "end_roll": roll(12, by=by, seen=seen)}}
        assert told.say_result("r1g1", made, by="p2").code == code


@pytest.mark.clause("FS-AUD-1")
def test_a_die_waits_for_the_named_witness(games: NewGames) -> None:
    told = in_sides(games, TWO)
    told.muster("r1g1", "p1", by="p1")
    told.objective("r1g1", "p1", roll(1, by="p1", seen="p4"), by="p1")
    (die,) = told.get("/dice?standing=unconfirmed").body["items"]
    assert die["waits_for"] == "p4"
    for other in ("p2", "p3"):
        assert told.post("/dice/confirmation", {"rolls": [die["id"]]}, by=other).code == "not-your-dice"
    assert told.post("/dice/confirmation", {"rolls": [die["id"]]}, by="p4").types == ["DiceConfirmed"]


@pytest.mark.clause("FS-GAM-4", "FS-GAM-3")
def test_each_judged_rival_needs_a_die(games: NewGames) -> None:
    told = in_sides(games, [["p1"], ["p2", "p3"]], "regulators", "wasteland_survivors", "wasteland_survivors")
    for group in ("p1", "p2", "p3"):
        told.muster("r1g1", group)
        told.objective("r1g1", group, roll(1, by=group, seen="p1" if group != "p1" else "p2"))
    assert told.due("r1g1") == ["/groups/p1/evil"] * 2
    second = {"group": "p1", "rival": "p3", "roll": roll(12)}
    assert told.post("/games/r1g1/evil", second).events[1]["data"]["rival"] == "p3"
    assert told.post("/games/r1g1/evil", second).code == "already-rolled"
    assert told.post("/games/r1g1/evil", {"group": "p1", "rival": "p1"}).code == "group-unknown"
    assert told.evil("r1g1", "p1", roll(2)).events[1]["data"]["rival"] == "p2"
    assert told.evil("r1g1", "p1", roll(2)).code == "already-rolled"
    assert told.evil("r1g1", "p2", roll(2)).code == "choice-refused"
    side = told.get("/games/r1g1").body["sides"][0]
    assert (side["judged"], side["judged_rival_evil"], side["rivals"]) == (
        {"p2": True, "p3": False},
        True,
        ["p2", "p3"],
    )
    report(told, ((), (), ()))
    sides = told.of("ResultReported")[0]["facts"]["report"]["sides"]
    assert [side.get("evil", False) for side in sides] == [False, True, False]
    facts = told.get("/games/r1g1").body["facts"]
    assert told.correct("r1g1", facts).events == []


@pytest.mark.clause("FS-REP-2", "FS-REP-4")
def test_an_unknown_rival_is_refused_with_its_place(games: NewGames) -> None:
    told = ready(games, THREE)
    killer = {"m-1": {"wounds": 1, "models": 1, "kills": 1, "took": ["m-2"]}}
    taken = {"m-2": {"down": "rival", "by": "p1/m-1"}}
    answer = report(told, ((), (), ()), deeds=(killer, taken, {}, {}))
    assert wrong(answer) == [("/sides/0/members/0/took", "FS-REP-4"), ("/sides/1/members/1/by", "FS-REP-4")]
    assert "p2/m-1" in answer.faults[0]["expected"]
    killer["m-1"]["took"] = ["p2 m-2"]
    assert report(told, ((), (), ()), deeds=(killer, taken, {}, {})).code == "invalid-request"
    killer["m-1"]["took"] = ["p2/m-2"]
    assert report(told, ((), (), ()), deeds=(killer, taken, {}, {})).status == 201


@pytest.mark.clause("FS-REP-5", "FS-GAM-9")
def test_a_correction_restores_all_groups_of_a_game(games: NewGames) -> None:
    told = ready(games, TWO)
    report(told, ((5,), (), (), ()))
    told.until("2", "p1", "p4")
    facts = told.get("/games/r1g1").body["facts"]
    facts["report"]["sides"][3].update(lines=[5, 3], vp=8)
    assert told.correct("r1g1", facts).types.count("GroupRestored") == 4
    assert endings(told) == ["loss", "loss", "win", "win"]
    told.until("3", "p2")
    assert told.void("r1g1").code == "step-refused"
    entry = {"entry": "caps", "amount": 7, "reason": "found under the table", "clause": "FS-REP-3"}
    assert told.enter("p1", entry).status == 201  # an ally's step 2 is closed: the game can no longer be voided
    facts["report"]["sides"][3].update(lines=[], vp=0)
    assert told.correct("r1g1", facts).types == ["ResultCorrected"]
    assert told.points() == {"p1": 3, "p2": 3, "p3": 0, "p4": 0}


@pytest.mark.clause("FS-GAM-11", "FS-AMB-48")
def test_a_conceding_group_loses_while_its_side_wins(games: NewGames) -> None:
    told = ready(games, TWO)
    report(told, ((5,), (), (4,), ()), sides=({"conceded": True}, {}, {}, {}))
    assert endings(told) == ["loss", "win", "loss", "loss"]
    assert told.points() == {"p1": 0, "p2": 3, "p3": 0, "p4": 0}
    phase = told.group("p1").phase
    assert phase is not None
    assert not phase.played.reward


@pytest.mark.clause("FS-AMB-33")
def test_a_winner_takes_a_turf_of_one_loser(games: NewGames) -> None:
    told = ready(games, THREE, options={"turf__gain": "winner_takes_losers"})
    report(told, ((5,), (), ()))
    told.until("1b", "p1")
    asked = told.get("/groups/p1/post-game").body["choices"]
    turfs = [choice["of"]["turf"] for choice in asked if choice["does"] == "take_turf"]
    assert len(turfs) == 6
    owned = told.group("p3").turfs[1]
    assert f"p3/{owned.id}" in turfs
    answer = told.post("/groups/p1/choices", {"does": "take_turf", "of": {"turf": f"p3/{owned.id}"}}, by="p1")
    assert answer.types == ["TurfGained", "TurfLost"]
    assert (len(told.group("p1").turfs), len(told.group("p3").turfs)) == (4, 2)
    assert answer.events[0]["data"]["turf"]["turf"] == owned.turf


@pytest.mark.clause("FS-AMB-4", "FS-INJ-1")
def test_injuries_at_the_table_are_rolled_for_all_groups(games: NewGames) -> None:
    told = ready(games, THREE, options={"injury__roll_time": "at_table"})
    taken = {"m-4": {"down": "fire"}}
    assert wrong(report(told, ((), (), ()), deeds=({}, {}, taken, {}))) == [("/sides/2/members/3/injury", "FS-AMB-4")]
    taken["m-4"]["injury"] = roll(12, 12, by="p3", seen="p2")
    assert report(told, ((), (), ()), deeds=({}, {}, taken, {})).status == 201
    assert [data["member"] for data in told.of("InjuryRolled")] == ["m-4"]
