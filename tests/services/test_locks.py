"""Lock timeouts of PostgreSQL: callers are told to retry, and nothing is half done."""

from __future__ import annotations

import pytest

from tests.eventlog.locks import locked, wait_for_locks
from tests.services.engines import club_on
from tests.services.registration.story import announced

pytestmark = pytest.mark.engine("postgresql")
LONGER_THAN_ANYBODY_WAITS = 5


@pytest.fixture
def evening(request, new_club, monkeypatch):
    wait_for_locks(monkeypatch, 200)
    return announced(club_on("postgresql", "registration", new_club, request))


def told_to_come_back(response):
    return response.status_code == 503 and response.json["code"] == "unavailable" and "Retry-After" in response.headers


def test_command_waits_for_a_locked_head(evening):
    players = f"/tournaments/{evening.id}/players"
    staff = {"Authorization": f"Bearer {evening.token('organiser')}"}
    with locked(evening.club.database.url, b"SELECT 1 FROM heads FOR UPDATE", LONGER_THAN_ANYBODY_WAITS):
        assert told_to_come_back(evening.club.client.post(players, json={"name": "Ana"}, headers=staff))
        assert evening.get().status == 200  # who only looks waits for nobody
    assert evening.enter("Ana").status == 201


def test_feed_reader_waits_for_a_locked_relay(evening):
    token = evening.club.token("integration")
    with locked(evening.club.database.url, b"SELECT 1 FROM relay FOR UPDATE", LONGER_THAN_ANYBODY_WAITS):
        assert told_to_come_back(evening.club.client.get("/log", headers={"Authorization": f"Bearer {token}"}))
    assert len(evening.club.ask("GET", "/log", token=token).lines) == evening.length
