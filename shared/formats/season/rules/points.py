"""What a result in a tournament is worth in the season, before and after its weight.

Source: SEA-PLACE-1 to SEA-PLACE-3, SEA-PART, SEA-SCORED, SEA-WEIGHT, SEA-RESULT.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from shared.formats.season.rules import ruleset as pack
from shared.formats.season.rules.model import GamePlayed, Gathered, Result
from shared.rules.model import Value

_HALVES = pack.GameWorth(win=2, draw=1, loss=0, bye=2, clause="")
"""What a game counts in tiebreakers where points do not come from games: a win 2, a draw 1."""


def points_of(
    rules: pack.SeasonRuleset, gathered: Gathered, result: Result, place: int, sharing: int, field: int
) -> Value:
    """The points of a result, weighted; exact.

    place: that points are given for, 0: none. sharing: how many share it. field: how many players there were.
    """
    return _weighted(_unweighted(rules.points, gathered, result, place, sharing, field), weight_of(rules, gathered))


def weight_of(rules: pack.SeasonRuleset, gathered: Gathered) -> int:
    """Per cent: given by hand where the ruleset lets it be, otherwise of the tier, otherwise 100."""
    if gathered.weight is not None and rules.weights.by_hand:
        return gathered.weight
    return _of_tier(rules.weights, gathered.tier)


def game_worth(points: pack.SeasonPoints, format: str) -> pack.GameWorth:
    """What games of a tournament of a format are worth; halves where the season's points do not come from games."""
    return points.formats.get(format, points.games) if isinstance(points, pack.ResultPoints) else _HALVES


def worth_of_game(worth: pack.GameWorth, game: GamePlayed) -> int:
    """The points of one game: of a bye, of a game not played by this side, or of its outcome."""
    if game.kind == "bye":
        return worth.bye
    if game.kind == "forfeit" and game.outcome == "loss":
        return worth.forfeit
    return {"win": worth.win, "draw": worth.draw, "loss": worth.loss}[game.outcome]


def _of_tier(weights: pack.Weights, tier: str) -> int:
    return weights.tiers.get(tier, 100)


def _weighted(points: Value, weight: int) -> Value:
    return points if weight == 100 else _plain(Fraction(points) * weight / 100)


def _unweighted(
    points: pack.SeasonPoints, gathered: Gathered, result: Result, place: int, sharing: int, field: int
) -> Value:
    if isinstance(points, pack.PlacePoints):
        return points.participation + _of_place(points, place, sharing, field)
    if isinstance(points, pack.ResultPoints):
        worth = game_worth(points, gathered.format)
        return points.participation + sum(worth_of_game(worth, game) for game in result.games)
    return points.participation + result.score


def _of_place(points: pack.PlacePoints, place: int, sharing: int, field: int) -> Value:
    """Points of a place; a place outside the table, and none at all, brings nothing."""
    if place < 1:
        return 0
    places = _table(points.fields, field)
    if points.shared == "first":
        return _in_band(places, place)
    if points.shared == "last":
        return _in_band(places, place + sharing - 1)
    last = place + sharing - 1
    return _plain(Fraction(sum(band.points * _taken(band, place, last) for band in places), sharing))


def _table(fields: Sequence[pack.FieldClass], field: int) -> Sequence[pack.PlaceBand]:
    return next((one.places for one in fields if one.least <= field and (one.most is None or field <= one.most)), ())


def _in_band(places: Sequence[pack.PlaceBand], place: int) -> int:
    return next(
        (band.points for band in places if band.least <= place and (band.most is None or place <= band.most)), 0
    )


def _taken(band: pack.PlaceBand, first: int, last: int) -> int:
    """How many of the places from the first to the last are in a row of the table."""
    most = last if band.most is None else min(band.most, last)
    return max(0, most - max(band.least, first) + 1)


def _plain(value: Fraction) -> Value:
    return value.numerator if value.denominator == 1 else value
