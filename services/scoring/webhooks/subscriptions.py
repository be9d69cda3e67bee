"""Subscriptions: active webhooks, and the caller by whose right each sees events.

A webhook sees what its caller would see with the same token now. Once the token ends or is revoked, or its bearer
is dismissed, it sees nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict
from typing import Any

import msgspec

from services.scoring.feed.readers import Reader, Sight, Tournaments, reader_of, sight_of
from services.scoring.feed.results import Results
from services.scoring.webhooks.commands import SubscribeWebhook, SuspendWebhook
from services.scoring.webhooks.deliveries import Key
from services.scoring.webhooks.protocol import CHATS, RESULTS, TOLD_TO_CHATS
from shared.log.database import Connection
from shared.logs import get_logger
from shared.messaging.errors import DATABASE_AWAY
from shared.refusals import Refusal
from shared.service.commands import CommandEnvelope
from shared.service.routes import actor_of
from shared.service.visibility import is_visible, require_valid_token
from shared.service.wiring import Service
from shared.tournament.guards import authority_denial, by_rule
from shared.tournament.registration import INSTALLATION
from shared.tournament.state import Tournament
from shared.tournament.webhooks import Webhook
from shared.web.refusals import TokenExpired, TokenRevoked
from shared.web.schema import convert
from shared.web.tokens import Caller

STAFF = "staff"


def kept(who: Caller) -> str:
    """A caller as it is kept beside a webhook: who, in which role, by which token until when; no token."""
    return msgspec.json.encode(asdict(who)).decode()


def caller_of(text: str) -> Caller:
    """Return the caller that `kept` wrote."""
    return convert(msgspec.json.decode(text), Caller)


def need_authority(
    tournament: str,
    state: Tournament,
    who: Caller,
    roles: Collection[str],
    now: int,
    is_revoked: Callable[[Caller], bool],
) -> None:
    """Raises the refusal that a caller would meet who came with their token now.

    state: of the tournament in whose log the webhook stands. roles: that subscribe. now: Unix ms.
    """
    if now >= who.expires * 1000:
        raise TokenExpired("The token has expired.", expired_at=who.expires)
    if is_revoked(who):
        raise TokenRevoked("The token was revoked by whoever runs this installation.")
    if tournament == INSTALLATION:
        return
    if not is_visible(tournament, state, who):
        raise TokenRevoked("The tournament is not there for the bearer of the token.")
    require_valid_token(tournament, state, who)
    if lack := authority_denial(state.entries, actor_of(who), roles):
        raise TokenRevoked(lack.detail)


def reader_for(tournament: str, webhook: Webhook, who: Caller) -> Reader:
    """Return the reader of the feed that a webhook is."""
    seen = reader_of(who, results=webhook.form == RESULTS)
    if webhook.audience == STAFF:
        if tournament == INSTALLATION:
            return seen
        return msgspec.structs.replace(seen, tournament=tournament, watches=False, organiser="")
    of = "" if tournament == INSTALLATION else tournament
    return Reader(tournament=of, types=seen.types, venue=seen.venue, results=seen.results)


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
            reader = reader_for(tournament, webhook, who)
            repository = self._service.repository
            types = TOLD_TO_CHATS if webhook.form in CHATS else ()
            sight = sight_of(reader, webhook.filter, who, self._tournaments, repository, self._results, types)
            found[key] = Subscription(key, webhook, who, sight)


def logs_with_webhooks(connection: Connection) -> list[str]:
    """The tournaments in whose logs webhooks stand, or stood."""
    rows = connection.rows(
        "SELECT DISTINCT tournament FROM events WHERE type = 'WebhookSubscribed' ORDER BY tournament"
    )
    return [tournament for (tournament,) in rows]
