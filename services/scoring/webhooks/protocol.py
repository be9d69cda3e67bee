"""The protocol of deliveries: message forms, signatures, limits, retries. Pure.

A chat receives only the events in CHAT_TEXTS.

The signature is HMAC-SHA-256 over `<webhook-id>.<webhook-timestamp>.<body>`. A message has one for each valid secret.
Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

| attempt | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 |
|---|---|---|---|---|---|---|---|---|---|---|---|
| delay | none | 5 s | 1 min | 5 min | 30 min | 2 h | 5 h | 10 h | 14 h | 20 h | 24 h |
"""

from __future__ import annotations

import base64
import binascii
import hmac
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import msgspec
import orjson

from shared.refusals import Expected, expects

Form = Literal["events", "results", "discord", "slack"]
EVENTS: Form = "events"
RESULTS: Form = "results"
MAX_CHAT_TEXT = 1500
"""Characters; Discord accepts 2000."""

_MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()<@:-])")


def _round_text(does: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda data: f"round {data['round']} {does}."


def _round_closed_text(data: Mapping[str, Any]) -> str:
    # An event with a seed closes a round whose standings are held back.
    return f"round {data['round']} is closed{'' if data.get('seed') else '; the standings are out'}."


CHAT_TEXTS: Mapping[str, Callable[[Mapping[str, Any]], str]] = MappingProxyType(
    {
        "RoundPaired": _round_text("is published"),
        "SessionRoundOpened": _round_text("is published"),
        "RoundStarted": _round_text("has begun"),
        "RoundClosed": _round_closed_text,
        "SessionRoundClosed": _round_text("is closed; the ranking is out"),
    }
)
"""Event type -> function from the event's data to the text that follows the tournament's name."""


def _discord(line: str) -> bytes:
    return orjson.dumps({"content": line, "allowed_mentions": {"parse": []}})


def _slack(line: str) -> bytes:
    return orjson.dumps({"text": line})


def _for_discord(name: str) -> str:
    return _MARKDOWN.sub(r"\\\1", name)


def _for_slack(name: str) -> str:
    return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


CHATS: Mapping[str, tuple[Callable[[str], str], Callable[[str], bytes]]] = MappingProxyType(
    {"discord": (_for_discord, _discord), "slack": (_for_slack, _slack)}
)
"""Form -> function that escapes a name, and function that encodes the body."""


def chat_body(form: str, tournament_name: str, text: str) -> bytes:
    """Return the body of a message to a chat."""
    escape, encode = CHATS[form]
    return encode(f"{escape(tournament_name)}: {text}"[:MAX_CHAT_TEXT])


MAX_URL = 2000
"""Characters of the URL of a target."""

PREFIX = "whsec_"
MIN_SECRET_BYTES, MAX_SECRET_BYTES = 24, 64
SECRET_FORM = expects("webhook-secret", prefix=PREFIX, least=MIN_SECRET_BYTES, most=MAX_SECRET_BYTES)


def format_secret(random: bytes) -> str:
    """Return a secret in the form that receivers enter."""
    return PREFIX + base64.b64encode(random).decode()


def signing_key(secret: str) -> bytes:
    """Return the signing key of a secret. Raises ValueError with a text that does not contain the secret."""
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("it is not base64") from error
    if not secret.startswith(PREFIX) or not MIN_SECRET_BYTES <= len(key) <= MAX_SECRET_BYTES:
        raise ValueError(f"it is not {SECRET_FORM}")
    return key


def expected_secret(secret: str) -> Expected | None:
    """Return the expected form of a secret, or None if the secret is valid."""
    try:
        signing_key(secret)
    except ValueError:
        return SECRET_FORM
    return None


def signed_headers(id: str, timestamp: int, body: bytes, secrets: Sequence[str]) -> dict[str, str]:
    """Return the signature headers of a message. timestamp: Unix seconds. secrets: the valid ones, newest first."""
    content = f"{id}.{timestamp}.".encode() + body
    digests = (hmac.digest(signing_key(secret), content, "sha256") for secret in secrets)
    signatures = " ".join(f"v1,{base64.b64encode(digest).decode()}" for digest in digests)
    return {"webhook-id": id, "webhook-timestamp": str(timestamp), "webhook-signature": signatures}


TOTAL_SECONDS = 15.0
"""Timeout from name lookup to the last byte of the response."""
CONNECT_SECONDS = 5.0
MAX_RESPONSE_BYTES = 64 * 1024
"""Maximum size of a response body."""
STORED_RESPONSE_BYTES = 1024
"""Bytes of a response body that are stored with the delivery."""
IDLE_SECONDS = 30.0
"""Idle connections are closed after this time."""
GONE = 410

FAULTS: Mapping[str, str] = {
    "status": "it answered with another status than 2xx",
    "redirect": "it answered with a redirect, which is not followed",
    "gone": "it answered 410: it wants nothing more",
    "challenge": "it answered without the challenge",
    "timeout": f"it did not answer within {TOTAL_SECONDS:.0f} seconds",
    "unreachable": "nothing listens there, or the network does not lead there",
    "tls": "its certificate is not good, or it speaks no TLS",
    "closed": "it closed the connection before it had answered",
    "too-large": f"its response is longer than {MAX_RESPONSE_BYTES // 1024} KiB",
    "not-public": "its name stands for an address that is not public",
    "name-unknown": "its name stands for no address",
    "no-message": "the event cannot be shown any more, or the installation cannot open where it leads",
}
"""Reason why an attempt failed -> explanation for users."""


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of an attempt.

    status: of HTTP; 0: no response. fault: one of FAULTS; empty: success. response: truncated body. retry_after: the
    delay that the receiver asked for, in milliseconds. private: the receiver has an address that the operator had to
    allow.
    """

    status: int
    milliseconds: int
    fault: str
    response: str = ""
    retry_after: int = 0
    private: bool = False


SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000

RETRY_DELAYS = (
    *(5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE),
    *(2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR),
)
"""Milliseconds after the first failed attempt, after the second, and so on; three days and three hours in total."""
JITTER = 0.2
"""Random share of a delay, so that deliveries that failed together are not retried together."""
MAX_RETRY_AFTER = 24 * HOUR
"""Longest delay that a receiver can request (Retry-After)."""

MAX_FAILING = 5 * 24 * HOUR
"""A webhook without any success for this time is disabled."""
MAX_UNVERIFIED = 24 * HOUR
"""The same for a webhook whose target was never verified."""


def next_attempt_at(attempts: int, now: int, retry_after: int, chance: float) -> int | None:
    """Return when a delivery is due again (Unix ms), or None if it is dead.

    attempts: the number of failed ones, including the last. now: Unix ms. retry_after: milliseconds; 0: not requested.
    chance: random, from 0 to 1.
    """
    if attempts > len(RETRY_DELAYS):
        return None
    pause = RETRY_DELAYS[attempts - 1] * (1 - JITTER + 2 * JITTER * chance)
    return now + max(int(pause), min(retry_after, MAX_RETRY_AFTER))
