"""The one language of shapes: a command, or an answer, is a struct, and its annotations say what each member may be.

    class RuleResult(Command, frozen=True, kw_only=True):
        game: Id
        reason: Annotated[str, Text(500, minimum=1)]
        clause: Annotated[str, Text(40), "Of the ruleset, where one says so."] = ""

What a door does with it (loading, every fault at its place, OpenAPI) is derived by `shared/web/schema.py`; what needs
no door (deciding, the record, an audit) takes the struct as it is. A plain text among the annotations is the member's
description. A member with a default may be left out; one of the type `X | None` may be null; one that is `UNSET` where
it was left out is `X | UnsetType`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Struct

from shared.refusals import Expected

IDENTIFIER = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"
"""Ids that appear in addresses, routing keys and event ids; so neither dots nor anything that needs escaping."""


YEARS = range(1900, 3000)
"""Years of the days that come in: so far from the ends of the calendar that every sum of days has a date."""


class Shape(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What comes in, or a part of it: members that it does not know are refused."""

    @staticmethod
    def wrong(said: Mapping[str, Any]) -> Mapping[str, Expected]:
        """What is wrong with members beside each other: member -> what would be right. said: every member, loaded."""
        return {}


class Command(Shape, frozen=True, kw_only=True):
    """What a service is asked to do, in the imperative."""


class Query(Shape, frozen=True, kw_only=True):
    """What an address asks for behind its question mark, where every value is text."""


class View(Struct, frozen=True, kw_only=True):
    """What is answered, or a part of it: it may gain members later, and clients pass over those they do not know."""


class FreshRandom(Struct, frozen=True):
    """Random text that the service makes for each request: what follows from it is not foretold."""


class Text(Struct, frozen=True):
    """Text of several lines, in characters."""

    maximum: int
    minimum: int = 0


class Name(Struct, frozen=True):
    """What people or things are called: one visible line."""

    maximum: int = 100


class Identifier(Struct, frozen=True):
    """1 to 64 letters a-z, digits, `-` and `_`, as addresses have them."""


class Pattern(Struct, frozen=True):
    """Text that a regular expression matches from end to end. expected: what that is."""

    pattern: str
    expected: Expected


class Email(Struct, frozen=True):
    """An e-mail address."""


class Whole(Struct, frozen=True):
    """A whole number, both ends included. text: its digits are taken as text, too, as they stand in a file or form."""

    minimum: int
    maximum: int
    text: bool = False


class Size(Struct, frozen=True):
    """How many members a list or an object has, or characters a plain text; both ends included."""

    maximum: int | None = None
    minimum: int | None = None


class Personal(Struct, frozen=True):
    """The value never enters an event, a command id or a log line."""


class OneOf(Struct, frozen=True):
    """One of some texts that are known only where a door is made; elsewhere they are a `Literal`."""

    words: Sequence[str]


class Check(Struct, frozen=True):
    """What else must hold of a value. expected: of a value that is wrong what would be right; None for a right one."""

    expected: Callable[[Any], Expected | None]


class Open(Struct, frozen=True):
    """A member that each door has in a shape of its own. name: by which a door knows what it takes.

    An object of a format stays one of JSON values: whoever decides looks at it as the tournament's format does.
    """

    name: str


class Documented(Struct, frozen=True):
    """More that JSON Schema says of a member whose type says too little."""

    more: Mapping[str, Any]

    def __hash__(self) -> int:
        return hash(tuple(self.more))


Id = Annotated[str, Identifier()]
Reason = Annotated[str, Text(500, minimum=1)]
"""Why; it stands in the public log."""
OptionalReason = Annotated[str, Text(500)]
TOTAL = "How many there are in all pages, with these filters."
TableNumber = Annotated[int, Whole(1, 100_000, text=True), "As people read it on the table."]
Number = Annotated[int | str, "A whole number, or a decimal as a string."]
