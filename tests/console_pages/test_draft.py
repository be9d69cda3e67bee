"""The draft of a round on its page: swapped by hand, refused with a reason, changed by two at once, published."""

from __future__ import annotations

import re

import pytest

from tests.console_pages.real_browser import SIZES, violations, window
from tests.fuzz.muster import Evening

FIELDS = {"name": "Club night", "ruleset": "star-wars-armada-1.1", "venue_1": "Hall", "tables_1": "4", "rounds": "3"}
TICK = re.compile(r'name="s" value="(p\d+)"')


@pytest.fixture
def draft(organiser, services) -> str:
    """The address of a draft of four players, two games."""
    return drafted(organiser)


def drafted(organiser, **more: str) -> str:
    organiser.open("/events/new")
    organiser.send(**FIELDS, **more, on_purpose="yes")
    event = re.match(r"/events/[^/]+", organiser.address)[0]
    organiser.open(f"{event}/players")
    organiser.send(players="Ana\nBen\nCy\nDi")
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    organiser.open(f"{event}/rounds/1/draft")
    return f"{event}/rounds/1/draft"


def games(page: str) -> list[set[str]]:
    """Who meets whom, by the boxes of each row."""
    return [set(TICK.findall(row)) for row in re.findall(r'<tr id="r\dg.*?</tr>', page, re.S)]


def version(browser) -> str:
    return re.search(r'name="version" value="([^"]*)"', browser.page)[1].replace("&#34;", '"')


def test_two_players_are_swapped_and_the_rules_say_what_they_would_have_done(organiser, draft):
    before = games(organiser.page)
    assert organiser.shows("Identical.", "Publish round 1")
    one, other = min(before[0]), min(before[1])
    organiser.send(do="try", s=[one, other], version=version(organiser))
    assert organiser.shows("Preview of the swap")
    assert games(organiser.page) == before
    organiser.send(do="swap", s=[one, other], reason="brothers", version=version(organiser))
    after = games(organiser.page)
    assert {one, *before[1] - {other}} in after
    assert {other, *before[0] - {one}} in after
    assert organiser.shows("by hand")
    assert not organiser.shows("Identical.")


def test_games_are_in_the_order_of_their_tables_and_name_their_venue(organiser):
    drafted(organiser, venue_2="Gym", tables_2="4")
    assert ROW.findall(organiser.page) == [("r1g1", "1", "Hall"), ("r1g2", "2", "Hall")]
    organiser.send(do="move", game="r1g1", table="4", venue="v1", version=version(organiser))
    assert ROW.findall(organiser.page) == [("r1g2", "2", "Hall"), ("r1g1", "4", "Hall")]
    organiser.send(do="move", game="r1g2", table="1", venue="v2", version=version(organiser))
    assert ROW.findall(organiser.page) == [("r1g1", "4", "Hall"), ("r1g2", "1", "Gym")]


ROW = re.compile(
    r'<tr id="(r1g.)"[^>]*><th scope="row" class="num">([0-9]+)</th><td class="soft one-line"><bdi>([^<]+)</bdi>'
)


def test_a_swap_that_cannot_be_says_why(organiser, draft):
    two = sorted(games(organiser.page)[0])
    assert organiser.send(do="swap", s=two[:1], version=version(organiser)).status_code == 422
    assert organiser.shows("Nothing was saved. Please check:", "Tick two players")
    assert organiser.send(do="swap", s=two, reason="why not", version=version(organiser)).status_code == 422
    assert organiser.shows("Nothing was saved. Please check:", "players of two games")


def test_a_swap_for_which_two_would_meet_again_names_them_and_is_done_once_that_is_ticked(organiser, services, draft):
    evening = Evening(services, draft.split("/")[2])
    for step in ("publication", "start"):
        evening.do("pairing", f"/rounds/1/{step}")
    first = {frozenset((game["player_1"], game["player_2"])) for game in evening.games(1)}
    for game in evening.games(1):
        evening.report(game["id"])
    evening.do("scoring", "/rounds/1/close")
    evening.do("pairing", "/rounds")
    organiser.open(draft.replace("rounds/1", "rounds/2"))
    here, there = games(organiser.page)
    one = min(here)
    two = next(player for player in there if frozenset({player, *(here - {one})}) in first)
    for does in ("try", "swap"):
        assert organiser.send(do=does, s=[one, two], version=version(organiser)).status_code == 422
        assert organiser.shows("have already played each other.", "Preview of the swap", "Rematch")
        assert not re.search(r"/pairings|\bp\d and p\d", organiser.page.partition("<main")[2])
    organiser.send(do="swap", s=[one, two], allow_rematch="yes", version=version(organiser))
    assert games(organiser.page) != [here, there]


def test_the_second_of_two_organisers_is_shown_the_newer_draft(organiser, draft):
    old, before = version(organiser), games(organiser.page)
    swap = [min(before[0]), min(before[1])]
    organiser.send(do="swap", s=swap, reason="first", version=old)
    newer = games(organiser.page)
    answer = organiser.send(do="swap", s=[max(before[0]), max(before[1])], reason="second", version=old)
    assert answer.status_code == 412
    assert organiser.shows("Someone else changed this first.")
    assert games(organiser.page) == newer
    assert "checked" not in organiser.page.partition('id="frag-draft"')[2].partition("</table>")[0]


def test_a_game_is_moved_and_the_draft_published_at_a_time_or_now(organiser, guest, draft):
    event = draft.removesuffix("/rounds/1/draft")
    organiser.send(do="move", game="r1g1", table="4", version=version(organiser))
    assert re.search(r'<tr id="r1g1"[^>]*><th scope="row" class="num">4<', organiser.page)
    assert organiser.send(do="later", at="when ready", version=version(organiser)).status_code == 422
    organiser.send(do="later", at="2099-01-01T10:30", version=version(organiser))
    assert organiser.shows("published automatically at", ">10:30 ")
    organiser.send(do="keep", version=version(organiser))
    assert not organiser.shows("published automatically")
    guest.open(f"{event}/wall/pairings")
    assert not guest.shows("Ana")
    organiser.send(do="publish", version=version(organiser))
    assert organiser.shows("Start round 1")
    guest.open(f"{event}/wall/pairings")
    assert guest.shows("Ana")


def test_a_draft_is_discarded_with_a_reason(organiser, draft):
    organiser.send(do="discard", reason="wrong venue", version=version(organiser))
    assert organiser.shows("Pair round 1")


def test_a_guest_sees_no_draft(guest, draft):
    assert guest.open(draft).status_code in (401, 403, 404)
    assert not guest.shows("Ana")


@pytest.mark.engine("browser")
@pytest.mark.parametrize("size", list(SIZES))
def test_the_draft_works_with_a_keyboard_and_in_german(organiser, draft, browser, address, size):
    context = window(browser, address, size, organiser.cookie(), locale="de-DE")
    page = context.new_page()
    page.goto(draft)
    page.get_by_role("heading", name="Entwurf von Runde 1").wait_for()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("checkbox").nth(0).check()
    page.get_by_role("checkbox").nth(2).check()
    page.get_by_role("button", name="Spieler tauschen").click()
    page.get_by_text("von Hand").first.wait_for()
    context.close()


def test_why_the_rules_would_have_paired_nothing_is_german_on_a_german_page(organiser, draft):
    event = draft.split("/rounds")[0]
    organiser.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de"
    for player in ("p2", "p3", "p4"):
        organiser.open(f"{event}/player/{player}")
        organiser.send(do="drop", reason="a train")
    organiser.open(draft)
    assert organiser.shows("Zu wenige Spieler. Es sind 1; nötig sind mindestens 2")
    assert 'lang="en"' not in organiser.page.partition("<main")[2]
