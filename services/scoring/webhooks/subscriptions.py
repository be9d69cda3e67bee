"""The webhooks that are told something now: those of every log that has some, by what their callers may still see."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from services.scoring.feed.result_lines import Results
from services.scoring.feed.visible import Sight, Tournaments
from services.scoring.webhooks.authority import caller_of, need_authority, reader_for, venues_of, wanted_of
from services.scoring.webhooks.commands import SubscribeWebhook, SuspendWebhook
from services.scoring.webhooks.deliveries import Key
from shared.log.database import Connection
from shared.logs import get_logger
from shared.messaging.errors import DATABASE_AWAY
from shared.refusals import Refusal
from shared.service.commands import CommandEnvelope
from shared.service.wiring import Service
from shared.tournament.guards import by_rule
from shared.tournament.webhooks import Webhook
from shared.web.refusals import TokenExpired, TokenRevoked
from shared.web.tokens import Caller

FOLLOWING = by_rule("webhooks")
"""Who acts when a webhook is disabled by itself."""

_log = get_logger("muster.scoring")


class Subscription(msgspec.Struct, frozen=True):
    """A webhook that is enabled. who: by whose right it sees; sight: what that is, as of the last look."""

    key: Key
    webhook: Webhook
    who: Caller
    sight: Sight


class Subscriptions:
    """Finds them, and disables those whose right has ended. clock: Unix ms."""

    def __init__(self, service: Service, tournaments: Tournaments, results: Results, clock: Callable[[], int]) -> None:
        self._service = service
        self._tournaments = tournaments
        self._results = results
        self._clock = clock
        self.disabled_by_rules = 0

    def now(self) -> dict[Key, Subscription]:
        """Every webhook that is enabled, and whose target is known."""
        found: dict[Key, Subscription] = {}
        self.disabled_by_rules = 0
        with self._service.database.reading() as connection:
            logs = logs_with_webhooks(connection)
            rows = connection.rows("SELECT tournament, webhook, authority FROM webhooks")
            authorities = {(tournament, webhook): authority for tournament, webhook, authority in rows}
        for tournament in logs:
            try:
                self._of(tournament, authorities, found)
            except DATABASE_AWAY:
                raise
            except Exception:  # a log that cannot be read now must not stop the webhooks of others
                _log.exception("the webhooks of a tournament are not looked at", tournament=tournament)
        return found

    def suspend(self, key: Key, cause: Any) -> None:
        """Have a rule disable a webhook. What refuses that now is tried again when the cause is met again."""
        command = SuspendWebhook(webhook=key[1], cause=cause)
        try:
            self._service.handler.run(CommandEnvelope(key[0], command, FOLLOWING, secrets.token_hex(16)))
            _log.warning("a webhook was disabled", tournament=key[0], webhook=key[1], cause=cause)
        except Refusal as refusal:
            _log.info("a webhook was not disabled", tournament=key[0], webhook=key[1], reason=str(refusal))

    def _of(self, tournament: str, authorities: Mapping[Key, str], found: dict[Key, Subscription]) -> None:
        roles = self._service.handler.handlers[SubscribeWebhook].roles
        good: list[tuple[Webhook, Caller]] = []
        ended: list[Key] = []
        with self._service.repository.now(tournament) as loaded:
            for webhook in loaded.state.webhooks.by_id.values():
                key = (tournament, webhook.id)
                self.disabled_by_rules += not webhook.enabled and webhook.cause != "asked"
                if not webhook.enabled or key not in authorities:
                    continue
                who = caller_of(authorities[key])
                try:
                    need_authority(tournament, loaded.state, who, roles, self._clock(), self._service.is_revoked)
                    good.append((msgspec.structs.replace(webhook), who))
                except (TokenRevoked, TokenExpired):
                    ended.append(key)
        for key in ended:
            self.suspend(key, "no_authority")
        for webhook, who in good:
            key = (tournament, webhook.id)
            wanted = wanted_of(webhook, who, self._service.repository)
            reader, venues = reader_for(tournament, webhook, who), venues_of(webhook, who)
            sight = Sight(reader, self._tournaments, webhook.filter.tournament, wanted, venues, self._results)
            found[key] = Subscription(key, webhook, who, sight)


def logs_with_webhooks(connection: Connection) -> list[str]:
    """The tournaments in whose logs webhooks stand, or stood."""
    rows = connection.rows(
        "SELECT DISTINCT tournament FROM events WHERE type = 'WebhookSubscribed' ORDER BY tournament"
    )
    return [tournament for (tournament,) in rows]
