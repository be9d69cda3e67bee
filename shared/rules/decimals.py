"""Exact values as JSON: whole numbers stay numbers, fractions become decimal strings. No binary floats anywhere."""

from __future__ import annotations

from fractions import Fraction

from shared.rules.model import Value

PLACES = 6


def as_json(value: Value) -> int | str:
    """A whole number, or the decimal string of a fraction.

    Fractions that do not end within PLACES decimals are rounded half to even there; zeros at the end are left out.
    The exact fraction is what is compared when players are ranked, and what an explanation shows.
    """
    if value.denominator == 1:
        return value.numerator
    scaled = round(value * 10**PLACES)
    sign, digits = "-" if scaled < 0 else "", str(abs(scaled)).rjust(PLACES + 1, "0")
    whole, decimals = digits[:-PLACES], digits[-PLACES:].rstrip("0")
    return f"{sign}{whole}.{decimals}" if decimals else sign + whole


def exact(value: Value) -> str:
    """The value without rounding: `7`, `44/9`."""
    return str(value)


def as_text(value: Value) -> int | str:
    """A value without floats: whole, or "p/q"."""
    return int(value) if Fraction(value).denominator == 1 else f"{Fraction(value)}"


def as_value(text: int | str) -> Value:
    """The value that `as_text` wrote."""
    return text if isinstance(text, int) else Fraction(text)
