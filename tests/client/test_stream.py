"""The stream as an iterator, behind the server that Muster is shipped with: cut anywhere, each event comes once."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_client import Muster, problems
from muster_client.server_sent import Reader
from shared.log.schema import open_database
from shared.settings import SERVICES
from tests.door.running import Service
from tests.door.test_streams import CUP, announce
from tests.door.test_streams import join as joined
from tests.event_streams import EventReader


@pytest.fixture(scope="module")
def scoring(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with Service(tmp_path_factory.mktemp("client-streams"), "scoring") as running:
        announce(running)
        yield running


class Broken(httpx.SyncByteStream):
    """The bytes of an answer up to a place where the connection breaks."""

    def __init__(self, whole: httpx.SyncByteStream, after: int) -> None:
        self.whole, self.after = whole, after

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.whole:
            if len(piece) >= self.after:
                yield piece[: self.after]
                raise httpx.ReadError("cut")
            self.after -= len(piece)
            yield piece

    def close(self) -> None:
        self.whole.close()


class Cut(httpx.HTTPTransport):
    """Connections that break after some thousand bytes, or are not opened at all."""

    def __init__(self) -> None:
        super().__init__()
        self.chance = random.Random(3)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self.chance.random() < 0.3:
            raise httpx.ConnectError("away")
        answer = super().handle_request(request)
        assert isinstance(answer.stream, httpx.SyncByteStream)
        return httpx.Response(
            answer.status_code, headers=answer.headers, stream=Broken(answer.stream, self.chance.randrange(25_000))
        )


def muster(scoring: Service, **how: object) -> Muster:
    return Muster(dict.fromkeys(SERVICES, scoring.url), known=SERVICES, patience=0, **how)  # type: ignore[arg-type]


def join(scoring: Service, many: int, name: str = "Ana") -> None:
    """So many players join."""
    database = open_database(scoring.settings.database_url)
    joined(database, many, name)
    database.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muster_client.stream.time.sleep", lambda _: None)


def test_a_stream_that_is_cut_anywhere_gives_each_event_once(scoring: Service, impatient: None) -> None:
    join(scoring, 150)
    with muster(scoring) as whole, muster(scoring, transport=Cut()) as cut:
        expected = [event.id for event in whole.feed(tournament=CUP, follow=False)]
        stream = cut.stream(tournament=CUP)
        assert [event.id for event in islice(stream, len(expected))] == expected
        assert stream.breaks > 3
        assert stream.cursor == [event.feedcursor for event in whole.feed(follow=False)][-1]


def test_a_stream_goes_on_from_a_cursor_that_was_kept_and_tells_of_what_happens(scoring: Service) -> None:
    with ExitStack() as both:
        first, second = both.enter_context(muster(scoring)), both.enter_context(muster(scoring))
        join(scoring, 2)
        known = list(first.feed(tournament=CUP, follow=False))
        stream = iter(second.stream(known[-2].feedcursor, types=["PlayerJoined"]))
        assert next(stream).id == known[-1].id
        join(scoring, 1, "Zoe")
        assert str((next(stream).data or {})["name"]).startswith("Zoe")


def test_a_cursor_that_is_none_is_a_problem_and_is_not_tried_again(scoring: Service) -> None:
    with muster(scoring) as guest, pytest.raises(problems.InvalidCursor):
        next(iter(guest.stream("yesterday")))


PIECES = st.lists(
    st.sampled_from(
        [b"data: a", b"data:b", b"id: 7", b"id", b"event: x", b": c", b"retry: 90", b"\n", b"\n\n", b"\r\n"]
    ),
    max_size=40,
)


@given(PIECES, st.randoms(use_true_random=False))
def test_what_is_read_does_not_depend_on_how_it_was_cut(pieces: list[bytes], chance: random.Random) -> None:
    whole = b"\n".join(pieces).replace(b"\r\n", b"\n")
    judge, reader, found, rest = EventReader(), Reader(), [], whole
    judge.feed(whole)
    while rest:
        size = chance.randint(1, 9)
        found += reader.take(rest[:size])
        rest = rest[size:]
    given = [(message.type, message.id, message.data) for message in found if message.data]
    assert given == [(message.type, message.id, message.data) for message in judge.messages if message.data]


def test_ends_of_lines_are_those_of_any_system() -> None:
    reader = Reader()
    found = [m for piece in (b"id: 1\r", b"\ndata: \xc3", b"\xa4\r\ndata: b\r", b"\r\n") for m in reader.take(piece)]
    assert [(message.id, message.data) for message in found] == [("1", "ä\nb")]


def test_a_stream_that_is_closed_ends_and_says_whether_it_stands(scoring: Service) -> None:
    stood: list[bool] = []
    with muster(scoring) as whole:
        stream = whole.stream(tournament=CUP, stands=stood.append)
        events = iter(stream)
        next(events)
        assert stood == [True]
        stream.close()
        assert len(list(islice(events, 200))) < 200
