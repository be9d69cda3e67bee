"""The console as `make run` starts it, with the services below it."""

from __future__ import annotations

import re
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from deploy.operator import operator
from deploy.ports import free_ports
from deploy.stack import Stack
from muster.simulator.director import Director
from shared.roles import OPERATOR
from shared.settings import PORT_OFFSETS
from tests import http
from tests.deploy.edge import make_certificate
from tests.event_streams import EventReader
from tests.issuing import token_of
from tests.waiting import PATIENCE, until

HALL = {"X-Forwarded-For": "10.9.9.9", "X-Forwarded-Host": "evil.test", "X-Forwarded-Prefix": "/evil"}


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


def test_what_was_made_below_it_is_where_its_answers_say(stack, client):
    host = operator(stack.urls, stack.issuer)
    director = Director.announce(host, name="Club night", ruleset="star-wars-armada-1.1", tier="casual", rounds=2)
    path = f"/registration/tournaments/{director.id}/players"
    made = client.post(path, json={"name": "Dora"})
    assert made.status_code == 201, made.text
    assert made.headers["Location"].startswith(f"{path}/")
    assert client.get(made.headers["Location"]).json()["name"] == "Dora"
    director.join([{"name": "Ada"}])
    following = client.get(f"{path}?limit=1").headers["Link"].partition("<")[2].partition(">")[0]
    assert following.startswith(f"{console_of(stack)}{path}?limit=1&")
    assert client.get(following).status_code == 200
    assert client.get("/scoring/openapi.json").json()["servers"] == [{"url": "/scoring"}]
    assert "swagger" in client.get("/pairing", follow_redirects=True).text
    assert f'href="{console_of(stack)}/scoring/feed' in client.get(f"/events/{director.id}/about").text


def test_a_service_believes_the_console_and_nobody_else_where_a_request_came_from(stack, client):
    for address in (stack.urls["scoring"], f"{console_of(stack)}/scoring"):
        document = client.get(f"{address}/openapi.json", headers=HALL).json()
        assert document["servers"] == [{"url": "/scoring" if address.endswith("/scoring") else "/"}]


def test_streams_pass_through_as_they_come_without_a_thread_each(stack, client):
    director = Director.announce(operator(stack.urls, stack.issuer), name="Evening", ruleset="star-wars-armada-1.1")
    address = f"/scoring/tournaments/{director.id}/stream"
    until(lambda: client.get(address.replace("stream", "log")).status_code == 200)
    with ExitStack() as opened:
        open_one = opened.enter_context
        streams = [open_one(http.stream("GET", console_of(stack) + address)) for _ in range(40)]
        for stream in streams:
            assert stream.headers["Content-Type"].startswith("text/event-stream")
        assert client.get("/registration/healthz").status_code == 200
        director.join([{"name": "Ada"}])
        # httpx closes the connection of an iterator that is collected, so all of them stay in a list.
        readings = [stream.iter_raw() for stream in streams]
        for pieces in readings:
            reader = EventReader()
            while not reader.messages or "Ada" not in reader.messages[-1].data:
                reader.feed(next(pieces))
        assert open_streams(client) == 40
    until(lambda: open_streams(client) == 0)
    assert client.get(address, headers={"Last-Event-ID": "a" * 40}).json()["code"] == "feed-cursor-unknown"


def test_a_stream_ends_with_its_service_and_with_the_console(stack, client):
    ended = []

    def read_to_the_end(address: str) -> None:
        try:
            with http.stream("GET", address) as stream:
                ended.append(b"".join(stream.iter_raw()))
        except httpx.TransportError:
            ended.append(b"")

    reading = threading.Thread(target=read_to_the_end, args=[f"{console_of(stack)}/scoring/feed/stream"])
    reading.start()
    until(lambda: open_streams(client) == 1)
    stack.kill("scoring.web")
    reading.join(PATIENCE)
    assert ended
    until(lambda: client.get("/scoring/readyz").status_code == 200)


def test_it_comes_back_when_it_is_killed(stack):
    console = console_of(stack)
    assert "--felt" in shown(f"{console}/static/muster.css")
    stack.kill("console.web", wait=False)
    assert "<main" in shown(console)


@pytest.mark.engine("openssl")
def test_with_a_certificate_everything_is_served_by_https(tmp_path):
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
        director = Director.announce(host, name="Open day", ruleset="star-wars-armada-1.1")
        links = re.findall(r'href="(https?://[^"]+)"', client.get(f"/events/{director.id}/about").text)
        assert links
        assert all(link.startswith(f"{console}/") for link in links), links
        Director.announce(host, name="Another", ruleset="star-wars-armada-1.1")
        page = client.get("/registration/tournaments?limit=1", headers={"Authorization": f"Bearer {token}"})
        assert page.headers["Link"].startswith(f"<{console}/registration/tournaments?")
        with client.stream("GET", "/scoring/feed/stream?after=now") as stream:
            assert next(stream.iter_raw()).startswith(b"retry:")
        moved = http.get(f"http://127.0.0.1:{port}/sign-in")
        assert (moved.status_code, moved.headers["Location"]) == (307, f"{console}/")


def answers(client: http.Client, path: str) -> bool:
    try:
        return client.get(path).status_code == 200
    except httpx.TransportError:
        return False


def open_streams(client: http.Client) -> int:
    text = client.get("/scoring/metrics").text
    return int(float(text.partition("\nmuster_streams ")[2].partition("\n")[0]))


def shown(address: str) -> str:
    """Return a page as soon as the console answers."""

    def page() -> str:
        try:
            return http.get(address).raise_for_status().text
        except httpx.TransportError:
            return ""

    return until(page, "the console answers")
