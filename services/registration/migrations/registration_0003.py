"""The parts of lists that the log holds a digest of, and not more: beside it, one row for each submission."""

from alembic import op

revision = "registration_0003"
down_revision = "registration_0002"
branch_labels = None
depends_on = None

TABLE = """
CREATE TABLE sealed_lists (
    tournament {name} NOT NULL, player {name} NOT NULL, position BIGINT NOT NULL, secret TEXT NOT NULL,
    parts TEXT NOT NULL, PRIMARY KEY (tournament, player, position))
"""
NAMES = {"sqlite": "TEXT", "postgresql": 'VARCHAR(200) COLLATE "C"'}


def upgrade() -> None:
    """Create the table in the words of the database at hand."""
    connection = op.get_bind()
    connection.exec_driver_sql(TABLE.format(name=NAMES[connection.dialect.name]))
