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

from shared.names import code_point, fault_of_name
from shared.refusals import Expected, expects, one_of
from shared.shapes import IDENTIFIER, YEARS

DIRECTION_CONTROLS = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
BLANK_LETTERS = frozenset(map(chr, (0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)))
"""Characters that count as letters or symbols and show nothing."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Mn", "Me", "Zs", "Zl", "Zp"})
_BROKEN = frozenset({"Cc", "Cs", "Zl", "Zp"})
_LONGEST_RAW = 20
"""A text more than so many times longer than allowed is not even normalised."""


class TextFault(ValueError):
    """A text that is not taken. fault: what is wrong with it."""

    def __init__(self, fault: Expected) -> None:
        super().__init__(str(fault))
        self.fault = fault


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
        raise TextFault(expects("characters-found", count=len(text)))
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise TextFault(expects("half-character"))
    kept = unicodedata.normalize("NFC", text).strip()
    seen = False
    for character in kept:
        if character in DIRECTION_CONTROLS:
            raise TextFault(expects("direction-character", character=code_point(character)))
        category = unicodedata.category(character)
        if character in "\r\n" and character not in allowed:
            raise TextFault(expects("line-break"))
        if category in _BROKEN and character not in allowed:
            raise TextFault(expects("control-character", character=code_point(character)))
        seen = seen or (category not in _UNSEEN and character not in BLANK_LETTERS)
    if kept and not seen:
        raise TextFault(expects("nothing-visible"))
    return kept


def _sized(kept: str, maximum: int, minimum: int) -> str:
    if not minimum <= len(kept) <= maximum:
        raise TextFault(expects("characters-found", count=len(kept)) if kept else expects("empty-text"))
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
        self.expected = expects("name-length", most=maximum)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError([self.expected])
        try:
            return one_line(value, self.maximum)
        except TextFault as error:
            raise ValidationError([expects("readable-text", text=self.expected, fault=error.fault)]) from None


class Text(fields.String):
    """Text of several lines, `minimum` to `maximum` characters."""

    def __init__(self, maximum: int, *, minimum: int = 0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum = minimum, maximum
        self.expected = expects("text-length", least=minimum, most=maximum)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError([self.expected])
        try:
            return many_lines(value, self.maximum, self.minimum)
        except TextFault as error:
            raise ValidationError([expects("readable-text", text=self.expected, fault=error.fault)]) from None


class Identifier(fields.String):
    """An id: 1 to 64 letters, digits, `_` and `-`, beginning with a letter or a digit."""

    expected = expects("id")
    pattern = f"^{IDENTIFIER}$"
    minimum, maximum = 1, 64

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if isinstance(value, str) and _IDENTIFIER.fullmatch(value):
            return value
        raise ValidationError([self.expected])


class WholeNumber(fields.Integer):
    """A whole number from `minimum` to `maximum`, both included, said as a JSON number without a fraction.

    text: its digits as text are taken, too.
    """

    def __init__(self, minimum: int = -LARGEST, maximum: int = LARGEST, *, text: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum, self.text = minimum, maximum, text
        within = expects("whole-number-range", least=minimum, most=maximum)
        self.expected = expects("whole-number") if (minimum, maximum) == (-LARGEST, LARGEST) else within

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        if self.text and isinstance(value, str) and _DIGITS.fullmatch(value):
            value = int(value)
        if type(value) is int and self.minimum <= value <= self.maximum:
            return value
        raise ValidationError([self.expected])


class QueryNumber(WholeNumber):
    """A whole number in an address, where everything is text."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        if isinstance(value, str) and _QUERY_NUMBER.fullmatch(value):
            value = int(value)
        return super()._deserialize(value, attr, data, **kwargs)


class Flag(fields.Boolean):
    """true or false, as JSON says them."""

    expected = expects("true-or-false")

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        if type(value) is bool:
            return value
        raise ValidationError([self.expected])


class Choice(fields.String):
    """One of a few words."""

    def __init__(self, *words: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.words = words
        self.expected = one_of(words)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if isinstance(value, str) and value in self.words:
            return value
        raise ValidationError([self.expected])


class Day(fields.Date):
    """A calendar day, RFC 3339 full-date; loads to `datetime.date`."""

    expected = expects("day-within", first_year=YEARS[0], last_year=YEARS[-1])

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> date:
        try:
            if isinstance(value, str) and _DAY.fullmatch(value) and (day := date.fromisoformat(value)).year in YEARS:
                return day
        except ValueError:
            pass
        raise ValidationError([self.expected])
