"""Idempotency-Key: a repeated request takes effect once and gets the same answer.

A command id is `<key>~<fingerprint>`. The fingerprint identifies the request, so the log distinguishes a repeated
request (same id) from a key that was used for something else (same key, other fingerprint).

Command ids are public with the log. So fingerprints are keyed, which prevents guessing, and they exclude personal
members, so that the keys reveal nothing about erased data.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable
from typing import Any

import orjson
from marshmallow import Schema, fields

from shared.refusals import Fault, expects
from shared.web.body import PREVIEW, read_body
from shared.web.refusals import InvalidIdempotencyKey
from shared.web.request import this_edge, this_request
from shared.web.tokens import Caller

HEADER = "Idempotency-Key"
LONGEST_KEY = 128
SHORTEST_OF_GUESTS = 16
"""Minimum length of a key without a token: anyone who knows the key can get the answer again."""
FINGERPRINT_DIGITS = 16
GUESTS_DIGITS = 32
"""Length of the digest that the log holds instead of a guest's key."""
PURPOSE = b"muster/fingerprint/1"
"""Purpose string in the derivation of fingerprint keys; no other signature covers it."""


def check_key(key: str, shortest: int = 1) -> str:
    """Return a valid key. Raises InvalidIdempotencyKey unless it has `shortest` to 128 visible ASCII characters."""
    if shortest <= len(key) <= LONGEST_KEY and key.isascii() and key.isprintable() and " " not in key:
        return key
    expected = expects("visible-ascii", least=shortest, most=LONGEST_KEY)
    raise InvalidIdempotencyKey(f"{HEADER}: {expected} expected.", [Fault(HEADER, ascii(key)[:140], expected)])


def fingerprint_keys(secrets: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return the keys for fingerprints, one derived from each secret, in the same order.

    All processes derive the same keys. During a key rotation both the old and the new key are known.
    """
    return tuple(hmac.digest(secret, PURPOSE, "sha256") for secret in secrets)


def fingerprint(keyed: bytes, method: str, path: str, actor: str, body: object) -> str:
    """Return the fingerprint of a request: HMAC-SHA256 over method, path, actor and body, as 16 hex digits.

    keyed: one of `fingerprint_keys`. body: parsed JSON without personal members; None without a body. The order of
    members does not matter.
    """
    text = orjson.dumps([method, path, actor, body], option=orjson.OPT_SORT_KEYS)
    return hmac.digest(keyed, text, "sha256").hex()[:FINGERPRINT_DIGITS]


def guest_key(keyed: bytes, key: str) -> str:
    """Return the digest that the log holds instead of the key of a caller without a token."""
    return hmac.digest(keyed, b"guest " + key.encode(), "sha256").hex()[:GUESTS_DIGITS]


def command_ids(caller: Caller | None, actor: str = "") -> tuple[str, ...]:
    """Return the ids of the current command: from Idempotency-Key and the request, or a random one without a key.

    The first id is recorded. The others are ids under which the request may be in the log, from before a key rotation.
    caller: the caller, None without a token. actor: replaces the caller's name if it belongs to another tournament.

    Command ids are public. Without a token the key alone is enough to repeat a request and get its answer, which may be
    secret. So the log holds only a digest of such a key. Raises InvalidIdempotencyKey, also for a short key without a
    token, and the exceptions of `read_body`.
    """
    request = this_request()
    key = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return (secrets.token_hex(16),)
    check_key(key, 1 if caller else SHORTEST_OF_GUESTS)
    sent = read_body() if request.content_length or request.edge.body_read else None
    body = without_personal(request.edge.schema, sent)
    query = "&".join(filter(_no_preview, request.environ.get("QUERY_STRING", "").split("&"))) if caller else ""
    path = f"{request.path}?{query}" if query else request.path
    name = (actor or caller.actor) if caller else key
    return tuple(
        f"{key if caller else guest_key(keyed, key)}~{fingerprint(keyed, request.method, path, name, body)}"
        for keyed in this_edge().fingerprint_keys
    )


def _no_preview(part: str) -> bool:
    """Return False for the preview parameter: a command and its preview are the same request."""
    return not part.startswith(f"{PREVIEW}=")


def key_of(command: str) -> str | None:
    """Return the key inside a command id, None without a key."""
    key, tilde, _ = command.rpartition("~")
    return key if tilde else None


def without_personal(schema: Schema | None, value: Any) -> Any:
    """Return a value with `true` in place of every PERSONAL field of its schema.

    schema: None for a value without a schema, such as a file; it is returned unchanged.
    """
    if schema is None:
        return value
    if isinstance(value, list):
        return [without_personal(schema, item) for item in value]
    if not isinstance(value, dict):
        return value
    fields_by_key = {field.data_key or name: field for name, field in schema.load_fields.items()}
    return {name: _public(fields_by_key.get(name), member) for name, member in value.items()}


def _public(field: fields.Field[Any] | None, value: Any) -> Any:
    if field is None:
        return value
    if field.metadata.get("x-personal"):
        return True
    inner = field.inner if isinstance(field, fields.List) else field
    if isinstance(inner, fields.Nested):
        return without_personal(inner.schema, value)
    return value
