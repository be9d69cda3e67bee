"""Copies know where their events stand in the owner's feed, so that an owner can be told how far its log is held.

What was copied before is not known by its place: every feed is read once more from its beginning, which is copied
already and only notes the places.
"""

from alembic import op
from sqlalchemy import text

revision = "log_0006"
down_revision = "log_0005"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE copied_feed (
    source {name} NOT NULL, feed BIGINT NOT NULL, tournament {name} NOT NULL, position INTEGER NOT NULL,
    PRIMARY KEY (source, feed)){clustered};
CREATE TABLE own_copies (
    peer {name} NOT NULL PRIMARY KEY, checked BIGINT NOT NULL, trouble TEXT NOT NULL);
UPDATE cursors SET feed = 0, heard = 0
"""
KINDS = {
    "sqlite": {"name": "TEXT", "clustered": " WITHOUT ROWID"},
    "postgresql": {"name": 'VARCHAR(200) COLLATE "C"', "clustered": ""},
}


def upgrade() -> None:
    """Create the tables, and take every cursor back to the beginning."""
    connection = op.get_bind()
    for statement in TABLES.format(**KINDS[connection.dialect.name]).split(";"):
        connection.execute(text(statement))
