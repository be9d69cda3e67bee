"""Webhooks of a tournament or of the installation: their events and their slice of the state.

Events contain neither the address nor the secret of a webhook. They are in scoring's log of the webhook's tournament.
Events of a webhook that covers several tournaments are in the log of the installation.
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
    """A webhook was created. It receives the events that follow.

    - `webhook`: id of the webhook.
    - `name`: display name.
    - `form`: body of the requests: `events`, `results` (public game records), or a chat message (`discord`, `slack`).
    - `audience`: `everybody` or `staff`, the audience whose view of the events is sent.
    - `filter`: the filter on the events.
    """

    webhook: str
    name: str
    form: str = "events"
    audience: str = "everybody"
    filter: EventFilter = EventFilter()


class WebhookChanged(Event, frozen=True, kw_only=True):
    """A webhook was changed. Absent members are unchanged.

    - `webhook`: id of the webhook.
    - `name`, `audience`, `filter`: the new value, as in WebhookSubscribed.
    - `target`: true if the address changed.
    """

    webhook: str
    name: str | None = None
    target: bool = False
    audience: str | None = None
    filter: EventFilter | None = None


class WebhookSecretRotated(Event, frozen=True, kw_only=True):
    """A webhook got a new secret.

    - `webhook`: id of the webhook.
    - `secret`: number of the new secret, from 1.
    - `overlap_hours`: hours during which requests are also signed with the previous secret.
    """

    webhook: str
    secret: int
    overlap_hours: int


class WebhookEnabled(Event, frozen=True, kw_only=True):
    """A disabled webhook was enabled. Deliveries continue where they stopped.

    - `webhook`: id of the webhook.
    """

    webhook: str


class WebhookDisabled(Event, frozen=True, kw_only=True):
    """A webhook was disabled. It receives nothing until it is enabled.

    - `webhook`: id of the webhook.
    - `cause`: `asked` (on request), or set by a rule: `failing` (failed for too long), `gone` (the receiver answered
      410), `unverified`, or `no_authority` (the subscriber may no longer see these events).
    - `reason`: free text; may be empty.
    """

    webhook: str
    cause: str
    reason: str = ""


class WebhookReplayed(Event, frozen=True, kw_only=True):
    """A webhook receives the feed again from an earlier place.

    - `webhook`: id of the webhook.
    - `after`: cursor of the feed; empty for the beginning.
    """

    webhook: str
    after: str = ""


class WebhookDeleted(Event, frozen=True, kw_only=True):
    """A webhook was deleted. Its address and secrets are destroyed.

    - `webhook`: id of the webhook.
    """

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
"""Types of events that the log of the installation may also contain."""


class Webhook(Struct, gc=False):
    """A webhook.

    - `owner`: id of the subscriber.
    - `secret`: number of the newest secret.
    - `enabled`: True if events are delivered. `cause`, `reason`: why it is disabled (see WebhookDisabled).
    - `since`: time of the latest change of `enabled`.
    - `subscribed`, `changed`: positions of the first and the latest event about the webhook.
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
    """The webhooks by id. `made` counts all webhooks ever made; ids are never reused."""

    by_id: dict[str, Webhook] = field(default_factory=dict)
    made: int = 0


def _subscribed(webhooks: Webhooks, event: WebhookSubscribed, stored: StoredEvent) -> None:
    webhooks.made += 1
    webhooks.by_id[event.webhook] = Webhook(
        event.webhook,
        event.name,
        event.form,
        event.audience,
        event.filter,
        read_actor(stored.actor).actor,
        stored.position,
        stored.position,
        stored.time,
    )


def _of_one(change: Callable[[Webhook, Any, StoredEvent], None]) -> Callable[[Webhooks, Any, StoredEvent], None]:
    def apply(webhooks: Webhooks, event: Any, stored: StoredEvent) -> None:
        webhook = webhooks.by_id[event.webhook]
        change(webhook, event, stored)
        webhook.changed = stored.position

    return apply


def _changed(webhook: Webhook, event: WebhookChanged, stored: StoredEvent) -> None:
    for name in ("name", "audience", "filter"):
        if (value := getattr(event, name)) is not None:
            setattr(webhook, name, value)


def _rotated(webhook: Webhook, event: WebhookSecretRotated, stored: StoredEvent) -> None:
    webhook.secret = event.secret


def _enabled(webhook: Webhook, event: WebhookEnabled, stored: StoredEvent) -> None:
    webhook.enabled, webhook.cause, webhook.reason, webhook.since = True, "", "", stored.time


def _disabled(webhook: Webhook, event: WebhookDisabled, stored: StoredEvent) -> None:
    webhook.enabled, webhook.cause, webhook.reason, webhook.since = False, event.cause, event.reason, stored.time


def _replayed(webhook: Webhook, event: WebhookReplayed, stored: StoredEvent) -> None:
    pass  # The progress of deliveries is not part of the state.


def _deleted(webhooks: Webhooks, event: WebhookDeleted, stored: StoredEvent) -> None:
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
"""Event type -> the function that applies it."""
