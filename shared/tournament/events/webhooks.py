"""Events about webhooks: who is told over HTTP of what happens. They say neither where a webhook leads nor its secret.

They stand in scoring's log of the tournament that a webhook is about; of one that is about several tournaments in that
of the installation.
"""

from __future__ import annotations

from shared.log.event import Event, Part


class WebhookFilter(Part, frozen=True, kw_only=True):
    """Of all that a webhook may see, what it is told of. types: of events; empty: all.

    tournament, season: of a webhook of the installation, one tournament, or a season with what it counts. venue: events
    about that venue, and those about none.
    """

    types: list[str] = []
    tournament: str = ""
    venue: str = ""
    season: str = ""


class WebhookSubscribed(Event, frozen=True, kw_only=True):
    """Somebody is told over HTTP of what happens from here on.

    form: what is sent, `events` or the message of a chat. audience: it sees what `everybody` sees, or what `staff` do.
    """

    webhook: str
    name: str
    form: str = "events"
    audience: str = "everybody"
    filter: WebhookFilter = WebhookFilter()


class WebhookChanged(Event, frozen=True, kw_only=True):
    """It is called, leads, or is told of something else. target: whether it leads somewhere else; null: as it was."""

    webhook: str
    name: str | None = None
    target: bool = False
    audience: str | None = None
    filter: WebhookFilter | None = None


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
