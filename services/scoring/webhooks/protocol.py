"""What comes of an attempt to send, as a value and in words, the limits it has, and when the next one is due. Pure.

| attempt | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 |
|---|---|---|---|---|---|---|---|---|---|---|---|
| after | at once | 5 s | 1 min | 5 min | 30 min | 2 h | 5 h | 10 h | 14 h | 20 h | 24 h |
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

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
