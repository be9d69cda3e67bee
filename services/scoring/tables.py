"""The tables of the public feed and of webhooks; their types and indices stand in the migrations."""

from __future__ import annotations

from shared.eventlog.database import Table

WEBHOOKS = Table(
    "webhooks",
    ("tournament", "webhook", "target", "authority", "feed", "opened", "verified", "failing"),
    ("tournament", "webhook"),
)
"""Of each webhook where it leads (sealed), by whose authority it sees what it sees, and how far it has got in the feed.

tournament: whose log it stands in. authority: the caller who subscribed or enabled it, as JSON. feed, opened: as of
`feed/cursors.py`. verified: when its target said that it wants this; 0: not yet. failing: since when nothing has
arrived; 0: it does. Both are Unix ms."""

WEBHOOK_SECRETS = Table(
    "webhook_secrets", ("tournament", "webhook", "number", "secret", "until"), ("tournament", "webhook", "number")
)
"""Secrets, sealed. until: Unix ms up to which one signs; 0: it is the newest."""

WEBHOOK_DELIVERIES = Table(
    "webhook_deliveries",
    (
        "id",
        "subscriber",
        "webhook",
        "kind",
        "source",
        "tournament",
        "position",
        "type",
        "opener",
        "cursor",
        "state",
        "attempts",
        "due",
        "created",
        "finished",
        "idempotency_key",
        "request",
        "game",
    ),
    ("id",),
    numbered=True,
)
"""What is to be delivered, and what was. subscriber: the tournament in whose log the webhook stands.

kind: `event`, `again` (an event that somebody has sent once more), `verification` or `ping`. source, tournament,
position, type: of the event. opener, cursor: as the feed shows them. state: `waiting`, `delivered` or `dead`. attempts:
that failed. due, created, finished: Unix ms. idempotency_key, request: of a `ping` that came with a key, that key and
the id of the request (`shared/web/idempotency.py`). game: that the message is about, in the form of results."""

WEBHOOK_ATTEMPTS = Table(
    "webhook_attempts",
    ("id", "delivery", "time", "status", "milliseconds", "fault", "response", "private"),
    ("id",),
    numbered=True,
)
"""What came of each attempt. status: of HTTP, 0 for no answer. fault: why it counts as failed; empty: it does not.

response: what the receiver said, cut off. private: it is at an address that the operator had to allow."""


PUBLIC_FEED = Table("public_feed", ("feed", "source", "tournament", "position", "mark"), ("feed",))
"""The one order over the events of every source, without gaps. mark: of everything up to here (see places.py)."""

PUBLIC_FEED_LOGS = Table("public_feed_logs", ("source", "tournament", "position"), ("source", "tournament"))
"""How far each log stands in the feed."""

PUBLIC_FEED_RECOPIES = Table("public_feed_recopies", ("one", "recopy"), ("one",))
"""One row, under whose lock places are given: the last recopy of a log that the feed has been mended for."""

PUBLIC_FEED_FOLLOWERS = (WEBHOOKS,)
"""Tables whose rows stand at a place of the feed (`feed`, `opened`): where that is taken back, they go back with it."""
