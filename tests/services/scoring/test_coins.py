"""Ties in Fallout: Factions: coin tosses, reuse of earlier draws, and their audit."""

from __future__ import annotations

import pytest

from muster.audit.findings import Failure
from tests.auditing import decided_again

FACTIONS = "fallout-factions-comp-1.0"


@pytest.fixture
def open_crews(open_floor):
    """Return a function that opens a tournament of four players, who are all tied after rounds of draws."""

    def opened(**options):
        return open_floor(4, ruleset=FACTIONS, rounds=3, options=options, staff=("head_referee", "referee"))

    return opened


def play(told, round: int) -> None:
    """Play a round in which both games are 10-10 draws."""
    told.begin(round, ("p1", "p2"), ("p3", "p4"), scenario="Melee")
    for game in ("g1", "g2"):
        assert told.report(f"r{round}{game}", {"points_1": 10, "points_2": 10}).status == 201
    assert told.close(round).status == 201


def order(told, round: int) -> list[str]:
    return [row["player"] for row in told.get(f"/standings?round={round}").body["items"]]


def flip(told, round: int, players: list[str], by: str = "head_referee"):
    return told.post(f"/rounds/{round}/coin", {"order": players, "reason": "a bottle cap"}, by)


def failures(told) -> list[Failure]:
    """Return the findings of an audit of scoring's log."""
    return decided_again({source: told.club.log(told.id, source) for source in told.club.sources}, "scoring")


@pytest.mark.clause("FF-AMB-3", "FF-TB-4")
def test_a_coin_toss_by_staff_decides_the_order(open_crews):
    told = open_crews()
    play(told, 1)
    drawn = order(told, 1)
    wanted = drawn[::-1]
    assert flip(told, 1, wanted).types == ["CoinEntered", "StandingsRecorded"]
    assert order(told, 1) == wanted
    shown = told.get("/standings").body
    assert [row["player"] for row in shown["items"]] == wanted
    assert not shown["provisional"]
    assert shown["draws"] == [{"purpose": "standings", "round": 1, "order": wanted, "seed": ""}]
    assert failures(told) == []


@pytest.mark.clause("FF-AMB-3")
def test_a_coin_for_one_tie_keeps_the_other_draws(open_crews):
    told = open_crews()
    told.begin(1, ("p1", "p2"), ("p3", "p4"), scenario="Melee")
    for game in ("r1g1", "r1g2"):
        told.report(game, {"points_1": 20, "points_2": 5})
    told.close(1)
    first, second, *losers = order(told, 1)
    assert flip(told, 1, [second, first]).status == 201
    assert order(told, 1) == [second, first, *losers]
    assert told.correct("r1g1", {"points_1": 20, "points_2": 6}).status == 201
    assert order(told, 1)[:2] == [second, first]
    assert failures(told) == []


@pytest.mark.clause("FF-AMB-3")
def test_a_coin_is_refused_for_players_who_are_not_tied(open_crews, open_floor):
    told = open_crews()
    assert flip(told, 1, ["p1", "p2"]).code == "round-unknown"
    play(told, 1)
    refused = flip(told, 1, ["p1", "p2"])
    assert (refused.code, refused.places) == ("not-tied", ["/order"])
    assert flip(told, 1, ["p1", "p1", "p2", "p3"]).code == "not-tied"
    assert flip(told, 1, order(told, 1), by="referee").code == "forbidden"
    told.begin(2, ("p1", "p3"), ("p2", "p4"), scenario="Raid")
    assert flip(told, 1, order(told, 1)).code == "later-round-paired"
    assert flip(told, 2, order(told, 1)).code == "round-not-closed"
    armada = open_floor(2, rounds=2)
    armada.begin(1, ("p1", "p2"))
    assert flip(armada, 1, ["p1", "p2"]).code == "coin-not-offered"


@pytest.mark.clause("FF-AMB-20")
def test_earlier_draws_are_kept_if_the_option_is_set(open_crews):
    kept, anew = open_crews(reuse_draws=True), open_crews()
    for told in (kept, anew):
        for round in (1, 2, 3):
            play(told, round)
        assert failures(told) == []
    assert order(kept, 1) == order(kept, 2) == order(kept, 3)
    assert [draw["round"] for draw in kept.get("/standings?round=3").body["draws"]] == [1]
    assert [draw["round"] for draw in anew.get("/standings?round=3").body["draws"]] == [3]


@pytest.mark.clause("FF-AMB-20", "FF-AMB-3")
def test_an_earlier_coin_is_kept_if_the_option_is_set(open_crews):
    told = open_crews(reuse_draws=True)
    play(told, 1)
    wanted = order(told, 1)[::-1]
    flip(told, 1, wanted)
    play(told, 2)
    assert order(told, 2) == wanted
    assert failures(told) == []


@pytest.mark.clause("FF-TB-5", "FF-AMB-3")
def test_the_coin_of_the_last_round_decides_the_winner(open_crews):
    told = open_crews()
    for round in (1, 2, 3):
        play(told, round)
    wanted = order(told, 3)[::-1]
    flip(told, 3, wanted)
    ended = told.conclude()
    assert ended.events[-1]["data"]["winner"] == wanted[0]
    assert order(told, 3) == wanted
    assert flip(told, 3, wanted[::-1]).code == "tournament-over"


@pytest.mark.clause("FF-SET-2", "FF-SCN-1")
def test_only_scenarios_of_the_kit_are_accepted(open_crews):
    told = open_crews()
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    refused = told.report("r1g1", {"points_1": 10, "points_2": 10, "scenario": "Meet in the Middle"})
    assert (refused.code, refused.places) == ("impossible-result", ["/facts/scenario"])
    assert told.report("r1g1", {"points_1": 10, "points_2": 10, "scenario": "Takeover"}).status == 201
