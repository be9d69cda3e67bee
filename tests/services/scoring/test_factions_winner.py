"""The winner of a Fallout: Factions event: tournament points, then tiebreakers."""

from __future__ import annotations

import pytest

FACTIONS = "fallout-factions-comp-1.0"
WINNERS = {
    # p1 won twice by one point; p4 has the most scenario points, ten times as many.
    "tournament points": ((("p1", 1, 0, "p2"), ("p4", 25, 0, "p3")), (("p1", 1, 0, "p4"), ("p3", 3, 2, "p2")), "p1"),
    # p4 and p1 have one win and one draw each; p4 has 37 scenario points, p1 has 22.
    "total points": ((("p1", 10, 0, "p2"), ("p4", 25, 0, "p3")), (("p1", 12, 12, "p4"), ("p2", 5, 5, "p3")), "p4"),
    # All have two tournament points; p1, p3 and p4 have 15 scenario points; only p1 has a win.
    "wins": ((("p3", 10, 10, "p4"), ("p2", 4, 10, "p1")), (("p3", 5, 5, "p4"), ("p2", 10, 5, "p1")), "p1"),
}


@pytest.mark.clause("FF-TB-5", "FF-TB-1", "FF-TB-2", "FF-TB-3")
@pytest.mark.parametrize("by", WINNERS)
def test_the_winner_after_the_allotted_rounds(open_floor, by):
    *rounds, winner = WINNERS[by]
    told = open_floor(4, ruleset=FACTIONS, rounds=2)
    for number, games in enumerate(rounds, start=1):
        told.begin(number, *((one, two) for one, _, _, two in games), scenario="Melee")
        for game, (_, points_1, points_2, _) in enumerate(games, start=1):
            assert told.report(f"r{number}g{game}", {"points_1": points_1, "points_2": points_2}).status == 201
        assert told.close(number).status == 201
        if number == 1:
            assert told.conclude().code == "rounds-remain"
    concluded = told.conclude().events[-1]
    assert concluded["type"] == "TournamentConcluded"
    assert concluded["data"]["winner"] == winner
    assert "draws" not in concluded["data"]
    standings = told.get("/standings?round=2").body["items"]
    assert (standings[0]["rank"], standings[0]["player"]) == (1, winner)
    assert not standings[0]["tied"]
