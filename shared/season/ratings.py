"""Ratings: Elo and Glicko-2, recomputed from all games of a season.

No binary floats: sums, quotients, roots, `exp` and `ln` use decimals of 20 digits, which Python rounds correctly and so
identically on every machine. Shown values are rounded half to even; values used in further steps are not.

Elo: Arpad E. Elo, The Rating of Chessplayers, Past and Present (1978); 400 points are odds of ten to one.
Source: SEA-RATE-1, SEA-RATE-2.

Glicko-2: rating, deviation and volatility after one period. The steps named below are those of Mark E. Glickman,
Example of the Glicko-2 system (2013 and 2022). Source: SEA-RATE-3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import NamedTuple

from shared.rules.model import Outcome
from shared.season.counting import identities, sort_tournaments
from shared.season.ruleset import Member, Rating, ShownRating, TournamentResults

SCALE = Decimal("173.7178")
"""Points of the shown scale in one unit of the Glicko-2 scale; 1500 is its zero (step 2)."""

_CENTRE = Decimal(1500)
_PI_SQUARED = Decimal("9.869604401089358618834490999876151135")
_CLOSE = Decimal("0.000001")
_SCORES: Mapping[Outcome, Decimal] = {"win": Decimal(1), "draw": Decimal("0.5"), "loss": Decimal(0)}


class GlickoRating(NamedTuple):
    """A player on the Glicko-2 scale: rating (mu), deviation (phi), volatility (sigma)."""

    mu: Decimal
    phi: Decimal
    sigma: Decimal

    @property
    def rating(self) -> Decimal:
        """The rating on the shown scale (step 8)."""
        return self.mu * SCALE + _CENTRE

    @property
    def deviation(self) -> Decimal:
        """The deviation on the shown scale (step 8)."""
        return self.phi * SCALE


class RatedGame(NamedTuple):
    """A game: the opponent's rating before the period, the weight of the opponent's deviation, and the outcome."""

    mu: Decimal
    weight: Decimal
    outcome: Outcome


def scale_rating(rating: Decimal, deviation: Decimal, volatility: Decimal) -> GlickoRating:
    """Return a shown rating on the Glicko-2 scale (step 2)."""
    return GlickoRating((rating - _CENTRE) / SCALE, deviation / SCALE, volatility)


def weigh(phi: Decimal) -> Decimal:
    """Return the weight of a game against an opponent with this deviation: g of step 3."""
    return 1 / (1 + 3 * phi * phi / _PI_SQUARED).sqrt()


def rate_games(player: GlickoRating, games: Iterable[RatedGame], tau: Decimal) -> GlickoRating:
    """Return the player's rating after a period with games (steps 3 to 7). tau: how fast volatility may change."""
    information, surplus = Decimal(0), Decimal(0)
    for game in games:
        odds = (game.weight * (game.mu - player.mu)).exp()  # odds against the player
        expected = 1 / (1 + odds)
        # expected * (1 - expected), written as a product that never rounds to 0
        information += game.weight * game.weight * expected * expected * odds
        surplus += game.weight * (_SCORES[game.outcome] - expected)
    variance = 1 / information
    sigma = _volatility(player, variance, variance * surplus, tau)
    phi = 1 / (1 / (player.phi * player.phi + sigma * sigma) + information).sqrt()
    return GlickoRating(player.mu + phi * phi * surplus, phi, sigma)


def widen_deviation(player: GlickoRating, periods: int) -> GlickoRating:
    """Return the player's rating after periods without games: the deviation grows (step 6)."""
    return player._replace(phi=(player.phi * player.phi + periods * player.sigma * player.sigma).sqrt())


def _volatility(player: GlickoRating, variance: Decimal, improvement: Decimal, tau: Decimal) -> Decimal:
    """Return the new volatility by the Illinois method (step 5)."""
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
        at_between = slope(between)
        if at_between * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, at_between
    return (low / 2).exp()


_TEN = Decimal("2.302585092994045684017991454684364208")
"""The natural logarithm of ten."""


def expected(rating: Decimal, opponent: Decimal) -> Decimal:
    """Return the expected score of a game, from 0 to 1."""
    return 1 / (1 + ((opponent - rating) * _TEN / 400).exp())


def elo_after(rating: Decimal, games: Iterable[tuple[Decimal, Outcome]], k: int) -> Decimal:
    """Return the rating after the games of a period. games: opponent's rating before it, and outcome."""
    return rating + k * sum((_SCORES[outcome] - expected(rating, opponent) for opponent, outcome in games), Decimal(0))


_ARITHMETIC = Context(prec=20, rounding=ROUND_HALF_EVEN)
"""The context of all rating arithmetic, independent of the surrounding program."""

_SHOWN, _VOLATILITY_SHOWN = Decimal("0.01"), Decimal("0.000001")

Games = Mapping[str, Sequence[tuple[str, Outcome]]]
"""Member -> opponents and outcomes in a period, sorted so that the order of input does not matter."""


def ratings_of(
    rating: Rating, members: Iterable[Member], tournaments: Iterable[TournamentResults]
) -> dict[str, ShownRating]:
    """Return the ratings of all members who played each other; empty if the season has no rating.

    Games between two members are rated, in every tournament of the season, even one that gives them no points. All
    games of a period use the ratings before it. Byes, forfeits and games against unclaimed entries are not rated.
    """
    if rating.system == "none":
        return {}
    periods = list(_periods(rating.period, list(members), sort_tournaments(tournaments)))
    played: dict[str, int] = {}
    for games in periods:
        for player, met in games.items():
            played[player] = played.get(player, 0) + len(met)
    with localcontext(_ARITHMETIC):
        values = _elo(rating, periods) if rating.system == "elo" else _glicko2(rating, periods)
        return {player: _shown(shown_rating, played[player]) for player, shown_rating in sorted(values.items())}


def _periods(length: int, members: Sequence[Member], tournaments: Sequence[TournamentResults]) -> Iterator[Games]:
    members_by_entry = identities(members)
    step = length or max(1, len(tournaments))
    for first in range(0, len(tournaments), step):
        games: dict[str, list[tuple[str, Outcome]]] = {}
        for gathered in tournaments[first : first + step]:
            for player, met in _games_of(gathered, members_by_entry):
                games.setdefault(player, []).append(met)
        yield {player: sorted(met) for player, met in games.items()}


def _games_of(
    gathered: TournamentResults, members_by_entry: Mapping[tuple[str, str], str]
) -> Iterator[tuple[str, tuple[str, Outcome]]]:
    for result in gathered.results:
        player = members_by_entry.get((gathered.tournament, result.entry))
        for game in result.games if player else ():
            opponent = members_by_entry.get((gathered.tournament, game.opponent))
            if player and opponent and opponent != player and game.kind == "game":
                yield player, (opponent, game.outcome)


def _elo(rating: Rating, periods: Iterable[Games]) -> dict[str, tuple[Decimal, ...]]:
    initial = Decimal(rating.initial)
    ratings: dict[str, Decimal] = {}
    for games in periods:
        before = dict(ratings)
        for player, met in games.items():
            against = [(before.get(other, initial), outcome) for other, outcome in met]
            ratings[player] = elo_after(before.get(player, initial), against, rating.k)
    return {player: (new_rating,) for player, new_rating in ratings.items()}


def _glicko2(rating: Rating, periods: Sequence[Games]) -> dict[str, tuple[Decimal, ...]]:
    new = scale_rating(Decimal(rating.initial), Decimal(rating.deviation), Decimal(rating.volatility))
    tau = Decimal(rating.tau)
    last: dict[str, tuple[int, GlickoRating]] = {}  # player -> last rated period, rating after it

    def at(period: int, player: str) -> GlickoRating:
        if player not in last:
            return new
        rated, standing = last[player]
        idle = period - rated if rating.idle == "widens" else 0
        return _after_idle_periods(standing, idle, new) if idle else standing

    for period, games in enumerate(periods):
        involved = {*games, *(other for met in games.values() for other, _ in met)}
        before = {player: at(period - 1, player) for player in involved}
        weight = {player: weigh(standing.phi) for player, standing in before.items()}
        for player, met in games.items():
            against = [RatedGame(before[other].mu, weight[other], outcome) for other, outcome in met]
            last[player] = period, rate_games(before[player], against, tau)
    now = {player: at(len(periods) - 1, player) for player in last}
    return {
        player: (player_rating.rating, player_rating.deviation, player_rating.sigma)
        for player, player_rating in now.items()
    }


def _after_idle_periods(player: GlickoRating, periods: int, new: GlickoRating) -> GlickoRating:
    """Return the rating after periods without games. The deviation never exceeds that of a new player."""
    rested = widen_deviation(player, periods)
    return rested._replace(phi=max(player.phi, min(rested.phi, new.phi)))


def _shown(values: Sequence[Decimal], games: int) -> ShownRating:
    rating, *glicko = values
    if not glicko:
        return ShownRating(str(rating.quantize(_SHOWN)), games)
    deviation, volatility = glicko
    return ShownRating(
        str(rating.quantize(_SHOWN)),
        games,
        str(deviation.quantize(_SHOWN)),
        str(volatility.quantize(_VOLATILITY_SHOWN)),
    )
