"""Ratings: rated games, periods, and reproducible digits."""

from __future__ import annotations

from decimal import ROUND_DOWN, Context, Decimal, localcontext

import msgspec
import pytest

from shared.season import ratings as rating_rules
from shared.season.ratings import expected, ratings_of
from shared.season.ruleset import Entered, GamePlayed, Member, Rating, Result, ShownRating, TournamentResults
from shared.season.table import season_table
from tests.season.rules.story import members, placed, played, rules

ELO = Rating(system="elo", k=20, clause="X")
GLICKO = Rating(system="glicko2", clause="X")


def ratings(rating: Rating, *gathered: TournamentResults, names: str = "Ana Ben Cy") -> dict[str, str]:
    return {player: found.rating for player, found in ratings_of(rating, members(names), gathered).items()}


@pytest.mark.clause("SEA-RATE-2")
@pytest.mark.parametrize(
    ("difference", "share"), [(0, "0.5000"), (100, "0.3599"), (200, "0.2403"), (400, "0.0909"), (-400, "0.9091")]
)
def test_expected_score_of_elo(difference, share):
    """400 points are odds of ten to one: 1/11 for the weaker side."""
    assert round(expected(Decimal(1500), Decimal(1500 + difference)), 4) == Decimal(share)


@pytest.mark.clause("SEA-RATE-2", "SEA-RATE-1")
def test_elo_uses_ratings_before_the_period():
    assert ratings(ELO, played(1, "Ana>Ben Ana>Cy")) == {"Ana": "1520.00", "Ben": "1490.00", "Cy": "1490.00"}
    second = ratings(ELO, played(1, "Ana>Ben Ana>Cy"), played(2, "Ben>Ana"))
    assert second == {"Ana": "1509.14", "Ben": "1500.86", "Cy": "1490.00"}
    both = msgspec.structs.replace(ELO, period=0)
    assert ratings(both, played(1, "Ana>Ben Ana>Cy"), played(2, "Ben>Ana")) == {
        "Ana": "1510.00",
        "Ben": "1500.00",
        "Cy": "1490.00",
    }
    assert ratings(msgspec.structs.replace(ELO, initial=1200, k=40), played(1, "Ana=Ben")) == {
        "Ana": "1200.00",
        "Ben": "1200.00",
    }


@pytest.mark.clause("SEA-RATE-3")
def test_glicko_deviation_and_volatility():
    found = ratings_of(GLICKO, members("Ana Ben"), [played(1, "Ana>Ben")])
    assert found == {
        "Ana": ShownRating("1662.31", 1, "290.32", "0.060000"),
        "Ben": ShownRating("1337.69", 1, "290.32", "0.060000"),
    }


@pytest.mark.clause("SEA-RATE-3")
def test_deviation_of_idle_members_grows_by_option():
    gathered = [played(1, "Ana>Ben"), played(2, "Ben>Cy"), played(3, "Ben>Cy")]
    widened = ratings_of(GLICKO, members("Ana Ben Cy"), gathered)["Ana"]
    stayed = ratings_of(msgspec.structs.replace(GLICKO, idle="stays"), members("Ana Ben Cy"), gathered)["Ana"]
    assert (stayed.deviation, widened.deviation) == ("290.32", "290.69")
    assert stayed.rating == widened.rating
    long = [played(1, "Ana>Ben"), *(placed(number, "Cy") for number in range(2, 2000))]
    assert ratings_of(GLICKO, members("Ana Ben"), long)["Ana"].deviation == "350.00"


@pytest.mark.clause("SEA-RATE-3")
def test_each_idle_period_increases_the_deviation_once():
    gathered = [played(1, "Ana>Ben"), played(2, "Cy"), played(3, "Ana>Ben")]
    found = ratings_of(GLICKO, members("Ana Ben"), gathered)["Ana"]
    tau, new = Decimal("0.5"), rating_rules.scale_rating(Decimal(1500), Decimal(350), Decimal("0.06"))
    met = rating_rules.RatedGame(new.mu, rating_rules.weigh(new.phi), "win")
    ana, ben = (
        rating_rules.widen_deviation(rating_rules.rate_games(new, [met._replace(outcome=how)], tau), 1)
        for how in ("win", "loss")
    )
    then = rating_rules.rate_games(ana, [rating_rules.RatedGame(ben.mu, rating_rules.weigh(ben.phi), "win")], tau)
    assert (found.rating, found.deviation) == (str(round(then.rating, 2)), str(round(then.deviation, 2)))
    assert found.games == 2


@pytest.mark.clause("SEA-RATE-3")
def test_parameters_of_glicko():
    upset = [played(number, "Ana>Ben " * 5) for number in (1, 2, 3)] + [played(4, "Ben>Ana " * 5)]
    slow, fast = (
        ratings_of(msgspec.structs.replace(GLICKO, tau=tau), members("Ana Ben"), upset)["Ana"] for tau in ("0.3", "1.2")
    )
    assert Decimal(slow.volatility) < Decimal(fast.volatility)
    sure = msgspec.structs.replace(GLICKO, deviation=50, volatility="0.04", initial=1800)
    assert ratings_of(sure, members("Ana Ben"), [played(1, "Ana>Ben")])["Ana"] == ShownRating(
        "1807.10", 1, "49.97", "0.040000"
    )


@pytest.mark.clause("SEA-RATE-3")
def test_fully_expected_result_changes_no_rating():
    """At 100,000 points apart a decimal of 20 digits takes the stronger side's share for 1."""
    strong, weak = (rating_rules.scale_rating(Decimal(rating), Decimal(50), Decimal("0.06")) for rating in (100_000, 0))
    met = rating_rules.RatedGame(weak.mu, rating_rules.weigh(weak.phi), "win")
    assert rating_rules.rate_games(strong, [met], Decimal("0.5")).rating == strong.rating


@pytest.mark.clause("SEA-RATE-1")
@pytest.mark.parametrize("rating", [ELO, GLICKO], ids=["elo", "glicko2"])
def test_only_games_between_two_members_are_rated(rating):
    games = (
        GamePlayed("win", kind="bye"),
        GamePlayed("win", "Ben", "forfeit"),
        GamePlayed("win", "Xia"),
        GamePlayed("win"),
    )
    told = TournamentResults(
        "t1", 1, (Result("Ana", 1, games=games), Result("Xia", 2, games=(GamePlayed("loss", "Ana"),)))
    )
    assert ratings_of(rating, members("Ana Ben"), [told]) == {}


@pytest.mark.clause("SEA-RATE-1", "SEA-ID")
def test_game_between_entries_of_one_member_is_not_rated():
    oneself = Member("Ana", (Entered("t1", "Ana"), Entered("t1", "Ben")))
    assert ratings_of(ELO, [oneself], [played(1, "Ana>Ben")]) == {}


@pytest.mark.clause("SEA-RATE-1")
@pytest.mark.parametrize("rating", [ELO, GLICKO], ids=["elo", "glicko2"])
def test_game_is_rated_if_only_one_side_lists_it(rating):
    """The other side of a game may be missing if the player is no longer listed in the tournament."""
    told = TournamentResults("t1", 1, (Result("Ana", 1, games=(GamePlayed("win", "Ben"),)),))
    assert list(ratings_of(rating, members("Ana Ben"), [told])) == ["Ana"]


@pytest.mark.clause("SEA-RATE-1")
def test_ratings_do_not_affect_ranks():
    gathered = [played(1, "Ana>Ben"), played(2, "Ana>Ben Cy>Ana")]
    for system in ("none", "elo", "glicko2"):
        league = rules("season-league", rating={"system": system}, divisions={"used": False})
        table = season_table(league, members("Ana Ben Cy"), gathered)
        assert [row.player for row in table.rows] == ["Ana", "Cy", "Ben"]
        assert [row.rating is None for row in table.rows] == [system == "none"] * 3
    assert table.row("Ana").rating.games == 3


@pytest.mark.clause("SEA-RATE-1")
@pytest.mark.parametrize(
    ("rating", "room", "name"),
    [(ELO, rating_rules, "elo_after"), (GLICKO, rating_rules, "rate_games")],
    ids=["elo", "glicko2"],
)
def test_arithmetic_has_twenty_digits(rating, room, name, monkeypatch):
    """An audit with fewer digits could round differently and report an honest log as forged."""
    found, after = [], getattr(room, name)

    def kept(*told):
        found.append(after(*told))
        return found[-1]

    monkeypatch.setattr(room, name, kept)
    ratings_of(rating, members("Ana Ben"), [played(1, "Ana>Ben"), played(2, "Ben>Ana"), played(3, "Ana=Ben")])
    numbers = [one if isinstance(one, Decimal) else one.phi for one in found]
    assert max(len(number.as_tuple().digits) for number in numbers) == 20


@pytest.mark.clause("SEA-RATE-1")
@pytest.mark.parametrize("rating", [ELO, GLICKO], ids=["elo", "glicko2"])
def test_surrounding_decimal_context_has_no_effect(rating):
    gathered = [played(1, "Ana>Ben Cy>Ben Ana=Cy"), played(2, "Ben>Ana Cy")]
    usual = ratings_of(rating, members("Ana Ben Cy"), gathered)
    with localcontext(Context(prec=6, rounding=ROUND_DOWN)):
        assert ratings_of(rating, members("Ana Ben Cy"), gathered) == usual
    backwards = [
        msgspec.structs.replace(
            one,
            results=tuple(
                msgspec.structs.replace(result, games=result.games[::-1]) for result in reversed(one.results)
            ),
        )
        for one in reversed(gathered)
    ]
    assert ratings_of(rating, members("Cy Ben Ana"), backwards) == usual


@pytest.mark.clause("SEA-RATE-1", "SEA-RATE-2", "SEA-RATE-3")
def test_active_members_are_not_idle():
    gathered = [played(1, "Ana>Ben"), played(2, "Ana>Ben")]
    widens, stays = (
        ratings_of(msgspec.structs.replace(GLICKO, idle=idle), members("Ana Ben"), gathered)
        for idle in ("widens", "stays")
    )
    assert widens == stays
