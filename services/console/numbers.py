"""Numbers as people of a language write and type them: 1,234.5 in English and 1.234,5 in German."""

from __future__ import annotations

import re
from decimal import Decimal

from babel.numbers import NumberFormatError, format_decimal, parse_decimal

from services.console.language import locale

DECIMAL = re.compile(r"-?\d{1,30}(?:\.(\d{1,20}))?")
LEAST_WRITTEN = 4
"""Digits from which a whole number has a mark in it."""
MOST_DIGITS = 9
"""Of a number that somebody types."""


def number(value: object) -> str:
    """A number as the page writes it; a decimal keeps its digits behind the point. What is no number stays."""
    text = str(value)
    if len(text) < LEAST_WRITTEN and text.isdecimal():  # most of a table
        return text
    found = DECIMAL.fullmatch(text)
    if found is None or isinstance(value, bool):
        return text
    places = len(found[1] or "")
    pattern = "#,##0" + ("." + "0" * places if places else "")
    return format_decimal(Decimal(text), format=pattern, locale=locale())


def whole_number(typed: str) -> int | None:
    """A whole number as it was typed, with or without marks between its thousands; None for what is none."""
    if typed.isdecimal():
        return int(typed) if len(typed) <= MOST_DIGITS else None
    if len(typed) > 2 * MOST_DIGITS or not typed[:1].isdecimal():
        return None
    try:
        found = parse_decimal(typed, locale=locale(), strict=True)
    except NumberFormatError:
        return None
    return int(found) if found == int(found) and 0 <= found < 10**MOST_DIGITS else None
