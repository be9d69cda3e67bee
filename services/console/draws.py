"""Recorded draws as the commands explain them: anybody can make them again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shared.rules.model import Draw


def draw_as_value(draw: Draw) -> dict[str, Any]:
    """A draw for JSON: its inputs, which anybody can draw again, and the order that came out."""
    return {"purpose": draw.purpose, "round": draw.round, "seed": draw.seed, "order": list(draw.order)}


def draws_as_lines(draws: Iterable[Draw]) -> str:
    """The same as text, a line for each draw."""
    return "".join(
        f"draw: seed {draw.seed!r}, purpose {draw.purpose}, round {draw.round}: {', '.join(draw.order)}\n"
        for draw in draws
    )
