"""The hash of an event covers the event itself: no salt, no digest of its content.

An event that is there already was hashed in another form, and no migration may change it.
"""

from alembic import op
from sqlalchemy import text

from shared.eventlog.migrate import FormerEvents

revision = "log_0012"
down_revision = "log_0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change nothing. Raises FormerEvents if a log has begun."""
    connection = op.get_bind()
    for table in ("events", "replaced"):
        if connection.execute(text(f"SELECT 1 FROM {table} LIMIT 1")).first() is not None:
            raise FormerEvents(
                "its logs were written by a version before 0.1.0, with salts and hidden events, which nothing reads any"
                " more; export what you want to keep with that version (muster export ID > FILE), and begin with an"
                " empty folder or database"
            )
