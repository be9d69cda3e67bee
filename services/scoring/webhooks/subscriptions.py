"""Subscriptions: enabled webhooks, each with the caller on whose authority it sees events.

A webhook sees what its caller could see with the same token now. It is disabled once the token expires or is revoked,
or its bearer is no longer staff.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict
from typing import Any

import msgspec

from services.scoring.feed.readers import Announcements, Reader, Selection, feed_reader, select_events
from services.scoring.feed.results import ResultLines
from services.scoring.webhooks.commands import SubscribeWebhook, SuspendWebhook
from services.scoring.webhooks.deliveries import Key
from services.scoring.webhooks.protocol import CHAT_TEXTS, CHATS, RESULTS
from shared.log.database import Connection
from shared.logs import get_logger
from shared.messaging.errors import DATABASE_UNAVAILABLE
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


def encode_caller(caller: Caller) -> str:
    """Return a caller as JSON, for the row of a webhook. It contains the claims of the token, not the token."""
    return msgspec.json.encode(asdict(caller)).decode()


def decode_caller(text: str) -> Caller:
    """Return the caller that `encode_caller` wrote."""
    return convert(msgspec.json.decode(text), Caller)


def check_authority(
    tournament: str,
    state: Tournament,
    caller: Caller,
    roles: Collection[str],
    now: int,
    is_revoked: Callable[[Caller], bool],
) -> None:
    """Raise TokenExpired or TokenRevoked if the caller could not subscribe with the same token now.

    state: state of the webhook's tournament. roles: roles that may subscribe. now: Unix ms.
    """
    if now >= caller.expires * 1000:
        raise TokenExpired("The token has expired.", expired_at=caller.expires)
    if is_revoked(caller):
        raise TokenRevoked("The token was revoked by whoever runs this installation.")
    if tournament == INSTALLATION:
        return
    if not is_visible(tournament, state, caller):
        raise TokenRevoked("The tournament is not there for the bearer of the token.")
    require_valid_token(tournament, state, caller)
    if lack := authority_denial(state.entries, actor_of(caller), roles):
        raise TokenRevoked(lack.detail)


def webhook_reader(tournament: str, webhook: Webhook, caller: Caller) -> Reader:
    """Return the reader of the feed for a webhook. caller: on whose authority it sees events."""
    reader = feed_reader(caller, results=webhook.form == RESULTS)
    if webhook.audience == STAFF:
        if tournament == INSTALLATION:
            return reader
        return msgspec.structs.replace(reader, tournament=tournament, watches=False, organiser="")
    only = "" if tournament == INSTALLATION else tournament
    return Reader(tournament=only, types=reader.types, venue=reader.venue, results=reader.results)


_WEBHOOK_RULE = by_rule("webhooks")
"""The actor that disables webhooks."""

_log = get_logger("muster.scoring")


class Subscription(msgspec.Struct, frozen=True):
    """An enabled webhook, and the events that it currently receives. caller: on whose authority it sees events."""

    key: Key
    webhook: Webhook
    caller: Caller
    selection: Selection


class Subscriptions:
    """The subscriptions of all logs. Disables webhooks whose authority has ended. clock: Unix ms."""

    def __init__(
        self,
        service: Service,
        announcements: Announcements,
        result_lines: ResultLines,
        clock: Callable[[], int],
    ) -> None:
        self._service = service
        self._announcements = announcements
        self._result_lines = result_lines
        self._clock = clock
        self.disabled_by_rules = 0

    def load(self) -> dict[Key, Subscription]:
        """Return every webhook that is enabled, valid and has a known target. Also counts the disabled ones."""
        subscriptions: dict[Key, Subscription] = {}
        self.disabled_by_rules = 0
        with self._service.database.reading() as connection:
            logs = logs_with_webhooks(connection)
            rows = connection.rows("SELECT tournament, webhook, authority FROM webhooks")
            authorities = {(tournament, webhook): authority for tournament, webhook, authority in rows}
        for tournament in logs:
            try:
                self._load_tournament(tournament, authorities, subscriptions)
            except DATABASE_UNAVAILABLE:
                raise
            except Exception:  # an unreadable log must not stop the webhooks of other tournaments
                _log.exception("the webhooks of a tournament are not looked at", tournament=tournament)
        return subscriptions

    def suspend(self, key: Key, cause: Any) -> None:
        """Disable a webhook by rule. A refusal is only logged; the next occurrence of the cause tries again."""
        command = SuspendWebhook(webhook=key[1], cause=cause)
        try:
            self._service.handler.run(CommandEnvelope(key[0], command, _WEBHOOK_RULE, secrets.token_hex(16)))
            _log.warning("a webhook was disabled", tournament=key[0], webhook=key[1], cause=cause)
        except Refusal as refusal:
            _log.info("a webhook was not disabled", tournament=key[0], webhook=key[1], reason=str(refusal))

    def _load_tournament(
        self, tournament: str, authorities: Mapping[Key, str], subscriptions: dict[Key, Subscription]
    ) -> None:
        roles = self._service.handler.handlers[SubscribeWebhook].roles
        valid: list[tuple[Webhook, Caller]] = []
        expired: list[Key] = []
        with self._service.repository.now(tournament) as loaded:
            for webhook in loaded.state.webhooks.by_id.values():
                key = (tournament, webhook.id)
                self.disabled_by_rules += not webhook.enabled and webhook.cause != "asked"
                if not webhook.enabled or key not in authorities:
                    continue
                caller = decode_caller(authorities[key])
                try:
                    check_authority(tournament, loaded.state, caller, roles, self._clock(), self._service.is_revoked)
                    valid.append((msgspec.structs.replace(webhook), caller))
                except (TokenRevoked, TokenExpired):
                    expired.append(key)
        for key in expired:
            self.suspend(key, "no_authority")
        for webhook, caller in valid:
            key = (tournament, webhook.id)
            selection = select_events(
                webhook_reader(tournament, webhook, caller),
                webhook.filter,
                caller,
                self._announcements,
                self._service.repository,
                self._result_lines,
                types=CHAT_TEXTS if webhook.form in CHATS else (),
            )
            subscriptions[key] = Subscription(key, webhook, caller, selection)


def logs_with_webhooks(connection: Connection) -> list[str]:
    """Return the tournaments whose logs have, or once had, a webhook."""
    rows = connection.rows(
        "SELECT DISTINCT tournament FROM events WHERE type = 'WebhookSubscribed' ORDER BY tournament"
    )
    return [tournament for (tournament,) in rows]
