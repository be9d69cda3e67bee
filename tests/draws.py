"""Draws of tests: secrets that follow from their number, so that a run fails by what was changed and not by chance."""

from __future__ import annotations

from hashlib import sha256

from shared.tournament.draws import DrawRecord, DrawsCommitted, DrawsRevealed, Oracle, answer_to, digest_of
from shared.tournament.state import Tournament


def secret_of(number: int, of: str = "") -> str:
    """Return the secret of a number. of: whose it is."""
    return sha256(f"secret {number} {of}".encode()).hexdigest()


class FixedOracle(Oracle):
    """Answers as a service does, from secrets that are known. of: whose they are."""

    def __init__(self, draws: DrawRecord, of: str = "") -> None:
        super().__init__(draws)
        self._of = of

    def value(self, number: int, question: str) -> str:
        """Return what a secret answers."""
        return answer_to(secret_of(number, self._of), self._draws.with_beacon_value(number, question))

    def make_secret(self, number: int, *, with_beacon: bool = True) -> DrawsCommitted:
        """Return the commitment to a secret."""
        return DrawsCommitted(number=number, digest=digest_of(secret_of(number, self._of)))

    def reveal_secret(self, number: int) -> DrawsRevealed:
        """Return the event that reveals a secret."""
        return DrawsRevealed(number=number, secret=secret_of(number, self._of))


def oracle_of(state: Tournament, source: str, of: str = "") -> FixedOracle:
    """Return what answers the questions of a decision of one service."""
    return FixedOracle(state.draws[source], of)
