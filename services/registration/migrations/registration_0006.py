"""How many sign-ups came from one address: a keyed digest of the address, and a number for each tournament."""

from alembic import op

revision = "registration_0006"
down_revision = "registration_0005"
branch_labels = None
depends_on = None

TABLE = """
CREATE TABLE sign_up_addresses (
    tournament {name} NOT NULL, address {name} NOT NULL, sign_ups INTEGER NOT NULL, PRIMARY KEY (tournament, address))
"""
NAMES = {"sqlite": "TEXT", "postgresql": 'VARCHAR(200) COLLATE "C"'}


def upgrade() -> None:
    """Create the table in the words of the database at hand."""
    connection = op.get_bind()
    connection.exec_driver_sql(TABLE.format(name=NAMES[connection.dialect.name]))
