"""The directory (a read model that can be rebuilt) and personal data, encrypted with a key a person."""

from alembic import op

revision = "registration_0001"
down_revision = "log_0001"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE directory (
    tournament {name} NOT NULL PRIMARY KEY, name TEXT NOT NULL, format TEXT NOT NULL, ruleset TEXT NOT NULL,
    status TEXT NOT NULL, starts_on VARCHAR(10) NOT NULL, visibility TEXT NOT NULL, players INTEGER NOT NULL,
    announced_at VARCHAR(24) NOT NULL);
CREATE INDEX directory_by_time ON directory (announced_at, tournament);
CREATE TABLE personal (
    tournament {name} NOT NULL, player {name} NOT NULL, key {bytes} NOT NULL, data {bytes} NOT NULL,
    PRIMARY KEY (tournament, player))
"""
KINDS = {
    "sqlite": {"name": "TEXT", "bytes": "BLOB"},
    "postgresql": {"name": 'VARCHAR(200) COLLATE "C"', "bytes": "BYTEA"},
}


def upgrade() -> None:
    """Create the tables in the words of the database at hand."""
    connection = op.get_bind()
    for statement in TABLES.format(**KINDS[connection.dialect.name]).split(";"):
        connection.exec_driver_sql(statement)
