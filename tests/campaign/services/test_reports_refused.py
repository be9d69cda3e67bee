"""Impossible reports of campaign games are refused with place and clause, and append nothing."""

from __future__ import annotations

import pytest

from tests.campaign.services.conftest import NewGames
from tests.campaign.services.games_story import Games, given, ready, roll, wrong
from tests.services.story import Json

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
def test_impossible_reports_are_refused(told: Games, case: str) -> None:
    said, expected = IMPOSSIBLE[case]
    answer = told.report("r1g1", by="p1", **said)
    assert (answer.status, answer.code) == (422, "game-report-refused")
    assert wrong(answer) == expected


@pytest.mark.clause("FS-REP-4", "FS-REP-2")
def test_a_report_contains_exactly_the_mustered_members(games: NewGames) -> None:
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
def test_the_last_die_needs_roller_and_witness_of_the_game(games: NewGames, end: Json, where: str) -> None:
    told = ready(games, "raiders", "raiders", "raiders")
    answer = told.report("r1g1", end_roll=end)
    assert (answer.code, wrong(answer)) == ("dice-refused", [(f"/end_roll/{where}", "FS-AUD-1")])


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
def test_facts_of_another_kind_are_refused(told: Games, facts: Json, where: str) -> None:
    answer = told.say_result("r1g1", facts)
    assert answer.code == "game-report-refused"
    assert wrong(answer)[0][0] == where


def test_a_report_of_other_groups_is_refused(told: Games) -> None:
    report = told.told("r1g1")
    report["sides"][1]["group"] = "p9"
    answer = told.say_result("r1g1", {"kind": "game", "report": report})
    assert wrong(answer) == [("/sides", "FS-REP-1")]
    report["objective"] = 3
    assert told.say_result("r1g1", {"kind": "game", "report": report}).code == "invalid-request"


@pytest.mark.clause("FS-XP-3", "FS-GAM-4")
def test_evil_enemies_require_a_judgement(games: NewGames) -> None:
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
def test_some_forces_cannot_concede(
    games: NewGames, forces: tuple[str, str], present: list[str], refused: bool
) -> None:
    told = ready(games, *forces)
    answer = told.report("r1g1", sides=({"conceded": True}, {}), last_turn=2, end_roll=None, present=present)
    assert answer.status == (422 if refused else 201)
    if refused:
        assert wrong(answer) == [("/sides/0/conceded", "FS-GAM-11")]


@pytest.mark.clause("FS-GAM-11", "FS-GAM-4")
def test_regulators_cannot_concede_to_evil_groups(games: NewGames) -> None:
    told = games("regulators", "wasteland_survivors")
    for group in ("p1", "p2"):
        told.muster("r1g1", group)
        told.objective("r1g1", group, roll(1))
    told.evil("r1g1", "p1", roll(4))
    answer = told.report("r1g1", sides=({"conceded": True}, {}), last_turn=2, end_roll=None)
    assert wrong(answer) == [("/sides/0/conceded", "FS-GAM-11")]


@pytest.mark.clause("FS-AMB-48", "FS-GAM-11")
def test_concessions_are_refused_if_the_option_says_so(games: NewGames) -> None:
    told = ready(games, "raiders", "raiders", options={"game__concession": "forbidden"})
    answer = told.report("r1g1", sides=({"conceded": True}, {}), last_turn=2, end_roll=None)
    assert wrong(answer) == [("/sides/0/conceded", "FS-AMB-48")]


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


def test_swiss_facts_have_no_report_and_campaigns_no_result_lists(told: Games) -> None:
    rows = [{"game": "r1g1", "facts": {"kind": "game", "report": told.told("r1g1")}}]
    assert told.post("/results", {"results": rows}).code == "wrong-format"
    assert told.post("/rounds/1/reopening", {"reason": "x"}).code == "wrong-format"
