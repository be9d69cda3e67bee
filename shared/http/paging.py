"""Lists in pages: `?after=<cursor>&limit=<n>`, answered with `next` and a `Link` header with rel="next".

A cursor is opaque to clients: base64url of the JSON list of keys after which the next page begins. It holds no
secret and gives no right; a list checks its shape and otherwise treats it as any other input.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import orjson
from marshmallow import fields

from shared.http.current import this_request
from shared.http.fields import LARGEST, Answer, QueryNumber, Schema
from shared.http.refusals import InvalidCursor
from shared.refusals import Fault

DEFAULT_LIMIT = 50
LARGEST_LIMIT = 500
LONGEST_CURSOR = 1024

Keys = Sequence[str | int]


class PageQuery(Schema):
    """The part of an address that asks for a page; a list with filters adds its own members."""

    after = fields.String(metadata={"description": "Cursor: `next` of the page before; left out: the start."})
    limit = QueryNumber(
        1, LARGEST_LIMIT, load_default=DEFAULT_LIMIT, metadata={"description": "Most items of one page."}
    )


def encode_cursor(keys: Keys) -> str:
    """Return the cursor of the item with these keys."""
    return base64.urlsafe_b64encode(orjson.dumps(list(keys))).decode().rstrip("=")


def decode_cursor(cursor: str | None, shape: Sequence[type[str] | type[int]]) -> tuple[Any, ...] | None:
    """Return the keys after which a page begins, None for the start. shape: the types of the keys of this list.

    Raises InvalidCursor for anything that `encode_cursor` would not have given for such keys, for whole numbers
    beyond 2**53 - 1, and for texts with a NUL.
    """
    if cursor is None:
        return None
    if len(cursor) <= LONGEST_CURSOR and cursor.isascii():
        try:
            padding = "=" * (-len(cursor) % 4)
            keys = orjson.loads(base64.b64decode(cursor + padding, altchars=b"-_", validate=True))
        except (binascii.Error, ValueError):
            keys = None
        shaped = isinstance(keys, list) and [type(key) for key in keys] == list(shape)
        if shaped and all(map(_fits, keys)) and encode_cursor(keys) == cursor:
            return tuple(keys)
    raise InvalidCursor(
        "`after` is not a cursor of this list.",
        [Fault("after", cursor[:140], "`next` of the page before, unchanged")],
    )


def _fits(key: str | int) -> bool:
    """Say whether a database takes a key as it is."""
    return "\0" not in key if isinstance(key, str) else abs(key) <= LARGEST


def page(items: Sequence[Any], last: Keys | None) -> tuple[dict[str, object], int, dict[str, str]]:
    """Build the answer of a view: `{"items", "next"}` and the Link header.

    last: keys of the last item where there is more after it, None on the last page.
    """
    if last is None:
        return {"items": items, "next": None}, 200, {}
    cursor = encode_cursor(last)
    return {"items": items, "next": cursor}, 200, {"Link": next_link(cursor)}


def next_link(cursor: str) -> str:
    """Return the Link header (RFC 8288) to the page after this one; a token in the address is not repeated."""
    request = this_request()
    query = [(k, v) for k, v in request.args.items(multi=True) if k not in ("after", "token")]
    return f'<{request.path}?{urlencode([*query, ("after", cursor)])}>; rel="next"'


_PAGES: dict[type[Schema], type[Answer]] = {}


def page_of(item: type[Schema]) -> type[Answer]:
    """Return the schema of a page of items, for OpenAPI and for answering."""
    if item not in _PAGES:
        name = item.__name__.removesuffix("Schema") + "Page"
        members: Mapping[str, Any] = {
            "__doc__": f"One page of a list of {item.__name__.removesuffix('Schema')}.",
            "items": fields.List(fields.Nested(item), required=True),
            "next": fields.String(
                required=True, allow_none=True, metadata={"description": "Cursor of the next page; null: the end."}
            ),
        }
        _PAGES[item] = type(name, (Answer,), dict(members))
    return _PAGES[item]
