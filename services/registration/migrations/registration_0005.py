"""The directory knows who announced each tournament, so that organisers find their own private ones."""

import json

from alembic import op

revision = "registration_0005"
down_revision = "registration_0004"
branch_labels = None
depends_on = None

COLUMN = "ALTER TABLE directory ADD COLUMN organiser TEXT NOT NULL DEFAULT ''"
ANNOUNCED = """
SELECT tournament, data FROM events
WHERE source = 'registration' AND position = 1 AND type = 'TournamentAnnounced'
"""
PLACE = {"sqlite": "?", "postgresql": "%s"}


def upgrade() -> None:
    """Add the column, and fill it from what the log says of each tournament."""
    connection = op.get_bind()
    connection.exec_driver_sql(COLUMN)
    place = PLACE[connection.dialect.name]
    fill = f"UPDATE directory SET organiser = {place} WHERE tournament = {place}"
    for tournament, data in connection.exec_driver_sql(ANNOUNCED).fetchall():
        connection.exec_driver_sql(fill, (json.loads(data).get("organiser", ""), tournament))
