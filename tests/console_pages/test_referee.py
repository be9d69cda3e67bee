"""The referees and their queue, and the page of a game: who waits, who goes, what was said, what a ruling moves."""

from __future__ import annotations

import re

import httpx
import pytest

from muster_client import Muster
from services.console.app import build_web
from services.console.pages.referee import age_of
from shared.settings import SERVICES
from tests.console.in_process import InProcess
from tests.console_pages.conftest import signed_in
from tests.console_pages.test_evening import paired, with_a_code


@pytest.fixture
def event(organiser):
    """A tournament in its first round, two games of which wait for results."""
    return paired(organiser)


def appointed(app, services, event, role="referee", **more):
    """The phone of somebody of the staff, and the services for them."""
    id = event.rsplit("/", 1)[1]
    operator = app.extensions["muster-services"].acting_as(services.token("operator"))
    name = more.pop("name", "Rudi")
    token = operator.registration.appoint_staff(id, name=name, role=role, **more).token
    return signed_in(app, token)


def both(organiser, event):
    """Two opponents, Ana first, and their game."""
    ana = with_a_code(organiser, event, "Ana")
    rival = re.search(r"<h1>against (\w+)</h1>", ana.page)[1]
    return ana, with_a_code(organiser, event, rival), re.search(r'name="game" value="(\w+)"', ana.page)[1]


def disputed(organiser, event):
    """The game of two who do not agree."""
    ana, rival, game = both(organiser, event)
    ana.send(do="report", points_1="153", points_2="146")
    rival.open(f"{event}/table")
    rival.send(do="dispute", reason="the token counted for me")
    return game


def test_a_call_is_taken_and_answered_and_the_caller_reads_the_answer(app, services, organiser, event):
    rudi = appointed(app, services, event)
    rudi.open(f"{event}/referee")
    assert rudi.shows("Waiting for a referee", "0 open", "No one is waiting.")
    ana, rival, _ = both(organiser, event)
    ana.send(do="call", about="rules", details="does it block sight?")
    rudi.open(f"{event}/referee")
    assert rudi.shows("1 open", "Referee called: Rules", "Hall", "just now", "Ana", "does it block sight?", "I will go")
    rudi.send(f"{event}/referee", do="take", call="c1")
    assert rudi.shows("Answer the call", "You are on the way", "Send this answer")
    ana.open(f"{event}/table")
    assert ana.shows("Rudi is on the way to you", "Stay at your table.")
    assert rudi.send(f"{event}/referee", do="answer", call="c1", answer=" ").status_code == 422
    assert rudi.shows("Enter a short answer.", "Answer the call")
    rudi.send(f"{event}/referee", do="answer", call="c1", answer="Yes, <i>it</i> does.")
    assert rudi.shows("No one is waiting.", "Answered.")
    ana.open(f"{event}/table")
    assert ana.shows("Rudi answered:", "Yes, &lt;i&gt;it&lt;/i&gt; does.", "Call a referee again")
    rival.open(f"{event}/table")
    assert not rival.shows("Rudi answered:")


def test_one_tap_answers_and_the_second_referee_sees_who_took_the_call(app, services, organiser, event):
    ana, _, _ = both(organiser, event)
    ana.send(do="call", about="time")
    rudi, kim = (appointed(app, services, event, name=name) for name in ("Rudi", "Kim"))
    for phone in (rudi, kim):
        phone.open(f"{event}/referee")
    rudi.send(do="take", call="c1")
    assert kim.send(do="take", call="c1").status_code == 409
    assert kim.shows("Rudi took this call first.", "Rudi is on the way")
    rudi.open(f"{event}/referee?call=c1")
    quick = re.search(r'name="quick" value="([^"]+)"', rudi.page)[1]
    rudi.send(f"{event}/referee", do="answer", call="c1", quick=quick)
    ana.open(f"{event}/table")
    assert ana.shows("Rudi answered:", quick)
    assert kim.send(f"{event}/referee", do="answer", call="c1", answer="No.").status_code == 409
    assert kim.send(f"{event}/referee", do="take", call="c99").status_code in (404, 409)
    kim.open(f"{event}/referee?call=c99")
    assert not kim.shows("Answer the call")


def test_the_queue_is_in_the_order_they_came_and_kept_to_a_venue(app, services, organiser, event):
    disputed(organiser, event)
    other = next(name for name in ("Ben", "Cy", "Di") if "Table" in with_a_code(organiser, event, name).page)
    caller = with_a_code(organiser, event, other)
    caller.send(do="call", about="other", details="a spilled drink")
    organiser.open(f"{event}/referee")
    assert organiser.shows(
        "2 open", "Disputed result", "the token counted for me", "Make a ruling", "Referee called:", "a spilled drink"
    )
    hall, library = re.findall(r'referee\?venue=(v\d+)"', organiser.page)[:2]
    organiser.open(f"{event}/referee?venue={library}")
    assert organiser.shows("0 open", "No one is waiting.")
    organiser.open(f"{event}/referee?venue=%3Cb%3E")
    assert organiser.shows("2 open")
    there = appointed(app, services, event, venue=library, name="Lib")
    there.open(f"{event}/referee")
    assert there.shows("0 open")
    there.open(f"{event}/referee?venue=all")
    assert there.shows("2 open", "I will go")
    assert there.send(f"{event}/referee", do="take", call="c1").status_code == 403
    assert there.shows("Nothing was saved. Please check:")
    here = appointed(app, services, event, venue=hall, name="Hal")
    here.open(f"{event}/referee")
    assert here.shows("2 open")


def test_the_board_counts_what_waits_and_leads_there(organiser, event):
    organiser.open(f"{event}/round")
    assert not organiser.shows("for a referee")
    ana, _, _ = both(organiser, event)
    ana.send(do="call")
    organiser.open(f"{event}/round")
    assert organiser.shows(f'href="{event}/referee', "1 waiting for a referee")


def test_strangers_and_players_have_no_queue(organiser, event, guest):
    ana, _, _ = both(organiser, event)
    for browser in (guest, ana):
        browser.open(f"{event}/referee")
        assert browser.address == "/sign-in"
        browser.send(f"{event}/referee", do="take", call="c1")
        assert not browser.shows("I will go")


class Away(InProcess):
    """The services, of which one does not answer."""

    def __init__(self, services, away):
        super().__init__(services)
        self.away = away

    def handle_request(self, request):
        if request.url.host == self.away:
            raise httpx.ConnectError("refused")
        return super().handle_request(request)


@pytest.mark.parametrize(("away", "left"), [("scoring", "Referee called:"), ("pairing", "Disputed result")])
def test_the_queue_shows_what_is_known_while_a_service_is_away(services, organiser, event, tmp_path, away, left):
    disputed(organiser, event)
    for name in ("Ben", "Cy", "Di"):
        phone = with_a_code(organiser, event, name)
        if phone.shows("Call a referee to my table"):
            phone.send(do="call")
            break
    urls = {name: f"http://{name}" for name in SERVICES}
    app = build_web({"MUSTER_DATA": str(tmp_path)}, Muster(urls, patience=0.0, transport=Away(services, away)))
    alone = signed_in(app, services.token("operator"))
    assert alone.open(f"{event}/referee").status_code == 200
    assert alone.shows(f"{away.capitalize()} is not responding", left)


def test_ages_are_words_and_what_is_no_moment_is_nothing(app):
    from datetime import UTC, datetime

    now = datetime(2026, 12, 5, 14, 30, tzinfo=UTC)
    with app.test_request_context():
        told = {
            moment: age_of(f"2026-12-0{moment}:00Z", now) for moment in ("5T14:31", "5T14:24", "5T12:29", "4T14:30")
        }
        assert list(told.values()) == ["just now", "for 6 minutes", "for 2 hours", "for 24 hours"]
        assert age_of("yesterday", now) == age_of("", now) == age_of("2026-12-05T14:00:00", now) == ""


def test_a_dispute_is_ruled_by_one_tap_on_what_one_side_says_and_its_history_reads_as_a_story(
    app, services, organiser, event
):
    ana, rival, game = both(organiser, event)
    ana.send(do="report", points_1="153", points_2="146")
    rival.open(f"{event}/table")
    rival.send(do="dispute", reason="the token <b>counted</b>")
    rudi = appointed(app, services, event)
    rudi.open(f"{event}/games/{game}")
    assert rudi.shows(
        "disputes the result",
        "&lt;b&gt;counted",
        "Which result counts?",
        " 153 : 146 ",
        "reported by Ana",
        "Confirm ruling",
    )
    before = rudi.page
    assert 'name="version" value="first" checked' not in rudi.page, "nobody's version is the default"
    assert rudi.send(do="send", reason="slip read", points_1="153", points_2="146").status_code == 422
    assert rudi.shows("Choose which result counts.")
    assert rudi.send(do="send", version="first", reason="").status_code == 422
    assert rudi.shows("Nothing was saved. Please check:", 'value="first" checked')
    seen = re.search(r'name="seen" value="(\w+)"', before)[1]
    rudi.send(f"{event}/games/{game}", do="send", seen=seen, version="first", reason="slip read", clause="AR-SCN-1")
    assert rudi.shows("settled by a ruling")
    rudi.page = before  # the second of two taps
    rudi.send(
        f"{event}/games/{game}", do="send", seen=seen, version="other", points_1="153", points_2="146", reason="x"
    )
    assert rudi.address.endswith("/round")
    rudi.open(f"{event}/games/{game}")
    assert rudi.shows(
        *("History", "<bdi>Ana</bdi> reported 153 : 146.", "disputed it.", "&lt;b&gt;counted"),
        *("<bdi>Rudi</bdi> (referee) ruled: 153 : 146.", "AR-SCN-1", "slip read"),
    )


def test_a_page_that_is_older_than_the_game_changes_nothing(app, services, organiser, event):
    _, _, game = both(organiser, event)
    rudi = appointed(app, services, event)
    rudi.open(f"{event}/games/{game}")
    old = re.search(r'name="seen" value="(\w+)"', rudi.page)[1]
    organiser.open(f"{event}/games/{game}")
    organiser.send(do="send", points_1="10", points_2="20")
    assert rudi.send(do="send", seen=old, points_1="30", points_2="40", reason="mine").status_code == 422
    assert rudi.shows("This game has changed since you opened it", "Correct the result", "Operator entered 10 : 20.")
    assert not rudi.shows("corrected it")


def test_a_referee_sees_on_the_phone_what_a_correction_moves_and_the_history_keeps_both(
    app, services, organiser, event
):
    _, _, game = both(organiser, event)
    rudi = appointed(app, services, event)
    for one in ("r1g1", "r1g2"):
        rudi.open(f"{event}/games/{one}?from=queue")
        rudi.send(do="send", points_1="150", points_2="20")
    organiser.open(f"{event}/round")
    organiser.send(do="close", round=1)
    rudi.open(f"{event}/games/{game}")
    rudi.send(do="preview", points_1="20", points_2="150", reason="sides mixed up")
    assert rudi.shows("What this would change", "rank ", " to ", "tournament points", 'value="sides mixed up"')
    assert not re.search(r"rank (\d+) to \1\b", rudi.page)
    rudi.open(f"{event}/games/{game}")
    assert not rudi.shows("corrected it to")
    rudi.send(do="send", points_1="20", points_2="150", reason="sides mixed up")
    rudi.open(f"{event}/games/{game}")
    assert rudi.shows("(referee) corrected it to 20 : 150 (before: 150 : 20).", "sides mixed up")


def test_only_the_head_referee_decides_an_appeal(app, services, organiser, event):
    ana, _, game = both(organiser, event)
    rudi, hedda = appointed(app, services, event), appointed(app, services, event, "head_referee", name="Hedda")
    rudi.open(f"{event}/games/{game}")
    rudi.send(do="send", points_1="10", points_2="20")
    rudi.open(f"{event}/games/{game}")
    rudi.send(do="send", points_1="11", points_2="20", reason="counted again")
    ana.open(f"{event}/table")
    ana.send(do="appeal", reason="there was a token")
    for phone in (rudi, hedda):
        phone.open(f"{event}/referee")
        assert phone.shows("Appeal against a ruling", "there was a token", "Decide")
    rudi.open(f"{event}/games/{game}")
    assert rudi.shows("Ana appeals the ruling", "Decide the appeal", "Who decides appeals here:", "head referee")
    assert rudi.send(do="reject", reason="no token").status_code == 422
    assert rudi.shows("Nothing was saved. Please check:")
    hedda.open(f"{event}/games/{game}")
    hedda.send(do="preview", points_1="20", points_2="11", reason="it was there")
    assert hedda.shows("What this would change")
    assert hedda.send(do="reject", reason="").status_code == 422
    hedda.send(do="reject", reason="no token was there")
    hedda.open(f"{event}/games/{game}")
    assert hedda.shows(
        *("appealed the ruling.", "there was a token", "upheld the ruling. That is final.", "no token was")
    )
    organiser.open(f"{event}/games/{game}")
    assert organiser.send(do="send", points_1="20", points_2="11", reason="seen on film").status_code == 422
    assert organiser.shows("Override the ruling anyway")
    organiser.send(do="send", points_1="20", points_2="11", reason="seen on film", override="yes")
    organiser.open(f"{event}/games/{game}")
    assert organiser.shows("overrode the ruling: 20 : 11 (before: 11 : 20).", "seen on film")


def test_a_player_is_warned_from_the_page_of_the_game_and_the_next_referee_sees_it(app, services, organiser, event):
    _, _, game = both(organiser, event)
    rudi = appointed(app, services, event)
    rudi.open(f"{event}/games/{game}")
    assert rudi.shows("Neither player has been warned.", "Warn a player")
    assert rudi.send(do="warn", warned="p99", why="").status_code == 422
    assert rudi.shows("Choose one of these.", "Enter a reason; it goes into the public log.")
    ana_id = re.search(r'name="warned" value="(p\d+)"[^>]*><span><bdi>Ana<', rudi.page)[1]
    rudi.send(do="warn", warned=ana_id, why="moved <i>twice</i>", broken="AR-STAFF-4")
    assert rudi.shows("The warning for Ana is recorded.")
    assert rudi.shows("Warnings", "Ana", "at this event", "AR-STAFF-4", "moved &lt;i&gt;twice", "Rudi</bdi> (referee)")
    german = rudi.client.get(f"{event}/games/{game}", headers={"Accept-Language": "de"})
    assert "Rudi</bdi> (Schiedsrichter)" in german.get_data(as_text=True)


def test_a_game_shows_its_table_in_other_rounds_and_the_calls_to_it(app, services, organiser, event):
    ana, _, game = both(organiser, event)
    ana.send(do="call", about="time", details="slow play")
    rudi = appointed(app, services, event)
    rudi.open(f"{event}/referee")
    rudi.send(do="take", call="c1")
    rudi.send(f"{event}/referee", do="answer", call="c1", answer="Keep moving.")
    rudi.open(f"{event}/games/{game}")
    assert rudi.shows("called a referee: Time.", "slow play", "went to the table.", "answered.", "Keep moving.")
    assert not rudi.shows("This table in other rounds")
    for one in ("r1g1", "r1g2"):
        rudi.open(f"{event}/games/{one}")
        rudi.send(do="send", points_1="150", points_2="20")
    organiser.open(f"{event}/round")
    organiser.send(do="close", round=1)
    organiser.send(do="pair", round=2)
    organiser.send(do="start", round=2)
    staff = app.extensions["muster-services"].acting_as(services.token("operator"))
    staff.pairing.move_table(event.rsplit("/", 1)[1], 2, "r2g1", table=1, reason="more light")
    rudi.open(f"{event}/games/r2g1")
    assert rudi.shows("This table in other rounds", "Round 1", "150 : 20", "settled")
    rudi.open(f"{event}/games/r1g1")
    rudi.send(do="preview", points_1="20", points_2="150", reason="sides mixed up")
    assert rudi.shows("What this would change", "Later rounds were paired", "round 2.")


def test_a_guest_reads_the_history_and_has_no_form(organiser, event, guest):
    ana, _, game = both(organiser, event)
    ana.send(do="call", details="for the judges alone")
    ana.send(f"{event}/table", do="report", points_1="1", points_2="2")
    guest.open(f"{event}/games/{game}")
    assert guest.shows("History", "reported 1 : 2.")
    assert not guest.shows("Enter the result")
    assert not guest.shows("Warnings")
    assert "for the judges alone" not in guest.page


@pytest.mark.parametrize("call", ["", "c0", "../c1", "<b>c1</b>", "c1\u202e", "x" * 2000, "c1 c2", "%00"])
def test_a_call_that_is_none_is_refused_and_nothing_breaks(organiser, event, call):
    organiser.open(f"{event}/referee")
    for does in ("take", "answer", "end", "dance"):
        assert organiser.send(f"{event}/referee", do=does, call=call, answer="Yes.").status_code < 500
        assert "<b>c1" not in organiser.page
        organiser.open(f"{event}/referee")
    assert organiser.client.get(f"{event}/referee", query_string={"call": call, "venue": call}).status_code < 500


def test_names_and_words_from_the_right_and_with_markup_are_written_as_they_are(app, services, organiser, event):
    ana, _, game = both(organiser, event)
    told = "\u05d0\u05d1 <script>alert(1)</script> " + "w" * 100
    ana.send(do="call", details=told)
    rudi = appointed(app, services, event, name="Rudi <img src=x>")
    for page in ("referee", "referee?call=c1", f"games/{game}"):
        rudi.open(f"{event}/{page}")
        assert rudi.shows("<bdi>\u05d0\u05d1 &lt;script&gt;")
        assert "<script>alert" not in rudi.page
    rudi.open(f"{event}/referee")
    rudi.send(do="take", call="c1")
    rudi.open(f"{event}/games/{game}")
    assert rudi.shows("<bdi>Rudi &lt;img src=x&gt;</bdi> went to the table.")
    ana.open(f"{event}/table")
    assert "<img src=x" not in ana.page


def test_a_call_that_the_installations_token_takes_names_its_role(organiser, event):
    ana, _, game = both(organiser, event)
    ana.send(do="call", about="rules")
    organiser.open(f"{event}/referee")
    organiser.send(do="take", call="c1")
    ana.open(f"{event}/table")
    assert ana.shows("Operator is on the way to you")
    organiser.open(f"{event}/games/{game}")
    assert organiser.shows("<bdi>Operator</bdi> went to the table.")
