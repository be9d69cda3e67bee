"""Staff and tokens: appointment, dismissal, revocation, and their limits."""

from __future__ import annotations

import pytest

from shared.web.tokens import Verifier
from tests.acting import text_of
from tests.services.story import NOBODY


@pytest.mark.clause("FF-STAFF-1")
def test_appointed_staff_act_with_the_token_from_the_answer(evening):
    staff, token = evening.staff("Rita", "referee")
    evening.join("Ana")
    assert evening.do("p1", "check-in", {}, by=token).status == 201
    assert (staff, text_of(evening.log[-1])) == ("s1", "s1, referee")
    assert evening.get().body["staff"] == [{"id": "s1", "name": "Rita", "role": "referee", "venue": "", "player": ""}]


@pytest.mark.parametrize("role", ["organiser", "head_referee", "referee", "spare", "integration"])
def test_a_token_says_who_where_and_in_which_role(evening, club, role):
    venue = evening.venue()
    staff, token = evening.staff("Rita", role, venue=venue)
    who = Verifier(club.settings.token_keys).verify(token)
    assert (who.actor, who.role, who.tournament, who.venue) == (staff, role, evening.id, venue)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"name": "Rita", "role": "operator"}, "invalid-request"),
        ({"name": "Rita", "role": "player"}, "invalid-request"),
        ({"role": "referee"}, "invalid-request"),
        ({"name": "Rita", "role": "referee", "venue": "v9"}, "venue-unknown"),
    ],
)
def test_an_appointment_that_cannot_be(evening, body, code):
    assert evening.post("/staff", body).code == code


def test_dismissed_staff_can_neither_act_nor_read_a_private_tournament(announce):
    private = announce(visibility="private")
    staff, token = private.staff("Rita", "referee")
    assert private.get("/players", by=token).status == 200
    assert private.post(f"/staff/{staff}/dismissal", {"reason": "left"}).types == ["StaffDismissed"]
    assert private.post(f"/staff/{staff}/dismissal", {}).types == []
    assert private.get("/players", by=token).code == "token-revoked"
    assert private.post("/players", {"name": "Ana"}, by=token).code == "token-revoked"
    assert private.get().body["staff"] == []


def test_a_dismissal_here_means_nothing_elsewhere(announce):
    """Both tournaments have an s1; that of the other one was never dismissed."""
    here, elsewhere = announce(), announce()
    here.staff("Rita", "referee")
    here.post("/staff/s1/dismissal", {})
    _, token = elsewhere.staff("Rolf", "referee")
    assert here.get(by=token).status == 200
    assert elsewhere.post("/players", {"name": "Ana"}, by=token).status == 201


def test_a_lost_phone_is_locked_out_and_a_new_link_lets_in(evening, club):
    player = evening.enter("Ana").body["players"][0]
    assert evening.do("p1", "check-in", {}, by=player["token"]).status == 201
    assert evening.post("/tokens/revocations", {"token_id": player["token_id"]}, by="referee").types == ["TokenRevoked"]
    assert evening.post("/tokens/revocations", {"token_id": player["token_id"]}).types == []
    assert evening.do("p1", "drop", {}, by=player["token"]).code == "token-revoked"
    link = evening.do("p1", "links", {}, by="referee").body
    assert Verifier(club.settings.token_keys).verify(link["token"]).jti == link["id"]


def test_a_link_is_made_for_players_of_this_tournament_only(evening):
    assert evening.do("p1", "links", {}).code == "player-unknown"


class TestWhoRevokesWhose:
    """A referee can revoke a player's token, but not those of staff."""

    @pytest.fixture
    def ids(self, evening, club):
        body = {"name": "Rita", "role": "head_referee"}
        staff = evening.post("/staff", body).body["token_id"]
        return {"organiser": f"{evening.id}.organiser", "staff": staff, "service": "pairing-1"}

    @pytest.mark.parametrize("by", ["referee", "head_referee"])
    def test_referees_do_not_revoke_staff(self, evening, ids, by):
        for id in ids.values():
            answer = evening.post("/tokens/revocations", {"token_id": id}, by=by)
            assert (answer.status, answer.code) == (403, "forbidden")

    def test_organisers_do(self, evening, ids):
        assert evening.post("/tokens/revocations", {"token_id": ids["staff"]}).status == 201

    def test_a_tournament_has_no_say_over_tokens_of_the_whole_installation(self, evening, club):
        """Otherwise an organiser could stop the copies of the log, or the operator."""
        service = club.token("service", jti="pairing-1")
        evening.post("/tokens/revocations", {"token_id": "pairing-1"})
        assert evening.get("/log", by=service).status == 200


def test_a_token_of_one_tournament_announces_no_other(evening, club):
    announcement = {"name": "Revenge", "ruleset": "star-wars-armada-1.1"}
    _, appointed = evening.staff("Olga", "organiser")
    for token in (appointed, evening.token("organiser"), evening.token("operator")):
        refused = club.ask("POST", "/tournaments", announcement, token=token)
        assert (refused.status, refused.code) == (403, "wrong-tournament")
        assert refused.data == {"tournament": evening.id}
        assert club.ask("POST", "/tournaments", {}, token=token).code == "wrong-tournament"
    listed = club.ask("GET", "/tournaments", token=club.token("operator")).body["items"]
    assert "Revenge" not in [line["name"] for line in listed]
    for role in ("organiser", "operator"):
        assert club.ask("POST", "/tournaments", announcement, token=club.token(role)).status == 201


def test_a_damaged_token_is_refused(evening, club):
    token = evening.token("organiser")
    for broken in (token[:-2], token + "x", "junk"):
        assert evening.get(by=broken).code == "unauthenticated"
    expired = club.token("organiser", evening.id, exp=1_700_000_001)
    assert evening.post("/registration/close", by=expired).code == "token-expired"


def test_the_announcement_gives_its_organiser_a_token(club):
    body = {"name": "Open", "ruleset": "star-wars-armada-1.1"}
    answer = club.ask("POST", "/tournaments", body, token=club.token("operator"))
    evening = club.tournament(answer.body["id"])
    assert evening.post("/registration/close", by=answer.body["token"]).status == 201
    assert answer.body["token_id"] == f"{evening.id}.organiser"
    assert evening.post("/registration/reopen", by=NOBODY).code == "unauthenticated"
