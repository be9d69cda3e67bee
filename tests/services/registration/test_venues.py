"""Staff of one venue only act on players there."""

from __future__ import annotations

import pytest

from services.registration import season_identities as season_commands
from services.registration.handlers import HANDLERS
from services.registration.players import ErasePersonalData
from services.registration.staff import AppointStaff, EnterStaff
from tests.services.registration.story import FLEET


@pytest.fixture
def two(evening):
    """Two venues with a player each; the tokens of a referee of the first, and of one for everywhere."""
    first, second = evening.venue("Hall"), evening.venue("Barn")
    evening.join("Ana", venue=first)
    evening.join("Ben", venue=second)
    _, bound = evening.staff("Rita", "referee", venue=first)
    _, free = evening.staff("Hedi", "head_referee")
    return evening, bound, free


ON_A_PLAYER = [
    ("check-in", {}),
    ("check-out", None),
    ("table", {"venue": "v2", "table": 1}),
    ("venue", {"venue": "v2"}),
    ("amendments", {"club": "Owls"}),
    ("withdrawal", {}),
    ("drop", {}),
    ("warnings", {"reason": "slow play"}),
    ("roster", {"roster": FLEET}),
    ("roster/acceptance", {}),
]


@pytest.mark.parametrize(("what", "body"), ON_A_PLAYER)
def test_staff_of_one_venue_cannot_act_on_players_elsewhere(two, what, body):
    evening, bound, _ = two
    refused = evening.do("p2", what, body, by=bound)
    assert (refused.status, refused.code) == (403, "other-venue")
    assert refused.data == {"venue": "v1", "venues": ["v2"]}


def test_several_lists_are_accepted_at_their_venue_alone(two):
    evening, bound, _ = two
    for player in ("p1", "p2"):
        evening.do(player, "roster", {"roster": FLEET})
    refused = evening.post("/rosters/acceptance", {"players": ["p1", "p2"]}, by=bound)
    assert (refused.status, refused.code, refused.data["venues"]) == (403, "other-venue", ["v2"])
    assert evening.post("/rosters/acceptance", {"players": ["p1"]}, by=bound).status == 201


def test_several_are_checked_in_at_their_venue_alone(two):
    evening, bound, _ = two
    refused = evening.post("/players/check-in", {"players": ["p1", "p2"]}, by=bound)
    assert (refused.status, refused.code, refused.data["venues"]) == (403, "other-venue", ["v2"])
    assert evening.post("/players/check-in", {"players": ["p1"], "venue": "v2"}, by=bound).code == "other-venue"
    assert evening.post("/players/check-in", {"players": ["p1"]}, by=bound).types == ["PlayerCheckedIn"]
    assert evening.post("/players/check-out", {"players": ["p2"]}, by=bound).code == "other-venue"


def test_players_of_their_own_venue_are(two):
    evening, bound, _ = two
    assert evening.do("p1", "check-in", {}, by=bound).types == ["PlayerCheckedIn"]
    assert evening.do("p1", "check-in", {"venue": "v2"}, by=bound).code == "other-venue"
    assert evening.do("p1", "table", {"venue": "v1", "table": 1}, by=bound).status == 201
    assert evening.do("p1", "table", {"venue": "v2", "table": 1}, by=bound).code == "other-venue"


def test_staff_of_one_venue_can_neither_send_nor_fetch_players(two):
    evening, bound, free = two
    for player, venue in (("p1", "v2"), ("p2", "v1")):
        refused = evening.do(player, "venue", {"venue": venue}, by=bound)
        assert (refused.status, refused.code, refused.data["venues"]) == (403, "other-venue", ["v2"])
    evening.join("Cy")
    assert evening.do("p3", "venue", {"venue": "v1"}, by=bound).types == ["PlayerMoved"]
    assert evening.do("p1", "venue", {"venue": "v2"}, by=free).types == ["PlayerMoved"]


def test_staff_of_every_venue_may_act_on_a_player_without_a_venue(two):
    evening, bound, _ = two
    evening.join("Cy")
    assert evening.do("p3", "check-in", {"venue": "v1"}, by=bound).status == 201


def test_they_enter_players_at_their_venue_only(two):
    evening, bound, _ = two
    assert evening.enter("Cy", by=bound, venue="v1").status == 201
    assert evening.enter("Dee", by=bound, venue="v2").code == "other-venue"


def test_players_they_enter_without_a_venue_play_at_their_venue(two):
    """A player without a venue could be acted on by staff of any venue."""
    evening, bound, free = two
    assert evening.enter("Cy", by=bound).events[0]["data"]["venue"] == "v1"
    listed = evening.post("/players/list", {"players": [{"name": "Dee"}, {"name": "Eli", "venue": "v1"}]}, bound)
    csv = b"player,name,faction,venue,club\n77,Fay,,,\n"
    imported = evening.post("/players/csv", csv, bound, Content_Type="text/csv")
    signed_up = evening.post("/sign-up", {"name": "Gus"}, bound)
    for answer in (listed, imported, signed_up):
        assert answer.status == 201, answer
        assert {event["data"]["venue"] for event in answer.events} == {"v1"}
    assert "venue" not in evening.enter("Hal", by=free).events[0]["data"]


def test_nor_do_they_leave_a_player_without_a_venue(two):
    evening, bound, free = two
    assert evening.do("p1", "amendments", {"venue": ""}, by=bound).types == []
    evening.join("Cy")
    assert evening.do("p3", "amendments", {"venue": ""}, by=bound).events[0]["data"]["venue"] == "v1"
    assert evening.do("p1", "amendments", {"venue": ""}, by=free).events[0]["data"]["venue"] == ""


def test_players_they_sign_up_play_at_their_venue_too(two):
    evening, bound, _ = two
    assert evening.post("/sign-up", {"name": "Cy", "venue": "v2"}, bound).code == "other-venue"


def test_they_get_neither_link_nor_personal_data_of_players_elsewhere(two):
    evening, bound, free = two
    _, head = evening.staff("Nora", "head_referee", venue="v1")
    assert evening.do("p1", "links", {}, by=bound).status == evening.do("p2", "links", {}, by=free).status == 201
    assert evening.do("p2", "links", {}, by=bound).code == "other-venue"
    for rest, by in (("links", bound), ("personal", head)):
        assert evening.get(f"/players/p1/{rest}", by=by).status == 200
        assert evening.get(f"/players/p2/{rest}", by=by).code == "other-venue"
        assert evening.get(f"/players/p2/{rest}", by=free).status == 200


def test_they_revoke_the_tokens_of_players_at_their_venue(two):
    evening, bound, free = two
    here, there = (evening.do(player, "links", {}).body["id"] for player in ("p1", "p2"))
    assert evening.post("/tokens/revocations", {"token_id": here}, bound).types == ["TokenRevoked"]
    assert evening.post("/tokens/revocations", {"token_id": there}, bound).code == "other-venue"
    assert evening.post("/tokens/revocations", {"token_id": there}, free).types == ["TokenRevoked"]


def test_staff_appointed_without_a_venue_act_everywhere(two):
    evening, _, free = two
    for player in ("p1", "p2"):
        assert evening.do(player, "check-in", {}, by=free).status == 201
        assert evening.do(player, "warnings", {"reason": "slow play"}, by="organiser").status == 201


def test_the_venue_in_a_token_binds_staff_who_were_not_appointed(two):
    evening, _, _ = two
    token = evening.club.token("organiser", evening.id, venue="v1")
    assert evening.do("p2", "check-in", {}, by=token).code == "other-venue"


def test_every_command_about_a_player_says_which_venues_it_is_about():
    own = {ErasePersonalData, AppointStaff, EnterStaff}  # an organiser's, and a player's
    own |= {season_commands.MergeIdentities, season_commands.SplitIdentity}  # an organiser's, of a whole season
    about = {command for command in HANDLERS if "player" in command.__struct_fields__}
    assert all(HANDLERS[command].venues or HANDLERS[command].by_rule for command in about - own)
