"""An event carries what was asked for, and its hash covers it.

An event that is there already was hashed in another form, and no migration may change it.
"""

from alembic import op
from sqlalchemy import text

from shared.log.migrate import FormerEvents

revision = "log_0007"
down_revision = "log_0006"
branch_labels = None
depends_on = None

TABLES = ("events", "replaced")
COLUMN = "ALTER TABLE {table} ADD COLUMN command TEXT NOT NULL DEFAULT ''"


def upgrade() -> None:
    """Add the column. Raises FormerEvents where a log has begun."""
    connection = op.get_bind()
    for table in TABLES:
        if connection.execute(text(f"SELECT 1 FROM {table} LIMIT 1")).first() is not None:
            raise FormerEvents(
                "its logs were written in the form from before the first release, which nothing reads any more;"
                " begin with an empty database"
            )
        connection.execute(text(COLUMN.format(table=table)))
