"""Signatures of messages by the Standard Webhooks specification, and the form of secrets. Pure.

Signed is `<webhook-id>.<webhook-timestamp>.<body>`, by HMAC with SHA-256; there is a signature for each secret.
Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Sequence

PREFIX = "whsec_"
FEWEST_BYTES, MOST_BYTES = 24, 64
SECRET_FORM = f"{PREFIX} and {FEWEST_BYTES} to {MOST_BYTES} random bytes in base64"


def secret_of(random: bytes) -> str:
    """A secret as receivers are told it."""
    return PREFIX + base64.b64encode(random).decode()


def key_of(secret: str) -> bytes:
    """The bytes that sign. Raises ValueError, whose text does not repeat the secret."""
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("it is not base64") from error
    if not secret.startswith(PREFIX) or not FEWEST_BYTES <= len(key) <= MOST_BYTES:
        raise ValueError(f"it is not {SECRET_FORM}")
    return key


def expected_secret(said: str) -> str:
    """What is wrong with a secret that somebody brings, as what would be right; empty for nothing."""
    try:
        key_of(said)
    except ValueError:
        return SECRET_FORM
    return ""


def signed_headers(id: str, timestamp: int, body: bytes, secrets: Sequence[str]) -> dict[str, str]:
    """The three headers of a message. timestamp: seconds since 1970. secrets: those that sign, the newest first."""
    content = f"{id}.{timestamp}.".encode() + body
    digests = (hmac.digest(key_of(secret), content, "sha256") for secret in secrets)
    signatures = " ".join(f"v1,{base64.b64encode(digest).decode()}" for digest in digests)
    return {"webhook-id": id, "webhook-timestamp": str(timestamp), "webhook-signature": signatures}
