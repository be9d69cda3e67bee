"""A migration that moves data, for tests: what each actor appended is counted, and cases of quarantine move away.

TEST_MOVING in the environment has it fail, or sleep until it is killed, when half of it is done.
"""

import os
import sys
import time

from alembic import op
from sqlalchemy import text

from shared.log.schema import expected_revisions, migration_folders, revision_names

revision = "log_9001"
down_revision = revision_names(expected_revisions(migration_folders(None)))[0]
branch_labels = None
depends_on = None

ADD = text("INSERT INTO actors (actor, events, latest) VALUES (:actor, :events, :latest)")


def upgrade() -> None:
    """Make two tables, fill them row by row and in one statement, and remove what was moved."""
    connection = op.get_bind()
    connection.execute(
        text("CREATE TABLE actors (actor TEXT PRIMARY KEY, events INTEGER NOT NULL, latest TEXT NOT NULL)")
    )
    connection.execute(text("CREATE TABLE cases (source TEXT NOT NULL, tournament TEXT NOT NULL, said TEXT NOT NULL)"))
    counted = text("SELECT actor, count(*) AS events, max(time) AS latest FROM events GROUP BY actor")
    for row in connection.execute(counted).mappings().all():
        connection.execute(ADD, dict(row))
    connection.execute(text("INSERT INTO cases SELECT source, tournament, reason FROM quarantine"))
    connection.execute(text("DELETE FROM quarantine"))
    connection.execute(text("UPDATE cursors SET heard = 0"))
    if (wanted := os.environ.get("TEST_MOVING")) == "fail":
        raise RuntimeError("half of it is done")
    if wanted == "sleep":
        sys.stdout.write("half\n")
        sys.stdout.flush()
        time.sleep(3600)  # noqa: TID251 - a migration that never ends
    connection.execute(text("DELETE FROM snapshots"))
    connection.execute(text("ALTER TABLE cursors ADD COLUMN moved INTEGER NOT NULL DEFAULT 1"))
