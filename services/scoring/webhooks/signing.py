"""Signatures of messages by the Standard Webhooks specification, and the form of secrets. Pure.

Signed is `<webhook-id>.<webhook-timestamp>.<body>`, by HMAC with SHA-256; there is a signature for each secret.
Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Sequence

from shared.refusals import Expected, expects

PREFIX = "whsec_"
FEWEST_BYTES, MOST_BYTES = 24, 64
SECRET_FORM = expects("webhook-secret", prefix=PREFIX, least=FEWEST_BYTES, most=MOST_BYTES)


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


def expected_secret(said: str) -> Expected | None:
    """Return what would be right in place of a secret that somebody brings; None for one that can be used."""
    try:
        key_of(said)
    except ValueError:
        return SECRET_FORM
    return None


def signed_headers(id: str, timestamp: int, body: bytes, secrets: Sequence[str]) -> dict[str, str]:
    """The three headers of a message. timestamp: seconds since 1970. secrets: those that sign, the newest first."""
    content = f"{id}.{timestamp}.".encode() + body
    digests = (hmac.digest(key_of(secret), content, "sha256") for secret in secrets)
    signatures = " ".join(f"v1,{base64.b64encode(digest).decode()}" for digest in digests)
    return {"webhook-id": id, "webhook-timestamp": str(timestamp), "webhook-signature": signatures}
