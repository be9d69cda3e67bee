"""The randomness of draws: sealed secrets of a service, and the public beacon.

Secrets are created, sealed in private rows, and opened to answer the questions of decisions.

The beacon is randomness that no one knows in advance: drand's quicknet, which publishes a signature every three
seconds. A commitment names a future round. After its time, the worker reads the signature and records it. The signature
is not checked against the beacon's public key; it is in the record, so anyone can compare it with a drand server
(`muster verify --beacon`).
"""

from __future__ import annotations

import base64
import binascii
import re
import secrets
import time
from collections.abc import Collection
from typing import Any

import msgspec

from shared.clock import format_utc, to_milliseconds
from shared.keys import CannotOpen, Sealer
from shared.messaging.errors import within_deadline
from shared.tournament.draws import (
    BEACON_ROW,
    PREVIEW_ROW,
    SECRET_ROW,
    AwaitedBeacon,
    DrawRecord,
    DrawsCommitted,
    DrawsRevealed,
    FirstPreview,
    Oracle,
    Secret,
    SecretLost,
    answer_to,
    digest_of,
)
from shared.tournament.state import Private, PrivateRow

PURPOSE = "muster draws 1"
"""Purpose string in the derivation of the key that seals secrets."""


class SecretOracle(Oracle):
    """An oracle that computes its answers from the sealed secrets of a tournament.

    beacon_round: the round of the public beacon that a new secret waits for; 0: none. rows: private rows that the
    decision must write. looks: private rows that record when staff first see a draw.
    """

    def __init__(
        self, draws: DrawRecord, private: Private, sealer: Sealer, tournament: str, *, beacon_round: int = 0
    ) -> None:
        super().__init__(draws)
        self._beacon_round = beacon_round
        self._digests = draws.committed
        self._private, self._sealer, self._tournament = private, sealer, tournament
        self._made: dict[int, str] = {}
        self.rows: list[PrivateRow] = []
        self.looks: list[PrivateRow] = []

    def value(self, number: int, question: str) -> str:
        """Return the answer of a secret to a question. Raises SecretLost."""
        return answer_to(self._secret(number), self._draws.with_beacon_value(number, question))

    def changes(self, question: str, about: Collection[str]) -> list[str]:
        """Return the changes of `about` since staff first saw the answer. Record it if this is the first time."""
        first, now = self._private.body(PREVIEW_ROW, question), set(about)
        if not isinstance(first, FirstPreview):
            self.looks.append(PrivateRow(PREVIEW_ROW, question, FirstPreview(sorted(now))))
            return []
        before = set(first.about)
        return [*(f"+{added}" for added in sorted(now - before)), *(f"-{gone}" for gone in sorted(before - now))]

    def make_secret(self, number: int, *, with_beacon: bool = True) -> DrawsCommitted:
        """Create a secret, and a row that makes the service read the beacon in time. Return its commitment."""
        secret = self._made[number] = secrets.token_hex(32)
        sealed = self._sealer.seal(self._place(number), secret)
        self.rows.append(PrivateRow(SECRET_ROW, str(number), Secret(base64.b64encode(sealed).decode())))
        beacon = self._beacon_round if with_beacon else 0
        if beacon:
            due_at = format_utc(time_of(beacon))
            self.rows.append(PrivateRow(BEACON_ROW, str(number), AwaitedBeacon(beacon), due_at=due_at))
        return DrawsCommitted(number=number, digest=digest_of(secret), beacon=beacon)

    def reveal_secret(self, number: int) -> DrawsRevealed:
        """Return the event that reveals a secret, and remove its row. Raises SecretLost."""
        event = DrawsRevealed(number=number, secret=self._secret(number))
        self.rows.append(PrivateRow(SECRET_ROW, str(number), None))
        return event

    def _secret(self, number: int) -> str:
        if number not in self._made:
            row = self._private.body(SECRET_ROW, str(number))
            if not isinstance(row, Secret):
                raise SecretLost("no row holds it")
            try:
                secret = self._sealer.open(self._place(number), base64.b64decode(row.sealed))
            except (CannotOpen, binascii.Error) as error:
                raise SecretLost("no key of this service opens it") from error
            if digest_of(secret) != self._digests[number]:
                raise SecretLost("another secret has its number")
            self._made[number] = secret
        return self._made[number]

    def _place(self, number: int) -> str:
        return f"{self._tournament}/{number}"


GENESIS_MS, PERIOD_MS = 1_692_803_367_000, 3_000
"""Publication time of the first round (Unix time), and the interval between rounds."""
AHEAD_MS = 15_000
"""Time from a commitment to the round that it names, which no server can have published yet."""
PATIENCE_MS = 90_000
"""A round that cannot be read is recorded as missed after this time, so that no event waits for a network."""
READ_SECONDS = 3.0
"""Longest time to read one round."""
PASS_SECONDS = 10.0
"""Time after which one pass reads no further round, so that other work of the worker does not wait."""
LARGEST_ANSWER = 4_096
_SIGNATURE = re.compile(r"[0-9a-f]{96}")


class BeaconAway(Exception):
    """No beacon server answers with the signature of a round; the text gives the reason."""


def round_after(moment: str) -> int:
    """Return the round that a commitment names. moment: time of the commitment, in the form of events."""
    return (to_milliseconds(moment) + AHEAD_MS - GENESIS_MS) // PERIOD_MS + 2


def time_of(round: int) -> int:
    """Return the publication time of a round, in milliseconds since 1970."""
    return GENESIS_MS + (round - 1) * PERIOD_MS


def is_missed(round: int, now: str) -> bool:
    """Return True if a round is too late to wait for. now: in the form of events."""
    return to_milliseconds(now) > time_of(round) + PATIENCE_MS


def read_signature(url: str, round: int) -> str:
    """Return the signature of a round in hex. url: address of the beacon chain. Raises BeaconAway."""
    import httpx  # only installations that name a beacon need it

    from shared.messaging.http_transport import DeadlineTransport

    body = bytearray()
    try:
        with (
            within_deadline(READ_SECONDS),
            httpx.Client(transport=DeadlineTransport(tls=url.startswith("https:")), timeout=READ_SECONDS) as client,
            client.stream("GET", f"{url}/public/{round}", headers={"Accept-Encoding": "identity"}) as answer,
        ):
            if answer.status_code != httpx.codes.OK:
                raise BeaconAway(f"HTTP status {answer.status_code}")
            for chunk in answer.iter_raw():
                body += chunk
                if len(body) > LARGEST_ANSWER:
                    raise BeaconAway("an answer that is too long")
    except BeaconAway:
        raise
    except Exception as error:  # answers can break the client in undocumented ways
        raise BeaconAway(type(error).__name__) from error
    return _signature_in(bytes(body), round)


def _signature_in(body: bytes, round: int) -> str:
    try:
        answer: dict[str, Any] = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BeaconAway("an answer that is not JSON") from error
    signature = answer.get("signature")
    if answer.get("round") != round or not isinstance(signature, str) or not _SIGNATURE.fullmatch(signature):
        raise BeaconAway("an answer without the signature of this round")
    return signature


class BeaconReader:
    """Reads the beacon for one pass over the secrets that wait: each round once, within PASS_SECONDS for all."""

    def __init__(self, url: str) -> None:
        """url: address of the beacon chain; empty if the installation names none."""
        self._url = url
        self._known: dict[int, str] = {}
        self._until = time.monotonic() + PASS_SECONDS

    def signature(self, round: int) -> str:
        """Return the signature of a round in hex. Raises BeaconAway."""
        if round not in self._known:
            if not self._url:
                raise BeaconAway("this installation names no beacon")
            if time.monotonic() > self._until:
                raise BeaconAway("no server answers in time")
            self._known[round] = read_signature(self._url, round)
        return self._known[round]
