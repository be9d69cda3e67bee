"""Snapshots with the hash of what was saved; those without one are a cache, and go."""

from alembic import op

revision = "log_0005"
down_revision = "log_0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Empty the table, and have every row say what it should hash to."""
    op.execute("DELETE FROM snapshots")
    op.execute("ALTER TABLE snapshots ADD COLUMN hash VARCHAR(64) NOT NULL DEFAULT ''")
