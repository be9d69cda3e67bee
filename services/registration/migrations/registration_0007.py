"""The directory of tournaments says who may still sign up.

Rows that are there already have no open sign-up until their tournament changes, or `muster rebuild` runs.
"""

from alembic import op

revision = "registration_0007"
down_revision = "registration_0006"
branch_labels = None
depends_on = None

# `capacity` is NULL without a limit. `seated` counts the players who have a seat now.
COLUMNS = """
ALTER TABLE directory ADD COLUMN sign_up TEXT NOT NULL DEFAULT '';
ALTER TABLE directory ADD COLUMN registration_open INTEGER NOT NULL DEFAULT 0;
ALTER TABLE directory ADD COLUMN capacity INTEGER DEFAULT NULL;
ALTER TABLE directory ADD COLUMN seated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE directory ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0
"""


def upgrade() -> None:
    """Add the columns."""
    connection = op.get_bind()
    for statement in COLUMNS.split(";"):
        connection.exec_driver_sql(statement)
