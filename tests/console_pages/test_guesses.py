"""Keys and links that open nothing: how many somebody may try, and how long they wait then."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from muster_client import Muster
from services.console import keys_tried
from services.console.app import build_web
from services.console.keys_tried import ADDRESSES, OF_ALL, OF_ONE, SECONDS, Guesses, TooManyGuesses
from shared.settings import SERVICES
from tests.console.in_process import InProcess
from tests.console_pages.conftest import CSRF
from tests.console_pages.test_evening import announced

ONE, OTHER = "192.0.2.1", "192.0.2.2"


class Clock:
    """Time that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def guesses(clock: Clock) -> Guesses:
    return Guesses(clock)


def wait_of(guesses: Guesses, address: str) -> int:
    try:
        guesses.check(address)
    except TooManyGuesses as refused:
        return refused.wait
    return 0


def wrong(guesses: Guesses, address: str, times: int = 1) -> None:
    for _ in range(times):
        guesses.wrong(address)


def test_an_address_waits_for_the_rest_of_its_ten_minutes_and_no_other_does(guesses, clock):
    wrong(guesses, ONE, OF_ONE - 1)
    assert wait_of(guesses, ONE) == 0
    clock.now += 60
    wrong(guesses, ONE)
    assert wait_of(guesses, ONE) == SECONDS - 60
    assert wait_of(guesses, OTHER) == 0
    clock.now += SECONDS - 60
    assert wait_of(guesses, ONE) == 0
    wrong(guesses, ONE)
    assert wait_of(guesses, ONE) == 0


def test_all_addresses_of_one_network_count_as_one(guesses):
    for number in range(OF_ONE):
        guesses.wrong(f"2001:db8:1:2::{number:x}")
    assert wait_of(guesses, "2001:db8:1:2:ffff::1") == SECONDS
    assert wait_of(guesses, "2001:db8:1:3::1") == 0


def test_beyond_so_many_of_all_whoever_was_wrong_once_waits_and_nobody_else(guesses, clock):
    for number in range(OF_ALL):
        guesses.wrong(f"198.51.{number // 200}.{number % 200}")
    assert wait_of(guesses, "198.51.1.1") == SECONDS
    assert wait_of(guesses, ONE) == 0
    wrong(guesses, ONE)
    assert wait_of(guesses, ONE) == SECONDS
    clock.now += SECONDS
    assert wait_of(guesses, ONE) == 0


def test_no_number_of_addresses_takes_more_memory(guesses):
    wrong(guesses, ONE, OF_ONE)
    for number in range(ADDRESSES + 50):
        guesses.wrong(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert len(guesses._wrong) == ADDRESSES
    assert wait_of(guesses, ONE) == 0  # begun longest ago, and forgotten


@pytest.fixture
def web(services, tmp_path, clock) -> Flask:
    """The console behind one proxy, with a clock of its own."""
    urls = {name: f"http://{name}" for name in SERVICES}
    env = {"MUSTER_DATA": str(tmp_path), "MUSTER_TRUSTED_PROXIES": "1"}
    app = build_web(env, Muster(urls, patience=0.0, transport=InProcess(services)))
    app.config["TESTING"] = True
    keys_tried.connect(app, Guesses(clock))
    return app


def headers(address: str, language: str = "en") -> dict[str, str]:
    return {"X-Forwarded-For": f"203.0.113.9, {address}", "Accept-Language": language}


def test_every_way_in_counts_and_says_how_long_to_wait(web, services, organiser, clock):
    event = announced(organiser)
    client, good = web.test_client(), services.token("operator")
    foreign = services.token("player", tournament=event.rpartition("/")[2], player="p999")
    csrf = CSRF.search(client.get("/sign-in").text)[1]
    for number in range(OF_ONE):
        if number % 3 == 0:
            answer = client.post("/sign-in", data={"csrf_token": csrf, "token": "a.b.c"}, headers=headers(ONE))
            assert answer.status_code == 422
        elif number % 3 == 1:
            assert client.get("/come-in?key=a.b.c", headers=headers(ONE)).status_code == 302
        else:
            assert client.get(f"{event}/come-in?token={foreign}", headers=headers(ONE)).status_code == 403
    clock.now += 61
    for address in (f"/come-in?key={good}", f"{event}/come-in?token={foreign}"):
        refused = client.get(address, headers=headers(ONE))
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, str(SECONDS - 61))
        assert "Wait 9 minutes" in refused.text
        assert "<script" not in re.sub(r"<script src=[^>]+></script>", "", refused.text)
    refused = client.post("/sign-in", data={"csrf_token": csrf, "token": good}, headers=headers(ONE, "de"))
    assert refused.status_code == 429
    assert "Warte 9 Minuten" in refused.text
    assert client.get(f"/come-in?key={good}", headers=headers(OTHER)).status_code == 302
    assert client.get("/", headers=headers(ONE)).status_code == 200
    clock.now += SECONDS
    assert client.get(f"/come-in?key={good}", headers=headers(ONE)).status_code == 302
    assert "Sign out" in client.get("/").text


def test_an_address_without_a_key_and_keys_that_are_good_count_for_nothing(web, services, clock):
    client, good = web.test_client(), services.token("operator")
    for _ in range(OF_ONE + 1):
        client.get("/come-in", headers=headers(ONE))
        client.get("/events/t-1/come-in", headers=headers(ONE))
        client.get(f"/come-in?key={good}", headers=headers(ONE))
    assert client.get("/come-in?key=a.b.c", headers=headers(ONE)).status_code == 302
