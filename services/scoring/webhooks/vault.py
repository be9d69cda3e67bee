"""Where webhooks lead, and their secrets: beside the log, sealed with a key of the service's own.

The key is derived from the private key by which the service vouches for its events; while two of these are known, what
either has sealed is opened, and `reseal` seals it with the first. Destroying a row destroys what it held.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shared.formats.fold import data_of
from shared.keys import Sealed, Sealer
from shared.log.database import Connection
from shared.log.event import Recorded
from shared.tournament.webhooks import WebhookDeleted

PURPOSE = "muster webhooks 1"
TARGET = "target"
TOGETHER = 200
"""Rows removed by one statement."""
_OF = "WHERE tournament = :tournament AND webhook = :webhook"
_PUT_SECRET = """INSERT INTO webhook_secrets (tournament, webhook, number, secret, until)
    VALUES (:tournament, :webhook, :number, :secret, 0)
    ON CONFLICT (tournament, webhook, number) DO UPDATE SET secret = excluded.secret, until = 0"""


class WebhookVault:
    """Seals and opens what is kept of webhooks. seeds: of the service's private keys, first the one that signs."""

    def __init__(self, seeds: Sequence[bytes]) -> None:
        self._sealer = Sealer(seeds, PURPOSE)

    def seal(self, tournament: str, webhook: str, what: str, plain: str) -> bytes:
        """A text sealed for its place. what: TARGET, or the number of a secret."""
        return self._sealer.seal(f"{tournament}/{webhook}/{what}", plain)

    def open(self, tournament: str, webhook: str, what: str, sealed: bytes) -> str:
        """What was sealed for that place. Raises Sealed."""
        return self._sealer.open(f"{tournament}/{webhook}/{what}", sealed)

    def put_secret(
        self, connection: Connection, tournament: str, webhook: str, number: int, secret: str, until_others: int
    ) -> None:
        """Keep a new secret; the one before signs until `until_others` (Unix ms), and any earlier one no more."""
        of = {"tournament": tournament, "webhook": webhook}
        connection.shred(f"DELETE FROM webhook_secrets {_OF} AND number < :before", **of, before=number - 1)
        overlap = f"UPDATE webhook_secrets SET until = :until {_OF} AND number = :before"
        connection.run(overlap, **of, before=number - 1, until=until_others)
        sealed = self.seal(tournament, webhook, str(number), secret)
        connection.run(_PUT_SECRET, **of, number=number, secret=sealed)  # until 0: it is the newest

    def secrets(self, connection: Connection, tournament: str, webhook: str, now: int) -> list[str]:
        """The secrets that sign at a moment (Unix ms), the newest first. Raises Sealed."""
        sql = f"""SELECT number, secret FROM webhook_secrets {_OF} AND (until = 0 OR until > :now)
            ORDER BY number DESC"""
        rows = connection.rows(sql, tournament=tournament, webhook=webhook, now=now)
        return [self.open(tournament, webhook, str(number), secret) for number, secret in rows]

    def secret(self, connection: Connection, tournament: str, webhook: str, number: int) -> str | None:
        """The secret of a number; None where it is no more, or cannot be opened."""
        sql = f"SELECT secret FROM webhook_secrets {_OF} AND number = :number"
        sealed = connection.value(sql, tournament=tournament, webhook=webhook, number=number)
        try:
            return None if sealed is None else self.open(tournament, webhook, str(number), sealed)
        except Sealed:
            return None

    def reseal(self, connection: Connection) -> None:
        """Seal with the first key whatever an older one has sealed, so that the older one may go."""
        for tournament, webhook, target in connection.rows("SELECT tournament, webhook, target FROM webhooks"):
            if (fresh := self._resealed(tournament, webhook, TARGET, target)) is not None:
                sql = f"UPDATE webhooks SET target = :fresh {_OF}"
                connection.run(sql, tournament=tournament, webhook=webhook, fresh=fresh)
        rows = connection.rows("SELECT tournament, webhook, number, secret FROM webhook_secrets")
        for tournament, webhook, number, secret in rows:
            if (fresh := self._resealed(tournament, webhook, str(number), secret)) is not None:
                sql = f"UPDATE webhook_secrets SET secret = :fresh {_OF} AND number = :number"
                connection.run(sql, tournament=tournament, webhook=webhook, number=number, fresh=fresh)

    def _resealed(self, tournament: str, webhook: str, what: str, sealed: bytes) -> bytes | None:
        return self._sealer.reseal(f"{tournament}/{webhook}/{what}", sealed)


def destroy(connection: Connection, tournament: str, webhook: str) -> None:
    """Nothing is left of a webhook but its events: neither where it led, nor its secrets, nor what it was told."""
    of = {"tournament": tournament, "webhook": webhook}
    connection.shred(f"DELETE FROM webhooks {_OF}", **of)
    connection.shred(f"DELETE FROM webhook_secrets {_OF}", **of)
    of_webhook = "subscriber = :tournament AND webhook = :webhook"
    forget_deliveries(connection, of_webhook, **of)


def forget_deliveries(connection: Connection, condition: str, **values: Any) -> int:
    """Remove the deliveries that fulfil a condition in SQL, with their attempts; returns how many there were."""
    ids = [id for (id,) in connection.rows(f"SELECT id FROM webhook_deliveries WHERE {condition}", **values)]
    for start in range(0, len(ids), TOGETHER):
        some = ids[start : start + TOGETHER]
        connection.run("DELETE FROM webhook_attempts WHERE delivery IN (:ids)", ids=some)
        connection.run("DELETE FROM webhook_deliveries WHERE id IN (:ids)", ids=some)
    return len(ids)


def destroyed_again(connection: Connection, recorded: Sequence[Recorded]) -> None:
    """Destroy once more, where the log of a deletion comes back into a database of before."""
    for event in recorded:
        if event.type == WebhookDeleted.__name__:
            destroy(connection, event.tournament, data_of(event)["webhook"])
