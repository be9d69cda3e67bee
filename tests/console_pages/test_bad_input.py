"""What strangers and tired people send to the console."""

from __future__ import annotations

import base64
import re

import httpx
import pytest

from muster_client import Muster
from services.console.app import build_web
from services.console.responses import POLICY
from services.console.signed_in import person_of
from shared.settings import SERVICES
from tests.console.in_process import InProcess
from tests.console_pages.conftest import Browser
from tests.console_pages.test_evening import FIELDS, announced, paired


def test_every_fault_is_shown_next_to_its_field_and_the_input_is_kept(organiser):
    organiser.open("/events/new")
    fields = {"venue_1": "Hall", "tables_1": "many", "venue_2": "", "tables_2": "4", "rounds": "three"}
    answer = organiser.send(**fields)
    assert answer.status_code == 422
    assert organiser.shows("Enter a name. Players see it", 'id="rounds"', 'value="three"', "Enter a whole number")
    assert organiser.shows("Choose a ruleset")
    assert organiser.shows('value="many"')
    assert organiser.shows("Enter a name.")


def test_faults_of_the_service_are_shown_next_to_the_field(organiser):
    organiser.open("/events/new")
    answer = organiser.send(**{**FIELDS, "capacity": "1", "name": "x" * 200})
    assert answer.status_code == 422
    assert organiser.shows('id="name-f"')
    assert organiser.shows('id="capacity-f"')


def test_names_with_markup_in_them_are_text(organiser, guest):
    event = announced(organiser)
    organiser.open(f"{event}/players")
    organiser.send(players="<script>alert(1)</script>\nمحمد")
    assert organiser.shows("&lt;script&gt;alert(1)")
    assert "<script>" not in organiser.page


CLAIMS = base64.urlsafe_b64encode(b'{"role":"organiser","tournament":"*"}').decode()
FORGED = [f"a.{CLAIMS}.\u2603", f"a.{CLAIMS}.c\x00c", f"a b.{CLAIMS}.c"]


@pytest.mark.parametrize(
    "key", ["", "x", "a.b.c", "a.e30.c", "é.é.é", "a." + "A" * 900 + ".c", "..", "a.bnVsbA.c", "a.b.c.d", *FORGED]
)
def test_what_is_no_key_opens_nothing(guest, key):
    guest.open("/sign-in")
    assert guest.send(token=key).status_code == 422
    assert guest.shows("This key is not valid.")
    assert person_of(key) is None


def test_an_address_with_a_key_signs_in_and_loses_the_key(guest, services):
    guest.open(f"/come-in?key={services.token('operator')}")
    assert guest.shows("Sign out", "New event")
    assert "key" not in guest.client.get("/").request.url
    guest.send("/sign-out")
    guest.open("/come-in?key=a.b.c")
    assert guest.shows("Sign in", "I run or referee an event")


def test_a_link_that_is_not_good_says_nothing_of_the_event(organiser, guest, services):
    event = announced(organiser)
    id = event.rpartition("/")[2]
    for address in (
        f"{event}/come-in",
        f"{event}/come-in?token=a.b.c",
        f"{event}/come-in?token={services.token('organiser', tournament=id)}",
        "/events/t-none/come-in?token=x",
    ):
        answer = guest.open(address)
        assert answer.status_code == 403
        assert guest.shows("This link does not work")
        assert not guest.shows("Club night")


def test_a_form_without_its_token_does_nothing(organiser):
    event = announced(organiser)
    answer = organiser.client.post(f"{event}/players", data={"players": "Evelyn"})
    assert answer.status_code == 400
    organiser.open(f"{event}/players")
    assert not organiser.shows("Evelyn")


def test_every_page_says_what_it_may_load(organiser, guest):
    event = announced(organiser)
    for browser, address in ((guest, "/"), (guest, "/sign-in"), (organiser, f"{event}/players"), (guest, "/none")):
        answer = browser.open(address)
        assert answer.headers["Content-Security-Policy"] == POLICY
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert " style=" not in browser.page
        assert not re.search(
            r"<script(?! src=\"/static/[\w/.]+\" defer></script>)| on\w+=|hx-on|javascript:", browser.page
        )
    cookie = organiser.open("/").request.environ.get("HTTP_COOKIE", "")
    assert "muster_console" in cookie


def test_an_event_that_is_not_there(guest):
    for page in ("", "players", "round", "standings", "wall/pairings", "table"):
        answer = guest.open(f"/events/t-none/{page}")
        assert answer.status_code in (200, 404), page
        assert not guest.shows("Traceback")


@pytest.mark.parametrize("page", ["players", "round", "standings", "wall/pairings"])
def test_an_id_that_would_change_the_address_is_no_event(guest, page):
    assert guest.open(f"/events/./{page}").status_code == 404
    assert guest.shows("Page not found")


def test_a_service_that_is_away_is_named_and_the_page_looks_again(services, tmp_path):
    class Away(InProcess):
        def handle_request(self, request):
            if request.url.host == "scoring":
                raise httpx.ConnectError("refused")
            return super().handle_request(request)

    muster = Muster({name: f"http://{name}" for name in SERVICES}, patience=0.0, transport=Away(services))
    browser = Browser(build_web({"MUSTER_DATA": str(tmp_path)}, muster))
    browser.open("/sign-in")
    browser.send(token=services.token("operator"))
    event = announced(browser)
    answer = browser.open(f"{event}/standings")
    assert answer.status_code == 503
    assert browser.shows('http-equiv="refresh"', "Scoring is not responding", "Nothing is lost")
    answer = browser.client.get(browser.address, headers={"HX-Request": "true", "HX-Trigger": "look-again"})
    assert "HX-Refresh" not in answer.headers


@pytest.mark.parametrize("version", ["\u2603", 'a\x00"b', '"a"\r\nX-Other: b', "x" * 3_000])
def test_a_version_that_is_none_matches_nothing_and_takes_no_service_away(organiser, version):
    event = paired(organiser)
    for page, fields in (("round", {"do": "close", "round": 1}), ("settings", {"part": "event", "name": "Other"})):
        organiser.open(f"{event}/{page}")
        assert organiser.send(**fields, version=version).status_code == 412, organiser.page
        assert organiser.shows("Someone else changed this first.")
    assert organiser.open(f"{event}/round").status_code == 200
    assert not organiser.shows("is away")


@pytest.mark.parametrize("id", ["a" * 100_000, "..", "a/b?c#d", "\x00"])
def test_an_id_that_is_none_names_nothing_and_takes_no_service_away(organiser, id):
    event = paired(organiser)
    organiser.open(f"{event}/referee")
    assert organiser.send(do="take", call=id).status_code == 404, organiser.page
    assert organiser.open(f"{event}/round").status_code == 200
    assert not organiser.shows("is away")
