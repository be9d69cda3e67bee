"""The edge: real nginx with TLS before real services, all of them under one address."""

from __future__ import annotations

import json
import re
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from deploy.operator import operator
from deploy.stack import Stack
from muster.simulator.director import Director
from shared.roles import OPERATOR
from shared.settings import PORT_OFFSETS, SERVICES
from tests.deploy.edge import SCRIPT, RunningEdge, edge_of, two_ports
from tests.event_streams import EventReader
from tests.issuing import token_of

pytestmark = pytest.mark.engine("edge")

PAGE = "https://club.example"


@pytest.fixture(scope="module")
def place() -> Iterator[tuple[Stack, RunningEdge]]:
    address = two_ports()
    env = {
        "MUSTER_TRUSTED_PROXIES": "1",
        "MUSTER_PUBLIC_URL": f"https://localhost:{address}",
        "MUSTER_CORS_ORIGINS": PAGE,
        "MUSTER_RATE_LIMIT": "off",
    }
    with Stack(env=env) as stack:
        ports = {name: stack.port_base + PORT_OFFSETS[name] for name in SERVICES}
        with edge_of(ports, address) as edge:
            yield stack, edge


@pytest.fixture
def stack(place: tuple[Stack, RunningEdge]) -> Stack:
    return place[0]


@pytest.fixture
def edge(place: tuple[Stack, RunningEdge]) -> RunningEdge:
    return place[1]


@pytest.fixture
def client(stack: Stack, edge: RunningEdge) -> Iterator[httpx.Client]:
    token = token_of(stack.env, OPERATOR)
    with httpx.Client(base_url=edge.url, verify=edge.tls, headers={"Authorization": f"Bearer {token}"}) as client:
        yield client


def test_a_tournament_is_played_through_it(stack, edge):
    env = {
        **stack.env,
        **{f"{name.upper()}_URL": f"{edge.url}/{name}" for name in SERVICES},
        "SSL_CERT_FILE": str(edge.certificate),
        "MUSTER_TOKEN": token_of(stack.env, OPERATOR),
    }
    command = [sys.executable, "-m", "muster.cli.main", "play", "--ruleset", "star-wars-armada-1.1", "--players", "4"]
    command += ["--rounds", "2", "--format", "json"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)) >= 1


def test_what_was_made_is_where_its_location_says(client, stack, edge):
    host = operator(stack.urls, stack.issuer)
    director = Director.announce(host, name="Club night", ruleset="star-wars-armada-1.1", tier="casual", rounds=2)
    director.open_venue("Back room", 4)
    path = f"/registration/tournaments/{director.id}/players"
    made = client.post(path, json={"name": "Dora"})
    assert made.status_code == 201, made.text
    assert made.headers["Location"].startswith(f"{path}/")
    assert client.get(made.headers["Location"]).json()["name"] == "Dora"
    director.join({"name": name} for name in ("Ada", "Bela", "Cleo"))
    page = client.get(f"{path}?limit=2")
    following = page.headers["Link"].partition("<")[2].partition(">")[0]
    assert following.startswith(f"{edge.url}{path}?limit=2&")
    assert client.get(following).status_code == 200


@pytest.mark.parametrize("service", SERVICES)
def test_documents_and_pages_work_under_the_prefix(client, service):
    document = client.get(f"/{service}/openapi.json").json()
    assert document["servers"] == [{"url": f"/{service}"}]
    docs = client.get(f"/{service}", follow_redirects=True)
    assert docs.url.path == f"/{service}/docs"
    for found in docs.text.split('src="')[1:]:
        assert client.get(urljoin(str(docs.url), found.partition('"')[0])).status_code == 200
    ways = re.findall(r'<a href="([^"]+)"', docs.text)
    assert len(ways) == 2
    assert all(client.get(way).url.path.endswith("/docs") for way in ways), ways
    assert client.get(f"/{service}/readyz").json()["status"] in ("ok", "degraded")


def test_the_type_of_every_problem_leads_to_its_page_whichever_service_has_it(client):
    for service in SERVICES:
        listed = client.get(f"/{service}/problems", headers={"Accept": "application/json"}).json()["items"]
        assert [one["type"] for one in listed if client.get(one["type"]).status_code != 200] == []
    assert client.get("/problems/no-such-code").status_code == 404


def test_headers_that_say_where_a_request_came_from_are_the_edges_own(client, edge):
    forged = {"X-Forwarded-Host": "evil.test", "X-Forwarded-Prefix": "/evil", "Host": "evil.test"}
    asked = client.get("/registration/openapi.json", headers=forged)
    assert asked.json()["servers"] == [{"url": "/registration"}]
    moved = client.get("/registration", headers=forged)
    assert moved.headers["Location"].startswith(edge.url)


def test_without_tls_people_are_sent_to_it(edge):
    answer = httpx.get(f"http://127.0.0.1:{edge.plain}/scoring/docs?x=1")
    assert (answer.status_code, answer.headers["Location"]) == (308, f"{edge.url}/scoring/docs?x=1")
    assert httpx.get(f"http://127.0.0.1:{edge.plain}/healthz").status_code == 200


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_old_tls_is_refused_and_browsers_are_told_to_stay(client, edge):
    assert "max-age" in client.get("/").headers["Strict-Transport-Security"]
    old = edge.tls
    old.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    old.maximum_version = ssl.TLSVersion.TLSv1_1
    port = urlsplit(edge.url).port
    with (
        socket.create_connection(("localhost", port)) as plain,
        pytest.raises((ssl.SSLError, ConnectionError)),
        old.wrap_socket(plain, server_hostname="localhost"),
    ):
        pass


def test_a_page_that_is_named_reads_through_it(client):
    asks = {"Origin": PAGE, "Access-Control-Request-Method": "POST"}
    answer = client.options("/registration/tournaments", headers=asks)
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]


def test_what_the_edge_refuses_itself_is_a_problem_too(client):
    large = client.post("/registration/tournaments", content=b"x" * 1_200_000)
    assert (large.status_code, large.json()["code"]) == (413, "too-large")
    nothing = client.get("/elsewhere")
    assert (nothing.status_code, nothing.json()["code"]) == (404, "not-found")
    assert nothing.headers["Content-Type"] == "application/problem+json"


def test_a_stream_comes_through_as_it_happens_and_ends_with_its_client(client, stack, edge):
    director = Director.announce(operator(stack.urls, stack.issuer), name="Evening", ruleset="star-wars-armada-1.1")
    address, reader = f"/scoring/tournaments/{director.id}/stream", EventReader()
    wait_for(lambda: client.get(address.replace("stream", "log")).status_code == 200)
    with httpx.stream("GET", edge.url + address, verify=edge.tls, timeout=20) as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        pieces = stream.iter_raw()
        while not reader.messages:
            reader.feed(next(pieces))
        for name in ("Ada", "Bela"):  # each comes before the next one is sent
            director.join([{"name": name}])
            while name not in reader.messages[-1].data:
                reader.feed(next(pieces))
        assert open_streams(client) == 1
    wait_for(lambda: open_streams(client) == 0)
    assert client.get(address, headers={"Last-Event-ID": "a" * 40}).json()["code"] == "feed-cursor-unknown"


def open_streams(client: httpx.Client) -> int:
    text = client.get("/scoring/metrics").text
    return int(float(text.partition("\nmuster_streams ")[2].partition("\n")[0]))


def wait_for(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_slow_client_reaches_no_service_until_its_request_is_whole(client, stack, edge):
    """A body that never ends is the edge's to wait for; the service's log knows nothing of it."""
    port = urlsplit(edge.url).port
    request_id = "slow-client-1"
    with (
        socket.create_connection(("localhost", port)) as plain,
        edge.tls.wrap_socket(plain, server_hostname="localhost") as slow,
    ):
        slow.sendall(
            b"POST /registration/tournaments HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
            b"X-Request-Id: slow-client-1\r\n\r\n{"
        )
        time.sleep(0.5)
        assert client.get("/registration/healthz").status_code == 200
    assert request_id not in stack.output(10_000)


def test_a_token_in_an_address_is_in_no_log_line_of_the_edge(client, edge):
    client.get("/scoring/tournaments/nowhere/standings?token=secret-of-a-player")
    assert "/scoring/tournaments/nowhere/standings" in edge.log.read_text()
    assert "secret-of-a-player" not in edge.log.read_text()


def test_a_service_that_is_away_is_a_problem_with_a_time_to_wait():
    address = two_ports()
    with edge_of(dict.fromkeys(SERVICES, 9), address) as edge:
        answer = httpx.get(f"{edge.url}/scoring/healthz", verify=edge.tls)
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert answer.headers["Retry-After"] == "2"


@pytest.mark.parametrize("url", ["", "http://muster.example", "https://", "https://muster.example/path", "https://a|b"])
def test_without_an_address_that_people_can_use_it_does_not_start(url):
    done = subprocess.run(
        ["sh", str(SCRIPT)], env={"PATH": "/usr/bin:/bin", "MUSTER_PUBLIC_URL": url}, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr.startswith("MUSTER_PUBLIC_URL: ")
