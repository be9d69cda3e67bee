"""Webhooks: commands and decisions. Targets and secrets are in no log and not looked at here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from services.scoring.webhooks.protocol import Form, expected_secret
from services.scoring.webhooks.targets import LONGEST_URL
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
MOST_TYPES = 100


def _known(name: str) -> Expected | None:
    return None if name in CATALOGUE else expects("type-of-event")


WHERE = "Where messages are posted: https:// and a host with public addresses. It is kept sealed and not shown again."
Secret = Annotated[
    str | None,
    Check(expected_secret),
    Personal(),
    "One of your own: whsec_ and 24 to 64 bytes in base64. null: one is made, and stands in the answer.",
]


class Filter(EventFilter, frozen=True, kw_only=True):
    """The events that a webhook receives, out of those that its owner may see. Empty: all of them."""

    types: Annotated[
        list[Annotated[str, Check(_known)]], Size(MOST_TYPES), "Event types to include. Empty: all types."
    ] = []


class SubscribeWebhook(Command, frozen=True, kw_only=True):
    """Post what happens to an address. form: the events themselves, the games that they are about as the feed has them
    with `view=results`, or a line for people in the form of a chat.

    audience: it sees what `everybody` may see, or what `staff` see earlier, as far as the caller does.
    """

    name: Annotated[str, Name()]
    url: Annotated[str, Size(LONGEST_URL, 1), Personal(), WHERE]
    secret: Secret = None
    form: Form = "events"
    audience: Audience = "everybody"
    filter: Filter = Filter()


class ChangeWebhook(Command, frozen=True, kw_only=True):
    """What is left out stays as it is. With another address, that has to say again that it wants this."""

    webhook: Id
    name: Annotated[str, Name()] | None = None
    url: Annotated[str | None, Size(LONGEST_URL, 1), Personal(), WHERE] = None
    audience: Audience | None = None
    filter: Filter | None = None


class RotateWebhookSecret(Command, frozen=True, kw_only=True):
    """A new secret. Until the overlap is over, the one before signs too: each message carries two signatures."""

    webhook: Id
    secret: Secret = None
    overlap_hours: Annotated[int, Whole(0, 168)] = 24


class EnableWebhook(Command, frozen=True, kw_only=True):
    """Go on from where it stopped, from now on by the caller's own right to see."""

    webhook: Id


class DisableWebhook(Command, frozen=True, kw_only=True):
    """Post nothing more until it is enabled."""

    webhook: Id
    reason: OptionalReason = ""


class ReplayWebhook(Command, frozen=True, kw_only=True):
    """Post everything once more from a place of the feed on. after: a cursor; empty: the beginning."""

    webhook: Id
    after: Annotated[str, Size(60), "`feedcursor` of an event that it was sent; empty: the beginning."] = ""


class DeleteWebhook(Command, frozen=True, kw_only=True):
    """It is no more; where it led and its secrets are destroyed."""

    webhook: Id


class SuspendWebhook(Command, frozen=True, kw_only=True):
    """A rule disables it. cause: as of WebhookDisabled."""

    webhook: Id
    cause: Literal["failing", "gone", "unverified", "no_authority"]


class WebhookUnknown(Refusal):
    """There is no such webhook, or no more."""

    code = "webhook-unknown"


class NotYourWebhook(Refusal):
    """An integration manages the webhooks that it subscribed itself; this one is somebody else's."""

    code = "not-your-webhook"


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


def _recorded(filter: Filter) -> EventFilter:
    return EventFilter(**msgspec.structs.asdict(filter))


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
