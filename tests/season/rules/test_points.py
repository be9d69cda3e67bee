"""Points of results: by place, by game results, as scored, with participation and weights."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from shared.season.ruleset import GamePlayed, GameWorth, Result, ScorePoints, TournamentResults
from tests.season.rules.story import placed, played, points, rules

NOTHING = {"participation": 0}


@pytest.mark.clause("SEA-PLACE-1", "SEA-PART")
@pytest.mark.parametrize(
    ("field", "place", "worth"),
    [
        (1, 1, 0),
        (2, 1, 4),
        (2, 2, 2),
        (3, 1, 8),
        (7, 3, 3),
        (7, 4, 0),
        (8, 1, 15),
        (15, 5, 4),
        (15, 9, 0),
        (16, 1, 25),
        (40, 16, 5),
        (40, 17, 2),
    ],
)
def test_points_of_places_by_field_size(field, place, worth):
    gathered = TournamentResults("t1", 1, (Result("Ana", place),), field=field)
    assert points(rules(points=NOTHING), "Ana", gathered) == {"Ana": worth}
    assert points(rules(), "Ana", gathered) == {"Ana": worth + 1}


@pytest.mark.clause("SEA-PLACE-1")
def test_field_size_counts_attendees():
    results = [Result(f"x{place}", place) for place in range(1, 9)]
    absent = [Result(f"y{number}", 0, attended=False) for number in range(9)]
    gathered = TournamentResults("t1", 1, tuple(results + absent))
    assert points(rules(), "x1 y1", gathered) == {"x1": 16, "y1": 0}


@pytest.mark.clause("SEA-PART")
def test_unplaced_player_gets_points_for_participation():
    assert points(rules(), "Ana", TournamentResults("t1", 1, (Result("Ana", 0),))) == {"Ana": 1}


@pytest.mark.clause("SEA-PLACE-2")
@pytest.mark.parametrize(("shared", "worth"), [("first", 5), ("last", 3), ("mean", 4)])
def test_points_of_shared_places(shared, worth):
    found = points(rules(points={"shared": shared, **NOTHING}), "Ben", placed(1, "Ana Ben=Cy Di"))
    assert found == {"Ben": worth}


@pytest.mark.clause("SEA-PLACE-3")
@pytest.mark.parametrize(
    ("places", "found"), [("field", {"Ben": 5, "Di": 0, "Ed": 0}), ("members", {"Ben": 8, "Di": 5, "Ed": 3})]
)
def test_places_in_the_field_or_among_members(places, found):
    assert points(rules(points={"places": places, **NOTHING}), "Ben Di Ed", placed(1, "Ana Ben Cy Di Ed")) == found


@pytest.mark.clause("SEA-PLACE-3")
def test_shared_places_among_members():
    ruleset = rules(points={"places": "members", "shared": "mean", **NOTHING})
    assert points(ruleset, "Ben Di Ed", placed(1, "Ana Ben=Cy=Di Ed")) == {
        "Ben": Fraction(13, 2),
        "Di": Fraction(13, 2),
        "Ed": 3,
    }


@pytest.mark.clause("SEA-RESULT")
def test_points_by_game_results():
    league = rules("season-league", divisions={"used": False})
    found = points(league, "Ana Ben Cy", played(1, "Ana>Ben Ben=Cy Cy Ana>Cy"))
    assert found == {"Ana": 6, "Ben": 1, "Cy": 4}


@pytest.mark.clause("SEA-RESULT")
def test_points_of_forfeits():
    worth = msgspec.structs.replace(rules("season-league").points.games, forfeit=0, loss=1)
    league = rules("season-league", points={"games": worth}, divisions={"used": False})
    games = Result("Ana", 1, games=(GamePlayed("win", "Ben", "forfeit"),))
    absent = Result("Ben", 2, games=(GamePlayed("loss", "Ana", "forfeit"), GamePlayed("loss", "Cy")))
    assert points(league, "Ana Ben", TournamentResults("t1", 1, (games, absent))) == {"Ana": 3, "Ben": 1}


@pytest.mark.clause("SEA-RESULT")
def test_points_by_format():
    formats = {"coop": GameWorth(win=5, draw=2, loss=1, bye=0, clause="X")}
    league = rules("season-league", points={"formats": formats}, divisions={"used": False})
    sessions = (GamePlayed("win"), GamePlayed("loss"), GamePlayed("draw"))
    evening = TournamentResults("t1", 1, (Result("Ana", 1, games=sessions),), format="coop")
    assert points(league, "Ana", evening) == {"Ana": 8}
    assert points(league, "Ana", msgspec.structs.replace(evening, format="swiss")) == {"Ana": 4}


@pytest.mark.clause("SEA-SCORED")
def test_points_as_the_tournament_scored_them():
    scored = msgspec.structs.replace(rules(), points=ScorePoints(participation=2, clause="X"))
    assert points(scored, "Ana", TournamentResults("t1", 1, (Result("Ana", 3, 31),))) == {"Ana": 33}


@pytest.mark.clause("SEA-WEIGHT")
@pytest.mark.parametrize(
    ("tiers", "by_hand", "gathered", "worth"),
    [
        ({}, True, {}, 9),
        ({"final": 200}, True, {"tier": "final"}, 18),
        ({"final": 200}, True, {"tier": "club"}, 9),
        ({"final": 200}, True, {"tier": "final", "weight": 150}, Fraction(27, 2)),
        ({"final": 200}, False, {"tier": "final", "weight": 150}, 18),
        ({"fun": 0}, False, {"tier": "fun"}, 0),
    ],
)
def test_weights(tiers, by_hand, gathered, worth):
    ruleset = rules(weights={"tiers": tiers, "by_hand": by_hand})
    assert points(ruleset, "Ana", placed(1, "Ana Ben Cy", **gathered)) == {"Ana": worth}
