"""The tables of one service's database: its logs and copies, what is on its way out, and what may be rebuilt.

Their types and indices stand in the migrations.
"""

from __future__ import annotations

from shared.eventlog.database import Table
from shared.events.recorded import Recorded

KEYED = "%~%"
"""Which ids of commands came with an idempotency key, for `like`; the others are never looked for."""
ID_IN_LOG = "tournament || '/' || source || '/' || command_id"
"""By what the index of commands with a key finds them: an expression, which no other index could serve instead."""

_LOG = ("source", "tournament")

EVENTS = Table("events", Recorded.__struct_fields__, (*_LOG, "position"))
"""Own logs and verified copies of the other services' logs; never changed, never removed."""

HEADS = Table("heads", (*_LOG, "position", "hash"), _LOG)
"""Where each log and copy ends; the row that orders appends."""

OUTBOX = Table("outbox", ("id", "tournament", "position", "cause"), ("id",), numbered=True)
"""Own events that have no feed position yet; written with the event, emptied by the relay. cause: the request that they
come from (shared/tracing.py), for the relay alone; it is gone with the row."""

FEED = Table("feed", ("feed", "tournament", "position"), ("feed",))
"""The one order over all own tournaments, without gaps, given after commit: what a subscriber's cursor counts."""

RELAY = Table("relay", ("name", "token", "holder", "expires", "published", "busy"), ("name",))
"""One row: who leads (with a token that fences off former leaders) until when (ms), the last feed position that the
broker confirmed, and whether the leader is so busy that nobody needs to ring for it."""

QUARANTINE = Table("quarantine", ("id", *_LOG, "position", "reason", "origin", "body", "time"), ("id",), numbered=True)
"""Foreign events that did not verify, with the reason; origins: see quarantine.py."""

OWNER = Table("owner", ("one", "source"), ("one",))
"""One row: whose own log this database holds."""

RECOPIES = Table(
    "recopies",
    (
        "id",
        *_LOG,
        "actor",
        "reason",
        "time",
        "old_position",
        "old_hash",
        "kept",
        "new_position",
        "new_hash",
        "under_way",
    ),
    ("id",),
    numbered=True,
)
"""Copies that were made anew from their owner: by whom, why, and where they ended before and after."""

REPLACED = Table("replaced", ("recopy", *Recorded.__struct_fields__), ("recopy", "position"))
"""What stood in a copy before it was made anew."""

CURSORS = Table("cursors", ("source", "feed", "owner_end", "checked", "heard", "trouble"), ("source",))
"""How far the feed of each foreign source is read, where its owner said it ends, and when (ms); how far messages claim
to have brought it; and what is wrong with its copies."""

COPIED_FEED = Table("copied_feed", ("source", "feed", "tournament", "position"), ("source", "feed"))
"""Where copied events stand in the feed of their owner, as the owner vouched for it."""

OWN_COPIES = Table("own_copies", ("peer", "checked", "trouble"), ("peer",))
"""What each peer last said of its copies of the own log: when (Unix ms), and how they go beyond it; empty: they do not.
The row of the service itself says that it is taking back what it lost."""

PARTS = Table("parts", ("name", "holder", "beat", "deaths", "due", "trouble"), ("name", "holder"))
"""What runs in the workers of this service: when each part last lived (ms), how often it died since it last ran well,
when it is tried again (ms, 0: it runs), and why it does not run."""

SNAPSHOTS = Table("snapshots", ("tournament", "code", "heads", "state", "hash"), ("tournament", "code"))
"""Folded state as a cache, with the hash of heads and state: safe to delete at any time."""

ALLOWANCES = Table("allowances", ("caller", "number", "spent"), ("caller",))
"""What the processes of a service have told each other of a caller's requests in the window with this number."""

TABLES = (
    EVENTS,
    HEADS,
    OUTBOX,
    FEED,
    RELAY,
    QUARANTINE,
    OWNER,
    RECOPIES,
    REPLACED,
    CURSORS,
    COPIED_FEED,
    OWN_COPIES,
    PARTS,
    SNAPSHOTS,
    ALLOWANCES,
)
