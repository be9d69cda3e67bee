"""Idempotency-Key: the same request twice has its effect once. Pure; the log finds what came before.

`command_id` is `<key>~<fingerprint>`: the fingerprint says which request the key came with, so that the log can
tell a repetition (same id: answer as before) from a key used for something else (same key, other fingerprint).
"""

from __future__ import annotations

import hashlib
import secrets

import orjson

from shared.http.refusals import InvalidIdempotencyKey
from shared.refusals import Fault

HEADER = "Idempotency-Key"
LONGEST_KEY = 128
SHORTEST_OF_GUESTS = 16
"""Characters of a key that comes without a token: whoever knows it may have the answer again."""
FINGERPRINT_DIGITS = 16


def check_key(key: str, shortest: int = 1) -> str:
    """Return a key that can be used.

    Raises InvalidIdempotencyKey unless it is 1 (or `shortest`) to 128 visible ASCII characters.
    """
    if shortest <= len(key) <= LONGEST_KEY and key.isascii() and key.isprintable() and " " not in key:
        return key
    expected = f"{shortest} to {LONGEST_KEY} visible ASCII characters"
    raise InvalidIdempotencyKey(f"{HEADER}: {expected} expected.", [Fault(HEADER, ascii(key)[:140], expected)])


def fingerprint(method: str, path: str, actor: str, body: object) -> str:
    """Return 16 hex digits that name a request: SHA-256 over method, path, actor and the body's canonical JSON.

    body: JSON as parsed (members in any order give the same digits), None for none.
    """
    text = orjson.dumps([method, path, actor, body], option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(text).hexdigest()[:FINGERPRINT_DIGITS]


def command_id(key: str | None, digits: str) -> str:
    """Return the id of a command: `<key>~<fingerprint>`, or without a key a random one (32 hex digits, no `~`)."""
    return secrets.token_hex(16) if key is None else f"{key}~{digits}"


def key_of(command: str) -> str | None:
    """Return the key inside a command id, None where the caller gave none."""
    key, tilde, _ = command.rpartition("~")
    return key if tilde else None
