"""What a migration asks that comes with another form of events."""

from __future__ import annotations

from sqlalchemy import Connection, text

from shared.log.migrate import FormerEvents


def refuse_former_events(connection: Connection) -> None:
    """Raise FormerEvents if a log has begun: its events have a form that no migration may change."""
    for table in ("events", "replaced"):
        if connection.execute(text(f"SELECT 1 FROM {table} LIMIT 1")).first() is not None:
            raise FormerEvents(
                "its logs were written by a version before 0.1.0, in a form that nothing reads any more; export what"
                " you want to keep with that version (muster export ID > FILE), and begin with an empty folder or"
                " database"
            )
