"""Ratings beside the points of a season, made again from all its games each time.

Nothing here is a binary float: sums, quotients, roots, `exp` and `ln` are decimals of 20 digits, which Python rounds
correctly and so alike on every machine. What is shown is rounded half to even; what is reckoned on with is not.

Elo: Arpad E. Elo, The Rating of Chessplayers, Past and Present (1978); 400 points are odds of ten to one.

Source: SEA-RATE-1, SEA-RATE-2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext

from shared.formats.season.rules import glicko2
from shared.formats.season.rules.counting import in_order
from shared.formats.season.rules.model import Gathered, Member, Rated
from shared.formats.season.rules.pieces import identities
from shared.formats.season.rules.ruleset import Rating
from shared.rules.model import Outcome

_SCORES: Mapping[Outcome, Decimal] = {"win": Decimal(1), "draw": Decimal("0.5"), "loss": Decimal(0)}

_TEN = Decimal("2.302585092994045684017991454684364208")
"""The natural logarithm of ten."""


def expected(rating: Decimal, opponent: Decimal) -> Decimal:
    """The share of a point that a game brings on average, from 0 to 1."""
    return 1 / (1 + ((opponent - rating) * _TEN / 400).exp())


def elo_after(rating: Decimal, games: Iterable[tuple[Decimal, Outcome]], k: int) -> Decimal:
    """The rating after games of one period. games: the opponent's rating before it, and the outcome."""
    return rating + k * sum((_SCORES[outcome] - expected(rating, other) for other, outcome in games), Decimal(0))


_ARITHMETIC = Context(prec=20, rounding=ROUND_HALF_EVEN)
"""What every rating is worked out with, whatever the program around it has set."""

_SHOWN, _VOLATILITY_SHOWN = Decimal("0.01"), Decimal("0.000001")

Games = Mapping[str, Sequence[tuple[str, Outcome]]]
"""Member -> whom they met in a period and how it ended, in an order that does not depend on how it was told."""


def ratings_of(rating: Rating, members: Iterable[Member], tournaments: Iterable[Gathered]) -> dict[str, Rated]:
    """The ratings of all members who played each other, after all tournaments; nothing where the season has none.

    Rated are games that were played, between two members, in every tournament of the season, whether it counts for
    their points or not. All games of a period are rated by what both sides had before it. Byes, forfeits, and games
    against entries that nobody has claimed are not rated.
    """
    if rating.system == "none":
        return {}
    periods = list(_periods(rating.period, list(members), in_order(tournaments)))
    played: dict[str, int] = {}
    for games in periods:
        for player, met in games.items():
            played[player] = played.get(player, 0) + len(met)
    with localcontext(_ARITHMETIC):
        shown = _elo(rating, periods) if rating.system == "elo" else _glicko2(rating, periods)
        return {player: _rated(one, played[player]) for player, one in sorted(shown.items())}


def _periods(length: int, members: Sequence[Member], tournaments: Sequence[Gathered]) -> Iterator[Games]:
    who = identities(members)
    step = length or max(1, len(tournaments))
    for first in range(0, len(tournaments), step):
        games: dict[str, list[tuple[str, Outcome]]] = {}
        for gathered in tournaments[first : first + step]:
            for player, met in _games_of(gathered, who):
                games.setdefault(player, []).append(met)
        yield {player: sorted(met) for player, met in games.items()}


def _games_of(gathered: Gathered, who: Mapping[tuple[str, str], str]) -> Iterator[tuple[str, tuple[str, Outcome]]]:
    for result in gathered.results:
        player = who.get((gathered.tournament, result.entry))
        for game in result.games if player else ():
            other = who.get((gathered.tournament, game.opponent))
            if player and other and other != player and game.kind == "game":
                yield player, (other, game.outcome)


def _elo(rating: Rating, periods: Iterable[Games]) -> dict[str, tuple[Decimal, ...]]:
    initial = Decimal(rating.initial)
    now: dict[str, Decimal] = {}
    for games in periods:
        before = dict(now)
        for player, met in games.items():
            against = [(before.get(other, initial), outcome) for other, outcome in met]
            now[player] = elo_after(before.get(player, initial), against, rating.k)
    return {player: (found,) for player, found in now.items()}


def _glicko2(rating: Rating, periods: Sequence[Games]) -> dict[str, tuple[Decimal, ...]]:
    new = glicko2.standing(Decimal(rating.initial), Decimal(rating.deviation), Decimal(rating.volatility))
    tau = Decimal(rating.tau)
    last: dict[str, tuple[int, glicko2.Standing]] = {}  # player -> the period rated last, and the rating after it

    def at(period: int, player: str) -> glicko2.Standing:
        if player not in last:
            return new
        rated, standing = last[player]
        idle = period - rated if rating.idle == "widens" else 0
        return _rested(standing, idle, new) if idle else standing

    for period, games in enumerate(periods):
        involved = {*games, *(other for met in games.values() for other, _ in met)}
        before = {player: at(period - 1, player) for player in involved}
        weight = {player: glicko2.weigh(standing.phi) for player, standing in before.items()}
        for player, met in games.items():
            against = [glicko2.Met(before[other].mu, weight[other], outcome) for other, outcome in met]
            last[player] = period, glicko2.after(before[player], against, tau)
    now = {player: at(len(periods) - 1, player) for player in last}
    return {player: (one.rating, one.deviation, one.sigma) for player, one in now.items()}


def _rested(player: glicko2.Standing, periods: int, new: glicko2.Standing) -> glicko2.Standing:
    """After periods without a game; nobody becomes less sure than somebody who has never played."""
    rested = glicko2.idle(player, periods)
    return rested._replace(phi=max(player.phi, min(rested.phi, new.phi)))


def _rated(shown: Sequence[Decimal], games: int) -> Rated:
    rating, *more = shown
    if not more:
        return Rated(str(rating.quantize(_SHOWN)), games)
    deviation, volatility = more
    return Rated(
        str(rating.quantize(_SHOWN)),
        games,
        str(deviation.quantize(_SHOWN)),
        str(volatility.quantize(_VOLATILITY_SHOWN)),
    )
