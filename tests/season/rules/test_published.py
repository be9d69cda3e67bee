"""Real seasons, and the example of Glicko-2 by its author."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest
import yaml

from shared.season import ratings
from shared.season.ruleset import (
    FieldClass,
    PlaceBand,
    PlacePoints,
    Result,
    ScorePoints,
    SeasonRuleset,
    TournamentResults,
)
from shared.season.table import season_table
from tests.season.rules.story import members, order, placed, points, rules

GLICKO = yaml.safe_load((Path(__file__).parent / "data" / "glicko2.yaml").read_text("utf-8"))


def by_place(*points_of_places: int, **fields: object) -> SeasonRuleset:
    places = [PlaceBand(place, points, place) for place, points in enumerate(points_of_places, start=1)]
    scheme = PlacePoints(fields=[FieldClass(1, places)], clause="X", **fields)  # type: ignore[arg-type]
    return msgspec.structs.replace(rules(), points=scheme)


@pytest.mark.clause("SEA-BEST", "SEA-PLACE-1")
def test_formula_one_1988_best_eleven_results():
    """Best 11 of 16 races, 9-6-4-3-2-1: Senna 90 (of 94) before Prost 87 (of 105).

    Places of both from the season's results, https://pitwall.app/seasons/1988-formula-1-world-championship; totals in
    https://forums.autosport.com/topic/61038-1988-and-the-then-points-system. 0: not classified, or without points.
    """
    senna = [0, 1, 0, 2, 1, 1, 2, 1, 1, 1, 1, 0, 6, 4, 1, 2]
    prost = [1, 2, 1, 1, 2, 2, 1, 0, 2, 2, 2, 0, 1, 1, 2, 1]
    races = [
        TournamentResults(f"t{race}", race, (Result("Senna", one), Result("Prost", other)), field=26)
        for race, (one, other) in enumerate(zip(senna, prost, strict=True), start=1)
    ]
    drivers = members("Prost Senna", 16)
    eleven = msgspec.structs.replace(
        by_place(9, 6, 4, 3, 2, 1), counting=msgspec.structs.replace(rules().counting, best=11)
    )
    table = season_table(eleven, drivers, races)
    assert order(table) == [(1, "Senna"), (2, "Prost")]
    assert [row.points for row in table.rows] == [90, 87]
    every = msgspec.structs.replace(eleven, counting=msgspec.structs.replace(eleven.counting, best=0))
    assert points_after(every, drivers, races) == {"Prost": 105, "Senna": 94}


def points_after(ruleset, drivers, races):
    return {row.player: row.points for row in season_table(ruleset, drivers, races).rows}


@pytest.mark.clause("SEA-PLACE-1", "SEA-PLACE-2")
def test_zug_2013_shared_places():
    """FIDE Grand Prix 2012-13, Zug: 170, 140, 110, then 90 down to 10; who is tied shares evenly.

    Standings: https://c4355.com/news/view/topalov-wins-2013-zug-grand-prix-5482, with 170 points for Topalov and 20 for
    Mamedyarov; 100 for Caruana in https://de.frwiki.wiki/wiki/Grand_Prix_FIDE_2012-2013.
    """
    grand_prix = by_place(170, 140, 110, 90, 80, 70, 60, 50, 40, 30, 20, 10, shared="mean")
    standings = (
        "Topalov Nakamura Ponomariov=Caruana Kamsky=Morozevich Karjakin=Giri=Leko Radjabov=Kasimdzhanov=Mamedyarov"
    )
    found = points(grand_prix, standings.replace("=", " "), placed(1, standings))
    assert found["Topalov"] == 170
    assert found["Nakamura"] == 140
    assert found["Ponomariov"] == found["Caruana"] == 100
    assert found["Kamsky"] == 75
    assert found["Giri"] == 50
    assert found["Radjabov"] == found["Mamedyarov"] == 20


@pytest.mark.clause("SEA-BEST", "SEA-SCORED")
def test_the_fide_grand_prix_of_2012_and_2013_counts_the_best_three():
    """Points in London, Tashkent, Zug, Thessaloniki, Beijing, Paris, and the best three of them.

    https://de.frwiki.wiki/wiki/Grand_Prix_FIDE_2012-2013
    """
    told = {
        "Topalov": (140, None, 170, 45, 100, None, 410),
        "Mamedyarov": (140, 80, 20, None, 170, None, 390),
        "Caruana": (None, 80, 100, 125, None, 155, 380),
        "Gelfand": (140, 30, None, None, 30, 155, 325),
        "Grischuk": (90, None, None, 85, 140, 75, 315),
    }
    series = [
        TournamentResults(
            f"t{stop + 1}", stop + 1, tuple(Result(name, 0, score) for name, score in there if score is not None)
        )
        for stop, there in enumerate([[(name, scores[stop]) for name, scores in told.items()] for stop in range(6)])
    ]
    best_three = msgspec.structs.replace(rules(counting={"best": 3}), points=ScorePoints(clause="X"))
    table = season_table(best_three, members(" ".join(told)), series)
    assert [(row.player, row.points) for row in table.rows] == [(name, scores[6]) for name, scores in told.items()]


@pytest.mark.clause("SEA-RATE-3")
def test_the_example_of_glickmans_paper():
    """1500/200 beats 1400/30 and loses to 1550/100 and 1700/300: 1464.06, 151.52, 0.05999.

    The paper rounds on the way (mu' -0.2069, phi' 0.8722); these are compared as it prints them.
    """
    games = [(1400, 30, "win"), (1550, 100, "loss"), (1700, 300, "loss")]
    found = rated(1500, 200, "0.06", "0.5", games)
    assert round(found.mu, 4) == Decimal("-0.2069")
    assert round(found.phi, 4) == Decimal("0.8722")
    assert round(found.rating - Decimal("1464.06"), 1) == 0
    assert round(found.deviation, 2) == Decimal("151.52")
    assert abs(found.sigma - Decimal("0.05999")) < Decimal("0.00001")
    assert round(round(found.mu, 4) * ratings.SCALE + 1500, 2) == Decimal("1464.06")


@pytest.mark.clause("SEA-RATE-3")
@pytest.mark.parametrize("case", GLICKO, ids=range(len(GLICKO)))
def test_another_implementation_finds_the_same(case):
    player, after = case["player"], case["after"]
    games = [(game["rating"], game["deviation"], game["outcome"]) for game in case["games"]]
    found = rated(player["rating"], player["deviation"], player["volatility"], case["tau"], games)
    assert round(found.rating, 4) == Decimal(after["rating"])
    assert round(found.deviation, 4) == Decimal(after["deviation"])
    assert round(found.sigma, 6) == Decimal(after["volatility"])


def rated(rating, deviation, volatility, tau, games) -> ratings.GlickoRating:
    player = ratings.scale_rating(Decimal(rating), Decimal(deviation), Decimal(volatility))
    met = []
    for other, possibly_stale, outcome in games:
        opponent = ratings.scale_rating(Decimal(other), Decimal(possibly_stale), Decimal("0.06"))
        met.append(ratings.RatedGame(opponent.mu, ratings.weigh(opponent.phi), outcome))
    return ratings.rate_games(player, met, Decimal(tau))


def test_fractional_points_stay_exact():
    two_for_three = by_place(10, 5, 0, shared="mean")
    assert points(two_for_three, "Ana Ben", placed(1, "Ana=Ben=Cy"))["Ana"] == 5
    assert points(two_for_three, "Ana Ben", placed(1, "Ana=Ben Cy"))["Ana"] == Fraction(15, 2)
