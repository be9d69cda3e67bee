"""The feed as an iterator, cut again and again: every event once, in the order of the feed."""

from __future__ import annotations

import random

import httpx
import pytest

from muster_client import Event, Muster, problems
from shared.settings import SERVICES
from tests.console.in_process import InProcess
from tests.fuzz.muster import Muster as Services

URLS = {name: f"http://{name}" for name in SERVICES}


class Cut(httpx.BaseTransport):
    """A way to the services that fails every other time, before or after they have answered."""

    def __init__(self, services: Services) -> None:
        self.way = InProcess(services)
        self.chance = random.Random(7)
        self.cut = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self.chance.random() < 0.5:
            self.cut += 1
            raise httpx.ConnectError("away")
        answer = self.way.handle_request(request)
        if self.chance.random() < 0.5:
            self.cut += 1
            raise httpx.ReadError("cut")
        return answer


@pytest.fixture
def guest(operator: Muster) -> Muster:
    return operator.acting_as("")


def names(events: list[Event]) -> list[str]:
    return [event.id for event in events]


def test_a_reader_that_begins_anew_from_its_cursor_gets_every_event_once(guest: Muster, cup: str) -> None:
    whole = list(guest.feed(tournament=cup, follow=False, limit=3))
    types = [event.type for event in whole if event.source == "registration"]
    assert types[:2] == ["TournamentAnnounced", "PlayerJoined"]
    cursor, found = "", []
    while True:
        feed = guest.feed(cursor, tournament=cup, follow=False, limit=2)
        event = next(iter(feed), None)
        if event is None:
            break
        assert feed.cursor == event.feedcursor
        found.append(event)
        cursor = feed.cursor
    assert names(found) == names(whole)


def test_a_connection_that_breaks_all_the_time_loses_and_doubles_nothing(
    guest: Muster, cup: str, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muster_client.feed.time.sleep", lambda _: None)
    whole = list(guest.feed(tournament=cup, follow=False))
    way = Cut(services)
    with Muster(URLS, transport=way, known=SERVICES, patience=0) as cut:
        feed = iter(cut.feed(tournament=cup, limit=1))
        assert names([next(feed) for _ in whole]) == names(whole)
    assert way.cut


def test_batches_come_with_the_cursor_behind_them(guest: Muster, cup: str) -> None:
    batches = list(guest.feed(tournament=cup, types=["RoundStarted"], follow=False).batches())
    assert [event.type for batch in batches for event in batch.events] == ["RoundStarted"]
    assert list(guest.feed(batches[-1].cursor, tournament=cup, follow=False)) == []


def test_a_cursor_that_is_none_is_a_problem(guest: Muster) -> None:
    with pytest.raises(problems.InvalidCursor):
        next(iter(guest.feed("yesterday")))
