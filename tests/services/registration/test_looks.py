"""Access to personal data on each database, and its record, which is erased with the data."""

from __future__ import annotations

import pytest

from shared.log.log import verify
from tests.services.conftest import NewClub
from tests.services.engines import ENGINES, club_on
from tests.services.registration.story import announced
from tests.services.story import NOBODY, Club

CONTACT = {"email": "ana@example.org", "phone": "+49 170 0000000", "legal_name": "Anastasia Example"}
NEEDS = {"needs": "a table beside the door"}


@pytest.fixture(scope="module", params=ENGINES)
def club(request: pytest.FixtureRequest, new_club: NewClub) -> Club:
    """Registration on each engine."""
    return club_on(request.param, "registration", new_club, request)


@pytest.fixture
def evening(club):
    """A tournament with Ana, who gave all contact data."""
    evening = announced(club)
    evening.enter("Ana", contact={**CONTACT, **NEEDS})
    return evening


def personal(evening, by: str, player: str = "p1"):
    return evening.get(f"/players/{player}/personal", by=by)


def looks(evening, by: str = "p1", rest: str = "") -> list[tuple[str, str, list[str]]]:
    answer = evening.get(f"/players/p1/personal/looks{rest}", by=by)
    assert answer.status == 200, answer
    return [(look["actor"], look["role"], look["members"]) for look in answer.body["items"]]


class TestWhoIsShownWhat:
    def test_the_organiser_and_the_player_see_all_of_it(self, evening):
        for by in ("organiser", "operator", "p1"):
            assert personal(evening, by).body["data"] == {**CONTACT, **NEEDS}

    def test_a_head_referee_sees_needs_and_nothing_else(self, evening):
        assert personal(evening, "head_referee").body["data"] == NEEDS

    def test_why_a_table_is_kept_is_a_need(self, evening):
        evening.venue()
        evening.do("p1", "table", {"venue": "v1", "table": 1, "reason": "a wheelchair"}, by="referee")
        assert personal(evening, "head_referee").body["data"] == {**NEEDS, "table_reason": "a wheelchair"}

    @pytest.mark.parametrize(
        ("by", "code"),
        [("referee", "forbidden"), ("integration", "forbidden"), ("spare", "forbidden"), (NOBODY, "unauthenticated")],
    )
    def test_other_callers_see_none(self, evening, by, code):
        for rest in ("/personal", "/personal/looks"):
            assert evening.get(f"/players/p1{rest}", by=by).code == code
        assert looks(evening) == []

    def test_a_head_referee_of_one_venue_sees_those_of_players_there(self, evening):
        evening.venue("North")
        evening.venue("South")
        _, north = evening.staff("Nora", "head_referee", venue="v1")
        assert personal(evening, north).code == "other-venue"
        evening.do("p1", "check-in", {"venue": "v2"})
        assert personal(evening, north).code == "other-venue"
        evening.do("p1", "check-in", {"venue": "v1"})
        assert personal(evening, north).body["data"] == NEEDS


class TestWhoLooked:
    def test_every_look_of_staff_is_kept_with_what_was_view(self, evening):
        staff, token = evening.staff("Hedi", "head_referee")
        personal(evening, token)
        personal(evening, "organiser")
        seen = [
            (staff, "head_referee", ["needs"]),
            ("organiser", "organiser", ["email", "legal_name", "needs", "phone"]),
        ]
        assert looks(evening) == looks(evening, "organiser") == seen
        times = [look["time"] for look in evening.get("/players/p1/personal/looks", by="p1").body["items"]]
        assert times == sorted(times)
        assert all(time.endswith("Z") for time in times)

    def test_refused_or_empty_requests_are_not_recorded(self, evening):
        evening.join("Ben")
        personal(evening, "referee")
        personal(evening, "p2")
        personal(evening, "organiser", "p2")
        assert looks(evening) == []
        assert evening.get("/players/p2/personal/looks", by="p2").body["items"] == []

    def test_a_look_of_the_player_is_none(self, evening):
        personal(evening, "p1")
        assert looks(evening) == []

    def test_files_of_players_hold_nothing_personal_and_are_no_look(self, evening):
        file = evening.get("/players/csv").text.decode()
        assert file.splitlines()[0] == "player,name,faction,venue,club"
        assert not any(value in file for value in (*CONTACT.values(), *NEEDS.values()))
        assert looks(evening) == []

    def test_a_long_list_comes_in_pages(self, evening):
        for _ in range(3):
            personal(evening, "organiser")
        first = evening.get("/players/p1/personal/looks?limit=2", by="p1").body
        rest = evening.get(f"/players/p1/personal/looks?limit=2&after={first['next']}", by="p1").body
        ids = [look["id"] for look in (*first["items"], *rest["items"])]
        assert (len(first["items"]), len(set(ids)), rest["next"]) == (2, 3, None)

    def test_a_head_referee_and_other_players_do_not_read_who_looked(self, evening):
        evening.join("Ben")
        for by, code in (("head_referee", "forbidden"), ("p2", "not-yours")):
            assert evening.get("/players/p1/personal/looks", by=by).code == code

    def test_nothing_of_it_is_in_the_log(self, evening):
        before = evening.length
        personal(evening, "organiser")
        assert evening.length == before

    def test_the_record_of_access_is_erased_with_the_data(self, evening):
        evening.enter("Ben", contact=CONTACT)
        for player in ("p1", "p2"):
            personal(evening, "organiser", player)
        assert evening.delete("/players/p1/personal", by="p1").types == ["PersonalDataErased"]
        assert looks(evening) == []
        assert len(evening.get("/players/p2/personal/looks", by="p2").body["items"]) == 1
        with evening.club.database.reading() as connection:
            kept = "SELECT id FROM personal_looks WHERE tournament = :id AND player = 'p1'"
            assert connection.rows(kept, id=evening.id) == []

    def test_a_change_of_the_data_keeps_the_record_of_access(self, evening):
        personal(evening, "organiser")
        evening.venue()
        evening.do("p1", "table", {"venue": "v1", "table": 1, "reason": "a wheelchair"})
        assert len(looks(evening)) == 1


class TestPrivateNotes:
    """FF-DQ-1: a warning or a disqualification has a public reason and a private note."""

    WARNING = {"reason": "unsporting conduct", "clause": "FF-DQ-1", "note": "shouted at Ben, who is fourteen"}
    OUT = {"reason": "unsporting conduct", "note": "hit the table; the police were here"}

    def visible_notes(self, evening, by: str) -> list[tuple[str, str]]:
        return [(note["type"], note["note"]) for note in personal(evening, by).body["data"].get("notes", [])]

    @pytest.fixture
    def evening(self, club):
        """Ana was warned and then disqualified; she gave no contact."""
        evening = announced(club)
        evening.join("Ana", "Ben")
        self.answers = [
            evening.do("p1", "warnings", self.WARNING, by="referee"),
            evening.do("p1", "disqualification", self.OUT),
        ]
        return evening

    def test_organiser_and_head_referee_read_each_note_with_its_event(self, evening):
        both = [("PlayerWarned", self.WARNING["note"]), ("PlayerDisqualified", self.OUT["note"])]
        assert self.visible_notes(evening, "organiser") == self.visible_notes(evening, "head_referee") == both
        notes = personal(evening, "organiser").body["data"]["notes"]
        assert [note["event"] for note in notes] == [answer.events[0]["id"] for answer in self.answers]
        assert [(note["actor"]["actor"], note["actor"]["role"]) for note in notes] == [
            ("s1", "referee"),
            ("organiser", "organiser"),
        ]

    def test_other_callers_read_them_nowhere(self, evening):
        assert personal(evening, "p1").body["data"] == {}
        public = [answer.text for answer in self.answers]
        public += [evening.get(rest).text for rest in ("/log", "/players/p1", "/players", "/players/csv")]
        public.append(evening.club.ask("GET", "/log?limit=5000", token=evening.club.token("service")).text)
        for note in (self.WARNING["note"], self.OUT["note"]):
            assert not any(note.encode() in text for text in public)

    def test_the_ground_is_public(self, evening):
        reasons = [line["data"]["reason"] for line in evening.get("/log", by=NOBODY).lines if "reason" in line["data"]]
        assert reasons == ["unsporting conduct"] * 2

    def test_they_are_erased_and_the_log_still_verifies(self, evening):
        assert evening.delete("/players/p1/personal", by="p1").types == ["PersonalDataErased"]
        assert self.visible_notes(evening, "organiser") == []
        assert verify(evening.log).position == evening.length

    def test_a_repeated_request_notes_once_and_tells_nothing_of_the_note(self, evening):
        first = evening.do("p2", "warnings", self.WARNING, Idempotency_Key="warn-ben")
        again = evening.do("p2", "warnings", {**self.WARNING, "note": "another"}, Idempotency_Key="warn-ben")
        assert again.body == first.body
        notes = personal(evening, "organiser", "p2").body["data"]["notes"]
        assert [note["note"] for note in notes] == [self.WARNING["note"]]

    def test_it_is_stored_with_the_players_own_data(self, evening):
        evening.enter("Cy", contact=NEEDS)
        evening.do("p3", "warnings", self.WARNING)
        assert sorted(personal(evening, "organiser", "p3").body["data"]) == ["needs", "notes"]
