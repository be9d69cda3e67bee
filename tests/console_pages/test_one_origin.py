"""What the console passes on to the services below it, and what not: against one that tells what it heard."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from werkzeug.test import Client
from werkzeug.wrappers import Response

from services.console.one_origin import AT_ONCE, OneOrigin
from services.console.passed_streams import Relay
from shared.settings import SERVICES
from shared.web.proxies import HEADER

SECRET = "known to us alone"
LIMIT = 10_000


class Echo(BaseHTTPRequestHandler):
    """Answers with what it heard."""

    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        heard = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        told = {"method": self.command, "target": self.path, "headers": list(self.headers.items()), "body": len(heard)}
        whole = json.dumps(told).encode()
        known = not self.path.startswith("/problems/") or self.path.endswith(self.server.knows)
        self.send_response(201 if known else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(whole) + (1 if "broken-off" in self.path else 0)))
        self.send_header("Location", "/registration/tournaments/t1")
        self.send_header("Set-Cookie", "muster_console=mine")
        self.send_header("Connection", "close, X-Hop")
        self.send_header("X-Hop", "of this connection")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(whole)
        self.close_connection = True

    do_GET = do_POST = do_HEAD = do_PUT = do_DELETE = do_OPTIONS = do_PATCH = answer

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def below() -> Iterator[dict[str, str]]:
    """Three services that are there."""
    servers = {}
    for name in SERVICES:
        server = servers[name] = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
        server.knows = name
        Thread(target=server.serve_forever, daemon=True).start()
    yield {name: f"http://127.0.0.1:{server.server_port}" for name, server in servers.items()}
    for server in servers.values():
        server.shutdown()
        server.server_close()


def pages(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"a page"]


def client_of(at: dict[str, str]) -> Client:
    return Client(OneOrigin(pages, at, SECRET, LIMIT, Relay()), Response)


@pytest.fixture
def client(below: dict[str, str]) -> Client:
    return client_of(below)


def heard(answer: Response) -> dict[str, str]:
    return dict(answer.get_json()["headers"])


def test_each_service_is_under_its_name_and_all_else_is_a_page(client):
    answer = client.post("/scoring/a%2Fb/%C3%B6;x?q=%26&y=1", data=b"four")
    told = answer.get_json()
    assert (answer.status_code, told["method"], told["target"]) == (201, "POST", "/a/b/%C3%B6;x?q=%26&y=1")
    assert told["body"] == 4
    assert heard(answer)["X-Forwarded-Prefix"] == "/scoring"
    assert answer.headers["Location"] == "/registration/tournaments/t1"
    for path in ("/", "/scoringx", "/events/scoring/about", "/elsewhere//scoring/", "/SCORING/"):
        assert client.get(path).text == "a page", path
    assert client.get("/pairing").headers["Location"] == "/pairing/docs"


def test_no_address_leads_anywhere_but_to_the_service(client):
    for path in ("//evil.test/x", "/http://evil.test/", "/../evil.test", "/@evil.test:80/", "/\\evil.test"):
        answer = client.get(f"/scoring{path}")
        assert answer.status_code == 201
        assert answer.get_json()["target"].lstrip("/") == path.replace("\\", "%5C").lstrip("/")
        assert heard(answer)["Host"].startswith("127.0.0.1:")


def test_where_a_request_comes_from_is_said_anew_and_what_is_of_one_connection_stays_on_it(client):
    forged = {
        "X-Forwarded-For": "10.1.1.1",
        "X-Forwarded-Host": "evil.test",
        "X-Forwarded-Port": "1",
        "Forwarded": "for=10.1.1.1",
        HEADER: "guessed",
        "Cookie": "muster_console=of-a-person",
        "Connection": "keep-alive, X-Mine",
        "X-Mine": "1",
        "TE": "trailers",
        "Authorization": "Bearer abc",
        "Idempotency-Key": "k1",
    }
    answer = client.get("/pairing/x", headers=forged, environ_base={"REMOTE_ADDR": "192.0.2.77"})
    told = heard(answer)
    assert told["X-Forwarded-For"] == "192.0.2.77"
    assert (told["X-Forwarded-Host"], told["X-Forwarded-Proto"]) == ("localhost", "http")
    assert told[HEADER] == SECRET
    assert (told["Authorization"], told["Idempotency-Key"]) == ("Bearer abc", "k1")
    assert told["Connection"] == "close"
    assert not {"Cookie", "X-Mine", "Te", "Forwarded", "X-Forwarded-Port"} & set(told)
    assert not {"Set-Cookie", "X-Hop", "Connection", "Server"} & set(answer.headers.keys())


def test_a_players_link_is_a_page_for_a_browser_and_json_for_a_program(client):
    link, browser = "/registration/tournaments/t-1/me?token=a.b.c", {"Accept": "text/html,application/xhtml+xml,*/*"}
    opened = client.get(link, headers=browser)
    assert (opened.status_code, opened.headers["Location"]) == (302, "/events/t-1/come-in?token=a.b.c")
    for accept in ("application/json", "*/*"):
        assert client.get(link, headers={"Accept": accept}).get_json()["target"] == link.removeprefix("/registration")
    assert client.get("/registration/tournaments/t-1/me", headers=browser).status_code == 201
    split = client.get("/registration/tournaments/t%0d%0aX-Evil:1/me?token=a", headers=browser)
    assert split.status_code == 201
    split = client.get("/registration/tournaments/t-1/me?token=a%0d%0aX-Evil:1", headers=browser)
    assert split.headers["Location"].endswith("token=a%0D%0AX-Evil%3A1")


def test_the_type_of_a_problem_is_found_wherever_it_is(client):
    for name in SERVICES:
        assert client.get(f"/problems/{name}").status_code == 201
    assert client.get("/problems/elsewhere").status_code == 404


def test_a_body_that_is_too_large_or_cut_short_goes_nowhere(client):
    large = client.post("/scoring/x", data=b"x" * (LIMIT + 1))
    assert (large.status_code, large.get_json()["code"]) == (413, "too-large")
    assert client.post("/scoring/x", data=b"x" * LIMIT).get_json()["body"] == LIMIT
    short = client.post("/scoring/x", data=b"abc", environ_overrides={"CONTENT_LENGTH": "9"})
    assert (short.status_code, short.get_json()["code"]) == (400, "incomplete-body")


def test_a_head_is_answered_without_a_body(client):
    answer = client.head("/scoring/x")
    assert (answer.status_code, answer.data) == (201, b"")
    assert int(answer.headers["Content-Length"]) > 0


def test_a_service_that_is_away_is_a_problem_and_takes_nobodys_place(below):
    client = client_of({**below, "pairing": "http://127.0.0.1:9"})
    for _ in range(2 * AT_ONCE):
        answer = client.get("/pairing/x", headers={"X-Request-Id": "mine-1"})
        assert (answer.status_code, answer.get_json()["code"]) == (503, "unavailable")
        assert (answer.get_json()["request_id"], answer.headers["Retry-After"]) == ("mine-1", "1")
    assert client.get("/scoring/x").status_code == 201


def test_an_answer_that_breaks_off_is_never_taken_for_whole(client):
    for _ in range(2 * AT_ONCE):
        answer = client.get("/scoring/broken-off", buffered=False)
        with pytest.raises(OSError, match="broke off"):
            _ = answer.data
        answer.close()
    assert client.get("/scoring/x").status_code == 201


def test_who_waits_for_services_leaves_room_for_pages(below):
    client = client_of(below)
    waiting = [client.get("/scoring/x", buffered=False) for _ in range(AT_ONCE)]
    full = client.get("/scoring/x")
    assert (full.status_code, full.get_json()["code"]) == (503, "unavailable")
    assert client.get("/").text == "a page"
    for answer in waiting:
        answer.close()
    assert client.get("/scoring/x").status_code == 201
