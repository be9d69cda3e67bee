"""Pages before a result counts show who plays and no ranks; after it, places that a draw decided carry a mark."""

from __future__ import annotations

import re

import pytest

from tests.console_pages.conftest import signed_in


def test_there_are_no_ranks_before_a_result_counts(app, guest, services):
    evening = services.announce()
    evening.do("registration", "/venues", {"name": "Hall", "tables": 4})
    evening.do("registration", "/players/list", {"players": [{"name": name, "venue": "v1"} for name in NAMES]})
    staff, phone = signed_in(app, evening.token("organiser")), signed_in(app, evening.token("p1"))
    for step in (lambda: None, lambda: evening.round(1)):
        step()
        guest.open(f"/events/{evening.id}/about")
        assert guest.shows("Standings appear once a result counts.", "Ana", "Ben", "Zoe")
        staff.open(f"/events/{evening.id}/standings")
        assert staff.shows("No ranks yet.", "Ana", "Ben", "Zoe")
        guest.open(f"/events/{evening.id}/wall/standings")
        assert guest.shows("4 players", "Ana", "Ben", "Zoe", "Standings appear once a result counts.")
        staff.open(f"/events/{evening.id}/awards")
        assert staff.shows("Standings appear once a result counts.", "Ana", "Ben", "Zoe", "Choose a player")
        phone.open(f"/events/{evening.id}/table")
        guest.open(f"/events/{evening.id}/history/p1")
        for browser in (guest, staff, phone):
            assert "podium" not in browser.page
            assert "You are number" not in browser.page
    evening.report(evening.games(1)[0]["id"], points_1=150, points_2=60)
    guest.open(f"/events/{evening.id}/about")
    assert guest.shows("podium")
    first = evening.games(1)[0]["player_1"]
    phone = signed_in(app, evening.token(first))
    phone.open(f"/events/{evening.id}/table")
    assert phone.shows("You are 1 of 4 so far.")


NAMES = ("Zoe", "Ana", "Ben", "Di")


def test_a_place_that_a_draw_decided_carries_a_mark_and_a_shared_rank_does_not(guest, services):
    for options, marked in ({}, True), ({"unresolved_ties": "shared"}, False):
        evening = services.evening("between", options=options)
        guest.open(f"/events/{evening.id}/standings?round=1")
        assert guest.shows("podium")
        assert guest.shows("(by lot)", "place decided by lot") == marked


def test_byes_and_players_who_left_carry_a_mark_on_the_page_the_wall_and_paper(app, guest, services):
    evening = services.evening("between")
    bye = next(game for game in evening.ask("GET", "pairing", "/rounds/1").body["pairings"] if game["kind"] == "bye")
    leaver = next(f"p{n}" for n in range(1, 13) if f"p{n}" != bye["player_1"])
    evening.do("registration", f"/players/{leaver}/drop", {"reason": "ill"})
    staff = signed_in(app, evening.token("organiser"))
    for browser, place in ((guest, "standings"), (guest, "wall/standings"), (staff, "prints/standings")):
        browser.open(f"/events/{evening.id}/{place}")
        rows = {row.split("</bdi>")[0]: row for row in browser.page.split("<bdi>")}
        for word, player in (("(1 bye)", bye["name_1"]), ("(dropped out)", f"Player {leaver[1:]}")):
            assert [name for name, row in rows.items() if word in row.split("</tr>")[0]] in ([player], []), place
        marked = browser.page + (turned(browser) if "wall" in place else "")
        assert "(1 bye)" in marked, place
        assert "(dropped out)" in marked, place
        assert "had a bye" in marked, place
        assert "no longer playing" in marked, place


def turned(wall) -> str:
    """Return the next page of a wall."""
    following = re.search(r'url=([^"]+)">', wall.page)[1].replace("&amp;", "&")
    wall.open(following)
    return wall.page


def test_an_award_goes_to_the_chosen_player_and_the_public_page_names_them(app, guest, services):
    evening = services.evening("between")
    staff = signed_in(app, evening.token("organiser"))
    staff.open(f"/events/{evening.id}/awards")
    assert staff.send(do="give", name="Best sport", player="").status_code == 422
    assert staff.shows("Choose a player.")
    staff.send(do="give", name="Best sport", player="p5", reason="lent a hand")
    guest.open(f"/events/{evening.id}/about")
    assert guest.shows("Best sport", "Player 5", "lent a hand")


def test_guests_get_no_tab_of_a_round_whose_standings_are_kept_back(app, guest, services):
    evening = services.evening("between", on_purpose=["standings"])
    page = f"/events/{evening.id}/standings"
    staff = signed_in(app, evening.token("organiser"))
    guest.open(page)
    assert "round=1" not in guest.page
    staff.open(page)
    assert staff.shows("?round=1")
    staff.send()
    guest.open(page)
    assert guest.shows("?round=1")


@pytest.mark.parametrize(
    ("address", "leads"),
    [
        ("/players/p1", "/players"),
        ("/players/check-in", "/players"),
        ("/undo", "/"),
        ("/games/r1g1/confirmation", "/games/r1g1"),
        ("/games/r1g1/look", "/games/r1g1"),
    ],
)
def test_the_address_of_a_form_opened_in_the_bar_leads_to_its_page(guest, address, leads):
    answer = guest.client.get(f"/events/t-1{address}")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/events/t-1{leads}")
    assert guest.client.get("/sign-out").headers["Location"] == "/"


def test_what_takes_no_form_says_so_on_a_page(organiser):
    organiser.open("/")
    answer = organiser.send("/operator")
    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]
    assert organiser.shows("Nothing was changed", "This address takes no form", "All events")
