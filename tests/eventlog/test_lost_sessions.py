"""Sessions that the server has ended are lost connections, whatever error it reports; the next one works."""

from __future__ import annotations

import threading

import psycopg
import pytest

from shared.log.migrate import upgrade_database
from shared.log.postgresql import MIGRATION_LOCK
from shared.log.schema import open_database
from shared.messaging import relay as relay_module
from shared.messaging.broker import Broker
from shared.messaging.errors import DATABASE_UNAVAILABLE
from tests.conftest import conninfo
from tests.eventlog.locks import locked, wait_for_locks
from tests.eventlog.stories import add, head, read
from tests.messaging.stage import OWNER, SIGNERS, MemoryPublisher, Stage
from tests.waiting import PATIENCE, until

pytestmark = pytest.mark.engine("postgresql")


@pytest.fixture
def database(postgresql_url):
    database = open_database(postgresql_url)
    upgrade_database(database)
    yield database
    database.close()


def falls_asleep(connection):
    pid = connection.value("SELECT pg_backend_pid()")
    connection.run("SET LOCAL idle_in_transaction_session_timeout = '100ms'")
    with beside(connection) as other:
        until_gone(other, pid)


def is_ended_by_an_administrator(connection):
    pid = connection.value("SELECT pg_backend_pid()")
    with beside(connection) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [pid])
        until_gone(other, pid)


def beside(connection):
    """Open another session of the same database."""
    url = connection.session.engine.url.render_as_string(hide_password=False)
    return psycopg.connect(conninfo(url), autocommit=True)


def until_gone(other, pid):
    """Wait until the server has ended a session."""
    until(lambda: other.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [pid]).fetchone() is None)


def takes_too_long(connection):
    connection.run("SET LOCAL statement_timeout = '50ms'")
    connection.run("SELECT pg_sleep(5)")


def finds_that_another_server_leads(connection):
    connection.run("SET TRANSACTION READ ONLY")
    connection.run("UPDATE relay SET busy = 0")


def test_the_lock_timeout_exceeds_the_idle_timeout(database):
    with database.reading() as connection:
        asleep, waits = (
            connection.value("SELECT setting::int FROM pg_settings WHERE name = :name", name=name)
            for name in ("idle_in_transaction_session_timeout", "lock_timeout")
        )
    assert 0 < asleep < waits <= 15_000


def add_ben(database):
    add(database, "cup", "ben")


def write(database):
    with database.writing() as connection:
        connection.run("UPDATE heads SET position = 0")


def hold(database):
    with database.locking_log("registration", "cup", {"registration": head(database, "cup")}, 0, ["key"]):
        pass


@pytest.mark.parametrize("asking", [write, add_ben, hold])
def test_a_lock_timeout_is_an_unavailable_database_and_keeps_the_session(postgresql_url, monkeypatch, asking):
    wait_for_locks(monkeypatch, 200)
    database = open_database(postgresql_url, pool_size=1)
    upgrade_database(database)
    add(database, "cup", "anna")
    ours = backend(database)
    with locked(database.url, b"SELECT 1 FROM heads FOR UPDATE", 5), pytest.raises(DATABASE_UNAVAILABLE) as refused:
        asking(database)
    assert refused.value.orig.sqlstate == "55P03"
    assert backend(database) == ours
    add_ben(database)
    assert len(read(database, "cup")) == 2
    database.close()


def backend(database):
    with database.reading() as connection:
        return connection.value("SELECT pg_backend_pid()")


def test_a_migration_waits_for_another_without_a_timeout(postgresql_url, monkeypatch):
    wait_for_locks(monkeypatch, 200)
    database = open_database(postgresql_url)
    with locked(database.url, f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})".encode(), 1):
        assert upgrade_database(database).missing
    add(database, "cup", "anna")
    assert len(read(database, "cup")) == 1
    database.close()


@pytest.mark.parametrize(
    "misfortune", [falls_asleep, is_ended_by_an_administrator, takes_too_long, finds_that_another_server_leads]
)
def test_a_lost_session_is_reported_and_replaced(database, misfortune):
    def work():
        with database.writing() as connection:
            misfortune(connection)
            connection.rows("SELECT name FROM relay")

    with pytest.raises(DATABASE_UNAVAILABLE):
        work()
    add(database, "cup", "anna")
    assert len(read(database, "cup")) == 1


def test_a_trigger_error_is_not_a_lost_session(database):
    add(database, "cup", "anna")
    with pytest.raises(Exception, match="never changed") as refused, database.writing() as connection:
        connection.run("UPDATE events SET data = '{}'")
    assert not isinstance(refused.value, DATABASE_UNAVAILABLE)


def test_a_relay_that_was_paused_in_a_transaction_recovers(database, monkeypatch):
    stage = Stage(database, database)
    publisher = MemoryPublisher()
    relay = relay_module.Relay(
        database, OWNER, Broker("amqp://nobody"), SIGNERS[OWNER], publisher=publisher, lease_ms=300, idle_seconds=0.05
    )
    genuine, slept = relay_module.lease.renew, threading.Event()

    def hold(connection, token, ttl):
        genuine(connection, token, ttl)
        if not slept.is_set():
            slept.set()
            falls_asleep(connection)

    monkeypatch.setattr(relay_module.lease, "renew", hold)
    stop, deaths = threading.Event(), []

    def run():
        try:
            relay.run(stop)
        except Exception as error:
            deaths.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        stage.append("cup", "anna")
        until(lambda: deaths or publisher.sent)
    finally:
        stop.set()
        thread.join(PATIENCE)
    assert slept.is_set()
    assert deaths == []
    assert len(publisher.sent) == 1
