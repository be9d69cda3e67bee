"""Fields of the shapes at the door. Each says in `expected` what is right, for people and for OpenAPI alike.

Strict where marshmallow is kind: `1.0`, `"1"` and `true` are no whole numbers, `"yes"` is no truth value.

Names of every script, right-to-left ones and emoji are kept as they are (in NFC). Refused is what cannot be
shown or what changes how the text around it is shown: control characters, line breaks in a name, direction
overrides and isolates, lone surrogates, and text in which nothing is to be seen; in a name also what
`shared.names.fault_of_name` refuses.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Any

from marshmallow import EXCLUDE, RAISE, ValidationError, fields
from marshmallow import Schema as MarshmallowSchema

from shared.names import fault_of_name
from shared.shapes import IDENTIFIER, YEARS

DIRECTION_CONTROLS = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
BLANK_LETTERS = frozenset(map(chr, (0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)))
"""Characters that count as letters or symbols and show nothing."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Mn", "Me", "Zs", "Zl", "Zp"})
_BROKEN = frozenset({"Cc", "Cs", "Zl", "Zp"})
_LONGEST_RAW = 20
"""A text more than so many times longer than allowed is not even normalised."""


class TextFault(ValueError):
    """A text that is not taken; its message says what is wrong with it."""


def one_line(text: str, maximum: int, minimum: int = 1) -> str:
    """Return a text of one line as it is kept: NFC, without white space around it.

    minimum, maximum: characters (code points) after that. Raises TextFault.
    """
    if text.isascii() and text.isprintable():
        kept = text.strip()
        return _sized(kept, maximum, minimum)
    kept = _sized(_normal(text, maximum, ""), maximum, minimum)
    if fault := fault_of_name(kept):
        raise TextFault(fault)
    return kept


def many_lines(text: str, maximum: int, minimum: int = 0) -> str:
    """Return a text of several lines as it is kept: line ends are `\\n`, tabs stay. Else as `one_line`."""
    return _sized(_normal(text.replace("\r\n", "\n").replace("\r", "\n"), maximum, "\n\t"), maximum, minimum)


def _normal(text: str, maximum: int, allowed: str) -> str:
    if len(text) > maximum * _LONGEST_RAW:
        raise TextFault(f"it has {len(text)} characters")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise TextFault("it has half of a character (a lone surrogate)")
    kept = unicodedata.normalize("NFC", text).strip()
    seen = False
    for character in kept:
        if character in DIRECTION_CONTROLS:
            raise TextFault(f"it has a character that changes direction (U+{ord(character):04X})")
        category = unicodedata.category(character)
        if character in "\r\n" and character not in allowed:
            raise TextFault("it has a line break")
        if category in _BROKEN and character not in allowed:
            raise TextFault(f"it has a control character (U+{ord(character):04X})")
        seen = seen or (category not in _UNSEEN and character not in BLANK_LETTERS)
    if kept and not seen:
        raise TextFault("nothing in it can be seen")
    return kept


def _sized(kept: str, maximum: int, minimum: int) -> str:
    if len(kept) > maximum:
        raise TextFault(f"it has {len(kept)} characters")
    if len(kept) < minimum:
        raise TextFault("it is empty" if not kept else f"it has {len(kept)} characters")
    return kept


LARGEST = 2**53 - 1
"""Largest whole number that every JSON reader keeps exact."""

PERSONAL = MappingProxyType({"x-personal": True})
"""Metadata of a field whose value never enters an event, a command id or a log line; OpenAPI shows it."""

_IDENTIFIER = re.compile(IDENTIFIER)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
DIGITS = r"[1-9][0-9]{0,15}"
_DIGITS = re.compile(DIGITS)
_QUERY_NUMBER = re.compile(r"-?\d{1,16}", re.ASCII)


class Schema(MarshmallowSchema):
    """A shape at the door: unknown members are refused; all faults are reported together.

    The docstring of a schema is its description in OpenAPI.
    """

    class Meta:
        unknown = RAISE


class Answer(Schema):
    """A shape of an answer: it may gain members later, and clients pass over those that they do not know."""

    class Meta:
        unknown = EXCLUDE


class Name(fields.String):
    """What people or things are called: one visible line, `maximum` characters at most."""

    def __init__(self, *, maximum: int = 100, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum = 1, maximum
        self.expected = f"a name of 1 to {maximum} characters on one line"

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError(self.expected)
        try:
            return one_line(value, self.maximum)
        except TextFault as fault:
            raise ValidationError(f"{self.expected}; {fault}") from None


class Text(fields.String):
    """Text of several lines, `minimum` to `maximum` characters."""

    def __init__(self, maximum: int, *, minimum: int = 0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum = minimum, maximum
        self.expected = f"text of {minimum} to {maximum} characters"

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError(self.expected)
        try:
            return many_lines(value, self.maximum, self.minimum)
        except TextFault as fault:
            raise ValidationError(f"{self.expected}; {fault}") from None


class Identifier(fields.String):
    """An id: 1 to 64 letters, digits, `_` and `-`, beginning with a letter or a digit."""

    expected = "an id of 1 to 64 letters a-z, digits, - and _"
    pattern = f"^{IDENTIFIER}$"
    minimum, maximum = 1, 64

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if isinstance(value, str) and _IDENTIFIER.fullmatch(value):
            return value
        raise ValidationError(self.expected)


class WholeNumber(fields.Integer):
    """A whole number from `minimum` to `maximum`, both included, said as a JSON number without a fraction.

    text: its digits as text are taken, too.
    """

    def __init__(self, minimum: int = -LARGEST, maximum: int = LARGEST, *, text: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum, self.text = minimum, maximum, text
        self.expected = "a whole number" + (
            f" from {minimum} to {maximum}" if (minimum, maximum) != (-LARGEST, LARGEST) else ""
        )

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        if self.text and isinstance(value, str) and _DIGITS.fullmatch(value):
            value = int(value)
        if type(value) is int and self.minimum <= value <= self.maximum:
            return value
        raise ValidationError(self.expected)


class QueryNumber(WholeNumber):
    """A whole number in an address, where everything is text."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        if isinstance(value, str) and _QUERY_NUMBER.fullmatch(value):
            value = int(value)
        return super()._deserialize(value, attr, data, **kwargs)


class Flag(fields.Boolean):
    """true or false, as JSON says them."""

    expected = "true or false"

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        if type(value) is bool:
            return value
        raise ValidationError(self.expected)


class Choice(fields.String):
    """One of a few words."""

    def __init__(self, *words: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.words = words
        self.expected = "one of: " + ", ".join(words)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if isinstance(value, str) and value in self.words:
            return value
        raise ValidationError(self.expected)


class Day(fields.Date):
    """A calendar day, RFC 3339 full-date; loads to `datetime.date`."""

    expected = f"a day as YYYY-MM-DD, from {YEARS[0]} to {YEARS[-1]}, for example 2026-03-31"

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> date:
        try:
            if isinstance(value, str) and _DAY.fullmatch(value) and (day := date.fromisoformat(value)).year in YEARS:
                return day
        except ValueError:
            pass
        raise ValidationError(self.expected)
