"""The protocol of deliveries: forms, signatures, limits, and when to retry. Pure.

Which events a chat is told of stands in one table; it is told nothing else.

Signed is `<webhook-id>.<webhook-timestamp>.<body>`, by HMAC with SHA-256; there is a signature for each secret.
Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

| attempt | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 |
|---|---|---|---|---|---|---|---|---|---|---|---|
| after | at once | 5 s | 1 min | 5 min | 30 min | 2 h | 5 h | 10 h | 14 h | 20 h | 24 h |
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
LONGEST_LINE = 1500
"""Characters; Discord takes 2000."""

_MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()<@:-])")


def _round(does: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda data: f"round {data['round']} {does}."


def _closed(data: Mapping[str, Any]) -> str:
    """seed: of standings that are held back."""
    return f"round {data['round']} is closed{'' if data.get('seed') else '; the standings are out'}."


TOLD_TO_CHATS: Mapping[str, Callable[[Mapping[str, Any]], str]] = MappingProxyType(
    {
        "RoundPaired": _round("is published"),
        "SessionRoundOpened": _round("is published"),
        "RoundStarted": _round("has begun"),
        "RoundClosed": _closed,
        "SessionRoundClosed": _round("is closed; the ranking is out"),
    }
)
"""Type of an event -> what a chat is told of it, from its data, behind the name of the tournament."""


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
"""Form -> how it writes what people are called, so that it is text there and nothing else; and its body."""


def chat_body(form: str, tournament_name: str, said: str) -> bytes:
    """The body of a message to a chat."""
    written, body = CHATS[form]
    return body(f"{written(tournament_name)}: {said}"[:LONGEST_LINE])


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


WHOLE_SECONDS = 15.0
"""From the look-up of the name to the last byte of the response."""
CONNECT_SECONDS = 5.0
LONGEST_RESPONSE = 64 * 1024
"""Bytes of a response's body; a receiver has nothing to say that is longer."""
KEPT_RESPONSE = 1024
"""Bytes of it that the list of deliveries keeps."""
IDLE_SECONDS = 30.0
"""A connection that nobody uses is closed after so long."""
GONE = 410

FAULTS: Mapping[str, str] = {
    "status": "it answered with another status than 2xx",
    "redirect": "it answered with a redirect, which is not followed",
    "gone": "it answered 410: it wants nothing more",
    "challenge": "it answered without the challenge",
    "timeout": f"it did not answer within {WHOLE_SECONDS:.0f} seconds",
    "unreachable": "nothing listens there, or the network does not lead there",
    "tls": "its certificate is not good, or it speaks no TLS",
    "closed": "it closed the connection before it had answered",
    "too-large": f"its response is longer than {LONGEST_RESPONSE // 1024} KiB",
    "not-public": "its name stands for an address that is not public",
    "name-unknown": "its name stands for no address",
    "no-message": "the event cannot be shown any more, or the installation cannot open where it leads",
}
"""Why an attempt failed, in words for people."""


class Outcome(msgspec.Struct, frozen=True):
    """What came of an attempt. status: 0 for no answer. fault: one of FAULTS, empty for success.

    response: what was answered, cut off. asked: milliseconds that it asks to be left alone for. private: it is at an
    address that the operator had to allow.
    """

    status: int
    milliseconds: int
    fault: str
    response: str = ""
    asked: int = 0
    private: bool = False


SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000

PAUSES = (
    *(5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE),
    *(2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR),
)
"""Milliseconds behind the first failed attempt, behind the second …; three days and three hours in all."""
JITTER = 0.2
"""Of a pause, so much more or less by chance: those who failed together do not come back together."""
LONGEST_ASKED = 24 * HOUR
"""A receiver that asks for a longer pause (Retry-After) gets this one."""

GIVEN_UP = 5 * 24 * HOUR
"""Without any success for so long, a webhook is disabled."""
UNVERIFIED = 24 * HOUR
"""The same of one whose target has never said that it wants this."""


def next_try(attempts: int, now: int, asked: int, chance: float) -> int | None:
    """When a delivery is due again, Unix ms; None for never: it is a dead letter.

    attempts: that failed, with the one just now. asked: milliseconds that the receiver asks for; 0 for nothing.
    chance: from 0 to 1.
    """
    if attempts > len(PAUSES):
        return None
    pause = PAUSES[attempts - 1] * (1 - JITTER + 2 * JITTER * chance)
    return now + max(int(pause), min(asked, LONGEST_ASKED))
