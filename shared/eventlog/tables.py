"""The tables of one service's database: its logs and copies, what is on its way out, and what may be rebuilt."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, MetaData, String, Table, Text, text

metadata = MetaData()

# Identifiers compare byte by byte on both databases, whatever the locale of a PostgreSQL cluster is.
_Name = String(200, collation="C").with_variant(String(200), "sqlite")
_Big = BigInteger().with_variant(Integer(), "sqlite")

KEYED = "command_id LIKE '%~%'"
"""Which commands came with an idempotency key; the others are never looked for."""


def _as_recorded() -> list[Column[Any]]:
    """What is kept of an event beside its place."""
    return [
        Column("id", _Name, nullable=False),
        Column("type", _Name, nullable=False),
        Column("version", Integer, nullable=False),
        Column("time", String(24), nullable=False),
        Column("actor", Text, nullable=False),
        Column("command_id", _Name, nullable=False),
        Column("seen", Text, nullable=False),
        Column("data", Text, nullable=False),
        Column("prev_hash", String(64), nullable=False),
        Column("hash", String(64), nullable=False),
    ]


events = Table(
    "events",
    metadata,
    Column("source", _Name, primary_key=True),
    Column("tournament", _Name, primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    *_as_recorded(),
    Index(
        "events_by_command",
        "source",
        "tournament",
        "command_id",
        sqlite_where=text(KEYED),
        postgresql_where=text(KEYED),
    ),
    sqlite_with_rowid=False,
)
"""Own logs and verified copies of the other services' logs; triggers refuse UPDATE and DELETE."""

heads = Table(
    "heads",
    metadata,
    Column("source", _Name, primary_key=True),
    Column("tournament", _Name, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("hash", String(64), nullable=False),
    sqlite_with_rowid=False,
)
"""Where each log and copy ends; the row that orders appends."""

outbox = Table(
    "outbox",
    metadata,
    Column("id", _Big, primary_key=True, autoincrement=True),
    Column("tournament", _Name, nullable=False),
    Column("position", Integer, nullable=False),
)
"""Own events that have no feed position yet; written with the event, emptied by the relay."""

feed = Table(
    "feed",
    metadata,
    Column("feed", _Big, primary_key=True, autoincrement=False),
    Column("tournament", _Name, nullable=False),
    Column("position", Integer, nullable=False),
)
"""The one order over all own tournaments, without gaps, given after commit: what a subscriber's cursor counts."""

relay = Table(
    "relay",
    metadata,
    Column("name", _Name, primary_key=True),
    Column("token", _Big, nullable=False),
    Column("holder", Text, nullable=False),
    Column("expires", _Big, nullable=False),
    Column("published", _Big, nullable=False),
    Column("busy", Integer, nullable=False),
)
"""One row: who leads (with a token that fences off former leaders) until when (ms), the last feed position that the
broker confirmed, and whether the leader is so busy that nobody needs to ring for it."""

quarantine = Table(
    "quarantine",
    metadata,
    Column("id", _Big, primary_key=True, autoincrement=True),
    Column("source", _Name, nullable=False),
    Column("tournament", _Name, nullable=False),
    Column("position", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("origin", String(8), nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("time", String(24), nullable=False),
    sqlite_autoincrement=True,
)
"""Foreign events that did not verify, with the reason; origins: see quarantine.py."""

owner = Table(
    "owner",
    metadata,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("source", _Name, nullable=False),
)
"""One row: whose own log this database holds."""

recopies = Table(
    "recopies",
    metadata,
    Column("id", _Big, primary_key=True, autoincrement=True),
    Column("source", _Name, nullable=False),
    Column("tournament", _Name, nullable=False),
    Column("actor", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("time", String(24), nullable=False),
    Column("old_position", Integer, nullable=False),
    Column("old_hash", String(64), nullable=False),
    Column("kept", Integer, nullable=False),
    Column("new_position", Integer, nullable=False),
    Column("new_hash", String(64), nullable=False),
    Column("under_way", Integer, nullable=False),
    Index("recopies_by_tournament", "tournament"),
    sqlite_autoincrement=True,
)
"""Copies that were made anew from their owner: by whom, why, and where they ended before and after."""

replaced = Table(
    "replaced",
    metadata,
    Column("recopy", _Big, primary_key=True, autoincrement=False),
    Column("source", _Name, nullable=False),
    Column("tournament", _Name, nullable=False),
    Column("position", Integer, primary_key=True, autoincrement=False),
    *_as_recorded(),
)
"""What stood in a copy before it was made anew."""

cursors = Table(
    "cursors",
    metadata,
    Column("source", _Name, primary_key=True),
    Column("feed", _Big, nullable=False),
    Column("owner_end", _Big, nullable=False),
    Column("checked", _Big, nullable=False),
    Column("heard", _Big, nullable=False, server_default="0"),
    Column("trouble", Text, nullable=False, server_default=""),
)
"""How far the feed of each foreign source is read, where its owner said it ends, and when (ms); how far messages claim
to have brought it; and what is wrong with its copies."""

copied_feed = Table(
    "copied_feed",
    metadata,
    Column("source", _Name, primary_key=True),
    Column("feed", _Big, primary_key=True, autoincrement=False),
    Column("tournament", _Name, nullable=False),
    Column("position", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""Where copied events stand in the feed of their owner, as the owner vouched for it."""

own_copies = Table(
    "own_copies",
    metadata,
    Column("peer", _Name, primary_key=True),
    Column("checked", _Big, nullable=False),
    Column("trouble", Text, nullable=False),
)
"""What each peer last said of its copies of the own log: when (Unix ms), and how they go beyond it; empty: they do not.
The row of the service itself says that it is taking back what it lost."""

parts = Table(
    "parts",
    metadata,
    Column("name", _Name, primary_key=True),
    Column("holder", _Name, primary_key=True),
    Column("beat", _Big, nullable=False),
    Column("deaths", Integer, nullable=False),
    Column("due", _Big, nullable=False),
    Column("trouble", Text, nullable=False),
)
"""What runs in the workers of this service: when each part last lived (ms), how often it died since it last ran well,
when it is tried again (ms, 0: it runs), and why it does not run."""

snapshots = Table(
    "snapshots",
    metadata,
    Column("tournament", _Name, primary_key=True),
    Column("code", String(64), primary_key=True),
    Column("heads", Text, nullable=False),
    Column("state", LargeBinary, nullable=False),
    Column("hash", String(64), nullable=False, server_default=""),
)
"""Folded state as a cache, with the hash of heads and state: safe to delete at any time."""

allowances = Table(
    "allowances",
    metadata,
    Column("caller", _Name, primary_key=True),
    Column("number", _Big, nullable=False),
    Column("spent", _Big, nullable=False),
)
"""What the processes of a service have told each other of a caller's requests in the window with this number."""
