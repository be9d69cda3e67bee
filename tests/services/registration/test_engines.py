"""Guarantees of registration on each database: seats, waiting list, lists, check-in, directory, idempotency."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.log.cloudevents import from_wire
from shared.log.log import verify
from tests.acting import text_of
from tests.services.conftest import NewClub
from tests.services.engines import ENGINES, club_on
from tests.services.registration.story import FLEET, announced
from tests.services.story import NOBODY, Club, same_state

RACERS = 8


@pytest.fixture(scope="module", params=ENGINES)
def club(request: pytest.FixtureRequest, new_club: NewClub) -> Club:
    """Registration on each engine."""
    return club_on(request.param, "registration", new_club, request)


@pytest.fixture
def evening(club):
    """Two seats at one venue."""
    evening = announced(club, capacity=2, sign_up="open", starts_on="2026-04-04")
    evening.venue("Hall", 3)
    return evening


def test_seats_the_waiting_list_and_who_moves_up(evening):
    assert evening.join("Ana", "Ben", "Cy", "Dee") == ["p1", "p2", "p3", "p4"]
    assert (evening.names("active"), evening.names("waiting")) == (["Ana", "Ben"], ["Cy", "Dee"])
    assert evening.do("p1", "withdrawal", {}, by="p1").types == ["PlayerWithdrawn", "PlayerPromoted"]
    assert evening.post("/amendments", {"capacity": 3}).types == ["TournamentAmended", "PlayerPromoted"]
    assert evening.names("active") == ["Ben", "Cy", "Dee"]
    assert same_state(evening.club, evening.id)


def test_rosters_and_check_in(evening):
    evening.join("Ana", "Ben")
    assert evening.do("p1", "roster", {"roster": FLEET}, by="p1").types == ["RosterSubmitted", "RosterAccepted"]
    illegal = evening.do("p2", "roster", {"roster": {**FLEET, "fleet_total": 1}}, by="p2")
    assert (illegal.status, illegal.code) == (422, "roster-illegal")
    assert evening.get("/players/p1/roster", by="p1").body["roster"] == FLEET
    assert evening.do("p1", "check-in", {}, by="p1").types == ["PlayerCheckedIn"]
    assert evening.do("p1", "check-in", {}, by="p1").types == []
    assert evening.do("p1", "check-out").types == ["PlayerCheckedOut"]
    evening.begin("p1", "p2")
    assert evening.do("p1", "roster", {"roster": FLEET | {"faction": "empire"}}, by="p1").code == "roster-locked"
    assert evening.do("p2", "drop", {"reason": "ill"}).types == ["PlayerDropped"]
    assert same_state(evening.club, evening.id)


def test_links_are_issued_used_and_revoked(evening):
    (ana,) = evening.enter("Ana").body["players"]
    link = evening.do("p1", "links", {"revoke_older": True}, by="referee", Idempotency_Key="a-lost-phone")
    assert link.types == ["PlayerLinkIssued", "TokenRevoked"]
    again = evening.do("p1", "links", {"revoke_older": True}, by="referee", Idempotency_Key="a-lost-phone")
    assert again.body == link.body
    assert evening.do("p1", "check-in", {}, by=ana["token"]).code == "token-revoked"
    assert evening.do("p1", "check-in", {}, by=link.body["token"]).status == 201
    assert text_of(evening.log[-1]) == "p1, player, by a link of s1"
    assert verify(map(from_wire, evening.get("/log?limit=500").text.splitlines())).position == evening.length
    assert same_state(evening.club, evening.id)


def test_personal_data_are_stored_outside_the_log_and_erased(evening):
    evening.enter("Ana", contact={"email": "ana@example.org"})
    assert evening.get("/players/p1/personal").body["data"] == {"email": "ana@example.org"}
    assert evening.delete("/players/p1/personal").types == ["PersonalDataErased"]
    assert evening.get("/players/p1/personal").body["data"] == {}


def test_a_command_with_a_key_has_its_effect_once(evening):
    first, again = (evening.enter("Ana", Idempotency_Key="monday") for _ in range(2))
    assert first.status == again.status == 201
    assert first.body == again.body
    assert evening.enter("Ben", Idempotency_Key="monday").code == "idempotency-key-reused"
    key = "5f0c7d1e-6f0a-4d6e-9a65-0a8c1f0e7b1d"
    guest, repeated = (evening.post("/sign-up", {"name": "Cy"}, NOBODY, Idempotency_Key=key) for _ in range(2))
    assert guest.body == repeated.body
    assert evening.names("active") == ["Ana", "Cy"]


def test_concurrent_entries_get_seats_in_order(club, evening):
    token = evening.token("organiser")

    def ask(number: int) -> tuple[int, str]:
        address = f"/tournaments/{evening.id}/players"
        with club.app.test_client() as client:
            answer = client.post(
                address, json={"name": f"Player {number}"}, headers={"Authorization": f"Bearer {token}"}
            )
        return answer.status_code, answer.get_json()["players"][0]["id"]

    with ThreadPoolExecutor(RACERS) as pool:
        answers = list(pool.map(ask, range(RACERS)))
    assert {status for status, _ in answers} == {201}
    assert {player for _, player in answers} == {f"p{number}" for number in range(1, RACERS + 1)}
    assert (len(evening.names("active")), len(evening.names("waiting"))) == (2, RACERS - 2)
    assert same_state(club, evening.id)


def test_the_directory_moves_with_the_log(club, evening):
    evening.join("Ana", "Ben", "Cy")
    evening.do("p1", "withdrawal", {})
    evening.post("/amendments", {"name": "Club night in May", "starts_on": "2026-05-02"})

    def line() -> dict:
        listed = club.ask("GET", "/tournaments?limit=500").body["items"]
        return next(line for line in listed if line["id"] == evening.id)

    assert (line()["name"], line()["starts_on"], line()["players"]) == ("Club night in May", "2026-05-02", 2)
    evening.post("/cancellation", {"reason": "snow"})
    assert line()["status"] == "cancelled"


def test_the_log_and_the_feed_hold(club, evening):
    evening.join("Ana", "Ben")
    lines = evening.get("/log").text.splitlines()
    assert verify(map(from_wire, lines)) == club.folded(evening.id).heads["registration"]
    feed = club.ask("GET", "/log?limit=5000", token=club.token("service")).lines
    assert [line["feedposition"] for line in feed] == list(range(1, len(feed) + 1))
    assert [line["id"] for line in feed if line["tournament"] == evening.id] == [event.id for event in evening.log]
