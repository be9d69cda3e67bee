"""Paged lists: `?after=<cursor>&limit=<n>`, answered with `next` and a `Link` header with rel="next"; also as CSV.

A cursor is opaque to clients: base64url of a JSON list with the digest of its list (service, operation, address,
filters) and the keys of the last item. It holds no secret, grants nothing and is not stored. The digest lets a cursor
of another list be refused instead of misread. With `Accept: text/csv` the answer is a CSV file, without pages unless
`limit` is given.

A list whose order may change, such as standings, is answered whole unless `limit`, `after` or `around` is given. Its
cursor holds a digest of the order. So a client that reads page after page sees each item once, or is told to start
again if the order has changed. Changed values in the same order do not matter.

`?since=` takes the `version` of an earlier answer, and returns the changes since. A version is opaque like a cursor:
the digest of its list, and the positions of all logs read for it.
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
"""Length of the digest that identifies a list in its cursors."""

NEXT_CURSOR = expects("next-cursor")

NO_FILTERS = frozenset({"after", "around", "limit", "since", "token"})
"""Query parameters that do not identify the list."""

Keys = Sequence[str | int]
Item = TypeVar("Item")


class Paged(Query, frozen=True, kw_only=True):
    """The query of a paged list; a list with filters adds its own members."""

    after: Annotated[str | UnsetType, "Cursor: `next` of the previous page; absent: the start."] = UNSET
    limit: Annotated[int, Whole(1, LARGEST_LIMIT), "Maximum number of items."] = DEFAULT_LIMIT


class PagedOnRequest(Query, frozen=True, kw_only=True):
    """The query of a list that is answered whole unless a page is requested."""

    after: Annotated[str | UnsetType, "Cursor: `next` of the previous page; absent: the start."] = UNSET
    limit: Annotated[
        int | UnsetType,
        Whole(1, LARGEST_LIMIT),
        f"Maximum number of items. Default: all; with `after`: {DEFAULT_LIMIT}.",
    ] = UNSET

    @property
    def most(self) -> int | None:
        """The maximum number of items; None: all."""
        if self.limit is not UNSET:
            return self.limit
        return None if self.after is UNSET else DEFAULT_LIMIT


class Page(View, Generic[Item], frozen=True, kw_only=True):
    """One page of a list, as a base for pages with further members: `class GamesPage(Page[GameView], ...)`."""

    items: list[Item]
    next: Annotated[str | None, "Cursor of the next page; null: the end."]
    total: Annotated[int, TOTAL]


def encode_cursor(keys: Keys, of: str) -> str:
    """Return the cursor of the item with these keys. of: the digest of the list."""
    return base64.urlsafe_b64encode(orjson.dumps([of, *keys])).decode().rstrip("=")


def decode_cursor(
    cursor: str | None,
    shape: Sequence[type[str] | type[int]],
    of: str,
    where: str = "/after",
    expected: Expected = NEXT_CURSOR,
) -> tuple[Any, ...] | None:
    """Return the keys after which a page starts, None for the start. shape: the types of the keys. of: as above.

    where, expected: for the fault. Raises InvalidCursor for anything that `encode_cursor` cannot have returned for this
    list, for integers beyond 2**53 - 1, and for strings with a NUL.
    """
    if cursor is None:
        return None
    if len(cursor) <= LONGEST_CURSOR and cursor.isascii():
        try:
            padding = "=" * (-len(cursor) % 4)
            decoded = orjson.loads(base64.b64decode(cursor + padding, altchars=b"-_", validate=True))
        except (binascii.Error, ValueError):
            decoded = None
        if isinstance(decoded, list) and decoded[:1] == [of] and [type(key) for key in decoded[1:]] == list(shape):
            keys = decoded[1:]
            if all(map(_is_storable, keys)) and encode_cursor(keys, of) == cursor:
                return tuple(keys)
    raise InvalidCursor(f"`{where[1:]}` is not a cursor of this list.", [Fault(where, cursor[:140], expected)])


def parse_after(
    after: str | UnsetType,
    *shape: type[str] | type[int],
    where: str = "/after",
    expected: Expected = NEXT_CURSOR,
) -> tuple[Any, ...] | None:
    """Return the keys after which the requested page starts, None for the start. See `decode_cursor`."""
    return decode_cursor(None if after is UNSET else after, shape, _list_digest(), where, expected)


def cursor_here(keys: Keys) -> str:
    """Return the cursor of the item with these keys, in the list of the current request."""
    return encode_cursor(keys, _list_digest())


def _list_digest() -> str:
    """Return the digest of the list of the current request."""
    request = this_request()
    filters = sorted((name, value) for name, value in request.args.items(multi=True) if name not in NO_FILTERS)
    named = [this_edge().service, request.endpoint, sorted((request.view_args or {}).items()), filters]
    return sha256(orjson.dumps(named)).hexdigest()[:LIST_DIGITS]


def _is_storable(key: str | int) -> bool:
    """Return True if a database accepts the key unchanged."""
    return "\0" not in key if isinstance(key, str) else abs(key) <= LARGEST


def page(items: Sequence[Any], last: Keys | None, total: int) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Return the answer of a paged list: `{"items", "next", "total"}` and the Link header.

    last: the keys of the last item if more follow, else None. total: the number of items of all pages.
    """
    cursor, headers = next_page(last)
    return {"items": items, "next": cursor, "total": total}, 200, headers


def next_page(last: Keys | None) -> tuple[str | None, dict[str, str]]:
    """Return the cursor and the Link header of the next page. last: keys of the last item, None on the last page."""
    cursor = None if last is None else cursor_here(last)
    return cursor, {} if cursor is None else {"Link": next_link(cursor)}


def single_page(items: Sequence[Any]) -> dict[str, Any]:
    """Return the answer of a list that always has one page."""
    return {"items": items, "next": None, "total": len(items)}


def next_link(after: str | int) -> str:
    """Return the Link header (RFC 8288) to the next page. A token in the address is not repeated.

    The address is absolute, from the header Host, or from X-Forwarded-* of trusted proxies.
    """
    request = this_request()
    query = [(k, v) for k, v in request.args.items(multi=True) if k not in ("after", "around", "token")]
    # Without a valid Host the address is relative; the client resolves it (RFC 8288).
    origin = f"{request.scheme}://{request.host}" if request.host else ""
    path = quote(request.root_path.rstrip("/") + request.path)
    return f'<{origin}{path}?{urlencode([*query, ("after", after)])}>; rel="next"'


def page_of(of: type[MarshmallowSchema] | type[Struct]) -> Deferred:
    """Return the schema of a page of items."""
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
    """Return True if the current request is answered with a CSV file."""
    return this_request().edge.media == CSV


def page_limit(query: Paged) -> int | None:
    """Return the maximum number of items; None for a CSV file without `limit`: all."""
    return None if wants_csv() and "limit" not in this_request().args else query.limit


def csv_answer(
    columns: Sequence[str], rows: Iterable[Mapping[str, object]], headers: Mapping[str, str] = NO_HEADERS
) -> Response:
    """Return these rows as a CSV file. headers: those of the page."""
    return Response(to_csv(columns, rows), headers=dict(headers), content_type=f"{CSV}; charset=utf-8")


ORDER_DIGITS = 16
"""Length of the digest of an order. A collision would harm no one, so it may be short."""


class Ordered(Query, frozen=True, kw_only=True):
    """The query of a list whose order may change; a list with filters adds its own members."""

    after: Annotated[str | UnsetType, "Cursor: `next` of the previous page; absent: the start."] = UNSET
    limit: Annotated[
        int | UnsetType,
        Whole(1, LARGEST_LIMIT),
        f"Maximum number of items. Default: all; with `after` or `around`: {DEFAULT_LIMIT}.",
    ] = UNSET
    around: Annotated[Id | UnsetType, "Return the page with this player in the middle."] = UNSET

    @staticmethod
    def wrong(said: Any) -> dict[str, Expected]:
        """Refuse `around` together with `after`."""
        both = said.get("after", UNSET) is not UNSET and said.get("around", UNSET) is not UNSET
        return {"around": expects("nothing-beside", member="after")} if both else {}

    @property
    def is_paged(self) -> bool:
        """True if a page is requested instead of the whole list."""
        return (self.after, self.limit, self.around) != (UNSET, UNSET, UNSET)


class OrderPage(Struct, Generic[Item], frozen=True):
    """A page of an order. next: cursor of the next page, None at the end. total: the number of items of all pages."""

    items: Sequence[Item]
    next: str | None
    total: int

    @property
    def headers(self) -> dict[str, str]:
        """The Link header, if there is a next page."""
        return {"Link": next_link(self.next)} if self.next is not None else {}


def page_of_order(
    rows: Sequence[Item],
    query: Ordered,
    whose: Callable[[Sequence[Item]], Sequence[str]],
    missing: Callable[[str, list[Fault]], Refusal],
) -> OrderPage[Item]:
    """Return the requested page of an order.

    whose: returns the id of each row; several ids are separated by spaces. missing: returns the refusal for an `around`
    that is in no row. Raises that refusal, and InvalidCursor, also if the order has changed.
    """
    after = parse_after(query.after, int, str)
    if not query.is_paged:
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
    """Return the version of the list of the current request. seen: source -> position."""
    return cursor_here((render_seen(dict(sorted(seen.items()))),))


def parse_since(since: str | UnsetType, have: Mapping[str, int]) -> dict[str, int] | None:
    """Return the positions that the version in `since` had read, None without `since`.

    have: the positions read now. Raises InvalidCursor for a version of another list or tournament, and for a version
    ahead of the logs (data: `outdated`): its events were lost.
    """
    keys = parse_after(since, str, where="/since", expected=expects("list-version"))
    if keys is None:
        return None
    try:
        seen = parse_seen(keys[0])
    except MalformedSeen as error:
        raise _invalid_since(str(since), expects("list-version")) from error
    if seen.keys() != have.keys() or missing_positions(seen, have):
        raise _invalid_since(str(since), expects("new-list", ends=render_seen(have)), outdated=True)
    return seen


def require_json_for(since: str | UnsetType) -> None:
    """Raise NotAcceptable for `since` as CSV: a CSV file cannot list removed ids."""
    if since is not UNSET and wants_csv():
        detail = "A file has no place for who is gone; ask for what has changed as JSON."
        raise NotAcceptable(detail, [Fault("Accept", CSV, one_of(JSON_ALONE))], types=list(JSON_ALONE))


def removed_ids(changed: Iterable[str], shown: Iterable[str]) -> list[str]:
    """Return the changed ids that are not shown, sorted."""
    return sorted(set(changed).difference(shown))


def exclusive_with_since(query: Mapping[str, object], *others: str) -> dict[str, Expected]:
    """Return a fault if `since` is used together with one of the other members, else nothing."""
    used = [name for name in others if query.get(name, UNSET) is not UNSET]
    if not used or query.get("since", UNSET) is UNSET:
        return {}
    return {"since": expects("nothing-beside", member=used[0])}


def _invalid_since(since: str, expected: Expected, **data: object) -> InvalidCursor:
    return InvalidCursor(
        "`since` is no version that can be gone on from.", [Fault("/since", since[:140], expected)], **data
    )
