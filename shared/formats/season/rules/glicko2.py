"""Glicko-2: a rating, how sure it is, and how much it swings, after one period.

Source: Mark E. Glickman, Example of the Glicko-2 system (2013 and 2022), whose steps are named here.

Source: SEA-RATE-3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import NamedTuple

from shared.rules.model import Outcome

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


def standing(rating: Decimal, deviation: Decimal, volatility: Decimal) -> Standing:
    """A player as shown, on Glicko-2's own scale. Step 2."""
    return Standing((rating - _CENTRE) / SCALE, deviation / SCALE, volatility)


def weigh(phi: Decimal) -> Decimal:
    """How much a game against somebody with this deviation tells: g of step 3."""
    return 1 / (1 + 3 * phi * phi / _PI_SQUARED).sqrt()


def after(player: Standing, games: Iterable[Met], tau: Decimal) -> Standing:
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


def idle(player: Standing, periods: int) -> Standing:
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
