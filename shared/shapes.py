"""Annotations for commands and answers: each is a struct whose annotations constrain and describe its members.

    class RuleResult(Command, frozen=True, kw_only=True):
        game: Id
        reason: Annotated[str, Text(500, minimum=1)]
        clause: Annotated[str, Text(40), "The clause of the ruleset, if there is one."] = ""

`shared/web/schema.py` derives loading, faults and OpenAPI from them. Decisions, records and audits use the structs
directly. A plain string among the annotations is the member's description. A member with a default is optional; one of
type `X | None` may be null; one of type `X | UnsetType` is UNSET if it was left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Struct

from shared.refusals import Expected

IDENTIFIER = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"
"""Pattern of ids. They appear in URLs, routing keys and event ids, so they have no dots and need no escaping."""

YEARS = range(1900, 3000)
"""Valid years of dates in requests; far enough from the limits of the calendar for date arithmetic."""


class Shape(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request or a part of it; unknown members are refused."""

    @staticmethod
    def wrong(said: Mapping[str, Any]) -> Mapping[str, Expected]:
        """Return member -> expectation for members that contradict each other. said: all loaded members."""
        return {}


class Command(Shape, frozen=True, kw_only=True):
    """A command to a service; its class name is an imperative."""


class Query(Shape, frozen=True, kw_only=True):
    """The query parameters of a URL, where every value is text."""


class View(Struct, frozen=True, kw_only=True):
    """An answer or a part of it; later versions may add members, and clients ignore unknown ones."""


class FreshRandom(Struct, frozen=True):
    """Random text that the service generates for each request; a preview cannot predict what depends on it."""


class Text(Struct, frozen=True):
    """Text that may have several lines; lengths in characters."""

    maximum: int
    minimum: int = 0


class Name(Struct, frozen=True):
    """The name of a person or thing: one visible line."""

    maximum: int = 100


class Identifier(Struct, frozen=True):
    """1 to 64 ASCII letters, digits, `-` and `_`."""


class Pattern(Struct, frozen=True):
    """Text that a regular expression matches as a whole. expected: the expectation of other text."""

    pattern: str
    expected: Expected


class Email(Struct, frozen=True):
    """An e-mail address."""


class Whole(Struct, frozen=True):
    """An integer between two inclusive limits. text: True if its digits are accepted as text, as in files and forms."""

    minimum: int
    maximum: int
    text: bool = False


class Size(Struct, frozen=True):
    """Inclusive limits of the number of members of a list or object, or of characters of a text."""

    maximum: int | None = None
    minimum: int | None = None


class Personal(Struct, frozen=True):
    """The value never enters an event, a command id or a log line."""


class OneOf(Struct, frozen=True):
    """One of several texts that are known only at startup; others use a `Literal`."""

    words: Sequence[str]


class Check(Struct, frozen=True):
    """A further condition. expected: returns the expectation of an invalid value, or None for a valid one."""

    expected: Callable[[Any], Expected | None]


class Open(Struct, frozen=True):
    """A member whose shape depends on the service. name: the key of the shape in the service's schema.

    An object that belongs to a format stays plain JSON; the decision validates it as the tournament's format requires.
    """

    name: str


class Documented(Struct, frozen=True):
    """Further JSON Schema keywords of a member."""

    more: Mapping[str, Any]

    def __hash__(self) -> int:
        return hash(tuple(self.more))


Id = Annotated[str, Identifier()]
Reason = Annotated[str, Text(500, minimum=1)]
"""The reason; it is public in the log."""
OptionalReason = Annotated[str, Text(500)]
TOTAL = "The total number on all pages, with these filters."
TableNumber = Annotated[int, Whole(1, 100_000, text=True), "The number shown on the table."]
Number = Annotated[int | str, "An integer, or a decimal as a string."]
