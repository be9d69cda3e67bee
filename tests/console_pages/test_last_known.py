"""While a service is away: what was known last, with its age, and everything else as ever."""

from __future__ import annotations

import re

import httpx
import pytest

from muster_client import Muster
from services.console import last_known
from services.console.app import build_web
from shared.settings import SERVICES
from tests.console.in_process import InProcess
from tests.console_pages.conftest import Browser, signed_in


class Switched(InProcess):
    """The services, of which some do not answer. asked: how often each was tried."""

    def __init__(self, muster) -> None:
        super().__init__(muster)
        self.away: set[str] = set()
        self.asked: list[str] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request.url.host)
        if request.url.host in self.away:
            raise httpx.ConnectError("refused")
        return super().handle_request(request)


@pytest.fixture
def switched(services) -> Switched:
    return Switched(services)


@pytest.fixture
def app(switched, tmp_path):
    urls = {name: f"http://{name}" for name in SERVICES}
    return build_web({"MUSTER_DATA": str(tmp_path)}, Muster(urls, patience=0.0, transport=switched))


@pytest.fixture
def event(services) -> str:
    return f"/events/{services.evening().id}"


PUBLIC = ("about", "pairings", "standings", "wall/pairings", "wall/standings", "wall/clock")


CHANGES = re.compile(r'<div class="away".*?</template>|value="[^"]+"|<time .*?</time>', re.DOTALL)
LEFT = re.compile(r'data-left="(\d+)"')


def bare(page: str) -> str:
    """A page without what differs each time, and without what is away."""
    return CHANGES.sub("", page)


def test_public_pages_show_what_was_known_last_and_how_old_it_is(app, switched, event, guest, monkeypatch):
    guest = Browser(app)
    known = {page: guest.open(f"{event}/{page}") and guest.page for page in PUBLIC}
    assert not any("is away" in page for page in known.values())
    monkeypatch.setattr(last_known, "monotonic", lambda now=last_known.monotonic: now() + 360)
    switched.away = set(SERVICES)
    for page in PUBLIC:
        assert guest.open(f"{event}/{page}").status_code == 200
        assert guest.shows("is away: last known state", '<span data-age="36', "6 minutes ago</span>")
        assert not guest.shows("Still works:")
        assert bare(known[page]) == bare(guest.page)
    assert 300 < int(LEFT.search(known["wall/clock"])[1]) - int(LEFT.search(guest.page)[1]) <= 400
    switched.away.clear()
    monkeypatch.setattr(last_known, "monotonic", lambda now=last_known.monotonic: now() + 360)
    guest.open(f"{event}/standings")
    assert not guest.shows("is away")


def test_staff_see_what_still_works_in_their_language(app, services, switched, event):
    organiser = signed_in(app, services.token("operator"))
    organiser.open(f"{event}/round")
    switched.away = {"pairing"}
    organiser.open(f"{event}/round")
    assert organiser.shows(
        "Pairing is away", "Still works:", "results and standings", "Does not work:", "starting rounds"
    )
    german = organiser.client.get(f"{event}/round", headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert "Die Auslosung antwortet nicht: letzter bekannter Stand, <span" in german


def test_cached_answers_are_not_shared_between_tokens(app, services, switched):
    evening = services.evening("before", visibility="private")
    organiser = signed_in(app, evening.token("organiser"))
    assert organiser.open(f"/events/{evening.id}/standings").status_code == 200
    switched.away = set(SERVICES)
    assert organiser.open(f"/events/{evening.id}/standings").status_code == 200
    for other in (Browser(app), signed_in(app, evening.token("referee"))):
        assert other.open(f"/events/{evening.id}/standings").status_code == 503


def test_later_requests_do_not_wait_for_a_service_that_is_away(app, switched, event):
    guest = Browser(app)
    guest.open(f"{event}/standings")
    switched.away = {"scoring"}
    guest.open(f"{event}/standings")
    before = switched.asked.count("scoring")
    for _ in range(5):
        assert guest.open(f"{event}/standings").status_code == 200
    assert switched.asked.count("scoring") == before


def test_what_is_sent_is_sent_whatever_was_known(app, services, switched, event):
    organiser = signed_in(app, services.token("operator"))
    organiser.open(f"{event}/round")
    switched.away = {"scoring"}
    assert organiser.send(do="close", round=2).status_code == 503
    switched.away.clear()
    assert organiser.send(f"{event}/round", csrf_token="").status_code == 400
    organiser.open(f"{event}/round")
    assert organiser.send(do="close", round=2).status_code == 409


def test_a_form_asks_a_service_that_was_away_a_moment_ago_and_does_not_go_by_what_was_known(
    app, services, switched, event
):
    organiser = signed_in(app, services.token("operator"))
    organiser.open(f"{event}/round")
    switched.away = {"scoring", "pairing"}
    organiser.open(f"{event}/round")
    assert organiser.shows("is away")
    switched.away.clear()
    assert organiser.send(do="close", round=2).status_code == 409, "games are open, and it knows"
    assert not organiser.shows("is away")


def test_a_form_waits_once_for_a_service_that_is_away_still(app, services, switched, event):
    organiser = signed_in(app, services.token("operator"))
    organiser.open(f"{event}/round")
    switched.away = {"pairing"}
    organiser.open(f"{event}/round")
    switched.asked.clear()
    organiser.send(do="extend", round=2)
    assert organiser.shows("is away", "Enter the number of minutes.")
    assert switched.asked.count("pairing") == 1


def test_no_more_is_kept_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(last_known, "MOST_BYTES", 100)
    monkeypatch.setattr(last_known, "LARGEST", 50)
    known = last_known.AnswerCache()
    for number in range(5):
        known.keep(("", "scoring", f"/{number}", "", ""), httpx.Response(200, content=b"x" * 40))
    known.keep(("", "scoring", "/large", "", ""), httpx.Response(200, content=b"x" * 51))
    found = [number for number in range(5) if known.find(("", "scoring", f"/{number}", "", ""))]
    assert found == [3, 4]
    assert known.find(("", "scoring", "/large", "", "")) is None
