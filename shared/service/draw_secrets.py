"""The secrets of one service: made, sealed in private rows, and opened to answer questions."""

from __future__ import annotations

import base64
import binascii
import secrets
from collections.abc import Collection

from shared.clock import format_utc
from shared.keys import CannotOpen, Sealer
from shared.service.beacon import time_of
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
    """An oracle that answers from the sealed secrets of a tournament.

    beacon_round: the round of the public beacon that a new secret waits for; 0: none. rows: private rows that the
    decision has to write. looks: private rows that record the first time that staff see a draw.
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
