"""Ratings: Elo and Glicko-2, computed from all games of a season each time.

Nothing here is a binary float: sums, quotients, roots, `exp` and `ln` are decimals of 20 digits, which Python rounds
correctly and so alike on every machine. What is shown is rounded half to even; what is reckoned on with is not.

Elo: Arpad E. Elo, The Rating of Chessplayers, Past and Present (1978); 400 points are odds of ten to one.

Source: SEA-RATE-1, SEA-RATE-2.

Glicko-2: a rating, its deviation and its volatility after one period.

Source: Mark E. Glickman, Example of the Glicko-2 system (2013 and 2022), whose steps are named here.

Source: SEA-RATE-3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import NamedTuple

from shared.rules.model import Outcome
from shared.season.counting import identities, in_order
from shared.season.ruleset import Gathered, Member, Rated, Rating

SCALE = Decimal("173.7178")
"""Points of the shown scale in one of Glicko-2's own; 1500 is its zero. Step 2."""

_CENTRE = Decimal(1500)
_PI_SQUARED = Decimal("9.869604401089358618834490999876151135")
_CLOSE = Decimal("0.000001")
_SCORES: Mapping[Outcome, Decimal] = {"win": Decimal(1), "draw": Decimal("0.5"), "loss": Decimal(0)}


class Standing(NamedTuple):
    """A player on Glicko-2's own scale: rating (mu), deviation (phi), volatility (sigma)."""

    mu: Decimal
    phi: Decimal
    sigma: Decimal

    @property
    def rating(self) -> Decimal:
        """The rating as it is shown. Step 8."""
        return self.mu * SCALE + _CENTRE

    @property
    def deviation(self) -> Decimal:
        """The deviation as it is shown. Step 8."""
        return self.phi * SCALE


class Met(NamedTuple):
    """A game: the opponent's rating before the period, `weigh` of their deviation, and how it ended."""

    mu: Decimal
    weight: Decimal
    outcome: Outcome


def scale_rating(rating: Decimal, deviation: Decimal, volatility: Decimal) -> Standing:
    """A player as shown, on Glicko-2's own scale. Step 2."""
    return Standing((rating - _CENTRE) / SCALE, deviation / SCALE, volatility)


def weigh(phi: Decimal) -> Decimal:
    """How much a game against somebody with this deviation tells: g of step 3."""
    return 1 / (1 + 3 * phi * phi / _PI_SQUARED).sqrt()


def rate_games(player: Standing, games: Iterable[Met], tau: Decimal) -> Standing:
    """The player after a period with one game or more. tau: how fast volatility may change. Steps 3 to 7."""
    information, surplus = Decimal(0), Decimal(0)
    for game in games:
        odds = (game.weight * (game.mu - player.mu)).exp()  # against the player
        expected = 1 / (1 + odds)
        information += game.weight * game.weight * expected * expected * odds  # odds * expected: never rounded to 0
        surplus += game.weight * (_SCORES[game.outcome] - expected)
    variance = 1 / information
    sigma = _volatility(player, variance, variance * surplus, tau)
    phi = 1 / (1 / (player.phi * player.phi + sigma * sigma) + information).sqrt()
    return Standing(player.mu + phi * phi * surplus, phi, sigma)


def widen_deviation(player: Standing, periods: int) -> Standing:
    """The player after periods without a game: as good as before, and less surely so. Step 6."""
    return player._replace(phi=(player.phi * player.phi + periods * player.sigma * player.sigma).sqrt())


def _volatility(player: Standing, variance: Decimal, improvement: Decimal, tau: Decimal) -> Decimal:
    """The new volatility, found between two bounds by the Illinois method. Step 5."""
    start = 2 * player.sigma.ln()
    phi_squared, improved = player.phi * player.phi, improvement * improvement
    tau_squared = tau * tau

    def slope(x: Decimal) -> Decimal:
        power = x.exp()
        spread = phi_squared + variance + power
        return power * (improved - spread) / (2 * spread * spread) - (x - start) / tau_squared

    low, at_low = start, slope(start)
    if improved > phi_squared + variance:
        high = (improved - phi_squared - variance).ln()
        at_high = slope(high)
    else:
        high, at_high = start - tau, slope(start - tau)
        while at_high < 0:
            high -= tau
            at_high = slope(high)
    while abs(high - low) > _CLOSE:
        between = low + (low - high) * at_low / (at_high - at_low)
        found = slope(between)
        if found * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, found
    return (low / 2).exp()


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
    new = scale_rating(Decimal(rating.initial), Decimal(rating.deviation), Decimal(rating.volatility))
    tau = Decimal(rating.tau)
    last: dict[str, tuple[int, Standing]] = {}  # player -> the period rated last, and the rating after it

    def at(period: int, player: str) -> Standing:
        if player not in last:
            return new
        rated, standing = last[player]
        idle = period - rated if rating.idle == "widens" else 0
        return _rested(standing, idle, new) if idle else standing

    for period, games in enumerate(periods):
        involved = {*games, *(other for met in games.values() for other, _ in met)}
        before = {player: at(period - 1, player) for player in involved}
        weight = {player: weigh(standing.phi) for player, standing in before.items()}
        for player, met in games.items():
            against = [Met(before[other].mu, weight[other], outcome) for other, outcome in met]
            last[player] = period, rate_games(before[player], against, tau)
    now = {player: at(len(periods) - 1, player) for player in last}
    return {player: (one.rating, one.deviation, one.sigma) for player, one in now.items()}


def _rested(player: Standing, periods: int, new: Standing) -> Standing:
    """After periods without a game; nobody becomes less sure than somebody who has never played."""
    rested = widen_deviation(player, periods)
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
