"""RFC 8785 canonical JSON for the values that events may hold: no floats, whole numbers that JSON readers keep."""

from __future__ import annotations

from typing import Any

import msgspec
import orjson

from shared.refusals import Expected, expects

LARGEST = 2**53 - 1
"""Whole numbers beyond this change their value in readers that hold numbers as binary floats (RFC 8785, 3.2.2.3)."""


DEEPEST = 64
"""Lists and objects inside one another; what is deeper overflows the stack of some reader."""


LONGEST_FOUND = 140
"""Characters of a value that is said back."""


class NotCanonical(ValueError):
    """A value that has no place in an event: a float, a huge number, a broken string, a key beyond ASCII.

    where: a JSON pointer. found: the value there, in short. expected: what would be right.
    """

    def __init__(self, where: str, what: str, found: object, expected: Expected) -> None:
        """what: is wrong, for the message."""
        super().__init__(f"{where or '/'}: {what}")
        self.where = where
        self.found = ascii(found)[:LONGEST_FOUND]
        self.expected = expected


def canonical(value: Any) -> str:
    """The canonical JSON text of strings, whole numbers, booleans, null, lists and objects (structs count as such).

    Keys are kept to ASCII, where the UTF-16 order that RFC 8785 asks for and the byte order are the same.
    Raises NotCanonical, naming what was found.
    """
    plain = msgspec.to_builtins(value)
    _check(plain, "", DEEPEST)
    return orjson.dumps(plain, option=orjson.OPT_SORT_KEYS).decode()


def is_canonical(text: str) -> bool:
    """Whether a JSON text is its own canonical form."""
    try:
        return orjson.dumps(orjson.loads(text), option=orjson.OPT_SORT_KEYS) == text.encode()
    except (ValueError, TypeError):
        return False


def _check(value: Any, where: str, levels: int) -> None:
    kind = type(value)
    if kind is str:
        if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise NotCanonical(where, "half a surrogate pair in a string", value, expects("whole-characters"))
    elif kind is int:
        if not -LARGEST <= value <= LARGEST:
            raise NotCanonical(where, f"{value} is beyond 2^53 - 1", value, expects("exact-number"))
    elif kind is dict or kind is list or kind is tuple:
        if not levels:
            right = expects("nesting-at-most", most=DEEPEST)
            raise NotCanonical(where, f"lists and objects more than {DEEPEST} deep", value, right)
        if kind is not dict:
            for index, member in enumerate(value):
                _check(member, f"{where}/{index}", levels - 1)
            return
        for key, member in value.items():
            if type(key) is not str or not key.isascii():
                raise NotCanonical(where, f"key {key!r} is not an ASCII string", key, expects("ascii-name"))
            _check(member, f"{where}/{key}", levels - 1)
    elif kind is not bool and value is not None:
        what = f"{kind.__name__} {value!r}; events hold no such values"
        raise NotCanonical(where, what, value, expects("value-of-event"))
