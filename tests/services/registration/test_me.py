"""A player's link: one address that says who they are and where everything else is."""

from __future__ import annotations

import pytest

from tests.services.registration.story import Evening, announced

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


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


def test_a_browser_that_opens_the_link_is_sent_to_the_page_of_the_player(evening: Evening):
    console, me = evening.club.settings.console_url, f"/tournaments/{evening.id}/me"
    assert console == "http://127.0.0.1:8000"
    for query, sent in (
        ("token=a.b.c", "token=a.b.c"),
        ("token=a%0d%0aX-Evil%3A1", "token=a%0D%0AX-Evil%3A1"),
        ("token=a%26x%3D1&y=2", "token=a%26x%3D1"),
    ):
        answer = evening.club.client.get(f"{me}?{query}", headers=BROWSER)
        assert (answer.status_code, answer.data) == (302, b"")
        assert answer.headers["Location"] == f"{console}/events/{evening.id}/come-in?{sent}"
        assert (answer.headers["Cache-Control"], answer.headers["Referrer-Policy"]) == ("no-store", "no-referrer")


@pytest.mark.parametrize("headers", [{"Accept": "application/json"}, {"Accept": "*/*"}, {}])
def test_a_program_that_opens_the_link_gets_json(evening: Evening, headers: dict[str, str]):
    link = evening.enter("Ana").body["players"][0]["link"]
    answer = evening.club.client.get(link, headers=headers)
    assert (answer.status_code, answer.get_json()["player"]["name"]) == (200, "Ana")


def test_a_browser_without_a_link_or_without_a_console_gets_json(evening: Evening, new_club):
    assert evening.club.client.get(f"/tournaments/{evening.id}/me", headers=BROWSER).status_code == 401
    alone = announced(new_club("registration", MUSTER_CONSOLE="0"))
    link = alone.enter("Ana").body["players"][0]["link"]
    assert alone.club.client.get(link, headers=BROWSER).get_json()["player"]["name"] == "Ana"
