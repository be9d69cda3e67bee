"""Lists in pages: `?after=<cursor>&limit=<n>`, answered with `next` and a `Link` header with rel="next"; or as a file.

A cursor is opaque to clients: base64url of a JSON list, the digest of the list that gave it (service, operation, what
the address names, filters) and the keys after which the next page begins. It holds no secret and gives no right, and
nothing is kept of it; the digest is there so that a cursor which slipped into another list is refused, not misread.
Whoever asks with `Accept: text/csv` gets comma-separated values, whole if no limit is given.

A list in an order that may change, such as standings, is whole unless a page is asked for by `limit`, `after` or
`around`. Its cursor names the order that the page was cut from, so whoever reads page after page gets everybody once,
or is told to begin again; that other values in the same order have changed does no harm.

`?since=` takes the `version` that a list gave with its items, and answers what has changed since. A version is opaque,
as a cursor is: the digest of the list that gave it, and how far each log had been read. It gives no right.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from types import MappingProxyType
from typing import Annotated, Any, Generic, TypeVar
from urllib.parse import quote, urlencode

import orjson
from flask import Response
from marshmallow import Schema as MarshmallowSchema
from marshmallow import fields
from msgspec import UNSET, Struct, UnsetType

from shared.csv_cells import to_csv
from shared.refusals import Expected, Fault, Refusal, expects, one_of
from shared.shapes import TOTAL, Id, Query, View, Whole
from shared.web.auth import JSON_ALONE
from shared.web.refusals import InvalidCursor, MalformedSeen, NotAcceptable
from shared.web.request import this_edge, this_request
from shared.web.schema import LARGEST, Answer, Answering, Deferred, schema_of
from shared.web.versions import missing_positions, parse_seen, render_seen

DEFAULT_LIMIT = 50
LARGEST_LIMIT = 500
LONGEST_CURSOR = 1024
LIST_DIGITS = 12
"""Of the digest that names a list in its cursors."""

NEXT_CURSOR = expects("next-cursor")

NO_FILTERS = frozenset({"after", "around", "limit", "since", "token"})
"""Members of a query that do not say which list it is."""

Keys = Sequence[str | int]
Item = TypeVar("Item")


class Paged(Query, frozen=True, kw_only=True):
    """The part of an address that asks for a page; a list with filters adds its own members."""

    after: Annotated[str | UnsetType, "Cursor: `next` of the previous page; left out: the start."] = UNSET
    limit: Annotated[int, Whole(1, LARGEST_LIMIT), "Most items of one page."] = DEFAULT_LIMIT


class PagedOnRequest(Query, frozen=True, kw_only=True):
    """The part of an address that may ask for a page of a list which comes whole otherwise."""

    after: Annotated[str | UnsetType, "Cursor: `next` of the page before; left out: the start."] = UNSET
    limit: Annotated[
        int | UnsetType,
        Whole(1, LARGEST_LIMIT),
        f"Most items of one page; left out: all of them, or {DEFAULT_LIMIT} beside `after`.",
    ] = UNSET

    @property
    def most(self) -> int | None:
        """Items of the page at hand; None: all of them."""
        if self.limit is not UNSET:
            return self.limit
        return None if self.after is UNSET else DEFAULT_LIMIT


class Page(View, Generic[Item], frozen=True, kw_only=True):
    """One page of a list, for lists that say more than their items: `class GamesPage(Page[GameView], ...)`."""

    items: list[Item]
    next: Annotated[str | None, "Cursor of the next page; null: the end."]
    total: Annotated[int, TOTAL]


def encode_cursor(keys: Keys, of: str) -> str:
    """Return the cursor of the item with these keys. of: names the list."""
    return base64.urlsafe_b64encode(orjson.dumps([of, *keys])).decode().rstrip("=")


def decode_cursor(
    cursor: str | None,
    shape: Sequence[type[str] | type[int]],
    of: str,
    where: str = "/after",
    expected: Expected = NEXT_CURSOR,
) -> tuple[Any, ...] | None:
    """Return the keys after which a page begins, None for the start. shape: the types of the keys of the list `of`.

    where, expected: the member that the cursor stood in, and what it should have been. Raises InvalidCursor for
    anything that `encode_cursor` would not have given for such keys of this list, for whole numbers beyond 2**53 - 1,
    and for texts with a NUL.
    """
    if cursor is None:
        return None
    if len(cursor) <= LONGEST_CURSOR and cursor.isascii():
        try:
            padding = "=" * (-len(cursor) % 4)
            said = orjson.loads(base64.b64decode(cursor + padding, altchars=b"-_", validate=True))
        except (binascii.Error, ValueError):
            said = None
        if isinstance(said, list) and said[:1] == [of] and [type(key) for key in said[1:]] == list(shape):
            keys = said[1:]
            if all(map(_fits, keys)) and encode_cursor(keys, of) == cursor:
                return tuple(keys)
    raise InvalidCursor(f"`{where[1:]}` is not a cursor of this list.", [Fault(where, cursor[:140], expected)])


def parse_after(
    after: str | UnsetType,
    *shape: type[str] | type[int],
    where: str = "/after",
    expected: Expected = NEXT_CURSOR,
) -> tuple[Any, ...] | None:
    """Return the keys behind which the page of the request at hand begins, None for the start. As `decode_cursor`."""
    return decode_cursor(None if after is UNSET else after, shape, _list_at_hand(), where, expected)


def cursor_here(keys: Keys) -> str:
    """Return the cursor of the item with these keys, in the list that the request at hand asks for."""
    return encode_cursor(keys, _list_at_hand())


def _list_at_hand() -> str:
    """The digest of the list that the request at hand asks for."""
    request = this_request()
    filters = sorted((name, value) for name, value in request.args.items(multi=True) if name not in NO_FILTERS)
    named = [this_edge().service, request.endpoint, sorted((request.view_args or {}).items()), filters]
    return sha256(orjson.dumps(named)).hexdigest()[:LIST_DIGITS]


def _fits(key: str | int) -> bool:
    """Say whether a database takes a key as it is."""
    return "\0" not in key if isinstance(key, str) else abs(key) <= LARGEST


def page(items: Sequence[Any], last: Keys | None, total: int) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Build the answer of a view: `{"items", "next", "total"}` and the Link header.

    last: keys of the last item where there is more after it, None on the last page. total: items of all pages.
    """
    cursor, headers = next_page(last)
    return {"items": items, "next": cursor, "total": total}, 200, headers


def next_page(last: Keys | None) -> tuple[str | None, dict[str, str]]:
    """Return the cursor of the next page and the Link header, for a page with more members than `page` gives it.

    last: as for `page`; without it there is no next page.
    """
    cursor = None if last is None else cursor_here(last)
    return cursor, {} if cursor is None else {"Link": next_link(cursor)}


def single_page(items: Sequence[Any]) -> dict[str, Any]:
    """Build the answer of a list that always comes as one page."""
    return {"items": items, "next": None, "total": len(items)}


def next_link(after: str | int) -> str:
    """Return the Link header (RFC 8288) to the page after this one; a token in the address is not repeated.

    The address is whole, as the caller has it: by the header Host, or by X-Forwarded-* of proxies that are trusted.
    """
    request = this_request()
    query = [(k, v) for k, v in request.args.items(multi=True) if k not in ("after", "around", "token")]
    # Without a Host that can be one, the address is told without: RFC 8288 has it resolved by whoever asked.
    origin = f"{request.scheme}://{request.host}" if request.host else ""
    path = quote(request.root_path.rstrip("/") + request.path)
    return f'<{origin}{path}?{urlencode([*query, ("after", after)])}>; rel="next"'


def page_of(of: type[MarshmallowSchema] | type[Struct]) -> Deferred:
    """Return the shape of a page of items, for OpenAPI and for answering."""
    return Deferred(lambda: _page(of))


@cache
def _page(of: type[MarshmallowSchema] | type[Struct]) -> type[Answer]:
    derived = not issubclass(of, MarshmallowSchema)
    item = schema_of(of) if not issubclass(of, MarshmallowSchema) else of
    name = item.__name__.removesuffix("Schema")
    members: Mapping[str, Any] = {
        "__doc__": f"One page of a list of {name}.",
        "items": fields.List(fields.Nested(item), required=True),
        "next": fields.String(
            required=True, allow_none=True, metadata={"description": "Cursor of the next page; null: the end."}
        ),
        "total": fields.Integer(required=True, metadata={"description": TOTAL}),
    }
    return type(name + "Page", (Answering if derived else Answer,), dict(members))


CSV = "text/csv"
NO_HEADERS: Mapping[str, str] = MappingProxyType({})


def wants_csv() -> bool:
    """Whether the request at hand is answered with a file."""
    return this_request().edge.media == CSV


def page_limit(query: Paged) -> int | None:
    """Items of the page at hand; None: all of them, in a file for which no limit was given."""
    return None if wants_csv() and "limit" not in this_request().args else query.limit


def csv_answer(
    columns: Sequence[str], rows: Iterable[Mapping[str, object]], headers: Mapping[str, str] = NO_HEADERS
) -> Response:
    """The answer with these rows. headers: those of the page."""
    return Response(to_csv(columns, rows), headers=dict(headers), content_type=f"{CSV}; charset=utf-8")


ORDER_DIGITS = 16
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


class OrderPage(Struct, Generic[Item], frozen=True):
    """What of an order is shown. next: cursor of what follows, None at the end; total: how many there are in all."""

    items: Sequence[Item]
    next: str | None
    total: int

    @property
    def headers(self) -> dict[str, str]:
        """The Link header, where more follows."""
        return {"Link": next_link(self.next)} if self.next is not None else {}


def page_of_order(
    rows: Sequence[Item],
    query: Ordered,
    whose: Callable[[Sequence[Item]], Sequence[str]],
    missing: Callable[[str, list[Fault]], Refusal],
) -> OrderPage[Item]:
    """Cut what a query asks for out of an order.

    whose: rows -> the id of whom each is of; of several with spaces between. missing: refuses an `around` that no row
    has. Raises that, and InvalidCursor, also for a cursor of an order that is no more.
    """
    after = parse_after(query.after, int, str)
    if not query.paged:
        return OrderPage(rows, None, len(rows))
    limit = DEFAULT_LIMIT if query.limit is UNSET else query.limit
    order = whose(rows)
    digest = sha256("\n".join(order).encode()).hexdigest()[:ORDER_DIGITS]
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
    return OrderPage(rows[start:end], cursor_here((end, digest)) if end < len(rows) else None, len(rows))


def list_version(seen: Mapping[str, int]) -> str:
    """Return the version of the list that the request at hand asks for. seen: source -> position."""
    return cursor_here((render_seen(dict(sorted(seen.items()))),))


def parse_since(since: str | UnsetType, have: Mapping[str, int]) -> dict[str, int] | None:
    """Return how far each log had been read at the version asked for; None where nobody asked.

    have: how far each is read now. Raises InvalidCursor for a version of another list or tournament, and for one that
    is further than the logs are (data: `outdated`): those it came from were lost, so what it knows is none of these.
    """
    keys = parse_after(since, str, where="/since", expected=expects("list-version"))
    if keys is None:
        return None
    try:
        seen = parse_seen(keys[0])
    except MalformedSeen as error:
        raise _refused(str(since), expects("list-version")) from error
    if seen.keys() != have.keys() or missing_positions(seen, have):
        raise _refused(str(since), expects("new-list", ends=render_seen(have)), outdated=True)
    return seen


def require_json_for(since: str | UnsetType) -> None:
    """Refuse a file of what has changed: it has no place for who is gone. Raises NotAcceptable."""
    if since is not UNSET and wants_csv():
        said = "A file has no place for who is gone; ask for what has changed as JSON."
        raise NotAcceptable(said, [Fault("Accept", CSV, one_of(JSON_ALONE))], types=list(JSON_ALONE))


def removed_ids(changed: Iterable[str], shown: Iterable[str]) -> list[str]:
    """Return which of those that changed are not shown, in order."""
    return sorted(set(changed).difference(shown))


def exclusive_with_since(said: Mapping[str, object], *others: str) -> dict[str, Expected]:
    """Return what is wrong where `since` is asked for beside one of the other members."""
    beside = [name for name in others if said.get(name, UNSET) is not UNSET]
    if not beside or said.get("since", UNSET) is UNSET:
        return {}
    return {"since": expects("nothing-beside", member=beside[0])}


def _refused(since: str, expected: Expected, **data: object) -> InvalidCursor:
    return InvalidCursor(
        "`since` is no version that can be gone on from.", [Fault("/since", since[:140], expected)], **data
    )
