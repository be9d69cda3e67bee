"""The commit notifier: appends wake a waiting process at once, and nothing else does."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest

from shared.log import lease
from shared.log.outbox import CommitNotifier
from shared.log.schema import open_database
from tests.eventlog.conftest import POSTGRESQL
from tests.eventlog.stories import add, copy, log_of
from tests.waiting import PATIENCE

APPENDER = """
import sys
from shared.log.schema import open_database
from shared.log.outbox import CommitNotifier
from tests.eventlog.stories import add
database = open_database(sys.argv[1])
add(database, "cup", "anna")
CommitNotifier(database).notify()
"""


def test_an_append_of_another_process_wakes_the_waiting_process(empty_url, database):
    with CommitNotifier(database) as notifier:
        notifier.listen()
        appender = subprocess.Popen([sys.executable, "-c", APPENDER, empty_url])
        assert notifier.wait(PATIENCE)
        assert appender.wait(PATIENCE) == 0


def test_without_a_notification_the_wait_times_out(database):
    with CommitNotifier(database) as notifier:
        started = time.monotonic()
        assert not notifier.wait(0.2)
        assert time.monotonic() - started > 0.15


def test_notifications_before_the_wait_are_kept_and_merged(database):
    with CommitNotifier(database) as notifier:
        notifier.listen()
        for number in range(30):
            add(database, "cup", str(number))
            notifier.notify()
        heard = 0
        while notifier.wait(
            PATIENCE if not heard else 0.5
        ):  # a database under load may tell of the last ones a moment later
            heard += 1
        assert 1 <= heard < 30


def test_copies_do_not_notify(database):
    with CommitNotifier(database) as notifier:
        notifier.listen()
        copy(database, log_of("cup", "anna"))
        assert not notifier.wait(0.05)


def test_notifying_needs_no_listener(database):
    CommitNotifier(database).notify()
    with CommitNotifier(database) as notifier:
        notifier.listen()
    notifier.notify()


def test_thousands_of_unread_notifications_do_not_block(database):
    with CommitNotifier(database) as notifier:
        notifier.listen()
        for _ in range(70_000 if database.name == "sqlite" else 1):
            notifier.notify()
        add(database, "cup", "anna")
        assert notifier.wait(PATIENCE)


@pytest.mark.parametrize("empty_url", ["sqlite"], indirect=True)
def test_a_regular_file_instead_of_the_pipe_does_not_cause_a_busy_loop(database):
    with CommitNotifier(database) as notifier:
        notifier.listen()
        pipe = notifier._channel._pipe
    assert pipe is not None
    assert pipe.name.startswith(".")  # `cp muster.sqlite3*` must not try to read it to its end
    pipe.unlink()
    pipe.write_text("restored from a backup as a plain file")
    with CommitNotifier(database) as notifier:
        notifier.listen()
        started = time.monotonic()
        assert not notifier.wait(0.2)
        assert time.monotonic() - started > 0.15


@pytest.mark.parametrize("empty_url", POSTGRESQL, indirect=True)
def test_while_the_relay_is_busy_appends_do_not_notify(database):
    token = lease.acquire(database, "relay", 60_000)
    assert token is not None
    with CommitNotifier(database) as notifier:
        notifier.listen()
        lease.mark_busy(database, token, True)
        add(database, "cup", "anna")
        assert not notifier.wait(0.05)
        lease.mark_busy(database, token, False)
        add(database, "cup", "ben")
        assert notifier.wait(PATIENCE)


def test_a_lost_connection_is_reopened(empty_url, database):
    with CommitNotifier(database) as notifier:
        notifier.listen()
        if database.name == "postgresql":
            with database.reading() as connection:
                connection.run(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND query LIKE 'LISTEN%'"
                )
        assert not notifier.wait(0.1)
        other = open_database(empty_url)

        def append_elsewhere():
            add(other, "cup", "anna")
            CommitNotifier(other).notify()

        timer = threading.Timer(0.3, append_elsewhere)
        timer.start()
        assert notifier.wait(PATIENCE)
        timer.join()
        other.close()
