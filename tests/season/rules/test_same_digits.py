"""Ratings have the same digits with decimals implemented in C and in Python, which share no code."""

from __future__ import annotations

import sys
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from pathlib import Path

import msgspec

from shared.season import ratings
from shared.season.ratings import ratings_of
from shared.season.ruleset import Member, Rating
from tests.programs import run_program
from tests.season.rules.story import members, played

SYSTEMS = [Rating(system="elo", clause="X"), Rating(system="glicko2", tau="1.2", volatility="0.12", clause="X")]
GAMES = [
    played(1, "Ana>Ben Ana>Cy Ben=Cy Di>Ana " + "Di>Ben " * 3),
    played(2, "Cy>Di Cy>Ana Ben"),
    played(3, "Ana>Di " * 6 + "Ben=Di"),
]
OF_PYTHON = """
import sys, _pydecimal
sys.modules["decimal"] = _pydecimal
from shared.season import ratings
from tests.season.rules.test_same_digits import ratings_as_text
assert ratings.Decimal is _pydecimal.Decimal
sys.stdout.write(ratings_as_text())
"""


def ratings_as_text() -> str:
    """Return the ratings of both systems as text, and one that is not rounded."""
    people: list[Member] = members("Ana Ben Cy Di")
    shown = msgspec.json.encode([ratings_of(system, people, GAMES) for system in SYSTEMS]).decode()
    with localcontext(Context(prec=20, rounding=ROUND_HALF_EVEN)):
        player = ratings.scale_rating(Decimal(1500), Decimal(200), Decimal("0.06"))
        met = [ratings.RatedGame(Decimal(number), ratings.weigh(Decimal(1)), "win") for number in (-1, 0, 2)]
        return shown + " ".join(map(str, ratings.rate_games(player, met, Decimal("0.5"))))


def test_ratings_are_equal_with_c_and_python_decimals():
    root = Path(__file__).parents[3]
    run = run_program([sys.executable, "-c", OF_PYTHON], cwd=root, capture_output=True, text=True, check=True)
    assert run.stdout == ratings_as_text()
    assert len(run.stdout) > 400
