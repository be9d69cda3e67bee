"""Streams behind the server that Muster is shipped with: who opens, keeps, leaves and blocks them, byte by byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import pytest

from shared.formats.packs import shipped_ruleset
from shared.log.copies import accept_run
from shared.log.database import Database
from shared.log.event import EMPTY_HEAD
from shared.log.log import Stamp, chain_events
from shared.log.reading import head_of
from shared.log.schema import open_database
from shared.rules.parts import to_json
from shared.service.commands import entries_of
from shared.tournament.registration import PlayerJoined, TournamentAnnounced
from tests import http
from tests.acting import acting
from tests.door.running import Client, Service, get, post, told
from tests.event_streams import EventReader
from tests.issuing import token_of
from tests.waiting import PATIENCE, until

CUP = "t-cup"
TIME = "2026-03-01T09:00:00.000Z"
PLACES = 60


@pytest.fixture(scope="module")
def scoring(tmp_path_factory) -> Iterator[Service]:
    """Scoring on SQLite; a client that takes nothing for two seconds is dropped."""
    env = {"MUSTER_SEND_SECONDS": "2", "MUSTER_STREAMS": str(PLACES), "MUSTER_STREAMS_PER_CALLER": str(PLACES - 10)}
    with Service(tmp_path_factory.mktemp("streams"), "scoring", **env) as running:
        announce(running)
        yield running


@pytest.fixture
def database(scoring) -> Iterator[Database]:
    database = open_database(scoring.settings.database_url)
    yield database
    database.close()


def announce(scoring: Service) -> None:
    """A tournament is announced, as registration tells scoring."""
    database = open_database(scoring.settings.database_url)
    announced = TournamentAnnounced(
        name="Cup", format="swiss", ruleset=to_json(shipped_ruleset("star-wars-armada-1.1"))
    )
    accept_run(
        database,
        chain_events(
            "registration", CUP, EMPTY_HEAD, entries_of([announced]), Stamp(acting("organiser"), "c1", TIME, {})
        ),
    )
    database.close()


def join(database: Database, many: int, name: str = "Ana") -> None:
    """So many players join, as registration tells scoring."""
    with database.reading() as connection:
        head = head_of(connection, "registration", CUP)
    joined = [PlayerJoined(player=f"p{head.position + n}", name=f"{name} {head.position + n}") for n in range(many)]
    stamp = Stamp(acting("organiser"), f"c{head.position}", TIME, {})
    accept_run(database, chain_events("registration", CUP, head, entries_of(joined), stamp))


def begun(client: Client, request: bytes = get("/feed/stream?after=now")) -> EventReader:
    """Open a stream, and read it up to its beginning."""
    client.send(request)
    while b"\r\n\r\n" not in (head := _until(client, b"\r\n\r\n")):
        pass
    assert b" 200 " in head.partition(b"\r\n")[0], head
    reader = ChunkReader(chunked=b"Transfer-Encoding: chunked" in head)
    reader.feed(head.partition(b"\r\n\r\n")[2])
    while not reader.last_id:
        reader.feed(client.socket.recv(65_536))
    return reader


class ChunkReader(EventReader):
    """Reads events of a stream, which comes in chunks to clients that know HTTP/1.1. whole: its end came."""

    def __init__(self, *, chunked: bool = True) -> None:
        super().__init__()
        self.whole = False
        self._chunked = chunked
        self._rest = b""

    def feed(self, data: bytes) -> None:
        if not self._chunked:
            super().feed(data)
            return
        self._rest += data
        while b"\r\n" in self._rest and not self.whole:
            size, _, rest = self._rest.partition(b"\r\n")
            length = int(size, 16)
            if len(rest) < length + 2:
                return
            super().feed(rest[:length])
            self.whole = not length
            self._rest = rest[length + 2 :]


def _until(client: Client, end: bytes) -> bytes:
    found = b""
    while end not in found:
        data = client.socket.recv(65_536)
        assert data, found
        found += data
    return found


def reads(client: Client, reader: EventReader, done: Callable[[EventReader], bool]) -> None:
    while not done(reader):
        data = client.socket.recv(65_536)
        assert data, "it ended"
        reader.feed(data)


def open_streams(scoring: Service) -> int:
    headers = {"Authorization": f"Bearer {token_of(scoring.env, 'operator')}"}
    text = http.get(f"{scoring.url}/metrics", headers=headers).text
    return int(float(text.partition("\nmuster_streams ")[2].partition("\n")[0] or 0))


def none_open(scoring: Service) -> None:
    until(lambda: open_streams(scoring) == 0, "every stream ends")


def test_it_stays_open_and_tells_what_happens(scoring, database):
    with scoring.client() as client:
        reader = begun(client)
        join(database, 2)
        reads(client, reader, lambda it: len(it.messages) == 2)
        assert [message.type for message in reader.messages] == ["PlayerJoined"] * 2
        assert 1000 <= reader.retry <= 3000
    none_open(scoring)


@pytest.mark.parametrize(
    "request_line", ["GET /feed/stream?after=now HTTP/1.0\r\n\r\n", None], ids=["HTTP/1.0", "HTTP/1.1"]
)
def test_an_older_client_is_told_too(scoring, database, request_line):
    with scoring.client() as client:
        reader = begun(client, request_line.encode() if request_line else get("/feed/stream?after=now"))
        join(database, 1)
        reads(client, reader, lambda it: len(it.messages) == 1)


def test_who_closes_one_half_gets_what_there_is(scoring, database):
    join(database, 300)
    with scoring.client() as client:
        client.send(get("/feed/stream"))
        client.end()
        answer = client.answer()
    reader = EventReader()
    reader.feed(answer.body)
    assert len(reader.messages) > 300, "three pages"
    with scoring.client() as client:
        reader = begun(client)
        client.end()
        reader.feed(client.rest())
        assert reader.whole
    none_open(scoring)


def test_head_and_post_open_none(scoring):
    with scoring.client() as client:
        client.send(get("/feed/stream", method="HEAD"))
        answer = client.answer("HEAD")
        assert (answer.status, answer.headers["Content-Type"]) == (200, "text/event-stream; charset=utf-8")
    told(scoring.ask(post("/feed/stream", "{}")), 405, "method-not-allowed")
    assert open_streams(scoring) == 0


@pytest.mark.attack("a Last-Event-ID of ten megabytes")
def test_a_place_of_ten_megabytes_is_refused(scoring):
    with scoring.client() as client:
        with suppress(ConnectionError):  # it is refused before all of it has left
            client.send(get("/feed/stream", "Last-Event-ID: " + "a" * 10_000_000))
        assert client.rest()[:13] in (b"HTTP/1.1 431 ", b"")
    told(scoring.ask(get("/feed/stream", "Last-Event-ID: " + "a" * 8_000)), 400, "invalid-cursor")


@pytest.mark.attack("streams that nobody reads")
def test_who_does_not_read_is_dropped_and_the_others_are_told(scoring, database):
    with ExitStack() as stack:
        blocked = [stack.enter_context(scoring.client(receive_bytes=2048)) for _ in range(20)]
        for client in blocked:
            client.send(get("/feed/stream"))
        client = stack.enter_context(scoring.client())
        reader = begun(client)
        join(database, 500, "A name that is long enough for a lot of bytes " * 2)
        reads(client, reader, lambda it: len(it.messages) == 500)
        until(lambda: open_streams(scoring) == 1, "the slow ones are dropped")
        join(database, 1)
        reads(client, reader, lambda it: len(it.messages) == 501)
        assert all(len(client.rest()) < 400_000 for client in blocked)
    assert 'muster_streams_ended_total{why="slow"} 20.0' in metrics(scoring)


def metrics(scoring: Service) -> str:
    return http.get(
        f"{scoring.url}/metrics", headers={"Authorization": f"Bearer {token_of(scoring.env, 'operator')}"}
    ).text


@pytest.mark.attack("more streams than there are places")
def test_there_are_so_many_and_requests_are_answered_beside_them(scoring):
    none_open(scoring)
    with ExitStack() as stack:
        for _ in range(PLACES - 10):
            begun(stack.enter_context(scoring.client()))
        assert scoring.ask(get("/healthz")).status == 200
        refused = scoring.ask(get("/feed/stream"))
        assert told(refused, 429, "too-many-streams")["data"]["limit"] == PLACES - 10
        with_token = get("/feed/stream", scoring.bearer("integration"))
        for _ in range(10):
            begun(stack.enter_context(scoring.client()), with_token)
        refused = scoring.ask(with_token)
        told(refused, 503, "streams-full")
        assert refused.headers["Retry-After"] == "5"
    none_open(scoring)
    with scoring.client() as client:
        begun(client)


def test_more_than_a_request_ends_the_stream(scoring, database):
    with scoring.client() as client:
        reader = begun(client)
        client.send("x" * 1000)
        reader.feed(client.rest())
        assert reader.whole
    none_open(scoring)


def test_a_process_that_is_told_to_stop_lets_its_streams_go(start, tmp_path):
    running = start("scoring")
    with running.client() as client:
        reader = begun(client)
        running.process.terminate()
        reader.feed(client.rest())
        assert reader.whole, "an end, and nothing torn"
        running.process.wait(PATIENCE)
    assert running.process.returncode == 0, "gunicorn kills it after eight seconds"
