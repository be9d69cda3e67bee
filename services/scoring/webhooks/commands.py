"""Commands of webhooks and their decisions. Target URLs and secrets are not in the log; the routes handle them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from services.scoring.webhooks.protocol import MAX_URL, Form, expected_secret
from shared.formats.fold import CATALOGUE
from shared.log.event import Event
from shared.refusals import Expected, Fault, Refusal, expects
from shared.roles import INTEGRATION
from shared.shapes import Check, Command, Id, Name, OptionalReason, Personal, Size, Whole
from shared.tournament.guards import By, Context
from shared.tournament.state import Tournament
from shared.tournament.webhooks import (
    EventFilter,
    Webhook,
    WebhookChanged,
    WebhookDeleted,
    WebhookDisabled,
    WebhookEnabled,
    WebhookReplayed,
    WebhookSecretRotated,
    WebhookSubscribed,
)
from shared.web.refusals import QuotaReached

Audience = Literal["everybody", "staff"]
MAX_TYPES = 100


def _expected_type(name: str) -> Expected | None:
    return None if name in CATALOGUE else expects("type-of-event")


_URL_TEXT = (
    "The address that receives messages: `https://` and a host with public IP addresses. Stored encrypted; answers "
    "never contain it."
)
Secret = Annotated[
    str | None,
    Check(expected_secret),
    Personal(),
    "The signing secret: `whsec_` and 24 to 64 bytes in base64. null: a new secret is generated and returned.",
]


class Filter(EventFilter, frozen=True, kw_only=True):
    """The events that a webhook receives, out of those that its owner may see. Empty: all of them."""

    types: Annotated[
        list[Annotated[str, Check(_expected_type)]], Size(MAX_TYPES), "Event types to include. Empty: all types."
    ] = []


class SubscribeWebhook(Command, frozen=True, kw_only=True):
    """Post events to an address.

    form: what is posted: `events` as CloudEvents, `results` (the games of `view=results` in the feed), or text messages
    for `discord` or `slack`. audience: `everybody` receives what the public may see, `staff` also what only staff may
    see; never more than the caller may see.
    """

    name: Annotated[str, Name()]
    url: Annotated[str, Size(MAX_URL, 1), Personal(), _URL_TEXT]
    secret: Secret = None
    form: Form = "events"
    audience: Audience = "everybody"
    filter: Filter = Filter()


class ChangeWebhook(Command, frozen=True, kw_only=True):
    """Change a webhook. Members that are left out keep their values. A new address has to be verified again."""

    webhook: Id
    name: Annotated[str, Name()] | None = None
    url: Annotated[str | None, Size(MAX_URL, 1), Personal(), _URL_TEXT] = None
    audience: Audience | None = None
    filter: Filter | None = None


class RotateWebhookSecret(Command, frozen=True, kw_only=True):
    """Replace the signing secret.

    overlap_hours: how long messages also carry a signature of the previous secret.
    """

    webhook: Id
    secret: Secret = None
    overlap_hours: Annotated[int, Whole(0, 168)] = 24


class EnableWebhook(Command, frozen=True, kw_only=True):
    """Enable a webhook on the caller's authority. It continues where it stopped."""

    webhook: Id


class DisableWebhook(Command, frozen=True, kw_only=True):
    """Stop posting until the webhook is enabled again."""

    webhook: Id
    reason: OptionalReason = ""


class ReplayWebhook(Command, frozen=True, kw_only=True):
    """Post all events after a cursor of the feed again."""

    webhook: Id
    after: Annotated[
        str, Size(60), "The `feedcursor` of an event that this webhook received. Empty: the beginning."
    ] = ""


class DeleteWebhook(Command, frozen=True, kw_only=True):
    """Delete a webhook, and destroy its address and secrets."""

    webhook: Id


class SuspendWebhook(Command, frozen=True, kw_only=True):
    """Disable a webhook by rule. cause: see WebhookDisabled."""

    webhook: Id
    cause: Literal["failing", "gone", "unverified", "no_authority"]


class WebhookUnknown(Refusal):
    """The webhook does not exist, or was deleted."""

    code = "webhook-unknown"


class NotYourWebhook(Refusal):
    """The caller is an integration, and someone else owns the webhook."""

    code = "not-your-webhook"


MAX_WEBHOOKS = 50
"""Webhooks per tournament, and of the installation."""
MAX_PER_INTEGRATION = 10
"""Webhooks per integration, within the limit of the tournament."""


def find_webhook(state: Tournament, webhook: str, by: By) -> Webhook:
    """Return a webhook that the caller may manage. Raises WebhookUnknown, NotYourWebhook."""
    managed = state.webhooks.by_id.get(webhook)
    if managed is None:
        raise WebhookUnknown(f"There is no webhook {webhook}.", [Fault("/webhook", webhook, expects("webhook"))])
    if by.role == INTEGRATION and managed.owner != by.actor:
        raise NotYourWebhook("An integration manages the webhooks that it subscribed itself.")
    return managed


def subscribe(state: Tournament, command: SubscribeWebhook, context: Context) -> Sequence[Event]:
    """Add a webhook. Ids are w1, w2, and so on. Raises QuotaReached."""
    webhooks = state.webhooks.by_id.values()
    _check_quota(len(webhooks), MAX_WEBHOOKS, "one tournament, or of the installation")
    if context.by.role == INTEGRATION:
        own = sum(webhook.owner == context.by.actor for webhook in webhooks)
        _check_quota(own, MAX_PER_INTEGRATION, "one integration")
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
    webhook = find_webhook(state, command.webhook, context.by)
    requested: dict[str, Any] = {
        "name": command.name,
        "audience": command.audience,
        "filter": None if command.filter is None else _recorded(command.filter),
    }
    changed = {
        name: value for name, value in requested.items() if value is not None and value != getattr(webhook, name)
    }
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
    webhook = find_webhook(state, command.webhook, context.by)
    return [WebhookSecretRotated(webhook=webhook.id, secret=webhook.secret + 1, overlap_hours=command.overlap_hours)]


def enable(state: Tournament, command: EnableWebhook, context: Context) -> Sequence[Event]:
    webhook = find_webhook(state, command.webhook, context.by)
    return [] if webhook.enabled else [WebhookEnabled(webhook=webhook.id)]


def disable(state: Tournament, command: DisableWebhook, context: Context) -> Sequence[Event]:
    webhook = find_webhook(state, command.webhook, context.by)
    return [WebhookDisabled(webhook=webhook.id, cause="asked", reason=command.reason)] if webhook.enabled else []


def suspend(state: Tournament, command: SuspendWebhook, context: Context) -> Sequence[Event]:
    webhook = find_webhook(state, command.webhook, context.by)
    return [WebhookDisabled(webhook=webhook.id, cause=command.cause)] if webhook.enabled else []


def replay(state: Tournament, command: ReplayWebhook, context: Context) -> Sequence[Event]:
    webhook = find_webhook(state, command.webhook, context.by)
    return [WebhookReplayed(webhook=webhook.id, after=command.after)]


def delete(state: Tournament, command: DeleteWebhook, context: Context) -> Sequence[Event]:
    return [WebhookDeleted(webhook=find_webhook(state, command.webhook, context.by).id)]


def _recorded(filter: Filter) -> EventFilter:
    return EventFilter(**msgspec.structs.asdict(filter))


def _check_quota(used: int, limit: int, of: str) -> None:
    if used >= limit:
        raise QuotaReached(
            f"At most {limit} webhooks are taken of {of}; {used} are there.",
            quota="webhooks",
            of=of,
            limit=limit,
            used=used,
            asked=1,
        )
