"""A database that nobody has migrated, or only in part: readiness says what to do, everything else says 503, nothing is
written; and as soon as somebody migrates, all of it goes on in the same processes."""

from __future__ import annotations

import re
import threading

import pytest

from shared.log.migrate import CannotMigrate, upgrade_database
from shared.log.schema import expected_revisions, migration_folders, revision_names
from shared.messaging import worker as worker_module
from shared.messaging.worker import PARTS, Worker
from shared.settings import SERVICES
from tests.services.engines import ENGINES
from tests.services.registration.story import announced
from tests.waiting import until

INCOMPLETE = ["none", "log"]
"""Tables that a database may have before it is migrated."""
REQUESTS = [
    ("POST", "/tournaments", {"name": "Club night", "ruleset": "star-wars-armada-1.1"}),
    ("GET", "/tournaments", None),
    ("GET", "/tournaments/t-1", None),
    ("GET", "/tournaments/t-1/log", None),
    ("GET", "/log", None),
    ("POST", "/rebuild", None),
    ("POST", "/recopy", {"source": "scoring", "tournament": "t-1"}),
]


@pytest.fixture(params=ENGINES)
def on_engine(request, new_club, monkeypatch):
    """Build a service on each engine: `on_engine("registration", tables="log")`."""
    monkeypatch.setattr("shared.web.health.KEPT_SECONDS", 0.0)

    def build(service, tables="all"):
        more = {}
        if request.param == "postgresql":
            more[f"{service.upper()}_DATABASE_URL"] = request.getfixturevalue("postgresql_url")
        club = new_club(service, tables, **more)
        request.addfinalizer(club.database.close)
        return club

    return build


def readiness(club):
    answer = club.client.get("/readyz", headers={"Authorization": f"Bearer {club.token('operator')}"})
    return answer.status_code, answer.get_json()["checks"]["schema"]


def tables(club):
    with club.database.reading() as connection:
        if club.database.name == "sqlite":
            return {name for (name,) in connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
        statement = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        return {name for (name,) in connection.rows(statement)}


@pytest.mark.parametrize("existing", INCOMPLETE)
def test_requests_get_503_until_the_migration(on_engine, existing):
    club = on_engine("registration", existing)
    expected = ", ".join(revision_names(expected_revisions(migration_folders("registration"))))
    before = tables(club)
    status, check = readiness(club)
    assert (status, check["ok"], check["needed"]) == (503, False, True)
    assert check["detail"]["expected"] == expected
    assert check["detail"]["found"].startswith("none" if existing == "none" else "log_")
    assert check["detail"]["advice"] == "python -m deploy.migrate registration"
    for method, address, body in REQUESTS:
        answer = club.ask(method, address, body, token=club.token("operator"))
        assert (answer.status, answer.code, answer.headers["Retry-After"]) == (503, "schema-outdated", "5"), address
    assert tables(club) == before
    if "heads" in before:
        with club.database.reading() as connection:
            assert connection.value("SELECT count(*) FROM heads") == 0
    for address in ("/healthz", "/openapi.json", "/docs", "/problems", "/problems/schema-outdated"):
        assert club.client.get(address).status_code == 200, address
    assert club.client.get("/nowhere").status_code == 404

    upgrade_database(club.database, "registration")
    evening = announced(club)
    assert evening.join("Ana", "Ben") == ["p1", "p2"]
    status, check = readiness(club)
    assert (status, check["ok"], check["detail"]["found"]) == (200, True, expected)


def test_public_answer_has_no_revision_names(on_engine):
    club = on_engine("scoring", "log")
    check = club.client.get("/readyz").get_json()["checks"]["schema"]
    assert check["ok"] is False
    assert not {"found", "expected", "advice"} & check["detail"].keys()


def test_current_schema_is_checked_once(on_engine, monkeypatch):
    club, asked = on_engine("registration"), []
    from shared.service import gates

    whole = gates.schema_status
    monkeypatch.setattr(gates, "schema_status", lambda *given: asked.append(1) or whole(*given))
    announced(club).join("Ana", "Ben")
    assert len(asked) == 1


def test_restored_older_schema_is_detected(on_engine):
    """As after a restore from before an upgrade, while the service runs."""
    club = on_engine("registration")
    evening = announced(club)
    with club.database.writing() as connection:
        for table in ("directory", "personal", "personal_looks", "roster_notes", "sealed_lists", "sign_up_addresses"):
            connection.run(f"DROP TABLE {table}")
        connection.run("DELETE FROM alembic_version WHERE version_num LIKE 'registration%'")
    answer = club.ask("GET", "/tournaments")
    assert (answer.status, answer.code) == (503, "schema-outdated")
    assert readiness(club)[0] == 503
    assert evening.get("").code == "schema-outdated"
    upgrade_database(club.database, "registration")
    assert evening.get("").status == 200


def newer(club, *names):
    """The database as newer code left it: it knows these revisions instead of the newest known here."""
    with club.database.writing() as connection:
        for name in names:
            line = name.partition("_")[0]
            connection.run("DELETE FROM alembic_version WHERE version_num LIKE :line", line=f"{line}_%")
            connection.run("INSERT INTO alembic_version VALUES (:name)", name=name)


def test_newer_schema_is_accepted_and_unchanged(on_engine):
    """As in a rolling upgrade: the newer version migrates first, by what the older one need not know."""
    club = on_engine("registration")
    with club.database.writing() as connection:
        connection.run("CREATE TABLE venues_seen (venue VARCHAR(20) PRIMARY KEY)")
        connection.run("ALTER TABLE cursors ADD COLUMN pace BIGINT NOT NULL DEFAULT 0")
        connection.run("ALTER TABLE directory ADD COLUMN colour TEXT NOT NULL DEFAULT ''")
    newer(club, "log_9001", "venues_0001")
    evening = announced(club)
    assert evening.join("Ana", "Ben") == ["p1", "p2"]
    assert [line["name"] for line in club.ask("GET", "/tournaments").body["items"]] == ["Club night"]
    assert club.ask("POST", "/rebuild", token=club.token("operator")).body["differences"] == []
    status, check = readiness(club)
    assert (status, check["ok"], check["detail"]["newer"]) == (200, True, True)
    assert "log_9001" in check["detail"]["found"]
    assert upgrade_database(club.database, "registration").newer == ["log_9001", "venues_0001"]
    with club.database.reading() as connection:
        found = set(connection.revisions())
    assert {"log_9001", "venues_0001"} <= found


def test_partly_migrated_database_is_not_changed(on_engine):
    club = on_engine("registration", "log")
    newer(club, "venues_0001")
    before = tables(club)
    with pytest.raises(CannotMigrate, match="venues_0001 of newer code and lacks registration_"):
        upgrade_database(club.database, "registration")
    assert tables(club) == before
    assert readiness(club)[0] == 503


@pytest.mark.parametrize("existing", INCOMPLETE)
def test_worker_waits_for_the_migration(on_engine, monkeypatch, existing):
    club = on_engine("registration", existing)
    monkeypatch.setattr(worker_module, "LOOK_SECONDS", 0.05)
    from services.registration import app as wiring

    service = wiring.build(club.env)
    ran = {name: threading.Event() for name in PARTS}

    class Part:
        beat = 0.0

        def __init__(self, name):
            self.name = name

        def run(self, stop):
            ran[self.name].set()
            stop.wait()

    worker = Worker([Part(name) for name in PARTS], hindrance=service.schema.hindrance)
    thread = threading.Thread(target=worker.run)
    thread.start()
    try:
        until(lambda: worker.down.keys() == set(PARTS))
        assert not any(event.is_set() for event in ran.values())
        assert all(
            re.search(r"lacks .*registration_\d{4}: python -m deploy.migrate registration", down.why)
            for down in worker.down.values()
        )
        upgrade_database(club.database, "registration")
        until(lambda: all(event.is_set() for event in ran.values()))
        until(lambda: not worker.down)
    finally:
        worker.stop.set()
        thread.join()
        service.database.close()


def test_single_role_works_and_is_reported(on_engine):
    club = on_engine("scoring")
    status, check = readiness(club)
    assert (status, check["ok"]) == (200, True)
    if club.database.name == "postgresql":
        assert check["detail"]["owns_its_tables"] is True
        assert "owns its tables" in check["detail"]["warning"]
    else:
        assert not {"owns_its_tables", "warning"} & check["detail"].keys()


@pytest.mark.parametrize("service", SERVICES)
def test_revision_names_match_their_files(on_engine, service):
    """Who is behind and who ahead is told by these names alone."""
    club = on_engine(service)
    with club.database.reading() as connection:
        found = sorted(connection.revisions())
    assert found == revision_names(expected_revisions(migration_folders(service)))
    for folder in migration_folders(service):
        for path in folder.glob("*_*.py"):
            if path.stem != "__init__":
                assert f'revision = "{path.stem}"' in path.read_text()
