"""Idempotency-Key: the same request twice has its effect once. Pure; the log finds what came before.

`command_id` is `<key>~<fingerprint>`: the fingerprint says which request the key came with, so that the log can
tell a repetition (same id: answer as before) from a key used for something else (same key, other fingerprint).
Command ids are public with the log. So a fingerprint is keyed, and personal members are left out before it is made:
nobody can try guesses on it, and who holds the keys learns nothing of what was erased.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable

import orjson

from shared.refusals import Fault
from shared.web.refusals import InvalidIdempotencyKey

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
    expected = f"{shortest} to {LONGEST_KEY} visible ASCII characters"
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


def guests_key(keyed: bytes, key: str) -> str:
    """Return what stands in the log for the key of somebody without a token: whoever knows the key has the answer."""
    return hmac.digest(keyed, b"guest " + key.encode(), "sha256").hex()[:GUESTS_DIGITS]


def command_id(key: str | None, digits: str) -> str:
    """Return the id of a command: `<key>~<fingerprint>`, or without a key a random one (32 hex digits, no `~`)."""
    return secrets.token_hex(16) if key is None else f"{key}~{digits}"


def key_of(command: str) -> str | None:
    """Return the key inside a command id, None where the caller gave none."""
    key, tilde, _ = command.rpartition("~")
    return key if tilde else None
