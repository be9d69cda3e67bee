"""A database of a version before 0.1.0, whose logs nothing reads any more."""

from __future__ import annotations

import pytest

from shared.log.migrate import FormerEvents, upgrade_database
from tests.services.engines import ENGINES

EVENT = """INSERT INTO events
    (source, tournament, position, id, type, version, time, actor, command_id, seen, data, prev_hash, hash)
    VALUES ('registration', 'cup', 1, 'cup.registration.1', 'RegistrationClosed', 1, '2026-03-07T09:30:00.000Z',
        'Sam, organiser', 'k', '{}', '{}', :zeros, :zeros)"""


FORMER = ("log_0011", "log_0012")
"""The last revision whose events had salts, and the last one whose actors were lines."""


@pytest.fixture(params=ENGINES)
def new_database(request, new_club):
    """Return a database of registration at a revision of the log."""
    more = {}
    if request.param == "postgresql":
        more["REGISTRATION_DATABASE_URL"] = request.getfixturevalue("postgresql_url")
    club = new_club("registration", "registration_0001", **more)

    def made(revision):
        upgrade_database(club.database, "registration", to=revision)
        return club.database

    yield made
    club.database.close()


@pytest.mark.parametrize("revision", FORMER)
def test_logs_of_an_older_form_are_refused_and_stay_as_they_were(new_database, revision):
    database = new_database(revision)
    with database.writing() as connection:
        connection.run(EVENT, zeros="0" * 64)
    with pytest.raises(FormerEvents, match=r"before 0\.1\.0.*muster export.*empty folder"):
        upgrade_database(database, "registration")
    with database.reading() as connection:
        assert connection.value("SELECT count(*) FROM events") == 1
        assert revision in connection.revisions()


@pytest.mark.parametrize("revision", FORMER)
def test_a_database_without_events_is_brought_up_to_date(new_database, revision):
    assert upgrade_database(new_database(revision), "registration").missing
