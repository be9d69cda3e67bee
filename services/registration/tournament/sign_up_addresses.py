"""Sign-ups counted by the address that they came from, so that one address cannot use up those of a tournament.

Logs are public, so no address is in them. A row beside the log holds a keyed digest of the address and a number.
"""

from __future__ import annotations

import hmac
from hashlib import sha256

from shared.environment import network_of
from shared.log.database import Connection
from shared.service.quotas import guests_limit, need_quota

_ADD = """INSERT INTO sign_up_addresses (tournament, address, sign_ups) VALUES (:tournament, :address, :number)
    ON CONFLICT (tournament, address) DO UPDATE SET sign_ups = sign_up_addresses.sign_ups + excluded.sign_ups
    RETURNING sign_ups"""

SHARE = 2
"""One address may use up one part of so many of the sign-ups of a tournament. All players of a hall may have one."""


class SignUpAddresses:
    """Counts sign-ups by address. key: makes the digests, so that nobody finds an address by trying all of them."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def count(self, connection: Connection, tournament: str, address: str, number: int, seats: int | None) -> None:
        """Count sign-ups in the transaction that appends them. Raises QuotaReached if the address had too many.

        seats: of the tournament, None without a limit.
        """
        digest = self._digest(tournament, address)
        total = connection.value(_ADD, tournament=tournament, address=digest, number=number)
        need_quota(total - number, number, guests_limit(seats) // SHARE, "sign-ups", "one address")

    def _digest(self, tournament: str, address: str) -> str:
        text = f"sign-up/{tournament}/{network_of(address)}"
        return hmac.new(self._key, text.encode(), sha256).hexdigest()
