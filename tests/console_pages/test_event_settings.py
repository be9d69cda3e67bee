"""What an organiser sets after the announcement: the event, sign-up, venues, staff, options, and cancelling."""

from __future__ import annotations

import re

import pytest

from tests.console_pages.conftest import KEY, Browser
from tests.console_pages.test_evening import FIELDS, announced, paired


@pytest.fixture
def event(organiser) -> str:
    """An event without players, with a hall of four tables and a library of one; its settings are open."""
    organiser.open("/events/new")
    organiser.send(**FIELDS, capacity="2", starts_on="2027-03-06")
    event = organiser.address.removesuffix("/players")
    organiser.open(f"{event}/settings")
    return event


def sent(organiser: Browser, part: str, **fields: object):
    """Send one of the forms of the page, with its own key and version, and what stands in its fields."""
    form = next(one for one in organiser.page.split("<form")[1:] if f'name="part" value="{part}"' in one)
    form = form.split("</form>")[0]
    own = dict(re.findall(r'<input class="input" id="[^"]+" name="([^"]+)" type="\w+" value="([^"]*)"', form))
    own |= dict(re.findall(r'<input type="radio" name="([^"]+)" value="([^"]*)" checked', form))
    own |= dict(re.findall(r'name="(option_\w+)" inputmode="numeric" value="([^"]*)"', form))
    version = re.search(r'name="version" value="([^"]+)"', form)
    hidden = {"part": part, "key": KEY.search(form)[1], "version": version[1].replace("&#34;", '"') if version else ""}
    return organiser.send(**{**own, **hidden, **fields})


def taken_back(organiser: Browser, event: str) -> None:
    undo = organiser.page.split('name="undo" value="')[1].split('"')[0]
    organiser.send(f"{event}/undo", undo=undo, back=f"{event}/settings")


def test_name_days_seats_and_options_are_changed_and_taken_back(organiser, event):
    assert organiser.shows('aria-current="page">Settings', "Club night", "2027-03-06")
    answer = sent(organiser, "event", name="Spring <b>night", ends_on="2027-03-07", option_sos="tome", do="keep")
    assert answer.status_code == 200
    assert organiser.address == f"{event}/settings"
    assert organiser.shows("Spring &lt;b&gt;night", "2027-03-07", 'value="tome" checked', "The changes are saved")
    sent(organiser, "event", option_round_minutes="90", capacity="8", do="keep")
    assert organiser.shows('value="8"', 'value="90"', "The changes are saved", "Undo")
    taken_back(organiser, event)
    assert organiser.shows('value="2"', 'value="120"', "Undone")


def test_every_fault_is_shown_next_to_its_field_and_the_input_is_kept(organiser, event):
    answer = sent(organiser, "event", name="", capacity="many", ends_on="soon", option_round_minutes="x", do="keep")
    assert answer.status_code == 422
    for field in ("name", "capacity", "ends_on", "option_round_minutes"):
        assert f'<a href="#{field}">' in organiser.page
    assert organiser.shows("Nothing was saved. Please check:", 'value="soon"', 'value="many"', 'value="x"')
    assert sent(organiser, "event", name="x" * 101, capacity="1", ends_on="2027-03-01", do="keep").status_code == 422
    assert organiser.shows('<a href="#name">')
    assert organiser.shows('<a href="#capacity">')
    organiser.open(f"{event}/settings")
    assert sent(organiser, "event", ends_on="2027-03-01", do="keep").status_code == 422
    assert organiser.shows('<a href="#ends_on">', "Sat, 6 Mar 2027 or later")


def test_who_waits_is_named_before_they_move_up(organiser, event):
    organiser.open(f"{event}/players")
    organiser.send(players="Ana\nBen\nCy <i>\nDi")
    organiser.open(f"{event}/settings")
    assert organiser.shows("2 of 2 seats are taken", "2 players are waiting")
    sent(organiser, "event", capacity="3", do="look")
    assert organiser.shows("Preview of the changes", "Cy &lt;i&gt; moves up from the waiting list", 'value="3"')
    sent(organiser, "event", do="keep")
    assert organiser.shows("3 of 3 seats are taken", "1 player is waiting")


def test_a_stale_page_shows_the_current_values(organiser, event):
    stale = organiser.page
    organiser.open(f"{event}/settings")
    sent(organiser, "event", name="Autumn night", do="keep")
    organiser.page = stale
    answer = sent(organiser, "event", capacity="9", do="keep")
    assert answer.status_code == 412
    assert organiser.shows(
        "Someone else changed this first", "Current values", "Name of the event", "Autumn night", 'value="9"'
    )
    assert sent(organiser, "event", do="keep").status_code == 200
    assert organiser.shows("Club night", 'value="9"')


def test_a_form_reopened_with_the_back_button_is_sent_again_after_a_check(organiser, event):
    behind = organiser.page
    sent(organiser, "event", capacity="4", do="keep")
    organiser.page = behind
    assert sent(organiser, "event", capacity="6", do="keep").status_code == 422
    assert organiser.shows("This form was already sent with different content", 'value="6"')
    sent(organiser, "event", do="keep")
    assert organiser.shows("The changes are saved")


def test_sign_up_is_closed_and_opened_again(organiser, event):
    sent(organiser, "close")
    assert organiser.shows("closed", "Reopen sign-up", "Sign-up is closed")
    sent(organiser, "reopen")
    assert organiser.shows("Close sign-up", "Sign-up is open again")
    taken_back(organiser, event)
    assert organiser.shows("Reopen sign-up")


def test_a_venue_is_opened_its_tables_changed_and_closed(organiser, event):
    assert sent(organiser, "venue").status_code == 422
    assert organiser.shows('href="#venue_name"', 'href="#venue_tables"')
    assert sent(organiser, "venue", venue_name="Hall", venue_tables="3").status_code in (409, 422)
    assert organiser.shows("another name", 'value="Hall"')
    sent(organiser, "venue", venue_name="Attic <x>", venue_tables="3-5, 9")
    assert organiser.shows("Attic &lt;x&gt;", "4 tables", 'value="3-5, 9"', "is open")
    assert sent(organiser, "tables:v3", tables_v3="3-5, 9-7", accessible_v3="8").status_code == 422
    sent(organiser, "tables:v3", tables_v3="3-5, 7", accessible_v3="8")
    assert organiser.shows('href="#accessible_v3"', "no table 8")
    sent(organiser, "tables:v3", accessible_v3="3, 7")
    assert organiser.shows('value="3-5, 7"', 'value="3, 7"', "The tables are changed", "Undo")
    taken_back(organiser, event)
    assert organiser.shows('value="3-5, 9"')
    assert sent(organiser, "shut:v3").status_code == 422
    sent(organiser, "shut:v3", why_v3="the <roof> leaks")
    assert organiser.shows("closed", "is closed")
    assert "tables:v3" not in organiser.page


@pytest.mark.parametrize("typed", ["-1", "x", "1-", "10001", "1-10001", "99999999999999999999", "1" * 400])
def test_tables_that_are_none_are_refused(organiser, event, typed):
    assert sent(organiser, "venue", venue_name="Attic", venue_tables=typed).status_code == 422
    assert organiser.shows('href="#venue_tables"')


def test_a_venue_with_a_game_cannot_be_closed(organiser):
    event = paired(organiser)
    organiser.open(f"{event}/settings")
    assert organiser.shows("Round 1 is paired")
    assert sent(organiser, "shut:v1", why_v1="wet").status_code == 409
    assert organiser.shows("Nothing was saved. Please check:", "Still in use. Wait until the round is closed")


def test_staff_are_appointed_with_a_code_shown_once_and_dismissed(organiser, event, app):
    assert sent(organiser, "staff", staff_name="", staff_role="king").status_code == 422
    assert organiser.shows('href="#staff_name"', 'href="#staff_role"')
    sent(organiser, "staff", staff_name="Rita <b>", staff_role="referee", staff_venue="v2")
    assert organiser.shows("Rita &lt;b&gt;", "Referee", "Library", "data:image/svg+xml")
    address = re.search(r'readonly value="http://[^/]+(/come-in[^"]+)"', organiser.page)[1].replace("&amp;", "&")
    phone = Browser(app)
    phone.open(address)
    assert "key" not in phone.address
    phone.open(f"{event}/players")
    assert phone.shows("Add players")
    assert "/settings" not in phone.page
    assert phone.open(f"{event}/settings").status_code == 403
    organiser.open(f"{event}/settings")
    assert organiser.shows("Rita &lt;b&gt;", "Referee", "Library")
    assert address.partition("key=")[2] not in organiser.page
    sent(organiser, "dismiss:s1", why_s1="goes home")
    assert organiser.shows("Only you so far", "Rita &lt;b&gt; is no longer on the staff")
    assert phone.open(f"{event}/players").status_code in (401, 403)


def test_an_event_is_cancelled_once_that_was_asked_twice(organiser, event):
    assert sent(organiser, "cancel", do="ask").status_code == 422
    assert organiser.shows('href="#why_cancelled"')
    assert sent(organiser, "cancel", why_cancelled="no <hall>", do="ask").status_code == 200
    assert organiser.shows("no &lt;hall&gt;", "cannot be undone", "Yes, cancel the event for good")
    organiser.open(f"{event}/settings")
    assert organiser.shows("Cancel the event…")
    sent(organiser, "cancel", why_cancelled="no <hall>", do="cancel")
    assert organiser.shows("This event is cancelled", "The event is cancelled.")
    assert 'value="event"' not in organiser.page


def test_guests_and_players_have_no_settings(organiser, guest):
    event = announced(organiser)
    guest.open(f"{event}/settings")
    assert guest.address == "/sign-in"


@pytest.mark.parametrize("part", ["", "tables:v9", "dismiss:s9", "nonsense", "event:v1"])
def test_a_form_about_what_is_gone_does_nothing(organiser, event, part):
    assert organiser.send(f"{event}/settings", part=part).status_code == 200
    assert organiser.shows("Nothing was saved: this no longer exists.")


def test_the_settings_speak_german(organiser, event):
    page = organiser.client.get(f"{event}/settings", headers={"Accept-Language": "de"}).get_data(as_text=True)
    for text in ("Einstellungen", "Spielorte", "Turnierleitung", "Anmeldung schließen", "Turnier absagen"):
        assert text in page
    for text in ("Appoint", "Close this venue", "Save", "may still change"):
        assert text not in page
