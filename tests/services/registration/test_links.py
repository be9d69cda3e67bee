"""Players' links: their requester is named in the log, in every action with them, and on the player's page."""

from __future__ import annotations

import pytest

from shared.web.tokens import Verifier
from tests.acting import text_of
from tests.services.registration.story import Evening
from tests.services.story import NOBODY


@pytest.fixture
def hall(evening) -> Evening:
    """Two venues, a player at each, and Rita, who is a referee of the first."""
    evening.venue("Hall A")
    evening.venue("Hall B")
    evening.join("Ana", venue="v1")
    evening.join("Ben", venue="v2")
    return evening


def test_a_link_is_recorded_with_its_requester_and_reason(hall):
    _, rita = hall.staff("Rita", "referee", venue="v1")
    answer = hall.do("p1", "links", {"reason": "a lost phone"}, by=rita)
    assert (answer.status, answer.types) == (201, ["PlayerLinkIssued"])
    (event,) = answer.events
    assert event["data"] == {"player": "p1", "token": answer.body["id"], "reason": "a lost phone"}
    assert event["actor_text"] == "s1, referee of Hall A"
    assert event["actor"] == {"actor": "s1", "role": "referee", "venue": "v1"}
    assert text_of(hall.log[-1]) == "s1, referee of v1"
    assert answer.body["link"].endswith(answer.body["token"])


def test_every_action_with_the_link_names_its_requester(hall):
    _, rita = hall.staff("Rita", "referee", venue="v1")
    link = hall.do("p1", "links", {}, by=rita).body
    answer = hall.do("p1", "check-in", {}, by=link["token"])
    assert answer.events[0]["actor_text"] == text_of(hall.log[-1]) == "p1, player, by a link of s1"
    assert answer.events[0]["actor"] == {
        "actor": "p1",
        "role": "player",
        "via": {"how": "link", "by": "s1"},
    }


def test_a_link_of_an_entry_names_who_entered_the_player(hall):
    _, rita = hall.staff("Rita", "referee", venue="v1")
    (cy,) = hall.enter("Cy", by=rita, venue="v1").body["players"]
    assert hall.do("p3", "check-in", {}, by=cy["token"]).events[0]["actor_text"] == "p3, player, entered by s1"


def test_the_link_of_an_own_sign_up_names_no_requester(announce):
    evening = announce(sign_up="open")
    (ana,) = evening.post("/sign-up", {"name": "Ana"}, NOBODY).body["players"]
    assert evening.do("p1", "check-in", {}, by=ana["token"]).events[0]["actor_text"] == "p1, player"


def test_a_player_who_signs_up_another_also_holds_their_link(announce):
    evening = announce(sign_up="open")
    evening.post("/sign-up", {"name": "Ana"}, NOBODY)
    (ben,) = evening.post("/sign-up", {"name": "Ben"}, "p1").body["players"]
    assert evening.do("p2", "check-in", {}, by=ben["token"]).events[0]["actor_text"] == "p2, player, entered by p1"


def test_entering_a_player_with_a_requested_link_keeps_its_requester(announce):
    evening = announce(sign_up="open")
    evening.post("/sign-up", {"name": "Ana"}, NOBODY)
    link = evening.do("p1", "links", {}, by="referee").body["token"]
    (ben,) = evening.post("/sign-up", {"name": "Ben"}, link).body["players"]
    assert evening.do("p2", "check-in", {}, by=ben["token"]).events[0]["actor_text"] == "p2, player, by a link of s1"


def test_the_player_sees_every_link_and_who_was_handed_it(announce):
    evening = announce(sign_up="open")
    (ana,) = evening.post("/sign-up", {"name": "Ana"}, NOBODY).body["players"]
    _, rita = evening.staff("Rita", "referee")
    link = evening.do("p1", "links", {"reason": "a lost phone"}, by=rita).body
    items = evening.get("/players/p1/links", by=ana["token"]).body["items"]
    assert [(item["id"], item["kind"], item["actor_text"], item["name"]) for item in items] == [
        (ana["token_id"], "sign-up", "guest", "guest"),
        (link["id"], "issued", "s1, referee", "Rita"),
    ]
    assert [(item["reason"], item["revoked"]) for item in items] == [("", False), ("a lost phone", False)]
    assert [item["time"] for item in items] == [event.time for event in (evening.log[1], evening.log[-1])]
    assert evening.get("/me", by=ana["token"]).body["player_links"] == items
    assert evening.get("/players/p1/links").body["items"] == items


def test_links_of_entries_have_their_own_kind(hall):
    (item,) = hall.get("/players/p1/links", by="p1").body["items"]
    assert (item["kind"], item["actor_text"]) == ("entry", "organiser")


def test_older_ones_end_where_that_is_wished_and_only_there(hall):
    (cy,) = hall.enter("Cy").body["players"]
    first, second = (hall.do("p3", "links", {}).body for _ in range(2))
    assert first["token"] != second["token"]
    answer = hall.do("p3", "links", {"revoke_older": True})
    assert answer.types == ["PlayerLinkIssued", *["TokenRevoked"] * 3]
    for old in (cy, first, second):
        assert hall.do("p3", "check-in", {}, by=old["token"]).code == "token-revoked"
        assert hall.get("/me", by=old["token"]).status == 401
    items = hall.get("/players/p3/links", by=answer.body["token"]).body["items"]
    assert [item["revoked"] for item in items] == [True, True, True, False]
    assert hall.do("p3", "links", {"revoke_older": True}).types == ["PlayerLinkIssued", "TokenRevoked"]


def test_a_link_is_revoked_by_its_id_as_every_token(hall):
    link = hall.do("p1", "links", {}).body
    assert hall.post("/tokens/revocations", {"token_id": link["id"]}, by="referee").types == ["TokenRevoked"]
    assert hall.do("p1", "check-in", {}, by=link["token"]).code == "token-revoked"


def test_the_same_key_gives_the_same_link(hall, club):
    first = hall.do("p1", "links", {}, Idempotency_Key="once")
    again = hall.do("p1", "links", {}, Idempotency_Key="once")
    assert (again.status, again.body) == (201, first.body)
    other = hall.do("p1", "links", {}).body
    assert Verifier(club.settings.token_keys).verify(other["token"]).jti == other["id"] != first.body["id"]


def test_with_a_dismissal_go_the_links_that_staff_were_handed_where_that_is_wished(hall):
    staff, rita = hall.staff("Rita", "referee")
    asked = hall.do("p1", "links", {}, by=rita).body
    (entered,) = hall.enter("Cy", by=rita).body["players"]
    other = hall.do("p1", "links", {}).body
    assert hall.post(f"/staff/{staff}/dismissal", {}).types == ["StaffDismissed"]
    assert hall.get("/me", by=asked["token"]).status == 200
    answer = hall.post(f"/staff/{staff}/dismissal", {"reason": "played as Ana", "revoke_links": True})
    assert answer.types == ["TokenRevoked"] * 2
    assert {event["data"]["token"] for event in answer.events} == {asked["id"], entered["token_id"]}
    assert hall.get("/me", by=asked["token"]).code == hall.get("/me", by=entered["token"]).code == "token-revoked"
    assert hall.get("/me", by=other["token"]).status == 200
    assert hall.post(f"/staff/{staff}/dismissal", {"revoke_links": True}).types == []


class TestWhoMayNot:
    def test_staff_of_another_venue(self, hall):
        _, rita = hall.staff("Rita", "head_referee", venue="v1")
        refused = hall.do("p2", "links", {}, by=rita)
        assert (refused.status, refused.code) == (403, "other-venue")
        assert hall.get("/players/p2/links", by=rita).code == "other-venue"

    @pytest.mark.parametrize("by", ["p1", "spare", "integration"])
    def test_players_and_others(self, hall, by):
        refused = hall.do("p1", "links", {}, by=by)
        assert (refused.status, refused.code) == (403, "forbidden")

    def test_staff_who_were_dismissed(self, hall):
        staff, rita = hall.staff("Rita", "referee")
        hall.post(f"/staff/{staff}/dismissal", {})
        assert hall.do("p1", "links", {}, by=rita).code == "token-revoked"

    def test_a_player_about_another(self, hall):
        refused = hall.get("/players/p2/links", by="p1")
        assert (refused.status, refused.code) == (403, "not-yours")

    def test_links_of_an_unknown_player(self, hall):
        for answer in (hall.do("p9", "links", {}), hall.get("/players/p9/links")):
            assert (answer.status, answer.code) == (404, "player-unknown")

    def test_bad_input(self, hall):
        assert hall.do("p1", "links", {"revoke_older": "yes", "why": 1}).places == ["/revoke_older", "/why"]

    def test_nothing_is_handed_out_by_reading(self, hall):
        assert hall.club.ask("GET", f"/tournaments/{hall.id}/players/p1/links").status == 401
        assert all("token" not in item for item in hall.get("/players/p1/links").body["items"])


class TestWhoHasLeft:
    """A player who lost the phone can still read and erase their data."""

    def test_a_player_who_dropped(self, hall):
        hall.begin("p1", "p2")
        hall.do("p1", "drop", {})
        link = hall.do("p1", "links", {}).body["token"]
        assert hall.get("/me", by=link).body["player"]["status"] == "dropped"

    def test_a_player_who_withdrew_or_whose_data_were_erased(self, hall):
        hall.do("p1", "withdrawal", {})
        hall.delete("/players/p2/personal")
        for player in ("p1", "p2"):
            link = hall.do(player, "links", {}).body["token"]
            assert hall.get("/me", by=link).body["player"]["id"] == player
