"""Standings that are published at a time set, so that the worker finds those that are due."""

from alembic import op

revision = "scoring_0004"
down_revision = "scoring_0003"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE publications (
    tournament {name} NOT NULL PRIMARY KEY, round INTEGER NOT NULL, due_at VARCHAR(24) NOT NULL,
    position INTEGER NOT NULL);
CREATE INDEX publications_by_time ON publications (due_at)
"""
KINDS = {"sqlite": {"name": "TEXT"}, "postgresql": {"name": 'VARCHAR(200) COLLATE "C"'}}


def upgrade() -> None:
    """Create the table in the words of the database at hand."""
    connection = op.get_bind()
    for statement in TABLES.format(**KINDS[connection.dialect.name]).split(";"):
        connection.exec_driver_sql(statement)
