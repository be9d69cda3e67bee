"""Who may hear that something of an event has changed, and that nobody hears of what they could not see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import EnvironBuilder

from services.console.app import build_web
from services.console.live import hub as hubs
from services.console.live.hub import hub_of
from services.console.live.watch import KINDS
from shared.web.streams import Stream
from tests.console.in_process import client
from tests.console_pages.conftest import Browser, signed_in
from tests.stream_clients import StreamClient


class Listening(StreamClient):
    """A page of somebody's that listens; what it was told so far."""

    def __init__(self, browser: Browser, event: str, address: str = "192.0.2.1") -> None:
        super().__init__()
        kept = browser.client.get_cookie("muster_console")
        headers = {"Cookie": f"{kept.key}={kept.value}"} if kept else {}
        environ = EnvironBuilder(f"{event}/live", headers=headers, multithread=True).get_environ()
        environ |= {**self.environ, "REMOTE_ADDR": address}
        begun: list[Any] = []
        body = browser.client.application(environ, lambda *said: begun.extend(said))
        self.status, self.headers = int(begun[0][:3]), dict(begun[1])
        if isinstance(body, Stream):
            self.hold(body)


@pytest.fixture(scope="module")
def app(services, tmp_path_factory) -> Iterator[Flask]:
    """The console with a hub of its own, which ends with these tests."""
    data = str(tmp_path_factory.mktemp("live"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("services.console.live.watch.RECENT_SECONDS", 600.0)
        patch.setattr(hubs, "SHORTEST_INTERVAL", 0.02)
        patch.setattr("services.console.live.watch.PAUSE", 0.1)
        app = build_web({"MUSTER_DATA": data}, client(services, patience=0.0))
        yield app
        hub_of(app).stop()


def test_all_pages_get_a_change_with_its_game(services, guest):
    evening = services.evening()
    event = f"/events/{evening.id}"
    page = Listening(guest, event)
    assert page.status == 200
    assert page.headers["Content-Type"].startswith("text/event-stream")
    assert page.headers["Cache-Control"] == "no-store"
    page.hears(*KINDS)
    game = evening.games(2)[3]["id"]
    evening.report(game, by=evening.games(2)[3]["player_1"])
    heard = page.hears("games")
    assert set(heard) == {"games"}
    assert heard["games"]["ids"] == [game]


def test_calls_and_drafts_only_reach_staff(app, services, guest):
    evening = services.evening("before", on_purpose=["rounds"])
    event = f"/events/{evening.id}"
    referee = Listening(signed_in(app, evening.token("referee")), event)
    everybody = Listening(guest, event)
    player = Listening(signed_in(app, evening.token("p1")), event)
    for page in (referee, everybody, player):
        page.hears(*KINDS)
    evening.do("pairing", "/rounds")
    referee.hears("round")
    evening.do("registration", "/players/p1/venue", {"venue": "v2", "reason": "asked"})
    for page in (everybody, player):
        assert set(page.hears("players")) == {"players"}
    evening.do("pairing", "/rounds/1/publication")
    for page in (everybody, player):
        page.hears("round")
    evening.do("pairing", "/rounds/1/start")
    evening.do("pairing", "/calls", {"game": evening.games(1)[0]["id"]})
    referee.hears("calls")
    evening.report(evening.games(1)[0]["id"])
    for page in (everybody, player):
        assert "calls" not in page.hears("games")


def test_an_event_that_is_not_public_tells_its_own_people_alone(app, services, guest):
    evening = services.evening("between", visibility="private")
    event = f"/events/{evening.id}"
    assert Listening(guest, event).status == 404
    other = services.evening("before")
    assert Listening(signed_in(app, other.token("p1")), event).status in (403, 404)
    player, staff = (Listening(signed_in(app, evening.token(who)), event) for who in ("p1", "organiser"))
    for page in (player, staff):
        page.hears(*KINDS)
    evening.round(2)
    for page in (player, staff):
        page.hears("round")


def test_a_forged_or_ended_token_hears_nothing(app, services):
    evening = services.evening("before")
    browser = signed_in(app, evening.token("organiser"))
    with browser.client.session_transaction() as session:
        head, claims, _ = session["tokens"][-1].split(".")
        session["tokens"] = [f"{head}.{claims}.forged"]
    assert Listening(browser, f"/events/{evening.id}").status == 401


def test_an_event_that_is_not_there_says_so(guest, organiser):
    assert Listening(guest, "/events/t-none").status == 404
    assert Listening(organiser, "/events/t-none").status == 404


def test_a_page_without_a_place_gets_retry_after(app, services, guest, monkeypatch):
    evening = services.evening("before")
    event = f"/events/{evening.id}"
    answer = guest.client.get(f"{event}/live")  # a server with one thread
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    monkeypatch.setattr(hubs, "MOST_OF_ONE", 0)
    assert Listening(guest, event).status == 503
    monkeypatch.undo()
    monkeypatch.setattr(hubs, "MOST_WATCHES", hub_of(app).watches)
    assert Listening(guest, event).status == 503


@pytest.mark.parametrize(
    ("full", "neighbour", "other"),
    [
        ("192.0.2.7", "192.0.2.7", "192.0.2.8"),
        ("2001:db8:0:7::1", "2001:db8:0:7:ffff::2", "2001:db8:0:8::1"),
    ],
)
def test_another_address_is_served_while_one_is_at_its_limit(services, guest, monkeypatch, full, neighbour, other):
    monkeypatch.setattr(hubs, "MOST_BEGUN", 2)
    first, second, third = (f"/events/{services.announce().id}" for _ in range(3))
    assert [Listening(guest, event, full).status for event in (first, second)] == [200, 200]
    refused = Listening(guest, third, neighbour)
    assert (refused.status, refused.headers["Retry-After"]) == (503, "60")
    assert Listening(guest, first, neighbour).status == 200, "what is begun is open to everyone"
    assert Listening(guest, third, other).status == 200
    assert Listening(guest, third, neighbour).status == 200


def test_asking_for_the_head_of_a_stream_takes_no_place(app, services, guest):
    event = f"/events/{services.announce().id}"
    open_before = hub_of(app).open
    answer = guest.client.head(f"{event}/live", environ_overrides={"wsgi.multithread": True})
    assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
    assert hub_of(app).open == open_before


@pytest.mark.parametrize("how", ["taken back", "dismissed"])
def test_when_the_token_that_is_read_with_is_no_longer_good_the_others_of_the_role_go_on_hearing(app, services, how):
    evening = services.evening()
    event = f"/events/{evening.id}"
    staff = [evening.do("registration", "/staff", {"name": name, "role": "referee"}).body for name in ("Rita", "Rolf")]
    first, other = (signed_in(app, one["token"]) for one in staff)
    gone, stays = Listening(first, event), Listening(other, event)
    for page in (gone, stays):
        page.hears(*KINDS)
    if how == "dismissed":
        evening.do("registration", f"/staff/{staff[0]['id']}/dismissal", {"reason": "ill"})
    else:
        evening.do("registration", "/tokens/revocations", {"token_id": staff[0]["token_id"], "reason": "lost"})
    stays.hears(*KINDS)  # read anew with the other one's token: anything may have changed meanwhile
    gone.until(lambda it: it.ended)
    evening.do("pairing", "/calls", {"game": evening.games(2)[0]["id"]})
    stays.hears("calls")
    assert Listening(first, event).status == 401


def test_a_subscription_without_a_valid_token_restarts_with_the_next_listener(app, services):
    evening = services.evening()
    event = f"/events/{evening.id}"
    staff = [evening.do("registration", "/staff", {"name": name, "role": "referee"}).body for name in ("Rita", "Rolf")]
    gone = Listening(signed_in(app, staff[0]["token"]), event)
    gone.hears(*KINDS)
    evening.do("registration", f"/staff/{staff[0]['id']}/dismissal", {"reason": "ill"})
    gone.until(lambda it: it.ended)
    late = Listening(signed_in(app, staff[1]["token"]), event)
    late.hears(*KINDS)
    evening.do("pairing", "/calls", {"game": evening.games(2)[0]["id"]})
    late.hears("calls")
