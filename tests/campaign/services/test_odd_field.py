"""An odd number of groups with games of three instead of byes. FS-RND-5."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.auditing import failures
from tests.campaign.forging import Event, forged, of
from tests.campaign.services.league import League, group
from tests.services.story import Json

New = Callable[..., League]
STRENGTH = ["v", "vg", "vgg", "vggg", "vgggg", "vggggg", "vggggge"]
"""Ranks of groups with increasing ratings."""


def league_of(new: New, players: int, **announced: Any) -> League:
    league = new(players, options={"fs.pairing.odd": "game_of_three"}, **announced)
    for number in range(players):
        league.build(f"p{number + 1}", group(STRENGTH[number]))
    return league


def shown(league: League, round: int = 1) -> list[Json]:
    return list(league.ask("GET", "pairing", f"/rounds/{round}").body["pairings"])


@pytest.mark.clause("FS-RND-5", "FS-RND-3")
def test_the_group_without_opponent_joins_the_lowest_game(new: New) -> None:
    league = league_of(new, 5)
    preview = league.ask("POST", "pairing", "/rounds?preview=true").body["moves"]["round"]["pairings"]
    league.pair()
    ordinary, three = shown(league)
    assert {ordinary["player_1"], ordinary["player_2"]} == {"p5", "p4"}
    assert [[one["player"] for one in side] for side in three["sides"]] == [["p3"], ["p2"], ["p1"]]
    assert three["reason"] == "nearest rating at 0 points; p1 would be left over, and joins"
    assert (three["rematch"], preview) == (False, shown(league))
    assert league.ask("GET", "pairing", "/players/p1/pairing", by="p1").body["pairing"]["id"] == three["id"]
    assert failures(league.logs) == []


@pytest.mark.clause("FS-RND-5", "FS-RND-2", "FS-AUD-2")
def test_games_of_three_avoid_rematches(new: New) -> None:
    league = league_of(new, 7)
    league.pair()
    league.play("r1g1", "p7")
    league.play("r1g2", "p5")
    league.play("r1g3", "p1")
    league.end_round()
    met = [{one["player"] for side in seat["sides"] for one in side} if "sides" in seat else
           {seat["player_1"], seat["player_2"]} for seat in shown(league)]  # fmt: skip
    assert met == [{"p7", "p6"}, {"p5", "p4"}, {"p3", "p2", "p1"}]
    league.pair()
    second = shown(league, 2)
    assert sum("sides" in one for one in second) == 1
    assert not any(one["rematch"] for one in second)
    for seat in second:
        groups = [one["player"] for side in seat.get("sides", ()) for one in side]
        assert all(len(known & {*(groups or (seat["player_1"], seat["player_2"]))}) <= 1 for known in met)
    rows = league.ask("GET", "scoring", "/standings?round=1").body["items"]
    assert [row["player"] for row in rows if row["values"]["league_points"] == 3] == ["p7", "p5", "p1"]
    assert failures(league.logs) == []


@pytest.mark.clause("FS-RND-5")
def test_a_withdrawal_leaves_a_game_of_two(new: New) -> None:
    league = league_of(new, 3)
    league.pair()
    assert len(shown(league)[0]["sides"]) == 3
    league.do("registration", "/players/p2/drop", {})
    league.do("pairing", "/rounds/1/repairing", {"reason": "p2 has moved away"})
    (left,) = shown(league)
    assert ({left["player_1"], left["player_2"]}, "sides" in left) == ({"p1", "p3"}, False)
    assert failures(league.logs) == []


@pytest.mark.clause("FS-RND-5", "FS-RND-3")
def test_each_venue_has_its_own_game_of_three_or_bye(new: New) -> None:
    league = new(4, options={"fs.pairing.odd": "game_of_three"}, pairing_scope="venue")
    for name in ("North", "South"):
        league.do("registration", "/venues", {"name": name, "tables": 2})
    for number in range(1, 5):
        league.build(f"p{number}", group(STRENGTH[number]))
        league.do("registration", f"/players/p{number}/check-in", {"venue": f"v{1 + number // 4}"})
    league.pair()
    three, bye = shown(league)
    assert ([[one["player"] for one in side] for side in three["sides"]], three["venue"]) == (
        [["p3"], ["p2"], ["p1"]],
        "v1",
    )
    assert (bye["kind"], bye["player_1"]) == ("bye", "p4")
    assert failures(league.logs) == []


def _another_third(pairings: list[Json]) -> None:
    pairings[0]["player_2"], pairings[1]["sides"][2][0] = pairings[1]["sides"][2][0], pairings[0]["player_2"]


def _allies(pairings: list[Json]) -> None:
    first, second, third = pairings[1]["sides"]
    pairings[1]["sides"] = [first, [*second, *third]]


def _a_bye(pairings: list[Json]) -> None:
    third = pairings[1].pop("sides")[2][0]
    pairings.append({"game": "r1g3", "kind": "bye", "player_1": third})


@pytest.mark.clause("FS-RND-5", "FS-AUD-2")
@pytest.mark.parametrize("forge", [_another_third, _allies, _a_bye])
def test_the_audit_finds_another_game_of_three(new: New, forge: Callable[[list[Json]], None]) -> None:
    league = league_of(new, 5)
    league.pair()

    def forging(told: list[Event]) -> int:
        pairings = told[of(told, "PairingsDrawn")]["data"]["pairings"]
        forge(pairings)
        told[of(told, "RoundPaired")]["data"]["games"] = len(pairings)
        return of(told, "PairingsDrawn")

    logs, position = forged(league.logs, "pairing", forging)
    (found,) = failures(logs)
    assert (found.code, found.position) == ("decision", position)
    assert "PairingsDrawn with pairings" in str(found.expected)


@pytest.mark.clause("FS-RND-5", "FS-AUD-2")
@pytest.mark.parametrize("event", ["PairingsDrawn", "PairingAmended"])
@pytest.mark.parametrize(
    "sides",
    [[["p1", "p2", "p3"]], [["p1"], ["p2"]], [["p1"], ["p2"], []], [["p1"], ["p2", "p1"]], [["p3"], ["p2"], ["p1"]]],
)
def test_the_audit_finds_impossible_sides(new: New, event: str, sides: list[list[str]]) -> None:
    league = new(3, built=True)
    league.pair(pairings=[{"player_1": "p1", "player_2": "p3"}, {"player_1": "p2"}])
    body = {"reason": "three", "pairings": [{"sides": [["p1"], ["p2"], ["p3"]]}]}
    league.do("pairing", "/rounds/1/amendments", body)
    assert failures(league.logs) == []

    def forging(told: list[Event]) -> int:
        index = of(told, event)
        told[index]["data"]["pairings"][0] |= {"player_1": "p1", "player_2": "p2", "sides": sides}
        return index

    logs, position = forged(league.logs, "pairing", forging)
    assert failures(logs)[0].position == position
