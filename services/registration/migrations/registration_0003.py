"""Lists that are not open yet, of which the log has digests, and notes of staff about them: one row for each player."""

from alembic import op

revision = "registration_0003"
down_revision = "registration_0002"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE sealed_lists (
    tournament {name} NOT NULL, player {name} NOT NULL, position BIGINT NOT NULL, secret TEXT NOT NULL,
    fields TEXT NOT NULL, PRIMARY KEY (tournament, player));
CREATE TABLE roster_notes (
    tournament {name} NOT NULL, player {name} NOT NULL, position BIGINT NOT NULL, note TEXT NOT NULL,
    PRIMARY KEY (tournament, player))
"""
NAMES = {"sqlite": "TEXT", "postgresql": 'VARCHAR(200) COLLATE "C"'}


def upgrade() -> None:
    """Create the tables in the words of the database at hand."""
    connection = op.get_bind()
    for statement in TABLES.format(name=NAMES[connection.dialect.name]).split(";"):
        connection.exec_driver_sql(statement)
