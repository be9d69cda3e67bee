"""Cursors that messages do not move, and the parts of a worker that say how they are."""

from alembic import op
from sqlalchemy import text

revision = "log_0002"
down_revision = "log_0001"
branch_labels = None
depends_on = None

STATEMENTS = """
ALTER TABLE cursors ADD COLUMN heard BIGINT NOT NULL DEFAULT 0;
ALTER TABLE cursors ADD COLUMN trouble TEXT NOT NULL DEFAULT '';
CREATE TABLE parts (
    name {name} NOT NULL, holder {name} NOT NULL, beat BIGINT NOT NULL, deaths INTEGER NOT NULL, due BIGINT NOT NULL,
    trouble TEXT NOT NULL, PRIMARY KEY (name, holder))
"""
NAMES = {"sqlite": "TEXT", "postgresql": 'VARCHAR(200) COLLATE "C"'}


def upgrade() -> None:
    """Cursors stay where they are: the first look at each owner proves them, or takes them back."""
    connection = op.get_bind()
    for statement in STATEMENTS.format(name=NAMES[connection.dialect.name]).split(";"):
        connection.execute(text(statement))
