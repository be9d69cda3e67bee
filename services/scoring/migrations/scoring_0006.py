"""The game that a delivery is about: one event may change several, and each has a message of its own."""

from alembic import op

revision = "scoring_0006"
down_revision = "scoring_0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; a version that does not know it leaves it empty."""
    op.get_bind().exec_driver_sql("ALTER TABLE webhook_deliveries ADD COLUMN game TEXT NOT NULL DEFAULT ''")
