"""Keys and links that do not work: how quickly an address may try them; and that good ones get in meanwhile."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from muster_client import Muster
from services.console.app import build_web
from services.console.pages import sign_ins
from services.console.pages.sign_ins import ADDRESSES, AT_ONCE, Guesses, TooManyGuesses
from services.console.settings import load
from shared.settings import SERVICES
from tests.console.in_process import InProcess
from tests.console_pages.conftest import CSRF
from tests.console_pages.test_evening import announced
from tests.fuzz.muster import Muster as Services

ONE, OTHER = "192.0.2.1", "192.0.2.2"


class Clock:
    """Time that moves when a test moves it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Counting(InProcess):
    """The way to the services. asked: how many requests they got."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.asked = 0

    def handle_request(self, request):
        self.asked += 1
        return super().handle_request(request)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def guesses(clock: Clock) -> Guesses:
    return Guesses(clock)


def wait_after(guesses: Guesses, address: str, times: int = 1) -> int:
    """Try wrong keys; return the seconds to wait that the last one gets, 0 for none."""
    wait = 0
    for _ in range(times):
        try:
            guesses.take(address)
            wait = 0
        except TooManyGuesses as refused:
            wait = refused.wait
    return wait


def test_an_address_tries_thirty_at_once_and_one_a_second_after_that(guesses, clock):
    assert wait_after(guesses, ONE, AT_ONCE) == 0
    assert wait_after(guesses, ONE, 100) == 1  # refused ones are not held against it
    assert wait_after(guesses, OTHER) == 0
    for _ in range(3):
        clock.now += 1
        assert (wait_after(guesses, ONE), wait_after(guesses, ONE)) == (0, 1)
    clock.now += 3600
    assert wait_after(guesses, ONE, AT_ONCE) == 0
    assert wait_after(guesses, ONE) == 1


def test_all_addresses_of_one_network_count_as_one(guesses):
    for number in range(AT_ONCE):
        guesses.take(f"2001:db8:1:2::{number:x}")
    assert wait_after(guesses, "2001:db8:1:2:ffff::1") == 1
    assert wait_after(guesses, "2001:db8:1:3::1") == 0


def test_no_number_of_addresses_takes_more_memory(guesses):
    wait_after(guesses, ONE, AT_ONCE)
    for number in range(ADDRESSES + 50):
        guesses.take(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert len(guesses._allowances) == ADDRESSES
    assert wait_after(guesses, ONE) == 0  # wrong longest ago, and forgotten


@pytest.fixture
def way(services) -> Counting:
    return Counting(services)


@pytest.fixture
def web(services, way, clock) -> Flask:
    """The console behind one proxy, with the public keys of the services and a clock of its own."""
    urls = {name: f"http://{name}" for name in SERVICES}
    env = {"MUSTER_DATA": services.env["MUSTER_DATA"], "MUSTER_TRUSTED_PROXIES": "1"}
    app = build_web(env, Muster(urls, patience=0.0, transport=way))
    app.config["TESTING"] = True
    sign_ins.connect(app, load(env).token_keys, Guesses(clock))
    return app


def headers(address: str, language: str = "en") -> dict[str, str]:
    return {"X-Forwarded-For": f"203.0.113.9, {address}", "Accept-Language": language}


def test_a_hall_that_tried_any_number_of_wrong_keys_still_gets_in_with_good_ones(web, services, organiser, clock):
    event = announced(organiser)
    id = event.rpartition("/")[2]
    organiser.open(f"{event}/players")
    organiser.send(players="Ana Lind")
    organiser.send(f"{event}/players/p1", do="link")
    good, link = services.token("operator"), re.search(rf"{event}/come-in\?token=[\w.-]+", organiser.page)[0]
    foreign = services.token("player", tournament=id, player="p999")
    client = web.test_client()
    csrf = CSRF.search(client.get("/sign-in").text)[1]
    forms = {"csrf_token": csrf}
    for number in range(AT_ONCE):
        if number % 3 == 0:
            answer = client.post("/sign-in", data={**forms, "token": "a.b.c"}, headers=headers(ONE))
            assert answer.status_code == 422
        elif number % 3 == 1:
            assert client.get("/come-in?key=a.b.c", headers=headers(ONE)).headers["Location"] == "/sign-in"
        else:
            assert client.get(f"{event}/come-in?token={foreign}", headers=headers(ONE)).status_code == 403
    for address in ("/come-in?key=a.b.c", f"{event}/come-in?token={foreign}"):
        refused = client.get(address, headers=headers(ONE))
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1")
        assert "Wait a second" in refused.text
        assert "<script" not in re.sub(r"<script src=[^>]+></script>", "", refused.text)
    refused = client.post("/sign-in", data={**forms, "token": "a.b.c"}, headers=headers(ONE, "de"))
    assert refused.status_code == 429
    assert "Warte eine Sekunde" in refused.text
    for address, leads in ((link, f"{event}/table"), (f"/come-in?key={good}", "/")):
        phone = web.test_client()
        assert phone.get(address, headers=headers(ONE)).headers["Location"] == leads
    assert client.post("/sign-in", data={**forms, "token": good}, headers=headers(ONE)).status_code == 302
    assert client.get("/come-in?key=a.b.c", headers=headers(OTHER)).status_code == 302


def test_no_service_is_asked_about_a_key_that_was_not_signed_here_or_is_over(web, way, services, organiser):
    event = announced(organiser)
    id = event.rpartition("/")[2]
    head, claims, signature = services.token("player", tournament=id, player="p1").split(".")
    over = services.token("player", tournament=id, player="p1", exp=1_700_000_001)
    elsewhere = services.token("player", tournament="t-elsewhere", player="p1")
    another = services.token("player", tournament=id, player="p2").split(".")[1]
    staff = services.token("organiser", tournament=id)
    client, before = web.test_client(), way.asked
    for wrong in (
        "x",
        "a.b.c",
        f"{head}.{claims}.{signature[:-6]}AAAAAA",
        f"{head}.{another}.{signature}",
        f"{head}.{claims}.",
        over,
        elsewhere,
        staff,
    ):
        assert client.get(f"{event}/come-in?token={wrong}").status_code == 403, wrong
    assert way.asked == before


def test_an_address_without_a_key_and_keys_that_are_good_count_for_nothing(web, services, clock):
    client, good = web.test_client(), services.token("operator")
    for _ in range(AT_ONCE + 1):
        client.get("/come-in", headers=headers(ONE))
        client.get("/events/t-1/come-in", headers=headers(ONE))
        client.get(f"/come-in?key={good}", headers=headers(ONE))
    assert client.get("/come-in?key=a.b.c", headers=headers(ONE)).status_code == 302
