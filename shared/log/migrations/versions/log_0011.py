"""Private rows: what a service keeps of a tournament next to its log until it is published, or for good."""

from alembic import op

revision = "log_0011"
down_revision = "log_0010"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE private_heads (tournament {name} NOT NULL PRIMARY KEY, revision INTEGER NOT NULL);
CREATE TABLE private_rows (
    tournament {name} NOT NULL, kind {name} NOT NULL, id {name} NOT NULL, revision INTEGER NOT NULL,
    due_at VARCHAR(24) NOT NULL, body TEXT NOT NULL, PRIMARY KEY (tournament, kind, id));
CREATE INDEX private_rows_by_revision ON private_rows (tournament, revision);
CREATE INDEX private_rows_by_time ON private_rows (due_at) WHERE due_at <> '';
CREATE TABLE private_commands (
    tournament {name} NOT NULL, idempotency_key {name} NOT NULL, command_id {name} NOT NULL, answer TEXT NOT NULL,
    PRIMARY KEY (tournament, idempotency_key))
"""
KINDS = {"sqlite": {"name": "TEXT"}, "postgresql": {"name": 'VARCHAR(200) COLLATE "C"'}}


def upgrade() -> None:
    """Create the tables in the words of the database at hand."""
    connection = op.get_bind()
    for statement in TABLES.format(**KINDS[connection.dialect.name]).split(";"):
        connection.exec_driver_sql(statement)
