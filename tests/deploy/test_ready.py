"""What somebody who waits for services is told about one that does not become ready."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from deploy.ready import NotReady, wait_until_ready


@contextmanager
def answering(status: int, body: bytes) -> Iterator[str]:
    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nobody wants to read it."""

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def checks(**failing: bool) -> bytes:
    told = ", ".join(f'"{name}": {{"ok": false, "needed": {str(needed).lower()}}}' for name, needed in failing.items())
    return f'{{"checks": {{{told}}}}}'.encode()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (checks(own_copies=True, broker=False), "scoring: its database has lost what its peers hold: muster recover"),
        (checks(schema=True), "scoring: its database is not brought up to date: python -m deploy.migrate"),
        (checks(database=True), "scoring: its check database fails, see /readyz"),
        (b"a proxy's page", "scoring: 503 a proxy's page"),
        (b"[]", "scoring: 503 []"),
    ],
)
def test_it_is_told_what_to_do(body: bytes, said: str) -> None:
    with answering(503, body) as url, pytest.raises(NotReady) as told:
        wait_until_ready({"scoring": url}, 0)
    assert str(told.value).startswith(said)
    assert "broker" not in str(told.value)


def test_one_that_is_not_expected_to_be_ready_is_not_waited_for() -> None:
    with answering(503, checks(own_copies=True)) as url:
        wait_until_ready({"scoring": url}, 0, unready=["scoring"])


def test_nobody_there_is_told_as_such() -> None:
    with pytest.raises(NotReady, match="ConnectError"):
        wait_until_ready({"scoring": "http://127.0.0.1:9"}, 0)


def test_what_an_operator_has_to_mend_is_told_at_once_when_all_others_are_ready() -> None:
    with answering(200, b"{}") as ready, answering(503, checks(own_copies=True)) as behind:
        services = {"registration": behind, "scoring": ready}
        with pytest.raises(NotReady, match="registration: its database has lost"):
            wait_until_ready(services, 3600)


def test_what_mends_itself_is_waited_for_beside_it() -> None:
    with answering(503, checks(schema=True)) as coming, answering(503, checks(own_copies=True)) as behind:
        began = time.monotonic()
        with pytest.raises(NotReady, match="not brought up to date"):
            wait_until_ready({"registration": behind, "scoring": coming}, 0.5)
        assert time.monotonic() - began >= 0.5
