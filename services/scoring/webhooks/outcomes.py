"""What comes of an attempt to send, as a value, and in words for people; and the limits that an attempt has."""

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
