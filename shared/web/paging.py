"""Lists in pages: `?after=<cursor>&limit=<n>`, answered with `next` and a `Link` header with rel="next"; or as a file.

A cursor is opaque to clients: base64url of a JSON list, the digest of the list that gave it (service, operation, what
the address names, filters) and the keys after which the next page begins. It holds no secret and gives no right, and
nothing is kept of it; the digest is there so that a cursor which slipped into another list is refused, not misread.
Whoever asks with `Accept: text/csv` gets comma-separated values, whole if no limit is given.
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

from shared.csv_cells import as_csv
from shared.refusals import Expected, Fault, expects
from shared.shapes import TOTAL, Query, View, Whole
from shared.web.derived import schema_of
from shared.web.fields import LARGEST, Answer
from shared.web.refusals import InvalidCursor
from shared.web.request import this_edge, this_request
from shared.web.schemas import Answering, Deferred

DEFAULT_LIMIT = 50
LARGEST_LIMIT = 500
LONGEST_CURSOR = 1024
DIGITS = 12
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


def begins_after(
    after: str | UnsetType,
    *shape: type[str] | type[int],
    where: str = "/after",
    expected: Expected = NEXT_CURSOR,
) -> tuple[Any, ...] | None:
    """Return the keys behind which the page of the request at hand begins, None for the start. As `decode_cursor`."""
    return decode_cursor(None if after is UNSET else after, shape, _list_at_hand(), where, expected)


def encoded_here(keys: Keys) -> str:
    """Return the cursor of the item with these keys, in the list that the request at hand asks for."""
    return encode_cursor(keys, _list_at_hand())


def _list_at_hand() -> str:
    """The digest of the list that the request at hand asks for."""
    request = this_request()
    filters = sorted((name, value) for name, value in request.args.items(multi=True) if name not in NO_FILTERS)
    named = [this_edge().service, request.endpoint, sorted((request.view_args or {}).items()), filters]
    return sha256(orjson.dumps(named)).hexdigest()[:DIGITS]


def _fits(key: str | int) -> bool:
    """Say whether a database takes a key as it is."""
    return "\0" not in key if isinstance(key, str) else abs(key) <= LARGEST


def page(
    items: Sequence[Any], last: Keys | None, total: int, kind: Callable[..., Any] = dict, **more: object
) -> tuple[Any, int, dict[str, str]]:
    """Build the answer of a view: `{"items", "next", "total"}` and the Link header.

    last: keys of the last item where there is more after it, None on the last page. total: items of all pages.
    kind: the struct of the page where it says more than that. more: those other members.
    """
    cursor = None if last is None else encoded_here(last)
    headers = {} if cursor is None else {"Link": next_link(cursor)}
    return kind(items=items, next=cursor, total=total, **more), 200, headers


def all_of(items: Sequence[Any]) -> dict[str, Any]:
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


def most_of(query: Paged) -> int | None:
    """Items of the page at hand; None: all of them, in a file for which no limit was given."""
    return None if wants_csv() and "limit" not in this_request().args else query.limit


def csv_answer(
    columns: Sequence[str], rows: Iterable[Mapping[str, object]], headers: Mapping[str, str] = NO_HEADERS
) -> Response:
    """The answer with these rows. headers: those of the page."""
    return Response(as_csv(columns, rows), headers=dict(headers), content_type=f"{CSV}; charset=utf-8")
