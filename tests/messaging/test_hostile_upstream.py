"""Hostile owners over a real socket: catch-up reports them and continues with the others."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import httpx
import pytest

from shared.log.event import EMPTY_HEAD, LARGEST_COMMAND
from shared.log.log import Entry
from shared.messaging import peers as upstream_module
from shared.messaging.catch_up import CatchUp
from shared.messaging.envelope import LARGEST_MESSAGE
from shared.messaging.errors import InvalidOwnerAnswer, LogUnknown, OwnerUnavailable
from shared.messaging.inbox import Inbox
from shared.messaging.peers import UpstreamFeed
from shared.service.gates import event_fault
from tests.appending import append
from tests.eventlog.stories import STAMP
from tests.messaging.stage import KEYRING, OWNER, OwnerSite, Stage, quoted_command, running
from tests.waiting import until

Answer = Callable[[socket.socket], None]
asked_for = threading.local()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"


class Server:
    """Takes connections on a real socket, and does to each of them what `answer` says. asked: how often."""

    def __init__(self) -> None:
        self.answer: Answer = lambda connection: None
        self.asked = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._one, args=(connection,), daemon=True).start()

    def _one(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            asked_for.text = connection.recv(65536).decode()
            self.asked += 1
            self.answer(connection)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


def raw(answer: bytes) -> Answer:
    return lambda connection: connection.sendall(answer)


def body(text: bytes, *headers: bytes) -> Answer:
    lines = [b"Content-Length: %d" % len(text), b"Connection: close", *headers]
    return raw(HEAD + b"\r\n".join(lines) + b"\r\n\r\n" + text)


def endless(connection: socket.socket) -> None:
    connection.sendall(HEAD + b"Muster-Feed-End: 5\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")


def endless_lines(connection: socket.socket) -> None:
    connection.sendall(HEAD + b"Muster-Feed-End: 5\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        connection.sendall(b"3\r\n{}\n\r\n" * 1000)


def dripping_headers(connection: socket.socket) -> None:
    connection.sendall(HEAD)
    while True:
        connection.sendall(b"X: y\r\n")
        time.sleep(0.1)  # noqa: TID251 - a slow peer


def dripping_body(connection: socket.socket) -> None:
    connection.sendall(HEAD + b"Muster-Feed-End: 5\r\nContent-Length: 100000\r\n\r\n")
    while True:
        connection.sendall(b"x")
        time.sleep(0.1)  # noqa: TID251 - a slow peer


def endless_headers(connection: socket.socket) -> None:
    connection.sendall(HEAD)
    while True:
        connection.sendall(b"X-%d: y\r\n" % time.monotonic_ns() * 1000)


ANSWERS = {
    "nothing": raw(b""),
    "no http": raw(b"\xff\xfe\xff" * 1000),
    "half a head": raw(HEAD),
    "fewer bytes than announced": raw(HEAD + b"Muster-Feed-End: 5\r\nContent-Length: 500\r\n\r\nabc"),
    "a length of words": raw(HEAD + b"Content-Length: many\r\n\r\nabc"),
    "a length below nothing": raw(HEAD + b"Content-Length: -5\r\n\r\nabc"),
    "two lengths": raw(HEAD + b"Content-Length: 5\r\nContent-Length: 7\r\n\r\nabcdefg"),
    "malformed chunks": raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc"),
    "a status of words": raw(b"HTTP/1.1 fine OK\r\n\r\n"),
    "headers that are no text": raw(b"HTTP/1.1 200 \xff\r\nX: \xff\xfe\r\n\r\n"),
    "no end": body(b""),
    "an end of words": body(b"", b"Muster-Feed-End: soon"),
    "an end below nothing": body(b"", b"Muster-Feed-End: -1"),
    "an end beyond all": body(b"", b"Muster-Feed-End: 1" + b"0" * 30),
    "an end of a thousand digits": body(b"", b"Muster-Feed-End: " + b"9" * 6000),
    "an end in other digits": body(b"", "Muster-Feed-End: ٣".encode()),
    "two ends": body(b"", b"Muster-Feed-End: 3", b"Muster-Feed-End: 4"),
    "lines that are no text": body(b"\xff\xfe\n{}\n", b"Muster-Feed-End: 5"),
    "lines nested": body(b"[" * 100_000 + b"\n", b"Muster-Feed-End: 5"),
    "a line longer than any event": body(b"x" * (LARGEST_MESSAGE + 100_000), b"Muster-Feed-End: 5"),
    "packed": body(gzip.compress(b"x" * 10_000_000), b"Content-Encoding: gzip", b"Muster-Feed-End: 5"),
    "packed twice": body(b"x", b"Content-Encoding: gzip, gzip, br", b"Muster-Feed-End: 5"),
    "a redirect to itself": raw(b"HTTP/1.1 302 Found\r\nLocation: /log\r\nContent-Length: 0\r\n\r\n"),
    "a redirect to a file": raw(b"HTTP/1.1 301 Moved\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"),
    "continue, and nothing": raw(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
    "an error": raw(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"),
    "endless": endless,
    "endless lines": endless_lines,
    "endless headers": endless_headers,
    "dripping headers": dripping_headers,
    "dripping body": dripping_body,
}


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upstream_module, "ANSWER_SECONDS", 1.0)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_catch_up_continues_with_the_other_owners(stage: Stage, server: Server, answer: Answer) -> None:
    server.answer = answer
    honest = Server()
    site = OwnerSite(stage.owner)
    honest.answer = over_http(site)
    upstream = UpstreamFeed({"aaa": server.url, OWNER: honest.url})
    catch_up = CatchUp(Inbox(stage.copy, ["aaa", OWNER], KEYRING, event_fault, upstream.fetch), upstream, every=0.05)
    with running(catch_up):
        until(lambda: server.asked >= 2)
        stage.append("cup", "anna")
        until(stage.same)
        assert catch_up.lag()["aaa"].error
        until(lambda: catch_up.lag()[OWNER].error == "")
    honest.close()


def over_http(site: OwnerSite) -> Answer:
    """Serve an owner on a socket."""

    def answer(connection: socket.socket) -> None:
        page = site(httpx.Request("GET", "http://owner" + asked_for.text.split()[1]))
        body(page.content, b"Muster-Feed-End: " + page.headers["Muster-Feed-End"].encode())(connection)

    return answer


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_a_log_is_fetched_or_refused_within_limits(server: Server, answer: Answer) -> None:
    server.answer = answer
    upstream = UpstreamFeed({OWNER: server.url})
    try:
        events = upstream.fetch(OWNER, "cup", 0)
    except OwnerUnavailable:
        return
    assert events == []  # an answer that is right for a log, and wrong for a feed


def test_an_unknown_log_differs_from_an_unavailable_owner(server: Server) -> None:
    upstream = UpstreamFeed({OWNER: server.url})
    server.answer = raw(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
    with pytest.raises(LogUnknown):
        upstream.fetch(OWNER, "cup", 0)
    server.answer = body(b"{}\n")
    with pytest.raises(InvalidOwnerAnswer):
        upstream.fetch(OWNER, "cup", 0)


def test_cookies_are_not_stored(server: Server) -> None:
    told = []

    def answer(connection: socket.socket) -> None:
        body(b"", b"Muster-Feed-End: 0", b"Set-Cookie: a=b; Path=/")(connection)

    server.answer = answer
    upstream = UpstreamFeed({OWNER: server.url}, headers=lambda: told.append(len(upstream._client.cookies)) or {})
    for _ in range(3):
        upstream.feed(OWNER, 0)
    assert told == [0, 0, 0]


def test_an_event_with_the_largest_command_is_read_whole(stage: Stage, server: Server) -> None:
    entry = Entry("PlayerJoined", 2, "{}", quoted_command(LARGEST_COMMAND))
    append(stage.owner, OWNER, "cup", EMPTY_HEAD, [entry], STAMP)
    stage.append("cup", "anna")
    server.answer = body(b"\n".join(stage.lines()), b"Muster-Feed-End: 2")
    assert UpstreamFeed({OWNER: server.url}).feed(OWNER, 0).lines == stage.lines()


def test_the_complete_lines_of_a_long_answer_are_used(stage: Stage, server: Server, monkeypatch) -> None:
    stage.append("cup", *(str(number) for number in range(40)))
    text = b"\n".join(stage.lines())
    monkeypatch.setattr(upstream_module, "ANSWER_BYTES", len(text) // 3)

    def slowly(connection: socket.socket) -> None:
        connection.sendall(HEAD + b"Muster-Feed-End: 40\r\nContent-Length: %d\r\n\r\n" % len(text))
        for start in range(0, len(text), 500):
            connection.sendall(text[start : start + 500])
            time.sleep(0.002)  # noqa: TID251 - a slow peer

    server.answer = slowly
    page = UpstreamFeed({OWNER: server.url}).feed(OWNER, 0)
    assert 0 < len(page.lines) < 40
    assert page.lines == stage.lines()[: len(page.lines)]
