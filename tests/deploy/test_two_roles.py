"""On PostgreSQL one role owns the tables, and each service runs as a role of its own that may do what it needs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial

import psycopg
import pytest
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from deploy.stack import ROOT, Stack, operator
from muster.simulator.results_by_chance import results
from shared.formats.packs import shipped_ruleset
from shared.log.copies import Outcome, accept_run, rebuild_feed
from shared.log.grants import EVERYTHING, GRANTS, owns_its_tables, peer_database_names
from shared.log.migrate import upgrade_database
from shared.log.schema import expected_revisions, migration_folders, open_database, schema_status
from shared.settings import SERVICES
from tests.conftest import POSTGRESQL_URL, conninfo
from tests.deploy.two_roles import Roles, of_the_page, roles_made_by, statements, two_roles
from tests.eventlog.stories import add, copy, log_of, read
from tests.faults.auditor import Auditor
from tests.faults.holds import agree, eventually
from tests.faults.load import RULESET, Load
from tests.faults.test_forgery import behind
from tests.programs import run_program

pytestmark = pytest.mark.engine("postgresql")

FUNCTION = "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$"
FORBIDDEN = [
    "ALTER TABLE events DISABLE TRIGGER ALL",
    "ALTER TABLE events DISABLE TRIGGER events_never_leave",
    "DROP TRIGGER events_never_leave ON events",
    "DROP TRIGGER own_log_is_never_recopied ON recopies",
    "ALTER TRIGGER events_never_leave ON events RENAME TO gone",
    "ALTER TABLE events RENAME TO gone",
    "ALTER TABLE events OWNER TO CURRENT_USER",
    "ALTER TABLE events DROP COLUMN data",
    "ALTER TABLE events ENABLE ROW LEVEL SECURITY",
    "DROP TABLE events",
    "DROP TABLE events CASCADE",
    "TRUNCATE events",
    "TRUNCATE recopies, replaced, events CASCADE",
    "UPDATE events SET data = '{}'",
    "INSERT INTO events SELECT * FROM events ON CONFLICT (source, tournament, position) DO UPDATE SET data = '{}'",
    "DELETE FROM events",
    f"CREATE OR REPLACE FUNCTION refuse_leaving{FUNCTION}",
    f"CREATE OR REPLACE FUNCTION refuse_change{FUNCTION}",
    f"CREATE FUNCTION mine{FUNCTION}",
    "DROP FUNCTION refuse_leaving() CASCADE",
    "ALTER FUNCTION refuse_leaving() RESET ALL",
    "ALTER FUNCTION refuse_leaving() OWNER TO CURRENT_USER",
    "CREATE TRIGGER mine BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse_change()",
    "CREATE RULE mine AS ON DELETE TO events DO INSTEAD NOTHING",
    "SET session_replication_role = replica",
    "CREATE TABLE mine (one INTEGER)",
    "CREATE SCHEMA mine",
    "CREATE TEMPORARY TABLE recopies (one INTEGER)",
    "INSERT INTO owner VALUES (2, 'registration')",
    "UPDATE owner SET source = 'scoring'",
    "DELETE FROM owner",
    "DELETE FROM recopies",
    "UPDATE replaced SET data = '{}'",
    "DELETE FROM replaced",
    "UPDATE alembic_version SET version_num = 'log_9999'",
    'ALTER DEFAULT PRIVILEGES FOR ROLE "{owner}" GRANT ALL ON TABLES TO PUBLIC',
    'SET ROLE "{owner}"',
    'GRANT "{owner}" TO "{user}"',
    "COPY events TO PROGRAM 'cat'",
]


@pytest.fixture(scope="module")
def module_roles() -> Iterator[Roles]:
    with two_roles() as roles:
        yield roles


@pytest.fixture(scope="module")
def roles(module_roles: Roles) -> Roles:
    """Roles with migrated databases; registration's holds an own log, a copy and a recopy of it."""
    for name in SERVICES:
        migrate(module_roles, name)
    runs = open_database(module_roles.url(module_roles.user("registration"), "registration"))
    add(runs, "cup", "anna", "ben")
    copy(runs, log_of("cup", "x", source="scoring"))
    runs.close()
    return module_roles


def migrate(roles: Roles, service: str) -> None:
    owner = open_database(roles.url(roles.owner, service))
    upgrade_database(owner, service, user=roles.user(service))
    owner.close()


def connect(roles: Roles, role: str) -> psycopg.Connection:
    return psycopg.connect(conninfo(roles.url(role, "registration")), autocommit=True)


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_the_role_that_runs_cannot(roles, statement):
    said = statement.replace("{owner}", roles.owner).replace("{user}", roles.user("registration"))
    with connect(roles, roles.user("registration")) as connection:
        before = connection.execute("SELECT * FROM events ORDER BY source, position").fetchall()
        with pytest.raises(psycopg.Error) as refused:
            connection.execute(said.encode())
        # Not granted, not the owner, or refused by a trigger; never a mistake in the statement.
        assert refused.value.sqlstate in ("42501", "P0001"), refused.value
        assert connection.execute("SELECT * FROM events ORDER BY source, position").fetchall() == before


def test_it_holds_what_is_granted_and_a_table_added_later_gets_its_grant_with_the_next_migration(roles):
    held = "SELECT privilege_type FROM information_schema.role_table_grants WHERE grantee = %s AND table_name = %s"
    user = roles.user("registration")
    with connect(roles, roles.owner) as connection:
        connection.execute("CREATE TABLE later (one INTEGER)")
        connection.execute(f'GRANT UPDATE ON events TO "{user}"'.encode())  # as an earlier version may have
    for _ in range(2):
        migrate(roles, "registration")
    with connect(roles, roles.owner) as connection:
        tables = [row[0] for row in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
        assert GRANTS.keys() | {"later", "heads", "directory"} <= set(tables)
        for table in tables:
            granted = {row[0] for row in connection.execute(held, (user, table))}
            assert granted == GRANTS.get(table, EVERYTHING), table
        connection.execute("DROP TABLE later")


def test_without_grants_the_schema_is_none_to_it(roles):
    user = roles.user("registration")
    with connect(roles, roles.owner) as connection:
        connection.execute(f'REVOKE ALL ON alembic_version FROM "{user}"'.encode())
    expected = expected_revisions(migration_folders("registration"))
    runs = open_database(roles.url(user, "registration"))
    with runs.reading() as connection:
        assert schema_status(connection, expected).found == {}
    migrate(roles, "registration")
    with runs.reading() as connection:
        assert schema_status(connection, expected).missing == []
    runs.close()


def test_a_role_that_is_not_there_is_named(roles, tmp_path):
    env = {"MUSTER_DATA": str(tmp_path), **roles.env, "PAIRING_DATABASE_URL": roles.url("nobody-here", "pairing")}
    done = run_program(
        [sys.executable, "-m", "deploy.migrate", "pairing"],
        cwd=ROOT, env=env, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("PAIRING_MIGRATION_DATABASE_URL: ")
    assert 'role "nobody-here" does not exist' in done.stderr
    assert roles.password not in done.stderr


@pytest.mark.engine("rabbitmq")
@pytest.mark.attack("a role that owns nothing")
def test_an_evening_is_played_by_a_role_that_owns_nothing(rabbitmq_exchange, tmp_path):
    """Announced, joined, paired, played, closed; a copy that is wrong is made anew, read models are rebuilt."""
    url, exchange = rabbitmq_exchange
    with (
        two_roles() as roles,
        Stack(tmp_path, env={**roles.env, "BROKER_URL": url, "MUSTER_EXCHANGE": exchange}) as stack,
    ):
        auditor = Auditor(stack)
        for name in SERVICES:
            detail = auditor.get(name, "/readyz").json()["checks"]["schema"]["detail"]
            assert (detail["owns_its_tables"], "warning" in detail, "reachable_databases" in detail) == (False,) * 3
        with Load(stack, directors=0) as load:
            director = load.announce()
            load.tournaments.append(director)
            round = director.pair()
            director.start(round)
            director.play(round, results(shipped_ruleset(RULESET), load.random))
            director.close(round)
            host = operator(stack.urls, stack.issuer)
            look_and_erase(host, load.announce().id)
            agree(auditor, [director])
            log = auditor.log("registration", director.id, "registration")
            with auditor.database("pairing") as database:
                assert accept_run(database, [behind(log, director.id, "PlayerJoined", {"x": 1})]) is Outcome.ACCEPTED
            asked = {"source": "registration", "tournament": director.id, "reason": "it cannot be folded"}
            assert host.plain.post("pairing", "/recopy", asked)["replaced"] == 1
            for name in SERVICES:
                assert host.plain.post(name, "/rebuild", {})["differences"] == []
            agree(auditor, [director])
        for name in SERVICES:
            eventually(partial(auditor.well, name), f"{name} is well, its outbox empty")
        assert "permission denied" not in stack.output(10_000)
        assert "Traceback" not in stack.output(10_000)


def look_and_erase(host, tournament):
    """Personal data of a player are entered, looked at by an operator, and erased."""
    players = f"/tournaments/{tournament}/players"
    entered = host.plain.post("registration", players, {"name": "Ana", "contact": {"email": "ana@example.org"}})
    ana = f"{players}/{entered['players'][0]['id']}/personal"
    assert host.plain.get("registration", ana)["data"] == {"email": "ana@example.org"}
    assert [look["role"] for look in host.plain.items("registration", f"{ana}/looks")] == ["operator"]
    host.plain.command("DELETE", "registration", ana)
    assert host.plain.get("registration", ana)["data"] == {}


def test_the_role_that_runs_lays_its_feed_out_again(roles):
    runs = open_database(roles.url(roles.user("registration"), "registration"))
    with runs.reading() as connection:
        events = connection.rows("SELECT tournament, position FROM events WHERE source = 'registration'")
    stood = {feed: tuple(event) for feed, event in enumerate(events, 1)}
    assert rebuild_feed(runs, "registration", 0, stood, len(events)).guessed == 0
    runs.close()


@pytest.mark.parametrize(
    ("before", "known"),
    [
        ("CREATE ROLE muster LOGIN PASSWORD :'password'; CREATE DATABASE registration OWNER muster", 0),
        (
            "CREATE ROLE muster_owner LOGIN PASSWORD :'password'; CREATE ROLE muster LOGIN PASSWORD :'password';"
            "CREATE DATABASE registration OWNER muster_owner; GRANT CONNECT ON DATABASE registration TO muster",
            1,
        ),
    ],
)
def test_from_one_role_for_all_to_one_for_each_service_as_the_page_says(before, known):
    """known: statements at the beginning of the page that the installation of before has run already."""
    server_wide, inside = of_the_page()
    with roles_made_by(before) as roles:
        earlier = f"{roles.prefix}_muster"
        owner = roles.owner if known else earlier
        migrated = open_database(roles.url(owner, "registration"))
        upgrade_database(migrated, "registration", user=earlier)
        migrated.close()
        running = open_database(roles.url(earlier, "registration"))
        events = add(running, "cup", "anna", "ben")
        running.close()
        with psycopg.connect(conninfo(POSTGRESQL_URL), autocommit=True) as server:
            for statement in statements(server_wide)[known:]:
                server.execute(roles.named(statement))
        admin = make_url(POSTGRESQL_URL).set(database=f"{roles.prefix}_registration")
        with psycopg.connect(conninfo(admin.render_as_string(hide_password=False)), autocommit=True) as database:
            for statement in statements(inside):
                database.execute(roles.named(statement))
        migrate(roles, "registration")
        after = open_database(roles.url(roles.user("registration"), "registration"))
        assert read(after, "cup") == events
        add(after, "cup", "cy")
        with after.reading() as connection:
            assert not owns_its_tables(connection.session)
        after.close()
        with connect(roles, roles.user("registration")) as session:
            for statement in ("ALTER TABLE events DISABLE TRIGGER ALL", f"CREATE FUNCTION mine{FUNCTION}"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    session.execute(statement.encode())
        with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
            connect(roles, earlier)


def test_a_role_opens_the_database_of_its_own_service_alone(roles):
    for service in SERVICES:
        for other in SERVICES:
            url = conninfo(roles.url(roles.user(service), other))
            if other == service:
                psycopg.connect(url).close()
            else:
                with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
                    psycopg.connect(url)


def test_readiness_names_the_databases_that_a_role_should_not_open(roles):
    scoring = open_database(roles.url(roles.user("scoring"), "scoring"))
    peers = [name for name in SERVICES if name != "scoring"]
    assert scoring.reachable_databases("scoring", peers) == []
    user = roles.user("scoring")
    opened = f'ON DATABASE "{roles.prefix}_registration"'
    with psycopg.connect(conninfo(POSTGRESQL_URL), autocommit=True) as server:
        server.execute(f'GRANT CONNECT {opened} TO "{user}"'.encode())
        try:
            assert scoring.reachable_databases("scoring", peers) == [f"{roles.prefix}_registration"]
        finally:
            server.execute(f'REVOKE CONNECT {opened} FROM "{user}"'.encode())
    scoring.close()


def test_a_database_of_another_owner_is_found_by_its_name():
    assert peer_database_names("club_scoring", "scoring", ["registration", "pairing"]) == [
        "club_registration",
        "club_pairing",
    ]
    assert peer_database_names("club3", "scoring", ["registration", "pairing"]) == []


def test_a_temporary_table_opens_no_way_past_a_trigger(postgresql_url):
    """A function of a trigger looks into its own schema, whatever whoever runs it has put before it."""
    database = open_database(postgresql_url)
    upgrade_database(database, "registration")
    events = add(database, "cup", "anna", "ben")
    refused = pytest.raises(DBAPIError, match="never changed or removed")
    with refused, database.reading() as connection:  # one session, to which temporary tables belong
        connection.run("CREATE TEMPORARY TABLE replaced AS SELECT 1 AS recopy, * FROM events")
        connection.run(
            "CREATE TEMPORARY TABLE recopies AS SELECT 1 AS id, source, tournament, 1 AS under_way FROM events"
        )
        connection.run("DELETE FROM events")
    assert read(database, "cup") == events
    database.close()
