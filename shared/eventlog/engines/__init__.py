"""One file for each engine: what a service keeps its log in. Nothing else knows which of them is at work."""

from __future__ import annotations

from sqlalchemy.engine import make_url

from shared.eventlog.database import Database
from shared.eventlog.engines.postgresql import PostgresqlDatabase
from shared.eventlog.engines.sqlite import SqliteDatabase

ENGINES: dict[str, type[Database]] = {"sqlite": SqliteDatabase, "postgresql": PostgresqlDatabase}
"""By the name that a URL has for them."""


def open_database(url: str, pool_size: int = 8) -> Database:
    """The database at a URL of SQLAlchemy's; nothing is connected yet. pool_size: connections that are kept open."""
    return ENGINES[make_url(url).get_backend_name()](url, pool_size)
