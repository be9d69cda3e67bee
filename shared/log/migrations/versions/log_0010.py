"""The own log may be put together again on record, while the service takes back what it lost, and at no other time."""

from alembic import op

revision = "log_0010"
down_revision = "log_0009"
branch_labels = None
depends_on = None

# The row of a service in own_copies says that it is recovering: until that is done it appends nothing.
RECOVERING = """EXISTS (SELECT 1 FROM own_copies c JOIN owner o ON o.source = c.peer
    WHERE o.source = NEW.source AND c.trouble <> '')"""
OWN = f"NOT EXISTS (SELECT 1 FROM owner WHERE source <> NEW.source) AND NOT {RECOVERING}"
REFUSED = "events are never changed or removed"


def upgrade() -> None:
    """Let a recopy of the own log begin during a recovery."""
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("DROP TRIGGER own_log_is_never_recopied")
        connection.exec_driver_sql(
            f"CREATE TRIGGER own_log_is_never_recopied BEFORE INSERT ON recopies WHEN {OWN}"
            f" BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
        )
        return
    connection.exec_driver_sql(
        "CREATE OR REPLACE FUNCTION refuse_own_recopy() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN IF NOT ({OWN}) THEN RETURN NEW; END IF; RAISE EXCEPTION '{REFUSED}'; END $$"
    )
