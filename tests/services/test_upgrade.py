"""A database that an earlier version has filled, brought up to date through every revision since, and used on."""

from __future__ import annotations

import base64

import pytest
from sqlalchemy import inspect, text

from shared.eventlog.cursors import cursors
from shared.eventlog.migrate import upgrade_database
from shared.eventlog.schema import expected_revisions, named, places
from shared.eventlog.verify import verify
from tests.services.engines import ENGINES
from tests.services.registration.story import Evening, announced
from tests.services.story import same_state

FILLED = ("events", "heads", "outbox", "feed", "quarantine", "cursors", "snapshots", "directory", "personal")
NUMBERED = ("outbox", "quarantine")
"""Tables that number their rows themselves."""
LAST = expected_revisions(places("registration"))["log"]
OLDER = named({"log": 1}) + [f"log_{number:04}" for number in range(2, LAST)]
EMAIL = {"email": "ana@example.org"}
SNAPSHOT = text(
    "INSERT INTO snapshots (tournament, code, heads, state, hash) VALUES (:id, 'code', '{}', :state, 'hash')"
)


@pytest.fixture(scope="module")
def played(new_club):
    """An evening with both copies, personal data, a cursor, a case of quarantine and a snapshot, as it is today."""
    club = new_club("registration", sql=True, MUSTER_PERSONAL_KEY=base64.b64encode(bytes(range(32))).decode())
    evening = announced(club, capacity=2)
    evening.venue("Hall", 2)
    evening.enter("Ana", contact=EMAIL)
    evening.join("Ben", "Cy")
    evening.begin("p1", "p2")
    club.ask("POST", "/rebuild", token=club.token("operator"))  # no worker runs here that would follow the copies
    with club.database.writing() as connection:
        connection.execute(text("INSERT INTO cursors (source, feed, owner_end, checked) VALUES ('pairing', 3, 3, 1)"))
        connection.execute(
            text("""INSERT INTO quarantine (source, tournament, position, reason, origin, body, time)
            VALUES ('pairing', 'cup', 3, 'a fork', 'fork', :body, '2026-03-07T09:30:00.000Z')"""),
            {"body": b"{}"},
        )
        connection.execute(SNAPSHOT, {"id": evening.id, "state": b"state"})
    return evening


@pytest.fixture(params=ENGINES)
def older(request, new_club, played):
    """Fill a database at an earlier revision with what was played: `older("log_0002")`."""

    def build(revision):
        more = {"MUSTER_PERSONAL_KEY": played.club.env["MUSTER_PERSONAL_KEY"]}
        if request.param == "postgresql":
            more["REGISTRATION_DATABASE_URL"] = request.getfixturevalue("postgresql_url")
        club = new_club("registration", "registration_0001", sql=True, **more)
        request.addfinalizer(club.database.close)
        upgrade_database(club.database, "registration", to=revision)
        for table in FILLED:
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
        rows = connection.execute(text(f"SELECT {said} FROM {table}")).mappings().all()
    assert rows or table == "feed", table
    with target.writing() as connection:
        for row in rows:
            values = ", ".join(f":{column}" for column in columns)
            connection.execute(text(f"INSERT INTO {table} ({said}) VALUES ({values})"), dict(row))


@pytest.mark.parametrize("revision", OLDER)
def test_what_an_earlier_version_wrote_is_read_and_written_on(older, played, revision):
    club = older(revision)
    evening = Evening(club, played.id)
    assert evening.get("").code == "schema-outdated"
    with club.database.reading() as connection:
        outbox = connection.execute(text("SELECT count(*) FROM outbox")).scalar_one()

    upgrade_database(club.database, "registration")

    for source in club.sources:
        assert club.log(evening.id, source) == played.club.log(evening.id, source)
    verify(evening.log)
    with club.database.reading() as connection:
        # Its feed is read once more, for the places of its events (log_0006).
        assert [(cursor.source, cursor.feed) for cursor in cursors(connection)] == [("pairing", 0)]
        assert connection.execute(text("SELECT count(*) FROM outbox")).scalar_one() == outbox
        assert connection.execute(text("SELECT origin FROM quarantine")).scalars().all() == ["fork"]
        assert connection.execute(text("SELECT count(*) FROM snapshots")).scalar_one() == (revision == "log_0005")
    assert evening.get("/players/p1/personal").body["data"] == EMAIL
    assert (evening.names("active"), evening.names("waiting")) == (["Ana", "Ben"], ["Cy"])
    assert [line["players"] for line in club.ask("GET", "/tournaments").body["items"]] == [2]
    assert evening.do("p1", "drop", {"reason": "ill"}).status == 201
    assert evening.delete("/players/p1/personal").types == ["PersonalDataErased"]
    evening.venue("Annex", 2)
    verify(evening.log)
    assert same_state(club, evening.id)
    assert club.ask("POST", "/rebuild", token=club.token("operator")).body["differences"] == []
    with pytest.raises(Exception, match="never changed"), club.database.writing() as connection:
        connection.execute(text("UPDATE events SET data = '{}'"))
