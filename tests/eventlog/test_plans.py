"""Plans from a short log still use indexes when the log is long."""

from __future__ import annotations

import pytest

from shared.log.database import Connection, Database
from shared.log.event import EMPTY_HEAD, Head
from shared.log.migrate import upgrade_database
from shared.log.outbox import assign_feed_positions
from shared.log.reading import events_of_command, feed_page, log_page, new_events
from shared.log.schema import open_database
from tests.eventlog.stories import add

pytestmark = pytest.mark.engine("postgresql")
PLANNED = 8
"""Times after which the driver has prepared a statement."""
LONG = 400
PAGE = 40
"""Rows that the questions below may read of a table."""


@pytest.fixture
def database(postgresql_url):
    """Return a log on one connection without table statistics."""
    database = open_database(postgresql_url, pool_size=1)
    upgrade_database(database)
    with database.writing() as connection:
        for table in ("events", "outbox", "feed", "heads"):
            connection.run(f"ALTER TABLE {table} SET (autovacuum_enabled = off)")
    yield database
    database.close()


def asked(connection: Connection) -> None:
    """Run the queries of commands, copies and the relay."""
    assert len(connection.events_of_keys("registration", "cup", ["key-1", "key-2", "k3"])) in (0, 4)
    assert len(events_of_command(connection, "registration", "cup", "key-1")) in (0, 2)
    log_page(connection, "registration", "cup", 0, 5)
    feed_page(connection, "registration", 0, 5)
    new_events(connection, "cup", {"registration": Head(LONG - 5, "-"), "scoring": EMPTY_HEAD})


@pytest.mark.parametrize("planned_after", [0, 50])
def test_a_plan_for_a_short_log_does_not_scan_a_long_one(database, planned_after):
    for number in range(LONG // 2):
        if number == planned_after:
            for _ in range(PLANNED):
                with database.writing() as connection:
                    asked(connection)
        add(database, "cup", f"anna-{number}", f"ben-{number}", command_id=f"key-{number}~0")
    with database.writing() as connection:
        assign_feed_positions(connection)
    before = read_rows(database)
    with database.writing() as connection:
        asked(connection)
    add(database, "cup", "cleo", command_id="key-last~0")
    after = read_rows(database)
    assert {table: after[table] - before[table] for table in after if after[table] - before[table] > PAGE} == {}


def read_rows(database: Database) -> dict[str, int]:
    """Return table -> number of rows read by sequential scans and by indexes."""
    with database.writing() as connection:
        connection.run("SELECT pg_stat_force_next_flush()")
    with database.writing() as connection:
        question = "SELECT relname, seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_user_tables"
        return dict(connection.rows(question))
