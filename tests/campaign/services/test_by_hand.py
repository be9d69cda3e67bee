"""Rounds of a campaign that the organiser pairs, amends and withdraws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.campaign.services.league import League, group
from tests.services.story import Json

New = Callable[..., League]


def game(one: str, two: str = "") -> Json:
    return {"player_1": one, "player_2": two or None}


def refused(league: League, *games: Json, **body: Any) -> list[tuple[str, str]]:
    answer = league.refused(422, "pairings-refused", "pairing", "/rounds", {"pairings": list(games), **body})
    return [(fault["where"], fault["clause"]) for fault in answer.body["errors"]]


@pytest.mark.clause("FS-RND-2", "FS-AMB-60")
def test_the_organiser_pairs_by_hand_if_the_option_says_so(new: New) -> None:
    league = new(4, built=True, options={"fs.pairing.method": "manual"})
    answer = league.refused(422, "pairings-refused", "pairing", "/rounds")
    assert league.faults(answer) == [("/pairings", "FS-RND-2")]
    league.pair(pairings=[game("p1", "p4"), game("p2", "p3")], reason="neighbours")
    assert league.pairs(1) == [{"p1", "p4"}, {"p2", "p3"}]
    shown = league.ask("GET", "pairing", "/rounds/1").body
    assert (shown["method"], shown["reason"], shown["pairings"][0]["reason"]) == ("manual", "neighbours", "by hand")


@pytest.mark.clause("FS-RND-2", "FS-RND-3", "FS-RND-4")
def test_pairings_by_hand_contain_each_active_group_once(new: New) -> None:
    league = new(4)
    for player in ("p1", "p2", "p3"):
        league.build(player)
    assert refused(league, game("p1", "p4"), game("p2", "p3")) == [("/pairings/0/player_2", "FS-RND-4")]
    assert refused(league, game("p1", "p2")) == [("/pairings", "")]
    assert [where for where, _ in refused(league, game("p1", "p2"), game("p1", "p3"))] == [
        "/pairings/0/player_1",
        "/pairings/1/player_1",
    ]
    assert refused(league, game("p1", "s1"), game("p2", "p3")) == [("/pairings/0/kind", "FS-RND-3")]
    league.pair(pairings=[game("p3", "p1"), game("p2")], reason="p2 is on holiday")
    assert league.pairs(1) == [{"p3", "p1"}, {"p2"}]


@pytest.mark.clause("FS-RND-2")
def test_a_rematch_by_hand_must_be_confirmed(new: New) -> None:
    league = new(4, built=True)
    first = [game("p1", "p2"), game("p3", "p4")]
    league.pair(pairings=first)
    for number in (1, 2):
        league.play(f"r1g{number}")
    league.end_round()
    assert [where for where, _ in refused(league, *first)] == ["/pairings/0", "/pairings/1"]
    league.pair(pairings=first, allow_rematch=True)
    assert [one["rematch"] for one in league.ask("GET", "pairing", "/rounds/2").body["pairings"]] == [True, True]


@pytest.mark.clause("FS-RND-2")
def test_swapped_players_get_a_game_with_a_new_id(new: New) -> None:
    league = new(4)
    for number, ranks in enumerate(("v", "vg", "vgg", "vggg"), 1):
        league.build(f"p{number}", group(ranks))
    league.pair()
    assert league.pairs(1) == [{"p4", "p3"}, {"p2", "p1"}]
    league.do("pairing", "/rounds/1/amendments", {"swap": ["p3", "p1"], "reason": "brothers"})
    assert sorted(map(sorted, league.pairs(1))) == [["p1", "p4"], ["p2", "p3"]]
    ids = {one["id"] for one in league.ask("GET", "pairing", "/rounds/1").body["pairings"]}
    assert ids == {"r1g3", "r1g4"}
    league.play("r1g3")
    answer = league.refused(
        409, "game-has-result", "pairing", "/rounds/1/amendments", {"swap": ["p4", "p2"], "reason": "again"}
    )
    assert answer.body["data"] == {"games": ["r1g3"]}


def test_a_round_can_be_withdrawn_until_a_group_is_mustered(new: New) -> None:
    league = new(2, built=True)
    league.pair()
    league.do("pairing", "/rounds/1/withdrawal", {"reason": "too early"})
    assert league.ask("GET", "pairing", "/rounds").body["items"] == []
    league.hand_in("p1", group("vv"))
    league.pair()
    assert [one["id"] for one in league.ask("GET", "pairing", "/rounds/1").body["pairings"]] == ["r1g1-2"]
    fielded = [member["id"] for member in league.built("p1")["members"]]
    league.do("scoring", "/games/r1g1-2/muster", {"group": "p1", "fielded": fielded})
    for rest in ("withdrawal", "repairing"):
        answer = league.refused(409, "round-has-results", "pairing", f"/rounds/1/{rest}", {"reason": "too late"})
        assert answer.body["data"] == {"games": ["r1g1-2"]}


def test_a_game_can_be_moved_to_another_table(new: New) -> None:
    league = new(2, built=True)
    league.do("registration", "/venues", {"name": "Hall", "tables": 4})
    league.pair()
    assert league.ask("GET", "pairing", "/rounds/1/games/r1g1").body["table"] == 1
    league.do("pairing", "/rounds/1/games/r1g1/table", {"table": 3, "venue": "v1"})
    assert league.ask("GET", "pairing", "/rounds/1/games/r1g1").body["table"] == 3
