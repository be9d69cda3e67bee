"""Sign-up: open or by invitation, with the seats and answers of entries by staff."""

from __future__ import annotations

import pytest

from tests.acting import text_of
from tests.services.registration.story import Evening
from tests.services.story import NOBODY, Answer

KEY = "5f0c7d1e-6f0a-4d6e-9a65-0a8c1f0e7b1d"


def sign_up(evening: Evening, name: str, by: str = NOBODY, key: str = "", **members: str) -> Answer:
    """Sign up, without a token unless `by` is given."""
    return evening.post("/sign-up", {"name": name, **members}, by, **({"Idempotency_Key": key} if key else {}))


@pytest.fixture
def open_evening(announce) -> Evening:
    """A tournament with open sign-up."""
    return announce(sign_up="open")


class TestWhereAnybodyMay:
    def test_a_player_signs_up_without_a_token_and_gets_a_link(self, open_evening):
        venue = open_evening.venue()
        answer = sign_up(open_evening, "Ana", faction="rebel", club="Owls", venue=venue)
        assert (answer.status, answer.types) == (201, ["PlayerJoined"])
        (player,) = answer.body["players"]
        assert (player["id"], player["name"], player["status"]) == ("p1", "Ana", "active")
        shown = open_evening.get("/me", by=player["token"]).body["player"]
        assert (shown["faction"], shown["club"], shown["venue"]) == ("rebel", "Owls", venue)
        assert player["link"].endswith(player["token"])
        assert text_of(open_evening.log[-1]) == "guest"

    def test_a_player_withdraws_by_their_own_link(self, open_evening):
        token = sign_up(open_evening, "Ana").body["players"][0]["token"]
        assert open_evening.do("p1", "withdrawal", {"reason": "ill"}, by=token).types == ["PlayerWithdrawn"]
        assert open_evening.player("p1")["status"] == "withdrawn"

    def test_an_address_goes_where_personal_data_go(self, open_evening):
        answer = sign_up(open_evening, "Ana", email="ana@example.org")
        token = answer.body["players"][0]["token"]
        assert open_evening.get("/players/p1/personal", by=token).body["data"] == {"email": "ana@example.org"}
        public = answer.text + open_evening.get("/log").text + open_evening.get("/players").text
        assert b"example.org" not in public
        assert answer.events[-1]["data"]["contact"] is True

    def test_seats_and_waiting_list_count_them_like_entries_by_staff(self, announce):
        evening = announce(sign_up="open", capacity=2)
        evening.join("Ana")
        statuses = [sign_up(evening, name).body["players"][0]["status"] for name in ("Ben", "Cy", "Dee")]
        assert statuses == ["active", "waiting", "waiting"]
        evening.do("p1", "withdrawal", {})
        assert evening.names("active") == ["Ben", "Cy"]

    def test_names_and_venues_are_checked_as_in_entries(self, open_evening):
        sign_up(open_evening, "Ana")
        taken = sign_up(open_evening, "ana")
        assert (taken.status, taken.code, taken.places) == (409, "name-taken", ["/name"])
        nowhere = sign_up(open_evening, "Ben", venue="v7")
        assert (nowhere.code, nowhere.places) == ("venue-unknown", ["/venue"])
        odd = sign_up(open_evening, "", email="nonsense", late="yes")
        assert (odd.code, set(odd.places)) == ("invalid-request", {"/name", "/email", "/late"})

    def test_no_sign_up_after_registration_is_closed(self, open_evening):
        open_evening.post("/registration/close")
        assert sign_up(open_evening, "Ana").code == "registration-closed"
        open_evening.post("/registration/reopen")
        assert sign_up(open_evening, "Ana").status == 201

    def test_no_sign_up_after_round_1_is_paired(self, open_evening):
        open_evening.pair_first(*open_evening.join("Ana", "Ben"))
        assert sign_up(open_evening, "Cy").code == "registration-closed"

    def test_over_is_over(self, open_evening):
        open_evening.post("/cancellation", {"reason": "snow"})
        assert sign_up(open_evening, "Ana").code == "tournament-over"

    def test_a_private_tournament_stays_among_its_people(self, announce, club):
        private = announce(sign_up="open", visibility="private")
        assert sign_up(private, "Ana").code == "tournament-unknown"
        assert sign_up(private, "Ana", by="integration").status == 201

    def test_a_token_that_comes_has_to_be_a_good_one(self, open_evening, club):
        elsewhere = club.token("organiser", "t-elsewhere")
        assert sign_up(open_evening, "Ana", by=elsewhere).code == "wrong-tournament"
        assert sign_up(open_evening, "Ana", by="nonsense").code == "unauthenticated"
        token = sign_up(open_evening, "Ana").body["players"][0]
        open_evening.post("/tokens/revocations", {"token_id": token["token_id"]})
        assert sign_up(open_evening, "Ben", by=token["token"]).code == "token-revoked"


class TestOnInvitation:
    def test_sign_up_is_by_invitation_by_default(self, evening):
        assert evening.get().body["sign_up"] == "invite_only"
        evening.join("Zoe")
        for by in (NOBODY, "spare", "p1"):
            refused = sign_up(evening, "Ana", by=by)
            assert (refused.status, refused.code) == (403, "invite-only")

    @pytest.mark.parametrize("by", ["integration", "organiser", "referee"])
    def test_staff_and_integrations_sign_players_up(self, evening, by):
        assert sign_up(evening, "Ana", by=by).types == ["PlayerJoined"]
        assert text_of(evening.log[-1]).endswith(by)

    def test_the_organiser_opens_and_closes_it(self, evening):
        assert evening.post("/amendments", {"sign_up": "open"}).types == ["TournamentAmended"]
        assert evening.get().body["sign_up"] == "open"
        assert sign_up(evening, "Ana").status == 201
        evening.post("/amendments", {"sign_up": "invite_only"})
        assert sign_up(evening, "Ben").code == "invite-only"
        assert evening.post("/amendments", {"sign_up": "everybody"}).code == "invalid-request"


class TestOnceAndOnlyOnce:
    def test_the_same_key_answers_the_same_link(self, open_evening):
        first, again = (sign_up(open_evening, "Ana", key=KEY, email="ana@example.org") for _ in range(2))
        assert first.status == again.status == 201
        assert first.body == again.body
        assert open_evening.names("active") == ["Ana"]

    def test_the_same_key_for_another_person_is_refused(self, open_evening):
        sign_up(open_evening, "Ana", key=KEY)
        assert sign_up(open_evening, "Ben", key=KEY).code == "idempotency-key-reused"

    def test_the_key_digest_in_the_log_does_not_give_the_link(self, open_evening):
        sign_up(open_evening, "Ana", key=KEY)
        recorded = open_evening.log[-1].command_id
        assert KEY not in recorded
        key, _, _ = recorded.partition("~")
        assert sign_up(open_evening, "Ana", key=key).code == "name-taken"

    def test_a_key_that_could_be_guessed_is_refused(self, open_evening):
        refused = sign_up(open_evening, "Ana", key="1")
        assert (refused.status, refused.code) == (400, "invalid-idempotency-key")
        assert "16" in refused.faults[0]["expected"]
        assert sign_up(open_evening, "Ana", by="organiser", key="1").status == 201


def test_the_announcer_of_a_tournament_is_recorded(announce):
    evening = announce()
    assert evening.get().body["organiser"] == "operator"
    assert text_of(evening.log[0]) == "operator"


def test_one_address_signs_up_so_often_and_no_more(new_club):
    club = new_club("registration", MUSTER_RATE_LIMIT="3/day")
    codes = [club.ask("POST", "/tournaments/t-1/sign-up", {"name": "Ana"}).code for _ in range(4)]
    assert codes[0] == "tournament-unknown"
    assert codes[-1] == "too-many-requests"
