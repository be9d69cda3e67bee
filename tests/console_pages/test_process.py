"""The console as `make run` starts it, next to the services."""

from __future__ import annotations

import html
import re
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier

import httpx
import pytest

from deploy.stack import Stack, free_ports, operator
from muster.simulator.director import Director
from services.console.app import PAGES_AT_ONCE
from shared.roles import OPERATOR
from shared.settings import PORT_OFFSETS
from tests import http
from tests.deploy.edge import make_certificate
from tests.issuing import token_of
from tests.waiting import PATIENCE, until

RULESET = "star-wars-armada-1.1"
PAGES = 3 * PAGES_AT_ONCE
EVENTS = 64
LINK = re.compile(r'href="(https?://[^"]+)"')


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    with Stack(env={"MUSTER_CONSOLE": "1"}) as stack:
        shown(console_of(stack))
        yield stack


@pytest.fixture
def client(stack: Stack) -> Iterator[http.Client]:
    headers = {"Authorization": f"Bearer {token_of(stack.env, OPERATOR)}"}
    with http.Client(base_url=console_of(stack), headers=headers) as client:
        yield client


def console_of(stack: Stack) -> str:
    return f"http://127.0.0.1:{stack.port_base + PORT_OFFSETS['console']}"


def test_its_pages_lead_to_the_services_at_their_own_ports(stack, client):
    director = Director.announce(operator(stack.urls, stack.issuer), name="Club night", ruleset=RULESET)
    links = [html.unescape(link) for link in LINK.findall(client.get(f"/events/{director.id}/about").text)]
    assert {stack.urls["registration"], stack.urls["scoring"]} <= {link[: len(stack.urls["scoring"])] for link in links}
    for link in links:
        assert client.get(link).status_code == 200, link


def test_it_answers_for_no_service(client):
    for path in ("/scoring/healthz", "/registration/tournaments", "/pairing", "/problems/round-not-open"):
        assert client.get(path).status_code == 404, path


def test_a_player_who_opens_their_link_in_a_browser_arrives_at_their_table(stack):
    director = Director.announce(operator(stack.urls, stack.issuer), name="Evening", ruleset=RULESET)
    (player,) = director.join([{"name": "Ada"}])
    link = director.organiser.registration.issue_player_link(director.id, player).link
    assert link.startswith(f"{stack.urls['registration']}/tournaments/{director.id}/me?token=")
    with http.Client(headers={"Accept": "text/html"}, follow_redirects=True) as browser:
        page = browser.get(link)
    assert (page.status_code, str(page.url)) == (200, f"{console_of(stack)}/events/{director.id}/table")
    assert "Ada" in page.text


def test_more_pages_than_are_made_at_once_are_answered_while_many_subscriptions_are_open(stack, client):
    """Every page asks services, and every subscription holds a connection to one."""
    host = operator(stack.urls, stack.issuer)
    events = [Director.announce(host, name=f"Event {number}", ruleset=RULESET).id for number in range(EVENTS)]
    metrics = f"{stack.urls['scoring']}/metrics"
    with ExitStack() as held, ThreadPoolExecutor(PAGES) as several:
        for event in events:
            held.enter_context(http.stream("GET", f"{console_of(stack)}/events/{event}/live")).raise_for_status()
        until(lambda: f"\nmuster_streams {EVENTS}.0\n" in client.get(metrics).text)
        together = Barrier(PAGES)

        def open_page(number: int) -> int:
            together.wait(PATIENCE)
            return http.get(f"{console_of(stack)}/events/{events[number % len(events)]}/about").status_code

        assert set(several.map(open_page, range(PAGES))) == {200}


def test_it_comes_back_when_it_is_killed(stack):
    console = console_of(stack)
    assert "--felt" in shown(f"{console}/static/muster.css")
    stack.kill("console", wait=False)
    assert "<main" in shown(console)


@pytest.mark.engine("openssl")
def test_with_a_certificate_it_is_served_by_https(tmp_path):
    certificate, key = make_certificate(tmp_path)
    port = free_ports()
    tls = ssl.create_default_context(cafile=str(certificate))
    env = {"MUSTER_CERTIFICATE": str(certificate), "MUSTER_CERTIFICATE_KEY": str(key), "MUSTER_CONSOLE": "1"}
    env["MUSTER_PUBLIC_URL"] = console = f"https://localhost:{port}"
    with Stack(env=env, port_base=port) as stack, http.Client(base_url=console, verify=tls) as client:
        until(lambda: answers(client, "/healthz"))
        token = token_of(stack.env, OPERATOR)
        came = client.get(f"/come-in?key={token}")
        assert came.status_code == 302
        assert {"Secure", "HttpOnly", "SameSite=Lax"} <= set(came.headers["Set-Cookie"].split("; "))
        host = operator(stack.urls, stack.issuer)
        director = Director.announce(host, name="Open day", ruleset=RULESET)
        links = LINK.findall(client.get(f"/events/{director.id}/about").text)
        services = {f"http://localhost:{port + PORT_OFFSETS[name]}" for name in ("registration", "scoring")}
        assert {"/".join(link.split("/")[:3]) for link in links} == services


def answers(client: http.Client, path: str) -> bool:
    try:
        return client.get(path).status_code == 200
    except httpx.TransportError:
        return False


def shown(address: str) -> str:
    """Return a page as soon as the console answers."""

    def page() -> str:
        try:
            return http.get(address).raise_for_status().text
        except httpx.TransportError:
            return ""

    return until(page, "the console answers")
