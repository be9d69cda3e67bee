"""Revocations at registration: their effect in the other services, at once and after a database loss."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.backup import Backup
from tests.services.house import House
from tests.services.story import Answer

ANNOUNCED = {"name": "Cup", "ruleset": "star-wars-armada-400", "tier": "casual", "rounds": 3}
REVOKED = (401, "token-revoked")


class Hall(House):
    """A tournament with four players, a referee and their token."""

    tournament = ""
    referee = ""

    def ask(self, service: str, method: str, rest: str, body: object = None, token: str = "", **headers: str) -> Answer:
        club = self.clubs[service]
        address = f"/tournaments/{self.tournament}{rest}"
        return club.ask(method, address, body, token=token or club.token("operator"), **headers)

    def open(self) -> None:
        club = self.clubs["registration"]
        announced = club.ask("POST", "/tournaments", ANNOUNCED, token=club.token("operator"))
        self.tournament = announced.body["id"]
        for name in ("Ana", "Ben", "Cy", "Dee"):
            assert self.ask("registration", "POST", "/players", {"name": name}).status == 201
        appointed = self.ask("registration", "POST", "/staff", {"name": "Rita", "role": "head_referee"})
        self.referee = appointed.body["token"]
        self.copy()
        assert self.ask("pairing", "POST", "/rounds", {}).status == 201
        self.copy()

    def dismiss(self) -> Answer:
        return self.ask("registration", "POST", "/staff/s1/dismissal", {"reason": "left"})

    def start(self, **headers: str) -> Answer:
        """What reads the other logs before it is decided."""
        return self.ask("pairing", "POST", "/rounds/1/start", {}, self.referee, **headers)

    def report(self, game: str, **headers: str) -> Answer:
        """What does not."""
        body = {"results": [{"game": game, "facts": {"points_1": 100, "points_2": 50, "end": "time"}}]}
        return self.ask("scoring", "POST", "/results", body, self.referee, **headers)

    def length(self, service: str) -> int:
        return len(self.ask(service, "GET", f"/log?source={service}").lines)


@pytest.fixture
def hall(tmp_path, monkeypatch) -> Iterator[Hall]:
    hall = Hall(tmp_path, {}, monkeypatch)
    hall.open()
    yield hall
    for name in hall.clubs:
        hall.end(name)


def refused(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def test_dismissed_staff_cannot_use_commands_that_ask_registration(hall):
    before = hall.length("pairing")
    assert hall.dismiss().status == 201
    assert refused(hall.start()) == REVOKED
    assert hall.length("pairing") == before


def test_dismissed_staff_with_muster_seen_is_refused(hall):
    assert hall.start().status == 201
    hall.copy()
    seen = hall.dismiss().headers["Muster-Seen"]
    assert refused(hall.report("r1g1", Muster_Seen=seen)) == REVOKED


def test_other_commands_work_until_the_dismissal_is_copied(hall):
    assert hall.start().status == 201
    hall.copy()
    hall.dismiss()
    taken = hall.report("r1g1")
    assert (taken.status, taken.events[0]["actor_text"]) == (201, "s1, head referee")
    hall.copy()
    assert refused(hall.report("r1g2")) == REVOKED


def test_without_registration_known_appointments_count(hall):
    hall.dismiss()
    hall.away.add("registration")
    assert hall.start().status == 201
    hall.away.clear()
    hall.copy()
    assert refused(hall.report("r1g1")) == REVOKED


def test_revocation_of_an_installation_token_holds_everywhere_and_after_a_loss(hall, tmp_path):
    club = hall.clubs["registration"]
    lost = club.token("integration", jti="lost")
    assert hall.clubs["scoring"].ask("GET", "/log", token=lost).status == 200
    assert club.ask("POST", "/tokens/revocations", {"token_id": "lost"}, token=club.token("operator")).status == 201
    hall.copy()
    for one in hall.clubs.values():
        assert refused(one.ask("GET", "/log", token=lost)) == REVOKED
    hall.end("registration")
    Backup(club.settings.database_url, tmp_path).lose()
    club = hall.begin_anew("registration")
    assert club.ask("POST", "/recover", {}, token=club.token("operator")).status == 200
    assert refused(club.ask("GET", "/log", token=lost)) == REVOKED
