"""The webhooks of a tournament, or of the installation, as scoring's log tells of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from shared.log.event import Event, StoredEvent, read_actor
from shared.tournament.events.webhooks import (
    WebhookChanged,
    WebhookDeleted,
    WebhookDisabled,
    WebhookEnabled,
    WebhookFilter,
    WebhookReplayed,
    WebhookSecretRotated,
    WebhookSubscribed,
)


class Webhook(Struct, gc=False):
    """One webhook. owner: the id of whoever subscribed. secret: the number of its newest secret.

    enabled: it is told of what happens. cause, reason: why it is not (events/webhooks.py). since: of being so.
    subscribed: position of the event that it began with; changed: of the last one that touched it.
    """

    id: str
    name: str
    form: str
    audience: str
    filter: WebhookFilter
    owner: str
    subscribed: int
    changed: int
    since: str
    secret: int = 1
    enabled: bool = True
    cause: str = ""
    reason: str = ""


class Webhooks(Struct):
    """by_id: those that there are. made: how many there ever were; an id is never given twice."""

    by_id: dict[str, Webhook] = field(default_factory=dict)
    made: int = 0


def _subscribed(webhooks: Webhooks, event: WebhookSubscribed, told: StoredEvent) -> None:
    webhooks.made += 1
    webhooks.by_id[event.webhook] = Webhook(
        event.webhook,
        event.name,
        event.form,
        event.audience,
        event.filter,
        read_actor(told.actor).actor,
        told.position,
        told.position,
        told.time,
    )


def _of_one(change: Callable[[Webhook, Any, StoredEvent], None]) -> Callable[[Webhooks, Any, StoredEvent], None]:
    def apply(webhooks: Webhooks, event: Any, told: StoredEvent) -> None:
        webhook = webhooks.by_id[event.webhook]
        change(webhook, event, told)
        webhook.changed = told.position

    return apply


def _changed(webhook: Webhook, event: WebhookChanged, told: StoredEvent) -> None:
    for name in ("name", "audience", "filter"):
        if (value := getattr(event, name)) is not None:
            setattr(webhook, name, value)


def _rotated(webhook: Webhook, event: WebhookSecretRotated, told: StoredEvent) -> None:
    webhook.secret = event.secret


def _enabled(webhook: Webhook, event: WebhookEnabled, told: StoredEvent) -> None:
    webhook.enabled, webhook.cause, webhook.reason, webhook.since = True, "", "", told.time


def _disabled(webhook: Webhook, event: WebhookDisabled, told: StoredEvent) -> None:
    webhook.enabled, webhook.cause, webhook.reason, webhook.since = False, event.cause, event.reason, told.time


def _replayed(webhook: Webhook, event: WebhookReplayed, told: StoredEvent) -> None:
    """Where it has got to is no part of the state."""


def _deleted(webhooks: Webhooks, event: WebhookDeleted, told: StoredEvent) -> None:
    del webhooks.by_id[event.webhook]


EVOLVE: Mapping[type[Event], Callable[[Webhooks, Any, StoredEvent], None]] = MappingProxyType(
    {
        WebhookSubscribed: _subscribed,
        WebhookChanged: _of_one(_changed),
        WebhookSecretRotated: _of_one(_rotated),
        WebhookEnabled: _of_one(_enabled),
        WebhookDisabled: _of_one(_disabled),
        WebhookReplayed: _of_one(_replayed),
        WebhookDeleted: _deleted,
    }
)
"""Event -> what it changes; scoring's own, in every format."""
