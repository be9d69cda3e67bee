"""Idempotency-Key: the same request twice has its effect once; the log finds what came before.

`command_id` is `<key>~<fingerprint>`: the fingerprint says which request the key came with, so that the log can
tell a repetition (same id: answer as before) from a key used for something else (same key, other fingerprint).
Command ids are public with the log. So a fingerprint is keyed, and personal members are left out before it is made:
nobody can try guesses on it, and who holds the keys learns nothing of what was erased.
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
"""Characters of a key that comes without a token: whoever knows it may have the answer again."""
FINGERPRINT_DIGITS = 16
GUESTS_DIGITS = 32
"""Of the digest that stands in the log for the key of somebody without a token."""
PURPOSE = b"muster/fingerprint/1"
"""What keys are derived for. Nothing else is signed over such a text."""


def check_key(key: str, shortest: int = 1) -> str:
    """Return a key that can be used.

    Raises InvalidIdempotencyKey unless it is 1 (or `shortest`) to 128 visible ASCII characters.
    """
    if shortest <= len(key) <= LONGEST_KEY and key.isascii() and key.isprintable() and " " not in key:
        return key
    expected = expects("visible-ascii", least=shortest, most=LONGEST_KEY)
    raise InvalidIdempotencyKey(f"{HEADER}: {expected} expected.", [Fault(HEADER, ascii(key)[:140], expected)])


def fingerprint_keys(secrets: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return the keys of fingerprints, one derived from each secret, in their order.

    So every process has the same ones after every restart, and while keys are exchanged both are known.
    """
    return tuple(hmac.digest(secret, PURPOSE, "sha256") for secret in secrets)


def fingerprint(keyed: bytes, method: str, path: str, actor: str, body: object) -> str:
    """Return 16 hex digits that name a request: HMAC-SHA256 over method, path, actor and the body's canonical JSON.

    keyed: one of `fingerprint_keys`. body: JSON as parsed (members in any order give the same digits) and without
    what is personal, None for none.
    """
    text = orjson.dumps([method, path, actor, body], option=orjson.OPT_SORT_KEYS)
    return hmac.digest(keyed, text, "sha256").hex()[:FINGERPRINT_DIGITS]


def guest_key(keyed: bytes, key: str) -> str:
    """Return what stands in the log for the key of somebody without a token: whoever knows the key has the answer."""
    return hmac.digest(keyed, b"guest " + key.encode(), "sha256").hex()[:GUESTS_DIGITS]


def command_ids(who: Caller | None, actor: str = "") -> tuple[str, ...]:
    """Return the ids of the command at hand: from Idempotency-Key and the request, or a random one without a key.

    The first is the one to record; under the others the same request may stand in the log, from before the token keys
    were exchanged. who: who asks, None without a token. actor: who asks, where the caller's name is another's here.

    Command ids are public with the log. With a token nobody else can repeat a request; without one the key alone does
    that, and what it answers may be a secret. So the log keeps of such a key its digest, and nothing that guesses can
    be tried on. Raises InvalidIdempotencyKey, also for a key without a token that could be guessed, and as `read_body`.
    """
    request = this_request()
    key = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return (secrets.token_hex(16),)
    check_key(key, 1 if who else SHORTEST_OF_GUESTS)
    said = read_body() if request.content_length or request.edge.body_read else None
    body = without_personal(request.edge.schema, said)
    query = "&".join(filter(_no_preview, request.environ.get("QUERY_STRING", "").split("&"))) if who else ""
    path = f"{request.path}?{query}" if query else request.path
    name = (actor or who.actor) if who else key
    return tuple(
        f"{key if who else guest_key(keyed, key)}~{fingerprint(keyed, request.method, path, name, body)}"
        for keyed in this_edge().fingerprint_keys
    )


def _no_preview(part: str) -> bool:
    """A command and its preview are the same request."""
    return not part.startswith(f"{PREVIEW}=")


def key_of(command: str) -> str | None:
    """Return the key inside a command id, None where the caller gave none."""
    key, tilde, _ = command.rpartition("~")
    return key if tilde else None


def without_personal(schema: Schema | None, said: Any) -> Any:
    """Return what was said through a schema with `true` for every value whose field is PERSONAL.

    schema: None for what no schema describes, such as a file; it comes back as it is.
    """
    if schema is None:
        return said
    if isinstance(said, list):
        return [without_personal(schema, one) for one in said]
    if not isinstance(said, dict):
        return said
    named = {field.data_key or name: field for name, field in schema.load_fields.items()}
    return {name: _public(named.get(name), value) for name, value in said.items()}


def _public(field: fields.Field[Any] | None, value: Any) -> Any:
    if field is None:
        return value
    if field.metadata.get("x-personal"):
        return True
    inner = field.inner if isinstance(field, fields.List) else field
    if isinstance(inner, fields.Nested):
        return without_personal(inner.schema, value)
    return value
