"""In a hall: whatever a phone is shown or scans leads to the machine there, never to the phone itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import segno
from flask import Flask

from deploy import greeting
from deploy.operator import issuer_of
from deploy.run import one_origin
from muster_client import Muster
from services.console import settings as console_settings
from services.console.app import build_web
from shared import settings
from shared.settings import SERVICES
from tests.console.in_process import InProcess
from tests.console_pages.conftest import signed_in
from tests.console_pages.test_evening import paired

HALL = "192.0.2.44"
ELSEWHERE = re.compile(r"127\.0\.0\.1|0\.0\.0\.0|localhost|\[::1?\]")
ADDRESS = re.compile(r'(?:href|src|value|action)="(https?://[^"]+)"')
PICTURE = re.compile(r'src="(data:image/svg\+xml[^"]+)"')
PLACES = (
    "",
    "/about",
    "/pairings",
    "/history/p1",
    "/players",
    "/player/p1",
    "/walls",
    "/prints",
    "/prints/signs",
    "/prints/slips",
)
PLACES += ("/standings", "/check-in", "/round", "/overlay", "/wall/pairings", "/join")


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment of `MUSTER_BIND=0.0.0.0 make run`, as its processes get it."""
    for module in (settings, console_settings):
        monkeypatch.setattr(module, "reached_at", lambda _: HALL)
    env = {"MUSTER_DATA": str(tmp_path), "MUSTER_BIND": "0.0.0.0"}
    assert one_origin(env) == []
    return env


@pytest.fixture
def hall(env: dict[str, str], services) -> Flask:
    urls = {name: f"http://{name}" for name in SERVICES}
    app = build_web(env, Muster(urls, patience=0.0, transport=InProcess(services)))
    app.config["TESTING"] = True
    return app


def test_pages_name_no_address_but_that_in_the_hall(hall, services):
    organiser = signed_in(hall, services.token("operator"))
    event = paired(organiser)
    found = set()
    for place in PLACES:
        answer = organiser.open(f"{event}{place}")
        assert answer.status_code == 200, place
        assert not ELSEWHERE.search(organiser.page), place
        found |= set(ADDRESS.findall(organiser.page))
    below = f"http://{HALL}:8000"
    assert all(address.startswith(f"{below}/") for address in found), found
    assert {f"{below}/{name}" for name in SERVICES} <= {
        address.partition("/tournaments/")[0].partition("/feed")[0] for address in found
    }


def test_codes_lead_there(hall, services):
    organiser = signed_in(hall, services.token("operator"))
    event = paired(organiser)
    organiser.open(f"{event}/players")
    organiser.send(f"{event}/players/p1", do="link")
    link = re.search(rf"http://{HALL}:8000{event}/come-in\?token=[\w.-]+", organiser.page)[0]
    assert code(link) in organiser.page
    organiser.open(f"{event}/walls")
    assert code(f"http://{HALL}:8000{event}/wall/pairings") in organiser.page
    for place in ("signs", "slips"):
        organiser.open(f"{event}/prints/{place}")
        assert set(PICTURE.findall(organiser.page)) == {code(f"http://{HALL}:8000{event}/table")}, place


def test_the_greeting_and_the_services_name_it_too(env):
    of_registration = settings.load("registration", env)
    assert of_registration.public_urls == {name: f"http://{HALL}:8000/{name}" for name in SERVICES}
    assert of_registration.peers["scoring"] == "http://127.0.0.1:8003"
    shown = greeting.lines(of_registration, 1_800_000_000, "t-1", issuer_of(env), greeting.console_of(env))
    addresses = [word for line in shown for word in line.split() if word.startswith("http")]
    assert addresses[0] == f"http://{HALL}:8000/"
    assert f"http://{HALL}:8000/events/t-1/about" in addresses
    assert [address for address in addresses if not address.startswith(f"http://{HALL}:8000/")] == []


def test_without_the_console_each_service_has_its_own_address_there(env):
    alone = {name: value for name, value in env.items() if name in ("MUSTER_DATA", "MUSTER_BIND")}
    assert settings.load("pairing", alone).public_urls["scoring"] == f"http://{HALL}:8003"
    assert greeting.console_of({**alone, "MUSTER_CONSOLE": "0"}) == ""


def test_services_that_listen_on_one_address_are_asked_there(tmp_path):
    env = {"MUSTER_DATA": str(tmp_path), "MUSTER_BIND": "10.0.0.5"}
    assert settings.load("pairing", env).peers["scoring"] == "http://10.0.0.5:8003"
    assert console_settings.load(env).urls["scoring"] == "http://10.0.0.5:8003"


def code(address: str) -> str:
    """The picture of a code, as it stands on a page."""
    return str(segno.make(address, error="m").svg_data_uri(scale=6, border=4, light="#fff")).replace("'", "&#39;")
