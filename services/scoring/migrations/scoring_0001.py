"""Which seasons count which tournaments (a read model that can be rebuilt)."""

from alembic import op

revision = "scoring_0001"
down_revision = "log_0001"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE season_tournaments (
    season {name} NOT NULL, tournament {name} NOT NULL, PRIMARY KEY (season, tournament));
CREATE INDEX season_tournaments_by_tournament ON season_tournaments (tournament)
"""
KINDS = {"sqlite": {"name": "TEXT"}, "postgresql": {"name": 'VARCHAR(200) COLLATE "C"'}}


def upgrade() -> None:
    """Create the table in the words of the database at hand."""
    connection = op.get_bind()
    for statement in TABLES.format(**KINDS[connection.dialect.name]).split(";"):
        connection.exec_driver_sql(statement)
