"""Disqualifications are found among all events: some bar a player from later ones of the same organiser."""

from alembic import op

revision = "registration_0004"
down_revision = "registration_0003"
branch_labels = None
depends_on = None

INDEX = "CREATE INDEX IF NOT EXISTS events_disqualified ON events (tournament) WHERE type = 'PlayerDisqualified'"


def upgrade() -> None:
    """Create the index, of a row for each disqualification."""
    op.get_bind().exec_driver_sql(INDEX)
