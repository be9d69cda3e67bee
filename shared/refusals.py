"""The base of every refusal: what a caller may be told no about, and how it is said."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import orjson

LONGEST_SAID = 120
"""Characters of a value that is said back."""

NOTHING = "nothing"
"""What a fault says was found where there is no value."""


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that is wrong: where it stands, what was found, what would be right, and the rule that says so.

    where: a JSON pointer into the request, or `file:row:column` of an input file; empty for the whole.
    said: the value itself, and never a sentence about it; `nothing` where there was none.
    """

    where: str
    said: str
    expected: str = ""
    clause: str = ""


class Refusal(Exception):
    """A command or an input that Muster refuses; nothing was appended.

    code: stable name of the kind of refusal (kebab-case), a class attribute; clients may switch on it.
    detail: one sentence for a person. faults: every fault found, not only the first.
    data: facts that the caller can act on (strings, integers, booleans, lists, objects).
    """

    code = "refused"

    def __init__(self, detail: str, faults: Sequence[Fault] = (), **data: object) -> None:
        super().__init__(detail)
        self.detail = detail
        self.faults = tuple(faults)
        self.data = data


def shown(value: object) -> str:
    """A value as short JSON text, to be said back to whoever sent it; what JSON has no form for as Python has it."""
    try:
        text = orjson.dumps(value, default=_plain).decode()
    except orjson.JSONEncodeError:
        text = repr(value)
    if not text.isprintable():
        text = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
    return text if len(text) <= LONGEST_SAID else text[: LONGEST_SAID - 1] + "…"


def as_said(value: object) -> str:
    """A value as a fault says it: text as it is, anything else as JSON; `nothing` where there is none."""
    if value is None or value == "":
        return "nothing"
    return value if isinstance(value, str) else shown(value)


def _plain(value: object) -> object:
    return msgspec.to_builtins(value) if isinstance(value, msgspec.Struct) else str(value)
