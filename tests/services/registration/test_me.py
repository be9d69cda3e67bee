"""A player's link: one address that says who they are and where everything else is."""

from __future__ import annotations

from tests.services.registration.story import Evening


def test_the_link_of_a_player_leads_to_themselves(evening: Evening):
    answer = evening.enter("Ana")
    link = answer.body["players"][0]["link"]
    address, _, query = link.partition("?")
    assert address.endswith(f"/tournaments/{evening.id}/me")
    shown = evening.club.ask("GET", f"/tournaments/{evening.id}/me?{query}")
    assert shown.status == 200
    assert shown.body["player"]["name"] == "Ana"
    assert shown.body["links"]["game"].endswith(f"/tournaments/{evening.id}/players/p1/pairing")


def test_the_link_is_for_reading_only(evening: Evening):
    token = evening.enter("Ana").body["players"][0]["token"]
    answer = evening.club.ask("POST", f"/tournaments/{evening.id}/players/p1/check-in?token={token}", {})
    assert (answer.status, answer.code) == (401, "unauthenticated")
    assert evening.player("p1")["checked_in"] is False
