"""What the feed refuses, by name."""

from __future__ import annotations

from shared.refusals import Refusal


class CursorUnknown(Refusal):
    """The feed did not give out this cursor, or has taken back the place that it is of."""

    code = "feed-cursor-unknown"


class CursorOfAnotherReader(Refusal):
    """The cursor was given to somebody who sees other events: with another token, or without one."""

    code = "feed-cursor-of-another"


class StreamsFull(Refusal):
    """The process holds as many streams as it may; data: retry_after."""

    code = "streams-full"


class TooManyStreams(Refusal):
    """The caller holds as many streams as one may; data: limit, retry_after."""

    code = "too-many-streams"
