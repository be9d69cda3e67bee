"""The request that asked for a delivery, so that a test message that is asked for again is not sent again."""

from alembic import op

revision = "scoring_0005"
down_revision = "scoring_0003"
branch_labels = None
depends_on = None

COLUMNS = """
ALTER TABLE webhook_deliveries ADD COLUMN idempotency_key TEXT NOT NULL DEFAULT '';
ALTER TABLE webhook_deliveries ADD COLUMN request TEXT NOT NULL DEFAULT ''
"""


def upgrade() -> None:
    """Add the columns; a version that does not know them leaves them empty."""
    connection = op.get_bind()
    for statement in COLUMNS.split(";"):
        connection.exec_driver_sql(statement)
