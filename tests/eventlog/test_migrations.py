"""Migrations: idempotent, safe for concurrent processes, and with the same tables on both engines."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import inspect

from shared.log.migrate import CannotMigrate, upgrade_database
from shared.log.schema import LOG, SERVICES, open_database
from tests.eventlog.stories import add, read
from tests.waiting import PATIENCE

README = LOG.parent / "README.md"
MIGRATOR = """
import sys
from shared.log.schema import open_database
from shared.log.migrate import CannotMigrate, upgrade_database
sys.stdin.read()
upgrade_database(open_database(sys.argv[1]))
"""


REVISIONS = [
    path for folder in (LOG / "versions", *SERVICES.glob("*/migrations")) for path in sorted(folder.glob("*_0*.py"))
]
TAKEN_AWAY = re.compile(r"DROP (TABLE|COLUMN)|RENAME|ALTER COLUMN|ADD COLUMN (?![^;\"]*DEFAULT)", re.IGNORECASE)
"""Statements that break the code of the previous version."""


@pytest.mark.parametrize("path", REVISIONS, ids=lambda path: path.stem)
def test_migrations_only_add_so_that_the_previous_version_keeps_working(path: Path):
    """A table or column to be removed stays unused for one version; a later one removes it and is exempted here."""
    assert not TAKEN_AWAY.search(path.read_text())


@pytest.mark.parametrize(
    ("statement", "only_adds"),
    [
        ("ALTER TABLE cursors ADD COLUMN heard BIGINT NOT NULL DEFAULT 0", True),
        ("ALTER TABLE cursors ADD COLUMN heard BIGINT", False),
        ("ALTER TABLE cursors ADD COLUMN heard BIGINT NOT NULL", False),
        ("CREATE TABLE parts (name TEXT NOT NULL)", True),
        ("DROP TABLE parts", False),
        ("ALTER TABLE parts DROP COLUMN name", False),
        ("ALTER TABLE parts RENAME TO pieces", False),
    ],
)
def test_the_check_recognizes_statements_that_only_add(statement, only_adds):
    assert bool(TAKEN_AWAY.search(statement)) is not only_adds


def test_running_twice_changes_nothing(database):
    events = add(database, "cup", "anna")
    upgrade_database(database)
    assert read(database, "cup") == events


def test_a_database_from_before_the_baseline_is_refused_and_stays_as_it_is(database):
    events = add(database, "cup", "anna")
    with database.writing() as connection:
        connection.run("UPDATE alembic_version SET version_num = 'log_0012'")
    with pytest.raises(CannotMigrate, match=r"before 0\.1\.0.*muster export.*empty folder"):
        upgrade_database(database, "registration")
    assert read(database, "cup") == events
    with database.reading() as connection:
        assert connection.revisions() == ["log_0012"]


def test_concurrent_migrations_run_once(empty_url):
    starters = [subprocess.Popen([sys.executable, "-c", MIGRATOR, empty_url], stdin=subprocess.PIPE) for _ in range(4)]
    for starter in starters:
        assert starter.stdin is not None
        starter.stdin.close()  # go
    assert [starter.wait(PATIENCE) for starter in starters] == [0, 0, 0, 0]
    database = open_database(empty_url)
    with database.reading() as connection:
        assert connection.value("SELECT count(*) FROM relay") == 1
    add(database, "cup", "anna")
    database.close()


def test_the_readme_describes_every_table(database):
    found = inspect(database.engine)
    tables = set(found.get_table_names()) - {"alembic_version"}
    assert tables == set(re.findall(r"^\| `(\w+)` \|", README.read_text(), re.MULTILINE))
    for table in tables:
        # SQLite tells a rowid's own column as nullable; it never is.
        assert not any(column["nullable"] for column in found.get_columns(table) if column["name"] != "id"), table


def test_commands_with_a_key_and_recopies_have_an_index(database):
    known = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
        "postgresql": """SELECT indexrelid::regclass::text FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
            WHERE c.relnamespace = current_schema()::regnamespace AND NOT i.indisprimary""",
    }
    with database.reading() as connection:
        indices = {name for (name,) in connection.rows(known[database.name])}
    assert indices == {
        *("events_by_key", "recopies_by_tournament"),
        *("private_rows_by_revision", "private_rows_by_time"),
    }


def test_an_acknowledged_event_survives_a_power_cut(database):
    """On SQLite the log is synchronous=FULL; on PostgreSQL the server's own synchronous_commit is left alone."""
    with database.reading() as connection:
        if database.name == "sqlite":
            assert connection.value("PRAGMA synchronous") == 2
            assert connection.value("PRAGMA journal_mode") == "wal"
        else:
            assert connection.value("SHOW synchronous_commit") == "on"
