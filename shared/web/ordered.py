"""Lists in an order that may change, such as standings: whole unless a page is asked for.

A page is asked for by `limit`, `after` or `around`. The cursor names the order that its page was cut from, so whoever
reads page after page gets everybody once, or is told to begin again; that other values in the same order have changed
does no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Annotated, Any, Generic, TypeVar

from msgspec import UNSET, Struct, UnsetType

from shared.refusals import Expected, Fault, Refusal, expects
from shared.shapes import Id, Query, Whole
from shared.web.paging import DEFAULT_LIMIT, LARGEST_LIMIT, begins_after, encoded_here, next_link
from shared.web.refusals import InvalidCursor

Item = TypeVar("Item")
DIGITS = 16
"""Of the digest of an order: whole order or another one, and nobody gains by making two alike."""


class Ordered(Query, frozen=True, kw_only=True):
    """The part of an address that may ask for a page of an order; a list with filters adds its own members."""

    after: Annotated[str | UnsetType, "Cursor: `next` of the previous page; left out: the start."] = UNSET
    limit: Annotated[
        int | UnsetType,
        Whole(1, LARGEST_LIMIT),
        f"Most items of one page; left out: all of them, or {DEFAULT_LIMIT} beside `after` and `around`.",
    ] = UNSET
    around: Annotated[Id | UnsetType, "The page that has this player in its middle."] = UNSET

    @staticmethod
    def wrong(said: Any) -> dict[str, Expected]:
        """A page begins behind a cursor or around a player, and not both."""
        both = said.get("after", UNSET) is not UNSET and said.get("around", UNSET) is not UNSET
        return {"around": expects("nothing-beside", member="after")} if both else {}

    @property
    def paged(self) -> bool:
        """Whether a page is asked for, and not the whole list."""
        return (self.after, self.limit, self.around) != (UNSET, UNSET, UNSET)


class Cut(Struct, Generic[Item], frozen=True):
    """What of an order is shown. next: cursor of what follows, None at the end; total: how many there are in all."""

    items: Sequence[Item]
    next: str | None
    total: int

    @property
    def headers(self) -> dict[str, str]:
        """The Link header, where more follows."""
        return {"Link": next_link(self.next)} if self.next is not None else {}


def cut(
    rows: Sequence[Item],
    query: Ordered,
    whose: Callable[[Sequence[Item]], Sequence[str]],
    missing: Callable[[str, list[Fault]], Refusal],
) -> Cut[Item]:
    """Cut what a query asks for out of an order.

    whose: rows -> the id of whom each is of; of several with spaces between. missing: refuses an `around` that no row
    has. Raises that, and InvalidCursor, also for a cursor of an order that is no more.
    """
    after = begins_after(query.after, int, str)
    if not query.paged:
        return Cut(rows, None, len(rows))
    limit = DEFAULT_LIMIT if query.limit is UNSET else query.limit
    order = whose(rows)
    digest = sha256("\n".join(order).encode()).hexdigest()[:DIGITS]
    start = 0
    if after is not None:
        start, of = after
        if of != digest or not 0 < start < len(rows):
            fault = Fault("/after", str(query.after)[:140], expects("new-first-page"))
            raise InvalidCursor("The order has changed since the previous page was read.", [fault], outdated=True)
    elif query.around is not UNSET:
        place = next((place for place, ids in enumerate(order) if query.around in ids.split()), None)
        if place is None:
            raise missing(query.around, [Fault("/around", query.around, expects("player-of-list"))])
        start = max(0, min(place - (limit - 1) // 2, len(rows) - limit))
    end = start + limit
    return Cut(rows[start:end], encoded_here((end, digest)) if end < len(rows) else None, len(rows))
