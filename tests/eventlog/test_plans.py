"""Statements that were planned while a log was short find rows by their keys when it has become long."""

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
    """A log on one connection, in which no statistics are ever gathered."""
    database = open_database(postgresql_url, pool_size=1)
    upgrade_database(database)
    with database.writing() as connection:
        for table in ("events", "outbox", "feed", "heads"):
            connection.run(f"ALTER TABLE {table} SET (autovacuum_enabled = off)")
    yield database
    database.close()


def asked(connection: Connection) -> None:
    """What commands, copies and the relay ask of a log."""
    assert len(connection.done("registration", "cup", ["key-1", "key-2", "k3"])) in (0, 4)
    assert len(events_of_command(connection, "registration", "cup", "key-1")) in (0, 2)
    log_page(connection, "registration", "cup", 0, 5)
    feed_page(connection, "registration", 0, 5)
    new_events(connection, "cup", {"registration": Head(LONG - 5, "-"), "scoring": EMPTY_HEAD})


@pytest.mark.parametrize("planned_after", [0, 50])
def test_a_plan_from_a_short_log_reads_no_whole_table(database, planned_after):
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
    """How many rows were read so far, by table: one after the other, or by an index."""
    with database.writing() as connection:
        connection.run("SELECT pg_stat_force_next_flush()")
    with database.writing() as connection:
        question = "SELECT relname, seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_user_tables"
        return dict(connection.rows(question))
