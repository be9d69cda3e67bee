"""What callers have spent of their allowance, shared by the processes of a service."""

from alembic import op

revision = "log_0003"
down_revision = "log_0002"
branch_labels = None
depends_on = None

TABLE = """CREATE {kind}TABLE allowances (
    caller {name} NOT NULL PRIMARY KEY, number BIGINT NOT NULL, spent BIGINT NOT NULL)"""
# Not logged: a minute after a crash nobody asks for it any more, and nothing else has to wait for it.
KINDS = {
    "sqlite": {"kind": "", "name": "TEXT"},
    "postgresql": {"kind": "UNLOGGED ", "name": 'VARCHAR(200) COLLATE "C"'},
}


def upgrade() -> None:
    """Create the table in the words of the database at hand."""
    connection = op.get_bind()
    connection.exec_driver_sql(TABLE.format(**KINDS[connection.dialect.name]))
