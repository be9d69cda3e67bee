"""The public beacon: randomness that nobody knows before its time, mixed into draws.

Muster reads drand's quicknet, which publishes a signature every three seconds. A commitment names a round that is
still to come. Once its time has come, the worker reads the signature and records it. The signature is not checked
against the beacon's public key; the record holds it, so anybody can compare it with a drand server (`muster verify
--beacon`).
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from shared.clock import to_milliseconds

GENESIS_MS, PERIOD_MS = 1_692_803_367_000, 3_000
"""When its first round was published (Unix time), and the time between two rounds."""
AHEAD_MS = 15_000
"""From a commitment to the round that it names: no server can have published it."""
PATIENCE_MS = 90_000
"""After its time, a round that cannot be read is recorded as missed, so that no event waits for a network."""
READ_SECONDS = 3.0
LARGEST_ANSWER = 4_096
_SIGNATURE = re.compile(r"[0-9a-f]{96}")


class BeaconAway(Exception):
    """No server of the beacon answers with the signature of a round; its text says what was met."""


def round_after(moment: str) -> int:
    """Return the round that a commitment names. moment: of the commitment, as events have it."""
    return (to_milliseconds(moment) + AHEAD_MS - GENESIS_MS) // PERIOD_MS + 2


def time_of(round: int) -> int:
    """Return when a round is published, in milliseconds since 1970."""
    return GENESIS_MS + (round - 1) * PERIOD_MS


def is_missed(round: int, now: str) -> bool:
    """Return True if a round that cannot be read is given up. now: as events have it."""
    return to_milliseconds(now) > time_of(round) + PATIENCE_MS


def read_signature(url: str, round: int) -> str:
    """Return the signature of a round in hex. url: of the chain. Raises BeaconAway."""
    import httpx  # only installations that name a beacon need it

    try:
        with httpx.stream("GET", f"{url}/public/{round}", timeout=READ_SECONDS) as answer:
            body = bytearray()
            for part in answer.iter_bytes():
                body += part
                if len(body) > LARGEST_ANSWER:
                    raise BeaconAway("an answer that is too long")
    except httpx.HTTPError as error:
        raise BeaconAway(type(error).__name__) from error
    if answer.status_code != httpx.codes.OK:
        raise BeaconAway(f"HTTP status {answer.status_code}")
    return _signature_in(bytes(body), round)


def _signature_in(body: bytes, round: int) -> str:
    try:
        said: dict[str, Any] = msgspec.json.decode(body, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise BeaconAway("an answer that is not JSON") from error
    signature = said.get("signature")
    if said.get("round") != round or not isinstance(signature, str) or not _SIGNATURE.fullmatch(signature):
        raise BeaconAway("an answer without the signature of this round")
    return signature
