"""Pairing of campaign rounds over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.campaign.services.league import League, group
from tests.services.story import Json

New = Callable[..., League]
STRENGTH = ["v", "vg", "vgg", "vggg", "vgggg", "vggggg"]
"""Ranks of groups, each rated 10 higher than the previous one."""


def league_of(new: New, players: int, **announced: Any) -> League:
    """Return a campaign in which p1 has the lowest rating, p2 the next, and so on."""
    league = new(players, **announced)
    for number in range(players):
        league.build(f"p{number + 1}", group(STRENGTH[number]))
    return league


def pairings(league: League, round: int) -> list[Json]:
    return list(league.ask("GET", "pairing", f"/rounds/{round}").body["pairings"])


def played(league: League, round: int, *winners: str) -> None:
    """Pair and play a round with these winners, and close it."""
    league.pair()
    for number, winner in enumerate(winners, 1):
        league.play(f"r{round}g{number}", winner)
    league.end_round()


@pytest.mark.clause("FS-RND-2", "FS-RAT-3")
def test_round_1_pairs_nearest_ratings(new: New) -> None:
    league = league_of(new, 6)
    paired = league.pair()
    assert (paired.body["id"], paired.body["left_out"]) == ("1", [])
    assert league.pairs(1) == [{"p6", "p5"}, {"p4", "p3"}, {"p2", "p1"}]
    shown = league.ask("GET", "pairing", "/rounds/1").body
    assert (shown["stage"], shown["method"], shown["status"], shown["timing"]) == ("league", "swiss", "paired", None)
    assert {one["reason"] for one in shown["pairings"]} == {"nearest rating at 0 points"}
    assert league.ask("GET", "pairing", "/rounds").body["planned"] == 5
    own = league.ask("GET", "pairing", "/players/p3/pairing", by="p3").body
    assert own["pairing"]["name_1"], own["pairing"]["name_2"] == ("Player 4", "Player 3")


@pytest.mark.clause("FS-RND-1", "FS-RND-2", "FS-AMB-60")
def test_equal_points_meet_without_rematches(new: New) -> None:
    league = league_of(new, 4)
    played(league, 1, "p3", "p1")
    played(league, 2, "p3", "p4")
    assert league.pairs(2) == [{"p3", "p1"}, {"p4", "p2"}]
    assert [one["reason"] for one in pairings(league, 2)] == [f"nearest rating at {points} points" for points in (3, 0)]
    league.pair()
    assert league.pairs(3) == [{"p3", "p2"}, {"p4", "p1"}]
    assert [one["reason"] for one in pairings(league, 3)] == [
        "paired down: 6 points and 0",
        "nearest rating at 3 points",
    ]
    assert not any(one["rematch"] for number in (1, 2, 3) for one in pairings(league, number))


@pytest.mark.clause("FS-RND-2")
def test_a_rematch_is_paired_if_there_is_no_other_opponent(new: New) -> None:
    league = league_of(new, 2)
    played(league, 1, "p1")
    league.pair()
    assert [one["rematch"] for one in pairings(league, 2)] == [True]


@pytest.mark.clause("FS-RND-2", "FS-AMB-60")
def test_nearest_ratings_meet_if_the_option_says_so(new: New) -> None:
    league = league_of(new, 4, options={"fs.pairing.method": "nearest_rating"})
    played(league, 1, "p3", "p2")
    assert league.pairs(1) == [{"p4", "p3"}, {"p2", "p1"}]
    league.pair()
    assert league.pairs(2) == [{"p4", "p2"}, {"p3", "p1"}]
    shown = league.ask("GET", "pairing", "/rounds/2").body
    assert (shown["method"], shown["pairings"][0]["reason"]) == ("nearest_rating", "nearest rating")


@pytest.mark.clause("FS-RND-3", "FS-AMB-55")
def test_the_lowest_group_without_a_bye_gets_it(new: New) -> None:
    league = league_of(new, 3)
    resting = []
    for number in (1, 2, 3):
        league.pair()
        game, bye = pairings(league, number)
        assert (bye["kind"], bye["table"], bye["reason"]) == ("bye", 0, "lowest standing without a bye")
        resting.append(bye["player_1"])
        league.play(f"r{number}g1", max(game["player_1"], game["player_2"]))
        league.end_round()
    assert resting == ["p1", "p2", "p3"]
    league.pair()
    assert pairings(league, 4)[-1]["player_1"] == "p1", "all have rested; the lowest rests again"


@pytest.mark.clause("FS-RND-1")
def test_pairing_waits_for_post_game_phases_and_lists_them(new: New) -> None:
    league = league_of(new, 4)
    league.pair()
    answer = league.refused(409, "round-not-closed", "pairing", "/rounds")
    assert answer.body["data"] == {"round": 1, "games": ["r1g1", "r1g2"], "groups": []}
    league.play("r1g1")
    league.play("r1g2")
    answer = league.refused(409, "round-not-closed", "pairing", "/rounds")
    assert answer.body["data"] == {"round": 1, "games": [], "groups": ["p1", "p2", "p3", "p4"]}
    assert league.faults(answer) == [(f"/groups/p{number}", "FS-RND-1") for number in (1, 2, 3, 4)]
    league.end_round()
    league.refused(409, "round-already-paired", "pairing", "/rounds", {"round": 3})
    assert league.pair(round=2).body["id"] == "2"


@pytest.mark.clause("FS-LGE-3", "FS-AMB-59")
def test_the_number_of_paired_rounds_is_limited(new: New) -> None:
    league = league_of(new, 2, options={"fs.campaign.rounds": 1})
    assert league.ask("GET", "pairing", "/rounds").body["planned"] == 1
    played(league, 1, "p1")
    assert league.refused(409, "all-rounds-played", "pairing", "/rounds").body["data"] == {"planned": 1}


@pytest.mark.clause("FS-RND-4")
def test_withdrawn_groups_are_not_paired(new: New) -> None:
    league = league_of(new, 4)
    played(league, 1, "p4", "p2")
    league.do("registration", "/players/p4/drop", {})
    league.pair()
    assert league.pairs(2) == [{"p2", "p3"}, {"p1"}]
    league.do("registration", "/players/p4/reinstatement")
    league.do("pairing", "/rounds/2/repairing", {"reason": "back again"})
    assert league.pairs(2) == [{"p4", "p2"}, {"p3", "p1"}]


@pytest.mark.clause("FS-RND-1", "FS-RAT-3", "FS-LGE-3")
def test_late_groups_play_from_the_next_round_on(new: New) -> None:
    league = league_of(new, 2)
    played(league, 1, "p1")
    table = league.ask("GET", "scoring", "/standings?round=1").body["items"]
    for number in (3, 4):
        league.do("registration", "/players", {"name": f"Late {number}", "late": True})
        league.build(f"p{number}", group(STRENGTH[number]))
    now = league.ask("GET", "scoring", "/standings").body
    assert (now["provisional"], now["items"]) == (False, table)
    league.pair()
    assert league.pairs(2) == [{"p1", "p4"}, {"p3", "p2"}]
    later = league.ask("GET", "scoring", "/standings").body["items"]
    assert {row["player"]: row["values"]["league_points"] for row in later} == {"p1": 3, "p2": 0, "p3": 0, "p4": 0}


@pytest.mark.clause("FS-AMB-54", "FS-RND-4")
def test_a_group_without_members_is_not_paired(new: New) -> None:
    league = league_of(new, 3)
    league.pair()
    league.play("r1g1", "p3", killed="p2")
    league.end_round()
    left_out = league.pair().body["left_out"]
    assert left_out == [{"player": "p2", "name": "Player 2", "reason": "wiped_out"}]
    assert league.pairs(2) == [{"p3", "p1"}]
    answer = league.refused(409, "group-locked", "registration", "/players/p2/group", group(), "p2")
    assert league.faults(answer) == [("/player", "FS-AMB-54")]


@pytest.mark.clause("FS-AMB-54", "FS-GRP-1", "FS-GRP-13", "FS-TRF-1")
def test_a_new_group_of_500_caps_replaces_one_without_members(new: New) -> None:
    league = league_of(new, 4, options={"fs.group.wiped_out": "new_group_500"})
    league.pair()
    league.play("r1g1", "p4", killed="p3")
    league.play("r1g2", "p1")
    before = league.built("p3")
    answer = league.refused(409, "group-locked", "registration", "/players/p3/group", group(), "p3")
    assert league.faults(answer) == [("/player", "FS-AMB-54")]
    league.end_round()
    preview = league.ask("POST", "pairing", "/rounds?preview=true").body
    assert preview["moves"]["round"]["left_out"] == [{"player": "p3", "name": "Player 3", "reason": "wiped_out"}]
    locked = league.refused(409, "group-locked", "registration", "/players/p1/group", group(), "p1")
    assert league.faults(locked) == [("/player", "FS-GRP-13")]
    league.build("p3", group("vvve"))
    after = league.built("p3")
    assert (after["caps"], len(after["turfs"]), after["rating"]) == (325, 3, 500)
    named = [{one["id"] for one in (*shown["members"], *shown["turfs"])} for shown in (before, after)]
    assert not named[0] & named[1]
    league.pair()
    assert league.pairs(2) == [{"p4", "p1"}, {"p3", "p2"}]
    league.play("r2g1", "p4")
    league.play("r2g2", "p3")
    league.end_round()
    league.pair()
    assert league.pairs(3) == [{"p4", "p2"}, {"p3", "p1"}]


@pytest.mark.clause("FS-RND-1")
def test_a_round_needs_two_groups(new: New) -> None:
    league = new(3)
    league.build("p1")
    answer = league.refused(409, "too-few-players", "pairing", "/rounds")
    assert answer.body["data"]["left_out"] == {"no_group": ["p2", "p3"]}
    league.build("p2")
    answer = league.refused(422, "pairings-refused", "pairing", "/rounds", {"scenario": "Slave Hunt"})
    assert league.faults(answer) == [("/scenario", "FS-GAM-5")]
    league.hand_in("p3")
    assert league.pair().body["left_out"] == [{"player": "p3", "name": "Player 3", "reason": "no_group"}]


def test_groups_of_absent_players_are_not_paired(new: New) -> None:
    league = league_of(new, 3, check_in=True)
    for player in ("p1", "p3"):
        league.do("registration", f"/players/{player}/check-in", {})
    assert league.pair().body["left_out"] == [{"player": "p2", "name": "Player 2", "reason": "not_checked_in"}]
    assert league.pairs(1) == [{"p3", "p1"}]


def test_venues_are_paired_separately_if_the_option_says_so(new: New) -> None:
    league = new(5, pairing_scope="venue")
    for name in ("North", "South"):
        league.do("registration", "/venues", {"name": name, "tables": 3})
    for number in range(1, 6):
        league.build(f"p{number}", group(STRENGTH[number]))
    league.refused(409, "players-without-venue", "pairing", "/rounds")
    for number in range(1, 6):
        league.do("registration", f"/players/p{number}/check-in", {"venue": f"v{number % 2 + 1}"})
    league.pair()
    assert league.pairs(1) == [{"p4", "p2"}, {"p5", "p3"}, {"p1"}]
    assert [(one["venue"], one["table"]) for one in pairings(league, 1)] == [("v1", 1), ("v2", 1), ("v2", 0)]
    tables = league.ask("GET", "pairing", "/tables").body
    assert sum(table["game"] is not None for venue in tables["items"] for table in venue["tables"]) == 2


def test_a_preview_pairs_nothing_and_a_key_pairs_once(new: New) -> None:
    league = league_of(new, 2)
    before = league.heads
    shown = league.ask("POST", "pairing", "/rounds?preview=true")
    assert (shown.status, shown.body["moves"]["round"]["round"], league.heads) == (200, 1, before)
    first = league.ask("POST", "pairing", "/rounds", Idempotency_Key="one")
    again = league.ask("POST", "pairing", "/rounds", Idempotency_Key="one")
    assert (first.status, again.status, first.body["events"]) == (201, 201, again.body["events"])


def test_a_campaign_has_no_clock_and_no_cut(new: New) -> None:
    league = league_of(new, 2)
    league.pair()
    for rest, body in (("/rounds/1/start", None), ("/rounds/1/calls", {"call": "end"}), ("/cut", {})):
        answer = league.ask("POST", "pairing", rest, body)
        assert (answer.status, answer.code) == (409, "wrong-format"), rest
