"""Recorded draws as the commands explain them: anybody can make them again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from shared.rules.model import Draw


def draw_as_value(draw: Draw, coins: Sequence[Draw] = ()) -> dict[str, Any]:
    """A draw for JSON: its inputs, which anybody can draw again, and the order that came out; a coin has no seed."""
    made_from = {"by": "coin"} if _is_coin(draw, coins) else {"seed": draw.seed}
    return {"purpose": draw.purpose, "round": draw.round, **made_from, "order": list(draw.order)}


def draws_as_lines(draws: Iterable[Draw], coins: Sequence[Draw] = ()) -> str:
    """The same as text, a line for each draw."""
    return "".join(
        f"coin: after round {draw.round}: {', '.join(draw.order)}\n"
        if _is_coin(draw, coins)
        else f"draw: seed {draw.seed!r}, purpose {draw.purpose}, round {draw.round}: {', '.join(draw.order)}\n"
        for draw in draws
    )


def _is_coin(draw: Draw, coins: Sequence[Draw]) -> bool:
    """Whether an order was entered; it may be cut down to those of them who are still tied."""
    about = draw.purpose, draw.round
    return any(about == (coin.purpose, coin.round) and set(draw.group) <= set(coin.group) for coin in coins)
