"""Games of a campaign over HTTP: reported, refused, agreed on, taken back, and what they bring about."""

from __future__ import annotations

from typing import Any

import pytest

from shared.events.registration import PlayerDropped
from tests.campaign.services.conftest import NewGames
from tests.campaign.services.games_story import Games, roll, wrong
from tests.services.story import Answer, Json

NO_SHOW: Json = {"kind": "no_show", "conceded_by": 2}
BOTH_AWAY: Json = {"kind": "double_no_show"}


@pytest.fixture
def told(games: NewGames) -> Games:
    """Brotherhood of Steel against Vault Residents, who are ready to play."""
    made = games("brotherhood_of_steel", "vault_residents")
    made.ready("r1g1", 1, 2)
    return made


def ready(games: NewGames, *forces: str, **more: Any) -> Games:
    """Two forces that are ready to play."""
    made = games(*forces, **more)
    made.ready("r1g1")
    return made


def endings(told: Games) -> list[str]:
    """How the game ended for each side, as their phases say it."""
    phases = [told.group(id).phase for id in ("p1", "p2")]
    return [phase.played.ending for phase in phases if phase]


@pytest.mark.clause("FS-REP-5", "FS-RND-1", "FS-GAM-8", "FS-AUD-1")
def test_a_players_report_waits_for_the_opponents_word(told: Games) -> None:
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
    }


@pytest.mark.clause("FS-REP-5")
def test_the_same_report_by_the_opponent_confirms_and_the_staffs_binds_at_once(told: Games, games: NewGames) -> None:
    told.report("r1g1", by="p1")
    assert told.report("r1g1", by="p1").events == []
    assert told.report("r1g1", by="p2").types[0] == "ResultConfirmed"
    other = ready(games, "raiders", "raiders")
    assert other.report("r1g1").types[:2] == ["ResultReported", "ResultConfirmed"]
    assert other.step("p1") == "1"


@pytest.mark.clause("FS-REP-1", "FS-GAM-5", "FS-GAM-4")
def test_the_service_fills_in_what_it_knows_already(games: NewGames) -> None:
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


@pytest.mark.clause("FS-XP-3", "FS-GAM-4")
def test_nobody_takes_out_evil_enemies_where_the_rival_was_not_judged_evil(games: NewGames) -> None:
    told = games("regulators", "wasteland_survivors")
    for group in ("p1", "p2"):
        told.muster("r1g1", group)
        told.objective("r1g1", group, roll(1))
    told.evil("r1g1", "p1", roll(9))
    deeds = (
        {"m-1": {"wounds": 1, "kills": 1, "took": ["m-3"], "evil": 1}},
        {"m-3": {"down": "rival", "by": "m-1", "melee": True}},
    )
    assert wrong(told.report("r1g1", deeds=deeds)) == [("/sides/0/members/0/evil", "FS-XP-3")]


@pytest.mark.clause("FS-REP-1")
def test_sides_may_be_told_in_either_order(told: Games) -> None:
    report = told.told("r1g1")
    report["sides"].reverse()
    assert told.say_result("r1g1", {"kind": "game", "report": report}).status == 201
    assert [side["group"] for side in told.of("ResultReported")[0]["facts"]["report"]["sides"]] == ["p1", "p2"]
    assert endings(told) == ["win", "loss"]


ONE_MORE = {"m-1": {"wounds": 1, "kills": 2}}
IMPOSSIBLE: dict[str, tuple[Json, list[tuple[str, str]]]] = {
    "both claim one marker": ({"lines": ((1,), (5,))}, [("/sides/0/lines", "FS-REP-4")]),
    "points that do not add up": ({"sides": ({"vp": 4}, {})}, [("/sides/0/vp", "FS-REP-4")]),
    "a sixth line": ({"lines": ((6,), ())}, [("/sides/0/lines", "FS-REP-4")]),
    "a line twice": ({"lines": ((2, 2), ())}, [("/sides/0/lines", "FS-REP-4")]),
    "more kills than wounds": ({"deeds": (ONE_MORE, {})}, [("/sides/0/members/0/kills", "FS-REP-4")]),
    "down without a cause": (
        {"deeds": ({"m-2": {"down": "rival"}}, {})},
        [("/sides/0/members/1/by", "FS-REP-4")],
    ),
    "removed by a fall": (
        {"deeds": ({"m-2": {"down": "fall", "removed": True}}, {})},
        [("/sides/0/members/1/removed", "FS-INJ-4")],
    ),
    "loot that does not exist": ({"sides": ({"loot": ["crown"]}, {})}, [("/sides/0/loot/0", "FS-REP-3")]),
    "a die that does not end it": (
        {"last_turn": 5, "end_roll": roll(3)},
        [("/end_roll", "FS-GAM-8")],
    ),
    "an end before turn five": ({"last_turn": 4}, [("/end_roll", "FS-GAM-8")]),
    "no die at the end": ({"end_roll": None}, [("/end_roll", "FS-REP-1")]),
    "a die of thirteen": ({"end_roll": roll(13)}, [("/end_roll/dice/0/natural", "FS-DICE-1")]),
    "a D6 at the end": ({"end_roll": roll(6, sides=6)}, [("/end_roll/dice/0/sides", "FS-DICE-1")]),
    "a dose that nobody carried": (
        {"deeds": ({"m-1": {"doses": [{"item": "i-99", "roll": roll(3)}]}}, {})},
        [("/sides/0/members/0/doses/0/item", "FS-ADD-1")],
    ),
    "something used that nobody carried": (
        {"deeds": ({"m-1": {"used": ["i-99"]}}, {})},
        [("/sides/0/members/0/used/0", "FS-ITM-2")],
    ),
    "an injury roll that is not made at the table": (
        {"deeds": ({"m-1": {"down": "fall", "injury": roll(4, 4)}}, {})},
        [("/sides/0/members/0/injury", "FS-AMB-4")],
    ),
}


@pytest.mark.clause("FS-REP-2", "FS-REP-3", "FS-REP-4", "FS-GAM-6", "FS-GAM-8", "FS-ADD-1", "FS-INJ-4")
@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_reports_that_cannot_be(told: Games, case: str) -> None:
    said, expected = IMPOSSIBLE[case]
    answer = told.report("r1g1", by="p1", **said)
    assert (answer.status, answer.code) == (422, "game-report-refused")
    assert wrong(answer) == expected


@pytest.mark.clause("FS-REP-4", "FS-REP-2")
def test_every_mustered_member_is_named_and_nobody_else(games: NewGames) -> None:
    told = games("brotherhood_of_steel", "vault_residents")
    for group in ("p1", "p2"):
        told.muster("r1g1", group, "m-1", "m-3")
        told.objective("r1g1", group, roll(1))
    report = told.told("r1g1")
    report["sides"][0]["members"][1] = {"member": "m-2"}
    answer = told.say_result("r1g1", {"kind": "game", "report": report}, by="p1")
    assert wrong(answer) == [("/sides/0/members/1/member", "FS-REP-4"), ("/sides/0/members", "FS-REP-2")]
    assert {event.type for event in told.log}.isdisjoint({"ResultReported", "PostGameOpened"})


@pytest.mark.clause("FS-AUD-1")
@pytest.mark.parametrize(
    ("end", "where"),
    [(roll(12, seen="p9"), "witnessed_by"), (roll(12, seen="p1"), "witnessed_by"), (roll(12, by="p3"), "rolled_by")],
)
def test_the_last_die_was_rolled_and_seen_by_people_of_the_game(games: NewGames, end: Json, where: str) -> None:
    told = ready(games, "raiders", "raiders", "raiders")
    answer = told.report("r1g1", end_roll=end)
    assert (answer.code, wrong(answer)) == ("dice-refused", [(f"/end_roll/{where}", "FS-AUD-1")])


def test_who_reports_rolled_the_last_die_where_nobody_else_is_named(told: Games) -> None:
    told.report("r1g1", by="p1", end_roll=roll(12, by="", seen="p2"))
    assert told.confirm("r1g1", by="p2").events[1]["data"]["rolled_by"] == "p1"


@pytest.mark.parametrize(
    ("facts", "where"),
    [
        ({"kind": "game"}, ""),
        ({"kind": "game", "points_1": 3, "points_2": 1}, "/facts/points_1"),
        ({"kind": "no_show"}, "/facts/conceded_by"),
        ({"kind": "double_no_show", "conceded_by": 1}, "/facts/conceded_by"),
        ({"kind": "forfeit", "conceded_by": 1}, "/facts/kind"),
    ],
)
def test_facts_of_another_kind(told: Games, facts: Json, where: str) -> None:
    answer = told.say_result("r1g1", facts)
    assert answer.code == "game-report-refused"
    assert wrong(answer)[0][0] == where


def test_a_report_of_strangers(told: Games) -> None:
    report = told.told("r1g1")
    report["sides"][1]["group"] = "p9"
    answer = told.say_result("r1g1", {"kind": "game", "report": report})
    assert wrong(answer) == [("/sides", "FS-REP-1")]
    report["objective"] = 3
    assert told.say_result("r1g1", {"kind": "game", "report": report}).code == "invalid-request"


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
def test_who_wins_and_who_may_claim_a_reward(told: Games, lines: Any, ended: list[str], rewards: list[bool]) -> None:
    assert told.report("r1g1", lines=lines).status == 201
    assert endings(told) == ended
    assert [told.group(id).phase.played.reward for id in ("p1", "p2")] == rewards  # type: ignore[union-attr]


@pytest.mark.clause("FS-GAM-9", "FS-REP-2", "FS-GRP-5")
def test_a_side_that_was_wiped_out_may_still_win(told: Games) -> None:
    all_down = {f"m-{n}": {"down": "fire"} for n in range(1, 5)}
    told.report("r1g1", deeds=(all_down, {}), lines=((4,), (1,)))
    assert endings(told) == ["win", "loss"]
    assert told.group("p1").phase.injured == ("m-1", "m-2", "m-3", "m-4")  # type: ignore[union-attr]


@pytest.mark.clause("FS-INJ-4", "FS-AMB-54")
def test_a_group_whose_members_all_died_in_the_game_is_out_and_nobody_waits_for_it(told: Games) -> None:
    gone = {f"m-{n}": {"down": "terrain", "removed": True} for n in range(1, 5)}
    answer = told.report("r1g1", deeds=(gone, {}))
    assert answer.types.count("MemberRemoved") == 4
    assert told.group("p1").members == ()
    told.finish("p2")
    assert told.of("RoundClosed")


@pytest.mark.clause("FS-GAM-11", "FS-AMB-48")
def test_a_concession_loses_whatever_the_points(told: Games) -> None:
    report = {"sides": ({"conceded": True}, {}), "last_turn": 2, "end_roll": None}
    answer = told.report("r1g1", lines=((5,), ()), **report)
    assert answer.types == ["ResultReported", "ResultConfirmed", "PostGameOpened", "PostGameOpened"]
    assert endings(told) == ["loss", "win"]
    assert told.points() == {"p1": 0, "p2": 3}


@pytest.mark.clause("FS-GAM-11")
@pytest.mark.parametrize(
    ("forces", "present", "refused"),
    [
        (("brotherhood_of_steel", "raiders"), ["high_tech_in_play"], True),
        (("brotherhood_of_steel", "raiders"), [], False),
        (("enclave", "raiders"), ["mutated_present"], True),
        (("enclave", "raiders"), ["high_tech_in_play"], False),
        (("regulators", "talon_company"), [], True),
        (("regulators", "raiders"), [], False),
    ],
)
def test_forces_that_do_not_concede(
    games: NewGames, forces: tuple[str, str], present: list[str], refused: bool
) -> None:
    told = ready(games, *forces)
    answer = told.report("r1g1", sides=({"conceded": True}, {}), last_turn=2, end_roll=None, present=present)
    assert answer.status == (422 if refused else 201)
    if refused:
        assert wrong(answer) == [("/sides/0/conceded", "FS-GAM-11")]


@pytest.mark.clause("FS-GAM-11", "FS-GAM-4")
def test_regulators_do_not_concede_to_whom_they_judged_evil(games: NewGames) -> None:
    told = games("regulators", "wasteland_survivors")
    for group in ("p1", "p2"):
        told.muster("r1g1", group)
        told.objective("r1g1", group, roll(1))
    told.evil("r1g1", "p1", roll(4))
    answer = told.report("r1g1", sides=({"conceded": True}, {}), last_turn=2, end_roll=None)
    assert wrong(answer) == [("/sides/0/conceded", "FS-GAM-11")]


@pytest.mark.clause("FS-AMB-48", "FS-GAM-11")
def test_the_organiser_may_forbid_to_concede(games: NewGames) -> None:
    told = ready(games, "raiders", "raiders", options={"game__concession": "forbidden"})
    answer = told.report("r1g1", sides=({"conceded": True}, {}), last_turn=2, end_roll=None)
    assert wrong(answer) == [("/sides/0/conceded", "FS-AMB-48")]


@pytest.mark.clause("FS-AMB-47", "FS-REP-4")
def test_lines_by_absolute_numbers(games: NewGames) -> None:
    told = ready(games, "raiders", "raiders", options={"vp__line_numbering": "absolute"})
    assert wrong(told.report("r1g1", lines=((1,), (1,)))) == [("/sides/0/lines", "FS-REP-4")]
    assert told.report("r1g1", lines=((1,), (5,))).status == 201


@pytest.mark.clause("FS-ADD-1", "FS-ITM-2", "FS-AUD-1")
def test_doses_are_used_up_and_each_is_checked(games: NewGames) -> None:
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


def given(told: Games, group: str, *goods: tuple[str, str]) -> list[str]:
    """Goods that members of a group have; as scoring's log says it. Returns the items."""
    from msgspec.structs import replace

    from shared.events.campaign import event_of
    from shared.rules.campaign.outcomes import GroupRestored
    from shared.rules.campaign.roster import Item

    known = told.group(group)
    items = [Item(f"i-{100 + n}", good, holder, found=True) for n, (good, holder) in enumerate(goods)]
    made = replace(known, items=(*known.items, *items), serial=200)
    told.say("scoring", event_of(GroupRestored(made, "told"), group, 1, "told"))
    return [item.id for item in items]


@pytest.mark.clause("FS-GAM-3")
def test_a_jammed_weapon_counts_as_not_carried(games: NewGames) -> None:
    told = games("raiders", "vault_residents")
    told.muster("r1g1", "p1")
    told.muster("r1g1", "p2")
    [launcher] = given(told, "p1", ("dart_gun", "m-1"))
    state = told.jams("r1g1", "p1", launcher, roll(12))
    assert state.events[1]["data"]["jammed"] is True
    for group in ("p1", "p2"):
        told.objective("r1g1", group, roll(1))
    answer = told.report("r1g1", deeds=({"m-1": {"used": [launcher]}}, {}))
    assert wrong(answer) == [("/sides/0/members/0/used/0", "FS-ITM-2")]


@pytest.mark.clause("FS-AMB-4", "FS-INJ-1")
def test_injuries_that_are_rolled_at_the_table_come_with_the_report(games: NewGames) -> None:
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


@pytest.mark.clause("FS-LGE-1", "FS-AMB-55", "FS-GAM-9")
def test_staff_record_who_did_not_come(games: NewGames) -> None:
    told = games("raiders", "raiders")
    assert told.say_result("r1g1", NO_SHOW, by="p1").code == "staff-only"
    answer = told.say_result("r1g1", NO_SHOW)
    assert answer.types[-2:] == ["PostGameOpened", "PostGameOpened"]
    assert endings(told) == ["bye", "no_show"]
    assert (told.step("p1"), told.step("p2"), told.points()) == ("3", "3", {"p1": 3, "p2": 0})


@pytest.mark.clause("FS-LGE-1", "FS-AMB-55")
@pytest.mark.parametrize(("points", "post_game", "step"), [(1, "from_step_4", "4"), (0, "from_step_3", "3")])
def test_what_a_no_show_gives_is_the_organisers(games: NewGames, points: int, post_game: str, step: str) -> None:
    told = games("raiders", "raiders", options={"bye__league_points": points, "bye__post_game": post_game})
    told.say_result("r1g1", NO_SHOW)
    assert (told.points(), told.step("p1")) == ({"p1": points, "p2": 0}, step)


@pytest.mark.clause("FS-LGE-1", "FS-AMB-55", "FS-RND-1")
def test_a_round_in_which_nobody_played_closes_where_no_phase_follows(games: NewGames) -> None:
    told = games("raiders", "raiders", options={"bye__post_game": "none"})
    answer = told.say_result("r1g1", BOTH_AWAY)
    assert answer.types[-2:] == ["StandingsRecorded", "RoundClosed"]
    assert told.points() == {"p1": 0, "p2": 0}


@pytest.mark.clause("FS-REP-5")
def test_a_result_that_was_no_game_is_voided_while_nothing_was_done_since(games: NewGames) -> None:
    told = games("raiders", "raiders")
    told.say_result("r1g1", NO_SHOW)
    assert told.void("r1g1").types == ["ResultVoided", "GroupRestored", "GroupRestored"]
    told.ready("r1g1")
    assert told.report("r1g1").status == 201
    assert endings(told) == ["win", "loss"]
    other = games("raiders", "raiders")
    other.say_result("r1g1", NO_SHOW)
    other.close_step("p1")
    assert other.void("r1g1").code == "step-refused"


@pytest.mark.clause("FS-REP-5")
def test_a_report_is_voided_and_made_anew_until_step_2_of_either_closes(told: Games) -> None:
    before = told.group("p1"), told.group("p2")
    told.report("r1g1", deeds=({"m-1": {"down": "terrain", "removed": True}}, {}))
    told.until("2", "p1", "p2")
    assert told.group("p1") != before[0]
    answer = told.void("r1g1")
    assert answer.types == ["ResultVoided", "GroupRestored", "GroupRestored"]
    assert (told.group("p1"), told.group("p2")) == before
    assert told.get("/games/r1g1").body["status"] == "open"
    assert told.report("r1g1", by="p1", lines=((), (1,))).status == 201
    told.confirm("r1g1", by="p2")
    assert endings(told) == ["loss", "win"]
    told.until("3", "p2")
    refused = told.void("r1g1")
    assert (refused.code, wrong(refused)) == ("step-refused", [("/groups/p2", "FS-REP-5")])
    assert refused.data["open"] == {"p1": "1", "p2": "3"}


@pytest.mark.clause("FS-REP-5")
def test_a_dispute_takes_back_what_the_result_brought_about(told: Games) -> None:
    before = told.group("p1")
    told.report("r1g1", by="p1")
    told.confirm("r1g1", by="p2")
    assert told.dispute("r1g1", by="p2").types == ["ResultDisputed", "GroupRestored", "GroupRestored"]
    assert told.group("p1") == before
    ruled = told.rule("r1g1", {"kind": "game", "report": told.told("r1g1", lines=((), (2,)))})
    assert ruled.types == ["ResultRuled", "DieRolled", "GameEnded", "PostGameOpened", "PostGameOpened"]
    assert endings(told) == ["loss", "win"]


@pytest.mark.clause("FS-REP-5")
def test_a_ruling_over_a_result_that_binds_begins_the_phases_anew(told: Games) -> None:
    told.report("r1g1", deeds=({"m-1": {"down": "terrain", "removed": True}}, {}))
    assert told.group("p1").member("m-1") is None
    ruled = told.rule("r1g1", {"kind": "game", "report": told.told("r1g1")})
    assert ruled.types[:3] == ["ResultRuled", "GroupRestored", "GroupRestored"]
    assert told.group("p1").member("m-1") is not None


@pytest.mark.clause("FS-REP-5")
def test_a_ruling_is_appealed_and_the_round_waits_for_it(games: NewGames) -> None:
    told = games("raiders", "raiders", staff=("head_referee", "referee"))
    told.ready("r1g1")
    facts = {"kind": "game", "report": told.told("r1g1")}
    assert told.rule("r1g1", facts, by="referee").status == 201
    assert told.post("/games/r1g1/appeal", {"reason": "no"}, by="p2").types == ["RulingAppealed"]
    told.finish("p1", "p2")
    assert not told.of("RoundClosed")
    assert told.post("/rounds/1/close", None, by="head_referee").data["groups"] == ["p1", "p2"]
    rejected = told.post("/games/r1g1/appeal/rejection", {"reason": "it stands"}, by="head_referee")
    assert rejected.types == ["AppealRejected", "StandingsRecorded", "RoundClosed"]


@pytest.mark.clause("FS-REP-5", "FS-LGE-3")
def test_a_correction_plays_on_from_the_right_result_while_that_is_possible(told: Games) -> None:
    told.report("r1g1")
    facts = {"kind": "game", "report": told.told("r1g1", lines=((), (2,)))}
    answer = told.correct("r1g1", facts)
    assert answer.types == [
        *("ResultCorrected", "GroupRestored", "GroupRestored"),
        *("DieRolled", "GameEnded", "PostGameOpened", "PostGameOpened"),
    ]
    assert endings(told) == ["loss", "win"]
    assert told.correct("r1g1", facts).events == []


def late(told: Games, **more: Any) -> Json:
    """A report as it may be once its effects stand: without members."""
    report = told.told("r1g1", **more)
    for side in report["sides"]:
        del side["members"]
    return {"kind": "game", "report": report | {"end_roll": None}}


@pytest.mark.clause("FS-REP-5", "FS-LGE-3")
def test_later_a_correction_moves_the_league_alone(told: Games) -> None:
    told.report("r1g1")
    told.finish("p1", "p2")
    groups = told.state.campaign.groups
    preview = told.correct("r1g1", late(told, lines=((), (2,))), preview=True)
    assert preview.status == 200
    assert preview.body["rounds_recorded_anew"] == [1]
    assert {move["player"]: move["values"]["league_points"] for move in preview.body["moves"]} == {
        "p1": {"before": 3, "after": 0},
        "p2": {"before": 0, "after": 3},
    }
    assert not told.of("ResultCorrected")
    answer = told.correct("r1g1", late(told, lines=((), (2,))))
    assert answer.types == ["ResultCorrected", "StandingsRecorded"]
    assert told.points() == {"p1": 0, "p2": 3}
    assert told.state.campaign.groups == groups


@pytest.mark.clause("FS-REP-5")
@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"deeds": ({"m-1": {"kills": 1, "wounds": 1}}, {})}, "/sides/0/members"),
        ({"sides": ({}, {"slaves": 1})}, "/sides/1/slaves"),
        ({"end_roll": roll(11)}, "/end_roll"),
    ],
)
def test_what_has_had_its_effect_is_not_corrected(told: Games, change: Json, where: str) -> None:
    told.report("r1g1")
    told.until("3", "p1")
    answer = told.correct("r1g1", {"kind": "game", "report": told.told("r1g1", **change)})
    assert wrong(answer) == [(where, "FS-REP-5")]
    assert told.correct("r1g1", late(told, lines=((1,), (5,)))).code == "game-report-refused"


@pytest.mark.clause("FS-REP-5", "FS-PGP-3")
def test_what_a_late_ruling_changes_is_entered_line_by_line(told: Games) -> None:
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
        {"entry": "item_gained", "good": "stimpak", "reason": "loot", "clause": "FS-REP-3"},
        {"entry": "item_lost", "item": before.items[0].id, "reason": "lost", "clause": "FS-PGP-6"},
        {"entry": "experience", "member": "m-3", "amount": 4, "reason": "a kill", "clause": "FS-XP-1"},
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
        ({"entry": "experience", "member": "m-9", "amount": 1}, "choice-refused", "/entries/1/member"),
        ({"entry": "experience", "member": "m-3", "amount": -999}, "choice-refused", "/entries/1/amount"),
    ],
)
def test_entries_that_cannot_be_and_then_none_is_made(told: Games, entry: Json, code: str, where: str) -> None:
    told.report("r1g1")
    told.until("3", "p1")
    because = {"reason": "so ruled", "clause": "FS-REP-5"}
    answer = told.enter("p1", {"entry": "caps", "amount": 1, **because}, {**entry, **because})
    assert (answer.code, [at for at, _ in wrong(answer)]) == (code, [where])


def test_an_entry_says_its_reason_and_clause_and_is_the_organisers(told: Games) -> None:
    told.report("r1g1")
    told.until("3", "p1")
    assert (
        told.enter("p1", {"entry": "caps", "amount": 1, "reason": "", "clause": "FS-REP-5"}).code == "invalid-request"
    )
    assert told.enter("p1", {"entry": "caps", "amount": 1, "reason": "so", "clause": "mine"}).code == "invalid-request"
    entry = {"entry": "caps", "amount": 1, "reason": "so", "clause": "FS-REP-5"}
    assert told.enter("p1", entry, by="p1").code == "forbidden"
    assert told.enter("p9", entry).code == "group-unknown"


@pytest.mark.clause("FS-RND-4", "FS-LGE-1")
def test_a_withdrawal_before_the_game_is_recorded_as_nobody_coming(games: NewGames) -> None:
    told = games("raiders", "raiders")
    told.say("registration", PlayerDropped(player="p2", after_round=0, reason="moved away"))
    told.say_result("r1g1", NO_SHOW)
    told.finish("p1")
    assert told.of("RoundClosed")
    assert [row["status"] for row in told.get("/standings").body["rows"]] == ["active", "dropped"]


def test_a_report_repeated_with_its_key_has_its_effect_once(told: Games) -> None:
    body = {"facts": {"kind": "game", "report": told.told("r1g1")}}
    answers: list[Answer] = [told.post("/games/r1g1/result", body, Idempotency_Key="once") for _ in range(2)]
    assert answers[0].body == answers[1].body
    assert len(told.of("GameEnded")) == 1


def test_swiss_facts_have_no_report_and_campaigns_no_lists_of_results(told: Games) -> None:
    rows = [{"game": "r1g1", "facts": {"kind": "game", "report": told.told("r1g1")}}]
    assert told.post("/results", {"results": rows}).code == "wrong-format"
    assert told.post("/rounds/1/reopening", {"reason": "x"}).code == "wrong-format"
