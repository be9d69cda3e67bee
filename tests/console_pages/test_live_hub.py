"""Live pages without a browser: one subscription for all who listen, and what each of them is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from services.console.live import hub as hubs
from services.console.live.hub import Hub, LiveStream, Round, spread_seconds
from services.console.live.watch import (
    EVERYTHING,
    KINDS,
    MOST_IDS,
    UNPUBLISHED,
    Changes,
    Concern,
    Key,
    concern_of,
    kinds_of,
)
from shared.formats.fold import CATALOGUE
from tests.console_pages import live_upstream as upstream_module
from tests.console_pages.live_upstream import Opened, Upstream
from tests.stream_clients import StreamClient
from tests.waiting import PATIENCE, until

CUP = Key("t-cup")


class Phone(StreamClient):
    """A client that holds a live stream open. stream: one that was admitted earlier."""

    def __init__(
        self,
        hub: Hub,
        key: Key = CUP,
        token: str = "",
        stream: LiveStream | None = None,
        concern: Concern = EVERYTHING,
    ) -> None:
        super().__init__()
        admitted = stream or hub.admit(self.environ, key, token, "hall", 1000, concern)
        assert admitted is not None
        self.hold(admitted)
        self.until(lambda it: it.pieces or it.ended)


@pytest.fixture
def upstream() -> Upstream:
    return Upstream()


@pytest.fixture
def hub(upstream: Upstream, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setattr(hubs, "LONGEST_INTERVAL", 0.05)
    monkeypatch.setattr(hubs, "SHORTEST_INTERVAL", 0.02)
    monkeypatch.setattr("services.console.live.watch.RECENT_SECONDS", 600.0)
    monkeypatch.setattr("services.console.live.watch.PAUSE", 0.02)
    monkeypatch.setattr("services.console.live.watch.POLL_SECONDS", 0.02)
    monkeypatch.setattr("services.console.live.watch.GRACE_SECONDS", 0.0)
    made = Hub(upstream)  # type: ignore[arg-type]
    yield made
    made.stop()


def the_one(upstream: Upstream) -> Opened:
    until(lambda: upstream.opened)
    assert len(upstream.opened) == 1
    return upstream.opened[0]


def test_two_hundred_pages_share_one_subscription(hub, upstream):
    phones = [Phone(hub) for _ in range(200)]
    stream = the_one(upstream)
    for phone in phones:
        phone.hears(*KINDS)
    stream.happens("ResultReported", game="r1g3", round=1)
    for phone in phones:
        assert phone.hears("games")["games"] == {"ids": ["r1g3"], "within": spread_seconds(200)}
    assert len(upstream.opened) == 1
    assert stream.token == ""
    assert hub.of("hall") == 200


def test_changes_in_quick_succession_are_merged(hub, upstream, monkeypatch):
    phone = Phone(hub)
    stream = the_one(upstream)
    phone.hears(*KINDS)
    monkeypatch.setattr(hubs, "SHORTEST_INTERVAL", 0.3)
    before = len(phone.pieces)
    for number in range(20):
        stream.happens("ResultConfirmed", game=f"r1g{number}", round=1)
    found: set[str] = set()
    while len(found) < 20:
        found |= set(phone.hears("games")["games"]["ids"])
    assert len(phone.pieces) - before < 10


def test_a_slow_page_gets_the_remaining_changes_merged(hub, upstream):
    slow, quick = Phone(hub), Phone(hub)
    stream = the_one(upstream)
    slow.hears(*KINDS), quick.hears(*KINDS)
    slow.stop_reading()
    before = len(slow.pieces)
    for number in range(5):
        stream.happens("ResultReported", game=f"r1g{number}", round=1)
        quick.hears("games")
    assert len(slow.pieces) == before
    slow.read_on()
    told = [json.loads(message.data)["ids"] for message in slow.told(2)]
    assert told == [["r1g0"], [f"r1g{number}" for number in range(1, 5)]]
    assert len(slow.pieces) == before + 2


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


def test_a_lost_feed_position_restarts_with_all_kinds_changed(hub, upstream):
    phone = Phone(hub)
    stream = the_one(upstream)
    phone.hears(*KINDS)
    stream.is_refused(410)
    phone.hears(*KINDS)
    assert len(upstream.opened) == 2


def test_a_subscription_ends_without_listeners_and_restarts_for_the_next(hub, upstream, monkeypatch):
    monkeypatch.setattr(hubs, "LINGER_SECONDS", 0.05)
    phone = Phone(hub)
    stream = the_one(upstream)
    phone.close()
    until(lambda: stream.closed.is_set())
    assert (hub.watches, hub.open, hub.of("hall")) == (0, 0, 0)
    Phone(hub).hears(*KINDS)
    assert len(upstream.opened) == 2


def test_a_page_that_is_opened_again_soon_finds_the_subscription_there(hub, upstream):
    first = Phone(hub)
    stream = the_one(upstream)
    first.close()
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
    until(lambda: dismissed.ended)
    assert not other.ended
    upstream.opened[1].happens("SpareAvailable", source="pairing", staff="s1")
    other.hears("staff")


def test_audiences_have_subscriptions_of_their_own(hub, upstream):
    guest, referee = Phone(hub), Phone(hub, Key("t-cup", "referee"), "token")
    until(lambda: len(upstream.opened) == 2)
    guest.hears(*KINDS), referee.hears(*KINDS)
    of = {stream.token: stream for stream in upstream.opened}
    of["token"].happens("ResultDisputed", game="r1g1")
    assert referee.hears("games")["games"]["ids"] == ["r1g1"]
    of[""].happens("RoundStarted", source="pairing", round=2)
    assert set(guest.hears("round")) == {"round"}


def test_staff_hear_of_drafts_and_calls_which_are_in_no_feed(hub, upstream, monkeypatch):
    guest, referee = Phone(hub), Phone(hub, Key("t-cup", "referee"), "token")
    guest.hears(*KINDS), referee.hears(*KINDS)
    asked = threading.Semaphore(0)
    monkeypatch.setattr(upstream_module.Upstream, "show_unpublished", lambda self, event: told(asked))
    assert asked.acquire(timeout=PATIENCE)
    monkeypatch.setattr(upstream_module.Upstream, "revision", 2)
    assert {"calls", "round"} <= set(referee.hears("calls", "round"))
    assert "calls" not in guest.types


def told(asked):
    asked.release()
    return SimpleNamespace(revision=upstream_module.Upstream.revision)


@pytest.mark.parametrize("who_else", ["hall", "home"])
def test_one_address_begins_so_many_subscriptions_and_anyone_joins_those_that_exist(hub, monkeypatch, who_else):
    monkeypatch.setattr(hubs, "MOST_BEGUN", 3)
    monkeypatch.setattr(hubs, "LINGER_SECONDS", 0.05)
    begun = [hub.admit({}, Key(f"t-{number}"), "", "hall", 100) for number in range(3)]
    assert all(begun)
    assert hub.admit({}, Key("t-3"), "", "hall", 100) is None
    joined = hub.admit({}, Key("t-0"), "", who_else, 100)
    assert joined
    assert hub.admit({}, Key("t-3"), "", "home", 100)
    hub.leave(begun[0])
    assert hub.admit({}, Key("t-4"), "", "hall", 100) is None, "the first one left, and another listens to it"
    hub.leave(joined)
    until(lambda: hub.begun_by("hall") == 2)
    assert hub.admit({}, Key("t-4"), "", "hall", 100)


def test_all_addresses_together_begin_so_many_subscriptions(hub, monkeypatch):
    monkeypatch.setattr(hubs, "MOST_WATCHES", 2)
    assert all(hub.admit({}, Key(f"t-{number}"), "", f"hall {number}", 100) for number in range(2))
    assert hub.admit({}, Key("t-2"), "", "hall 2", 100) is None
    assert hub.admit({}, Key("t-1"), "", "hall 2", 100)


@pytest.mark.parametrize(("of_one", "places"), [(5, 100), (100, 5)])
def test_streams_admitted_in_a_burst_count_before_they_are_open(hub, monkeypatch, of_one, places):
    monkeypatch.setattr(hubs, "MOST_OF_ONE", of_one)
    with ThreadPoolExecutor(8) as burst:
        admitted = list(burst.map(lambda _: hub.admit({}, CUP, "", "hall", places), range(40)))
    assert sum(stream is not None for stream in admitted) == 5
    assert hub.open == hub.of("hall") == 5


def test_a_stream_that_the_server_never_opens_gives_its_place_back(hub, upstream, monkeypatch):
    monkeypatch.setattr("services.console.live.hub.OPENING_SECONDS", 0.0)
    late = hub.admit({}, CUP, "", "hall", 1)
    assert late
    until(lambda: hub.open == 0)
    assert Phone(hub, stream=late).ended, "the page comes back"


def test_changes_before_a_stream_opens_are_sent_once_it_opens(hub, upstream):
    other, waiting = Phone(hub), hub.admit({}, CUP, "", "hall", 100)
    the_one(upstream).happens("ResultReported", game="r1g3", round=1)
    other.hears("games")
    assert waiting
    Phone(hub, stream=waiting).hears("games")


def test_a_page_is_let_go_after_its_time_and_comes_back(hub, upstream, monkeypatch):
    monkeypatch.setattr("services.console.live.hub.LIFE_SECONDS", (0.0, 0.0))
    phone = Phone(hub)
    until(lambda: phone.ended)


def test_every_event_has_its_kinds():
    words = {kind for row in CATALOGUE.values() for owner in row.owners for kind in kinds_of(owner, row.name)}
    assert words | set(UNPUBLISHED) == set(KINDS)
    assert kinds_of("scoring", "SomethingNewer") == ("games", "standings")
    assert kinds_of("elsewhere", "SomethingNewer") == ("event",)


def test_very_many_games_are_all_games():
    changes = Changes({"games": {str(number) for number in range(MOST_IDS)}})
    changes.merge(Changes({"games": {"one more"}}))
    assert changes.of == {"games": None}
    changes.merge(Changes({"games": {"r1g1"}}))
    assert changes.of == {"games": None}


def test_the_more_listen_the_longer_they_are_spread():
    assert spread_seconds(1) == hubs.LEAST_SPREAD
    assert spread_seconds(1000) == 1000 / hubs.PER_SECOND
    assert spread_seconds(100_000) == hubs.MOST_SPREAD


def test_a_result_wakes_the_phones_of_its_players_alone(hub, upstream):
    abouts = [f"r1g{number} p{2 * number} p{2 * number + 1}" for number in range(1, 31)]
    tables = [Phone(hub, concern=concern_of("games round", about)) for about in abouts]
    board, standings = Phone(hub, concern=concern_of("games", "")), Phone(hub, concern=concern_of("standings", ""))
    stream = the_one(upstream)
    for phone in tables:
        phone.hears("games", "round")
    board.hears("games"), standings.hears("standings")
    before = [len(phone.pieces) for phone in tables]
    stream.happens("ResultReported", game="r1g7", round=1)
    assert tables[6].hears("games")["games"]["ids"] == ["r1g7"]
    board.hears("games")
    stream.happens("ResultConfirmed", game="r1g9", round=1)
    tables[8].hears("games")
    standings.hears("standings")
    woken = [n for n, (phone, known) in enumerate(zip(tables, before, strict=True), 1) if len(phone.pieces) > known]
    assert woken == [7, 9]
    stream.happens("RoundClosed", round=1)
    for phone in tables:
        phone.hears("round")


def test_a_message_is_written_once_for_all_who_are_concerned_alike(monkeypatch):
    written = []
    monkeypatch.setattr(hubs, "_message", lambda *told: written.append(told) or b"x")
    round = Round(Changes({"games": {"r1g1"}, "standings": None}), is_up=True, within=1.0)
    for concern in [EVERYTHING, concern_of("standings", ""), concern_of("games", "r1g2")] * 100:
        round.of(concern)
    assert [kind for kind, *_ in written] == ["games", "standings", "standings"]


def test_many_pieces_make_rounds_rarer(hub, upstream, monkeypatch):
    pauses = []
    monkeypatch.setattr(hubs, "SENT_PER_SECOND", 1_000)
    monkeypatch.setattr(hubs, "time", SimpleNamespace(sleep=pauses.append))
    phones = [Phone(hub) for _ in range(200)]
    for phone in phones:
        phone.hears(*KINDS)
    the_one(upstream).happens("ResultReported", game="r1g3", round=1)
    for phone in phones:
        phone.hears("games")
    until(lambda: any(pause >= 0.1 for pause in pauses))


@pytest.mark.parametrize(
    ("kinds", "about", "concern"),
    [
        ("", "", Concern()),
        ("games standings", "r1g1 p1", Concern(frozenset({"games", "standings"}), frozenset({"r1g1", "p1"}))),
        ("games <b> \x00 everything", "p1", Concern(frozenset({"games"}), frozenset({"p1"}))),
        ("nothing", "x" * 65, Concern()),
        ("round " * 1000, " ".join(map(str, range(51))), Concern(frozenset({"round"}))),
        ("games", " ".join(["p1"] * 100_000), Concern(frozenset({"games"}))),
    ],
)
def test_what_a_page_names_is_taken_as_far_as_it_is_known(kinds, about, concern):
    assert concern_of(kinds, about) == concern


def test_a_message_of_many_games_names_none_and_reaches_all():
    named = {f"r1g{number}" for number in range(51)}
    assert b'"ids"' not in hubs.changed(Changes({"games": named}), 1.0)
    assert b'"ids"' in hubs.changed(Changes({"games": set(list(named)[:50])}), 1.0)
    assert Changes({"games": named}).concerning(concern_of("games", "r1g7")).of == {"games": {"r1g7"}}
