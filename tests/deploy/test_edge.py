"""The edge: real nginx with TLS before real services, all of them under one address."""

from __future__ import annotations

import json
import re
import socket
import ssl
import sys
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

import pytest

from deploy.stack import Stack, operator
from muster.simulator.director import Director
from shared.roles import OPERATOR
from shared.settings import PORT_OFFSETS, SERVICES
from tests import http
from tests.deploy.edge import SCRIPT, RunningEdge, edge_of, two_ports
from tests.event_streams import EventReader
from tests.issuing import token_of
from tests.programs import run_program
from tests.waiting import remains, until

pytestmark = pytest.mark.engine("edge")

PAGE = "https://club.example"
CSRF = re.compile(r'name="csrf_token" value="([^"]+)"')


@pytest.fixture(scope="module")
def place() -> Iterator[tuple[Stack, RunningEdge]]:
    address = two_ports()
    env = {
        "MUSTER_TRUSTED_PROXIES": "1",
        "MUSTER_PUBLIC_URL": f"https://localhost:{address}",
        "MUSTER_CORS_ORIGINS": PAGE,
        "MUSTER_RATE_LIMIT": "off",
        "MUSTER_CONSOLE": "1",
    }
    with Stack(env=env) as stack:
        ports = {name: stack.port_base + offset for name, offset in PORT_OFFSETS.items()}
        with edge_of(ports, address) as edge:
            until(lambda: http.get(f"{edge.url}/healthz", verify=edge.tls).status_code == 200)
            yield stack, edge


@pytest.fixture
def stack(place: tuple[Stack, RunningEdge]) -> Stack:
    return place[0]


@pytest.fixture
def edge(place: tuple[Stack, RunningEdge]) -> RunningEdge:
    return place[1]


@pytest.fixture
def client(stack: Stack, edge: RunningEdge) -> Iterator[http.Client]:
    token = token_of(stack.env, OPERATOR)
    headers = {"Authorization": f"Bearer {token}"}
    with http.Client(base_url=edge.url, verify=edge.tls, headers=headers) as client:
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
    done = run_program(command, env=env, capture_output=True, text=True)
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


def test_pages_of_the_console_come_through_it(client, stack, edge):
    """Signing in, and a form: cookies are for HTTPS alone, and nothing is loaded from elsewhere."""
    with http.Client(base_url=edge.url, verify=edge.tls, follow_redirects=True) as browser:
        page = browser.get("/sign-in")
        assert page.status_code == 200
        assert "script-src 'self'" in page.headers["Content-Security-Policy"]
        assert page.headers.get_list("Strict-Transport-Security") == ["max-age=31536000"]
        token = token_of(stack.env, OPERATOR)
        signed = browser.post("/sign-in", data={"csrf_token": CSRF.search(page.text)[1], "token": token})
        assert (signed.status_code, signed.url.path) == (200, "/")
        (cookie,) = signed.history[0].headers.get_list("Set-Cookie")
        assert {"Secure", "HttpOnly", "SameSite=Lax"} <= set(cookie.split("; "))
        shown = browser.get("/", headers={"Accept-Encoding": "gzip"})
        assert shown.headers["Content-Encoding"] == "gzip"
        assert shown.headers["Cache-Control"] == "no-store"
        style = re.search(r'href="(/static/[^"]+css)"', shown.text)[1]
        kept = browser.get(style, headers={"Accept-Encoding": "gzip"})
        assert (kept.headers["Content-Encoding"], "immutable" in kept.headers["Cache-Control"]) == ("gzip", True)
        chosen = browser.post("/language", data={"csrf_token": CSRF.search(shown.text)[1], "language": "de"})
        assert all("Secure" in kept.split("; ") for kept in chosen.history[0].headers.get_list("Set-Cookie"))
        assert 'lang="de"' in chosen.text
        assert browser.get("/events/t-none/about").status_code == 404


def test_links_and_codes_of_pages_lead_through_it(client, stack, edge):
    director = Director.announce(operator(stack.urls, stack.issuer), name="Open day", ruleset="star-wars-armada-1.1")
    page = http.get(f"{edge.url}/events/{director.id}/about", verify=edge.tls)
    links = re.findall(r'href="(https?://[^"]+)"', page.text)
    assert links
    for link in links:
        assert link.startswith(f"{edge.url}/"), link
        until(lambda link=link: client.get(link.replace("&amp;", "&")).status_code == 200)


def test_a_players_link_opens_their_page_in_a_browser_and_answers_programs(client, stack, edge):
    director = Director.announce(operator(stack.urls, stack.issuer), name="Evening", ruleset="star-wars-armada-1.1")
    director.open_venue("Back room", 4)
    director.join([{"name": "Ada"}])
    address = f"/registration/tournaments/{director.id}/players"
    player = client.get(address).json()["items"][0]["id"]
    link = client.post(f"{address}/{player}/links", json={}).json()["link"]
    assert link.startswith(f"{edge.url}/registration/")
    with http.Client(verify=edge.tls, follow_redirects=True) as phone:
        assert phone.get(link, headers={"Accept": "application/json"}).json()["player"]["name"] == "Ada"
        page = phone.get(link, headers={"Accept": "text/html,*/*;q=0.8"})
        assert (page.status_code, page.url.path, page.url.query) == (200, f"/events/{director.id}/table", b"")
        assert "Ada" in page.text
        for split in (f"{director.id}%0d%0aX-Evil:%201/me?token=a", f"{director.id}/me?token=a%0d%0aX-Evil:%201"):
            answer = phone.get(f"{edge.url}/registration/tournaments/{split}", headers={"Accept": "text/html"})
            assert not [one for one in (*answer.history, answer) if "X-Evil" in one.headers]


def test_headers_that_say_where_a_request_came_from_are_the_edges_own(client, edge):
    forged = {"X-Forwarded-Host": "evil.test", "X-Forwarded-Prefix": "/evil", "Host": "evil.test"}
    asked = client.get("/registration/openapi.json", headers=forged)
    assert asked.json()["servers"] == [{"url": "/registration"}]
    moved = client.get("/registration", headers=forged)
    assert moved.headers["Location"].startswith(edge.url)


def test_without_tls_people_are_sent_to_it(edge):
    answer = http.get(f"http://127.0.0.1:{edge.plain}/scoring/docs?x=1")
    assert (answer.status_code, answer.headers["Location"]) == (308, f"{edge.url}/scoring/docs?x=1")
    assert http.get(f"http://127.0.0.1:{edge.plain}/healthz").status_code == 200


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
    form = client.post("/sign-in", content=b"x" * 1_200_000)
    assert (form.status_code, form.headers["Content-Type"]) == (413, "text/html")


def test_a_stream_comes_through_as_it_happens_and_ends_with_its_client(client, stack, edge):
    director = Director.announce(operator(stack.urls, stack.issuer), name="Evening", ruleset="star-wars-armada-1.1")
    address, reader = f"/scoring/tournaments/{director.id}/stream", EventReader()
    until(lambda: client.get(address.replace("stream", "log")).status_code == 200)
    with http.stream("GET", edge.url + address, verify=edge.tls) as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        pieces = stream.iter_raw()
        while not reader.messages:
            reader.feed(next(pieces))
        for name in ("Ada", "Bela"):  # each comes before the next one is sent
            director.join([{"name": name}])
            while name not in reader.messages[-1].data:
                reader.feed(next(pieces))
        assert open_streams(client) == 1
    until(lambda: open_streams(client) == 0)
    assert client.get(address, headers={"Last-Event-ID": "a" * 40}).json()["code"] == "feed-cursor-unknown"


def open_streams(client: http.Client) -> int:
    text = client.get("/scoring/metrics").text
    return int(float(text.partition("\nmuster_streams ")[2].partition("\n")[0]))


def test_an_open_page_of_the_console_is_told_of_what_happens(client, stack, edge):
    director = Director.announce(operator(stack.urls, stack.issuer), name="Evening", ruleset="star-wars-armada-1.1")
    address = f"{edge.url}/events/{director.id}/live"
    until(lambda: client.get(f"/scoring/tournaments/{director.id}/log").status_code == 200)
    with http.stream("GET", address, verify=edge.tls) as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        pieces, reader = stream.iter_raw(), EventReader()
        next(pieces)
        director.join([{"name": "Ada"}])
        while not reader.messages:
            reader.feed(next(pieces))


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
        assert client.get("/registration/healthz").status_code == 200
        remains(lambda: request_id not in stack.output(10_000), seconds=0.5)
    assert request_id not in stack.output(10_000)


def test_a_token_in_an_address_is_in_no_log_line_of_the_edge(client, edge):
    client.get("/scoring/tournaments/nowhere/standings?token=secret-of-a-player")
    until(lambda: "/scoring/tournaments/nowhere/standings" in edge.log.read_text())
    assert "secret-of-a-player" not in edge.log.read_text()


def test_a_service_that_is_away_is_a_problem_with_a_time_to_wait():
    address = two_ports()
    with edge_of(dict.fromkeys(PORT_OFFSETS, 9), address) as edge:
        answer = http.get(f"{edge.url}/scoring/healthz", verify=edge.tls)
        page = http.get(f"{edge.url}/events/t-1/about", verify=edge.tls)
    assert (page.status_code, page.headers["Content-Type"]) == (503, "text/html")
    assert "Try again in a moment" in page.text
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert answer.headers["Retry-After"] == "2"


@pytest.mark.parametrize("url", ["", "http://muster.example", "https://", "https://muster.example/path", "https://a|b"])
def test_without_an_address_that_people_can_use_it_does_not_start(url):
    done = run_program(
        ["sh", str(SCRIPT)], env={"PATH": "/usr/bin:/bin", "MUSTER_PUBLIC_URL": url}, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr.startswith("MUSTER_PUBLIC_URL: ")


@pytest.mark.parametrize(
    ("version", "follows"), [("1.22.1", False), ("1.27.2", False), ("1.27.3", True), ("1.30.4", True)]
)
def test_names_of_containers_are_followed_where_nginx_can(tmp_path, version, follows):
    nginx = tmp_path / "nginx"
    nginx.write_text(f"#!/bin/sh\necho nginx version: nginx/{version} >&2\n")
    nginx.chmod(0o755)
    env = {
        "PATH": f"{tmp_path}:/usr/bin:/bin",
        "MUSTER_PUBLIC_URL": "https://muster.example",
        **dict.fromkeys(("EDGE_CERTIFICATE", "EDGE_CERTIFICATE_KEY"), str(nginx)),
        "EDGE_FOLDER": str(tmp_path / "run"),
        "MUSTER_REPLICAS": "3",
    }
    run_program(["sh", str(SCRIPT)], env=env, check=True)
    servers = [line.split() for line in (tmp_path / "run/upstreams.conf").read_text().splitlines() if "server " in line]
    assert [server[1] for server in servers[:3]] == [
        "muster-registration-web-1:8001",
        "muster-registration-web-2:8001",
        "muster-registration-web-3:8001",
    ]
    assert len(servers) == 3 * 2 * len(SERVICES)
    assert all((server[-1] == "resolve;") == follows for server in servers)


@pytest.mark.parametrize("replicas", ["0", "two", "-1"])
def test_replicas_that_cannot_be_counted_are_refused(tmp_path, replicas):
    env = {
        "PATH": "/usr/bin:/bin",
        "MUSTER_PUBLIC_URL": "https://muster.example",
        **dict.fromkeys(("EDGE_CERTIFICATE", "EDGE_CERTIFICATE_KEY"), str(SCRIPT)),
        "MUSTER_REPLICAS": replicas,
    }
    done = run_program(["sh", str(SCRIPT)], env=env, capture_output=True, text=True)
    assert done.returncode == 2
    assert "MUSTER_REPLICAS: " in done.stderr
