"""Refusals and their faults: the base classes, expectations, and values in short form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import orjson

from shared.fault_texts import english

MAX_SHOWN_LENGTH = 120
"""Maximum characters of a value in a fault."""

HIDDEN = "***"
"""Replaces a value that may hold a secret."""
NOTHING = "nothing"
"""The found value of a fault if there is none."""


class Expected(msgspec.Struct, frozen=True, omit_defaults=True):
    """A valid value, described by a stable code (kebab-case) and the values of its sentence.

    The sentence of each code is in `locale/en.po`. data: name -> text, integer, another `Expected`, or a list of these;
    lists are joined with commas.
    """

    code: str
    data: Mapping[str, Any] = {}

    def __hash__(self) -> int:
        """Return a hash of the code; the data may hold lists."""
        return hash(self.code)

    def __str__(self) -> str:
        """Return the English sentence."""
        return english(self.code, self.data)


def expects(code: str, **data: object) -> Expected:
    """Return an expectation: a code of `locale/en.po` and the values of its sentence."""
    return Expected(code, data)


def one_of(values: Sequence[object]) -> Expected:
    """Return the expectation of one of these values: of exactly the value if there is one, of nothing if none."""
    if not values:
        return expects("nothing")
    return expects("value", value=values[0]) if len(values) == 1 else expects("one-of", values=list(values))


def either(choices: Sequence[object]) -> Expected:
    """Return the expectation of one of a few alternatives, each a value or an expectation: `text or a whole number`."""
    *others, last = choices
    if not others:
        return last if isinstance(last, Expected) else expects("value", value=last)
    return expects("or", first=either(others), second=last)


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """An invalid value: its place, the value, a valid value, and the clause of the rules.

    where: a JSON pointer into the request, or `file:row:column` of an input file; empty for the whole.
    said: the value itself, never a sentence about it; `nothing` if there was none.
    """

    where: str
    said: str
    expected: Expected
    clause: str = ""

    @property
    def code(self) -> str:
        """The code of the expectation, which identifies the kind of fault."""
        return self.expected.code

    @property
    def data(self) -> Mapping[str, Any]:
        """The values in the sentence that belongs to the code."""
        return self.expected.data


class Refusal(Exception):
    """A command or an input that Muster refuses; nothing was appended.

    code: stable name of the kind of refusal (kebab-case), a class attribute; clients may switch on it.
    detail: one sentence for people. faults: all faults, not only the first. data: facts that the caller can act on
    (strings, integers, booleans, lists, objects).
    """

    code = "refused"

    def __init__(self, detail: str, faults: Sequence[Fault] = (), **data: object) -> None:
        super().__init__(detail)
        self.detail = detail
        self.faults = tuple(faults)
        self.data = data


def to_short_json(value: object) -> str:
    """Return a value as shortened JSON, or as its `repr` if JSON cannot represent it."""
    try:
        text = orjson.dumps(value, default=_plain).decode()
    except orjson.JSONEncodeError:
        text = repr(value)
    if not text.isprintable():
        text = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
    return text if len(text) <= MAX_SHOWN_LENGTH else text[: MAX_SHOWN_LENGTH - 1] + "…"


def without_secret(url: str) -> str:
    """Return a URL, or HIDDEN if it may hold a password."""
    return HIDDEN if "@" in url or "password" in url.lower() else url


def display_text(value: object) -> str:
    """Return a value for a fault: text unchanged, other values as short JSON, `nothing` if there is none."""
    if value is None or value == "":
        return "nothing"
    return value if isinstance(value, str) else to_short_json(value)


def _plain(value: object) -> object:
    return msgspec.to_builtins(value) if isinstance(value, msgspec.Struct) else str(value)
