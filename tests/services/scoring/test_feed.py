"""The public feed: order, visibility, filters, cursors, long polling."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, nullcontext

import pytest

from services.scoring.feed.places import Place
from services.scoring.feed.routes import LongPolls
from shared.formats.packs import shipped_ruleset
from shared.rules.parts import to_json
from shared.season.entries import TournamentGathered
from shared.tournament.registration import (
    OpenedRoster,
    RosterAccepted,
    RostersOpened,
    RosterSubmitted,
    Table,
    TournamentAnnounced,
    VenueOpened,
)
from shared.tournament.rounds import RoundStarted
from tests.services.scoring.story import ARMADA, floor, score
from tests.services.story import Answer, Tournament


@pytest.fixture
def club(new_club):
    """A separate scoring service, because the feed covers the whole service."""
    return new_club("scoring")


@pytest.fixture
def evening(club):
    """A tournament with two lists, in which round 1 has started."""
    told = floor(club, 4, staff=("referee",))
    told.say(
        "registration",
        *[
            event(player)
            for player in ("p1", "p2")
            for event in (submitted, lambda player: RosterAccepted(player=player))
        ],
    )
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    return told


def submitted(player):
    return RosterSubmitted(player=player, roster={"faction": "rebel"})


def asked(club, token="", **query) -> Answer:
    said = "&".join(f"{name}={value}" for name, value in query.items() if value != "")
    return club.ask("GET", f"/feed?{said}", token=token)


def followed(club, token="", cursor="", **query) -> tuple[list, str]:
    """Read from a cursor to the end. Return the events and the last cursor."""
    found = []
    while True:
        answer = asked(club, token, after=cursor, **query)
        assert answer.status == 200, answer
        found += answer.lines
        cursor = answer.headers["Muster-Feed-Cursor"]
        if "Link" not in answer.headers:
            return found, cursor


def ids(lines) -> list[str]:
    return [line["id"] for line in lines]


def test_the_feed_contains_every_event_once(club, evening):
    evening.report("r1g1", score(210, 150))
    lines, _ = followed(club, club.token("integration"))
    everything = [event.id for source in club.sources for event in club.log(evening.id, source)]
    assert sorted(ids(lines)) == sorted(everything)
    assert len(set(ids(lines))) == len(lines)


def test_an_event_follows_everything_that_its_author_had_seen(club, evening):
    evening.report("r1g1", score(210, 150))
    placed: dict[str, int] = {}
    for line in followed(club, club.token("integration"))[0]:
        assert all(position <= placed.get(source, 0) for source, position in json.loads(line["seen"]).items())
        assert line["position"] == placed.get(line["source"], 0) + 1
        placed[line["source"]] = line["position"]


@pytest.mark.parametrize("limit", [1, 2, 3, 500])
@pytest.mark.parametrize("role", ["", "integration", "player"])
def test_a_reader_can_resume_at_every_cursor(club, evening, limit, role):
    token = club.token(role, "*" if role == "integration" else evening.id, **FOR[role]) if role else ""
    whole, _ = followed(club, token, limit=500)
    assert ids(followed(club, token, limit=limit)[0]) == ids(whole)
    for index, line in enumerate(whole):
        assert ids(followed(club, token, line["feedcursor"], limit=limit)[0]) == ids(whole[index + 1 :])


FOR = {"": {}, "integration": {}, "player": {"player": "p1"}}


def test_the_public_reads_digests_of_a_list_until_it_opens(club):
    told = floor(club, 2)
    sealed = RosterSubmitted(player="p1", roster={}, sealed={"faction": "0" * 64})
    told.say("registration", sealed, RosterAccepted(player="p1"))
    followed(club)  # reading gives places, so later events follow
    told.begin(1, ("p1", "p2"))
    opened = OpenedRoster(player="p1", roster={"faction": "rebel"}, salts={"faction": "1" * 64})
    told.say("registration", RostersOpened(rosters=[opened]))
    whole = followed(club)[0]
    types = [line["type"] for line in whole]
    assert types[-6:] == [
        *("RosterSubmitted", "RosterAccepted", "PairingsDrawn", "RoundPaired", "RoundStarted", "RostersOpened")
    ]
    assert not any("openedby" in line for line in whole)
    for token in (club.token("integration"), club.token("organiser", told.id)):
        assert ids(followed(club, token)[0]) == ids(whole)


def test_a_second_round_does_not_open_lists_again(club, evening):
    evening.play(1, (100, 50), (100, 50))
    _, cursor = followed(club)
    evening.say("pairing", RoundStarted(round=2, minutes=120, ends_at="2026-03-01T12:00:00.000Z", held=[]))
    assert [line["type"] for line in followed(club, cursor=cursor)[0]] == ["RoundStarted"]


def test_a_private_tournament_is_visible_with_its_token(club, evening):
    private = floor(club, 2, visibility="private")
    of_private = [event.id for source in club.sources for event in club.log(private.id, source)]
    assert not set(ids(followed(club)[0])) & set(of_private)
    assert ids(followed(club, club.token("player", private.id, player="p1"))[0]) == of_private
    assert set(of_private) < set(ids(followed(club, club.token("integration"))[0]))
    for token in ("", club.token("organiser", evening.id)):
        told = asked(club, token, tournament=private.id)
        assert (told.status, told.code) == (404, "tournament-unknown") or told.code == "tournament-unknown"
    assert asked(club, club.token("organiser", private.id), tournament=evening.id).code == "wrong-tournament"


def test_the_feed_is_filtered_by_types_tournament_and_venue(club, evening):
    other = floor(club, 2)
    evening.report("r1g1", score(210, 150))
    assert {line["tournament"] for line in followed(club, tournament=other.id)[0]} == {other.id}
    lines, cursor = followed(club, types="ResultReported,RoundStarted")
    assert [line["type"] for line in lines] == ["RoundStarted", "ResultReported"]
    assert followed(club, cursor=cursor)[0] == [], "the cursor is behind everything that was not asked for, too"


def test_a_batch_is_a_list_of_cloudevents(club, evening):
    answer = club.ask("GET", "/feed?limit=3", Accept="application/cloudevents-batch+json")
    assert answer.headers["Content-Type"] == "application/cloudevents-batch+json"
    assert ids(json.loads(answer.text)) == ids(followed(club)[0])[:3]
    assert asked(club).headers["Content-Type"] == "application/x-ndjson"
    assert club.ask("GET", "/feed", Accept="text/html").code == "not-acceptable"


def test_now_returns_only_new_events(club, evening):
    now = asked(club, after="now")
    assert now.lines == []
    evening.report("r1g1", score(210, 150))
    since, _ = followed(club, cursor=now.headers["Muster-Feed-Cursor"])
    assert [line["type"] for line in since] == ["ResultReported", "ResultConfirmed"]


@pytest.mark.parametrize(
    ("query", "code", "place"),
    [
        ({"after": "12"}, "invalid-cursor", "/after"),
        ({"after": "0" * 39}, "invalid-cursor", "/after"),
        ({"after": "a" * 40}, "feed-cursor-unknown", "/after"),
        ({"after": "a" * 40 + "~7"}, "feed-cursor-unknown", "/after"),
        ({"types": "ResultReported,Nonsense"}, "invalid-request", "/types"),
        ({"types": ","}, "invalid-request", "/types"),
        ({"wait": "26"}, "invalid-request", "/wait"),
        ({"wait": "-1"}, "invalid-request", "/wait"),
        ({"wait": "soon"}, "invalid-request", "/wait"),
        ({"limit": "0"}, "invalid-request", "/limit"),
        ({"limit": "501"}, "invalid-request", "/limit"),
        ({"venue": "v1"}, "invalid-request", "/venue"),
        ({"view": "photographs"}, "invalid-request", "/view"),
        ({"tournament": "t-nowhere"}, "tournament-unknown", None),
        ({"season": "t-nowhere"}, "tournament-unknown", None),
    ],
)
def test_invalid_queries_are_refused(club, evening, query, code, place):
    answer = asked(club, **query)
    assert answer.code == code, answer
    assert place is None or answer.places == [place]


def test_unknown_seasons_and_venues_are_refused(club, evening):
    assert asked(club, tournament=evening.id, venue="v9").places == ["/venue"]
    assert asked(club, season=evening.id).places == ["/season"]


def test_a_cursor_is_valid_for_readers_who_see_the_same(club, evening):
    _, of_all = followed(club, club.token("integration"))
    _, of_nobody = followed(club)
    assert asked(club, after=of_all).code == "feed-cursor-of-another"
    assert asked(club, club.token("integration"), after=of_nobody).code == "feed-cursor-of-another"
    assert asked(club, club.token("integration", jti="another"), after=of_all).status == 200


def test_a_cursor_of_another_installation_is_unknown(club, evening, new_club):
    elsewhere = new_club("scoring")
    floor(elsewhere, 4)
    cursor = followed(elsewhere)[1]
    assert asked(club, after=cursor).code == "feed-cursor-unknown"


def test_a_limited_token_reads_its_types_and_venue(club, evening):
    token = club.token("integration", types=["RoundStarted"])
    assert {line["type"] for line in followed(club, token)[0]} == {"RoundStarted"}


def test_results_contain_the_names_and_values_of_players(club, evening):
    evening.report("r1g1", score(210, 150), by="p1")
    evening.confirm("r1g1", by="p2")
    evening.correct("r1g1", score(150, 210))
    reported, confirmed, corrected = followed(club, view="results")[0]
    assert {line["type"] for line in (reported, confirmed, corrected)} == {"GameResult"}
    data = reported["data"]
    assert (data["tournament_name"], data["round"], data["game"], data["table"]) == ("Club night", 1, "r1g1", 1)
    assert [(side["player"], side["name"]) for side in data["players"]] == [("p1", "Ana"), ("p2", "Ben")]
    told = [
        (line["data"]["because"], line["data"]["status"], line["data"]["binds"])
        for line in followed(club, view="results")[0]
    ]
    assert told == [
        ("ResultReported", "reported", False),
        ("ResultConfirmed", "confirmed", True),
        ("ResultCorrected", "corrected", True),
    ]
    assert reported["data"]["replaced"] is confirmed["data"]["replaced"] is None
    assert corrected["data"]["replaced"] == confirmed["data"]["players"]
    assert corrected["data"]["players"][1]["outcome"] == confirmed["data"]["players"][0]["outcome"] == "win"
    assert corrected["data"]["players"][1]["values"] == confirmed["data"]["players"][0]["values"]
    assert ids(followed(club, view="results", limit=1)[0]) == ids([reported, confirmed, corrected])


def test_a_long_poll_returns_present_events_immediately(club, evening):
    assert asked(club, wait=25).lines


def test_a_long_poll_times_out_with_an_empty_page(club, evening):
    _, cursor = followed(club)
    answer = asked(club, after=cursor, wait=1)
    assert (answer.status, answer.lines) == (200, [])
    assert answer.headers["Muster-Feed-Cursor"] == cursor


def test_a_long_poll_returns_when_an_event_arrives(club, evening):
    _, cursor = followed(club)
    with ThreadPoolExecutor() as threads:
        waiting = [threads.submit(asked, club, after=cursor, wait=20, types=of) for of in ("", "ResultConfirmed")]
        evening.report("r1g1", score(210, 150))
        told = [answer.result().lines for answer in waiting]
    assert [line["type"] for line in told[0]][:1] == ["ResultReported"]
    assert [line["type"] for line in told[1]] == ["ResultConfirmed"]


def test_long_polls_are_limited_by_slots():
    waiting = LongPolls(Place, threads=8)
    with ExitStack() as taken:
        guests = [taken.enter_context(waiting.slot(guest=True)) for _ in range(3)]
        others = [taken.enter_context(waiting.slot(guest=False)) for _ in range(3)]
    assert guests == [True, True, False]
    assert others == [True, True, False]
    with waiting.slot(guest=True) as again:
        assert again


def test_without_a_slot_the_answer_has_retry_after(club, evening, monkeypatch):
    _, cursor = followed(club)
    monkeypatch.setattr(LongPolls, "slot", lambda self, guest: nullcontext(False))
    answer = asked(club, after=cursor, wait=20)
    assert (answer.status, answer.lines, answer.headers["Retry-After"]) == (200, [], "1")


def test_a_rebuild_keeps_order_and_cursors(club, evening):
    before, cursor = followed(club)
    assert club.ask("POST", "/rebuild", token=club.token("operator")).status == 200
    evening.report("r1g1", score(210, 150))
    assert [line["type"] for line in followed(club, cursor=cursor)[0]] == ["ResultReported", "ResultConfirmed"]
    assert ids(followed(club)[0])[: len(before)] == ids(before)


def test_the_season_filter_includes_its_tournaments(club, evening):
    season = Tournament(club, "t-season")
    season.say(
        "registration",
        TournamentAnnounced(name="League", format="season", ruleset=to_json(shipped_ruleset("season-league"))),
        TournamentGathered(
            tournament=evening.id, name="Club night", format="swiss", ruleset=ARMADA, played_on="2026-03-01"
        ),
    )
    floor(club, 2)
    assert {line["tournament"] for line in followed(club, season="t-season")[0]} == {"t-season", evening.id}


def test_the_venue_filter_includes_events_of_no_venue(club):
    told = floor(club, 4)
    tables = [Table(table=1), Table(table=2)]
    told.say("registration", *[VenueOpened(venue=venue, name=venue, tables=tables) for venue in ("v1", "v2")])
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    told.report("r1g1", score(210, 150))
    types = [line["type"] for line in followed(club, tournament=told.id, venue="v2")[0]]
    assert "ResultReported" not in types
    assert types.count("VenueOpened") == 1
    assert "RoundStarted" in types
