"""In a hall: whatever a phone is shown or scans leads to the machine there, never to the phone itself."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest
import segno
from flask import Flask

from deploy import greeting
from deploy.stack import issuer_of
from muster_client import Muster
from services.console import settings as console_settings
from services.console.app import build_web
from shared import settings
from shared.settings import SERVICES, BadSettings
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


def at_ports(host: str) -> dict[str, str]:
    """Return the address of each service on a host without a reverse proxy."""
    return {name: f"http://{host}:{8001 + number}" for number, name in enumerate(SERVICES)}


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment of `MUSTER_BIND=0.0.0.0 make run`, as its processes get it."""
    monkeypatch.setattr(settings, "network_address", lambda _: HALL)
    return {"MUSTER_DATA": str(tmp_path), "MUSTER_BIND": "0.0.0.0"}


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
    assert {f"http://{address.split('/')[2]}" for address in found} == set(at_ports(HALL).values())


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
    assert of_registration.public_urls == at_ports(HALL)
    assert of_registration.peers["scoring"] == "http://127.0.0.1:8003"
    shown = greeting.lines(of_registration, 1_800_000_000, "t-1", issuer_of(env), greeting.console_of(env))
    addresses = [word for line in shown for word in line.split() if word.startswith("http")]
    assert addresses[1:7] == [
        f"http://{HALL}:8000/",
        *(f"{url}/docs" for url in at_ports(HALL).values()),
        f"http://{HALL}:8000/events/t-1/about",
        f"http://{HALL}:8001/tournaments",
    ]
    assert [
        address for address in (addresses[0], *addresses[7:]) if not address.startswith(f"http://{HALL}:8000/")
    ] == []


CERTIFICATE = {"MUSTER_CERTIFICATE": "cert.pem", "MUSTER_CERTIFICATE_KEY": "key.pem"}


@pytest.mark.parametrize(
    ("chosen", "console", "services"),
    [
        ({}, f"http://{HALL}:8000", at_ports(HALL)),
        (CERTIFICATE, f"https://{HALL}:8000", at_ports(HALL)),
        ({"MUSTER_PUBLIC_URL": "https://hall.example:8000"}, "https://hall.example:8000", at_ports("hall.example")),
        ({"MUSTER_PUBLIC_URL": "http://[2001:db8::7]:8000/"}, "http://[2001:db8::7]:8000", at_ports("[2001:db8::7]")),
        (
            {"MUSTER_PUBLIC_URL": "https://muster.example", "MUSTER_TRUSTED_PROXIES": "1"},
            "https://muster.example",
            {name: f"https://muster.example/{name}" for name in SERVICES},
        ),
        (
            {"SCORING_URL": "http://scores.example", "MUSTER_PUBLIC_URL": "http://hall.example:8000"},
            "http://hall.example:8000",
            {**at_ports("hall.example"), "scoring": "http://scores.example"},
        ),
        ({"MUSTER_CONSOLE": "0"}, "", at_ports(HALL)),
    ],
)
def test_each_service_has_its_own_port_unless_a_proxy_gives_one_address(env, chosen, console, services):
    found = settings.load("pairing", {**env, **chosen})
    assert (found.console_url, found.public_urls) == (console, services)


def test_a_public_address_that_is_no_url_is_one_fault(env):
    for load in (console_settings.load, partial(settings.load, "scoring")):
        with pytest.raises(BadSettings) as bad:
            load({**env, "MUSTER_PUBLIC_URL": "http://[::1"})
        assert [fault.where for fault in bad.value.faults] == ["MUSTER_PUBLIC_URL"]


def test_services_that_listen_on_one_address_are_asked_there(tmp_path):
    env = {"MUSTER_DATA": str(tmp_path), "MUSTER_BIND": "10.0.0.5"}
    assert settings.load("pairing", env).peers["scoring"] == "http://10.0.0.5:8003"
    assert console_settings.load(env).urls["scoring"] == "http://10.0.0.5:8003"


def code(address: str) -> str:
    """The picture of a code, as it stands on a page."""
    return str(segno.make(address, error="m").svg_data_uri(scale=6, border=4, light="#fff")).replace("'", "&#39;")
