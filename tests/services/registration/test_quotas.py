"""Quotas of a player, of guests and of a log; one caller cannot use up those of others."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest
import yaml

from services.registration import app as wiring
from services.registration.swiss_rosters import MAX_ROSTER_BYTES
from shared.clock import utc_now
from shared.formats.packs import shipped_text
from shared.log.event import canonical_json
from shared.service import handlers
from tests.acting import text_of
from tests.services.conftest import NewClub, logging_as_it_was
from tests.services.engines import ENGINES, club_on
from tests.services.registration.story import ARMADA, FLEET, Evening, announced
from tests.services.story import NOBODY, Answer, Club, same_state


@pytest.fixture(scope="module", params=ENGINES)
def club(request: pytest.FixtureRequest, new_club: NewClub) -> Club:
    """Registration on each engine."""
    return club_on(request.param, "registration", new_club, request)


@pytest.fixture
def evening(club: Club) -> Evening:
    """A tournament with open sign-up."""
    return announced(club, sign_up="open")


@pytest.fixture
def clear(club: Club) -> Evening:
    """The same with lists that are open when they are handed in, so that the log holds their bytes."""
    pack = yaml.safe_load(shipped_text(ARMADA))
    pack["id"], pack["roster"]["open"] = "club-rules", [{"to": "everybody", "since": "submission", "clause": "CLUB"}]
    return announced(club, sign_up="open", pack=pack)


@pytest.fixture
def come_from(club: Club, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let requests come from another address."""
    return lambda address: monkeypatch.setitem(club.client.environ_base, "REMOTE_ADDR", address)


def guest(evening: Evening, name: str, **headers: str) -> Answer:
    return evening.post("/sign-up", {"name": name}, NOBODY, **headers)


def fleet(number: int) -> dict:
    """A legal fleet of its own."""
    return {**FLEET, "squadrons": [{"name": f"X-wing {number}", "points": 13}, {"name": "Luke", "points": 77}]}


def padded(size: int) -> dict:
    """A legal fleet of so many bytes."""
    name = FLEET["ships"][1]["name"]
    short = size - len(canonical_json(FLEET))
    ships = [FLEET["ships"][0], {**FLEET["ships"][1], "name": name + "x" * short}, FLEET["ships"][2]]
    return {**FLEET, "ships": ships}


def test_a_roster_of_226_kilobytes_is_no_roster(evening):
    token = guest(evening, "Mallory").body["players"][0]["token"]
    answer = evening.do("p1", "roster", {"roster": padded(226_000)}, by=token)
    assert (answer.status, answer.code, answer.places) == (413, "roster-too-large", ["/roster"])
    assert answer.data == {"limit": MAX_ROSTER_BYTES, "used": 226_000}
    assert evening.do("p1", "roster", {"roster": padded(MAX_ROSTER_BYTES + 1)}).code == "roster-too-large"
    assert evening.do("p1", "roster", {"roster": padded(MAX_ROSTER_BYTES)}, by=token).status == 201


def test_a_player_submits_30_rosters_and_staff_another(evening):
    token = guest(evening, "Ana").body["players"][0]["token"]
    for number in range(handlers.ROSTERS):
        last = evening.do("p1", "roster", {"roster": fleet(number)}, by=token, Idempotency_Key=f"roster-{number}")
        assert last.status == 201
    answer = evening.do("p1", "roster", {"roster": fleet(99)}, by=token)
    assert (answer.status, answer.code) == (409, "quota-reached")
    assert answer.data == {"quota": "rosters", "of": "one player", "limit": 30, "used": 30, "asked": 1}
    again = evening.do("p1", "roster", {"roster": fleet(29)}, by=token, Idempotency_Key="roster-29")
    assert again.body["events"] == last.body["events"]
    assert evening.do("p1", "roster", {"roster": fleet(99)}).status == 201
    assert guest(evening, "Ben").status == 201
    assert evening.do("p2", "roster", {"roster": fleet(0)}, by="p2").status == 201
    assert evening.do("p1", "withdrawal", {}, by=token).types == ["PlayerWithdrawn"]
    assert same_state(evening.club, evening.id)


def test_the_bytes_of_a_player_are_counted_by_the_log_alone(clear):
    evening = clear
    guest(evening, "Mallory")
    taken = 0
    while (answer := evening.do("p1", "roster", {"roster": padded(MAX_ROSTER_BYTES - taken)}, by="p1")).status == 201:
        taken += 1
    assert (answer.code, answer.data["quota"], answer.data["of"]) == ("quota-reached", "bytes", "one player")
    held = sum(len(event.data) for event in evening.log if text_of(event) == "p1, player")
    assert (answer.data["used"], answer.data["limit"]) == (held, handlers.BOUNDS["registration"].player_bytes)
    assert held <= 256 * 1024 < held + MAX_ROSTER_BYTES
    with logging_as_it_was():  # another process of the service, which has only the log
        other = Evening(
            Club(wiring.build_web(evening.club.env), evening.club.settings, wiring.SOURCES, evening.club.env),
            evening.id,
        )
    assert other.do("p1", "roster", {"roster": padded(MAX_ROSTER_BYTES - taken)}, by="p1").data == answer.data


@pytest.mark.attack("growth without end")
def test_concurrent_requests_do_not_exceed_the_quota(evening):
    guest(evening, "Mallory")
    with ThreadPoolExecutor(8) as racers:
        answers = racers.map(
            lambda number: evening.club.ask(
                "POST",
                f"/tournaments/{evening.id}/players/p1/roster",
                {"roster": fleet(number)},
                token=evening.token("p1"),
            ),
            range(48),
        )
    codes = [answer.code for answer in answers]
    assert [event.type for event in evening.log].count("RosterSubmitted") == handlers.ROSTERS == codes.count("")
    assert set(codes) == {"", "quota-reached"}


def test_guests_sign_up_four_for_a_seat_and_a_hundred_more(club, come_from):
    evening = announced(club, sign_up="open", capacity=2)
    for number in range(108):
        come_from(f"192.0.2.{number // 54}")
        token = guest(evening, "Mallory").body["players"][0]["token"]
        evening.do(f"p{number + 1}", "withdrawal", {}, by=token)
    answer = guest(evening, "Mallory")
    assert (answer.status, answer.code) == (409, "quota-reached")
    assert answer.data == {"quota": "sign-ups", "of": "guests", "limit": 108, "used": 108, "asked": 1}
    assert evening.enter("Ana").status == 201
    evening.post("/amendments", {"capacity": 4})
    assert guest(evening, "Ben").status == 201


@pytest.mark.attack("one address uses up all sign-ups")
@pytest.mark.parametrize("capacity", [None, 2])
def test_one_address_signs_up_half_and_leaves_the_rest_to_others(club, come_from, monkeypatch, capacity):
    for name, value in {"GUESTS": 6, "GUESTS_A_SEAT": 1, "GUESTS_MORE": 4}.items():
        monkeypatch.setattr(handlers, name, value)
    evening = announced(club, sign_up="open", capacity=capacity)
    come_from("2001:db8:0:7::1")
    first = guest(evening, "Mallory", Idempotency_Key="a-key-of-24-letters-here")
    token = first.body["players"][0]["token"]
    assert guest(evening, "Malory").status == 201
    assert evening.post("/sign-up", {"name": "Mallary"}, token).status == 201, "by a player's own link"
    come_from("2001:db8:0:7:8::2")
    for by in (NOBODY, token):
        answer = evening.post("/sign-up", {"name": "Mal"}, by)
        assert (answer.status, answer.code) == (409, "quota-reached")
        assert answer.data == {"quota": "sign-ups", "of": "one address", "limit": 3, "used": 3, "asked": 1}
    again = guest(evening, "Mallory", Idempotency_Key="a-key-of-24-letters-here")
    assert again.body["events"] == first.body["events"]
    assert evening.post("/sign-up?preview=true", {"name": "Mal"}, NOBODY).status == 200
    assert evening.post("/sign-up", {"name": "Ana"}).status == 201, "by staff"
    come_from("192.0.2.7")
    assert guest(evening, "Ben").status == 201
    assert guest(announced(club, sign_up="open"), "Mal").status == 201
    assert same_state(club, evening.id)


def test_addresses_are_not_kept_as_they_are(club, come_from):
    evening = announced(club, sign_up="open")
    come_from("192.0.2.7")
    guest(evening, "Ana")
    with club.database.reading() as connection:
        ((tournament, digest, number),) = connection.rows(
            "SELECT * FROM sign_up_addresses WHERE tournament = :id", id=evening.id
        )
    assert (tournament, number) == (evening.id, 1)
    assert len(digest) == 64
    assert sha256(b"192.0.2.7").hexdigest() != digest


def test_guests_wait_when_too_many_come_at_once(club, monkeypatch):
    monkeypatch.setattr(handlers, "GUESTS_IN_TEN_MINUTES", 3)
    moments: set[str] = set()
    while len(moments) != 1:  # anew where ten minutes ended in the middle
        evening = announced(club, sign_up="open")
        answers = [guest(evening, name) for name in ("Ana", "Ben", "Cy", "Dee")]
        moments = {event.time[:15] for event in evening.log[1:]} | {utc_now()[:15]}
    assert [answer.status for answer in answers] == [201, 201, 201, 429]
    assert answers[3].code == "sign-ups-paused"
    assert 1 <= int(answers[3].headers["Retry-After"]) <= 600
    assert (answers[3].data["limit"], answers[3].data["used"]) == (3, 3)
    assert evening.enter("Dee").status == 201


def test_a_log_that_is_full_still_ends(evening, monkeypatch):
    evening.join("Ana", "Ben")
    full = handlers.Bounds(500, 2**20, 2**20, evening.length, 2**30)
    monkeypatch.setattr(handlers, "BOUNDS", {"registration": full})
    answer = evening.enter("Cy")
    assert (answer.code, answer.data["of"], answer.data["used"]) == (
        "quota-reached",
        "the whole tournament",
        full.events,
    )
    assert evening.do("p1", "withdrawal", {}, by="p1").types == ["PlayerWithdrawn"]
    assert evening.post("/cancellation", {"reason": "full"}).types == ["TournamentCancelled"]


def test_players_and_guests_together_leave_room_for_staff(clear, monkeypatch):
    evening = clear
    guest(evening, "Ana")
    used = sum(len(event.data) for event in evening.log if text_of(event) == "guest")
    tight = handlers.Bounds(500, 2**20, used + 1000, 1000, 2**30)
    monkeypatch.setattr(handlers, "BOUNDS", {"registration": tight})
    answer = evening.do("p1", "roster", {"roster": padded(2000)}, by="p1")
    assert (answer.code, answer.data["of"], answer.data["used"]) == (
        "quota-reached",
        "players and guests together",
        used,
    )
    assert evening.do("p1", "roster", {"roster": padded(2000)}).status == 201
