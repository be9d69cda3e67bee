"""Webhooks of a tournament or of the installation: the events about them and the slice that they fold into.

Events contain neither the address of a webhook nor its secret. They are in scoring's log of the tournament that the
webhook is about; for a webhook about several tournaments, in the log of the installation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any

from msgspec import Struct, field

from shared.log.event import Event, Part, StoredEvent, read_actor
from shared.refusals import Expected, expects
from shared.shapes import Check


def _expected_id(value: str) -> Expected | None:
    return None if re.fullmatch(r"[A-Za-z0-9_-]{0,64}", value) else expects("id")


_OptionalId = Annotated[str, Check(_expected_id)]


class EventFilter(Part, frozen=True, kw_only=True):
    """Conditions on events. An event must meet every condition; an empty condition matches all events.

    Feed pages, streams and webhooks use this struct to select events.
    """

    types: Annotated[list[str], "Event types to include. Empty: all types."] = []
    tournament: Annotated[
        _OptionalId, "Include only this tournament. For webhooks, only available on those of the installation."
    ] = ""
    venue: Annotated[_OptionalId, "Include events at this venue, and events that belong to no venue."] = ""
    season: Annotated[
        _OptionalId,
        "Include only this season and the tournaments that it currently counts. For webhooks, only available on those "
        "of the installation.",
    ] = ""


class WebhookSubscribed(Event, frozen=True, kw_only=True):
    """Somebody is told over HTTP of what happens from here on.

    form: what is sent, `events` or the message of a chat. audience: it sees what `everybody` sees, or what `staff` do.
    """

    webhook: str
    name: str
    form: str = "events"
    audience: str = "everybody"
    filter: EventFilter = EventFilter()


class WebhookChanged(Event, frozen=True, kw_only=True):
    """It is called, leads, or is told of something else. target: whether it leads somewhere else; null: as it was."""

    webhook: str
    name: str | None = None
    target: bool = False
    audience: str | None = None
    filter: EventFilter | None = None


class WebhookSecretRotated(Event, frozen=True, kw_only=True):
    """It has a new secret. secret: its number, from 1. overlap_hours: for so long the one before signs too."""

    webhook: str
    secret: int
    overlap_hours: int


class WebhookEnabled(Event, frozen=True, kw_only=True):
    """It is told again, from where it stopped."""

    webhook: str


class WebhookDisabled(Event, frozen=True, kw_only=True):
    """It is told nothing more until it is enabled.

    cause: `asked` by somebody, or a rule: `failing` for too long, `gone` by its own word, `unverified`, or
    `no_authority`: whoever subscribed may not see this any more. reason: what somebody said of it.
    """

    webhook: str
    cause: str
    reason: str = ""


class WebhookReplayed(Event, frozen=True, kw_only=True):
    """It is told everything once more from a place on. after: a cursor of the feed; empty: the beginning."""

    webhook: str
    after: str = ""


class WebhookDeleted(Event, frozen=True, kw_only=True):
    """It is no more; where it led and its secrets are destroyed."""

    webhook: str


OF_WEBHOOKS = frozenset(
    kind.__name__
    for kind in (
        WebhookSubscribed,
        WebhookChanged,
        WebhookSecretRotated,
        WebhookEnabled,
        WebhookDisabled,
        WebhookReplayed,
        WebhookDeleted,
    )
)
"""They may stand in the log of the installation, too."""


class Webhook(Struct, gc=False):
    """One webhook. owner: the id of whoever subscribed. secret: the number of its newest secret.

    enabled: it is told of what happens. cause, reason: why it is not (events/webhooks.py). since: of being so.
    subscribed: position of the event that it began with; changed: of the last one that touched it.
    """

    id: str
    name: str
    form: str
    audience: str
    filter: EventFilter
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
