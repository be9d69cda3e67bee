"""A database that an earlier version has filled, brought up to date through every revision since, and used on."""

from __future__ import annotations

import base64

import pytest
from sqlalchemy import inspect

from shared.eventlog.cursors import cursors
from shared.eventlog.migrate import FormerEvents, upgrade_database
from shared.eventlog.schema import expected_revisions, named, places
from shared.eventlog.verify import verify
from tests.services.engines import ENGINES
from tests.services.registration.story import Evening, announced
from tests.services.story import same_state

BESIDE_LOGS = ("quarantine", "cursors", "directory", "personal")
LOG = ("events", "heads", "outbox")
FIRST_RELEASE = "log_0007"
"""Since this revision events have the form that stays."""
NUMBERED = ("outbox", "quarantine")
"""Tables that number their rows themselves."""
LAST = expected_revisions(places("registration"))["log"]
OLDER = named({"log": 1}) + [f"log_{number:04}" for number in range(2, LAST)]
EMAIL = {"email": "ana@example.org"}
SNAPSHOT = "INSERT INTO snapshots (tournament, code, heads, state, hash) VALUES (:id, 'code', '{}', :state, 'hash')"


@pytest.fixture(scope="module")
def played(new_club):
    """An evening with both copies, personal data, a cursor, a case of quarantine and a snapshot, as it is today."""
    club = new_club("registration", MUSTER_PERSONAL_KEY=base64.b64encode(bytes(range(32))).decode())
    evening = announced(club, capacity=2)
    evening.venue("Hall", 2)
    evening.enter("Ana", contact=EMAIL)
    evening.join("Ben", "Cy")
    evening.begin("p1", "p2")
    club.ask("POST", "/rebuild", token=club.token("operator"))  # no worker runs here that would follow the copies
    with club.database.writing() as connection:
        connection.run("INSERT INTO cursors (source, feed, owner_end, checked) VALUES ('pairing', 3, 3, 1)")
        connection.run(
            """INSERT INTO quarantine (source, tournament, position, reason, origin, body, time)
            VALUES ('pairing', 'cup', 3, 'a fork', 'fork', :body, '2026-03-07T09:30:00.000Z')""",
            body=b"{}",
        )
        connection.run(SNAPSHOT, id=evening.id, state=b"state")
    return evening


@pytest.fixture(params=ENGINES)
def older(request, new_club, played):
    """Fill tables of a database at an earlier revision with what was played: `older("log_0002", BESIDE_LOGS)`."""

    def build(revision, tables):
        more = {"MUSTER_PERSONAL_KEY": played.club.env["MUSTER_PERSONAL_KEY"]}
        if request.param == "postgresql":
            more["REGISTRATION_DATABASE_URL"] = request.getfixturevalue("postgresql_url")
        club = new_club("registration", "registration_0001", **more)
        request.addfinalizer(club.database.close)
        upgrade_database(club.database, "registration", to=revision)
        for table in tables:
            pour(table, played.club.database, club.database)
        return club

    return build


def pour(table, source, target):
    """Copy the columns of a table that the earlier revision had."""
    columns = [column["name"] for column in inspect(target.engine).get_columns(table)]
    if table in NUMBERED:
        columns.remove("id")
    said = ", ".join(columns)
    with source.reading() as connection:
        rows = connection.rows(f"SELECT {said} FROM {table}")
    assert rows or table == "feed", table
    with target.writing() as connection:
        values = ", ".join(f":{column}" for column in columns)
        connection.run_many(
            f"INSERT INTO {table} ({said}) VALUES ({values})", [dict(zip(columns, row, strict=True)) for row in rows]
        )


@pytest.mark.parametrize("revision", OLDER)
def test_what_an_earlier_version_kept_beside_its_logs_is_read_and_written_on(older, played, revision):
    club = older(revision, BESIDE_LOGS)
    evening = Evening(club, played.id)
    assert evening.get("").code == "schema-outdated"

    upgrade_database(club.database, "registration")

    with club.database.reading() as connection:
        # The feed of a peer is read once more, for the places of its events (log_0006).
        feed = 0 if revision < "log_0006" else 3
        assert [(cursor.source, cursor.feed) for cursor in cursors(connection)] == [("pairing", feed)]
        assert connection.rows("SELECT origin FROM quarantine") == [("fork",)]
    pour_log(played.club.database, club.database)
    assert evening.get("/players/p1/personal").body["data"] == EMAIL
    assert (evening.names("active"), evening.names("waiting")) == (["Ana", "Ben"], ["Cy"])
    assert evening.do("p1", "drop", {"reason": "ill"}).status == 201
    assert evening.delete("/players/p1/personal").types == ["PersonalDataErased"]
    evening.venue("Annex", 2)
    verify(evening.log)
    assert same_state(club, evening.id)
    with pytest.raises(Exception, match="never changed"), club.database.writing() as connection:
        connection.run("UPDATE events SET data = '{}'")


def pour_log(source, target):
    for table in LOG:
        pour(table, source, target)


@pytest.mark.parametrize("revision", [revision for revision in OLDER if revision >= FIRST_RELEASE])
def test_a_log_is_read_and_written_on(older, played, revision):
    club = older(revision, LOG)
    upgrade_database(club.database, "registration")
    evening = Evening(club, played.id)
    evening.venue("Annex", 2)
    verify(evening.log)
    assert same_state(club, evening.id)


@pytest.mark.parametrize("revision", [revision for revision in OLDER if revision < FIRST_RELEASE])
def test_a_log_in_the_form_from_before_the_first_release_is_refused(older, played, revision):
    """Its hashes are of another form, and nothing may change an event; the database stays as it was."""
    club = older(revision, ("events", "heads"))
    with pytest.raises(FormerEvents, match="begin with an empty database"):
        upgrade_database(club.database, "registration")
    with club.database.reading() as connection:
        columns = {column["name"] for column in inspect(club.database.engine).get_columns("events")}
        assert "salt" not in columns
        assert connection.value("SELECT count(*) FROM events") > 0
