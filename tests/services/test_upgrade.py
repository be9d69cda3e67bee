"""A database of a version before 0.1.0, whose logs nothing reads any more."""

from __future__ import annotations

import pytest

from shared.eventlog.migrate import FormerEvents, upgrade_database
from tests.services.engines import ENGINES

EVENT = """INSERT INTO events
    (source, tournament, position, id, type, version, time, actor, command_id, seen, data, prev_hash, hash)
    VALUES ('registration', 'cup', 1, 'cup.registration.1', 'RegistrationClosed', 1, '2026-03-07T09:30:00.000Z',
        'Sam, organiser', 'k', '{}', '{}', :zeros, :zeros)"""


@pytest.fixture(params=ENGINES)
def database(request, new_club):
    """A database of registration at the last revision whose events had salts, with one event."""
    more = {}
    if request.param == "postgresql":
        more["REGISTRATION_DATABASE_URL"] = request.getfixturevalue("postgresql_url")
    club = new_club("registration", "registration_0001", **more)
    upgrade_database(club.database, "registration", to="log_0011")
    with club.database.writing() as connection:
        connection.run(EVENT, zeros="0" * 64)
    yield club.database
    club.database.close()


def test_logs_with_salts_are_refused_and_stay_as_they_were(database):
    with pytest.raises(FormerEvents, match=r"before 0\.1\.0.*muster export.*empty folder"):
        upgrade_database(database, "registration")
    with database.reading() as connection:
        assert connection.value("SELECT count(*) FROM events") == 1
        assert "log_0011" in connection.revisions()
