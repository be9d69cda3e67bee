"""The feed as server-sent events."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.scoring.feed import results, streams
from services.scoring.feed.results import ResultLines
from shared.formats.packs import shipped_ruleset
from shared.log.copies import recopy
from shared.log.event import Head, parse_seen
from shared.log.log import Stamp, chain_events
from shared.log.reading import log_page
from shared.rules.parts import to_json
from shared.season.entries import TournamentGathered
from shared.service.commands import entries_of
from shared.tournament.registration import (
    INSTALLATION,
    InstallationTokenRevoked,
    OpenedRoster,
    RosterAccepted,
    RostersOpened,
    RosterSubmitted,
    StaffDismissed,
    TournamentAnnounced,
)
from tests.acting import acting
from tests.event_streams import EventReader
from tests.examples import examples
from tests.services.scoring.held import StreamServer
from tests.services.scoring.story import ARMADA, floor, score
from tests.services.story import Tournament
from tests.waiting import remains, until

TIME = "2026-03-01T09:00:00.000Z"


@pytest.fixture
def club(new_club):
    """A separate scoring service, because the feed covers the whole service."""
    return new_club("scoring")


@pytest.fixture
def server(club):
    found = StreamServer(club)
    yield found
    found.end()


@pytest.fixture
def evening(club):
    told = floor(club, 4, staff=("referee",))
    told.say("registration", *[submitted(player) for player in ("p1", "p2")])
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    return told


def submitted(player):
    return RosterSubmitted(player=player, roster={"faction": "rebel"})


def feed(club, token="", query=""):
    return club.ask("GET", f"/feed?limit=500&{query}", token=token).lines


def ids(messages):
    return [message.event["id"] for message in messages]


@pytest.mark.parametrize("query", ["", "types=RoundStarted,ResultReported", "view=results"])
@pytest.mark.parametrize("role", ["", "integration", "player"])
def test_a_stream_has_the_events_of_the_feed(club, server, evening, role, query):
    evening.report("r1g1", score(210, 150))
    tokens = {
        "": "",
        "integration": club.token("integration"),
        "player": club.token("player", evening.id, player="p1"),
    }
    token = tokens[role]
    expected = feed(club, token, query)
    assert expected
    messages = server.listen(f"/feed/stream?{query}", token).told(len(expected))
    assert [message.event for message in messages] == expected
    assert [(message.id, message.type) for message in messages] == [
        (line["feedcursor"], line["type"]) for line in expected
    ]


def test_a_single_threaded_server_sends_present_events_and_ends(club, evening):
    answer = club.ask("GET", "/feed/stream")
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    reader = EventReader()
    reader.feed(answer.text)
    assert [message.event for message in reader.messages] == feed(club)


def test_new_events_are_sent_once_and_immediately(club, server, evening):
    now, all_of_it = server.listen("/feed/stream?after=now"), server.listen()
    evening.report("r1g1", score(210, 150))
    assert [message.type for message in now.told(2)] == ["ResultReported", "ResultConfirmed"]
    evening.report("r1g2", score(100, 50))
    expected = feed(club)
    assert ids(all_of_it.told(len(expected))) == [line["id"] for line in expected]
    assert ids(now.told(4)) == [line["id"] for line in expected[-4:]]


def test_results_are_streamed_and_folded_once(club, server, evening, monkeypatch):
    folded, evolve = [], results.evolve
    monkeypatch.setattr(results, "evolve", lambda state, event: folded.append(event.id) or evolve(state, event))
    listener = server.listen("/feed/stream?view=results&after=now")
    other = floor(club, 2)
    for number, happens in enumerate(
        (
            lambda: evening.report("r1g1", score(210, 150), by="p1"),
            lambda: evening.confirm("r1g1", by="p2"),
            lambda: evening.correct("r1g1", score(150, 210)),
        ),
        start=1,
    ):
        happens()
        listener.told(number)
        other.say("registration", submitted("p1"))
    assert len(set(folded)) == len(folded)
    assert [message.event for message in listener.reader.messages] == feed(club, query="view=results")


def test_a_client_without_events_resumes_at_its_start(server, evening):
    began = server.listen("/feed/stream?after=now")
    began.close()
    evening.report("r1g1", score(210, 150))
    again = server.listen("/feed/stream?after=now", last_id=began.reader.last_id)
    assert [message.type for message in again.told(2)] == ["ResultReported", "ResultConfirmed"]


def test_the_cursor_moves_past_events_that_are_not_selected(server, evening, monkeypatch):
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.2)
    listener = server.listen("/feed/stream?after=now&types=RoundClosed")
    began = listener.reader.last_id
    evening.report("r1g1", score(210, 150))
    listener.until(lambda it: it.reader.last_id != began)
    before = listener.reader.comments
    listener.until(lambda it: it.reader.comments > before + 1)
    assert listener.reader.messages == []


@given(cuts=st.lists(st.integers(0, 30_000), max_size=6), limit=st.sampled_from(["", "view=results"]))
@settings(max_examples=examples(40), deadline=None)
def test_a_broken_stream_resumes_without_gap_or_repeat(told_evening, cuts, limit):
    club = told_evening
    told, last = [], ""
    for cut in [*cuts, None]:
        reader = EventReader(last)
        headers = {"Last_Event_ID": last} if last else {}
        reader.feed(club.ask("GET", f"/feed/stream?{limit}", **headers).text[:cut])
        told += reader.messages
        last = reader.last_id
    assert ids(told) == [line["id"] for line in feed(club, query=limit)]


@pytest.fixture(scope="module")
def told_evening(new_club):
    club = new_club("scoring")
    told = floor(club, 4, staff=("referee",))
    told.say("registration", *[submitted(player) for player in ("p1", "p2")])
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    told.report("r1g1", score(210, 150))
    told.correct("r1g1", score(150, 210))
    return club


def test_a_list_is_streamed_as_digests_until_it_opens(club, server):
    told = floor(club, 2)
    listener = server.listen()
    sealed = RosterSubmitted(player="p1", roster={}, sealed={"faction": "0" * 64})
    told.say("registration", sealed, RosterAccepted(player="p1"))
    listener.until(lambda it: types(it)[-1] == "RosterAccepted")
    told.begin(1, ("p1", "p2"))
    opened = OpenedRoster(player="p1", roster={"faction": "rebel"}, salts={"faction": "1" * 64})
    told.say("registration", RostersOpened(rosters=[opened]))
    listener.until(lambda it: types(it)[-2:] == ["RoundStarted", "RostersOpened"])
    back = server.listen(last_id=listener.reader.messages[-2].id)
    assert [message.type for message in back.told(1)] == ["RostersOpened"]


def types(listener):
    return [message.type for message in listener.reader.messages] or [""]


def test_the_stream_of_a_tournament_is_its_part_of_the_feed(club, server, evening):
    other = floor(club, 2)
    private = floor(club, 2, visibility="private")
    listener = server.listen(f"/tournaments/{other.id}/stream")
    expected = feed(club, query=f"tournament={other.id}")
    assert ids(listener.told(len(expected))) == [line["id"] for line in expected]
    evening.report("r1g1", score(210, 150))
    other.begin(1, ("p1", "p2"))
    assert [message.type for message in listener.told(len(expected) + 3)][-1] == "RoundStarted"
    assert {message.event["tournament"] for message in listener.reader.messages} == {other.id}
    for token in ("", club.token("organiser", evening.id)):
        assert server.refusal(f"/tournaments/{private.id}/stream", token).code == "tournament-unknown"
    mine = club.token("player", private.id, player="p1")
    assert server.listen(f"/tournaments/{private.id}/stream", mine).told(1)[0].event["tournament"] == private.id
    assert server.refusal(f"/tournaments/{evening.id}/stream", mine).code == "wrong-tournament"


def test_the_season_filter_follows_new_tournaments(club, server, evening):
    season = Tournament(club, "t-season")
    announced = TournamentAnnounced(name="League", format="season", ruleset=to_json(shipped_ruleset("season-league")))
    season.say("registration", announced)
    listener = server.listen("/feed/stream?season=t-season&after=now")
    gathered = TournamentGathered(
        tournament=evening.id, name="Club night", format="swiss", ruleset=ARMADA, played_on="2026-03-01"
    )
    season.say("registration", gathered)
    listener.told(1)
    evening.report("r1g1", score(210, 150))
    assert [message.type for message in listener.told(3)] == [
        "TournamentGathered", "ResultReported", "ResultConfirmed",
    ]  # fmt: skip


def test_a_revoked_token_ends_only_its_streams(club, server, evening):
    lost = club.token("integration", jti="lost", actor="bot")
    revoked, other, guest = server.listen(token=lost), server.listen(token=club.token("integration")), server.listen()
    Tournament(club, INSTALLATION).say("registration", InstallationTokenRevoked(token="lost", reason="leaked"))
    revoked.until(lambda it: it.ended)
    last = revoked.reader.messages[-1]
    assert (last.type, last.event["code"], last.event["status"]) == ("problem", "token-revoked", 401)
    assert server.refusal(token=lost, last_id=revoked.reader.last_id).code == "token-revoked"
    evening.report("r1g1", score(210, 150))
    other.until(lambda it: types(it)[-1] == "ResultConfirmed")
    guest.until(lambda it: types(it)[-1] == "ResultConfirmed")
    assert "ResultReported" not in types(revoked)


def test_an_expired_token_ends_its_stream(club, server, evening):
    soon = club.token("integration", exp=int(time.time()) + 2)
    listener = server.listen(token=soon)
    listener.until(lambda it: it.ended)
    assert listener.reader.messages[-1].event["code"] == "token-expired"


def test_the_stream_of_a_dismissed_referee_ends(club, server, evening):
    listener = server.listen(
        f"/tournaments/{evening.id}/stream?after=now", club.token("referee", evening.id, actor="s1")
    )
    evening.say("registration", StaffDismissed(staff="s1", reason="left"))
    listener.until(lambda it: it.ended)
    assert [message.event["code"] for message in listener.reader.messages if message.type == "problem"] == [
        "token-revoked"
    ]


def test_a_removed_place_ends_the_streams_that_read_it(club, server, evening):
    listener = server.listen()
    listener.told(len(feed(club)))
    with club.database.reading() as connection:
        *kept, forged = log_page(connection, "registration", evening.id, 0, 100)
    head = Head(kept[-1].position, kept[-1].hash)
    stamp = Stamp(acting("organiser"), "c9", TIME, parse_seen(forged.seen))
    true = chain_events("registration", evening.id, head, entries_of([RosterAccepted(player="p1")]), stamp)
    recopy(club.database, "registration", evening.id, [*kept, *true], actor="operator", reason="forged", time=TIME)
    listener.until(lambda it: it.ended)
    last = listener.reader.messages[-1]
    assert (last.type, last.event["code"]) == ("problem", "feed-cursor-unknown")
    assert server.refusal(last_id=listener.reader.last_id).code == "feed-cursor-unknown"
    again = feed(club)
    assert ids(server.listen().told(len(again))) == [line["id"] for line in again]


def test_a_slow_client_is_paused_and_misses_nothing(club, server, evening):
    listener = server.listen("/feed/stream?after=now")
    listener.told(0)
    listener.stop_reading()
    evening.report("r1g1", score(210, 150))
    remains(lambda: listener.reader.messages == [])
    evening.report("r1g2", score(100, 50))
    listener.read_on()
    assert types_of(listener.told(4)) == ["ResultReported", "ResultConfirmed"] * 2


def types_of(messages):
    return [message.type for message in messages]


def test_a_half_closed_client_gets_present_events(club, server, evening):
    listener = server.listen()
    listener.leave()
    listener.until(lambda it: it.ended)
    assert ids(listener.reader.messages) == [line["id"] for line in feed(club)]


def test_equal_streams_share_encoded_bytes(club, server, evening):
    listeners = [server.listen("/feed/stream?after=now") for _ in range(20)]
    for listener in listeners:
        listener.until(lambda it: it.reader.last_id)
    evening.report("r1g1", score(210, 150))
    told = [listener.until(lambda it: len(it.reader.messages) == 2) and listener.pieces[-1] for listener in listeners]
    assert all(piece is told[0] for piece in told), "made once"


def test_streams_are_limited_in_total_and_per_caller(new_club):
    club = new_club("scoring", MUSTER_STREAMS="3", MUSTER_STREAMS_PER_CALLER="2")
    server = StreamServer(club)
    first, _ = server.listen(), server.listen()
    one_too_many = server.refusal()
    assert (one_too_many.status, one_too_many.code, one_too_many.data["limit"]) == (429, "too-many-streams", 2)
    assert one_too_many.headers["Retry-After"] == "5"
    server.listen(token=club.token("integration"))
    full = server.refusal(token=club.token("integration", actor="another"))
    assert (full.status, full.code, full.headers["Retry-After"]) == (503, "streams-full", "5")
    first.close()
    server.listen()
    server.end()


@pytest.mark.parametrize(
    ("address", "last_id", "code", "place"),
    [
        ("/feed/stream", "12", "invalid-cursor", "Last-Event-ID"),
        ("/feed/stream", "a" * 40, "feed-cursor-unknown", "Last-Event-ID"),
        ("/feed/stream", "ä" * 40, "invalid-cursor", "Last-Event-ID"),
        ("/feed/stream", "now", "invalid-cursor", "Last-Event-ID"),
        ("/feed/stream?after=12", "", "invalid-cursor", "/after"),
        ("/feed/stream?types=Nonsense", "", "invalid-request", "/types"),
        ("/feed/stream?wait=5", "", "invalid-request", "/wait"),
        ("/feed/stream?venue=v1", "", "invalid-request", "/venue"),
        ("/feed/stream?tournament=t-nowhere", "", "tournament-unknown", None),
        ("/tournaments/t-nowhere/stream", "", "tournament-unknown", None),
    ],
)
def test_invalid_stream_queries_are_refused(server, evening, address, last_id, code, place):
    answer = server.refusal(address, last_id=last_id)
    assert answer.code == code, answer
    assert place is None or answer.places == [place]


def test_a_cursor_of_another_reader_is_refused(club, server, evening):
    everything = server.listen(token=club.token("integration")).told(1)[0].id
    assert server.refusal(last_id=everything).code == "feed-cursor-of-another"
    cursor = feed(club)[0]["feedcursor"]
    assert server.refusal(token=club.token("integration"), last_id=cursor).code == "feed-cursor-of-another"


def test_openapi_documents_both_streams(club):
    taken = {
        name: {parameter.get("name") or parameter["$ref"].rpartition("/")[2] for parameter in operation["parameters"]}
        for name, operation in club.operations.items()
        if name.endswith("_stream")
    }
    of_one = {"after", "types", "venue", "view", "LastEventId"}
    assert taken == {"tournament_stream": of_one, "feed_stream": of_one | {"tournament", "season"}}


def test_head_opens_no_stream(club, server):
    answer = server.ask("/feed/stream", method="HEAD")
    assert (answer.status, answer.text, server.open) == (200, b"", [])


def test_an_event_that_fails_for_some_streams_reaches_the_others(club, server, evening, monkeypatch):
    damaged, whole = server.listen("/feed/stream?view=results&after=now"), server.listen("/feed/stream?after=now")
    monkeypatch.setattr(ResultLines, "at", lambda *of: [][1])
    evening.report("r1g1", score(210, 150))
    assert types_of(whole.told(2)) == ["ResultReported", "ResultConfirmed"]
    damaged.until(lambda it: it.ended)
    assert [message.event["code"] for message in damaged.reader.messages] == ["internal-error"]


def test_a_failing_turn_does_not_stop_the_tailer(club, server, evening, monkeypatch):
    listener = server.listen("/feed/stream?after=now")
    listener.told(0)
    reading, failed = club.database.reading, []

    def fails(*of, **named):
        if not failed:
            failed.append(1)
            raise RuntimeError("once")
        return reading(*of, **named)

    monkeypatch.setattr(club.database, "reading", fails)
    until(lambda: failed)
    evening.report("r1g1", score(210, 150))
    assert types_of(listener.told(2)) == ["ResultReported", "ResultConfirmed"]
