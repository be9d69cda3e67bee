"""When a delivery that failed is tried again, and when a webhook is given up. Pure.

| attempt | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 |
|---|---|---|---|---|---|---|---|---|---|---|---|
| after | at once | 5 s | 1 min | 5 min | 30 min | 2 h | 5 h | 10 h | 14 h | 20 h | 24 h |
"""

from __future__ import annotations

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
