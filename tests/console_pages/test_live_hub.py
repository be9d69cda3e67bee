"""Live pages without a browser: one subscription for all who listen, and what each of them is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest

from services.console.live import hub as hubs
from services.console.live.hub import Hub, spread
from services.console.live.kinds import KINDS, MOST_IDS, Changes, kinds_of
from services.console.live.stream import LiveStream
from services.console.live.watch import Key
from shared.formats.fold import CATALOGUE
from tests.console_pages.live_upstream import Opened, Upstream
from tests.event_streams import EventReader
from tests.waiting import PATIENCE, until

CUP = Key("t-cup")


class Phone:
    """A client that holds a stream open, and what it made of it. held: what it has not taken."""

    def __init__(self, hub: Hub, key: Key = CUP, token: str = "") -> None:
        self.reader = EventReader("")
        self.held = 0
        self.leaving = self.ended = False
        self.pieces = 0
        self._changed = threading.Condition()
        self.stream = LiveStream(hub, key, token, payer="hall")
        self.stream.open(self)

    def send(self, piece: bytes) -> None:
        with self._changed:
            self.pieces += 1
            self.reader.feed(piece)
            self._changed.notify_all()

    def end(self) -> None:
        self.ended = True

    def told(self) -> list[str]:
        return [message.type for message in self.reader.messages]

    def hears(self, *kinds: str) -> dict[str, dict[str, object]]:
        """What it was told, as soon as all of these were among it; then it forgets."""
        with self._changed:
            came = self._changed.wait_for(lambda: set(kinds) <= set(self.told()), PATIENCE)
            assert came, self.told()
            found = {message.type: json.loads(message.data) for message in self.reader.messages}
            self.reader.messages.clear()
        return found


@pytest.fixture
def upstream() -> Upstream:
    return Upstream()


@pytest.fixture
def hub(upstream: Upstream, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setattr(hubs, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(hubs, "REST", 0.02)
    monkeypatch.setattr("services.console.live.watch.RECENT_SECONDS", 600.0)
    monkeypatch.setattr("services.console.live.watch.PAUSE", 0.02)
    monkeypatch.setattr("services.console.live.watch.GRACE_SECONDS", 0.0)
    made = Hub(upstream)  # type: ignore[arg-type]
    yield made
    made.stop()


def the_one(upstream: Upstream) -> Opened:
    until(lambda: upstream.opened)
    assert len(upstream.opened) == 1
    return upstream.opened[0]


def test_two_hundred_pages_share_one_subscription_and_all_are_told(hub, upstream):
    phones = [Phone(hub) for _ in range(200)]
    stream = the_one(upstream)
    for phone in phones:
        phone.hears(*KINDS)
    stream.happens("ResultReported", game="r1g3", round=1)
    for phone in phones:
        assert phone.hears("games")["games"] == {"ids": ["r1g3"], "within": spread(200)}
    assert len(upstream.opened) == 1
    assert stream.token == ""
    assert hub.of("hall") == 200


def test_what_happens_in_quick_succession_is_told_as_one_thing(hub, upstream, monkeypatch):
    phone = Phone(hub)
    stream = the_one(upstream)
    phone.hears(*KINDS)
    monkeypatch.setattr(hubs, "REST", 0.3)
    before = phone.pieces
    for number in range(20):
        stream.happens("ResultConfirmed", game=f"r1g{number}", round=1)
    found: set[str] = set()
    while len(found) < 20:
        found |= set(phone.hears("games")["games"]["ids"])
    assert phone.pieces - before < 10


def test_a_slow_page_is_told_once_when_it_has_taken_what_was_sent(hub, upstream):
    slow, quick = Phone(hub), Phone(hub)
    stream = the_one(upstream)
    slow.hears(*KINDS), quick.hears(*KINDS)
    slow.held = 100
    before = slow.pieces
    for number in range(5):
        stream.happens("ResultReported", game=f"r1g{number}", round=1)
        quick.hears("games")
    assert slow.pieces == before
    slow.held = 0
    assert slow.hears("games")["games"]["ids"] == [f"r1g{number}" for number in range(5)]
    assert slow.pieces == before + 1


def test_pages_hear_that_scoring_is_away_and_that_it_is_back(hub, upstream):
    phone = Phone(hub)
    stream = the_one(upstream)
    phone.hears(*KINDS)
    stream.stands(False)
    phone.hears("away")
    late = Phone(hub)
    late.hears("away")
    stream.stands(True)
    phone.hears("back")
    late.hears("back")


def test_a_place_that_is_no_more_is_begun_anew_and_all_may_have_changed(hub, upstream):
    phone = Phone(hub)
    stream = the_one(upstream)
    phone.hears(*KINDS)
    stream.is_refused(410)
    phone.hears(*KINDS)
    assert len(upstream.opened) == 2


def test_a_subscription_ends_when_nobody_listens_and_begins_anew_for_the_next(hub, upstream, monkeypatch):
    monkeypatch.setattr(hubs, "LINGER_SECONDS", 0.05)
    phone = Phone(hub)
    stream = the_one(upstream)
    phone.stream.closed(slow=False)
    until(lambda: stream.closed.is_set())
    assert (hub.watches, hub.open, hub.of("hall")) == (0, 0, 0)
    Phone(hub).hears(*KINDS)
    assert len(upstream.opened) == 2


def test_a_page_that_is_opened_again_soon_finds_the_subscription_there(hub, upstream):
    first = Phone(hub)
    stream = the_one(upstream)
    first.stream.closed(slow=False)
    stream.happens("ResultReported", game="r1g1")
    second = Phone(hub)
    stream.happens("ResultReported", game="r1g2")
    assert "r1g2" in second.hears("games")["games"].get("ids", ["r1g2"])
    assert not stream.closed.is_set()


def test_an_audience_goes_on_with_another_token_when_one_is_not_good_any_more(hub, upstream):
    key = Key("t-cup", "referee")
    dismissed, other = Phone(hub, key, "token-1"), Phone(hub, key, "token-2")
    stream = the_one(upstream)
    assert stream.token == "token-1"
    stream.is_refused(401)
    until(lambda: len(upstream.opened) == 2)
    assert upstream.opened[1].token == "token-2"
    assert dismissed.ended
    assert not other.ended
    upstream.opened[1].happens("CallTaken", source="pairing", call="c1")
    other.hears("calls")


def test_audiences_have_subscriptions_of_their_own(hub, upstream):
    guest, referee = Phone(hub), Phone(hub, Key("t-cup", "referee"), "token")
    until(lambda: len(upstream.opened) == 2)
    guest.hears(*KINDS), referee.hears(*KINDS)
    of = {stream.token: stream for stream in upstream.opened}
    of["token"].happens("JudgeCalled", source="pairing", call="c1", game="r1g1")
    assert referee.hears("calls")["calls"]["ids"] == ["r1g1"]
    of[""].happens("RoundPublished", source="pairing", round=2)
    assert set(guest.hears("round")) == {"round"}


def test_there_is_room_for_so_many_subscriptions(hub, monkeypatch):
    monkeypatch.setattr(hubs, "MOST_WATCHES", 1)
    assert hub.has_room(CUP)
    Phone(hub)
    assert hub.has_room(CUP)
    assert not hub.has_room(Key("t-other"))


def test_a_page_is_let_go_after_its_time_and_comes_back(hub, upstream, monkeypatch):
    monkeypatch.setattr("services.console.live.stream.LIFE_SECONDS", (0.0, 0.0))
    phone = Phone(hub)
    until(lambda: phone.ended)


def test_every_event_has_its_kinds():
    words = {kind for row in CATALOGUE.values() for owner in row.owners for kind in kinds_of(owner, row.name)}
    assert words == set(KINDS)
    assert kinds_of("scoring", "SomethingNewer") == ("games", "standings")
    assert kinds_of("elsewhere", "SomethingNewer") == ("event",)


def test_very_many_games_are_all_games():
    changes = Changes({"games": {str(number) for number in range(MOST_IDS)}})
    changes.merge(Changes({"games": {"one more"}}))
    assert changes.of == {"games": None}
    changes.merge(Changes({"games": {"r1g1"}}))
    assert changes.of == {"games": None}


def test_the_more_listen_the_longer_they_are_spread():
    assert spread(1) == hubs.LEAST_SPREAD
    assert spread(1000) == 1000 / hubs.PER_SECOND
    assert spread(100_000) == hubs.MOST_SPREAD
