"""A migration that moves data: atomic, even if a process dies, and applied once."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from shared.log.copies import quarantine_unreadable
from shared.log.log import verify
from shared.log.migrate import upgrade_database
from shared.log.schema import open_database
from tests.acting import actor_of
from tests.conftest import conninfo
from tests.eventlog.stories import add, copy, log_of, read
from tests.waiting import until

MOVING = Path(__file__).parent / "moving"
MIGRATOR = """
import sys
from pathlib import Path
from shared.log.schema import open_database
from shared.log.migrate import upgrade_database
upgrade_database(open_database(sys.argv[1]), extra_folders=[Path(sys.argv[2])])
"""
TABLES = ("events", "heads", "outbox", "quarantine", "cursors", "snapshots", "alembic_version")


@pytest.fixture
def filled(database):
    """Return a database with a log, a copy, a quarantine case, a cursor and a snapshot."""
    add(database, "cup", "anna", "ben")
    add(database, "league", "cy")
    copy(database, log_of("cup", "x", "y", source="scoring"))
    quarantine_unreadable(database, "scoring", "cup", 2, "it cannot be folded")
    with database.writing() as connection:
        connection.run("INSERT INTO cursors (source, feed, owner_end, checked, heard) VALUES ('scoring', 2, 2, 1, 3)")
        connection.run(
            "INSERT INTO snapshots (tournament, code, heads, state, hash) VALUES ('cup', 'c', '{}', :state, 'h')",
            state=b"state",
        )
    return database


def contents(database):
    """Return the names of all tables and triggers, and the rows of TABLES."""
    with database.reading() as connection:
        if database.name == "sqlite":
            tables = connection.rows("SELECT name FROM sqlite_master WHERE type IN ('table', 'trigger')")
        else:
            tables = connection.rows("SELECT relname FROM pg_class WHERE relkind = 'r'")
        found = {"tables": sorted(tables)}
        for table in TABLES:
            found[table] = sorted(map(str, connection.rows(f"SELECT * FROM {table}")))
    return found


def start(database, wanted=""):
    command = [sys.executable, "-c", MIGRATOR, database.url.render_as_string(hide_password=False), str(MOVING)]
    env = {**os.environ, "TEST_MOVING": wanted}
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def moved(database):
    with database.reading() as connection:
        actors = connection.rows("SELECT actor, events FROM actors")
        cases = connection.rows("SELECT source, tournament, said FROM cases")
        cursors = connection.rows("SELECT heard, moved FROM cursors")
        left = connection.value("SELECT count(*) FROM quarantine")
    return actors, cases, cursors, left


MOVED = ([(actor_of("organiser-1"), 5)], [("scoring", "cup", "it cannot be folded")], [(0, 1)], 0)


def test_data_are_moved_and_logs_stay_unchanged(filled):
    before = read(filled, "cup")
    upgrade_database(filled, extra_folders=[MOVING])
    assert moved(filled) == MOVED
    assert read(filled, "cup") == before
    add(filled, "cup", "dee")
    verify(read(filled, "cup"))


def test_a_failing_migration_is_rolled_back(filled, monkeypatch):
    before = contents(filled)
    monkeypatch.setenv("TEST_MOVING", "fail")
    for _ in range(2):
        with pytest.raises(RuntimeError, match="half"):
            upgrade_database(filled, extra_folders=[MOVING])
        assert contents(filled) == before
    add(filled, "cup", "dee")
    monkeypatch.delenv("TEST_MOVING")
    upgrade_database(filled, extra_folders=[MOVING])
    assert moved(filled) == ([(actor_of("organiser-1"), 6)], *MOVED[1:])


def test_a_killed_migration_is_rolled_back_and_the_next_one_succeeds(filled):
    before = contents(filled)
    killed = start(filled, "sleep")
    assert killed.stdout is not None
    assert killed.stdout.readline() == "half\n"
    assert contents(filled) == before  # the half is not visible
    waiting = start(filled)
    killed.kill()
    killed.communicate()
    assert waiting.wait() == 0, waiting.stderr.read()
    waiting.communicate()
    assert moved(filled) == MOVED


def test_concurrent_migrations_move_data_once(filled):
    starters = [start(filled) for _ in range(3)]
    for starter in starters:
        _, said = starter.communicate()
        assert starter.returncode == 0, said
    assert moved(filled) == MOVED


def test_old_code_keeps_working_after_the_migration(filled):
    """Old code need not know the tables and columns that a migration adds."""
    old = open_database(filled.url.render_as_string(hide_password=False))
    add(old, "cup", "dee")
    upgrade_database(filled, extra_folders=[MOVING])
    events = add(old, "cup", "eli")
    assert read(filled, "cup")[-1] == events[-1]
    old.close()


@pytest.mark.engine("postgresql")
def test_a_deadlocked_migration_is_retried(postgresql_urls, said):
    database = open_database(postgresql_urls())
    upgrade_database(database)
    url = conninfo(database.url.render_as_string(hide_password=False))
    with psycopg.connect(url) as service, ThreadPoolExecutor() as pool:
        service.execute("SET deadlock_timeout = '60s'")  # so that it is the migration that PostgreSQL ends
        service.execute("LOCK TABLE cursors IN ROW EXCLUSIVE MODE")
        migrated = pool.submit(upgrade_database, database, extra_folders=[MOVING])
        with psycopg.connect(url, autocommit=True) as other:
            until(lambda: other.execute(WAITING).fetchall() or migrated.done(), "the migration waits for a lock")
        service.execute("LOCK TABLE quarantine IN EXCLUSIVE MODE")  # of which the migration has deleted rows
        service.commit()
        migrated.result()
    assert [line["event"] for line in said] == ["migration_deadlocked"]
    assert moved(database) == ([], [], [], 0)
    database.close()


WAITING = (
    "SELECT FROM pg_locks JOIN pg_database d ON d.oid = database AND datname = current_database() WHERE NOT granted"
)
