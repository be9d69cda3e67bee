"""Decisions about webhooks. Where they lead and what they are signed with is not looked at here: no log holds it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from services.scoring.webhooks.commands import (
    ChangeWebhook,
    DeleteWebhook,
    DisableWebhook,
    EnableWebhook,
    Filter,
    ReplayWebhook,
    RotateWebhookSecret,
    SubscribeWebhook,
    SuspendWebhook,
)
from services.scoring.webhooks.refusals import NotYourWebhook, WebhookUnknown
from shared.log.event import Event
from shared.refusals import Fault, expects
from shared.roles import INTEGRATION
from shared.tournament.guards import By, Context
from shared.tournament.state import Tournament
from shared.tournament.webhooks import (
    Webhook,
    WebhookChanged,
    WebhookDeleted,
    WebhookDisabled,
    WebhookEnabled,
    WebhookFilter,
    WebhookReplayed,
    WebhookSecretRotated,
    WebhookSubscribed,
)
from shared.web.refusals import QuotaReached

MOST = 50
"""Webhooks of one tournament, or of the installation."""
MOST_OF_ONE = 10
"""Of them, those of one integration."""


def webhook_of(state: Tournament, webhook: str, by: By) -> Webhook:
    """A webhook that somebody manages. Raises WebhookUnknown, and NotYourWebhook for an integration."""
    found = state.webhooks.by_id.get(webhook)
    if found is None:
        raise WebhookUnknown(f"There is no webhook {webhook}.", [Fault("/webhook", webhook, expects("webhook"))])
    if by.role == INTEGRATION and found.owner != by.actor:
        raise NotYourWebhook("An integration manages the webhooks that it subscribed itself.")
    return found


def subscribe(state: Tournament, command: SubscribeWebhook, context: Context) -> Sequence[Event]:
    """A new webhook; the id is w1, w2 …"""
    known = state.webhooks.by_id.values()
    _need_room(len(known), MOST, "one tournament, or of the installation")
    if context.by.role == INTEGRATION:
        own = sum(webhook.owner == context.by.actor for webhook in known)
        _need_room(own, MOST_OF_ONE, "one integration")
    return [
        WebhookSubscribed(
            webhook=f"w{state.webhooks.made + 1}",
            name=command.name,
            form=command.form,
            audience=command.audience,
            filter=_recorded(command.filter),
        )
    ]


def change(state: Tournament, command: ChangeWebhook, context: Context) -> Sequence[Event]:
    """It is called, leads or is told something else."""
    webhook = webhook_of(state, command.webhook, context.by)
    asked: dict[str, Any] = {"name": command.name, "audience": command.audience}
    asked["filter"] = None if command.filter is None else _recorded(command.filter)
    changed = {name: value for name, value in asked.items() if value is not None and value != getattr(webhook, name)}
    if not changed and command.url is None:
        return []
    return [
        WebhookChanged(
            webhook=webhook.id,
            target=command.url is not None,
            name=changed.get("name"),
            audience=changed.get("audience"),
            filter=changed.get("filter"),
        )
    ]


def rotate(state: Tournament, command: RotateWebhookSecret, context: Context) -> Sequence[Event]:
    """It has a new secret."""
    webhook = webhook_of(state, command.webhook, context.by)
    return [WebhookSecretRotated(webhook=webhook.id, secret=webhook.secret + 1, overlap_hours=command.overlap_hours)]


def enable(state: Tournament, command: EnableWebhook, context: Context) -> Sequence[Event]:
    """It goes on."""
    webhook = webhook_of(state, command.webhook, context.by)
    return [] if webhook.enabled else [WebhookEnabled(webhook=webhook.id)]


def disable(state: Tournament, command: DisableWebhook, context: Context) -> Sequence[Event]:
    """It stops."""
    webhook = webhook_of(state, command.webhook, context.by)
    return [WebhookDisabled(webhook=webhook.id, cause="asked", reason=command.reason)] if webhook.enabled else []


def suspend(state: Tournament, command: SuspendWebhook, context: Context) -> Sequence[Event]:
    """A rule stops it."""
    webhook = webhook_of(state, command.webhook, context.by)
    return [WebhookDisabled(webhook=webhook.id, cause=command.cause)] if webhook.enabled else []


def replay(state: Tournament, command: ReplayWebhook, context: Context) -> Sequence[Event]:
    """It is told everything once more from a place on."""
    webhook = webhook_of(state, command.webhook, context.by)
    return [WebhookReplayed(webhook=webhook.id, after=command.after)]


def delete(state: Tournament, command: DeleteWebhook, context: Context) -> Sequence[Event]:
    """It is no more."""
    return [WebhookDeleted(webhook=webhook_of(state, command.webhook, context.by).id)]


def _recorded(filter: Filter) -> WebhookFilter:
    return WebhookFilter(types=filter.types, tournament=filter.tournament, venue=filter.venue, season=filter.season)


def _need_room(used: int, limit: int, of: str) -> None:
    if used >= limit:
        raise QuotaReached(
            f"At most {limit} webhooks are taken of {of}; {used} are there.",
            quota="webhooks",
            of=of,
            limit=limit,
            used=used,
            asked=1,
        )
