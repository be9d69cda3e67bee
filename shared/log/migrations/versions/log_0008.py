"""The outbox remembers which request an event comes from, until the relay has told it to the broker."""

from alembic import op
from sqlalchemy import text

revision = "log_0008"
down_revision = "log_0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; what an older process appends comes from no request that is named."""
    op.get_bind().execute(text("ALTER TABLE outbox ADD COLUMN cause VARCHAR(128) NOT NULL DEFAULT ''"))
